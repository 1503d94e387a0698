"""Protobuf's text format: the tree that protobuf reads, errors where it gives up, fixes that keep layout and comments."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irlint import api, engine
from irlint.findings import Severity
from irlint.fixes import fix
from irlint.formats.onnx.navigation import OnnxNavigation
from irlint.formats.onnx.text.json_form import read_json
from irlint.formats.onnx.text.printer import shown
from irlint.formats.onnx.text.prototext_form import read_prototext
from irlint.formats.onnx.wire import MODEL, enum_name
from irlint.formats.onnx.wire.reader import Packed
from irlint.settings.ignores import CommentIgnores, ignoring
from irlint.text.base import Place, apply
from irlint.text.prototext.messages import BYTES, MESSAGE, STRING, Message
from tests.formats.onnx.build import BRANCHES, FUNCTIONS, TINY, graph, opened
from tests.formats.onnx.test_candidates import RESTORED, Case
from tests.formats.onnx.test_json import NODES, PLAIN, as_json, filled

VERDICTS = Path(__file__).with_name("prototext.json")


def as_prototext(message: Message, tree: dict[str, Any], indent: str = "") -> Iterator[str]:
    """Yield the lines that protobuf's text_format writes of a message."""
    for name, value in tree.items():
        field = message.fields[name]
        listed = value.numbers() if isinstance(value, Packed) else value if field.many else [value]
        for one in listed:
            if field.kind == MESSAGE:
                assert field.message is not None
                yield f"{indent}{name} {{"
                yield from as_prototext(field.message, one, f"{indent}  ")
                yield f"{indent}}}"
            elif field.kind in (STRING, BYTES):
                data = one.encode() if isinstance(one, str) else bytes(one)
                plain = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:03o}" for c in data)
                yield f'{indent}{name}: "{plain}"'
            else:
                yield f"{indent}{name}: {enum_name(field, one) if field.names is not None else one}"


def spelled(tree: dict[str, Any], on_one_line: bool = False) -> str:
    lines = list(as_prototext(MODEL, tree))
    return f"{' '.join(map(str.strip, lines))}\n" if on_one_line else "\n".join([*lines, ""])


def written(text: str) -> str:
    return spelled(opened(text).tree)


@pytest.mark.parametrize("on_one_line", [False, True])
@pytest.mark.parametrize("text", [TINY, BRANCHES, FUNCTIONS])
def test_the_tree_is_that_of_the_binary(text: str, on_one_line: bool) -> None:
    tree = opened(text).tree
    document = read_prototext(spelled(tree, on_one_line), "a.prototxt")
    assert not document.troubles
    assert document.tree == read_json(json.dumps(as_json(MODEL, tree)), "a.json").tree
    result = engine.lint(document.text, "a.prototxt")
    assert (result.format, result.dialect, result.findings) == ("onnx", "prototext", [])


def plain(value: Any) -> Any:
    """Return a tree as JSON has it."""
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return bytes(value).decode("latin-1") if isinstance(value, (bytes, memoryview)) else value


def test_protobufs_own_verdicts() -> None:
    """What text_format.Parse of protobuf 7.36 makes of texts: a tree, or an error. tests/oracle/onnx_prototext.py asks it."""
    wrong = []
    for text, tree in json.loads(VERDICTS.read_text(encoding="utf-8")):
        document = read_prototext(text, "a.prototxt")
        errors = [trouble for trouble in document.troubles if trouble.level != "warning"]
        if bool(errors) == (tree is not None) or (tree is not None and repr(plain(document.tree)) != repr(tree)):
            wrong.append((text, tree, plain(document.tree), [error.message for error in errors]))
    assert not wrong


