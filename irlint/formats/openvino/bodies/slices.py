"""Port maps of Loop and TensorIterator: their entries, and whether their slices match the body and each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from irlint.findings import Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.layers import Layer, unsigned
from irlint.graph import Node, Shape, label
from irlint.records import NamedTuple
from irlint.text.base import Path, Place
from irlint.text.numbers import integer
from irlint.text.words import count
from irlint.text.xml.tree import Element

_DEFAULTS = {"start": 0, "end": -1, "stride": 1, "part_size": 1}


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


def port_map(element: Element, path: Path) -> list[MapEntry]:
    entries = []
    for k, child in enumerate(element.children):
        if isinstance(child, Element) and child.tag in ("input", "output"):
            external = child.get("external_port_id")
            negative = external is not None and external.strip() == "-1"
            entries.append(
                MapEntry(
                    (*path, k),
                    child.tag,
                    "-1" if negative else unsigned(external),
                    unsigned(child.get("internal_layer_id")),
                    child,
                )
            )
    return entries


_MAPS = {"then_body": "then_port_map", "else_body": "else_port_map"}


def fed_by(layer: Layer, body: Element, internal: str | None) -> str | None:
    """Return the id of the input port that feeds a Parameter of a body."""
    found = None if layer.element is None else layer.element.child(_MAPS.get(body.tag, "port_map"))
    if found is None:
        return None
    return next((e.external for e in port_map(found, ()) if e.side == "input" and e.internal == internal), None)


def entry_into(layer: Layer, path: Path, body: Element, internal: str | None) -> Path | None:
    """Return the path of the entry that feeds a Parameter of a body; `path` is the layer's."""
    found = None if layer.element is None else layer.element.child(_MAPS.get(body.tag, "port_map"))
    if found is None or layer.element is None:
        return None
    entries = port_map(found, (*path, layer.element.children.index(found)))
    return next((e.path for e in entries if e.side == "input" and e.internal == internal), None)


Measure = Callable[[MapEntry], "Shape | None"]


def slice_problems(node: Node, entries: list[MapEntry], outer: Measure, inner: Measure) -> Iterator[Problem]:
    """Check the slices of each entry against the body, then the numbers of iterations against each other.

    `outer` and `inner` return the shape of what an entry names outside and inside the body.
    """
    sound = []
    once = any(
        e.side == "input" and (e.axis or "").isdecimal() and _turns(node, e, _space(outer(e), e)) == 1 for e in entries
    )
    for entry in entries:
        if entry.axis is not None and entry.axis.lstrip("-").isdecimal():
            faults = list(_entry(node, entry, outer(entry), inner(entry), once))
            yield from faults
            if all(fault.severity == Severity.WARNING and _number(entry, "part_size") for fault in faults):
                sound.append(entry)
    sliced = [e for e in sound if e.side == "input"]
    joined = [e for e in sound if e.side == "output" and node.op == "TensorIterator"]
    turns: list[tuple[int, MapEntry]] = []
    expected: int | None = None  # as the reader counts, which decides the size of what is joined
    for entry in sliced:
        space = _space(outer(entry), entry)
        made = _turns(node, entry, space)
        if isinstance(made, Problem):
            yield made
            return
        if made is None or space is None:
            return
        counted = _as_counted(entry, space)
        if joined and counted is not None and counted != made:
            at = Place(entry.path, _unusual(entry))
            message = (
                f"the OpenVINO reader infers {count(counted, 'iteration')} of {label(node)} from this slice,"
                f" the plug-in {made:,}"
            )
            yield Problem(R.body_mapping, at, message, node.name)
            return
        expected = made if expected is None else expected
        turns.append((made, entry))
    for entry in joined:
        if expected is None or _space(inner(entry), entry) is None:
            continue
        made = _turns(node, entry, expected * abs(_number(entry, "part_size") or 1))
        if isinstance(made, Problem):
            yield made
        elif made is not None:
            turns.append((made, entry))
    yield from _disagreeing(node, turns)


def _disagreeing(node: Node, turns: list[tuple[int, MapEntry]]) -> Iterator[Problem]:
    for made, entry in turns[1:]:
        one, first = turns[0]
        if made == one:
            continue
        odd, wrong, rest, other = (made, entry, one, first)
        if _unusual(first) != "tag" and _unusual(entry) == "tag":
            odd, wrong, rest, other = (one, first, made, entry)
        message = f"expected {count(rest, 'iteration')} of {label(node)} from this port map entry, got {odd:,}"
        related = [(f"{count(rest, 'iteration')} from this entry", Place(other.path, "tag"))]
        yield Problem(R.body_mapping, Place(wrong.path, _unusual(wrong)), message, node.name, related=related)
        return


