"""What programs use of a model: its inputs, outputs and states, with the names and types by which they know them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from irlint.dryrun.dims import compatible
from irlint.dryrun.mapping import Feed, Mapping
from irlint.graph import UNKNOWN, Node, Type
from irlint.inspection.summary import input_name
from irlint.inspection.types import mapping_of, type_lookup
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Place

MOST = 10_000  # inputs or outputs that are compared


class Port(NamedTuple):
    """An input, output or state; the first of its names is the usual one."""

    names: tuple[str, ...]
    type: Type
    place: Place
    node: int  # in the graph, by which it is given, or output
    needed: bool = True  # a run needs a value for it
    is_named: bool = True  # False: it goes by the name of a node, which converters choose

    @property
    def name(self) -> str:
        return self.names[0] if self.names else ""


class Interface(NamedTuple):
    inputs: list[Port]
    outputs: list[Port]
    states: list[Port]


def interface(model: Model) -> Interface:
    """Return the interface of a model that has been read."""
    mapping = mapping_of(model)
    kinds = (_inputs(model, mapping), _outputs(model, mapping), _states(model, mapping))
    return Interface(*(list(islice(ports, MOST)) for ports in kinds))


def _inputs(model: Model, mapping: Mapping | None) -> Iterator[Port]:
    graph = model.graph
    feeds = mapping.feeds(graph) if mapping is not None else [_feed(model, graph.nodes[k]) for k in graph.inputs]
    for feed in feeds:
        node = graph.nodes[feed.node]
        names = feed.names
        chosen = names[:-1] if len(names) > 1 and names[-1] == node.name else names
        yield Port(chosen, feed.type, graph.place(node, "name"), node.index, feed.needed)


def _feed(model: Model, node: Node) -> Feed:
    return Feed(node.index, (input_name(model, node),), node.outputs[0].type if node.outputs else UNKNOWN)


def _outputs(model: Model, mapping: Mapping | None) -> Iterator[Port]:
    graph, type_of = model.graph, type_lookup(model)
    sources = graph.outputs if mapping is None else mapping.outputs(graph)
    names = [()] * len(sources) if mapping is None else mapping.aliases(graph)
    for k, ((index, output), known) in enumerate(zip(sources, names, strict=False)):
        if index < 0:
            continue
        node = graph.nodes[index]
        value = node.outputs[output].name if output < len(node.outputs) else None
        listed = graph.locate_output(k) if sources is graph.outputs else Place(())
        place = listed if listed.path else graph.place(node, "name")
        type_ = type_of(graph, node, output)
        yield Port(known or (value or node.name,), type_, place, index, is_named=value is not None)


def _states(model: Model, mapping: Mapping | None) -> Iterator[Port]:
    graph, type_of = model.graph, type_lookup(model)
    for state in mapping.states(graph) if mapping is not None else ():
        node = graph.nodes[state.reader]
        yield Port((state.name,), type_of(graph, node, 0), graph.place(node, "name"), node.index)


class Matched(NamedTuple):
    """The ports of two models: those of both, old and new, and those that only one has, each with its position."""

    pairs: list[tuple[int, int]]
    removed: list[int]
    added: list[int]


def matched(old: Sequence[Port], new: Sequence[Port]) -> Matched:
    """Return which ports are the same: those with a name in common, then those of one type that are left over, in order."""
    by_name = {name: k for k, port in reversed([*enumerate(new)]) for name in port.names}
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for k, port in enumerate(old):
        at = next((by_name[name] for name in port.names if name in by_name and by_name[name] not in taken), None)
        if at is not None:
            pairs[k] = at
            taken.add(at)
    left = [k for k in range(len(new)) if k not in taken]
    for k, port in enumerate(old):
        if k not in pairs and left and _are_alike(port.type, new[left[0]].type):
            pairs[k] = left.pop(0)
    return Matched(sorted(pairs.items()), [k for k in range(len(old)) if k not in pairs], left)


def _are_alike(old: Type, new: Type) -> bool:
    """Return whether a renamed port may have had this type."""
    if None not in (old.dtype, new.dtype) and old.dtype != new.dtype:
        return False
    if old.shape is None or new.shape is None:
        return True
    return len(old.shape) == len(new.shape) and all(map(compatible, old.shape, new.shape))
