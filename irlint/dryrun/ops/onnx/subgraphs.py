"""Operators with nested graphs that read values from around them: branches, loops, scans, and functions applied to each."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import BodyRequest, BodyRun
from irlint.dryrun.ops.common import fits, normalise_axis
from irlint.dryrun.ops.shaped import agreed, stacked, union
from irlint.dryrun.ops.shared.nesting import Answer, Nested, Part
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.graph import Dim, Shape

Talk = Generator[BodyRequest, Answer, Sequence[Tensor]]
_TURNS = 8  # of a loop whose types change, before nothing is said of them


class Inlined(Nested):
    """The graph as it is, once."""

    def shape(self, *operands: Tensor, parts: Sequence[Part], **_: Any) -> Talk:
        (part,) = parts
        return part.results((yield BodyRequest(part.graph, part.filled(operands), part.variants is not None)))

    def run(self, *operands: Any, parts: Sequence[Part], **_: Any) -> Any:
        (part,) = parts
        return part.results((yield BodyRun(part.graph, part.filled(operands))))


class Branches(Nested):
    """The first graph if the condition is true, else the second; results of both may have to be `alike`."""

    inputs = "cond:_/bool data*"
    reads = (0,)

    def shape(self, cond: Tensor, *rest: Tensor, parts: Sequence[Part], alike: bool = False, **_: Any) -> Talk:
        self.match(cond)
        if dims.numel(cond.shape) not in (None, 1):
            message = f"expected a single boolean for `cond`, got {show(cond.shape)}"
            raise ShapeError(R.wrong_rank, message, "input:0", [0])
        operands, known, found = (cond, *rest), cond.entry, []
        for part in parts if known is None or alike else [parts[0 if known else 1]]:
            found.append(part.results((yield BodyRequest(part.graph, part.filled(operands)))))
        if alike:
            for k, (a, b) in enumerate(zip(*found, strict=False)):
                _want_alike(a, b, k)
            found = found if known is None else [found[0 if known else 1]]
        if len(found) == 1:
            return found[0]
        return [_either(a, b, k) for k, (a, b) in enumerate(zip(*found, strict=False))]

    def run(self, cond: Any, *rest: Any, parts: Sequence[Part], **_: Any) -> Any:
        part = parts[0 if bool(np.asarray(cond).reshape(-1)[0]) else 1]
        return part.results((yield BodyRun(part.graph, part.filled((cond, *rest)))))


def _want_alike(a: Tensor, b: Tensor, k: int) -> None:
    if a.shape is None or b.shape is None or fits(a.shape, b.shape):
        return
    message = f"shapes of output {k} of the two branches ({show(a.shape)} and {show(b.shape)}) do not match"
    raise ShapeError(R.shape_mismatch, message, f"output:{k}", result=k)


def _either(a: Tensor, b: Tensor, k: int) -> Tensor:
    """Return a type that covers that of both branches."""
    if a.dtype is not None and b.dtype is not None and a.dtype != b.dtype:
        message = f"element types of output {k} of the two branches ({a.dtype} and {b.dtype}) do not match"
        raise ShapeError(R.dtype_mismatch, message, f"output:{k}", result=k)
    return Tensor(a.dtype if a.dtype == b.dtype else None, union(a.shape, b.shape))


def _wider(before: Tensor, after: Tensor) -> Tensor:
    """Return what is true of a value before and after an iteration."""
    return Tensor(before.dtype, agreed(before.shape, after.shape))


def _settled(
    part: Part, operands: list[Any], states: Sequence[int], first: int
) -> Generator[BodyRequest, Answer, list[Tensor]]:
    """Follow the graph until the types of its states (operands) hold for every iteration; results from `first` on are theirs."""
    for k in states:
        operands[k] = Tensor(operands[k].dtype, operands[k].shape)
    results: list[Tensor] = []
    for _turn in range(_TURNS):
        results = part.results((yield BodyRequest(part.graph, part.filled(operands))))
        changed = False
        for k, result in zip(states, results[first:], strict=False):
            before = operands[k]
            if before.dtype is not None and result.dtype is not None and before.dtype != result.dtype:
                message = f"element type of a value ({before.dtype}) changes in an iteration, to {result.dtype}"
                raise ShapeError(R.dtype_mismatch, message, f"input:{k}", [k])
            wider = _wider(before, result)
            if wider.shape != before.shape:
                operands[k], changed = wider, True
        if not changed:
            break
    return results


class Iterate(Nested):
    """The graph a number of times, as long as a condition holds; its results are the condition, states and rows to stack."""

    inputs = "M?:one/int64 cond?:one/bool data*"
    reads = (0, 1)
    kernel = "nested.iterate"

    def shape(self, *given: Tensor, parts: Sequence[Part], states: int, **_: Any) -> Talk:
        """The graph's first two variables are the iteration and the condition, which are operands as the node has none of them."""
        (part,) = parts
        operands: list[Any] = list(given)
        trips, condition = operands[0], operands[1] if len(operands) > 1 else UNKNOWN
        self.match(trips, condition)
        turn, going = (declared_rank(part, k) for k in range(2))
        if condition.rank is not None:
            going = condition.rank
        operands[0] = Tensor("int64", (1,) * turn)
        operands[1:2] = [Tensor("bool", (1,) * going, (True,))]
        if _is_never(trips, condition):
            # onnxruntime 1.32 knows what the graph declares of its variables, and takes 0 for what it does not know
            results = part.results(
                (yield BodyRequest(part.graph, part.filled(_as_declared(part, operands, range(2, 2 + states)))))
            )
            rows = [
                Tensor(row.dtype, (0, *(d if isinstance(d, int) else 0 for d in row.shape or ()))) for row in results
            ]
            return [*given[2 : 2 + states], *rows[1 + states :]]
        results = yield from _settled(part, operands, range(2, 2 + states), 1)
        total = self._total(trips, condition, results)
        rows = [stacked(result, total) for result in results[1 + states :]]
        after = results[1 : 1 + states]
        return [*(map(_wider, operands[2 : 2 + states], after) if total is None else after), *rows]

    @staticmethod
    def _total(trips: Tensor, condition: Tensor, results: Sequence[Tensor]) -> Dim:
        """Return the number of iterations, which is known only where the graph never stops early."""
        goes_on = bool(results) and results[0].entry and (condition.dtype is None or condition.entry)
        count = trips.entry
        return max(count, 0) if goes_on and isinstance(count, int) and count < 1 << 40 else None


