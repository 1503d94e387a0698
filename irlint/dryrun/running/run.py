"""The run: a model's values in NumPy, operator by operator, each freed after its last use."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from collections.abc import Mapping as Dictionary
from functools import cache
from sys import getrefcount
from time import perf_counter
from typing import Any

from irlint.dryrun.dims import is_known
from irlint.dryrun.dtypes import FLOATS
from irlint.dryrun.errors import UNFORESEEN, NoKernel, ShapeError, Undecided
from irlint.dryrun.infer import Inference
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Call, FromAttr, Mapping
from irlint.dryrun.operator import BodyRun
from irlint.dryrun.running import draw
from irlint.dryrun.running.arrays import cast, from_bytes, stored
from irlint.dryrun.running.memory import TooMuch, size_of
from irlint.dryrun.running.packed import Packed, whole
from irlint.dryrun.running.schedule import Kept, Schedule
from irlint.dryrun.tensor import Tensor, is_empty, small, taken
from irlint.graph import Graph, Node

Arrays = tuple[Any, ...]
# gets the operands, the outputs and the time; returns other outputs to continue with, or None
Watch = Callable[[Graph, Node, list[Any], Arrays, float], Arrays | None]
MOST_REPEATED = (
    4_000_000  # operators computed in nested graphs, which take a minute: whether a loop ends is undecidable
)
_ENDLESS = f"stopped after {MOST_REPEATED:,} operators in nested graphs: a loop does not end, or takes too many turns"
_OWN = 2  # references that getrefcount counts for an array that only the list of operands refers to
_BROKEN = (
    ArithmeticError,
    AssertionError,
    LookupError,
    TypeError,
    ValueError,
    Undecided,
)  # LinAlgError is a ValueError


class Unsupported(Exception):
    """An operator that cannot be computed."""

    def __init__(self, node: Node, why: str = "") -> None:
        super().__init__(f"{node.op} at node {node.name}{why and f': {why}'}")
        self.node, self.why = node, why


class Failed(Exception):
    """A kernel that failed: the operator cannot be computed for these values."""

    def __init__(self, node: Node, reason: str) -> None:
        super().__init__(f"{node.op} {node.name!r}: {reason}")
        self.node = node


class ValuesMissing(Failed):
    """An operator whose shapes, axes or indices are those of a constant that the file lacks: drawn ones would mean nothing."""

    def __init__(self, node: Node, operand: str, constant: Node) -> None:
        super().__init__(node, f"its `{operand}` needs the values of constant {constant.name!r}, which are missing")


def run(
    graph: Graph,
    mapping: Mapping,
    types: Inference,
    feeds: Dictionary[int, Any],
    watch: Watch | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> list[Any]:
    """Return the outputs of the graph. `feeds` are the variables' values by node index; missing weights
    are drawn. No value that is larger than `limit` bytes is made.
    """
    return Run(mapping, types, watch, seed, limit).outputs(graph, feeds)


class Run:
    """One run; `drawn` are random constants in place of missing ones.

    `wanted` are nodes of the outermost graph whose values are kept besides its outputs: they are in `found` afterwards.
    """

    def __init__(
        self,
        mapping: Mapping,
        types: Inference,
        watch: Watch | None = None,
        seed: int = 0,
        limit: int | None = None,
        wanted: Collection[int] = (),
        within: Schedule | None = None,
        keeps_operands: bool = False,
        rounds: bool = True,
    ) -> None:
        """`within`: the only nodes of its graph that are computed; then there are no outputs. `keeps_operands`: no result is written
        over an operand, because `watch` looks at both. `rounds`: results have the types that were inferred, not those of wider operands."""
        self.mapping, self.types, self.watch, self.seed, self.limit = mapping, types, watch, seed, limit
        self.wanted, self.within, self.keeps_operands = wanted, within, keeps_operands
        self._typed = _typed if rounds else _as_computed
        self.found: dict[int, Arrays] = {}
        self.constants: dict[int, Any] = {}  # by id() of the node, for graphs that may run again
        self.repeated = 0  # operators computed in nested graphs
        self.drawn: dict[Node, None] = {}
        self._sound: dict[int, set[int]] = {}  # by id() of the graph: nodes behind which nothing is drawn

    def outputs(self, graph: Graph, feeds: Dictionary[int, Any]) -> list[Any]:
        outputs = self.mapping.outputs(graph) if self.within is None else ()
        keep = {*[source[0] for source in outputs], *self.wanted}
        stack = [self._execute(graph, dict(feeds), keep)]
        answer: Any = None
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            while stack:
                try:
                    request: BodyRun = stack[-1].send(answer)
                except StopIteration as end:
                    answer = end.value
                    stack.pop()
                    continue
                answer = None
                self.repeated += len(request.graph.nodes) + 1
                if self.repeated > MOST_REPEATED:
                    stack[-1].throw(ValueError(_ENDLESS))
                stack.append(self._execute(request.graph, request.inputs, None))
        values: list[Arrays] = answer
        self.found = {index: tuple(map(whole, values[index])) for index in self.wanted if values[index]}
        return [whole(values[node][output]) for node, output in outputs]

    def _execute(self, graph: Graph, feeds: dict[int, Any], keep: set[int] | None) -> Generator[Any, Any, list[Arrays]]:
        """Compute the values of one graph; requests those of nested graphs. Values not in `keep` are freed after their last use."""
        schedule = self._schedule(graph)
        nodes, calls, known = graph.nodes, schedule.calls, schedule.kinds
        values: list[Arrays] = [()] * len(nodes)
        kept = self._kept(schedule, feeds, keep is None)
        fixed, idle = (kept.values, kept.idle) if kept is not None else ({}, ())
        for place, index in enumerate(schedule.order):
            node = nodes[index]
            if index in fixed:
                values[index] = fixed[index]
                continue
            if index in idle:
                continue
            if index in feeds:
                values[index] = (feeds.pop(index),)
                continue
            if node.kind != "call":
                if schedule.used[index] or keep is None or index in keep:
                    values[index] = (self._constant(node, known[index], keep is None),)
                    if kept is not None and not self.drawn:
                        kept.add(index, values[index])
                continue
            operands = [_operand(values, source) for source in node.inputs]
            if keep is not None:
                for maker in schedule.frees[place]:
                    if maker not in keep:
                        values[maker] = ()
            call = calls[index]
            if call is None:
                call = calls[index] = self._call(graph, node)
            self._only_known(graph, node, call)
            kinds = known[index]
            start = perf_counter()
            if call.operator.nested:
                result = _as_inferred((yield from self._nested(graph, node, call, operands)), kinds)
            else:
                if not schedule.settled[index]:
                    kinds = self._settled(graph, node, call, operands, kinds)
                ready = kept.prepared(index, call, operands) if kept is not None and call.operator.prepares else {}
                result = self._computed(node, call, operands, kinds, index in schedule.several, ready)
            outputs = self._typed(result, kinds)
            if kept is not None and not self.drawn:
                kept.add(index, outputs)
            seconds = perf_counter() - start
            values[index] = outputs if self.watch is None else self._watched(graph, node, operands, outputs, seconds)
            del operands, result, outputs
            if not schedule.used[index] and keep is not None and index not in keep:
                values[index] = ()
        return values

    def _watched(self, graph: Graph, node: Node, operands: list[Any], outputs: Arrays, seconds: float) -> Arrays:
        """Return what to continue with."""
        assert self.watch is not None
        instead = self.watch(graph, node, operands, outputs, seconds)
        return outputs if instead is None else instead

    def _schedule(self, graph: Graph) -> Schedule:
        schedules = self.mapping.schedules
        found: Schedule | None = schedules.get(id(graph))
        if self.within is not None and self.within.graph is graph:
            found = self.within
        elif found is None or found.graph is not graph:
            found = schedules[id(graph)] = Schedule(graph, self.mapping)
        found.begin(self.types)
        return found

    def _kept(self, schedule: Schedule, feeds: dict[int, Any], nested: bool) -> Kept | None:
        """Return the values that are the same in every run, from the second run of a graph on, as most models run once; None if
        a caller watches the outermost graph."""
        nodes = schedule.graph.nodes
        schedule.runs += 1
        if schedule.runs == 1 or (self.watch and not nested):
            return None
        kept = schedule.kept(frozenset(index for index in feeds if nodes[index].kind == "const"), self.limit)
        kept.begin()
        return kept

    def _call(self, graph: Graph, node: Node) -> Call:
        try:
            call = self.mapping.call_of(graph, node)
        except ShapeError as error:
            raise Failed(node, error.message) from error
        except (Undecided, *UNFORESEEN) as error:
            if not isinstance(error, (Undecided, *self.mapping.unforeseen)):
                raise
            call = None
        if call is None:
            raise Unsupported(node, "not implemented")
        return call

    def _constant(self, node: Node, kinds: tuple[Tensor, ...], again: bool) -> Any:
        """Return a leaf's value; `again`: it may be requested more than once."""
        if (found := self.constants.get(id(node))) is not None:
            return found
        try:
            found = None if again else self.mapping.packed(node)
            if found is None:
                found = self.mapping.array(node)
        except LookupError:
            kind = kinds[0] if kinds else Tensor()
            dtype = kind.dtype or self.mapping.usual
            if dtype is None or not is_known(kind.shape):
                raise Failed(node, "no value was provided and its type is unknown") from None
            self._within(node, kind)
            self.drawn[node] = None
            try:
                found = draw.weight(self.seed, node.name, dtype, kind.shape)  # type: ignore[arg-type]
            except MemoryError:
                raise TooMuch(node, kind, 0, self.limit or 0) from None
        except (ValueError, OverflowError) as error:
            raise Failed(node, str(error)) from error
        if again:
            self.constants[id(node)] = found
        return found

    def _only_known(self, graph: Graph, node: Node, call: Call) -> None:
        """Raise ValuesMissing if an operand that decides shapes is drawn, or computed as whole numbers from one that is."""
        if not self.drawn:
            return
        types = self.types.types.get(id(graph)) or [()] * len(graph.nodes)
        sound = self._sound.setdefault(id(graph), set())
        for place in call.operator.reads:
            origin = place if call.inputs is None else call.inputs[place] if place < len(call.inputs) else None
            if isinstance(origin, int) and origin < len(node.inputs):
                lost = next(
                    (one for one in _whole_behind(graph, node.inputs[origin], types, sound) if one in self.drawn), None
                )
                if lost is not None:
                    raise ValuesMissing(node, call.operator.input_name(place), lost)

    def _settled(
        self, graph: Graph, node: Node, call: Call, operands: list[Any], kinds: tuple[Tensor, ...]
    ) -> tuple[Tensor, ...]:
        """Return the types of a node's outputs for its actual operands; empty if only the kernel determines them."""
        known = self.types.types.get(id(graph))
        tensors: list[Any] = []
        for source, array in zip(node.inputs, operands, strict=True):
            if array is None:
                tensors.append(None)
                continue
            outputs = known[source[0]] if known and source[0] >= 0 else ()
            tensors.append(abstract(array, outputs[source[1]].dtype if source[1] < len(outputs) else None))
        if call.inputs is not None:
            tensors = [tensors[k] if isinstance(k, int) else k and k.tensor for k in call.inputs]
        try:
            call.operator.check_count(len(tensors))
            found: Any = call.operator.shape(*tensors, **call.attrs)
        except ShapeError as error:
            if error.outputs is None:
                raise Failed(node, error.message) from error
            found = error.outputs  # with which the runtime continues
        except (Undecided, *UNFORESEEN):
            return kinds
        outputs = (found,) if isinstance(found, Tensor) else tuple(found)
        if call.pick is not None:
            outputs = tuple(outputs[k] for k in call.pick)
        for tensor in outputs:
            self._within(node, tensor)
        return outputs

    def _within(self, node: Node, tensor: Tensor) -> None:
        size = size_of(tensor)
        if self.limit is not None and size is not None and size > self.limit:
            raise TooMuch(node, tensor, size, self.limit)

    def _computed(
        self,
        node: Node,
        call: Call,
        operands: list[Any],
        kinds: tuple[Tensor, ...],
        several: bool,
        ready: dict[str, Any],
    ) -> Any:
        """Return what the kernel returns; `ready` is what it has made of constants in an earlier run."""
        if kinds and all(kind.dtype not in (None, "string") and is_empty(kind.shape) for kind in kinds):
            # kernels would follow the other axes
            return [from_bytes(b"", kind.dtype, kind.shape) for kind in kinds]  # type: ignore[arg-type]
        try:
            if Packed in map(type, operands):
                found = call.operator.run_packed(*operands, **call.attrs) if call.inputs is None else None
                if found is not None:
                    return (found,)
                operands[:] = map(whole, operands)
            may_overwrite = call.operator.overwrites and not self.keeps_operands
            if may_overwrite and (found := _over(call, operands, kinds)) is not None:
                return (found,)
            arranged = self._with_added(node, call, operands, _arranged(call, operands))
            if call.operator.typed:
                dtypes = tuple([kind.dtype for kind in kinds])
                return _picked(call, call.operator.run(*arranged, **call.attrs, **ready, dtypes=dtypes))
            if not several and call.operator.has_first and call.pick is None:
                return (call.operator.run_first(*arranged, **call.attrs),)
            return _picked(call, call.operator.run(*arranged, **call.attrs, **ready))
        except NoKernel as error:
            raise Unsupported(node, str(error)) from None
        except MemoryError:
            raise TooMuch(node, kinds[0] if kinds else Tensor(), 0, self.limit or 0) from None
        except AttributeError as error:
            if "NoneType" not in str(error):
                raise
            raise Failed(node, "missing required input") from error
        except _BROKEN as error:
            raise Failed(node, str(error)) from error

    def _with_added(self, node: Node, call: Call, operands: list[Any], arranged: list[Any]) -> list[Any]:
        """Return the operands, including those that the loader adds."""
        origins = [origin if isinstance(origin, FromAttr) else None for origin in call.inputs or ()]
        known = {k: origin.tensor.shape for k, origin in enumerate(origins) if origin and origin.name}
        if call.complete is not None and not any(array is None for array in operands):
            completed = call.complete([abstract(array) for array in operands])
            known |= {k: completed.get(k) for k, origin in enumerate(origins) if origin and not origin.key}
        for k in known:
            name, found = self.mapping.added(node, k)
            if found is None and is_known(known.get(k)):
                found = draw.weight(self.seed, name, operands[0].dtype.name, known[k])  # type: ignore[arg-type]
            wide = found is not None and found.dtype == np.float16
            arranged[k] = found.astype(np.float32) if wide else found  # as loaders store it, to be computed in 32 bits
        return arranged

    def _nested(self, graph: Graph, node: Node, call: Call, operands: list[Any]) -> Generator[Any, Any, Any]:
        types = self.types.types.get(id(graph)) or [()] * len(graph.nodes)
        known = taken(types, node.inputs)
        try:
            operands[:] = map(whole, operands)
            result = yield from call.operator.run(*_arranged(call, operands), **call.attrs_for(known))
        except NoKernel as error:
            raise Unsupported(node, str(error)) from None
        except _BROKEN as error:
            raise Failed(node, str(error)) from error
        return _picked(call, result)


