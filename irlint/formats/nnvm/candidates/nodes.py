"""A node under repair, and other operators for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from irlint.findings import Candidate
from irlint.operators import Operator, OperatorTable, nearest
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.json import JsonDocument

_HOLDERS = ("attrs", "attr", "param")  # what the keys of attributes have been called
_MOST = 40  # operators that are tried
_INTERNAL = ("_backward", "_np", "_sg_", "_copyto", "_grad", "_identity_with")
_SHORT = {
    "Convolution": "conv",
    "FullyConnected": "fc",
    "Pooling": "pool",
    "BatchNorm": "bn",
    "SoftmaxOutput": "softmax",
    "Concat": "concat",
}


class Site:
    """One node of a graph, and the nodes around it."""

    def __init__(self, model: Model, document: JsonDocument, nodes_path: Path, nodes: list[Any], index: int) -> None:
        assert model.operators is not None
        self.model, self.document, self.table = model, document, model.operators
        self.nodes, self.index = nodes, index
        self.nodes_path = nodes_path
        self.path: Path = (*nodes_path, index)
        self.node: dict[str, Any] = nodes[index]

    @property
    def op(self) -> str:
        return _text(self.node.get("op"))

    @property
    def name(self) -> str:
        return _text(self.node.get("name"))

    @cached_property
    def holder(self) -> str:
        """The key of the node's attributes: old files have several, of which one is empty."""
        held = [key for key in _HOLDERS if isinstance(self.node.get(key), dict)]
        return next((key for key in held if self.node[key]), held[0] if held else "attrs")

    @property
    def attrs(self) -> dict[str, Any]:
        found = self.node.get(self.holder)
        return found if isinstance(found, dict) else {}

    @property
    def own(self) -> set[str]:
        """The attributes that are the operator's, not those that tools keep there."""
        return {key for key in self.attrs if not key.startswith("__")}

    @property
    def operator(self) -> Operator | None:
        return self.table.get(self.op)

    @property
    def entries(self) -> list[Any]:
        found = self.node.get("inputs")
        return found if isinstance(found, list) else []

    @cached_property
    def read(self) -> set[tuple[int, int]]:
        """The outputs that some node reads."""
        return {(e[0], e[1]) for e in entries_of(self.nodes) if len(e) > 1 and _are_numbers(e)}

    @cached_property
    def width(self) -> int:
        """How many numbers an entry has in this file: old ones leave the version out."""
        return 2 if any(len(entry) == 2 for entry in entries_of(self.nodes)) else 3

    def siblings(self, op: str) -> list[dict[str, Any]]:
        """The attributes of other nodes of an operator."""
        nodes = (node for k, node in enumerate(self.nodes) if k != self.index and isinstance(node, dict))
        found = [node for node in nodes if node.get("op") == op]
        return [held for node in found for key in _HOLDERS if isinstance(held := node.get(key), dict) and held]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def entries_of(nodes: list[Any]) -> Iterator[list[Any]]:
    """What the nodes read, as far as it is written as entries."""
    lists = (node.get("inputs") for node in nodes if isinstance(node, dict))
    return (entry for entries in lists if isinstance(entries, list) for entry in entries if isinstance(entry, list))


def _are_numbers(entry: list[Any]) -> bool:
    return all(type(number) is int for number in entry)


def key_candidates(site: Site, key: str) -> Iterator[Candidate]:
    """Yield other names for a key of a node, and its removal."""
    for meant in (*_HOLDERS, "inputs", "op", "name"):
        if meant not in site.node:
            close = nearest(key, [meant]) is not None
            yield Candidate(
                f"Rename to `{meant}`", site.document.rename_key((*site.path, key), meant), 0 if close else 2
            )
    yield Candidate(f"Remove key `{key}`", site.document.remove((*site.path, key)), 1)


def operator_candidates(site: Site) -> Iterator[Candidate]:
    """Yield operators that take exactly the attributes and inputs of a node, and `null` for a variable."""
    given, count = site.own, len(site.entries)
    if not site.entries and site.op != "null" and not given:
        yield _of_operator(site, "null", 0)
    if site.op in site.table and not given:
        return
    used = _used(site)
    close = nearest(site.op, site.table.names) if site.op else None
    found = []
    for name in _operators(site.table, used):
        operator = site.table.get(name)
        if operator is None or name == site.op or not _takes(operator, given, count):
            continue
        likelihood = 0 if name == close or name in used else 1 if is_named(site.name, name) else 2
        found.append((likelihood, len(operator.attributes), name))
    is_guess = not given or len(found) > _MOST  # any operator of the kind will do
    for likelihood, _, name in sorted(found)[:_MOST]:
        yield _of_operator(site, name, likelihood, is_guess)


def _of_operator(site: Site, name: str, likelihood: int, is_guess: bool = False) -> Candidate:
    document = site.document
    if "op" in site.node:
        return Candidate(f"Set `op` to `{name}`", document.write(Place((*site.path, "op")), name), likelihood, is_guess)
    edits = document.insert_member(site.path, "op", document.dump(name))
    return Candidate(f"Insert `op` with `{name}`", edits, likelihood, is_guess)


def _operators(table: OperatorTable, used: set[str]) -> list[str]:
    """The operators of a table, each by one name: the one that the file uses, else its own. None for internal use only."""
    names = {operator.name: name for name in used if (operator := table.get(name)) is not None}
    for name in table.names:
        operator = table.get(name)
        if operator is not None and operator.name == name and not name.startswith(_INTERNAL):
            names.setdefault(name, name)
    return list(names.values())


def _used(site: Site) -> set[str]:
    """Operators of other nodes with the same attributes."""
    given = site.own
    nodes = (node for node in site.nodes if isinstance(node, dict) and node is not site.node)
    return {
        _text(node.get("op"))
        for node in nodes
        if given and any(isinstance(held := node.get(key), dict) and set(held) == given for key in _HOLDERS)
    }


def is_named(name: str, operator: str) -> bool:
    """Whether a node seems to be named for an operator: conv0, fc1_fwd, relu0, foreach0."""
    plain = operator.lower().strip("_")
    short = _SHORT.get(operator, plain)
    return len(plain) > 2 and (plain in name.lower() or short in name.lower())


def _takes(operator: Operator, given: set[str], count: int) -> bool:
    needed = {name for name, attribute in operator.attributes.items() if attribute.required}
    if not needed <= given or not given <= set(operator.attributes):
        return False
    kinds = [port.kind for port in operator.inputs]
    least = sum(
        kind == "required" and not (port.facts.get("when") or port.facts.get("state"))
        for port, kind in zip(operator.inputs, kinds, strict=True)
    )
    return least <= count and (count <= len(kinds) or any(kind.startswith("variadic") for kind in kinds))
