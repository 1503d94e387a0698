"""Brackets in brackets in the place of every value, and in every text that is read in its turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from rule_cases.texts import SYMBOL

from fuzz.seeds import examples
from irlint import engine
from irlint.formats.base import all_formats
from irlint.formats.samples import samples

_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"(?![ ]*:)|-?\d+(?:\.\d+)?|true|false|null|\[[^\[\]{}]*\]')
_KEY = re.compile(r'(\w+)"?\s*[:=]\s*[^:=]*\Z')
NESTS = {
    "lists": lambda depth: "[" * depth + "1.5" + "]" * depth,
    "empty lists": lambda depth: "[" * depth + "]" * depth,
    "objects": lambda depth: '{"a":' * depth + "1" + "}" * depth,
    "text": lambda depth: json.dumps("[" * depth + "]" * depth),
    "tuples": lambda depth: json.dumps("(" * depth + "1," + ")" * depth),
    "open tuples": lambda depth: json.dumps("(" * depth),
    "signs": lambda depth: json.dumps("-" * depth + "1"),
}


def places(name: str) -> Iterator[tuple[str, int, int]]:
    """Each kind of value of a format: in a text, from where to where. In JSON there are as many kinds as keys."""
    seen = set()
    own = [
        sample.data for form, sample in samples().items() if form.startswith(f"{name}:") and sample.dialect != "binary"
    ]
    others = [data for data in examples(name) if data.lstrip()[:1] in (b"{", b"[")]
    for text in (data.decode("utf-8", "surrogateescape") for data in (*own, *others)):
        for match in _VALUE.finditer(text):
            key = _KEY.search(text, max(0, match.start() - 200), match.start())
            kind = key[1] if key else "", match[0][0]
            if kind not in seen:
                seen.add(kind)
                yield text, *match.span()


@pytest.mark.parametrize("kind", NESTS)
@pytest.mark.parametrize("form", all_formats())
def test_in_every_place(form: str, kind: str) -> None:
    for text, start, end in places(form):
        for depth in (90, 5000):
            engine.lint(text[:start] + NESTS[kind](depth) + text[end:], as_format=form)


@pytest.mark.parametrize("key", ["__init__", "__shape__", "kernel", "__subgraph_name__"])
@pytest.mark.parametrize("kind", NESTS)
def test_in_attributes(key: str, kind: str) -> None:
    engine.lint(SYMBOL.replace('"__shape__": "(4, 8)"', f'"{key}": {NESTS[kind](5000)}'), "a-symbol.json")
