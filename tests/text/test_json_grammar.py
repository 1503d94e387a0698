"""Classes of JSON text that every reader has to take, and that every reader has to refuse."""

from __future__ import annotations

import json
from itertools import product

import pytest

from irlint.text.json.document import JsonDocument
from irlint.text.json.options import STRICT

NUMBERS = [
    "0",
    "-0",
    "1",
    "-1",
    "10",
    "0.5",
    "-0.1",
    "1e3",
    "1E3",
    "1e+3",
    "1e-3",
    "1.5e2",
    "0e1",
    "123456789.25",
    "1e-400",
]
STRINGS = [
    '""', '"a"', '"\\""', '"\\\\"', '"\\/"', '"\\b\\f\\n\\r\\t"', '"\\u00e9"', '"\\uD83D\\uDE80"', '"\\u0000"', '"é"', '"🚀"',
    '"\u2028\u2029"', '"\x7f"', '"//"', '"/* */"', '"[{"', '"\\u005C"', '"\ufffe"', '"\\uFDD0"',
]  # fmt: skip
CONSTANTS = ["true", "false", "null"]
SCALARS = [*NUMBERS, *STRINGS, *CONSTANTS]
CONTAINERS = [
    "[]",
    "{}",
    "[ ]",
    "{ }",
    "[[]]",
    "[{}]",
    '{"a":[]}',
    '{"":0}',
    '{"a":{"b":{}}}',
    "[1,2]",
    '{"a":1,"b":2}',
]
BLANKS = ["", " ", "\n", "\r\n", "\t", " \t\r\n "]

GOOD = [
    *SCALARS,
    *CONTAINERS,
    *(f"{b}{v}{b}" for b, v in product(BLANKS, ("1", '"a"', "[1]", '{"a":1}'))),
    *(f"[{v}]" for v in SCALARS),
    *(f"[{v}{b},{b}{v}]" for v, b in product(("1", '"a"', "[]", "null"), BLANKS)),
    *(f'{{"k"{b}:{b}{v}}}' for v, b in product(("1", '"a"', "[]", "{}"), BLANKS)),
    "[" * 500 + "]" * 500,
    '{"a":' * 400 + "1" + "}" * 400,
    json.dumps({"k" + str(i): [i, {"x": None}] for i in range(50)}, indent=3),
]

BAD_NUMBERS = [
    "01",
    "-01",
    "1.",
    ".5",
    "-.5",
    "+1",
    "1e",
    "1e+",
    "1.e1",
    "0x10",
    "--1",
    "1_000",
    "1e1.5",
    "Infinity",
    "NaN",
    "-Infinity",
    "- 1",
]
BAD_STRINGS = [
    '"a',
    "'a'",
    '"\\x41"',
    '"\\u12"',
    '"\\u12G4"',
    '"\\"',
    '"a\nb"',
    '"a\tb"',
    '"\x00"',
    '"\x1f"',
    '"\\a"',
    '"\\',
    "\"a'",
    '"\\ud800"',
    '"\\udc00"',
    '"\\ud800\\u0041"',
    "“a”",
]
BAD_WORDS = ["True", "TRUE", "nul", "tru", "nulll", "undefined", "a", "None", "truefalse"]
BAD_BRACKETS = [
    "[",
    "]",
    "{",
    "}",
    "[}",
    "{]",
    "[1}",
    '{"a":1]',
    "[[]",
    "[]]",
    "{{}}",
    "[1",
    '{"a":1',
    '{"a":',
    '{"a"',
    "[,]",
    "[1,",
    "[",
    "[[1]",
]
BAD_SEPARATORS = [
    "[1,]",
    "[,1]",
    "[1,,2]",
    "[1 2]",
    '["a" "b"]',
    "[1;2]",
    '{"a":1,}',
    '{"a" 1}',
    '{"a"::1}',
    '{"a":1 "b":2}',
    '{,"a":1}',
    "{1:2}",
    "{a:1}",
    "{'a':1}",
    '{"a"}',
    '{"a":}',
    "{:1}",
    '["a":1]',
    '{"a"=1}',
    '{"a":1,,"b":2}',
    '{"a":1;"b":2}',
    "[1:2]",
    "{[]:1}",
    '{"a":1, 2}',
]
BAD_TRAILERS = [
    "1 2",
    "[] []",
    "{} x",
    "[1]]",
    '{"a":1}}',
    '"a""b"',
    "[] // c",
    "/* c */ []",
    "[1] # c",
    "[1]\0",
    "nullnull",
]
BAD_EMPTY = ["", " ", "\n\n", "\ufeff", "\t"]
BAD_BLANKS = ["[\x0b1]", "[\x0c1]", "[\u00a01]", "[\u20601]", "\u3000[]"]
BAD = [
    *(f"[{n}]" for n in BAD_NUMBERS),
    *BAD_STRINGS, *(f"[{s}]" for s in BAD_STRINGS), *(f'{{"k": {s}}}' for s in BAD_STRINGS),
    *BAD_WORDS, *(f"[{w}]" for w in BAD_WORDS),
    *BAD_BRACKETS, *BAD_SEPARATORS, *BAD_TRAILERS, *BAD_EMPTY, *BAD_BLANKS,
    "\ufeff[]", "[\udcff]", '["\udce9"]', "\udcff", "[" * 100_000, '[{"a":' * 50_000, "]" * 1000,
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD, ids=lambda text: repr(text)[:40])
def test_good(text: str) -> None:
    document = JsonDocument.parse(text)
    assert not [t for t in document.troubles if t.level != "info"]
    assert document.value == json.loads(text)


@pytest.mark.parametrize("text", BAD, ids=lambda text: repr(text)[:40])
def test_bad(text: str) -> None:
    document = JsonDocument.parse(text, options=STRICT)
    assert document.troubles
    for trouble in document.troubles:
        assert 0 <= trouble.span.start <= trouble.span.end <= len(text)
        assert trouble.message
    assert len(document.troubles) <= 4, "one slip, one report"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("[1,]", 2), ("[1 2]", 3), ('{"a" 1}', 5), ("[01]", 1), ("[nul]", 1), ('["a]', 1), ("[1}", 2), ('{"a":1,}', 6),
        ('{"a":}', 5), ("{a:1}", 1), ("[] []", 3), ("[\udcff]", 1), ('["\\x41"]', 2), ("[1,,2]", 3), ("[NaN]", 1),
    ],
)  # fmt: skip
def test_the_exact_token(text: str, at: int) -> None:
    assert min(t.span.start for t in JsonDocument.parse(text).troubles) == at


@pytest.mark.parametrize("digits", [20, 400, 4300, 4301, 5000, 100_000])
def test_long_integers_keep_their_digits(digits: int) -> None:
    document = JsonDocument.parse(f'{{"a": {"9" * digits}}}')
    assert [t.rule.name for t in document.troubles] == ["number-out-of-range"]
    if digits <= 4300:
        assert document.value["a"] == 10**digits - 1
    assert len(str(document.value["a"])) >= min(digits, 4300)


def test_monsters_are_answered() -> None:
    for text in (
        "[" * 1_000_000,
        "[" * 1_000_000 + "]" * 1_000_000,
        '{"a":' * 300_000,
        " " * 10_000_000,
        '"' + "a" * 5_000_000,
        "[" + "1," * 500_000,
        "," * 200_000,
        '"\\' * 200_000,
        "[1 " * 100_000,
        "{" * 200_000,
        '{"a" ' * 100_000,
        "/*" * 100_000,
        "'" * 100_000,
    ):
        assert JsonDocument.parse(text).troubles
