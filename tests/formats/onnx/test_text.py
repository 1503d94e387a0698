"""The textual form: what is shown is read again, every part is found, every binary comes back byte for byte."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irlint.formats.onnx.tensors import half_bits, half_numbers
from irlint.formats.onnx.text.document import OnnxDocument, read_binary, read_text
from irlint.formats.onnx.text.parse import TextParser
from irlint.formats.onnx.text.places import marked
from irlint.formats.onnx.text.printer import number, shown, tensor_text
from irlint.text.base import Place
from tests.formats.onnx.build import BRANCHES, FUNCTIONS, HEADER, TINY, binary, graph, opened, tree

TYPES = graph(
    "y = Identity (a)",
    inputs=(
        "seq(float[2,N]) a,\n   map(int64, seq(string)) b,\n   optional(float16[?]) c,\n   sparse_tensor(double[3,4]) d,\n"
        '   opaque(own, Thing) e,\n   float8e4m3fn[1] f,\n   int4[] g,\n   complex64 h,\n   "odd name" ,\n   "float"'
    ),
    outputs="y",
)
DATA = graph(
    "y = Identity (a)",
    rest=(
        "float a = {0.1},\n   double[2] b = {0.1,1e+300},\n   int64[3] c = {-1,0,9223372036854775807},\n   bool[2] d = {1,0},\n"
        '   string[2] e = {"a","b \\"c\\""},\n   float16[2] f = {15360,0},\n   float[3] g = {nan,inf,-inf},\n'
        "   uint4[3] h = {16,1},\n   complex64[1] i = {1.0,2.0},\n   float[0] j = {},\n   uint64[1] k = {18446744073709551615},\n"
        '   float[2] l = ["location": "w.data", "offset": "0", "length": "8"]'
    ),
)
PLAIN = graph(
    'y, "q r" = ai.onnx.ml.Foo <a: float = 1, b: string = "x,y", c: ints = [1, 2], d: floats = [1.5, 2e3],> (x, "b,c")\n'
    "[n] z = Bar (y)<q: int = 3>\nw = Baz <> ()",
    inputs='float[1, N,?] "a/b", int64 k, float[] z',
    outputs="w",
)
ATTRIBUTES = graph(
    'y = own."odd.op":v <a: int = -1, b: float = 0.1, c: string = "x\\\\y", d: ints = [1, 2], e: floats = [], '
    'f: strings = ["a"], g: tensor = float[2] {1.0,2.0}, h: type_proto = seq(float[N]), i: tensors = [int64 t = {1}], '
    'j: undefined = 1, k: type27 = 2> (x, "", x)\n   _ = "a b".C ()',
)
SAMPLES = {
    "tiny": TINY,
    "branches": BRANCHES,
    "functions": FUNCTIONS,
    "types": TYPES,
    "data": DATA,
    "attributes": ATTRIBUTES,
}
BASES = os.environ.get("IRLINT_ONNX_BASES")
PYTHON = os.environ.get("IRLINT_ONNX_PYTHON")


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_shown_is_read(name: str) -> None:
    text = SAMPLES[name]
    document = opened(text)
    assert not document.troubles
    assert repr(read_text(document.text, "a").tree) == repr(tree(text))  # NaN is not itself
    assert shown(tree(document.text)).text == document.text


@pytest.mark.parametrize(
    ("dtype", "numbers"), [("float16", "0.1,-0.0,1.19e-07,-inf,9.54e-07"), ("bfloat16", "0.1,-0.0,1e-07,-inf,1.47e-39")]
)
def test_floats_of_16_bits_are_shown_as_numbers(dtype: str, numbers: str) -> None:
    for bits in range(0, 1 << 16, 7):
        (value,) = half_numbers([bits], dtype)
        assert value != value or half_bits(float(number(value, dtype)), dtype) == bits
    weights = graph(
        "y = Identity (a)", rest=f"{dtype}[5] w = {{0.1,-0.0,1e-07,-inf,16}}"
    )  # 16: bits, as onnx.printer writes them
    held = tree(weights)["graph"]["initializer"][0]
    raw = {
        "data_type": held["data_type"],
        "dims": [5],
        "name": "w",
        "raw_data": struct.pack("<5H", *held["int32_data"]),
    }
    assert tensor_text(raw) == tensor_text(held) == f"{dtype}[5] w = {{{numbers}}}"


@pytest.mark.parametrize("name", ["tiny", "branches", "functions"])
def test_models_that_are_laid_out_so_are_shown_as_they_are(name: str) -> None:
    assert opened(SAMPLES[name]).text == SAMPLES[name]


@pytest.mark.parametrize("name", SAMPLES)
def test_records_are_where_they_are_shown(name: str) -> None:
    document = opened(SAMPLES[name])
    assert read_text(document.text, "a").records == document.records
    for path, span in document.records.items():
        assert document.whole(path) == span
        assert document.place_at(span.start).path[: len(path)] == path


@pytest.mark.parametrize("name", SAMPLES)
def test_every_part_is_found(name: str) -> None:
    """What a path denotes is what is written at its place, and the place of that text is the path."""
    document = opened(SAMPLES[name])
    for record, span in document.records.items():
        for path, part in marked(document.text, record, span).items():
            try:
                value = document.value_at(path)
            except (LookupError, TypeError):
                continue  # a part of a word that the tree does not have
            text = document.text[part.start : part.end]
            if isinstance(value, (str, int)) and path[-1] not in (
                "elem_type",
                "data_type",
                "key_type",
                "type",
                "op_type",
            ):
                assert text.strip('"').replace('\\"', '"').replace("\\\\", "\\") == str(value), path
            assert document.span(Place(path)) == part or path == record or path[-1] == "value", path


def test_parts_of_a_node() -> None:
    document = opened(TINY)

    def at(*path: str | int) -> str:
        start, end = document.span(Place(path))
        return document.text[start:end]

    assert at("graph", "node", 0, "op_type") == "MatMul"
    assert at("graph", "node", 0, "name") == "mm"
    assert at("graph", "node", 0, "input", 1) == "w"
    assert at("graph", "node", 1, "attribute", 0, "name") == "alpha"
    assert at("graph", "node", 1, "attribute", 0, "type") == "float"
    assert at("graph", "node", 1, "attribute", 0, "value") == "0.1"
    assert at("graph", "initializer", 0, "dims", 1) == "3"
    assert at("graph", "initializer", 0, "data_type") == "float"
    assert at("graph", "input", 0, "type", "tensor_type", "shape", "dim", 1) == "4"
    assert at("opset_import", 0, "version") == "17"
    assert at("graph", "name") == "g"
    assert document.place_at(document.text.index("alpha")).path == ("graph", "node", 1, "attribute", 0, "name")


def test_parts_of_a_nested_graph() -> None:
    document = opened(BRANCHES)
    branch = ("graph", "node", 0, "attribute", 1, "g")
    for path, text in (
        ((*branch, "node", 0, "op_type"), "Add"),
        ((*branch, "node", 0, "input", 1), "k"),
        ((*branch, "initializer", 0, "dims", 0), "2"),
        ((*branch, "output", 0, "name"), "b"),
    ):
        start, end = document.span(Place(path))
        assert document.text[start:end] == text
        assert document.place_at(start).path == path


@pytest.mark.parametrize("name", ["pkg.torch.2.1", "own", "a b", "ai.onnx.ml", ".", "a..b", '"'])
@pytest.mark.parametrize("op", ["Relu", "aten.add", "odd op", "", "float", '"\\'])
def test_operators_of_any_name(name: str, op: str) -> None:
    model = {"graph": {"name": "g", "node": [{"output": ["y"], "op_type": op, "domain": name, "input": ["x"]}]}}
    document = read_text(shown(model).text, "a")
    assert document.tree == model
    start, end = document.span(Place(("graph", "node", 0, "op_type")))
    assert document.text[start:end].strip('"').replace('\\"', '"').replace("\\\\", "\\") in (op, op.strip('"'))


@given(st.floats(width=32))
def test_floats_are_written_so_that_they_are_read_again(value: float) -> None:
    text = number(value)
    read = tree(graph(f"y = A <a: float = {text}> (x)"))["graph"]["node"][0]["attribute"][0]["f"]
    assert repr(read) == repr(value)


@given(st.floats())
def test_doubles_are_written_so_that_they_are_read_again(value: float) -> None:
    model = {"graph": {"name": "g", "initializer": [{"data_type": 11, "double_data": [value], "name": "a"}]}}
    assert repr(tree(shown(model).text)) == repr(model)


@given(st.text())
def test_names_of_any_kind(name: str) -> None:
    model = {
        "graph": {"name": name, "node": [{"name": name or "n", "output": [name], "op_type": "A", "input": [name]}]}
    }
    assert tree(shown(model).text) == model


@given(st.binary())
def test_strings_of_any_bytes(value: bytes) -> None:
    attribute = {"name": "a", "s": value, "type": 3}
    model = {"graph": {"name": "g", "node": [{"output": ["y"], "op_type": "A", "attribute": [attribute]}]}}
    assert tree(shown(model).text) == model


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (graph("y = Relu (x").rstrip("}\n"), "the text ends where"),
        (graph("y Relu (x)"), "expected `=`, got `Relu`"),
        (graph("y = Relu x)"), "expected `(`, got `x`"),
        (graph("y = Relu <a: in = 1> (x)"), "expected a type of attributes such as int"),
        (graph("y = Relu <a = > (x)"), "expected a value, got `>`"),
        (graph('y = Relu <a = [1, "b"]> (x)'), "expected a value of type int"),
        (graph("y = Relu <a = []> (x)"), "expected a type before an empty list"),
        (graph('y = Relu ("x)'), "a string that does not end"),
        (TINY.replace("17", "x"), "expected an integer, got `x`"),
        (TINY.replace("g (", "g ["), "expected `(`, got `[`"),
        (TINY.replace("float[4,3] w", "float[4,N] w"), "expected the type of a tensor with known sizes"),
        ("<", "the text ends where"),
    ],
)
def test_text_that_cannot_be_read(text: str, words: str) -> None:
    document = read_text(text, "a.onnxtxt")
    assert words in document.troubles[0].message


def test_nodes_after_a_broken_one_are_read() -> None:
    document = read_text(graph("a = Relu (x\nb = Relu (a)\nc = = (b)\nd = Abs (c)"), "a")
    assert len(document.troubles) == 2
    assert [node["output"] for node in document.tree["graph"]["node"]] == [["b"], ["d"]]


@pytest.mark.parametrize("depth", [50, 1000, 20_000])
def test_nested_text(depth: int) -> None:
    for inner in ("seq(" * depth, "y = If <a = g () => () {" * depth, "(" * depth, "<" * depth, "[" * depth):
        read_text(f"{HEADER}g ({inner}", "a")
        read_text(graph(inner), "a")
        read_text(graph(f"y = A <a: tensor = {inner}> (x)"), "a")


@given(st.text(alphabet='<>(){}[],:=@."\\ \nabc019-#?', max_size=60), st.integers(0, 300))
def test_no_text_crashes_the_parser(piece: str, at: int) -> None:
    text = BRANCHES[:at] + piece + BRANCHES[at:]
    document = read_text(text, "a")
    for trouble in document.troubles:
        assert 0 <= trouble.span.start <= trouble.span.end <= len(text)
    shown(document.tree)


def _bases() -> list[Path]:
    found = sorted(Path(BASES).rglob("*.onnx")) if BASES else []
    return [path for path in found if path.stat().st_size < 1_000_000]


@pytest.mark.skipif(not BASES, reason="IRLINT_ONNX_BASES names no folder of models")
def test_real_models_come_back_byte_for_byte() -> None:
    for path in _bases():
        data = path.read_bytes()
        document = read_binary(data, path.name)
        again = read_text(document.text, path.name)
        assert not document.troubles, path
        assert not again.troubles, path
        assert again.records == document.records, path
        assert shown(again.tree).text == document.text, path
        assert document.encoded(document.text) == data, path
        assert document.encoded(document.text.replace("\n   ", "\n    ")) == data, path


_ORACLE = """
import json, sys
import onnx, onnx.parser, onnx.printer
for line in sys.stdin:
    text = json.loads(line)
    try:
        model = onnx.parser.parse_model(text)
        print(json.dumps([model.SerializeToString().hex(), onnx.printer.to_text(model)]), flush=True)
    except Exception as error:
        print(json.dumps([None, str(error)]), flush=True)