@pytest.mark.parametrize(
    ("old", "new", "code", "shown", "message"),
    [
        ('op_type: "MatMul"', 'op_type: "MatMull"', "O001", '"MatMull"', "unknown operator `MatMull`"),
        ("ir_version: 9", 'ir_version: "9"', "T001", '"9"', 'expected an integer of 64 bits for `ir_version`, got `"9"`'),
        ("op_type:", "opType:", "T003", "opType", "unknown field `opType` in Node; did you mean `op_type`?"),
        ("op_type:", "op_type", "S001", "op_type", "missing `:` after `op_type`"),
        ("type: FLOAT\n", "type: FLOATT\n", "T001", "FLOATT", "expected a value such as FLOAT or INT for `type`, got `FLOATT`; did you mean `FLOAT`?"),
        ("graph {", 'ir_version: 8 graph {', "S002", "ir_version", "`ir_version` is set twice"),
        ("dim_value: 2", 'dim_value: 2 dim_param: "n"', "S002", "dim_param", "`dim_param` is set in addition to `dim_value`"),
        ("dims: 4", "dims: 99999999999999999999", "T001", "9" * 20, "expected an integer of 64 bits for `dims`"),
        ('name: "w"', 'name: "w', "S001", '"', 'unterminated string; missing `"`'),
        ('name: "w"', 'name: "\\xff"', "S005", '"\\xff"', "byte 0xFF of `name` is not valid UTF-8"),
        ('name: "w"', 'name: "\udcff"', "S005", "\udcff", "byte 0xFF is not valid UTF-8"),
        ('name: "w"', 'name: "w\\u12"', "S001", "\\u", "invalid escape sequence `\\u`"),
        ('name: "w"', 'name: "w\\UFFFFFFFF"', "S001", "\\UFFFFFFFF", "invalid escape sequence `\\UFFFFFFFF`"),
        ("graph {", "graph {{", "S001", "{", "expected a field or `}`, got `{`"),
        ("  node {\n", "  }\n  node {\n", "S001", "}", "unexpected `}`; `node` after it is a field of the Graph"),
        ("  }\n  node {", "  node {", "S001", "node", "missing `}` before `node`"),
        ("ir_version: 9", "\ufeffir_version: 9", "S006", "\ufeff", "the file starts with a byte order mark"),
    ],
)  # fmt: skip
def test_one_mistake_is_one_finding_at_its_token(old: str, new: str, code: str, shown: str, message: str) -> None:
    text = written(TINY)
    assert old in text
    result = engine.lint(text.replace(old, new, 1), "a.prototxt", as_format="onnx")
    found = [finding for finding in result.findings if finding.severity == Severity.ERROR]
    assert [(one.code, result.lines.text[one.span.start : one.span.end]) for one in found] == [(code, shown)], found
    assert found[0].message.startswith(message)
    if found[0].fix is not None:
        assert engine.lint(apply(result.lines.text, found[0].fix.edits), "a.prototxt").findings == []


def test_a_text_that_ends_early() -> None:
    text = written(TINY)
    result = engine.lint(text[: text.rindex("}")], "a.prototxt", as_format="onnx")
    assert [finding.code for finding in result.findings] == ["S016"]


@pytest.mark.parametrize("on_one_line", [False, True])
@pytest.mark.parametrize("case", RESTORED.values(), ids=RESTORED.keys())
def test_fixes_are_those_of_the_text(case: Case, on_one_line: bool) -> None:
    broken = spelled(filled(case.broken), on_one_line)
    fixed = api.fix(broken, unsafe=True, as_format="onnx")
    document = read_prototext(fixed, "a.prototxt")
    assert shown(document.tree).text == shown(filled(case.goal)).text
    lines = set(broken.splitlines()) if not on_one_line else set()
    assert [line for line in fixed.splitlines() if line not in lines and line != line.rstrip()] == []


@pytest.mark.parametrize("on_one_line", [False, True])
@pytest.mark.parametrize(
    ("broken", "goal"),
    [
        (graph(NODES), PLAIN),
        (PLAIN.replace("   ir_version: 9,\n", ""), PLAIN.replace("9", "8")),
        (PLAIN.replace(',\n   opset_import: ["" : 17]', ""), PLAIN.replace("17", "20")),
        (PLAIN.replace("   b =", "   c = Exp (a)\n   b ="), PLAIN),
        (PLAIN.replace(") {", f") <\n   float[256] w = {{{','.join('1' * 256)}}}\n> {{"), PLAIN),
        (PLAIN.replace("Neg", "ai.onnx.Neg"), PLAIN),
        (PLAIN.replace("Neg (b)", "Neg <axis: int = 1> (b)"), PLAIN),
    ],
)
def test_fixes_of_whole_items(broken: str, goal: str, on_one_line: bool) -> None:
    fixed = api.fix(spelled(opened(broken).tree, on_one_line), unsafe=True, as_format="onnx")
    document = read_prototext(fixed, "a.prototxt")
    assert not document.troubles
    assert shown(document.tree).text == goal
    assert ("\n" in fixed.strip()) != on_one_line


COMMENTED = """# by hand
ir_version: 9  # the format
opset_import { version: 17 }
graph <
  node: [{  # slope
    input: 'x', output: "y" op_type: "LeakyRelu"; attribute { name: "alhpa", f: .5f type: 1 }
  }]
  name: "g" # last
  input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 0x2 } } } } }
  output { name: "y" type { tensor_type { elem_type: 1 shape { dim { dim_value: 2 } } } } }
>
"""


