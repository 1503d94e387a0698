"""The runs of both models: the inputs of one given to the other, all values of the first kept, those of the second led back to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Feed, Mapping
from irlint.dryrun.running import feeds as inputs_of_run
from irlint.dryrun.running.feeds import BadInput, GivenInput
from irlint.dryrun.running.packed import whole
from irlint.dryrun.running.run import Run, Unsupported
from irlint.graph import Graph, Node
from irlint.proving.nearness import arranged, bare
from irlint.proving.traces import Partner, Trace, Traces
from irlint.records import NamedTuple, dataclass, field
from irlint.rules.base import Model

_KINDS = "iufb"
_SAMPLE = 32  # elements of a result


class Incomparable(Exception):
    """The reason why two models cannot be run on the same inputs."""


@dataclass
class Side:
    """One of the models, with what a run of it has shown."""

    model: Model
    mapping: Mapping
    types: Inference | None = None
    outputs: list[Any] = field(default_factory=list)
    weights: dict[int, list[Any]] = field(default_factory=dict)  # constant operands of calls, by node
    own: dict[int, Any] = field(default_factory=dict)  # first results of the second model that have no partner, by node
    data: set[int] = field(default_factory=set)  # nodes that depend on an input

    @property
    def graph(self) -> Graph:
        return self.model.graph

    def feeds(self) -> list[Feed]:
        return [feed for feed in self.mapping.feeds(self.graph) if feed.needed]


class Fed(NamedTuple):
    """The values of the inputs of both models, by node."""

    a: dict[int, Any]
    b: dict[int, Any]
    names: list[tuple[str, str]]


def fed(a: Side, b: Side, given: dict[int, GivenInput], seed: int) -> Fed:
    """Return values for the inputs of both, given for the first or drawn; raise Incomparable if their inputs do not correspond."""
    first, second = a.feeds(), b.feeds()
    pairs = _paired(first, second)
    more = int(a.mapping.has_batch) - int(b.mapping.has_batch)
    told = dict(given)
    for one, other in pairs:
        if one.node not in told and not _fixed(one) and _fixed(other):
            shape = _batched(tuple(other.type.shape or ()), more)  # type: ignore[arg-type]
            if one.type.shape is None or len(one.type.shape) == len(shape):
                told[one.node] = GivenInput(None, shape, None)
    inputs = inputs_of_run.resolve(first, inputs_of_run.completed(first, told))
    values = inputs_of_run.values(first, inputs, seed)
    others: dict[int, Any] = {}
    for one, other in pairs:
        array = values[one.node]
        others[other.node] = _as_input(array.reshape(_batched(array.shape, -more)), one, other)
    return Fed(values, others, [(one.names[0], other.names[0]) for one, other in pairs])


def _fixed(feed: Feed) -> bool:
    return feed.type.shape is not None and all(type(length) is int for length in feed.type.shape)


def _batched(shape: tuple[int, ...], more: int) -> tuple[int, ...]:
    """Return a shape with a dimension for a batch of one more, or one less."""
    if more > 0:
        return (1, *shape)
    return shape[1:] if more < 0 and shape[:1] == (1,) else shape


def _paired(first: Sequence[Feed], second: Sequence[Feed]) -> list[tuple[Feed, Feed]]:
    """Return inputs of both with a common name, then the others in their order."""
    by_name = {name: feed for feed in reversed(second) for name in feed.names}
    pairs, taken = {}, set()
    for feed in first:
        found = next((by_name[name] for name in feed.names if name in by_name), None)
        if found is not None and found.node not in taken:
            pairs[feed.node] = found
            taken.add(found.node)
    rest = [feed for feed in second if feed.node not in taken]
    for feed in first:
        if feed.node not in pairs and rest:
            pairs[feed.node] = rest.pop(0)
    if rest:
        raise Incomparable(f"input {rest[0].names[0]!r} of B has no counterpart in A")
    return [(feed, pairs[feed.node]) for feed in first if feed.node in pairs]


def _as_input(array: Any, one: Feed, other: Feed) -> Any:
    """Return the value of an input in the type and the shape of the other model's."""
    shape = other.type.shape
    if shape is not None and array.shape != shape:
        if _fixed(other):
            lengths = tuple(int(length) for length in shape)  # type: ignore[arg-type]
            same = sorted(bare(lengths)) == sorted(bare(array.shape))
            if not same:
                raise Incomparable(
                    f"input {one.names[0]!r} of A is {list(array.shape)}, {other.names[0]!r} of B is {list(lengths)}"
                )
            array = next(arranged(array, lengths))
        elif len(shape) != array.ndim:
            raise Incomparable(
                f"input {one.names[0]!r} of A has {array.ndim} dimensions, {other.names[0]!r} of B has {len(shape)}"
            )
    from irlint.dryrun.running.arrays import cast

    return array if other.type.dtype in (None, one.type.dtype) else cast(array, other.type.dtype)


