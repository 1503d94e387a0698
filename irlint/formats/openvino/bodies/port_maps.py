"""Port maps of If, Loop and TensorIterator: their entries, and the layer and body that they connect."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from irlint.findings import Problem
from irlint.formats.openvino.reading.layers import IrLayer, unsigned
from irlint.formats.openvino.reading.opsets import meaning
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.formats.openvino.state import LayerAt
from irlint.graph import Node, label
from irlint.records import NamedTuple
from irlint.text.base import Path, Place
from irlint.text.xml.tree import Element

MAPS = {"then_body": "then_port_map", "else_body": "else_port_map", "body": "port_map"}  # by the tag of a body
_DEFAULTS = {"start": 0, "end": -1, "stride": 1, "part_size": 1}  # of a sliced or joined value; its axis has none


class MapEntry(NamedTuple):
    """One `<input>` or `<output>` of a port map, with ids in canonical form; None if they cannot be read."""

    path: Path
    side: str
    external: str | None
    internal: str | None
    element: Element

    @property
    def axis(self) -> str | None:
        return self.element.get("axis")

    @property
    def purpose(self) -> str | None:
        return self.element.get("purpose")

    def place(self, part: str = "tag") -> Place:
        return Place(self.path, part)

    def number(self, name: str) -> int | None:
        """Return what an entry says of its slices; None if it cannot be read."""
        try:
            return int(self.element.get(name) or str(_DEFAULTS.get(name, "")))
        except ValueError:
            return None

    @property
    def unusual(self) -> str:
        """Return the part of an entry that differs from the usual."""
        unusual = (f"@{name}" for name, usual in _DEFAULTS.items() if self.element.get(name) not in (None, str(usual)))
        return next(unusual, "tag")


def port_map(layer: IrLayer, tag: str, path: Path = ()) -> list[MapEntry]:
    """Return the entries of a port map of a layer at a path."""
    maps = layer.parts.steps(tag)[:1]
    return [_entry(child, (*path, step, k)) for step, element in maps for k, child in element.steps("input", "output")]


def _entry(element: Element, path: Path) -> MapEntry:
    external = element.get("external_port_id")
    is_negative = external is not None and external.strip() == "-1"
    number = "-1" if is_negative else unsigned(external)
    return MapEntry(path, element.tag, number, unsigned(element.get("internal_layer_id")), element)


def entry_into(owner: LayerAt, inner: LayerAt) -> MapEntry | None:
    """Return the entry that feeds a Parameter in a body of a layer."""
    entries = port_map(owner.layer, MAPS[inner.section.element.tag], owner.node.path)
    return next((e for e in entries if e.side == "input" and e.internal == inner.layer.id), None)


class PortMap:
    """The port map of one body of a layer."""

    def __init__(self, owner: LayerAt, body: IrSection) -> None:
        self.owner, self.body = owner, body
        self.node, self.layer, self.who = owner.node, owner.layer, label(owner.node)
        self.entries = port_map(owner.layer, MAPS[body.element.tag], owner.node.path)

    @cached_property
    def inputs(self) -> list[MapEntry]:
        return [entry for entry in self.entries if entry.side == "input"]

    @cached_property
    def outputs(self) -> list[MapEntry]:
        return [entry for entry in self.entries if entry.side == "output"]

    def problem(self, at: Place, message: str, **more: Any) -> Problem:
        return Problem(R.body_mapping, at, message, self.node.name, **more)

    def inner(self, number: str | None) -> Node | None:
        """Return the layer of the body with that id."""
        index = self.body.by_id.get(number)
        return None if index is None else self.body.graph.nodes[index]

    def inner_place(self, node: Node, part: str = "node") -> Place:
        return self.body.graph.place(node, part)

    def is_reported(self, number: str | None) -> bool:
        """Return whether a layer of the body, or its absence, has a finding; one of unknown type does matter."""
        found = self.inner(number)
        if found is None:
            return number in self.body.lost
        if found.op and meaning(found.op, found.version).operation is not None:
            return False
        self.body.live[found.index] = 1
        return True

    def misfit(self, number: str, kind: str, where: str) -> str:
        """Return what is said of an id that is not one of a Parameter or Result of the body."""
        found = self.inner(number)
        if found is None:
            return f"undefined layer id {number} {where}"
        return f"expected a {kind} for layer id {number} {where}, got {label(found)}"

    def gap(self, side: str, number: str | None) -> list[tuple[str, Place]]:
        """Return where an entry for a port is expected: before that of the next port, or after the last of its side."""
        own = self.inputs if side == "input" else self.outputs
        numbers = [-1 if entry.external is None else int(entry.external) for entry in own]
        later = [entry for entry, other in zip(own, numbers, strict=True) if number is not None and other > int(number)]
        if later:
            return [("expected an entry before this one", later[0].place())]
        last = own or self.inputs
        return [("expected an entry after this one", last[-1].place())] if last else []
