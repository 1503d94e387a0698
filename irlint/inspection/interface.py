"""What programs use of a model: its inputs, outputs and states, with the names and types by which they know them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from irlint.dryrun.dims import compatible
from irlint.dryrun.mapping import Feed, Mapping
from irlint.formats.base import by_name
from irlint.graph import UNKNOWN, Node, Type, Value
from irlint.inspection.summary import input_name
from irlint.inspection.types import mapping_of, type_lookup
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Place

MOST = 10_000  # inputs or outputs that are compared
_NEAR = 50  # of those that are left over that may be one with a new name


class ModelEnd(NamedTuple):
    """An input, output or state; the first of its names is the usual one."""

    names: tuple[str, ...]
    type: Type
    place: Place
    node: int  # in the graph, by which it is given, or output
    needed: bool = True  # a run needs a value for it
    is_named: bool = True  # False: it goes by the name of a node, which converters choose
    declared: Type = UNKNOWN  # by the model, where that leaves more open than what is inferred

    @property
    def name(self) -> str:
        return self.names[0] if self.names else ""


class Interface(NamedTuple):
    """`defaults` are inputs for which the model has values of its own."""

    inputs: list[ModelEnd]
    defaults: list[ModelEnd]
    outputs: list[ModelEnd]
    states: list[ModelEnd]


def interface(model: Model) -> Interface:
    """Return the interface of a model that has been read."""
    mapping = mapping_of(model)
    kinds = (_inputs(model, mapping), _defaults(model), _outputs(model, mapping), _states(model, mapping))
    return Interface(*(list(islice(ports, MOST)) for ports in kinds))


def _inputs(model: Model, mapping: Mapping | None) -> Iterator[ModelEnd]:
    graph = model.graph
    for feed in mapping.feeds(graph) if mapping is not None else [_feed(model, graph.nodes[k]) for k in graph.inputs]:
        node = graph.nodes[feed.node]
        names = feed.names
        chosen = names[:-1] if len(names) > 1 and names[-1] == node.name else names
        yield ModelEnd(chosen, feed.type, graph.place(node, "name"), node.index, feed.needed, feed.is_named, feed.type)


def _defaults(model: Model) -> Iterator[ModelEnd]:
    graph, format_ = model.graph, by_name(model.format)
    names = {*format_.defaults(model)} if format_ is not None else set()
    for node in graph.nodes if names else ():
        if node.kind == "const" and node.name in names:
            feed = _feed(model, node)
            yield ModelEnd(feed.names, feed.type, graph.place(node, "name"), node.index, needed=False)


def _feed(model: Model, node: Node) -> Feed:
    return Feed(node.index, (input_name(model, node),), node.outputs[0].type if node.outputs else UNKNOWN)


def _outputs(model: Model, mapping: Mapping | None) -> Iterator[ModelEnd]:
    graph, type_of = model.graph, type_lookup(model)
    sources = graph.outputs if mapping is None else mapping.outputs(graph)
    names = [()] * len(sources) if mapping is None else mapping.aliases(graph)
    for k, ((index, output), known) in enumerate(zip(sources, names, strict=False)):
        if index < 0:
            continue
        node = graph.nodes[index]
        value = node.outputs[output] if output < len(node.outputs) else Value()
        listed = graph.locate_output(k) if sources is graph.outputs else Place(())
        place = listed if listed.path else graph.place(node, "name")
        type_ = type_of(graph, node, output)
        yield ModelEnd(
            known or (value.name or node.name,), type_, place, index, True, value.name is not None, value.type
        )


def _states(model: Model, mapping: Mapping | None) -> Iterator[ModelEnd]:
    graph, type_of = model.graph, type_lookup(model)
    for state in mapping.states(graph) if mapping is not None else ():
        node = graph.nodes[state.reader]
        declared = node.outputs[0].type if node.outputs else UNKNOWN
        place = graph.place(node, "name")
        yield ModelEnd((state.name,), type_of(graph, node, 0), place, node.index, declared=declared)


class Matched(NamedTuple):
    """The ports of two models: those of both, old and new, and those that only one has, each with its position."""

    pairs: list[tuple[int, int]]
    removed: list[int]
    added: list[int]


def matched(old: Sequence[ModelEnd], new: Sequence[ModelEnd]) -> Matched:
    """Return which ports are the same: those with a name in common, then those of one type that are left over, in order."""
    pairs = _named_alike(old, new)
    taken = {*pairs.values()}
    left = [k for k in range(len(new)) if k not in taken]
    for k, port in enumerate(old):
        renamed = None if k in pairs else next((n for n in left[:_NEAR] if _are_alike(port, new[n])), None)
        if renamed is not None:
            pairs[k] = renamed
            left.remove(renamed)
    return Matched(sorted(pairs.items()), [k for k in range(len(old)) if k not in pairs], left)


def _named_alike(old: Sequence[ModelEnd], new: Sequence[ModelEnd]) -> dict[int, int]:
    by_name = {name: k for k, port in reversed([*enumerate(new)]) for name in port.names}
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for k, port in enumerate(old):
        known = (by_name.get(name) for name in port.names)
        if (at := next((at for at in known if at is not None and at not in taken), None)) is not None:
            pairs[k] = at
            taken.add(at)
    return pairs


def _are_alike(old: ModelEnd, new: ModelEnd) -> bool:
    """Return whether a port may be another one with a new name."""
    (dtype, shape), (new_dtype, new_shape) = old.type, new.type
    if old.needed != new.needed or (None not in (dtype, new_dtype) and dtype != new_dtype):
        return False
    if shape is None or new_shape is None:
        return True
    return len(shape) == len(new_shape) and all(map(compatible, shape, new_shape))
