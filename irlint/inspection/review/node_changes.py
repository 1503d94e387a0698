"""How a node that both models have has changed: as their graphs have it, and as their files write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Dictionary
from functools import cached_property
from math import isfinite
from typing import Any

from irlint.dryrun.infer import Inference
from irlint.dryrun.known import DeclaredType
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Tensor
from irlint.formats.base import all_formats
from irlint.graph import Graph, Node, Shape, Source, Type
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.review.computation import Computation, carried, computation, only_shaping
from irlint.inspection.review.defaults import with_defaults
from irlint.inspection.review.difference import NodeChange, source_name
from irlint.inspection.review.file_entries import WrittenEntries, differ_in_numbers, entry_changes
from irlint.inspection.review.matching import GraphSide
from irlint.inspection.rounding import ROUNDING
from irlint.inspection.types import mapping_of, type_lookup, type_text
from irlint.operators import Attribute
from irlint.rules.base import Model
from irlint.text.floats import spelled

_FLOATS = ("float32", "float16", "bfloat16")
_SHOWN = 20  # numbers of a shape
_OF_LARGEST = 10  # times closer than to a slice numbers are to the largest
_NONE = object()  # in the place of an attribute that a node does not have
NodeOf = tuple[Graph, Node]


class ModelReading:
    """The view of one model for the comparison."""

    def __init__(self, model: Model, canonical: bool) -> None:
        """`canonical`: the operators of the other model come from another table."""
        self.model = model
        self.op: Callable[[Node], str] = CanonicalNames(model).of if canonical else lambda node: node.op
        self.type_of = type_lookup(model)
        self.has_mistakes = isinstance(model.types, Inference) and model.types.has_mistakes
        self.format = all_formats()[model.format]
        self._shaping: dict[int, set[int]] = {}

    @cached_property
    def versions(self) -> list[tuple[str, str]]:
        return self.format.versions(self.model)

    @cached_property
    def mapping(self) -> Mapping | None:
        return mapping_of(self.model)

    def computation(self, graph: Graph, node: Node) -> Computation | None:
        return computation(self.mapping, graph, node)

    def is_shape(self, graph: Graph, node: Node) -> bool:
        """Return whether a node is a constant that is read as a shape, axes, or the like."""
        if id(graph) not in self._shaping:
            self._shaping[id(graph)] = only_shaping(self.mapping, graph)
        return node.index in self._shaping[id(graph)]

    def value(self, graph: Graph, source: Source) -> tuple[Any, ...] | None:
        """Return the elements of a small constant; None if they are not known."""
        node, types = graph.nodes[source[0]], self.model.types
        found = types.outputs(graph, node) if isinstance(types, Inference) and node.kind == "const" else ()
        return found[source[1]].value if source[1] < len(found) else None

    @cached_property
    def entries(self) -> WrittenEntries:
        return WrittenEntries(self.model)

    def side(self, graph: Graph) -> GraphSide:
        return GraphSide(graph, self.same, self.alike, self.name)

    def same(self, node: Node) -> tuple[str, ...]:
        roles = self.format.roles if node.kind == "const" else {}
        plain = (one for one in sorted(_plain(node).items()) if roles.get(one[0]) != "data" or one[0] == "value")
        return (*self.alike(node), *(f"{key}={value!r}" for key, value in plain))

    def what(self, node: Node) -> tuple[str, ...]:
        return node.kind, self.op(node)

    def alike(self, node: Node) -> tuple[str, ...]:
        """Return what a node is but for its attributes; a constant has a shape."""
        shape = node.outputs[0].type.shape if node.kind == "const" and node.outputs else None
        return self.what(node) if shape is None else (*self.what(node), str(shape))

    def name(self, node: Node) -> str:
        """Return a node's name; a call's id in a listing is its position, not its name."""
        return node.name if node.kind != "call" or all_formats()[self.model.format].names_calls else ""

    def attribute(self, node: Node, key: str) -> Attribute | None:
        """Return an attribute whose name does not say what it means."""
        operator = self.model.operator(node)
        found = operator.attributes.get(key) if operator else None
        return found if found is not None and found.label else None


def _plain(node: Node) -> dict[str, Any]:
    """Return the attributes that are not graphs: the nodes of those are compared one by one."""
    if not node.graphs:
        return node.attrs
    held = {id(graph) for graph in node.graphs}
    return {
        key: value
        for key, value in node.attrs.items()
        if not any(id(one) in held for one in (value if isinstance(value, tuple) else (value,)))
    }


def node_changes(
    a: ModelReading, b: ModelReading, old: NodeOf, new: NodeOf, pairs: dict[int, int], distance: float | None
) -> Iterator[NodeChange]:
    """Yield what differs. `distance`: of the values of two constants, where both have values that are compared."""
    (before, node), (after, now) = old, new
    if a.what(node) != b.what(now):
        role = "data" if node.kind == now.kind == "const" else ""  # another way to write one
        yield NodeChange("operator", "", a.op(node), b.op(now), role=role)
    types = list(_types(a, b, old, new))
    yield from _weights(a, b, old, new, distance, bool(types))
    if a.name(node) != b.name(now):
        is_counted = now.kind != "var" and differ_in_numbers(node.name, now.name)
        yield NodeChange("name", "", node.name, now.name, role="number" if is_counted else "")
    attributes = _attributes(a, b, node, now, distance, bool(types))
    yield from with_defaults(a, b, node, now, attributes) if node.kind == now.kind == "call" else attributes
    inputs = sources(a, b, before, after, list(node.inputs), list(now.inputs), pairs)
    yield from (NodeChange("input", *_with_values(a, b, old, new, *rest)) for rest in inputs)
    yield from types


def _weights(
    a: ModelReading, b: ModelReading, old: NodeOf, new: NodeOf, distance: float | None, has_types: bool
) -> Iterator[NodeChange]:
    """Yield whether the values of two nodes are others: of a shape the numbers, of weights how far they are apart."""
    (before, node), (after, now) = old, new
    if distance and not has_types and b.is_shape(after, now):
        was, is_ = a.value(before, Source(node.index)), b.value(after, Source(now.index))
        yield NodeChange("attribute", "value", _listed(was), _listed(is_))
    elif distance and (now.kind == "call" or not has_types or _is_beyond_rounding(distance, node, now)):
        yield NodeChange("weights", "", None, None, distance=distance if isfinite(distance) else None)


def _with_values(
    a: ModelReading, b: ModelReading, old: NodeOf, new: NodeOf, key: str, was: str | None, is_: str | None
) -> tuple[str, str | None, str | None]:
    """Return two sources of an input, with their values where these are small constants."""
    if was is None or is_ is None:
        return key, was, is_
    (before, node), (after, now) = old, new
    one, other = a.value(before, node.inputs[int(key)]), b.value(after, now.inputs[int(key)])
    if one is None or other is None or one == other:
        return key, was, is_
    told, tells = (spelled(value[0]) if len(value) == 1 else _listed(value) for value in (one, other))
    return key, f"{was} ({told})", f"{is_} ({tells})"


def _listed(value: tuple[Any, ...] | None) -> str | None:
    return None if value is None else spelled([*value[:_SHOWN], *(["..."] if len(value) > _SHOWN else [])])


def carried_inputs(
    a: ModelReading, b: ModelReading, old: NodeOf, new: NodeOf, changes: list[NodeChange]
) -> Iterator[Node]:
    """Say of changes that an operand is an attribute in one version of a call and an input in the other, with the same value, and yield the
    constants that are such inputs."""
    keys = {change.key for change in changes if change.what == "attribute" and None in (change.old, change.new)}
    is_asked = keys and old[1].kind == new[1].kind == "call"
    ours, theirs = (a.computation(*old), b.computation(*new)) if is_asked else (None, None)
    if ours is None or theirs is None:
        return

    def equal(attribute: Tensor, source: Source, is_new: bool) -> bool:
        value = (b.value(new[0], source) if is_new else a.value(old[0], source)) if source[0] >= 0 else None
        return value is not None and value == attribute.value

    places: dict[bool, set[str]] = {False: set(), True: set()}
    told: set[str] = set()
    for key, source, is_new in carried(ours, theirs, equal):
        graph, node = new if is_new else old
        places[is_new].update(str(k) for k, one in enumerate(node.inputs) if Source(*one) == source)
        told.add(key)
        yield graph.nodes[source[0]]
    for k, change in enumerate(changes):
        known = {"attribute": told, "input": places[change.old is None]}.get(change.what, ())
        if change.key in known and None in (change.old, change.new):
            changes[k] = change._replace(role="carried")


def _is_beyond_rounding(distance: float, old: Node, new: Node) -> bool:
    """Return whether numbers of two floating-point types are further apart than the narrower one explains, relative to the largest."""
    types = [each.type for node in (old, new) for each in node.outputs[:1]]
    limits = [ROUNDING[each.dtype].limit for each in types if each.dtype in _FLOATS]
    return len(limits) == len((old, new)) and types[0].shape == types[1].shape and distance > max(limits) / _OF_LARGEST


def _types(a: ModelReading, b: ModelReading, old: NodeOf, new: NodeOf) -> Iterator[NodeChange]:
    is_inferred = new[1].inputs or [each.type for each in old[1].outputs] == [each.type for each in new[1].outputs]
    is_uncertain = (a.has_mistakes or b.has_mistakes) and bool(is_inferred)
    for k in range(min(len(old[1].outputs), len(new[1].outputs))):
        was, is_ = a.type_of(*old, k), b.type_of(*new, k)
        if isinstance(was, DeclaredType) or isinstance(is_, DeclaredType):  # only one of them could be inferred
            was, is_ = (DeclaredType(*node.outputs[k].type) for _, node in (old, new))
        if _differ(_without_ranges(was), _without_ranges(is_), is_uncertain):
            yield NodeChange(
                "type", str(k) if k else "", type_text(_without_ranges(was)), type_text(_without_ranges(is_))
            )


def _differ(old: Type, new: Type, is_uncertain: bool) -> bool:
    """Return whether two types differ as far as both are known; of an uncertain one, dimensions may be open because of an error."""
    if is_uncertain and old.dtype in (None, new.dtype) and _is_one(old.shape, new.shape):
        return False
    return any(None not in pair and pair[0] != pair[1] for pair in zip(old, new, strict=True))


def _without_ranges(type_: Type) -> Type:
    """Return a type without the ranges of its dimensions, which were inferred from one another."""
    if type_.shape is None or not any(isinstance(dim, tuple) for dim in type_.shape):
        return type_
    return type_._replace(shape=tuple(None if isinstance(dim, tuple) else dim for dim in type_.shape))


def _told_by_values(roles: Dictionary[str, str], distance: float | None, has_types: bool) -> set[str]:
    is_told = distance is not None and (has_types or distance)
    return {key for key, role in roles.items() if role == "data"} if is_told else set()


def _are_same_numbers(old: Any, new: Any) -> bool:
    """Return whether two numbers, or lists of them, are the same; NaN does not equal itself."""
    if isinstance(old, float) and isinstance(new, float):
        return old != old and new != new
    if not (isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)) and len(old) == len(new)):
        return False
    return all(p == q or (p != p and q != q) for p, q in zip(old, new, strict=True))


def _is_one(old: Shape | None, new: Shape | None) -> bool:
    """Return whether two shapes are the same as far as both are known."""
    if old is None or new is None:
        return True
    return len(old) == len(new) and all(None in (p, q) or p == q for p, q in zip(old, new, strict=True))


def _attributes(
    a: ModelReading, b: ModelReading, node: Node, now: Node, distance: float | None, has_types: bool
) -> Iterator[NodeChange]:
    """Yield attributes that differ; of a constant or input without those that its type and its values tell."""
    had, has = _plain(node), _plain(now)
    roles = a.format.roles if node.kind == now.kind == "const" else {}
    declaring = _declaring(a, node) if has_types else set()
    told = declaring | _told_by_values(roles, distance, has_types)
    for key in dict.fromkeys((*had, *has)):
        was, is_ = had.get(key, _NONE), has.get(key, _NONE)
        if key in told or was == is_ or _are_same_numbers(was, is_):
            continue
        texts = [None if value is _NONE else spelled(value) for value in (was, is_)]
        label = b.attribute(now, key) or a.attribute(node, key)
        yield NodeChange("attribute", key, texts[0], texts[1], label, roles.get(key, ""))


def _declaring(reading: ModelReading, node: Node) -> set[str]:
    """Return the attributes that say the type of an input or constant."""
    return set(reading.format.declaring.values()) if node.kind != "call" else set()


def written_changes(
    a: ModelReading, b: ModelReading, node: Node, now: Node, known: list[NodeChange]
) -> Iterator[NodeChange]:
    """Yield what the files write of a node differently and no change of its graph tells."""
    whats = {change.what for change in known}
    attributes = {change.key for change in known if change.what == "attribute"}
    attributes.update(_declaring(b, now) if "type" in whats else ())
    texts = {(change.old, change.new) for change in known if change.what != "attribute"}
    texts.update(_lost_names(known))
    is_renamed = "name" in whats
    is_rewritten = now.kind == "const" and "operator" in whats  # in another way, with other entries
    is_one = a.entries.are_one(node, b.entries, now)
    entries = () if is_one else entry_changes(a.entries.of(node), b.entries.of(now), b.format.roles)
    for labels, role, old, new in entries:
        is_told = attributes.intersection(labels) or (old, new) in texts or (role == "name" and is_renamed)
        if not is_told:
            yield NodeChange("entry", " ".join(labels), old, new, role=_own_role(role, old, new, is_rewritten))


def _lost_names(known: list[NodeChange]) -> Iterator[tuple[str | None, str | None]]:
    """Yield what names that are gone, or new, look like in a file: a node without a name has that of its output."""
    for change in known:
        if change.what == "name":
            yield from ((change.old, None), (None, change.new))


def _own_role(role: str, old: str | None, new: str | None, is_rewritten: bool) -> str:
    """Return the role of an entry that differs: a name is shown, unless it differs in its numbers only."""
    if is_rewritten:
        return "data"
    return role if role != "name" else "number" if differ_in_numbers(old, new) else ""


def model_changes(a: ModelReading, b: ModelReading) -> Iterator[NodeChange]:
    """Yield what the files say differently of the models as wholes."""
    for labels, role, old, new in entry_changes(a.entries.model, b.entries.model, b.format.roles):
        yield NodeChange("entry", " ".join(labels), old, new, role=role)


def sources(
    a: ModelReading,
    b: ModelReading,
    before: Graph,
    after: Graph,
    old: list[Source],
    new: list[Source],
    pairs: dict[int, int],
) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the positions where two lists of sources differ, with both sources."""
    for k in range(max(len(old), len(new))):
        was, is_ = old[k] if k < len(old) else None, new[k] if k < len(new) else None
        meant = None if was is None else (pairs.get(was[0], -2) if was[0] >= 0 else -1, was[1])
        if meant != (None if is_ is None else tuple(is_)):
            yield str(k), source_name(before, was), source_name(after, is_)
