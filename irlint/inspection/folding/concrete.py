"""What parts of both versions are given in one run, with lengths that are drawn for each value alone, or those of the whole graph: what
parts read fits together then, as where a program runs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from irlint.dryrun.dims import is_known
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Source, Type
from irlint.inspection.folding.folded_graph import FoldedGraph
from irlint.inspection.review.rerun.drawn import RunNumbers
from irlint.inspection.review.rerun.lengths import TypedVersion, inferred


class PartRun:
    """One run. `whole`: both versions, whose graphs say which lengths are together."""

    def __init__(self, drawn: RunNumbers, whole: Sequence[FoldedGraph] = ()) -> None:
        self.drawn, self._whole = drawn, whole
        versions = [TypedVersion(one.model, one.form.mapping, one.type_of) for one in whole]
        self._known = {id(one.model): found for one, found in inferred(versions, drawn)}
        self.steps: dict[int, dict[int, int]] = {}  # that nodes of versions take, by id()

    def alone(self, dims: Iterable[Dim]) -> Iterator[PartRun]:
        """Yield runs in which one dimension at a time is long."""
        yield from (PartRun(drawn, self._whole) for drawn in self.drawn.alone(dims))

    def type(self, version: FoldedGraph, source: Source) -> Type:
        """Return the type of a value, in which lengths may be open."""
        tensor = self._tensor(version, source)
        is_better = tensor is not None and tensor.shape is not None and is_known(tensor.shape)
        return tensor.type if tensor is not None and is_better else version.type(source)

    def entries(self, version: FoldedGraph, source: Source, entries: Sequence[Any]) -> list[Any]:
        """Return the numbers of a value that depends on lengths only."""
        tensor = self._tensor(version, source)
        return [*map(self.drawn.length, entries if tensor is None or tensor.value is None else tensor.value)]

    def _tensor(self, version: FoldedGraph, source: Source) -> Tensor | None:
        known = self._known.get(id(version.model))
        outputs = () if known is None else known.outputs(version.graph, version.graph.nodes[source[0]])
        return outputs[source[1]] if source[1] < len(outputs) else None
