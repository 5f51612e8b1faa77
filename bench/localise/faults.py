"""Lists the faults that can be seeded into a Python file: read from stdin, named
by the first argument, printed as the JSON of []mutation. Nearly all still compile."""

import ast, io, json, re, sys

SLIPS = {"+": "-", "-": "+", "*": "+", "//": "*", "%": "//", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
         "==": "!=", "!=": "==", "and": "or", "or": "and", "is": "is not", "is not": "is", "in": "not in",
         "not in": "in", "+=": "-=", "-=": "+=", "|": "&", "&": "|"}

data = sys.stdin.buffer.read()
lines = [0]
for line in data.splitlines(keepends=True):
    lines.append(lines[-1] + len(line))
found = []


def start(n):
    return lines[n.lineno - 1] + n.col_offset


def end(n):
    return lines[n.end_lineno - 1] + n.end_col_offset


def add(kind, a, b, new):
    found.append((kind, a, b, new.encode() if isinstance(new, str) else new))


def between(a, b):
    """The operator that stands between two operands."""
    gap = data[end(a):start(b)]
    op = re.fullmatch(rb"[\s)\\]*(.*?)[\s(\\]*", gap, re.S)
    if op and op[1].decode() in SLIPS:
        add("operator", end(a) + op.start(1), end(a) + op.end(1), SLIPS[op[1].decode()])


def visit(n):
    if isinstance(n, ast.BinOp):
        between(n.left, n.right)
    elif isinstance(n, ast.BoolOp):
        between(*n.values[:2])
    elif isinstance(n, ast.Compare):
        between(n.left, n.comparators[0])
    elif isinstance(n, ast.AugAssign):
        between(n.target, n.value)
    elif isinstance(n, ast.Constant):
        constant(n)
    elif isinstance(n, (ast.If, ast.While)):
        add("condition", start(n.test), end(n.test), b"not (" + data[start(n.test):end(n.test)] + b")")
    elif isinstance(n, ast.Call):
        for a, b in zip(n.args, n.args[1:]):
            x, y = data[start(a):end(a)], data[start(b):end(b)]
            if x != y and not isinstance(a, ast.Starred) and not isinstance(b, ast.Starred):
                add("arguments", start(a), end(b), y + data[end(a):start(b)] + x)
    if isinstance(n, (ast.Expr, ast.Assign, ast.AugAssign, ast.Continue, ast.Break)):
        add("statement", start(n), end(n), "pass")


def constant(n):
    if n.value is True or n.value is False:
        add("constant", start(n), end(n), str(not n.value))
    elif isinstance(n.value, int):
        add("constant", start(n), end(n), str(n.value + 1))
    elif isinstance(n.value, str) and n.value and data[start(n):start(n) + 1] in b"'\"":
        add("constant", start(n), end(n), repr(n.value[:-1]))


def docstring(n):
    return isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) and isinstance(n.value.value, str)


def walk(n):
    for child in ast.iter_child_nodes(n):
        if not docstring(child) and not isinstance(child, ast.JoinedStr):
            visit(child)
            walk(child)


for node in ast.walk(ast.parse(data)):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for child in node.body:
            if not docstring(child):
                visit(child)
                walk(child)

out, seen = [], set()
for kind, a, b, new in found:
    if (kind, a, b, new) in seen:
        continue
    seen.add((kind, a, b, new))
    out.append({"file": sys.argv[1], "line": data[:a].count(b"\n") + 1, "kind": kind, "from": a, "to": b,
                "old": data[a:b].decode(), "new": new.decode()})
json.dump(out, io.TextIOWrapper(sys.stdout.buffer, "utf-8"))
