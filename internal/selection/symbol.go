package selection

// Symbol is what a file declares: at its top level, or one level deep in a
// class, trait, namespace or the like.
type Symbol struct {
	Name      string // without receiver, class or package
	Kind      string // func, method, class, struct, enum, interface, type, const, macro, heading …
	Signature string // one line of source without the body, at most 200 bytes
	Line, End int    // from 1; End 0: unknown
}
