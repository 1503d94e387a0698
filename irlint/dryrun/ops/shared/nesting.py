"""Operators with nested graphs whose inputs are positional: foreach, while, if, and a call."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import BodyRequest, BodyRun, Completed, Operator
from irlint.dryrun.ops.common import fits
from irlint.dryrun.ops.shaped import stacked
from irlint.dryrun.tensor import Tensor, taken
from irlint.graph import Graph, Shape, Type
from irlint.records import NamedTuple

Answer = list[tuple[Tensor, ...]]
Talk = Generator[BodyRequest, Answer, Completed]


class Variants:
    """Copies of a graph that several nodes share: one for each list of types with which it is used, as each has its own types inside."""

    MOST = 64

    def __init__(self, copy: Callable[[], Graph]) -> None:
        self.graph = copy()
        self._copy = copy
        self._made: dict[tuple[Type, ...], Graph] = {}

    def of(self, types: Sequence[Tensor]) -> Graph:
        key = tuple([tensor.type for tensor in types])
        if (found := self._made.get(key)) is None:
            found = self._copy() if 0 < len(self._made) < self.MOST else self.graph
            self._made[key] = found
        return found

    def graphs(self) -> list[Graph]:
        """Return the copies that were asked for."""
        return list({id(graph): graph for graph in self._made.values()}.values())


class Part(NamedTuple):
    """A nested graph; `sources` maps operands of the node to its variables."""

    graph: Graph
    variables: Sequence[int]
    sources: Sequence[int]
    variants: Variants | None = None

    def filled(self, operands: Sequence[Any]) -> dict[int, Any]:
        return {
            variable: operands[source]
            for variable, source in zip(self.variables, self.sources, strict=False)
            if source < len(operands)
        }

    def results(self, answer: Sequence[Sequence[Any]]) -> list[Any]:
        return taken(answer, self.graph.outputs)

    def learnt(self, answer: Answer) -> dict[int, Shape]:
        """Return the shapes of variables that follow from the graph's operators, by operand."""
        found: dict[int, Shape] = {}
        for variable, source in zip(self.variables, self.sources, strict=False):
            shape = answer[variable][0].shape if answer[variable] else None
            if shape is not None and dims.is_known(shape):
                found[source] = shape
        return found


def _merged(a: Tensor, b: Tensor) -> Tensor:
    """Return the type that satisfies two types of one value."""
    dtype = a.dtype or b.dtype
    if a.shape is None or b.shape is None:
        return Tensor(dtype, b.shape if a.shape is None else a.shape)
    return Tensor(dtype, tuple(map(dims.merge, a.shape, b.shape)) if fits(a.shape, b.shape) else None)


class Nested(Operator):
    """Base: any number of operands, and requests for nested graphs."""

    inputs = "data*"
    nested = True


class Inline(Nested):
    """The nested graph, run once."""

    def shape(self, *operands: Tensor, parts: Sequence[Part], **_: Any) -> Talk:
        (body,) = parts
        answer = yield BodyRequest(body.graph, body.filled(operands))
        return Completed(body.results(answer), body.learnt(answer))

    def run(self, *operands: Any, parts: Sequence[Part], **_: Any) -> Any:
        (body,) = parts
        return body.results((yield BodyRun(body.graph, body.filled(operands))))


class ForEach(Nested):
    """The graph once per slice of the data operands; states are passed between iterations, all other operands are constant."""

    kernel = "nested.for_each"

    def shape(
        self, *operands: Tensor, parts: Sequence[Part], data: Sequence[int], states: Sequence[int], kept: int, **_: Any
    ) -> Talk:
        """`data` and `states` are operands; the first `kept` outputs are stacked."""
        (body,) = parts
        length, inner = self._slices(operands, data)
        answer = yield BodyRequest(body.graph, body.filled(inner))
        results, learnt = body.results(answer), body.learnt(answer)
        for k in data:
            if k in learnt and isinstance(length, int):
                learnt[k] = (length, *learnt[k])
            else:
                learnt.pop(k, None)
        outputs = [stacked(result, length) for result in results[:kept]]
        for k, result in zip(states, results[kept:], strict=False):
            before, after = operands[k].shape, result.shape
            if before is not None and after is not None and not fits(before, after):
                message = f"state shape {show(before)} does not match its shape after an iteration, {show(after)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
            outputs.append(_merged(result, operands[k]))
        return Completed(outputs, learnt)

    @staticmethod
    def _slices(operands: Sequence[Tensor], data: Sequence[int]) -> tuple[Any, list[Tensor]]:
        """Return how many slices there are, and the operands of one iteration."""
        length: Any = None
        inner = list(operands)
        for k in data:
            shape = operands[k].shape
            if shape is None:
                continue
            if not shape:
                message = "expected rank 1 or higher for data to slice, got a scalar"
                raise ShapeError(R.wrong_rank, message, f"input:{k}", [k])
            if not dims.compatible(length, shape[0]):
                message = f"expected {length} slices in input {k}, as in the others, got {show(shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
            length = dims.merge(length, shape[0])
            inner[k] = Tensor(operands[k].dtype, shape[1:] or (1,))  # mxnet 1.9.1 makes vectors of single numbers
        return length, inner


class While(Nested):
    """The second graph while the first is true, at most `limit` times; its first outputs are stacked, the others
    are the variables of the next iteration."""

    kernel = "nested.while_true"

    def shape(
        self, *operands: Tensor, parts: Sequence[Part], states: Sequence[int], kept: int, limit: int, **_: Any
    ) -> Talk:
        condition, body = parts
        answer = yield BodyRequest(body.graph, body.filled(operands))
        results, learnt = body.results(answer), body.learnt(answer)
        yield BodyRequest(condition.graph, condition.filled(operands))
        outputs = [stacked(result, limit) for result in results[:kept]]
        outputs += [_merged(result, operands[k]) for k, result in zip(states, results[kept:], strict=False)]
        return Completed(outputs, learnt)


class Either(Nested):
    """The second graph if the first is true, else the third."""

    def shape(self, *operands: Tensor, parts: Sequence[Part], **_: Any) -> Talk:
        condition, *branches = parts
        yield BodyRequest(condition.graph, condition.filled(operands))
        learnt: dict[int, Shape] = {}
        found = []
        for branch in branches:
            answer = yield BodyRequest(branch.graph, branch.filled(operands))
            found.append(branch.results(answer))
            learnt |= branch.learnt(answer)
        outputs = [_merged(first, second) for first, second in zip(*found, strict=False)]
        return Completed(outputs, learnt)

    def run(self, *operands: Any, parts: Sequence[Part], **_: Any) -> Any:
        condition, *branches = parts
        (going,) = condition.results((yield BodyRun(condition.graph, condition.filled(operands))))
        branch = branches[0 if np.asarray(going).reshape(-1)[0] else 1]
        return branch.results((yield BodyRun(branch.graph, branch.filled(operands))))
