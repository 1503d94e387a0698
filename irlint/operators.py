"""Operator tables: a dialect's operators, their inputs, outputs and attributes, read lazily from schemas/operators/."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from typing import Any

from irlint.records import dataclass, field
from irlint.resources import read_text


@dataclass(slots=True)
class Attribute:
    """One attribute of an operator. `kind` is a word of the dialect's value grammar: bool, int, shape..."""

    name: str
    kind: str
    required: bool = False
    default: Any = None
    values: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)  # what else the table says: bounds, lengths, dialect matters


@dataclass(slots=True)
class Port:
    """One input or output. kind: required, optional, variadic (one or more), variadic0 (any number)."""

    name: str
    kind: str = "required"
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Operator:
    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    attributes: dict[str, Attribute]
    doc: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


def _rest(record: dict[str, Any], *known: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in known}


def _port(record: dict[str, Any]) -> Port:
    return Port(record["name"], record.get("kind", "required"), _rest(record, "name", "kind"))


def _attribute(record: dict[str, Any]) -> Attribute:
    return Attribute(
        record["name"],
        record["kind"],
        record.get("required", False),
        record.get("default"),
        tuple(record.get("values", ())),
        _rest(record, "name", "kind", "required", "default", "values"),
    )


class OperatorTable:
    """The operators of one dialect; a record becomes an Operator when it is first asked for."""

    def __init__(self, name: str, raw: dict[str, Any]) -> None:
        self.name = name
        self.raw = raw
        self._records: dict[str, dict[str, Any] | str] = raw["operators"]
        self._aliases = {alias: name for name, record in self._records.items() for alias in _aliases(record)}
        self._built: dict[str, Operator] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._records or name in self._aliases

    def get(self, name: str) -> Operator | None:
        if (built := self._built.get(name)) is not None:
            return built
        record = self._records.get(self._aliases.get(name, name))
        if record is None:
            return None
        if isinstance(record, str):
            record = json.loads(record)
        operator = Operator(
            self._aliases.get(name, name),
            tuple(map(_port, record.get("inputs", ()))),
            tuple(map(_port, record.get("outputs", ()))),
            {a["name"]: _attribute(a) for a in record.get("attributes", ())},
            record.get("doc", ""),
            _rest(record, "inputs", "outputs", "attributes", "doc"),
        )
        self._built[name] = operator
        return operator

    @cached_property
    def names(self) -> list[str]:
        return sorted({*self._records, *self._aliases})

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - tables live as long as the process
    def nearest(self, name: str) -> str | None:
        return nearest(name, self.names)


@cache
def table(name: str) -> OperatorTable:
    """The table schemas/operators/NAME.json."""
    return OperatorTable(name, _unread(read_text(f"operators/{name}.json")))


def _unread(text: str) -> dict[str, Any]:
    """What a table's file says. Where each operator stands on a line of its own, they are texts: a model has few of them."""
    before, found, lines = text.partition('"operators": {\n"')
    if not found:
        facts: dict[str, Any] = json.loads(text)
        return facts
    parts = [line.partition('": {') for line in lines.split("\n")]
    records = {name.removeprefix('"'): "{" + record.removesuffix(",") for name, is_one, record in parts if is_one}
    return {**json.loads(before + '"operators": {}}'), "operators": records}


def _aliases(record: dict[str, Any] | str) -> Iterable[str]:
    if not isinstance(record, str):
        return tuple(record.get("aliases", ()))
    if not record.startswith('{"aliases":["'):
        return ()
    return record[13 : record.index('"]')].split('","')


_CLOSE = 0.72  # how alike words are of which one may be meant for the other


@lru_cache(maxsize=1 << 16)
def _letters(text: str) -> int:
    """The letters of a word, as bits."""
    bits = 0
    for char in text:
        bits |= 1 << (ord(char) & 127)
    return bits


@lru_cache(maxsize=1 << 16)
def _plain(text: str) -> str:
    return text.replace("_", "").replace("-", "").replace(".", "").casefold()


def nearest(word: str, words: list[str] | tuple[str, ...]) -> str | None:
    """The word that was probably meant: equal but for case, separators and namespace, else the closest, if close."""
    key = _plain(word)
    for candidate in words:
        if _plain(candidate) == key:
            return candidate
    if spaced := [word for word in words if "." in word and _plain(word.rpartition(".")[2]) == key]:
        return min(spaced, key=len)  # only its namespace is missing
    if not 2 <= len(word) <= 100:
        return None
    mine, size = _letters(word), len(word)

    def may_be_close(other: str) -> bool:
        """Whether the letters that only one of the two has leave enough that may be alike."""
        both = size + len(other)
        return abs(size - len(other)) <= 4 and both - (mine ^ _letters(other)).bit_count() >= _CLOSE * both

    candidates = [other for other in words if may_be_close(other)]
    if not candidates:
        return None
    from difflib import get_close_matches

    close = get_close_matches(word, candidates, n=1, cutoff=_CLOSE)
    return close[0] if close else None
