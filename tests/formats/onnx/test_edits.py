"""Edits of a binary's text: the document is what a fresh one would be, and only the bytes that have to change do."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irlint import engine
from irlint.fixes import fix
from irlint.formats.onnx.text.document import OnnxDocument, read_binary, read_text
from irlint.formats.onnx.text.printer import shown
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from irlint.text.base import Lines, apply
from tests.formats.onnx.build import (
    BRANCHES,
    FUNCTIONS,
    TINY,
    binary,
    delimited,
    errors,
    graph,
    integer,
    lint,
    message,
    only,
    opened,
    tree,
)

SAMPLES = [TINY, BRANCHES, FUNCTIONS]


def fields(data: bytes) -> list[bytes]:
    """The top-level fields of a message, whole."""
    from irlint.formats.onnx.wire import MODEL
    from irlint.formats.onnx.wire.writer import _pieces

    return [data[piece.start : piece.end] for piece in _pieces(MODEL, data, 0, len(data))]


def hidden() -> bytes:
    """A model with what the text does not show: doc strings, metadata, unknown fields, raw data, an odd order of fields."""
    raw = bytes(range(200)) * 2
    weight = message("Tensor", raw_data=raw, name="w", dims=[100], data_type=1, doc_string="the weight")
    entry = {"key": "k", "value": "v"}
    first = message("Node", op_type="Add", doc_string="why", name="n1", metadata_props=[entry]) + delimited(
        99, b"unknown"
    )
    first = delimited(2, b"a") + first + delimited(1, b"x") + delimited(1, b"w")
    second = message("Node", input=["a"], output=["y"], op_type="Relu", domain="", attribute=[])
    value = message("ValueInfo", name="x", doc_string="input", type={"tensor_type": {"elem_type": 1, "shape": {}}})
    out = message("ValueInfo", name="y", type={"tensor_type": {"elem_type": 1}, "denotation": "IMAGE"})
    inner = delimited(12, out) + delimited(11, value) + delimited(1, first) + delimited(1, second)
    inner += (
        delimited(5, weight) + delimited(2, b"g") + delimited(10, b"graph") + delimited(16, message("Entry", **entry))
    )
    opset = delimited(8, delimited(1, b"") + integer(2, 17))
    return opset + delimited(7, inner) + integer(1, 9) + integer(1000, 5) + delimited(20, b"")


def after(document: OnnxDocument, old: str, new: str) -> bytes:
    assert document.text.count(old) == 1, document.text
    return document.encoded(document.text.replace(old, new))


def test_nothing_hidden_is_lost() -> None:
    data = hidden()
    document = read_binary(data, "a.onnx")
    assert not document.troubles
    assert document.encoded(document.text) == data
    assert document.encoded(document.text.replace("\n   ", "\n    ")) == data  # every record is read again


@pytest.mark.parametrize(
    ("old", "new", "before", "later"),
    [
        ("= Relu", "= Abs", delimited(4, b"Relu"), delimited(4, b"Abs")),
        ("[n1]", "[other]", delimited(3, b"n1"), delimited(3, b"other")),
        ("Add (x, w)", "Add (w, x)", delimited(1, b"x") + delimited(1, b"w"), delimited(1, b"w") + delimited(1, b"x")),
        ("float[100] w", "float[50] w", integer(1, 100), integer(1, 50)),
        ("float[] y", "float16[] y", integer(1, 1), integer(1, 10)),
        ("ir_version: 9", "ir_version: 8", integer(1, 9), integer(1, 8)),
        ("17", "18", integer(2, 17), integer(2, 18)),
    ],
)
def test_only_what_changes_changes(old: str, new: str, before: bytes, later: bytes) -> None:
    data = hidden()
    made = after(read_binary(data, "a.onnx"), old, new)
    sizes = len(later) - len(before)

    assert len(made) == len(data) + sizes or abs(len(made) - len(data) - sizes) <= 3
    assert later in made
    if not sizes:
        at = next(k for k in range(len(data)) if data[k] != made[k])
        end = next(k for k in range(1, len(data)) if data[-k] != made[-k])
        assert len(data) - end + 1 - at <= len(before)
    assert b"the weight" in made
    assert b"why" in made
    assert b"unknown" in made
    assert bytes(range(200)) * 2 in made


def test_moved_nodes_keep_what_is_theirs() -> None:
    data = hidden()
    document = read_binary(data, "a.onnx")
    lines = document.text.split("\n")
    k = next(k for k, line in enumerate(lines) if "n1" in line)
    lines[k], lines[k + 1] = lines[k + 1], lines[k]
    made = document.encoded("\n".join(lines))
    assert len(made) == len(data)
    assert sorted(made) == sorted(data)
    assert read_binary(made, "a").text == "\n".join(lines)


def test_a_removed_node_is_gone_and_nothing_else() -> None:
    data = hidden()
    document = read_binary(data, "a.onnx")
    made = document.encoded(document.text.replace("   y = Relu (a)\n", ""))
    second = delimited(1, message("Node", input=["a"], output=["y"], op_type="Relu", domain="", attribute=[]))
    whole = next(part for part in fields(data) if part[:1] == b"\x3a")
    inner = whole[3:].replace(second, b"")
    assert made == data.replace(whole, delimited(7, inner))


def test_inserted_nodes_do_not_take_what_is_of_others() -> None:
    document = read_binary(hidden(), "a.onnx")
    text = document.text.replace("   y = Relu", "   b = Abs (x)\n   y = Relu")
    tree = read_binary(document.encoded(text), "a").tree
    assert [node.get("doc_string") for node in tree["graph"]["node"]] == ["why", None, None]


def test_numbers_that_are_shown_change_data_that_is_cut() -> None:
    document = read_binary(hidden(), "a.onnx")
    first = re.search(r"w = \{([^,]+),", document.text)
    assert first is not None
    made = read_binary(after(document, "w = {" + first[1], "w = {1.0"), "a").tree["graph"]["initializer"][0]
    assert bytes(made["raw_data"]) == b"\0\0\x80\x3f" + (bytes(range(200)) * 2)[4:]


def test_numbers_without_raw_data_are_changed_in_their_field() -> None:
    document = opened(TINY)
    tree = read_binary(after(document, "{1.0,2.0,", "{1.5,2.0,"), "a").tree
    assert tree["graph"]["initializer"][0]["float_data"][:2] == [1.5, 2.0]


def test_new_tensors_that_are_cut_cannot_be_written() -> None:
    document = read_binary(hidden(), "a.onnx")
    text = document.text.replace("   float[100] w", "   float[100] v = {...},\n   float[100] w")
    with pytest.raises(ValueError, match="does not show all data"):
        document.encoded(text)


def test_text_that_cannot_be_read_is_not_written() -> None:
    document = opened(TINY)
    with pytest.raises(ValueError, match="cannot be read"):
        document.encoded(document.text.replace("MatMul (", "MatMul "))
    cut = read_binary(binary(TINY)[:-3], "a")
    with pytest.raises(ValueError, match="cannot be read"):
        cut.encoded(cut.text)


def test_two_nodes_of_one_text_keep_what_each_hides() -> None:
    nodes = [
        delimited(1, message("Node", output=["a"], op_type="Abs", input=["x"], doc_string=f"d{k}")) for k in range(3)
    ]
    data = delimited(7, b"".join(nodes) + delimited(2, b"g"))
    document = read_binary(data, "a.onnx")
    assert document.encoded(document.text) == data
    assert document.encoded(document.text.replace("\n   ", "\n    ")) == data


def test_values_of_one_text_in_two_lists_are_not_mixed_up() -> None:
    value = {"name": "x", "type": {"tensor_type": {"elem_type": 1}}}
    parts = [("input", "in"), ("output", "out"), ("value_info", "info")]
    data = message("Model", graph={"name": "g"} | {part: [value | {"doc_string": words}] for part, words in parts})
    document = read_binary(data, "a.onnx")
    assert document.encoded(document.text + "\n") == data


_LINE = re.compile(r"[^\n]*\n")


def _random_edit(text: str, choose: random.Random) -> str:
    lines = _LINE.findall(text)
    at, kind = choose.randrange(len(lines)), choose.randrange(7)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(choose.randrange(len(lines)), lines.pop(at))
    elif kind == 2:
        lines.insert(at, lines[choose.randrange(len(lines))])
    elif kind == 3:
        words = re.findall(r"\w+|\W", lines[at])
        words[choose.randrange(len(words))] = choose.choice(
            ["x", "Relu", "7", '"', "(", ",", "=", "", "\n", "  ", "{", "}"]
        )
        lines[at] = "".join(words)
    elif kind == 4:
        lines[at] = lines[at].replace("float", "int64")
    elif kind == 5:
        lines[at] = f" {lines[at]}"
    else:
        lines[at] = re.sub(r"\w+(?= \()", lambda one: f"{one[0]}x", lines[at])
    return "".join(lines)


@given(st.sampled_from(SAMPLES), st.integers(0, 1 << 30))
@example(TINY, 678)  # the last of two records goes on
def test_an_edited_document_is_what_a_fresh_one_is(sample: str, seed: int) -> None:
    choose = random.Random(seed)
    document, text = opened(sample), sample
    for _ in range(choose.choice((1, 1, 2, 4))):
        text = _random_edit(text, choose)
    fresh, found = read_text(text, "a"), document.with_text(text)
    assert repr(shown(found.tree).text) == repr(shown(fresh.tree).text)
    assert found.records == fresh.records
    assert [(t.message, t.span) for t in found.troubles] == [(t.message, t.span) for t in fresh.troubles]
    if not fresh.troubles:
        try:
            data = document.encoded(text)
        except ValueError:
            return
        assert read_binary(data, "a").text == shown(fresh.tree).text
        assert document.encoded(document.text) == document.data


@given(st.sampled_from(SAMPLES), st.integers(0, 1 << 30))
def test_an_edited_binary_has_the_findings_of_the_one_that_is_written(sample: str, seed: int) -> None:
    choose = random.Random(seed)
    before = lint(binary(sample))
    document = before.document
    assert isinstance(document, OnnxDocument)
    text = _random_edit(document.text, choose)
    after = engine.linted(text, engine.Request("a.onnx", shown=before))
    try:
        written = lint(document.encoded(text))
    except ValueError:
        return
    if written.document is not None and written.document.text == text:
        assert [(f.message, f.span) for f in after.findings] == [(f.message, f.span) for f in written.findings]


def fixed(data: bytes, unsafe: bool = True) -> bytes:
    """What --fix makes of a binary."""
    result = lint(data)
    assert result.document is not None

    def findings(text: str) -> list[engine.Finding]:
        assert result.document is not None
        return engine.lint_bytes(result.document.encoded(text), "a.onnx").findings

    made = fix(result.document.text, findings, unsafe)
    return result.document.encoded(made.text)


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        (graph("b = Abs (a)\na = Relu (x)\ny = Neg (b)"), graph("a = Relu (x)\nb = Abs (a)\ny = Neg (b)")),
        (graph("conv = Relu (x)\ny = Abs (cnov)"), graph("conv = Relu (x)\ny = Abs (conv)")),
        (graph("y = Reluu (x)"), graph("y = Relu (x)")),
        (graph("y = LeakyRelu <alhpa: float = 0.5> (x)"), graph("y = LeakyRelu <alpha: float = 0.5> (x)")),
        (graph("y = Abs (x)", header='<\n   ir_version: 9,\n   opset_import: ["" : 99]\n>\n'), None),
        (graph("y = Abs (x)", header='<\n   opset_import: ["" : 17]\n>\n'), None),
        (graph("y = Abs (x)", header="<\n   ir_version: 9\n>\n"), None),
    ],
    ids=["order", "name", "operator", "attribute", "opset", "version", "import"],
)
def test_a_fixed_binary_is_what_it_should_be(broken: str, whole: str | None) -> None:
    data = binary(broken)
    assert errors(data)
    made = fixed(data)
    assert not errors(made)
    if whole is not None:
        assert made == binary(whole)


def test_the_place_of_a_finding_is_a_line_of_the_text() -> None:
    data = binary(graph("y = Reluu (x)"))
    finding = only(data, "O001")
    result = lint(data)
    assert result.document is not None
    text = result.document.text
    assert text[finding.span.start : finding.span.end] == "Reluu"
    assert Lines(text).position(finding.span.start).line == text[: finding.span.start].count("\n") + 1


def test_an_attribute_whose_type_is_not_that_of_its_value_keeps_the_value() -> None:
    model = tree(graph("y = LeakyRelu <alpha: float = 0.5> (x)", outputs="float[2,4] y"))
    model["graph"]["node"][0]["attribute"][0]["type"] = 2
    finding = only(whole(MODEL, model), "T001")
    assert [found.code for found in lint(whole(MODEL, model)).findings] == ["T001"]
    assert finding.fix is not None
    document = read_binary(whole(MODEL, model), "a.onnx")
    assert "alpha: float = 0.5>" in apply(document.text, finding.fix.edits)
