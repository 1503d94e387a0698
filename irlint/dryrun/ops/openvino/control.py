"""Operators with graphs inside: branches and loops; and values that outlive a run."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from functools import partial
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.differing import fits
from irlint.dryrun.dims import replaced, show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import BodyRequest, BodyRun, Operator
from irlint.dryrun.ops.common import normalise_axis
from irlint.dryrun.ops.shaped import agreed, union
from irlint.dryrun.ops.shared.unary import Identity
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.graph import Dim, Graph, Shape
from irlint.records import NamedTuple

Answer = list[tuple[Tensor, ...]]
Talk = Generator[BodyRequest, Answer, list[Tensor]]


class Slicing(NamedTuple):
    """Slices along an axis: from start to end, one per iteration."""

    axis: int
    start: int = 0
    end: int = -1
    stride: int = 1
    size: int = 1

    def ends(self, length: int) -> tuple[int, int]:
        """Return start and end, counted from the front."""
        return (
            self.start + length + 1 if self.start < 0 else self.start,
            self.end + length + 1 if self.end < 0 else self.end,
        )


class BodyInput(NamedTuple):
    """The source of a body's variable: an operand of the node (-1: none), whole or slice by slice, as elements of `kind`."""

    operand: int
    node: int
    slicing: Slicing | None = None
    counter: bool = False
    kind: str | None = None

    def taken(self, operand: Tensor) -> Tensor:
        """Return the operand in the type that the body declares."""
        if self.kind in (None, operand.dtype) or operand.dtype is None:
            return operand
        return Tensor(self.kind, operand.shape)

    def converted(self, array: Any) -> Any:
        from irlint.dryrun.running.arrays import cast, stored

        return array if self.kind is None or stored(self.kind) == array.dtype.name else cast(array, self.kind)


class BodyOutput(NamedTuple):
    """The destination of a body's value: an output of the node (-1: none), the last value or all of them concatenated."""

    node: int
    output: int
    slicing: Slicing | None = None
    condition: bool = False


class LoopBody(NamedTuple):
    """A nested graph with its inputs and outputs; `back` maps results to the variables of the next iteration."""

    graph: Graph
    inputs: Sequence[BodyInput]
    outputs: Sequence[BodyOutput]
    back: Sequence[tuple[int, int]] = ()

    def wiring(self) -> Hashable:
        """Return how inputs, outputs and iterations of the node are connected with the graph, whatever order its nodes have."""
        variables = {node: k for k, node in enumerate(self.graph.inputs)}
        results = {node: k for k, node in enumerate(sorted({entry.node for entry in self.outputs}))}
        inputs = tuple(entry._replace(node=variables.get(entry.node, -1)) for entry in self.inputs)
        outputs = tuple(entry._replace(node=results[entry.node]) for entry in self.outputs)
        back = tuple((results.get(result, -1), variables.get(variable, -1)) for result, variable in self.back)
        return frozenset(inputs), frozenset(outputs), frozenset(back)

    def result(self, answer: Answer, node: int) -> Tensor:
        """Return the value of a result node."""
        outputs = answer[node]
        return outputs[0] if outputs else UNKNOWN

    @property
    def counter(self) -> int | None:
        """Return the variable that counts the iterations."""
        return next((entry.node for entry in self.inputs if entry.counter), None)

    @property
    def stop(self) -> int | None:
        """Return the result that says whether there is another iteration."""
        return next((entry.node for entry in self.outputs if entry.condition), None)


class If(Operator):
    """One of two graphs."""

    inputs = "cond in*"
    reads = (0,)
    nested = True

    def shape(self, cond: Tensor, *rest: Tensor, bodies: Sequence[LoopBody], count: int, **_: Any) -> Talk:
        self._check(cond)
        operands, known = (cond, *rest), cond.entry
        taken = [0 if known else 1] if isinstance(known, (bool, int)) and len(bodies) == 2 else range(len(bodies))
        found: list[list[Tensor]] = []
        for k in taken:
            answer = yield BodyRequest(bodies[k].graph, self._filled(bodies[k], operands))
            found.append(self._results(bodies[k], count, UNKNOWN, partial(bodies[k].result, answer)))
        return found[0] if len(found) == 1 else [either(a, b) for a, b in zip(*found, strict=True)]

    @staticmethod
    def _check(cond: Tensor) -> None:
        shape = cond.shape
        if shape is None or (len(shape) < 2 and dims.numel(shape) in (None, 1)):
            return
        # OpenVINO refuses a constant of several values
        rule = R.wrong_rank if len(shape) > 1 or 0 in shape or cond.value is not None else R.shape_mismatch
        raise ShapeError(rule, f"expected a single boolean for `cond`, got {show(shape)}", "input:0", [0])

    @staticmethod
    def _filled(body: LoopBody, operands: Sequence[Any]) -> dict[int, Any]:
        return {e.node: operands[e.operand] for e in body.inputs if 0 <= e.operand < len(operands)}

    @staticmethod
    def _results(body: LoopBody, count: int, default: Any, result: Callable[[int], Any]) -> list[Any]:
        outputs = [default] * count
        for entry in body.outputs:
            if 0 <= entry.output < count:
                outputs[entry.output] = result(entry.node)
        return outputs

    def run(
        self, cond: Any, *rest: Any, bodies: Sequence[LoopBody], count: int, lists: Sequence[int] = (), **_: Any
    ) -> Any:
        """`lists` are outputs that the file declares as lists of any length: one branch may output a scalar (see `either`)."""
        body = bodies[0 if bool(np.asarray(cond).reshape(-1)[0]) else 1]
        values = yield BodyRun(body.graph, self._filled(body, (cond, *rest)))
        outputs = self._results(body, count, None, lambda node: values[node][0])
        return [np.atleast_1d(value) if k in lists else value for k, value in enumerate(outputs)]


