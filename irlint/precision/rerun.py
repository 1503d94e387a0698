"""A run that rounds to 16 bits after each operator, next to one that does not: irlint run --as fp16."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.memory import TooMuch
from irlint.dryrun.running.narrow import WIDE, narrow
from irlint.dryrun.running.packed import Packed, whole
from irlint.dryrun.running.run import Run, abstract
from irlint.dryrun.running.schedule import Kept
from irlint.graph import Graph, Node, above
from irlint.records import NamedTuple
from irlint.targets.precision import FLOATS

_NUMBERS = "iufb"  # kinds of arrays that are compared
Results = dict[tuple[int, int], Any]  # by node, and which of its results


class NarrowRun(Run):
    """A run in which each constant, input and result is rounded to a type of 16 bits. Operators compute in 32 bits, as runtimes add up."""

    dtype: str

    def outputs(self, graph: Graph, feeds: Mapping[int, Any]) -> list[Any]:
        return super().outputs(graph, {node: self._rounded(array) for node, array in feeds.items()})

    def _constant(self, node: Node, kinds: Any, again: bool) -> Any:
        return self._rounded(super()._constant(node, kinds, again))

    def _with_added(self, *given: Any) -> list[Any]:
        return [self._rounded(array) if hasattr(array, "dtype") else array for array in super()._with_added(*given)]

    def _watched(self, graph: Graph, node: Node, operands: Any, outputs: Any, seconds: float) -> Any:
        return super()._watched(graph, node, operands, tuple(map(self._rounded, outputs)), seconds)

    def _kept(self, schedule: Any, feeds: Any, nested: bool) -> Kept | None:
        return None  # values that another run has kept are not rounded

    def _rounded(self, array: Any) -> Any:
        is_wide = not isinstance(array, Packed) and array.dtype.name in WIDE
        return narrow(array, self.dtype) if is_wide else array


def narrow_run(precision: str) -> type[NarrowRun]:
    """Return how a model is run with a precision."""
    return type("NarrowRun", (NarrowRun,), {"dtype": FLOATS[precision]})


class Exact(NamedTuple):
    """What a run without rounding computed."""

    dtype: str  # that the other run rounds to
    names: dict[tuple[int, int], str]  # of its results
    results: dict[str, Any]  # by name; those that are not outputs rounded once
    largest: dict[tuple[int, int], float]  # numbers, by size


def exact_run(job: Run, graph: Graph, feeds: Mapping[int, Any], precision: str) -> Exact:
    """Run a model without rounding. What is infinite once rounded counts as such in the middle of the graph: a mask may be."""
    dtype = FLOATS[precision]
    names = result_names(graph)
    found = Exact(dtype, names, {}, {})
    size = 0

    def keep(where: Graph, node: Node, operands: list[Any], outputs: tuple[Any, ...], seconds: float) -> None:
        nonlocal size
        for k, array in enumerate(map(whole, outputs) if where is graph else ()):
            if (node.index, k) in names and array.dtype.kind in _NUMBERS:
                size += array.nbytes
                if job.limit is not None and size > job.limit:
                    raise TooMuch(node, abstract(array), size, job.limit)
                is_wide = array.dtype.name in WIDE
                found.results[names[node.index, k]] = narrow(array, dtype) if is_wide else array.copy()
                found.largest[node.index, k] = float(np.abs(array.astype(float)).max(initial=0.0))

    job.watch = keep
    outputs = job.outputs(graph, feeds)
    named = zip(job.mapping.unique_names(graph), outputs, strict=True)
    found.results.update(
        (name, array) for name, array in named if array.dtype.kind in _NUMBERS
    )  # lists are not rounded
    return found


def result_names(graph: Graph) -> dict[tuple[int, int], str]:
    """Return a name of its own for each result of the calls of a graph."""
    found: dict[tuple[int, int], str] = {}
    taken: set[str] = set()
    for node in graph.nodes:
        for k, value in enumerate(node.outputs if node.kind == "call" else ()):
            own = (value.name or "").split(",")[0] or node.name or f"#{node.index}"
            name = own if own not in taken else f"{own}:{node.index}.{k}"
            taken.add(name)
            found[node.index, k] = name
    return found


def overflows(graph: Graph, exact: Exact, kept: Results, index: int) -> Iterator[tuple[Node, float]]:
    """Yield the operators above a node, and itself, that made infinities of finite numbers, with the largest number without rounding."""
    infinite = {place for place, array in kept.items() if array.dtype.kind == "f" and np.isinf(array).any()}
    needed = above(graph, index) | {index}
    for place in sorted(place for place in infinite if place[0] in needed):
        node = graph.nodes[place[0]]
        is_first = not any((source[0], source[1]) in infinite for source in node.inputs)
        largest = exact.largest.get(place, np.inf)
        if is_first and np.isfinite(largest):
            yield node, largest
