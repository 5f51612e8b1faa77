package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// allowed lists the variables that a check sees without being named: what a
// shell needs, and where language tools keep their programs and caches.
func allowed() []string {
	return []string{
		"HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR",
		"GOPATH", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY", "GONOPROXY", "GOPRIVATE", "GOSUMDB", "GONOSUMDB", "GONOSUMCHECK",
		"GOTOOLCHAIN", "GOROOT", "GOBIN", "GOOS", "GOARCH", "GOEXPERIMENT", "GOMAXPROCS", "GOWORK", "GOENV", "CGO_ENABLED",
		"CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_TARGET_DIR",
		"JAVA_HOME", "GRADLE_USER_HOME", "MAVEN_HOME", "M2_HOME", "ANDROID_HOME", "DOTNET_ROOT",
		"NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "NPM_CONFIG_CACHE", "YARN_CACHE_FOLDER",
		"PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "PIP_CACHE_DIR", "UV_CACHE_DIR", "POETRY_CACHE_DIR",
		"GEM_HOME", "GEM_PATH", "RBENV_ROOT", "COMPOSER_HOME", "HEX_HOME", "MIX_HOME",
		"XDG_CACHE_HOME", "XDG_DATA_HOME", "CC", "CXX", "PKG_CONFIG_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR",
		// What a process on Windows does not start without.
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME",
		"HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)",
		"COMMONPROGRAMFILES", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
	}
}

// Forbidden reports whether no check may see the variable, even if the user
// names it: it holds a secret by its name, belongs to agentloop or git, or
// makes a shell, a loader or a language run code that nobody asked for.
func Forbidden(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, prefix := range []string{"OPENAI", "AGENTLOOP", "GIT_", "BASH_", "SSH_", "GPG_", "DBUS_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{
		"ENV", "SHELLOPTS", "BASHOPTS", "IFS", "CDPATH", "PS4", "PROMPT_COMMAND", "ZDOTDIR",
		"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES",
		"NODE_OPTIONS", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONBREAKPOINT", "PERL5OPT", "PERL5DB", "RUBYOPT",
		"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "LESSOPEN", "LESSCLOSE",
		"PATH", "PWD", "TERM", "CI", // made here, never handed on
	}, name)
}

// environment makes a check's environment out of ours: by allow-list, so that
// whatever nobody thought of stays out.
func environment(ours []string, dir string, extra []string) []string {
	names := append(allowed(), extra...)
	env := make([]string, 0, 32)
	for _, entry := range ours {
		name, value, _ := strings.Cut(entry, "=")
		switch upper := strings.ToUpper(name); {
		case upper == "PATH":
			env = append(env, "PATH="+searchPath(value, dir))
		case Forbidden(name), name == "":
		case strings.HasPrefix(name, "LC_"), slices.Contains(names, name), isWindows && slices.Contains(names, upper):
			env = append(env, entry)
		}
	}
	return append(env, "TERM=dumb", "CI=1", "PWD="+dir)
}

// searchPath drops what could find a program inside the tree: relative entries
// and entries under dir, also when a link leads there.
func searchPath(path, dir string) string {
	var kept []string
	for _, entry := range filepath.SplitList(path) {
		if filepath.IsAbs(entry) && !within(entry, dir) {
			kept = append(kept, entry)
		}
	}
	return strings.Join(kept, string(os.PathListSeparator))
}

// within reports whether path is dir or lies under it, as written or resolved.
func within(path, dir string) bool {
	return under(path, dir) || under(resolved(path), resolved(dir))
}

func under(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