def either(a: Tensor, b: Tensor) -> Tensor:
    """Return a type that covers both; of a scalar and a list, OpenVINO 2026.4.1 makes lists."""
    if a.dtype is not None and b.dtype is not None and a.dtype != b.dtype:
        raise ShapeError(R.dtype_mismatch, f"element types of the two branches ({a.dtype} and {b.dtype}) do not match")
    ranks = {len(tensor.shape) for tensor in (a, b) if tensor.shape is not None}
    return Tensor(a.dtype or b.dtype, (None,) if ranks == {0, 1} else union(a.shape, b.shape))


def turns(operand: Tensor, cut: Slicing) -> Dim:
    """Return the number of slices of an operand."""
    if operand.shape is None:
        return None
    dim = operand.shape[normalise_axis(cut.axis, len(operand.shape), "node")]
    if not isinstance(dim, int) or cut.stride == 0 or cut.size == 0:
        return None
    start, end = cut.ends(dim)
    return max(abs(end - start) // abs(cut.size), 0)


def piece(operand: Tensor, cut: Slicing) -> Tensor:
    if operand.shape is None:
        return Tensor(operand.dtype, None)
    axis = normalise_axis(cut.axis, len(operand.shape), "node")
    return Tensor(operand.dtype, replaced(operand.shape, axis, abs(cut.size)))


class LoopOfBody(Operator):
    """Base of loops: the body's variables from one iteration to the next."""

    nested = True
    relaxes = False  # carried values that are outputs may change their dimensions

    def walk(self, operands: Sequence[Tensor], body: LoopBody, count: int, known: Dim) -> Talk:
        first: dict[int, Tensor] = {}
        pieces: list[Dim] = []
        carried = self._carried(body)
        for entry in body.inputs:
            if entry.counter:
                continue
            if 0 <= entry.operand < len(operands):
                operand = entry.taken(operands[entry.operand])
                if entry.slicing is None:
                    first[entry.node] = Tensor(operand.dtype, operand.shape) if entry.node in carried else operand
                else:
                    pieces.append(turns(operand, entry.slicing))
                    first[entry.node] = piece(operand, entry.slicing)
        total = known if isinstance(known, int) or not pieces else next((n for n in pieces if isinstance(n, int)), None)
        answer: Answer = []
        for turn in range(8):
            answer = yield BodyRequest(body.graph, dict(first))
            if turn == 0 and total != 0:
                self._check_turn(body, answer, first, total)
            if not self._relax(body, answer, first):
                break
        return self._outputs(body, answer, count, self.total(body, answer, total))

    def total(self, body: LoopBody, answer: Answer, known: Dim) -> Dim:
        return known

    @staticmethod
    def _carried(body: LoopBody) -> set[int]:
        """Return the variables that change between iterations."""
        nodes = body.graph.nodes
        return {target for source, target in body.back if tuple(nodes[source].inputs[:1]) != ((target, 0),)}

    def _check_turn(self, body: LoopBody, answer: Answer, first: dict[int, Tensor], total: Dim) -> None:
        """Check carried values whose shape changes in the first iteration."""
        for source, target in body.back:
            before, after = first.get(target, UNKNOWN).shape, body.result(answer, source).shape
            if before is None or after is None or before == after:
                continue
            ways = [way for way in body.outputs if way.node == source]
            for cut in (way.slicing for way in ways if way.slicing is not None):
                if 0 <= cut.axis < len(after) and not dims.can_be(after[cut.axis], abs(cut.size)):
                    message = f"expected size {abs(cut.size)} on axis {cut.axis} of a body output, got {show(after)}"
                    raise ShapeError(R.shape_mismatch, message)
            self._check_change(before, after, total, any(way.slicing is None for way in ways))

    def _check_change(self, before: Shape, after: Shape, total: Dim, is_output: bool) -> None:
        """Check a carried value whose shape changes; OpenVINO 2026.4.1 runs dimensions that grow in a Loop that outputs them."""
        what = f"a back edge carries shape {show(after)} to a body input of shape {show(before)}"
        if self.relaxes and is_output:
            if len(before) != len(after):
                raise ShapeError(R.wrong_rank, f"{what}; the CPU plug-in refuses a rank that changes")
        elif isinstance(total, int) and total > 1 and dims.is_known(before) and dims.is_known(after):
            raise ShapeError(R.shape_mismatch, f"{what}; the CPU plug-in cannot run a second iteration")

    @staticmethod
    def _relax(body: LoopBody, answer: Answer, first: dict[int, Tensor]) -> bool:
        """Widen the loop-carried types until they cover every iteration."""
        changed = False
        for source, target in body.back:
            before, after = first.get(target), body.result(answer, source).shape
            if before is None or before.shape is None or after == before.shape:
                continue
            if (wider := agreed(before.shape, after)) != before.shape:
                first[target], changed = Tensor(before.dtype, wider), True
        return changed

    @staticmethod
    def _outputs(body: LoopBody, answer: Answer, count: int, total: Dim) -> list[Tensor]:
        outputs = [UNKNOWN] * count
        for entry in body.outputs:
            if not 0 <= entry.output < count:
                continue
            result = body.result(answer, entry.node)
            shape = result.shape
            if entry.slicing is not None and shape is not None:
                axis = normalise_axis(entry.slicing.axis, len(shape) or 1, "node")
                length = total * abs(entry.slicing.size) if isinstance(total, int) else None
                shape = replaced(shape or (1,), axis, length)
            outputs[entry.output] = Tensor(result.dtype, shape)
        return outputs


class TensorIterator(LoopOfBody):
    """The body once per slice."""

    inputs = "in*"
    kernel = "nested.tensor_iterator"

    def shape(self, *operands: Tensor, bodies: Sequence[LoopBody], count: int, **_: Any) -> Talk:
        return self.walk(operands, bodies[0], count, None)


class Loop(LoopOfBody):
    """The body a given number of times, or as long as a condition holds."""

    inputs = "trip_count:_/integers execution_condition in*"
    reads = (0, 1)
    relaxes = True
    kernel = "nested.loop"

    def shape(
        self, trips: Tensor, condition: Tensor, *rest: Tensor, bodies: Sequence[LoopBody], count: int, **_: Any
    ) -> Talk:
        self.match(trips, condition)
        for k, tensor in enumerate((trips, condition)):
            if dims.numel(tensor.shape) not in (None, 1):
                message = f"expected a scalar for `{self.names[k]}`, got {show(tensor.shape)}"
                raise ShapeError(R.wrong_rank, message, f"input:{k}", [k])
        number, start = trips.entry, condition.entry
        known: Dim = int(number) if isinstance(number, (int, float)) and number >= 0 else None
        if start is not None and not start:
            known = 0
        return self.walk((trips, condition, *rest), bodies[0], count, known)

    def total(self, body: LoopBody, answer: Answer, known: Dim) -> Dim:
        """Return the number of iterations, which is known only if the body never stops early."""
        if known == 0 or body.stop is None:
            return known
        value = body.result(answer, body.stop).value
        return None if value is None else known if value[0] else 1


class ReadValue(Operator):
    """A variable's value; at first the initial one."""

    remembers = True

    inputs = "init_value?"

    def shape(
        self,
        init: Tensor | None = None,
        *,
        variable_type: str | None = None,
        variable_shape: Shape | None = None,
        typed: bool = True,
        **_: Any,
    ) -> Tensor:
        """Without `typed` the variable has the type of its initial value."""
        if not typed or (init is not None and variable_type is None and variable_shape is None):
            return init or UNKNOWN
        if init is not None and None not in (variable_type, init.dtype) and init.dtype != variable_type:
            message = f"variable type {variable_type} does not match the type of its initial value, {init.dtype}"
            raise ShapeError(R.dtype_mismatch, message, "attr:variable_type", [0])
        if init is not None and variable_shape is not None and not fits(variable_shape, init.shape):
            raise ShapeError(R.shape_mismatch, excludes(variable_shape, init.shape), "attr:variable_shape", [0])
        return Tensor(variable_type, variable_shape)

    def run(
        self, init: Any = None, *, variable_type: str | None = None, variable_shape: Shape | None = None, **_: Any
    ) -> Any:
        if init is not None:
            return init
        lengths = [dim if isinstance(dim, int) else 0 for dim in variable_shape or ()]
        return np.zeros(lengths, variable_type or "float32")


def excludes(variable: Shape, initial: Shape | None) -> str:
    """Return what is wrong with a variable's shape that does not include that of its initial value."""
    return f"variable shape {show(variable)} does not include the shape of its initial value, {show(initial)}"


class Assign(Operator):
    """A variable's new value, which is also the output."""

    remembers = True
    inputs = "value:S/T -> S/T"

    def run(self, value: Any, **_: Any) -> Any:
        return value


class GraphResult(Identity):
    """Return the outputs of the graph."""

    inputs = "in:S/T -> S/T"