def _is_never(trips: Tensor, condition: Tensor) -> bool:
    """Return whether a loop has no iterations."""
    is_none = isinstance(trips.entry, int) and trips.entry <= 0
    return is_none or (condition.entry is not None and not condition.entry)


def _as_declared(part: Part, operands: Sequence[Tensor], states: Collection[int]) -> list[Tensor]:
    """Return the operands of a graph; states have the shapes that it declares for its variables."""
    found = list(operands)
    for variable, k in zip(part.variables, part.sources, strict=False):
        if k in states:
            found[k] = Tensor(found[k].dtype, part.graph.nodes[variable].outputs[0].type.shape)
    return found


def declared_rank(part: Part, k: int) -> int:
    """Return 1 for a list of one number that the graph declares in place of a scalar: runtimes pass what it declares."""
    graph = part.graph
    shape = graph.nodes[graph.inputs[k]].outputs[0].type.shape if k < len(graph.inputs) else None
    return 1 if shape is not None and len(shape) == 1 else 0


def _same_batch(given: Sequence[Tensor]) -> Dim:
    """Return the length of the first axis of all operands but the first."""
    batch, first = None, 1
    for k, tensor in enumerate(given[1:], 1):
        if not tensor.shape:
            continue
        if not dims.compatible(batch, tensor.shape[0]):
            message = f"batch sizes of input {first} ({show_dim(batch)}) and input {k} ({show_dim(tensor.shape[0])}) do not match"
            raise ShapeError(R.shape_mismatch, message, f"input:{k}", [first, k])
        batch, first = dims.merge(batch, tensor.shape[0]), k if batch is None else first
    return batch


