package guard

import (
	"strings"
	"unicode"
)

// kind says how closed a name is.
type kind int

const (
	open   kind = iota
	config      // runs code or steers agents: not to be changed, may be shown
	secret      // neither changed nor shown
	never       // as secret, and no Allow opens it
)

// protection gives the strictest kind of any name in path, and why.
func protection(path string) (kind, string) {
	worst, parent, why := open, "", ""
	for name := range strings.SplitSeq(path, "/") {
		name = fold(name)
		if k := nameKind(parent, name); k > worst {
			worst, why = k, k.why(name)
		}
		parent = name
	}
	return worst, why
}

func (k kind) why(name string) string {
	switch {
	case k == never:
		return "is git's own (" + name + ")"
	case strings.Contains(name, "~"):
		return "is protected: " + name + " is a short name that may stand for another file"
	case k == secret:
		return "is protected: " + name + " may hold secrets"
	}
	return "is protected: " + name + " runs code or steers tools"
}

// nameKind judges one folded name below the folded name parent, at any depth.
func nameKind(parent, name string) kind {
	if k := shortName(name); k != open {
		return k
	}
	if name == ".git" {
		return never
	}
	if isSecret(name) {
		return secret
	}
	if isConfig(name) || parent == ".github" && steersGitHub(name) {
		return config
	}
	return open
}

// isSecret covers keys, passwords and environments (seed 3, section 5).
func isSecret(name string) bool {
	if strings.HasPrefix(name, ".env") {
		return true
	}
	switch name {
	case ".npmrc", ".pypirc", ".netrc", "_netrc", ".pgpass", ".htpasswd", ".git-credentials",
		".ssh", ".aws", ".gnupg", ".kube",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519":
		return true
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	switch name[dot:] {
	case ".pem", ".key", ".p12", ".pfx", ".ppk", ".jks", ".keystore", ".kdbx":
		return true
	}
	return false
}

// isConfig covers what runs by itself (CI, hooks, editors) and what steers
// agents: changed by a model, it would act later, outside any sandbox.
func isConfig(name string) bool {
	switch name {
	case ".gitattributes", ".gitmodules", ".gitconfig", ".lfsconfig",
		".gitlab-ci.yml", ".circleci", ".travis.yml", ".drone.yml", ".woodpecker", ".woodpecker.yml",
		".buildkite", ".forgejo", ".gitea", "jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml",
		"appveyor.yml", ".appveyor.yml",
		".husky", ".githooks", ".pre-commit-config.yaml", ".pre-commit-hooks.yaml", "lefthook.yml", ".lefthook.yml",
		".vscode", ".idea", ".vs", ".zed", ".fleet", ".devcontainer", ".devcontainer.json",
		".exrc", ".nvim.lua", ".dir-locals.el",
		".cursor", ".cursorrules", ".windsurf", ".windsurfrules", ".clinerules", ".roo", ".roomodes",
		".claude", ".codex", ".gemini", ".agent", ".agents", ".opencode", ".continue", ".kiro", ".junie",
		".aider.conf.yml", ".mcp.json",
		"agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md",
		"agentloop.toml", ".agentloop":
		return true
	}
	return false
}

func steersGitHub(name string) bool {
	switch name {
	case "workflows", "actions", "hooks", "agents", "instructions", "prompts", "copilot-instructions.md":
		return true
	}
	return false
}

// shortName judges names such as GITHUB~1, by which FAT and NTFS also find a
// file with a longer name: every one is closed, since it may stand for any
// protected name. GIT~1 and the hashed GI7EBA~1 stand for git's own.
func shortName(name string) kind {
	stem, ext, _ := strings.Cut(name, ".")
	tilde := strings.LastIndexByte(stem, '~')
	if tilde < 1 || tilde == len(stem)-1 || len(stem) > 8 || len(ext) > 3 ||
		strings.Trim(stem[tilde+1:], "0123456789") != "" {
		return open
	}
	stem = stem[:tilde]
	hashed := len(stem) == 6 && strings.HasPrefix(stem, "gi") && strings.Trim(stem[2:], "0123456789abcdef") == ""
	if stem == "git" || hashed {
		return never
	}
	return secret
}

// fold brings a name to the form that the most forgiving file system would
// compare: letters by Unicode simple folding, characters that HFS+ and others
// ignore left out, and what NTFS cuts off (a stream, trailing dots and spaces)
// cut off.
func fold(name string) string {
	if i := strings.IndexByte(name, ':'); i >= 0 {
		name = name[:i]
	}
	name = strings.TrimRight(name, ". ")
	for i := range len(name) {
		if c := name[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return strings.TrimRight(strings.Map(foldRune, name), ". ")
		}
	}
	return name
}

func foldRune(r rune) rune {
	switch {
	case r < 0x80:
		return unicode.ToLower(r)
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
		return -1
	}
	low := r
	for s := unicode.SimpleFold(r); s != r; s = unicode.SimpleFold(s) {
		if s < 0x80 {
			return unicode.ToLower(s) // U+017F is an s, U+212A a k
		}
		low = min(low, s)
	}
	return low
}
