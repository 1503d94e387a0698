"""The record of a run: time and outputs of every operator, and where NaN and infinity first appeared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.packed import Packed, whole
from irlint.graph import Graph, Node
from irlint.records import NamedTuple, dataclass, field

SMALL = 256  # elements; values of results up to that size are kept


class OperatorTime(NamedTuple):
    """One operator of the outermost graph; its time includes nested graphs."""

    node: Node
    seconds: float
    shapes: list[tuple[int, ...]]
    size: int
    value: Any  # of the first result, if it is small


class NonFinite(NamedTuple):
    """A non-finite value: "NaN" or "infinity", the operator that first computed it, and the operand that contained it,
    if it did."""

    what: str
    node: Node
    operand: int | None


@dataclass
class Record:
    """Watch a run of `graph`. `keep` selects the outputs to keep; `tell` is called for every operator."""

    graph: Graph
    keep: Callable[[Node, int], bool] = lambda node, output: False
    tell: Callable[[int, Node], None] = lambda count, node: None
    rows: list[OperatorTime] = field(default_factory=list)
    kept: dict[tuple[int, int], Any] = field(default_factory=dict)
    odd: dict[str, NonFinite] = field(default_factory=dict)

    def __call__(self, graph: Graph, node: Node, operands: list[Any], outputs: tuple[Any, ...], seconds: float) -> None:
        if len(self.odd) < 2:
            self._look(node, operands, outputs)
        if graph is not self.graph or not node.outputs:  # what only marks an output computes nothing
            return
        first = outputs[0] if outputs else None
        self.rows.append(
            OperatorTime(
                node,
                seconds,
                [tuple(array.shape) for array in outputs],
                sum(array.nbytes for array in outputs),
                first if first is not None and first.size <= SMALL and first.dtype.kind in "iufb" else None,
            )
        )
        for k, array in enumerate(outputs):
            if self.keep(node, k):
                self.kept[node.index, k] = whole(array)
        self.tell(len(self.rows), node)

    def _look(self, node: Node, operands: list[Any], outputs: tuple[Any, ...]) -> None:
        for array in outputs:
            if array.dtype.kind != "f" or not _suspicious(array):
                continue
            for what, test in (("NaN", np.isnan), ("infinity", np.isinf)):
                if what not in self.odd and test(array).any():
                    self.odd[what] = NonFinite(what, node, _carrier(operands, outputs, test))


def _suspicious(array: Any) -> bool:
    """Return whether there may be a non-finite value: a quick check without false negatives."""
    if isinstance(array, Packed):
        return not array.finite()
    if not array.size:
        return False
    flat = array.reshape(-1) if array.flags.c_contiguous else None
    if flat is not None and array.dtype.itemsize > 2:
        return not np.isfinite(np.dot(flat, flat))
    return not np.isfinite(np.add.reduce(array, axis=None, dtype=np.float32))


def _carrier(operands: list[Any], outputs: tuple[Any, ...], test: Any) -> int | None:
    """Return the operand that contains the value; not one that was overwritten, as outputs are checked earlier."""
    for k, operand in enumerate(operands):
        if any(operand is output for output in outputs):
            continue
        if hasattr(operand, "dtype") and operand.dtype.kind == "f" and test(operand).any():
            return k
    return None
