package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEnvironmentIsAnAllowList(t *testing.T) {
	const canary = "canary-7f3a"
	tree := t.TempDir()
	link := filepath.Join(t.TempDir(), "bin")
	if err := os.Symlink(tree, link); err != nil {
		t.Fatal(err)
	}
	ours := []string{
		"HOME=/home/a", "LANG=C.UTF-8", "LC_ALL=C", "GOFLAGS=-mod=mod", "GOCACHE=/c", "TERM=xterm", "CI=0", "PWD=/elsewhere",
		"PATH=" + strings.Join([]string{"/usr/bin", ".", "", "bin", tree, filepath.Join(tree, "node_modules", ".bin"), link, "/bin"}, string(os.PathListSeparator)),
		"MINE=yes", "MY_TOKEN=" + canary,
	}
	for _, name := range []string{
		"OPENAI_API_KEY", "OPENAI_ORG", "AGENTLOOP_API_KEY", "AGENTLOOP_MODEL", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN",
		"DB_PASSWORD", "GIT_DIR", "GIT_INDEX_FILE", "LD_PRELOAD", "BASH_ENV", "BASH_FUNC_ls%%", "ENV", "NODE_OPTIONS", "PYTHONSTARTUP", "PERL5OPT", "RUBYOPT",
		"SSH_AUTH_SOCK", "SOMETHING_UNKNOWN", "npm_config_authToken", "HTTPS_PROXY",
	} {
		ours = append(ours, name+"="+canary)
	}
	asked := []string{"MINE", "MY_TOKEN", "OPENAI_API_KEY", "GIT_DIR", "LD_PRELOAD", "PATH"}
	got := environment(ours, tree, asked)
	slices.Sort(got)
	want := []string{
		"CI=1", "GOCACHE=/c", "GOFLAGS=-mod=mod", "HOME=/home/a", "LANG=C.UTF-8", "LC_ALL=C", "MINE=yes",
		"PATH=/usr/bin" + string(os.PathListSeparator) + "/bin", "PWD=" + tree, "TERM=dumb",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if strings.Contains(strings.Join(got, " "), canary) {
		t.Error("a secret came through")
	}
}

func TestForbiddenNames(t *testing.T) {
	for _, name := range []string{"X_API_KEY", "x_api_key", "apiToken", "PGPASSWORD", "CLIENT_SECRET", "GIT_SSH_COMMAND", "openai_base_url", "LD_PRELOAD", "BASH_ENV", "PATH"} {
		if !Forbidden(name) {
			t.Errorf("%s may be handed on", name)
		}
	}
	for _, name := range []string{"DATABASE_URL", "PYTHONPATH", "NODE_ENV", "LD_LIBRARY_PATH", "HTTPS_PROXY"} {
		if Forbidden(name) {
			t.Errorf("%s may not be handed on", name)
		}
	}
}