def _whole_behind(
    graph: Graph, source: tuple[int, int], types: Sequence[tuple[Tensor, ...]], seen: set[int]
) -> Iterator[Node]:
    """Yield the node that a value comes from, and those from which it is computed as whole numbers, unless they were seen before."""
    stack = [source[0]] if source[0] >= 0 and source[0] not in seen else []
    seen.update(stack)
    while stack:
        node = graph.nodes[stack.pop()]
        yield node
        read = {maker for maker, *_ in node.inputs if maker >= 0 and node.kind == "call"} - seen
        read = {one for one in read if types[one] and all(kind.dtype not in FLOATS for kind in types[one])}
        seen |= read
        stack += read


def _over(call: Call, operands: list[Any], kinds: tuple[Tensor, ...]) -> Any:
    """Return the output, written over an operand with no other references and of the same type and size; else None."""
    if call.inputs is not None:
        return None
    shape = kinds[0].shape if kinds else None
    dtype = operands[0].dtype
    if dtype.kind != "f" or kinds[0].dtype != _name(dtype):
        return None
    if any(operand is not None and operand.dtype != dtype for operand in operands):
        return None
    for k in range(len(operands)):
        if operands[k] is not None and operands[k].shape == shape and _is_free(operands, k):
            return call.operator.run_over(k, *operands, **call.attrs)
    return None