"""


@pytest.mark.skipif(not PYTHON, reason="IRLINT_ONNX_PYTHON names no Python with onnx")
def test_onnx_reads_the_same_of_our_text() -> None:
    assert PYTHON
    texts = [TINY, BRANCHES, FUNCTIONS]
    for path in _bases()[::7]:
        text = read_binary(path.read_bytes(), path.name).text
        if "..." not in text and "sparse" not in text:
            texts.append(text)
    asked = "\n".join(map(json.dumps, texts))
    ran = subprocess.run([PYTHON, "-c", _ORACLE], input=asked, capture_output=True, text=True, check=True)
    refused = []
    for text, line in zip(texts, ran.stdout.splitlines(), strict=True):
        data, printed = json.loads(line)
        if data is None:
            refused.append((text, printed))
            continue
        document = read_binary(bytes.fromhex(data), "a")
        assert _same(document, read_text(text, "a"))
        assert not read_text(printed, "a").troubles, read_text(printed, "a").troubles
    assert len(refused) <= len(texts) // 10, refused[:5]


def _same(one: OnnxDocument, other: OnnxDocument) -> bool:
    return one.text.replace(" ", "") == shown(other.tree).text.replace(" ", "")


def test_a_binary_of_each_sample_is_read_as_one() -> None:
    for text in SAMPLES.values():
        document = read_binary(binary(text), "a.onnx")
        assert document.encoded(document.text) == document.data


@given(st.sampled_from([TINY, TYPES, DATA, ATTRIBUTES, BRANCHES, FUNCTIONS, PLAIN]), st.integers(0, 1 << 30))
def test_plain_lines_are_read_as_token_by_token(sample: str, seed: int) -> None:
    choose, text = random.Random(seed), sample
    for _ in range(choose.randrange(4)):
        at = choose.randrange(len(text) + 1)
        text = (
            text[:at] + choose.choice([*'1.- "<>[](),=:x#@?\n', "float", "e5", ""]) + text[at + choose.randrange(3) :]
        )
    quick, careful = TextParser(text), TextParser(text, marks={})  # who asks for marks gets them token by token
    assert repr(quick.model()) == repr(careful.model())
    assert quick.records == careful.records
    assert [(t.message, t.span) for t in quick.troubles] == [(t.message, t.span) for t in careful.troubles]
