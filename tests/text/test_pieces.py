"""The small parts that readers share: numbers of any length, text made safe, what a file seems to be, decoding, lines."""

from __future__ import annotations

import bz2
import gzip
import lzma
import pickle
import random
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irlint.text.base import Change, Edit, Lines, Position, Span, apply, decode, encode, text_end
from irlint.text.floats import rounded, shortest, spelled
from irlint.text.json.document import JsonDocument
from irlint.text.json.options import JsonOptions
from irlint.text.numbers import LARGEST, integer, told
from irlint.text.others import other_format
from irlint.text.safe import brief, escape, has_surrogates, pieces, unicode_only, visible, width
from irlint.text.sniff import describe
from irlint.text.words import amount, exact_size
from irlint.text.wrap import folded
from irlint.text.xml.document import XmlDocument


@given(st.integers())
def test_integers_are_what_their_digits_say(number: int) -> None:
    assert integer(str(number)) == number
    assert integer("0" * 50 + str(abs(number))) == abs(number)


def test_integers_longer_than_python_converts() -> None:
    assert (integer("9" * 4300), integer("-" + "9" * 4300)) == (10**4300 - 1, 1 - 10**4300)
    assert (integer("9" * 4301), integer("-" + "9" * 4301)) == (LARGEST, -LARGEST)


@given(st.text("ab \n\r\ufeff\u2028", max_size=30))
def test_positions_lead_to_offsets_and_back(text: str) -> None:
    lines = Lines(text)
    for at in range(len(text) + 1):
        position = lines.position(at)
        if at or not text.startswith("\ufeff"):
            assert lines.offset(*position) == at
        for end in range(at, len(text) + 1):
            assert lines.positions(at, end) == (position, lines.position(end))
    assert lines.offset(len(lines.starts), 1000) == len(text)
    ends = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert [lines.line(n + 1) for n in range(len(lines.starts))] == ends
    assert lines.position(len(text)).line == len(ends)
    assert lines.position(0) == Position(1, 1)


@given(st.text(max_size=20), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]))
def test_text_with_a_mark_is_decoded_by_it(text: str, encoding: str) -> None:
    text = text.encode("utf-8", "replace").decode().replace("\0", "")
    data = ("\ufeff" + text).encode(encoding)
    assert decode(data) == ("\ufeff" + text, encoding)
    assert encode(*decode(data)) == data


@given(st.binary(max_size=30))
def test_bytes_come_back_whatever_they_are(data: bytes) -> None:
    assert encode(*decode(data)) == data
    assert encode(*decode(b"\xff\xfe" + data)) == b"\xff\xfe" + data


def test_where_a_text_ends() -> None:
    assert text_end("ab", Span(0, 2)) == Span(0, 2)
    assert text_end("ab\n", Span(0, 2)) == Span(0, 2)
    assert text_end("ab\r\n", Span(0, 2)) == Span(0, 2)
    assert text_end("ab\n  ", Span(0, 2)) == Span(5, 5)
    assert text_end("ab\r\n\r\n", Span(0, 2)) == Span(4, 4)
    assert text_end("ab\n\n", Span(0, 2)) == Span(3, 3)


