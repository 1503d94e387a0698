"""The range of each value over runs of a model: irlint run --ranges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.packed import whole
from irlint.graph import Graph, Node
from irlint.precision.rerun import result_names
from irlint.records import dataclass, field

LARGEST = 65504.0  # of float16
_SMALLEST = 2.0**-24  # half of it becomes 0


@dataclass
class ValueRange:
    """What the elements of one value were."""

    name: str
    node: Node
    dtype: str = ""
    low: float = math.inf
    high: float = -math.inf
    size: int = 0  # elements of all runs
    beyond: int = 0  # of these: larger than float16 can be
    vanished: int = 0  # so small that they are 0 in float16
    ends: int = 0  # at an end of a type of 8 bits
    odd: int = 0  # infinite or NaN

    @property
    def largest(self) -> float:
        return max(abs(self.low), abs(self.high)) if self.low <= self.high else 0.0

    def add(self, array: Any) -> None:
        """Take the elements of another run into account."""
        self.dtype, self.size = array.dtype.name, self.size + array.size
        is_float = array.dtype.kind == "f"
        finite = np.isfinite(array) if is_float else np.ones(array.shape, bool)
        numbers = array[finite]
        self.odd += array.size - numbers.size
        if not numbers.size:
            return
        self.low, self.high = min(self.low, float(numbers.min())), max(self.high, float(numbers.max()))
        if is_float:
            sizes = np.abs(numbers)
            self.beyond += int((sizes > LARGEST).sum())
            self.vanished += int(((sizes <= _SMALLEST / 2) & (sizes > 0)).sum())
        elif array.dtype.itemsize == 1 and array.dtype.kind != "b":
            limits = np.iinfo(array.dtype)
            self.ends += int(((numbers == limits.min) | (numbers == limits.max)).sum())


@dataclass
class Ranges:
    """Watch runs of a graph; `tell` is called for every operator."""

    graph: Graph
    tell: Any = lambda count, node: None
    found: dict[tuple[int, int], ValueRange] = field(default_factory=dict)
    names: dict[tuple[int, int], str] = field(default_factory=dict)
    runs: int = 0

    def __call__(self, graph: Graph, node: Node, operands: list[Any], outputs: tuple[Any, ...], seconds: float) -> None:
        if graph is not self.graph:
            return
        for k, array in enumerate(outputs):
            self.add(node, k, whole(array))
        self.tell(len(self.found), node)

    def add(self, node: Node, k: int, array: Any) -> None:
        """Take the elements of a value into account."""
        self.names = self.names or result_names(self.graph)
        if array.dtype.kind in "iuf":
            name = self.names.get((node.index, k), node.name)
            self.found.setdefault((node.index, k), ValueRange(name, node)).add(array)

    def __iter__(self) -> Iterator[ValueRange]:
        return iter(self.found.values())
