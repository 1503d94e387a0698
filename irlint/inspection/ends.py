"""What changed in the inputs and outputs of a model that another format has: names, types, order. Nodes around them have other names and
operators there, but programs know inputs and outputs by their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.formats.base import all_formats
from irlint.graph import Type
from irlint.inspection.interface import Interface, ModelEnd, interface, matched
from irlint.inspection.review.difference import NodeChange
from irlint.inspection.types import mapping_of, type_text
from irlint.rules.base import Model

Pairs = list[tuple[int, int]]


def end_changes(old: Model, new: Model) -> tuple[dict[int, list[NodeChange]], list[NodeChange]]:
    """Return what changed in inputs that both models have, by their new nodes, and what changed in the order of inputs and in outputs."""
    before, after = interface(old), interface(new)
    mappings = mapping_of(old), mapping_of(new)
    has_shapes = len({None if one is None else one.has_batch for one in mappings}) == 1  # else samples have no batches
    formats = [all_formats()[one.format] for one in (old, new)]
    ends = ((before.inputs, after.inputs), (before.outputs, after.outputs))
    inputs, outputs = (_pairs(*each) for each in ends)
    # no name of both: a converter numbers them
    is_numbered = any(format_.numbers_ends for format_ in formats) and not any(_common(*each) for each in ends)
    found: dict[int, list[NodeChange]] = {}
    for i, k in inputs:
        was, now = before.inputs[i], after.inputs[k]
        changes = [*_names("name", "", was, now, is_numbered), *(_types("type", "", was, now) if has_shapes else ())]
        found.setdefault(now.node, []).extend(changes)
    others = [*_order(before, after, inputs)]
    follows = any(change.what == "type" for changes in found.values() for change in changes)
    for i, k in outputs:
        was, now = before.outputs[i], after.outputs[k]
        others += _names("output", "name", was, now, is_numbered)
        others += [] if follows or not has_shapes else _types("output", f"{was.name} type", was, now)
    return found, others


def _pairs(old: Sequence[ModelEnd], new: Sequence[ModelEnd]) -> Pairs:
    """Return which ends are the same; where all names changed, those in the same place."""
    if not _common(old, new) and len(old) == len(new):
        return [(k, k) for k in range(len(old))]
    return matched(old, new).pairs


def _common(old: Sequence[ModelEnd], new: Sequence[ModelEnd]) -> set[str]:
    return {name for end in old for name in end.names} & {name for end in new for name in end.names}


def _names(what: str, key: str, old: ModelEnd, new: ModelEnd, is_numbered: bool) -> Iterator[NodeChange]:
    if old.is_named and new.is_named and not is_numbered and not {*old.names} & {*new.names}:
        yield NodeChange(what, key, old.name, new.name)


def _types(what: str, key: str, old: ModelEnd, new: ModelEnd) -> Iterator[NodeChange]:
    if not _is_one(old.type, new.type):
        yield NodeChange(what, key, type_text(old.type), type_text(new.type))


def _is_one(old: Type, new: Type) -> bool:
    """Return whether two types are the same as far as they are known: any length has other names in other formats."""
    if None not in (old.dtype, new.dtype) and old.dtype != new.dtype:
        return False
    if old.shape is None or new.shape is None:
        return True
    pairs = zip(old.shape, new.shape, strict=False)
    return len(old.shape) == len(new.shape) and all(_length(a) == _length(b) for a, b in pairs)


def _length(dim: object) -> int | None:
    return dim if isinstance(dim, int) else None


def _order(old: Interface, new: Interface, pairs: Pairs) -> Iterator[NodeChange]:
    ends = [k for _, k in pairs]
    if ends != sorted(ends):
        was, now = (", ".join(one[k].name for k in order) for one, order in _orders(old, new, pairs))
        yield NodeChange("order", "of inputs", was, now)


def _orders(old: Interface, new: Interface, pairs: Pairs) -> Iterator[tuple[Sequence[ModelEnd], list[int]]]:
    yield old.inputs, sorted(i for i, _ in pairs)
    yield new.inputs, sorted(k for _, k in pairs)
