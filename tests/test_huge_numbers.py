"""Numbers of thousands of digits in every place of every format, and lists that multiply to more than anybody prints."""

from __future__ import annotations

import re

import pytest

from fuzz.seeds import examples
from irlint import engine
from irlint.formats.base import all_formats
from irlint.formats.openvino.reading.opsets import parse_release
from irlint.formats.samples import samples
from irlint.text.numbers import integer, told

LISTING = "0 nn.conv2d ['data', 'w']\n1 nn.relu [0]\n2 add [1, 'b']\n"
EVENT = '{"nodeID": "w", "name": "w", "dtype": "float32", "shape": [3, 3], "size": 36, "duration": 0.5, "session": 1}\n'
PARAM = "7767517\n2 2\nInput a 0 1 a 0=8 1=8 2=3\nConvolution b 1 1 a b 0=4 1=3 -23330=4,3,6,6,4 6=108 9=2 -23310=1,1.5e-1\n"
PNNX = (
    "7767517\n2 2\npnnx.Input a 0 1 0 #0=(1,3,8,8)f32\n"
    "nn.Conv2d b 1 1 0 1 bias=False kernel_size=(3,3) eps=1.5e-1 @weight=(4,3,3,3)f32 #1=(1,4,6,6)f32\n"
)
SAMPLES = {form: sample.data.decode() for form, sample in samples().items() if form != "onnx:binary"}
SAMPLES |= {"glacier:listing": LISTING, "glacier:events": EVENT, "ncnn:param": PARAM, "pnnx:graph": PNNX}
NUMBERS = [
    "9" * 5000,
    "9" * 5000 + " {",
    "-" + "9" * 5000,
    "9" * 4000,
    "0" * 5000 + "1",
    "18446744073709551616",
    "1e999",
    "²",
    "٣",
]
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LIST = re.compile(r'(?<=[\[(=" ])\d+(?:, ?\d+)*(?=[\])",])')


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: f"{number[:2]}-{number[-1]}-{len(number)}")
@pytest.mark.parametrize("form", SAMPLES)
def test_in_every_place(form: str, number: str) -> None:
    text = SAMPLES[form]
    for match in _NUMBER.finditer(text):
        result = engine.lint(text[: match.start()] + number + text[match.end() :], as_format=form)
        assert all(0 <= f.span.start <= f.span.end for f in result.findings)


@pytest.mark.parametrize("number", NUMBERS[:4], ids=lambda number: f"{number[:2]}-{number[-1]}-{len(number)}")
@pytest.mark.parametrize("form", all_formats())
def test_in_the_rules_examples(form: str, number: str) -> None:
    for text in (example.decode("utf-8", "surrogateescape") for example in examples(form)[::3]):
        places = list(_NUMBER.finditer(text))
        for match in places[:: len(places) // 8 + 1]:
            engine.lint(text[: match.start()] + number + text[match.end() :], as_format=form)


@pytest.mark.parametrize("item", ["9223372036854775807", "2147483647", "1", "0"])
@pytest.mark.parametrize("form", SAMPLES)
def test_long_shapes(form: str, item: str) -> None:
    text = SAMPLES[form]
    for match in _LIST.finditer(text):
        engine.lint(text[: match.start()] + ", ".join([item] * 500) + text[match.end() :], as_format=form)


def test_many_findings_in_one_line_cost_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from irlint.text.listing import document as listing

    read = 0

    class Counting(listing.LineReader):
        def read(self, number: int) -> listing.ListingRow:
            nonlocal read
            read += 1
            return super().read(number)

    monkeypatch.setattr(listing, "LineReader", Counting)
    result = engine.lint("2 " * 1000, as_format="glacier:listing")
    assert len(result.findings) > 1000
    assert read < 10


def test_releases_of_any_length() -> None:
    assert parse_release("²") is None
    assert parse_release("9" * 5000 + ".1") is not None


def test_numbers_in_messages() -> None:
    assert [told(n) for n in (0, -7, 1 << 200)] == ["0", "-7", str(1 << 200)]
    assert told(-(10**5000)) == "-2^16609 or more"
    assert integer("-" + "9" * 5000) == -integer("9" * 5000)