def _want_declared(part: Part, operands: Sequence[Tensor], count: int) -> None:
    """Raise unless the first operands fit the shapes that the graph declares for its variables, which onnx's inference merges."""
    for variable, k in zip(part.variables, part.sources, strict=False):
        if k >= count:
            return
        node, shape = part.graph.nodes[variable], operands[k].shape
        declared = node.outputs[0].type.shape
        if declared is None or shape is None:
            continue
        if len(declared) != len(shape) or not all(map(dims.compatible, declared, shape)):
            message = f"shape {show(shape)} from input {k} does not match {show(declared)} of body input {node.name!r}"
            raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])


class ScanGraph(Nested):
    """The graph once for each slice of the last of the explicit operands; its results are states and slices to stack. `batched`:
    the first axis holds independent scans, and the first operand their lengths."""

    kernel = "nested.scan"

    def shape(
        self,
        *given: Tensor,
        parts: Sequence[Part],
        states: int,
        scanned: int,
        axes: Sequence[int] = (),
        out_axes: Sequence[int] = (),
        batched: bool = False,
        **_: Any,
    ) -> Talk:
        (part,) = parts
        operands: list[Any] = list(given)
        lead = int(batched)
        first, end = lead + states, lead + states + scanned
        front: Shape = ()
        if batched:
            front = (_same_batch(given[:end]),)
            operands[lead:end] = [_without(tensor, 0) for tensor in operands[lead:end]]
        total: Dim = None
        for place in range(first, end):
            tensor = operands[place]
            if given[place].shape is None:
                continue
            axis = normalise_axis(item(axes, place - first), len(tensor.shape or ()), "attr:axes", "axes")
            dim = (tensor.shape or ())[axis]
            if not dims.compatible(total, dim):
                message = f"expected {show_dim(total)} slices in input {place}, as in the others, got {show(given[place].shape)}"
                raise ShapeError(R.shape_mismatch, message, f"input:{place}", [first, place])
            total = dim if total is None else dims.merge(total, dim)
            operands[place] = _without(tensor, axis)
        _want_declared(part, operands, end)
        results = yield from _settled(part, operands, range(lead, first), 0)
        found = [stacked(tensor, *front) for tensor in map(_wider, operands[lead:first], results)]
        for k, result in enumerate(results[states:]):
            if result.shape is not None:
                axis = normalise_axis(item(out_axes, k), len(result.shape) + 1, "attr:out_axes", "out_axes")
                result = Tensor(result.dtype, (*result.shape[:axis], total, *result.shape[axis:]))
            found.append(stacked(result, *front))
        return found


def item(numbers: Sequence[int], k: int) -> int:
    return numbers[k] if k < len(numbers) else 0


def _without(tensor: Tensor, axis: int) -> Tensor:
    shape: Shape | None = tensor.shape
    if not shape:
        return Tensor(tensor.dtype)
    return Tensor(tensor.dtype, (*shape[:axis], *shape[axis + 1 :]))


class MapSequence(Nested):
    """The graph once for each element of a sequence, and of further ones; other operands are the same for all."""

    inputs = "sequence data*"
    kernel = "nested.map_sequence"

    def shape(self, *given: Tensor, parts: Sequence[Part], count: int, **_: Any) -> Talk:
        (part,) = parts
        yield BodyRequest(part.graph, part.filled([UNKNOWN, *given[1:]]))
        return [UNKNOWN] * count


class ModifiedAttention(Nested):
    """Attention whose scores, and whose shares, a graph may change."""

    inputs = "Q K V data*"
    kernel = "nested.modified_attention"

    def shape(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        *rest: Tensor,
        parts: Sequence[Part | None],
        precision: str | None,
        **_: Any,
    ) -> Talk:
        from irlint.dryrun.ops.onnx.cached_attention import CachedAttention

        found = CachedAttention().shape(q, k, v)
        dtype = precision or {"float64": "float64", None: None}.get(q.dtype, "float32")
        for part in parts:
            if part is not None:
                yield BodyRequest(part.graph, part.filled((Tensor(dtype, found[3].shape), *rest)))
        return [found[0]]