def run(side: Side, values: dict[int, Any], seed: int, limit: int | None, change: Callable[[Node, list[Any], list[Any]], Any]) -> None:
    """Run a model; `change` gets each result of the outermost graph that depends on an input, and may return others in their place."""
    graph, given = side.graph, {}
    for node, array in values.items():
        given[node] = inputs_of_run.abstract(array)
    side.types = infer(graph, side.mapping, given)
    if side.types.unknown:
        raise Unsupported(next(n for g in graph.walk() for n in g.nodes if n.op in side.types.unknown))
    side.data = set(values)

    def watch(where: Graph, node: Node, operands: list[Any], outputs: tuple[Any, ...], seconds: float) -> Any:
        if where is not graph:
            return None
        if not any(source[0] in side.data for source in node.inputs):
            return None
        side.data.add(node.index)
        side.weights[node.index] = [
            operand
            for source, operand in zip(node.inputs, operands, strict=False)
            if operand is not None and source[0] not in side.data
        ]
        return change(node, operands, [whole(array) for array in outputs])

    side.outputs = Run(side.mapping, side.types, watch, seed, limit).outputs(graph, values)


def _moves(array: Any, operands: list[Any]) -> bool:
    """Return whether a result consists of elements of an operand: there may be another that selects the same by another way."""
    some = array.reshape(-1)[:: max(1, array.size // _SAMPLE)][:_SAMPLE]
    return any(
        operand is not None and operand.size > 1 and operand.dtype == array.dtype and bool(np.isin(some, operand).all())
        for operand in map(whole, operands)
    )


def kept(side: Side, values: dict[int, Any], seed: int, limit: int | None) -> Traces:
    """Run the first model and return all its values."""
    traces = Traces()
    for node, array in values.items():
        if array.dtype.kind in _KINDS:
            traces.add(Trace(node, 0, array))

    def keep(node: Node, operands: list[Any], outputs: list[Any]) -> None:
        for k, array in enumerate(outputs):
            if array.dtype.kind in _KINDS:
                traces.add(Trace(node.index, k, array))

    run(side, values, seed, limit, keep)
    return traces


def led(
    side: Side, values: dict[int, Any], seed: int, limit: int | None, traces: Traces, nearness: float
) -> dict[tuple[int, int], Partner]:
    """Run the second model. A value that one of the first is near to is replaced by that one, so that rounding does not add up:
    return which ones are."""
    partners: dict[tuple[int, int], Partner] = {}

    def lead(node: Node, operands: list[Any], outputs: list[Any]) -> Any:
        changed = False
        for k, array in enumerate(outputs):
            if array.dtype.kind not in _KINDS:
                continue
            partner = traces.nearest(array, nearness)
            if partner is not None:
                partners[node.index, k] = partner
                if partner.distance:
                    outputs[k] = partner.array.astype(array.dtype)
                    changed = True
            elif k == 0 and array.dtype.kind == "f" and not _moves(array, operands):
                side.own[node.index] = array
        return tuple(outputs) if changed else None

    run(side, values, seed, limit, lead)
    return partners


__all__ = ["BadInput", "Fed", "Incomparable", "Side", "fed", "kept", "led"]
