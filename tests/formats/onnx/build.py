"""Small models: textual ONNX, binaries of it, and protobuf by hand."""

from __future__ import annotations

from pathlib import Path

from irlint import engine
from irlint.findings import Finding
from irlint.formats.onnx.text.document import OnnxDocument, read_binary, read_text
from irlint.formats.onnx.wire import MESSAGES, MODEL
from irlint.formats.onnx.wire.writer import number, whole
from irlint.text.prototext.messages import Tree

HEADER = '<\n   ir_version: 9,\n   opset_import: ["" : 17]\n>\n'
TINY = f"""{HEADER}g (
   float[2,4] x
) => (
   float[2,3] y
) <
   float[4,3] w = {{1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0,12.0}},
   float[2,3] m
> {{
   [mm] m = MatMul (x, w)
   y = LeakyRelu <alpha: float = 0.1> (m)
}}
"""
BRANCHES = f"""{HEADER}g (
   bool c,
   float[2] x
) => (
   float[2] y
) {{
   y = If <
      then_branch: graph = t () => (float[2] a) {{
         a = Relu (x)
      }},
      else_branch: graph = e () => (float[2] b) <
         float[2] k = {{1.0,2.0}}
      > {{
         b = Add (x, k)
      }}
   > (c)
}}
"""
FUNCTIONS = """<
   ir_version: 9,
   opset_import: ["" : 17, "own" : 1]
>
g (
   float[2] x
) => (
   float[2] y
) {
   y = own.Scale <by: float = 2.0> (x)
}

<
   domain: "own",
   opset_import: ["" : 17]
>
Scale <by> (a) => (b) {
   f = Constant <value_float: float = @by> ()
   b = Mul (a, f)
}
"""


def graph(
    nodes: str, inputs: str = "float[2,4] x", outputs: str = "float[] y", rest: str = "", header: str = HEADER
) -> str:
    """Return the text of a model; nodes are indented as the text of a binary is."""
    rows = "\n".join(f"   {line.strip()}" for line in nodes.strip().split("\n"))
    listed = f" <\n   {rest}\n>" if rest else ""
    return f"{header}g (\n   {inputs}\n) => (\n   {outputs}\n){listed} {{\n{rows}\n}}\n"


def tree(text: str) -> Tree:
    document = read_text(text, "a.onnxtxt")
    assert not document.troubles, document.troubles
    return document.tree


def binary(text: str) -> bytes:
    return whole(MODEL, tree(text))


def opened(text: str) -> OnnxDocument:
    """Return the document of a text's binary."""
    return read_binary(binary(text), "a.onnx")


def lint(data: bytes | str, path: Path | None = None) -> engine.Result:
    data = binary(data) if isinstance(data, str) else data
    return engine.lint_bytes(data, path.name if path else "a.onnx", path=path)


def errors(data: bytes | str, path: Path | None = None) -> list[str]:
    return [finding.message for finding in lint(data, path).findings if finding.severity.name == "ERROR"]


def only(data: bytes | str, code: str, path: Path | None = None) -> Finding:
    """Return the one finding of a code."""
    found = [finding for finding in lint(data, path).findings if finding.code == code]
    assert len(found) == 1, lint(data, path).findings
    return found[0]


def shown_at(result: engine.Result, finding: Finding) -> str:
    assert result.document is not None
    return result.document.text[finding.span.start : finding.span.end]


# protobuf by hand


def delimited(field: int, content: bytes) -> bytes:
    return number(field << 3 | 2) + number(len(content)) + content


def integer(field: int, value: int) -> bytes:
    return number(field << 3) + number(value)


def message(kind: str, **fields: object) -> bytes:
    return whole(MESSAGES[kind], fields)