def test_fixes_keep_comments_and_layout() -> None:
    made = fix(COMMENTED, lambda text: engine.lint(text, "a.prototxt").findings, unsafe=True)
    assert made.text == COMMENTED.replace("alhpa", "alpha")
    assert made.findings == []


def test_lists_in_brackets_are_edited() -> None:
    head, tail = COMMENTED.split("attribute { ", 1)
    text = f'{head}attribute {{ name: "axes" type: INTS ints: [1, 2,  # two\n 3] }} attribute {{ {tail}'
    document = read_prototext(text, "a.prototxt")
    path = ("graph", "node", 0, "attribute", 0, "ints")
    for edits, spelling in (
        (document.removed((*path, 1)), "[1, 3]"),
        (document.inserted((*path, 1), 7), "[1, 7, 2,  # two\n 3]"),
        (document.changed(path, [1, 2, 3, 4]), "[1, 2,  # two\n 3, 4]"),
        (document.write(Place((*path[:-1], "value", 0)), -1), "[-1, 2,  # two\n 3]"),
    ):
        assert apply(text, edits) == text.replace("[1, 2,  # two\n 3]", spelling)
    assert apply(text, document.removed(path)) == text.replace(" ints: [1, 2,  # two\n 3]", "")


def test_suppressions_are_comments() -> None:
    text = written(graph("y = Reluu (x)", outputs="float[2,4] y"))
    result = engine.lint(text, "a.prototxt")
    assert [finding.code for finding in result.findings] == ["O001"]
    added = ignoring(result.document, result.findings, (), CommentIgnores("#"), "")  # type: ignore[arg-type]
    assert added == text.replace('op_type: "Reluu"', 'op_type: "Reluu"  # irlint: ignore[O001]')
    assert engine.lint(added, "a.prototxt").findings == []


def test_places_go_both_ways() -> None:
    document = read_prototext(written(BRANCHES), "a.prototxt")
    path = ("graph", "node", 0, "attribute", 1, "g", "node", 0, "op_type")
    start, end = document.span(Place(path))
    assert document.text[start:end] == '"Add"'
    assert document.place_at(start).path == path
    assert document.pointer(path) == "/graph/node/0/attribute/1/g/node/0/op_type"
    assert document.text[slice(*document.span(Place(path[:-1])))] == "node"
    whole = document.text[slice(*document.whole(path[:5]))]
    assert whole.startswith("attribute {")
    assert whole.endswith("}")


def test_it_is_navigated_too() -> None:
    text = COMMENTED.replace("alhpa", "alpha").replace("'x'", '"x"')
    found = engine.lint(text, "model.prototxt").model
    assert found is not None
    navigation = OnnxNavigation()
    for name in ("x", "y"):
        target = navigation.referent(found, text.index(f'"{name}"') + 1)
        assert target is not None
        edits = navigation.rename(found, target, "fresh").edits
        assert apply(text, edits) == text.replace(f'"{name}"', '"fresh"')
    assert list(navigation.choices_at(found, text.index("graph"))) == []
    edit = navigation.suppression(found, found.document.span(Place(("graph", "name"))), "A001")
    assert edit is not None
    assert edit.text == "  # irlint: ignore[A001]\n"


@pytest.mark.parametrize(
    "text",
    ['name: "net"\nlayer { name: "x" }\n', 'node { name: "a" op: "Add" }\n', 'domain: "x"\n', "# ir_version: 3\n", "saved_model_schema_version: 1\n"],
)  # fmt: skip
def test_other_texts_of_protobuf_are_not_taken(text: str) -> None:
    for name in ("a.prototxt", "a.pbtxt", "a.textproto"):
        assert engine.lint(text, name).format is None
    engine.lint(text, "a.onnxtxt", as_format="onnx")


@pytest.mark.parametrize(
    "piece",
    ["# c\n", "node { ", "[", "'\\'", '"a" ', "ints: [1, 2] ", '"\\\\\\" ', ", ", "\t \n", "graph < node <> > ", "x: 1 ", 'raw_data: "\\"\\000" '],
)  # fmt: skip
def test_time_is_linear(piece: str) -> None:
    def seconds(count: int) -> float:
        began = time.process_time()  # other programs take their turns, too
        read_prototext(f"ir_version: 3 graph {{ initializer {{ {piece * count}", "a.prototxt")
        return time.process_time() - began

    gc.disable()  # it looks at all that other tests have left
    try:
        size = 4000
        while (once := seconds(size)) < 0.01 and size < 1_000_000:
            size *= 2
        assert min(seconds(2 * size) for _ in range(5)) < max(6 * once, 0.1)
    finally:
        gc.enable()