@pytest.mark.parametrize("seed", range(20))
def test_edits_are_made_in_any_order(seed: int) -> None:
    choose = random.Random(seed)
    edits = [Edit(Span(1, 2), "x"), Edit(Span(3, 3), "yz"), Edit(Span(4, 6), "")]
    choose.shuffle(edits)
    assert apply("abcdefg", edits) == "axcyzdg"
    assert Change(1, 3, 5).delta == 3


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (b" \n\t\r\n", "the file contains only whitespace"),
        (b" " * 200_000 + b"x", "it is plain text"),
        (gzip.compress(b"x", mtime=0), "it is compressed with gzip; decompress it with `gzip -d`"),
        (bz2.compress(b"x"), "it is compressed with bzip2; decompress it with `bzip2 -d`"),
        (lzma.compress(b"x"), "it is compressed with xz; decompress it with `xz -d`"),
        (pickle.dumps([1]), "it is a Python pickle, such as PyTorch writes"),
        (b"\x1c\0\0\0TFL3", "it is a TFLite model, which irlint does not check"),
        (b"\x08\x07\x12\x07pytorch", "it looks like protobuf, such as ONNX and TensorFlow write"),
        (b'\x40\0\0\0\0\0\0\0{"__metadata__":{}}', "it is a safetensors file: weights without a graph"),
        (b'\x40\0\0\0\0\0\0\0{"w":{"dtype":"F32"}}', "it is a safetensors file: weights without a graph"),
        (b"hello\0world", "it is a binary file"),
        (b"x" * 4096 + b"\0", "it is plain text"),
        (b"import this\n", "it is plain text"),
        (b"#!/bin/sh\n", "it is a script"),
        (b"<!DOCTYPE html><p>", "it is an HTML page, perhaps saved in place of the download"),
        (b"\xef\xbb\xbf\n<x><HTML>", "it is an HTML page, perhaps saved in place of the download"),
        (b"<?xml version='1.0'?><!-- a-b --><!DOCTYPE a>\n<a:b c='d'>", "it is XML with the root element `a:b`"),
        (b"< b", "it is markup, but not valid XML"),
        (b"{", "it looks like JSON, but is not valid"),
        (b"{% for m in messages %}", "it looks like a Jinja template"),
        (b"\n[" * 100_000, "it is JSON that is nested too deeply"),
        (b"[]", "it is a JSON list with 0 elements"),
        (b"[1]", "it is a JSON list with 1 element"),
        (b"[1, 2]", "it is a JSON list with 2 elements"),
        (b" {}", "it is an empty JSON object"),
        (b'{"a": 1, "b\\n": 2}', "it is JSON with the keys `a`, `b\\n`"),
        (b'{"a":1,"b":2,"c":3,"d":4,"e":5}', "it is JSON with the keys `a`, `b`, `c`, `d`, `e`"),
        (b'{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', "it is JSON with the keys `a`, `b`, `c`, `d`, `e` ..."),
        (b'{"%s": 1}' % (b"k" * 90), f"it is JSON with the key `{'k' * 20} ... {'k' * 20}`"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_file_seems_to_be(data: bytes, words: str) -> None:
    assert describe(decode(data)[0]) == words


@given(st.text() | st.text("#[a\n\u202e\udcff\ud800é漢\u0301\u1161"))
def test_text_made_safe(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert not re.search(r"##[\w-]*\[", shown)
    assert "".join(pieces(text)) == shown
    assert len(pieces(text)) == len(text)
    if text.isprintable() and "##" not in text:
        assert shown == text
    assert has_surrogates(text) == any(0xD800 <= ord(char) < 0xE000 for char in text)
    unicode_only(text).encode()
    if not has_surrogates(text):
        assert unicode_only(text) == text


def test_escapes_say_which_character() -> None:
    assert [escape(c) for c in "\n\r\t\x1b\x85\u202e\U000e0041\udcff\ud800"] == [
        r"\n", r"\r", r"\t", r"\x1b", r"\x85", r"\u{202e}", r"\u{e0041}", r"\xff", r"\u{d800}",
    ]  # fmt: skip
    assert unicode_only("a\udcffé\ud800\n") == "a\\xffé\\u{d800}\n"
    assert visible("##[x]a") == r"\x23#[x]a"
    assert visible("a##vso[x]##b #\x01") == r"a\x23#vso[x]##b #\x01"
    assert (brief("x" * 10, 10), brief("abcdefghijk", 10)) == ("x" * 10, "abcde ... ghijk")
    assert brief("y" * 1001) == "y" * 500 + " ... " + "y" * 500


def test_widths_are_those_of_a_terminal() -> None:
    assert [width(text) for text in ("", "abc", "é", "漢字", "e\u0301", "\u1112\u1161\u11ab", "ﾊ", "a漢\u20dd")] == [
        0, 3, 1, 4, 1, 2, 1, 3,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0"), (-7, "-7"), (2**256 - 1, str(2**256 - 1)), (2**256, "2^256 or more"), (-(2**300), "-2^300 or more")],
)
def test_numbers_in_messages_are_short(number: int, words: str) -> None:
    assert told(number) == words


@given(st.lists(st.integers(60, 67) | st.integers(1, 3), max_size=6))
def test_numbers_longer_than_a_reader_s_buffer(lengths: list[int]) -> None:
    numbers = ["7" * length for length in lengths]
    texts = [f'{{"é": [{", ".join(numbers)}]}}', f"[{','.join(f'[{n}]' for n in numbers)}]"]
    for text in texts:
        troubles = JsonDocument.parse(text, options=JsonOptions(longest_number=63)).troubles
        cut = sorted(text[slice(*t.span)] for t in troubles if "reads only the first 63" in t.message)
        assert cut == sorted(number for number in numbers if len(number) > 63)
        assert len(troubles) == len([number for number in numbers if len(number) > 3])


def test_elements_nested_too_deep_are_one_trouble() -> None:
    text = "<a>" * 600 + "<b/>" * 3 + "</a>" * 600
    (trouble,) = XmlDocument(text).troubles
    assert (trouble.rule.name, trouble.span) == ("too-deep", Span(1500, 1503))
    assert XmlDocument("<a>" * 500 + "</a>" * 500).troubles == []


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("A.GGUF", b"GGUF\x03\0\0\0", "a GGUF model"),
        ("a.tflite", b"\x1c\0\0\0TFL3", "a TFLite model"),
        ("saved_model.pb", b"\x08\x01\x12\xd5\x10", "a TensorFlow model"),
        ("frozen.pb", b"\n\x2f\n\x05input\x12\x0bPlaceholder", "a TensorFlow model"),
        ("a.keras", b"\x89HDF\r\n\x1a\n", "a Keras model in HDF5"),
        ("a.h5", b"\x89HDF\r\n\x1a\n...keras_version...", "a Keras model"),
        ("a.pt", b"PK\x03\x04\0\0\x08\x08\0\0a/data.pkl", "a PyTorch model"),
        ("a.pth", b"\x80\x02\x8a\nl\xfc\x9cF", "a PyTorch model"),
        ("a.pte", b"\x1c\0\0\0ET12", "an ExecuTorch program"),
        ("a.safetensors", b'\x40\0\0\0\0\0\0\0{"w":{"dtype":"F32"}}', "a safetensors file: weights without a graph"),
        ("a.gguf", b"GGUF\x03\0\0\0", "a GGUF model"),
        ("a.pdmodel", b"\n\x9c\x01\x08\0\x10feed", "a Paddle model"),
        ("__model__", b"\n\x9c\x01\x08\0\x10feed", "a Paddle model"),
        ("a.mlmodel", b"\x08\x04\x12\x40", "a Core ML model"),
        ("a.prototxt", b'name: "x"\nlayer {\n', "a Caffe model"),
        ("a.caffemodel", b"\n\x07AlexNet", "a Caffe model"),
        ("a.engine", b"ptrt\0\0\0\0", "a TensorRT engine"),
        ("a.mnn", b"\x30\0\0\0", "an MNN model"),
        ("a.rknn", b"RKNN\0\0", "an RKNN model"),
        ("a.om", b"IMOD\0\x01", "an Ascend offline model"),
    ],
)
def test_a_model_of_another_format_is_named(name: str, data: bytes, words: str) -> None:
    text = decode(data)[0]
    assert describe(text, f"models/{name}") == f"it is {words}, which irlint does not check"
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"
    other = other_format(name, pointer)
    assert other is not None
    assert other.title == words
    assert "Git LFS pointer" in describe(pointer, name)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("distutils-precedence.pth", b"import os; var = 'SETUPTOOLS_USE_DISTUTILS'"),
        ("tutor.pt", b"=====\n= B e m   v i n d o"),
        ("input_0.pb", b"\x08\x01\x08\x03\x10\x01B\x010"),
        ("data.h5", b"\x89HDF\r\n\x1a\n...dataset..."),
        ("solver.prototxt", b'net: "train.prototxt"\nbase_lr: 0.01\n'),
        ("terraform.plan", b"PK\x03\x04"),
        ("a.param", b"[Global]\nx=1\n"),
        ("a.gguf", b""),
        ("a.bin", b"GGUF"),
    ],
)
def test_an_extension_alone_makes_no_model(name: str, data: bytes) -> None:
    assert other_format(name, decode(data)[0]) is None


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_floats_of_32_bits_are_spelled_in_their_fewest_digits(value: float) -> None:
    assert rounded(shortest(value)) == value
    assert digits(spelled(value)) <= digits(repr(value))


