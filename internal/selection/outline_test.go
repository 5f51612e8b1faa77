package selection_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/agentloop/agentloop/internal/selection"
)

// outlined writes symbols as "lines kind name: signature".
func outlined(symbols []selection.Symbol) string {
	var b strings.Builder
	for _, s := range symbols {
		fmt.Fprintf(&b, "%d-%d %s %s: %s\n", s.Line, s.End, s.Kind, s.Name, s.Signature)
	}
	return b.String()
}

func TestOutline(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"Go", "a.go", `package a

import "io"

const Most = 3

var (
	first, _ = 1, 2
)

// Tree holds things.
type Tree[K comparable] struct {
	Root K
}

type Reader interface{ Read() }
type Name = string

func New(
	r io.Reader, // where from
	n int,
) (*Tree[int], error) {
	return nil, nil
}

func (t *Tree[K]) Walk(do func(K) bool) { func() {}() }
`, `5-5 const Most: const Most
8-8 var first: var first
12-14 struct Tree: type Tree[K comparable] struct
16-16 interface Reader: type Reader interface
17-17 type Name: type Name = string
19-24 func New: func New(r io.Reader, n int) (*Tree[int], error)
26-26 method Walk: func (t *Tree[K]) Walk(do func(K) bool)
`},
		{"Go that does not parse", "a.go", "package a\n\nfunc One(a int) error {\n\tif a == '{' { x := `}`\n\t}\n}\n\ntype T struct {\n\tn int\n}\n\nfunc (t T) Two() {\n\treturn (\n}\n", `3-6 func One: func One(a int) error
8-10 struct T: type T struct
12-14 method Two: func (t T) Two()
`},
		{"Python", "a.py", `"""A module.

def not_this(): pass
"""
import os

LIMIT = 3

@decorated(
    1)
class Tree(Base, metaclass=Meta):
    """def nor_this"""

    def __init__(
        self,
        root: dict[str, int],  # a comment: with a colon
        *, deep=":)", *rest="x"
    ) -> None:
        def inner():
            pass
        self.root = root

    @property
    async def walk(self): return [x for x in (1,

        2)]
    class Inner:
        def too_deep(self): pass

if os.name == "nt":
    def remove(path): pass
else:
    def remove(path):
        pass
# the end
`, `11-28 class Tree: class Tree(Base, metaclass=Meta)
14-21 method __init__: def __init__(self, root: dict[str, int], *, deep="…", *rest="x") -> None
24-26 method walk: async def walk(self)
27-28 class Inner: class Inner
31-31 func remove: def remove(path)
33-34 func remove: def remove(path)
`},
		{"TypeScript", "a.tsx", "#!/usr/bin/env node\nimport x, { y } from './x'\n" + `// function no() {}
export default function App({a, b}: Props): JSX.Element {
  const inner = () => { return <p>{a}</p> }
  return <p>Don't</p>
}
export const add = async (a: number, b = {x: 1}) => a + b
const half = n => n / 2
const plain = 3
export const Limits: Record<string, number> = {
  a: 1,
}
@Component({selector: 'x'})
export abstract class Tree<T> extends Base implements I {
  private root = 1
  count = 0
  constructor(private readonly x: number) {
    super()
    if (x) { this.y() }
  }
  static async *walk(): AsyncGenerator<T> {
    const re = /[/{"]` + "`" + `/g
    return ` + "`}${this.x ? `{` : '}'}`" + `
  }
  get size() { return 1 }
  handle = (e: Event) => {
    this.x(e)
  }
  abstract none(): void
}
interface Shape { area(): number }
export type Kind = 'a' | 'b'
declare enum Color { Red }
module.exports.late = function (a) {
}
describe('x', () => {
  function hidden() {}
})
function* gen() {}
`, `4-7 func App: export default function App({…}: Props): JSX.Element
8-8 func add: export const add = async (a: number, b = {…}) =>
9-9 func half: const half = n =>
11-13 const Limits: export const Limits: Record<string, number>
15-31 class Tree: export abstract class Tree<T> extends Base implements I
18-21 method constructor: constructor(private readonly x: number)
22-25 method walk: static async *walk(): AsyncGenerator<T>
26-26 method size: get size()
27-29 method handle: handle = (e: Event) =>
30-30 method none: abstract none(): void
32-32 interface Shape: interface Shape
33-33 type Kind: export type Kind = 'a' | 'b'
34-34 enum Color: declare enum Color
35-36 func late: module.exports.late = function (a)
40-40 func gen: function* gen()
`},
		{"Java", "A.java", `package a;
import java.util.*;

/** class No { */
@Entity(name = "t(")
public final class Tree<K extends Comparable<K>> extends Base {
    private static final int MAX = max(1, 2);
    private final Map<String, List<K>> roots = new HashMap<>();
    static { register(); }

    public Tree(int size) {
        super(size);
    }

    @Override
    public <T> Map<String, T> walk(
            Function<K, T> f,
            char c) throws IOException {
        Runnable r = () -> { run('}'); };
        return null;
    }

    abstract int size();
    enum Color { RED(1), GREEN(2); int n; Color(int n) { this.n = n; } }
}
interface Shape { double area(); }
public @interface Mark { String value() default ""; }
record Point(int x, int y) { Point { check(x); } }
`, `5-25 class Tree: public final class Tree<K extends Comparable<K>> extends Base
11-13 method Tree: public Tree(int size)
15-21 method walk: public <T> Map<String, T> walk( Function<K, T> f, char c) throws IOException
23-23 method size: abstract int size()
24-24 enum Color: enum Color
24-24 method Color: Color(int n)
26-26 interface Shape: interface Shape
26-26 method area: double area()
27-27 interface Mark: public @interface Mark
27-27 method value: String value() default ""
28-28 record Point: record Point(int x, int y)
28-28 method Point: Point
`},
		{"Rust", "a.rs", `//! docs
use std::io;

#[derive(Debug)]
pub struct Tree<'a, T: 'a> { root: &'a T }
pub(crate) struct Unit;
struct Pair(i32, [u8; 3]);
enum Kind { A { x: i32 }, B }
pub const MAX: usize = 3;
static mut COUNT: [u8; 2] = [1; 2];
type Result<T> = std::result::Result<T, Error>;

impl<'a, T> Walk for Tree<'a, T>
where
    T: Clone,
{
    #[inline]
    pub async fn walk(&self, f: impl Fn(&T) -> bool) -> Option<&T> {
        let c = '{'; let s = "multi
 } line"; let r = r#"{""#;
        None
    }
    const fn size() -> usize { 1 }
}
pub trait Walk { fn walk(&self); }
mod inner { pub unsafe extern "C" fn deep() {} }
extern "C" { fn puts(s: *const u8) -> i32; }
macro_rules! say { ($x:expr) => { {} } }
`, `4-5 struct Tree: pub struct Tree<'a, T: 'a>
6-6 struct Unit: pub(crate) struct Unit
7-7 struct Pair: struct Pair(i32, [u8; 3])
8-8 enum Kind: enum Kind
9-9 const MAX: pub const MAX: usize
10-10 const COUNT: static mut COUNT: [u8; 2]
11-11 type Result: type Result<T> = std::result::Result<T, Error>
13-24 impl Tree: impl<'a, T> Walk for Tree<'a, T> where T: Clone,
17-22 method walk: pub async fn walk(&self, f: impl Fn(&T) -> bool) -> Option<&T>
23-23 method size: const fn size() -> usize
25-25 trait Walk: pub trait Walk
25-25 method walk: fn walk(&self)
26-26 mod inner: mod inner
26-26 func deep: pub unsafe extern "C" fn deep()
27-27 func puts: fn puts(s: *const u8) -> i32
28-28 macro say: macro_rules! say
`},
		{"C", "a.c", `#include <stdio.h>
#define MAX 3
#define min(a, b) \
	((a) < (b) ? (a) : (b))

typedef struct node {
	struct node *next;
} Node;
typedef int (*compare)(const void *, const void *); typedef API (CALL call)(int);
struct list;
struct __attribute__((packed)) list { int n; int (*open)(int); };
enum color { RED, GREEN };
static struct list all[] = { { 1 }, { 2 } };
EXPORT_SYMBOL(first)
static inline const char *
name_of(const struct list *l, char c)
{
#ifdef X
	if (l) {
#else
	if (c == '"') {
#endif
		return "{";
	}
	return 0;
}
int proto(int a);
struct list *make (void) { return 0; }
`, `3-4 macro min: #define min(a, b)
6-8 type Node: typedef struct node {…} Node
9-9 type compare: typedef int (*compare)(const void *, const void *)
9-9 type call: typedef API (CALL call)(int)
11-11 struct list: struct __attribute__((packed)) list
12-12 enum color: enum color
14-26 func name_of: EXPORT_SYMBOL(first) static inline const char * name_of(const struct list *l, char c)
28-28 func make: struct list *make (void)
`},
		{"C++", "a.hpp", `#pragma once
namespace a::b {
template <typename T, typename = void>
class Tree final : public Base<T> {
public:
	explicit Tree(int n = 3) : n_(n), m_{n} { }
	virtual ~Tree() = default;
	virtual int walk(const T& t) const = 0;
	bool operator==(const Tree& o) const;
private:
	int n_ = 1'000;
};
template <class T> int Tree<T>::walk(const T& t) const { return n_; }
enum class Color : int { Red };
using Names = std::vector<std::string>;
int free_one(int a, const char* s = R"x({")x");
}  // namespace
extern "C" {
void plain(void);
}
`, `3-12 class Tree: class Tree final : public Base<T>
6-6 method Tree: explicit Tree(int n = 3)
7-7 method Tree: virtual ~Tree() = default
8-8 method walk: virtual int walk(const T& t) const
9-9 method operator==: bool operator==(const Tree& o) const
13-13 func walk: int Tree<T>::walk(const T& t) const
14-14 enum Color: enum class Color : int
15-15 type Names: using Names = std::vector<std::string>
16-16 func free_one: int free_one(int a, const char* s = "…")
19-19 func plain: void plain(void)
`},
		{"C#", "A.cs", `using System;
namespace A.B;

[Serializable]
public sealed class Tree<T> : Base, IWalk where T : class
{
    private int n = Max(1, 2);
    public int Size { get; set; } = 3;
    public bool Empty => n == 0;
    public string Path = @"c:\";
    [Obsolete("no (")]
    public async Task<List<T>> Walk<K>(Func<T, K> f, string s = "x") where K : new()
    {
        if (n > 0) { Console.WriteLine($"{n}"); }
    }
    public override string ToString() => "t";
    public Tree(int n) : base(n) { }
}
public record struct Point(int X, int Y);
delegate void Done(int a);
public enum Color { Red }
`, `4-18 class Tree: public sealed class Tree<T> : Base, IWalk where T : class
8-8 property Size: public int Size
9-9 property Empty: public bool Empty
11-15 method Walk: public async Task<List<T>> Walk<K>(Func<T, K> f, string s = "x") where K : new()
16-16 method ToString: public override string ToString()
17-17 method Tree: public Tree(int n) : base(n)
19-19 struct Point: public record struct Point(int X, int Y)
20-20 type Done: delegate void Done(int a)
21-21 enum Color: public enum Color
`},
		{"Ruby", "a.rb", `module Trees
  class Tree < Base
    def self.make(n); new(n) end
    def walk(a, b = 1)
      if a
        1
      end
    end
    private def hidden?
    end
  end
end
`, `1-12 mod Trees: module Trees
2-11 class Tree: class Tree < Base
3-0 method make: def self.make(n)
4-8 method walk: def walk(a, b = 1)
9-10 method hidden?: private def hidden?
`},
		{"shell", "bin/run", "#!/bin/sh\nset -e\nsay() { echo; }\nfunction walk {\n\tif x; then\n\t\tfoo ()\n\tfi\n}\nnot_this a (b)\n", `3-3 func say: say()
4-8 func walk: walk()
6-0 func foo: foo()
`},
		{"Markdown", "a.md", "# Title\ntext\n\n```sh\n# no\n```\n## Part ##\n#hash\n\nOld way\n-------\n- a\n---\n", `1-6 heading Title: # Title
7-9 heading Part: ## Part ##
10-13 heading Old way: ## Old way
`},
		{"a language that is not known", "a.xyz", "func a() {}\n", ""},
		{"a file without an extension", "LICENSE", "func a() {}\n", ""},
		{"nothing", "a.go", "", ""},
	} {
		if diff := cmp.Diff(c.want, outlined(selection.Outline(c.path, c.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// kinds of file, one of each reader.
var languages = []string{".go", ".py", ".ts", ".java", ".rs", ".c", ".hpp", ".cs", ".rb", ".sh", ".md"}

// TestOutlineIsLinear gives readers what they look back or ahead in: doubling it
// must not take much more than twice the time.
func TestOutlineIsLinear(t *testing.T) {
	for _, ext := range languages {
		for _, part := range []string{"(", "{", "/[", "'\\'", "\"", "`${", "a(", "f(a) ", "<", "#if\n{", "/*", "r#", "R\"(", "class A {", "#define a(\\\n", "def a(", "@a(", " \t", "a\n"} {
			began := time.Now()
			selection.Outline("x"+ext, strings.Repeat(part, (256<<10)/len(part)))
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("%s: 256 KiB of %q take %v", ext, part, took)
			}
		}
	}
}

func TestOutlineIsBounded(t *testing.T) {
	symbols := selection.Outline("a.py", strings.Repeat("def "+strings.Repeat("ä", 150)+"(): pass\n", 12_000))
	if len(symbols) != 10_000 {
		t.Errorf("%d symbols", len(symbols))
	}
	for _, s := range symbols {
		if len(s.Signature) > 200 || len(s.Name) > 200 || !utf8.ValidString(s.Signature) {
			t.Fatalf("%d bytes: %q", len(s.Signature), s.Signature)
		}
	}
}

func FuzzOutline(f *testing.F) {
	for i := range languages {
		f.Add(uint8(i), "class A { void f(int a) { g('}'); } }\n#define x(a) \\\n a\nfunc (t T) b() {}\ndef c(\n  a): '''\n")
	}
	f.Add(uint8(10), "#### # #\n0\n0")
	f.Fuzz(func(t *testing.T, language uint8, text string) {
		path := "x" + languages[int(language)%len(languages)]
		lines := strings.Count(text, "\n") + 1
		for _, s := range selection.Outline(path, text) {
			if s.Name == "" || s.Kind == "" || s.Line < 1 || s.Line > lines || s.End != 0 && s.End < s.Line || s.End > lines ||
				len(s.Signature) > 200 || strings.Contains(s.Signature, "\n") {
				t.Errorf("%s: %+v of %d lines", path, s, lines)
			}
		}
	})
}