@cache
def _name(dtype: Any) -> str:
    name: str = dtype.name
    return name


def _is_free(operands: list[Any], k: int) -> bool:
    """Return whether an operand's memory has no other references: neither the same array, nor another view of it."""
    if getrefcount(operands[k]) != _OWN or not operands[k].flags.writeable:
        return False
    if operands[k].flags.owndata:
        return True
    base = operands[k].base
    return isinstance(base, np.ndarray) and base.flags.owndata and getrefcount(base) == _OWN + 1


def abstract(array: Any, dtype: str | None = None) -> Tensor:
    """Return an array as an abstract tensor: its type, and its elements if they are few."""
    kind = array.dtype.kind
    value = None
    if kind in "iubf" and small(array.shape):
        value = tuple(array.reshape(-1).tolist())
    return Tensor(dtype or ("string" if kind in "OUS" else array.dtype.name), tuple(array.shape), value)


def _operand(values: list[Arrays], source: tuple[int, int]) -> Any:
    made = values[source[0]] if source[0] >= 0 else ()
    return made[source[1]] if source[1] < len(made) else None


def _arranged(call: Call, operands: list[Any]) -> list[Any]:
    if call.inputs is None:
        return operands
    return [operands[k] if isinstance(k, int) else _from_attr(k) for k in call.inputs]


