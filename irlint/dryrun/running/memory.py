"""The memory that a run needs, computed from shapes before anything is allocated."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from math import prod

from irlint.dryrun.infer import Inference, order_of
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.arrays import STORED_SIZES
from irlint.dryrun.tensor import Tensor
from irlint.graph import Graph, Node
from irlint.records import NamedTuple


class TooMuch(Exception):
    """An output that exceeds the memory limit of the run."""

    def __init__(self, node: Node, tensor: Tensor, wanted: int, limit: int) -> None:
        super().__init__(f"{node.op} {node.name!r} needs {wanted:,} bytes of memory; the limit is {limit:,}")
        self.node, self.tensor, self.wanted, self.limit = node, tensor, wanted, limit


class Plan(NamedTuple):
    """Bytes of constants, the peak of other values that are alive at once, and the node of the peak."""

    weights: int
    live: int
    node: Node | None
    unknown: int  # values whose size only the run itself shows

    @property
    def total(self) -> int:
        return self.weights + self.live


def size_of(tensor: Tensor) -> int | None:
    """Return the bytes of a value as NumPy stores it; None if a dimension is unknown."""
    shape = tensor.shape
    if shape is None or not all(type(dim) is int for dim in shape):
        return None
    return prod(shape) * STORED_SIZES.get(tensor.dtype or "", 8)  # type: ignore[arg-type]


def plan(graph: Graph, mapping: Mapping, types: Inference) -> Plan:
    """Return the memory of a run that frees every value after its last use."""
    inner: dict[int, Plan] = {}
    for each in reversed(graph.walk()):
        inner[id(each)] = _plan(each, mapping, types, inner)
    return inner[id(graph)]


def _plan(graph: Graph, mapping: Mapping, types: Inference, inner: dict[int, Plan]) -> Plan:
    nodes, order = graph.nodes, order_of(graph)
    dead = set(mapping.dead(graph))
    last: dict[int, int] = {}
    for place, index in enumerate(order):
        if index not in dead:
            for source in nodes[index].inputs:
                last[source[0]] = place
    kept = {source[0] for source in mapping.outputs(graph)}
    known = types.types.get(id(graph))
    sizes: list[int] = [0] * len(nodes)
    weights = alive = most = unknown = 0
    at: Node | None = None
    for place, index in enumerate(order):
        node = nodes[index]
        if index in dead or (node.kind != "call" and index not in last and index not in kept):
            continue
        found = [size_of(tensor) for tensor in known[index]] if known and node.outputs else []
        total = sum(size for size in found if size is not None)
        unknown += found.count(None)
        if node.kind == "const":
            weights += total
            continue
        sizes[index] = total
        alive += total
        bodies = [inner[id(body)] for body in node.graphs if id(body) in inner]
        weights += sum(body.weights for body in bodies)
        unknown += sum(body.unknown for body in bodies)
        now = alive + max((body.live for body in bodies), default=0)
        if now > most:
            most, at = now, node
        for maker in {source[0] for source in node.inputs}:
            if maker >= 0 and last[maker] == place and maker not in kept:
                alive -= sizes[maker]
        if index not in last and index not in kept:
            alive -= total
    return Plan(weights, most, at, unknown)


def check(graph: Graph, mapping: Mapping, types: Inference, limit: int) -> Plan:
    """Return the plan if it is within the limit; raise TooMuch at the first value that is too large, or at the peak."""
    for each in graph.walk():
        dead = set(mapping.dead(each))
        known: Sequence[tuple[Tensor, ...]] = types.types.get(id(each), ())
        for node, outputs in zip(each.nodes, known, strict=False):
            for tensor in outputs:
                size = size_of(tensor)
                if size is not None and size > limit and node.index not in dead:
                    raise TooMuch(node, tensor, size, limit)
    found = plan(graph, mapping, types)
    if found.total > limit and found.node is not None:
        outputs = types.outputs(graph, found.node)
        raise TooMuch(found.node, outputs[0] if outputs else Tensor(), found.total, limit)
    return found


def roughly(graph: Graph, mapping: Mapping, types: Inference, limit: int) -> Plan:
    """Return the plan of a run that frees nothing, if even that is within the limit; else what `check` returns. It is quicker."""
    total = 0
    for each in graph.walk():
        for outputs in types.types.get(id(each), ()):
            for tensor in outputs:
                total += size_of(tensor) or 0
    return Plan(0, total, None, 0) if total <= limit else check(graph, mapping, types, limit)


def free() -> int:
    """Return the bytes of free memory that the system reports."""
    with suppress(OSError, ValueError, IndexError), open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    for name in ("SC_AVPHYS_PAGES", "SC_PHYS_PAGES"):
        with suppress(AttributeError, OSError, ValueError):
            return os.sysconf(name) * os.sysconf("SC_PAGE_SIZE")
    return 8 << 30
