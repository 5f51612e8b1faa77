package syntax

import (
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// language is a name for people and a parser; its Problem needs no Language.
type language struct {
	name    string
	parse   func(text string) *Problem
	bounded bool // the parser itself bounds how deep a text leads it
}

// languageOf tells a file's language by its path (relative, with slashes).
func languageOf(file string) (language, bool) {
	if strings.Contains(file, "{{") { // a template's folder: its files are templates, too
		return language{}, false
	}
	switch strings.ToLower(path.Ext(file)) {
	case ".go":
		return language{"Go", parseGo, true}, true
	case ".py", ".pyi", ".pyw":
		return language{"Python", parsePython, true}, true
	case ".js", ".mjs", ".cjs", ".jsx":
		return language{"JavaScript", script(api.LoaderJSX), false}, true
	case ".ts", ".mts", ".cts":
		return language{"TypeScript", script(api.LoaderTS), false}, true
	case ".tsx":
		return language{"TypeScript", script(api.LoaderTSX), false}, true
	case ".css":
		return language{"CSS", parseCSS, false}, true
	case ".json":
		return language{"JSON", parseJSON, true}, !commented(file)
	case ".yaml", ".yml":
		return language{"YAML", parseYAML, true}, true
	case ".toml":
		return language{"TOML", parseTOML, false}, true
	case ".xml", ".xsd", ".xsl", ".xslt", ".svg", ".plist", ".csproj":
		return language{"XML", parseXML, true}, true
	case ".sh", ".bash":
		return language{"shell", parseShell, false}, true
	}
	return language{}, false
}

// commented reports whether a .json file's readers allow comments in it.
func commented(file string) bool {
	dir, name := path.Split(strings.ToLower(file))
	if strings.Contains("/"+dir, "/.vscode/") || strings.Contains("/"+dir, "/.devcontainer/") {
		return true
	}
	for _, of := range []string{"tsconfig", "jsconfig", "devcontainer", ".eslintrc", ".devcontainer", "angular", "api-extractor", "renovate"} {
		if strings.HasPrefix(name, of) {
			return true
		}
	}
	return false
}
