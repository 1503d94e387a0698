"""What a file says beside its graph, entry by entry: of the model and of each node."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import NoneType
from typing import Any

from irlint.formats.base import by_name
from irlint.graph import Node
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Path, Span
from irlint.text.floats import spelled
from irlint.text.members import Member
from irlint.text.numbers import told
from irlint.tools.same_bytes import same_bytes

Labels = tuple[str, ...]
Entries = dict[Labels, Any]

_MANY = 20  # numbers of a list that are shown
_NONE = object()
_PLAIN = (str, int, float, bool, bytes, NoneType)
_DIGITS = re.compile(r"[0-9]+")


class EntryChange(NamedTuple):
    """An entry that differs. `role` is what the format says that it is for; texts are None where there is no such entry."""

    labels: Labels
    role: str
    old: str | None
    new: str | None

    @property
    def key(self) -> str:
        return " ".join(self.labels)


class WrittenEntries:
    """The entries of one file, by the node that they belong to."""

    def __init__(self, model: Model) -> None:
        self.document = model.document
        format_ = by_name(model.format)
        assert format_ is not None
        self.naming = format_.naming
        graph = model.graph
        nodes = [node for each in graph.walk() for node in each.nodes]
        nodes.sort(key=lambda node: node.kind == "call")
        self._nodes = {node.path: id(node) for node in nodes}  # of several nodes that one part tells of the call
        self._at: dict[Path, Any] = {}  # what is written of nodes, as far as the walk has come
        self._values = {value.name: id(node) for node in graph.nodes for value in node.outputs if value.name}
        self._later = {value.name: f"#{k}" for node in graph.nodes for k, value in enumerate(node.outputs, 1) if k > 1}
        self._named: dict[int, Entries] = {}  # what lists of values say of the outputs of nodes
        try:
            root = self.document.root_value()
        except LookupError:
            root = None
        self.model: Entries = {}
        for owner, labels, value in self._leaves(root, (), self._owner):
            (self._named.setdefault(owner, {}) if owner else self.model)[labels] = value

    def are_one(self, node: Node, others: WrittenEntries, now: Node) -> bool:
        """Return whether it is plain without a look at entries that the other file writes just the same of a node."""
        if node.graphs or id(node) in self._named or id(now) in others._named:
            return False
        was, is_ = self._at.get(node.path), others._at.get(now.path)
        if isinstance(was, Span) and isinstance(is_, Span):
            was, is_ = (of.document.text[at.start : at.end].strip() for of, at in ((self, was), (others, is_)))
        return is_ is not None and _are_one(was, is_)

    def of(self, node: Node) -> Entries:
        """Return the entries of a node; of a node in the graph of another, once those of that have been asked for."""
        if node.path not in self._at or self._nodes[node.path] != id(node):
            return {}
        found = {labels: value for _, labels, value in self._leaves(self._at[node.path], node.path, lambda member: 0)}
        return {**found, **self._named.get(id(node), {})}

    def _owner(self, member: Member) -> int:
        """Return which node an entry of a list of values belongs to; 0 if it is none of them."""
        return self._values.get(member.label, 0) if isinstance(member.value, dict) else 0

    def _leaves(self, value: Any, path: Path, owner_of: Callable[[Member], int]) -> Iterator[tuple[int, Labels, Any]]:
        """Yield the scalars in a value, and lists of scalars, but for those of nodes in it."""
        stack: list[tuple[int, Labels, Path, Any]] = [(0, (), path, value)]
        while stack:
            owner, labels, at, value = stack.pop()
            inner = None if _is_leaf(value) else list(self.document.members(value, self.naming))
            if not inner:
                if labels[-2:-1] != (value,):  # an entry's name is its label
                    yield owner, labels[:-1] if labels[-1:] in (("value",), ("text",)) else labels, value
                continue
            for member in reversed(inner):
                place = (*at, member.step)
                if place in self._nodes:
                    self._at[place] = member.value
                    continue
                mine = owner or owner_of(member)
                which = filter(None, (self._later.get(member.label),))  # of several outputs
                own = (" ".join((*labels, *which)),) if mine != owner else (*labels, member.label)
                stack.append((mine, own, place, member.value))


def _are_one(was: Any, now: Any) -> bool:
    """Return whether two values are plain data and the same, of the same types."""
    stack = [(was, now)]
    while stack:
        was, now = stack.pop()
        kind = type(was)
        if kind is not type(now):
            return False
        if kind is dict:
            if was.keys() != now.keys():
                return False
            stack.extend((value, now[key]) for key, value in was.items())
        elif kind is list:
            if len(was) != len(now):
                return False
            stack.extend(zip(was, now, strict=True))
        elif kind is memoryview:
            if not same_bytes(was, now):
                return False
        elif kind not in _PLAIN or _comparable(was) != _comparable(now):
            return False
    return True


def _is_leaf(value: Any) -> bool:
    """Return whether a value is a list of scalars, which is shown as one."""
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return not any(isinstance(part, (dict, list, tuple)) for part in value)
    return False


def entry_changes(before: Entries, after: Entries, roles: Mapping[str, str]) -> Iterator[EntryChange]:
    """Yield the entries that differ."""
    for labels in dict.fromkeys((*before, *after)):
        was, now = before.get(labels, _NONE), after.get(labels, _NONE)
        if _differ(was, now):
            role = next(filter(None, (_role(label, roles) for label in reversed(labels))), "")
            yield EntryChange(labels, role, _text(was), _text(now))


def _differ(was: Any, now: Any) -> bool:
    """Return whether two entries differ; an empty text says as little as none."""
    if was is _NONE or now is _NONE:
        return not isinstance(said := now if was is _NONE else was, str) or bool(said)
    if isinstance(was, memoryview) and isinstance(now, memoryview):
        return not same_bytes(was, now)
    return bool(_comparable(was) != _comparable(now))


def _role(label: str, roles: Mapping[str, str]) -> str | None:
    """Return what an entry is for by one of its labels: without the number of one that several entries have, or by its sign."""
    return roles.get(label.partition(" #")[0]) or roles.get(label[:1])


def _comparable(value: Any) -> Any:
    """Return a value that equals another only if both are of one type."""
    if isinstance(value, (list, tuple)):
        return [*map(_comparable, value)]
    if isinstance(value, float):
        return repr(value)
    return (type(value), value) if isinstance(value, (bool, int)) else value if _is_scalar(value) else type(value)


def _is_scalar(value: Any) -> bool:
    return value is None or value is _NONE or isinstance(value, (str, bytes, memoryview, bool, int, float))


def _text(value: Any) -> str | None:
    if value is _NONE:
        return None
    if isinstance(value, (bytes, memoryview)):
        return f"{len(value):,} bytes" if len(value) > _MANY else bytes(value).decode("utf-8", "replace")
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(str, map(_text, value[:_MANY])))}{', ...' if len(value) > _MANY else ''}]"
    if isinstance(value, int) and not isinstance(value, bool):
        return told(value)
    return spelled(value) if _is_scalar(value) else ""


def differ_in_numbers(old: str | None, new: str | None) -> bool:
    """Return whether two names differ in their numbers only, as those do that a program counts."""
    return old is not None and new is not None and _DIGITS.sub("0", old) == _DIGITS.sub("0", new)
