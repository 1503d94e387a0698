"""Protobuf read: every kind of field, and every way in which bytes can be wrong."""

from __future__ import annotations

import struct
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irlint.formats.onnx.text.document import read_binary
from irlint.formats.onnx.wire import MESSAGES
from irlint.formats.onnx.wire.reader import Packed, Reader, fields, signed, varint
from irlint.formats.onnx.wire.writer import number
from irlint.text.prototext.messages import DEPTH, Tree
from tests.formats.onnx.build import BRANCHES, FUNCTIONS, TINY, binary, delimited, integer, lint, message


def read(data: bytes, kind: str = "Model") -> tuple[Tree, list[str]]:
    reader = Reader(data)
    return reader.message(MESSAGES[kind], 0, len(data)), [flaw.message for flaw in reader.flaws]


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_varints(value: int) -> None:
    data = number(value)
    found, end = varint(data, 0)
    assert (signed(found), end) == (value, len(data))


def test_numbers_of_each_kind() -> None:
    found, flaws = read(
        integer(2, 1) + integer(1, 3) + b"\x55" + struct.pack("<f", 0.5) + delimited(4, struct.pack("<f", 1.5)),
        "Tensor",
    )
    assert found["data_type"] == 1
    assert found["dims"] == [3]
    assert not flaws
    assert found["float_data"] == [1.5]
    assert read(b"\x15" + struct.pack("<f", 0.25), "Attribute")[0] == {"f": 0.25}
    assert read(b"\x51" + struct.pack("<d", 0.1), "Tensor")[0] == {"double_data": [0.1]}
    assert read(b"\x29" + struct.pack("<d", 0.1), "Tensor")[0] == {}  # int32_data of another wire type


@pytest.mark.parametrize("count", [1, 5, 200])
def test_packed_and_unpacked_numbers_are_the_same(count: int) -> None:
    values = [(-1) ** k * k for k in range(count)]
    packed = delimited(8, b"".join(map(number, values)))
    single = b"".join(integer(8, value) for value in values)
    for data in (packed, single, packed + single, single + packed):
        found, flaws = read(data, "Attribute")
        ints = found["ints"].numbers() if isinstance(found["ints"], Packed) else found["ints"]
        assert ints == values * (2 if len(data) > len(single) + len(packed) - 2 and data not in (packed, single) else 1)
        assert not flaws


def test_unknown_fields_are_skipped() -> None:
    group = number(99 << 3 | 3) + integer(5, 1) + delimited(6, b"abc") + number(99 << 3 | 4)
    extra = (
        integer(1000, 1 << 63) + delimited(1001, b"x" * 300) + b"\xc9\x3e" + bytes(8) + b"\xcd\x3e" + bytes(4) + group
    )
    assert read(extra + integer(1, 7) + extra) == ({"ir_version": 7}, [])


@pytest.mark.parametrize("text", [TINY, BRANCHES, FUNCTIONS])
def test_cut_at_every_byte(text: str) -> None:
    data = binary(text)
    for end in range(len(data)):
        document = read_binary(data[:end], "a.onnx")
        for trouble in document.troubles:
            assert 0 <= trouble.span.start <= trouble.span.end <= len(document.text)
        lint(data[:end])


def test_a_cut_file_is_said_to_be_cut() -> None:
    result = lint(binary(TINY)[:-40])
    assert [finding.name for finding in result.findings] == ["truncated-file"]
    assert "the end of the file is missing" in result.findings[0].message


def test_an_entry_of_which_nothing_is_left_is_not_shown() -> None:
    data = delimited(7, b"") + delimited(8, b"\x10\x11")
    result = lint(data[:-1])
    (finding,) = result.findings
    assert finding.message.startswith("the end of the file is missing: at least 1 byte, in `opset_import`")
    assert "opset_import" not in result.document.text
    assert finding.span.end == len(result.document.text.rstrip())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x08" + b"\xff" * 12, "does not end after 10 bytes"),
        (b"\xff" * 20, "does not end after 10 bytes"),
        (b"\x3a\x05\x0a\x09\x0a\x01x" + bytes(20), "reaches 6 bytes over the end of its Graph"),
        (b"\x00\x01", "invalid tag 0"),
        (b"\x0f\x01", "invalid tag 15"),
        (b"\x0c\x01", "invalid tag 12"),
        (delimited(7, b"\x2b\x08\x01"), "invalid tag 43"),
        (delimited(7, delimited(5, delimited(4, b"abcde"))), "5 bytes of `float_data`"),
        (delimited(7, delimited(5, delimited(7, b"\x01\xff"))), "a number of `int64_data` does not end"),
        (delimited(7, delimited(5, delimited(7, b"\xff" * 70 + b"\x01"))), "a number of `int64_data` does not end"),
        (b"\x3a", "the end of the file is missing, in a field of a Model"),
        (b"\x3a\xff\xff\xff\xff\x07", "bytes, in `graph` of a Model"),
        (b"\x3a\x02\x08", "the end of the file is missing"),
    ],
)
def test_flaws(data: bytes, words: str) -> None:
    assert any(words in flaw for flaw in read(data)[1]), read(data)[1]


