package selection

import "regexp"

// Messages that name a symbol, each with the compiler or runtime it is of. The
// name is the last group that matched.
var messages = []*regexp.Regexp{
	regexp.MustCompile(`undefined: (?:\w+\.)?(\w+)`),                                     // go
	regexp.MustCompile(`has no field or method (\w+)`),                                   // go
	regexp.MustCompile(`missing method (\w+)`),                                           // go
	regexp.MustCompile(`in call to (?:\w+\.)*(\w+)`),                                     // go: not enough arguments
	regexp.MustCompile(`unknown field (\w+)`),                                            // go
	regexp.MustCompile(`name '(\w+)' is not defined`),                                    // python
	regexp.MustCompile(`has no attribute '(\w+)'`),                                       // python
	regexp.MustCompile(`cannot import name '(\w+)'`),                                     // python
	regexp.MustCompile(`(?:^|E\s+)TypeError: (?:\w+\.)*(\w+)\(\)`),                       // python
	regexp.MustCompile(`(?:Cannot find name|Property|has no exported member) '(\w+)'`),   // tsc
	regexp.MustCompile(`ReferenceError: (\w+) is not defined`),                           // node
	regexp.MustCompile(`TypeError: (?:[\w$]+\.)*([\w$]+) is not a (?:function|constr)`),  // node
	regexp.MustCompile(`symbol:\s+(?:method|class|variable) (\w+)`),                      // javac
	regexp.MustCompile("cannot find [\\w ]+ `(\\w+)`"),                                   // rustc
	regexp.MustCompile("no (?:method|function)[\\w ]* named `(\\w+)`"),                   // rustc
	regexp.MustCompile("undefined reference to [`'‘](?:\\w+::)*(\\w+)"),                  // ld
	regexp.MustCompile(`(?:implicit declaration of function|[iI]n function) [‘'](\w+)`),  // gcc
	regexp.MustCompile(`(?:use of undeclared identifier|has no member named) [‘'](\w+)`), // clang, gcc
	regexp.MustCompile(`[‘'](\w+)[’'] (?:was not declared|undeclared)`),                  // gcc
}

// hint finds the words without which no line holds a message; it spares most
// lines the search.
var hint = regexp.MustCompile(`undefined|has no|missing|in call|unknown field|not |cannot|Cannot|Property|TypeError|symbol:|no (?:method|function)|n function|undeclared|implicit`)

// namedSymbols gives the names of symbols that a line's message is about.
func namedSymbols(line string) []string {
	if !hint.MatchString(line) {
		return nil
	}
	var out []string
	for _, re := range messages {
		if m := re.FindStringSubmatch(line); m != nil {
			out = append(out, m[1])
		}
	}
	return out
}
