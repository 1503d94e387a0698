"""How long runs of a part of a graph take, before they begin."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

from irlint.dryrun.counts import flops, is_heavy
from irlint.dryrun.mapping import Call
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.graph import Node, Shape, Source
from irlint.inspection.folding.concrete import PartRun
from irlint.inspection.folding.folded_graph import FoldedGraph

MOST = 1_000_000_000  # steps in one run of all parts
_OF_WEIGHTS = 32  # the same, for each number of all constants
_PART_FURTHER = 8  # what part of it each further run may take
_LARGEST = 1 << 25  # numbers of a value that is computed
_AT_ONCE = 4  # products and sums that a product of matrices does in one step
_OF_NODE = 20_000  # steps that an operator takes at least
_OF_NUMBER = 3  # steps that a function of one number takes, such as an exponential
Lengths = Callable[[Shape | None], tuple[int, ...]]


def most(version: FoldedGraph, is_usual: bool) -> int:
    """Return how many steps one run may take."""
    return max(MOST, _OF_WEIGHTS * version.held) // (1 if is_usual else _PART_FURTHER)


def steps(version: FoldedGraph, nodes: Iterable[int], run: PartRun) -> int:
    """Return about how many steps some nodes take in a run."""
    known = version.steps if run.drawn.is_usual else run.steps.setdefault(id(version), {})
    total = 0
    for index in nodes:
        if (found := known.get(index)) is None:
            found = known[index] = _steps(version, index, run.drawn.shape)
        total += found
    return total


def _steps(version: FoldedGraph, index: int, lengths: Lengths) -> int:
    node, graph = version.graph.nodes[index], version.graph
    size = prod(lengths(version.type(Source(index)).shape))
    if size > _LARGEST:
        return MOST
    call = None if version.form.mapping is None else version.form.mapping.sound_call(graph, node)
    counted = None if call is None else _counted(version, node, call, lengths)
    own = _OF_NODE * version.form.functions.operators(graph, node)
    if call is None or counted is None:
        return own + _OF_NUMBER * size
    is_product = is_heavy(call)
    return own + size + (counted // _AT_ONCE if is_product and len(node.inputs) < 3 else _OF_NUMBER * counted)


def _counted(version: FoldedGraph, node: Node, call: Call, lengths: Lengths) -> int | None:
    def tensor(source: Source) -> Tensor:
        type_ = version.type(source)
        return Tensor(type_.dtype, lengths(type_.shape))

    inputs = [UNKNOWN if source[0] < 0 else tensor(Source(*source)) for source in node.inputs]
    return flops(call, inputs, [tensor(Source(node.index))])