def _from_attr(origin: FromAttr | None) -> Any:
    """Return an attribute as an operand: a plain number, or an array."""
    if origin is None or origin.tensor.value is None:
        return None
    value, shape = origin.tensor.value, origin.tensor.shape
    return value[0] if shape == () else np.array(value, origin.tensor.dtype).reshape(shape)


def _picked(call: Call, result: Any) -> Arrays:
    outputs = tuple(result) if isinstance(result, list | tuple) else (result,)
    return outputs if call.pick is None else tuple(outputs[k] for k in call.pick)


def _as_inferred(arrays: Arrays, kinds: tuple[Tensor, ...]) -> Arrays:
    """Return arrays whose elements never came to be, in a loop without iterations, in their inferred shapes."""
    return tuple(
        [
            array.reshape(kind.shape) if is_known(kind.shape) and is_empty(kind.shape) and array.size == 0 else array
            for array, kind in zip(arrays, kinds, strict=False)
        ]
    ) + tuple(arrays[len(kinds) :])


def _typed(arrays: Arrays, kinds: tuple[Tensor, ...]) -> Arrays:
    """Return arrays in the types of the operator's outputs."""
    return tuple([_as_type(array, kinds[k].dtype if k < len(kinds) else None) for k, array in enumerate(arrays)])


def _as_computed(arrays: Arrays, kinds: tuple[Tensor, ...]) -> Arrays:
    return _typed(arrays, ())


def _as_type(array: Any, dtype: str | None) -> Any:
    if type(array) is Packed:
        return array
    array = np.asarray(array)
    if dtype is None or _name(array.dtype) == dtype:
        return array
    return cast(array, dtype) if stored(dtype) != dtype or dtype == "float16" else array.astype(dtype)
