"""ONNX models in ONNX's own text with very much of one thing."""

from __future__ import annotations

from collections.abc import Callable

from tests.hostile.family import Family, each

FAMILIES: dict[str, Family] = {}


def _onnx(nodes: str, rest: str = "", header: str = "", inputs: str = "float[2] y0", tail: str = "") -> str:
    imports = f'<ir_version: 9, opset_import: ["" : 17]{header}>'
    return f"{imports}\ng ({inputs}) => (float[2] out) {rest} {{\n{nodes}   out = Relu (y0)\n}}\n{tail}"


def _add_nodes(name: str, node: str, size: int = 2000) -> None:
    FAMILIES[f"onnx {name}"] = Family("onnx", lambda n: _onnx(each(n, f"   {node}\n")), size)


def _add_onnx(name: str, text: Callable[[int], str], size: int = 2000) -> None:
    FAMILIES[f"onnx {name}"] = Family("onnx", text, size)


_BODY = "(b) <then_branch = t () => (float[2] a#) { a# = Relu (y0) }, else_branch = e () => (float[2] b#) { b# = Abs (z#) }>"
_add_nodes("a chain", "y# = Relu (y@)")
_add_nodes("nodes upside down", "y@ = Relu (y#)", 1000)
_add_nodes("outputs of one name", "y = Relu (y0)")
_add_nodes("nodes of one name", "[n] y# = Relu (y@)")
_add_nodes("unknown operators", "y# = Reluu# (y@)", 300)
_add_nodes("unknown domains", "y# = own#.Relu (y@)", 300)
_add_nodes("names that are not there", "y# = Relu (q#)", 1000)
_add_nodes("one missing name", "y# = Add (y0, missing)", 1000)
_add_nodes("misspelt names", "value_# = Relu (valu_@)", 1000)
_add_nodes("unknown attributes", "y# = LeakyRelu <a# = 1> (y@)", 500)
_add_nodes("odd attributes", 'y# = LeakyRelu <alpha = "a"> (y@)', 1000)
_add_nodes("nodes that cannot be read", "y# = Relu (y@")
_add_nodes("lines that are none", "= ) y#")
_add_nodes("bodies", f"y# = If {_BODY}", 900)
_add_onnx("inputs of one node", lambda n: _onnx(f"   c = Concat <axis = 0> ({each(n, 'q#, ')}y0)\n"))
_add_onnx("inputs that are left out", lambda n: _onnx(f"   c = Concat <axis = 0> ({', ' * n}y0)\n"), 5000)
_add_onnx("outputs of one node", lambda n: _onnx(f"   {each(n, 's#, ')}t = Split <axis = 0> (y0)\n"))
_add_onnx("attributes of one node", lambda n: _onnx(f"   c = Relu <{each(n, 'a# = 1', ', ')}> (y0)\n"), 1000)
_add_onnx("one attribute many times", lambda n: _onnx(f"   c = Relu <{'a = 1, ' * n}b = 1> (y0)\n"), 1000)
_add_onnx("a long list", lambda n: _onnx(f"   c = Relu <a = [{'1, ' * n}1]> (y0)\n"), 10000)
_add_onnx("a long tensor", lambda n: _onnx("", f"<float[{n}] w = {{{'1,' * (n - 1)}1}}>"), 10000)
_add_onnx("a long shape", lambda n: _onnx("", inputs=f"float[{'1,' * n}2] y0"), 5000)
_add_onnx("initializers", lambda n: _onnx("", f"<{each(n, 'float w# = {1}', ', ')}>"))
_add_onnx("initializers of one name", lambda n: _onnx("", f"<{', '.join(['float w = {1}'] * n)}>"))
_add_onnx("sizes", lambda n: _onnx("", f"<float[{'9999999999,' * n}2] w = {{...}}>"), 5000)
_add_onnx("declared types", lambda n: _onnx("", f"<{each(n, 'int8 y0', ', ')}>"))
_add_onnx(
    "imports", lambda n: _onnx("", header=f", opset_import: [{each(n, chr(34) + 'd#' + chr(34) + ' : 1', ', ')}]")
)
_add_onnx(
    "metadata", lambda n: _onnx("", header=f", metadata_props: [{', '.join(['~a~: ~b~'.replace('~', chr(34))] * n)}]")
)
_add_onnx(
    "functions",
    lambda n: _onnx("", tail=each(n, '<domain: "o", opset_import: ["" : 17]> f# (a) => (b) { b = o.f@ (a) }\n')),
    500,
)
_add_onnx(
    "functions that are called otherwise",
    lambda n: _onnx(
        each(n, "   y# = o.call# (y@)\n"),
        tail=each(n, '<domain: "o", opset_import: ["" : 17]> cal# (a) => (b) { b = Relu (a) }\n'),
    ),
    1000,
)
_add_onnx("a long name", lambda n: _onnx(f"   c = Relu ({'x' * n})\n"), 200000)
_add_onnx("a long number", lambda n: _onnx(f"   c = Relu <a = {'9' * n}> (y0)\n"), 100000)
_add_onnx("blanks", lambda n: _onnx(" " * n), 200000)
_add_onnx("comments", lambda n: _onnx("# x\n" * n), 50000)
_add_onnx("quotes", lambda n: _onnx('"' * (2 * n + 1)), 2000)
_add_onnx("angles", lambda n: _onnx("<" * n), 20000)
_add_onnx("nested types", lambda n: _onnx("", inputs="seq(" * n), 20000)
_add_onnx("nested bodies", lambda n: _onnx("y = If <a = g () => () {" * n), 2000)
_add_onnx("nodes on a line", lambda n: _onnx("   " + each(n, "y# = Relu (y@) ") + "\n"))
_add_onnx("nodes on a line with a slip in each", lambda n: _onnx("   " + each(n, "y# = Relu y@) ") + "\n"))
_add_onnx("a string that does not end", lambda n: _onnx('   c = Relu <a = "' + "x" * n), 100000)
_add_onnx("strings that do not end", lambda n: _onnx('   c = Relu <a = "x\n' * n), 2000)
_add_onnx("an unknown shape", lambda n: _onnx("", inputs=f"float[{'?,' * n}2] y0"), 5000)
_add_onnx("a shape of symbols", lambda n: _onnx("", inputs=f"float[{each(n, 'n#,')}2] y0"), 5000)
_add_onnx("outputs of the graph", lambda n: _onnx("").replace("(float[2] out)", f"({each(n, 'float[2] o#', ', ')})"))
_add_onnx("inputs of the graph", lambda n: _onnx("", inputs=each(n, "float[2] y#", ", ")))
_add_onnx(
    "strings of an attribute",
    lambda n: _onnx(f"   c = Relu <a = [{chr(34) * 2 + ', '}1]> (y0)\n".replace("1]", '"", ' * n + '""]')),
)
