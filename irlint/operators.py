"""Operator tables: a dialect's operators, their inputs, outputs and attributes, read lazily from schemas/operators/."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from irlint import work
from irlint.records import dataclass, field
from irlint.tools.installed import read_text

_FEW = 64  # words that any number of others is compared with


@dataclass(slots=True)
class Attribute:
    """One attribute of an operator. `kind` is a word of the dialect's value grammar: bool, int, shape..."""

    name: str
    kind: str
    required: bool = False
    default: Any = None
    values: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)  # what else the table says: bounds, lengths, dialect matters

    @property
    def label(self) -> str:
        """What a name that is a number means; empty for a name that says so itself."""
        return str(self.facts.get("label", ""))

    @property
    def meanings(self) -> dict[str, str]:
        """What values that are numbers mean."""
        found: dict[str, str] = self.facts.get("words", {})
        return found


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
    known: dict[Any, Any] = field(default_factory=dict, compare=False)  # what checks have worked out of it


def is_needed(port: Port) -> bool:
    return port.kind in ("required", "variadic")


def is_variadic(port: Port) -> bool:
    return port.kind.startswith("variadic")


def bounds(ports: Sequence[Port]) -> tuple[int, int | None]:
    """Return how many an operator takes at least and at most (None: any number), whatever its attributes are."""
    return sum(map(is_needed, ports)), None if any(map(is_variadic, ports)) else len(ports)


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
        if name not in self:
            return None
        record = self.record(self._aliases.get(name, name))
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

    def record(self, name: str) -> dict[str, Any]:
        """Return what the table says of an operator: of a version what differs from the one that it is made of, and all else of that."""
        found = self._records[name]
        record: dict[str, Any] = json.loads(found) if isinstance(found, str) else found
        return {**self.record(record["of"]), **_rest(record, "of")} if "of" in record else record

    @cached_property
    def names(self) -> list[str]:
        return sorted({*self._records, *self._aliases})

    def nearest(self, name: str) -> str | None:
        return self._nearest(name) if work.compares(name) else None

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - tables live as long as the process
    def _nearest(self, name: str) -> str | None:
        from irlint.tools.names import nearest as found

        return found(name, self.names)


def table_of(name: str, path: str) -> OperatorTable:
    """Return the table of a plug-in, operators.json next to its module at a path."""
    return OperatorTable(name, json.loads(Path(path).with_name("operators.json").read_text("utf-8")))


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


def titled(text: str, meaning: str) -> str:
    """Return a name or a value with what it means."""
    return f"{text} ({meaning})" if meaning else text


def nearest(word: str, words: list[str] | tuple[str, ...]) -> str | None:
    """Return the word that was probably meant; see likeness.py."""
    from irlint.tools.names import nearest as found  # only files with a misspelt word need it

    return found(word, words) if len(words) <= _FEW or work.compares(word) else None