def nested(depth: int, inner: bytes = b"") -> bytes:
    """Graphs in attributes in nodes in graphs."""
    for _ in range(depth):
        inner = delimited(1, delimited(5, delimited(6, inner)))
    return delimited(7, inner)


def test_messages_nested_too_deep() -> None:
    assert read(nested(20))[1] == []
    assert read(nested(DEPTH // 3 + 1))[1] == [f"messages are nested more than {DEPTH} deep"]
    data = integer(1, 9) + nested(1000) + delimited(8, integer(2, 17))
    assert "too-deep" in [finding.name for finding in lint(data).findings]


def test_types_nested_too_deep() -> None:
    inner = b""
    for _ in range(1000):
        inner = delimited(4, delimited(1, inner))
    value = delimited(11, delimited(1, b"x") + delimited(2, inner))
    assert [finding.name for finding in lint(integer(1, 9) + delimited(7, value)).findings] == ["too-deep"]


def test_a_message_that_comes_twice_is_merged() -> None:
    one = delimited(7, delimited(2, b"a") + delimited(1, message("Node", op_type="Relu")))
    two = delimited(7, delimited(2, b"b") + delimited(1, message("Node", op_type="Abs")))
    assert read(one + two)[0]["graph"] == {"name": "b", "node": [{"op_type": "Relu"}, {"op_type": "Abs"}]}


def test_a_shared_type_that_comes_twice_is_merged_where_it_does() -> None:
    once = delimited(2, delimited(1, integer(1, 1)))
    rest = delimited(2, delimited(1, delimited(2, b"")))
    found = read(delimited(11, delimited(1, b"a") + once) + delimited(11, delimited(1, b"b") + once + rest), "Graph")[0]
    assert found["input"][0]["type"] == {"tensor_type": {"elem_type": 1}}
    assert found["input"][1]["type"] == {"tensor_type": {"elem_type": 1, "shape": {}}}


def test_bytes_that_are_not_utf_8_are_kept() -> None:
    data = binary(TINY).replace(b"mm", b"m\xff")
    document = read_binary(data, "a.onnx")
    assert not document.troubles
    assert document.encoded(document.text) == data
    changed = document.encoded(document.text.replace("alpha", "alphb"))
    assert changed == data.replace(b"alpha", b"alphb")
    lint(data)


@pytest.mark.parametrize(
    "data",
    [
        delimited(7, delimited(2, b"")) * 30_000,
        delimited(7, delimited(1, b"")) * 30_000,
        delimited(7, delimited(11, b"\x12\x04\x0a\x02\x08\x01" * 20_000)),
        delimited(7, delimited(5, delimited(7, b"\x01") * 50_000)),
        delimited(7, delimited(5, (delimited(7, b"\x01") + integer(7, 1)) * 25_000)),
        delimited(7, b"\x2b" * 100_000),
        delimited(7, delimited(1, b"\x2b") * 50_000),
        delimited(7, delimited(1, b"\x12\xff\x7f") * 50_000),
        delimited(7, delimited(5, delimited(1, number((1 << 63) - 1) * 20_000))),
        b"\xff\x01" * 100_000,
        delimited(14, b"") * 100_000,
    ],
    ids=[
        "graphs",
        "nodes",
        "types",
        "packed",
        "mixed",
        "groups",
        "groups in nodes",
        "lengths",
        "sizes",
        "tags",
        "entries",
    ],
)
def test_many_of_a_kind_take_little_time(data: bytes) -> None:
    began = time.process_time()
    read(data)
    fields(data)
    lint(integer(1, 9) + data)
    assert time.process_time() - began < 8


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    read(data)
    lint(b"\x08\x09" + data)


@given(st.data())
def test_no_damage_crashes_the_linter(data: st.DataObject) -> None:
    model = bytearray(binary(data.draw(st.sampled_from([TINY, BRANCHES, FUNCTIONS]))))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(model) - 1))
        if data.draw(st.booleans()):
            model[at] = data.draw(st.integers(0, 255))
        else:
            model[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
            model = model or bytearray(b"\x08")
    result = lint(bytes(model))
    for finding in result.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(result.lines.text)