def digits(number: str) -> int:
    """Return how many digits a number has without the zeros around them."""
    return len(Decimal(number).normalize().as_tuple().digits)


@pytest.mark.parametrize("value", [999999995904.0, 16777216.0, 1e20, 3.4028234663852886e38])
def test_large_and_small_floats_are_spelled_in_their_fewest_digits(value: float) -> None:
    assert digits(spelled(rounded(value))) <= digits(repr(value))


def test_values_are_spelled_as_people_write_them() -> None:
    held = rounded(1e-5)
    assert spelled(held) == "1e-05"
    assert spelled([held, 1.0]) == "[1e-05, 1.0]"
    assert spelled("9.9999997473787516e-06") == "1e-05"
    for value in (
        0.1,
        1e-5,
        0.123456789012345,
        7,
        "opset1",
        "1.0.20240101-123",
        [1, 2],
        None,
        "12345678901234",
        [0.5] * 1000,
    ):
        assert value == [0.5] * 1000 or spelled(value) == str(value)
    assert spelled([0.5] * 1000).endswith(", 0.5, ...]")


def test_large_numbers_have_units_next_to_them() -> None:
    assert [amount(n) for n in (999_999, 1_209_010, 7_241_732_096)] == [
        "999,999",
        "1,209,010 (1.21 million)",
        "7,241,732,096 (7.24 billion)",
    ]
    assert [exact_size(n) for n in (1023, 1_258_291)] == ["1023 B", "1.2 MiB (1,258,291 bytes)"]


def test_long_lists_of_numbers_are_folded() -> None:
    numbers = ",".join(["-0.09039462"] * 16)
    assert folded(f"  float[2,32] w = {{{numbers},...}},") == "  float[2,32] w = {-0.09039462,-0.09039462,...},"
    assert folded(f"ints = [{', '.join('1' * 30)}] x") == "ints = [1, 1,...] x"
    assert folded("{1,2,3}") == "{1,2,3}"
    assert len(folded("[" * 50_000 + "1," * 50_000)) == 150_000, "linear"