def _unusual(entry: MapEntry) -> str:
    """Return the part of an entry that differs from the usual."""
    for name, usual in _DEFAULTS.items():
        if entry.element.get(name) not in (None, str(usual)):
            return f"@{name}"
    return "tag"


def _as_counted(entry: MapEntry, space: int) -> int | None:
    """Return the number of iterations that the reader infers from an entry."""
    start, end, size = (_number(entry, name) for name in ("start", "end", "part_size"))
    if start is None or end is None or not size:
        return None
    start, end = (value + space if value < 0 else value for value in (start, end))
    return abs(end - start) // abs(size) + 1


def _number(entry: MapEntry, name: str) -> int | None:
    try:
        return int(entry.element.get(name) or _DEFAULTS[name])
    except ValueError:
        return None


def _space(shape: Shape | None, entry: MapEntry) -> int | None:
    """Return the length of the axis that is sliced or concatenated."""
    axis = integer(entry.axis or "0")
    dim = shape[axis] if shape is not None and axis < len(shape) else None
    return dim if isinstance(dim, int) else None


def _entry(node: Node, entry: MapEntry, outer: Shape | None, inner: Shape | None, once: bool) -> Iterator[Problem]:
    """Check one entry with an axis.

    With `once` the loop has a single iteration and is inlined, whatever the stride.
    """
    stride, size = _number(entry, "stride"), _number(entry, "part_size")
    joined_by_loop = node.op == "Loop" and entry.side == "output"
    for name, value in (("stride", stride), ("part_size", size)):
        # OpenVINO 2026.4.1: part_size 0 and, in an output of Loop, stride 0 end the process (SIGFPE)
        if value == 0:
            message = f"expected a non-zero `{name}` in the port map of {label(node)}, got `0`"
            severity = Severity.WARNING if name == "part_size" and joined_by_loop else None
            yield Problem(R.body_mapping, Place(entry.path, f"@{name}"), message, node.name, severity=severity)
            return
    if stride is None or size is None:
        return
    axis, at = integer(entry.axis or "0"), Place(entry.path, "@axis")
    shape = outer if entry.side == "input" else inner
    if axis < 0:
        message = f"expected a non-negative `axis` in the port map of {label(node)}, got `{axis}`"
        yield Problem(R.body_mapping, at, message, node.name)
    elif shape is not None and axis >= max(len(shape), int(entry.side == "output")):
        from irlint.dryrun.dims import show

        message = f"axis {axis} in the port map of {label(node)} is out of range for {show(shape)}"
        yield Problem(R.body_mapping, at, message, node.name)
    elif size != abs(stride) and not joined_by_loop:
        message = (
            f"expected {abs(stride)} (from `stride`) for `part_size` in the port map of {label(node)}, got `{size}`"
        )
        severity = Severity.WARNING if once else None
        yield Problem(R.body_mapping, Place(entry.path, "@part_size"), message, node.name, severity=severity)
    elif entry.side == "output" and (length := _space(inner, entry)) is not None and length != abs(stride):
        part = "@stride" if entry.element.get("stride") not in (None, "1") else "@axis"
        message = f"expected size {abs(stride)} on axis {axis} of a body output of {label(node)}, got {length}"
        yield Problem(R.body_mapping, Place(entry.path, part), message, node.name)


def _turns(node: Node, entry: MapEntry, space: int | None) -> int | Problem | None:
    """Return the number of iterations over a static dimension, or a problem."""
    start, end, stride = (_number(entry, name) for name in ("start", "end", "stride"))
    if space is None or space < 0 or start is None or end is None or not stride:
        return None
    start, end = (value + space + 1 if value < 0 else value for value in (start, end))
    low, high = (start, end) if stride > 0 else (end, start)
    if low < 0 or low >= high or high > space or high - low < abs(stride):
        message = f"slicing from {start} to {end} by {stride} in {label(node)} does not fit a dimension of {space}"
        return Problem(R.body_mapping, Place(entry.path, _unusual(entry)), message, node.name)
    # OpenVINO 2026.4.1 reads it; the CPU plug-in: length (4) is not divisible by step (3)
    if (high - low) % abs(stride):
        message = f"expected a multiple of {abs(stride)} for the sliced length in {label(node)}, got {high - low}"
        return Problem(R.body_mapping, Place(entry.path, _unusual(entry)), message, node.name)
    return (high - low) // abs(stride)
