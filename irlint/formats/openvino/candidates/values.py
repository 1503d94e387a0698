"""Other values for an operation's attributes, and values for missing ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest

from irlint.findings import SURE, Candidate
from irlint.formats.openvino.candidates.storage import fits_size, is_shape, storage_values
from irlint.formats.openvino.candidates.tags import with_attribute
from irlint.formats.openvino.layers import ELEMENT_TYPES, Layer
from irlint.formats.openvino.opsets import operator_of
from irlint.formats.openvino.reader import VARIABLES, Section
from irlint.graph import Type
from irlint.operators import Attribute, nearest
from irlint.text.numbers import integer
from irlint.text.xml import XmlDocument
from irlint.text.xml_tree import Element

TYPE_OF = {dtype: name for name, dtype in reversed(ELEMENT_TYPES.items()) if dtype is not None}
_INTEGER = re.compile(r"-?\d+")
_READ = 200  # characters of a value in which numbers are looked for
_UNCHECKED = frozenset(("float", "string"))
_SMALL = (1, 0, 2, 3, -1, 4, -2)

Value = tuple[str, int]  # and how likely it is


def data_candidates(document: XmlDocument, section: Section, index: int, part: str | None) -> Iterator[Candidate]:
    """Yield other values for one attribute of a layer's `<data>`, or for all of them if `part` is None."""
    layer, path = section.layers[index], section.graph.nodes[index].path
    element = document.element(path).child("data")
    if element is None:
        return
    operator = operator_of(layer.type, layer.version)
    known = operator.attributes if operator is not None else {}
    if part is not None:
        name = part.removeprefix("@").removesuffix(".name")
        if part.endswith(".name") or not part.startswith("@"):
            yield from _absent(element, section, index, known)
            return
        names: Iterable[str] = (name,)
    else:
        names = (a.name for a in element.attributes)
        yield from _absent(element, section, index, known)
    far = 0 if part is not None else 2
    lists = [_of_attribute(element, section, index, known.get(name), name, far) for name in names]
    yield from _in_turn([islice(values, 24 if part is None else 60) for values in lists])


def _in_turn(lists: list[Iterator[Candidate]]) -> Iterator[Candidate]:
    """Yield the first item of each list, then the second of each."""
    for row in zip_longest(*lists):
        yield from (candidate for candidate in row if candidate is not None)


def _of_attribute(
    element: Element, section: Section, index: int, record: Attribute | None, name: str, far: int
) -> Iterator[Candidate]:
    attribute = element.attribute(name)
    if attribute is None:
        return
    seen = {attribute.value}
    for value, likelihood in _values(section, index, record, name, attribute.value):
        if value not in seen:
            seen.add(value)
            ranked = likelihood if likelihood == SURE else likelihood + far
            yield with_attribute(element, name, value, ranked, _is_unchecked(record))


def _is_unchecked(record: Attribute | None) -> bool:
    """Return whether no shape or type depends on a value, so that none can prove it."""
    return record is not None and record.kind.removesuffix("[]") in _UNCHECKED


def _absent(element: Element, section: Section, index: int, known: dict[str, Attribute]) -> Iterator[Candidate]:
    """Yield the required attributes that are missing."""
    missing = [a for a in known.values() if element.attribute(a.name) is None]
    attributes = [a for a in missing if a.required] or [
        a for a in missing if a.kind == "boolean" and a.default == "false"
    ]
    for record in attributes[:4]:
        for value, likelihood in _values(section, index, record, record.name, ""):
            yield with_attribute(element, record.name, value, likelihood, _is_unchecked(record))


def _values(section: Section, index: int, record: Attribute | None, name: str, old: str) -> Iterator[Value]:
    """Yield values for an attribute, the likeliest first."""
    layer = section.layers[index]
    kind = record.kind if record is not None else ""
    yield from declared_values(section, index, name, old)
    if layer.type == "Const":
        yield from storage_values(section, index, name)
        if name in ("offset", "size"):
            return
    if layer.type in VARIABLES and name == "variable_id":
        yield from _variables(section, index)
    if kind == "boolean":
        yield from ((word, 1) for word in ("true", "false"))
    elif kind == "enum" and record is not None:
        close = nearest(old, record.values)
        yield from ((word, 0 if word == close else 1) for word in record.values)
    elif kind in ("type", "element_type") or "type" in name:
        close = nearest(old, [*ELEMENT_TYPES])
        if close is not None:
            yield close, 0
        yield from ((word, 2) for word in ("f32", "i64", "i32", "f16", "boolean", "u8", "i8"))
    elif kind.startswith("int") or _INTEGER.search(old):
        yield from _numbers(section, index, record, name, old)
    if record is not None and record.default is not None:
        yield str(record.default), 0 if kind in ("boolean", "enum") else 1


def declared_values(section: Section, index: int, name: str, old: str) -> Iterator[Value]:
    """Yield values that the layer's own ports and those of its consumers declare."""
    layer = section.layers[index]
    if name == "shape" and layer.type in ("Const", "Parameter"):
        for type_ in said(section, index):
            if type_.shape is not None:
                dims = ["?" if dim is None else str(dim) for dim in type_.shape]
                text = (", " if layer.type == "Const" else ",").join(dims)
                is_sure = fits_size(layer, shape=text) or (None not in type_.shape and not is_shape(old))
                yield text, SURE if is_sure else 0
    elif name in ("element_type", "destination_type", "output_type", "index_element_type"):
        for type_ in said(section, index):
            if type_.dtype in TYPE_OF:
                text = TYPE_OF[type_.dtype]
                is_sure = fits_size(layer, type_=text) or (old not in ELEMENT_TYPES and name == "element_type")
                yield text, SURE if is_sure else 0


def said(section: Section, index: int, output: int = 0, own: bool = True) -> Iterator[Type]:
    """Yield the declared types of an output: at its port and at the ports that use it."""
    outputs = section.layers[index].outputs.values
    if own and output < len(outputs):
        yield outputs[output].type
    for reader in section.readers[index][:8]:
        taken = section.layers[reader].inputs.values
        for place, source in enumerate(section.graph.nodes[reader].inputs):
            if source.node == index and source.output == output and place < len(taken):
                yield taken[place].type


def _variables(section: Section, index: int) -> Iterator[Value]:
    """Yield the variable names of the file, those without a ReadValue or Assign first."""
    own = section.layers[index].type
    found: dict[str, set[str]] = {}
    for layer in section.layers:
        if layer.type in VARIABLES and layer.data:
            found.setdefault(layer.data.get("variable_id", ""), set()).add(layer.type)
    halves = [types for types in found.values() if len(types) == 1]
    is_pair = len(halves) == 2 and halves[0] != halves[1]  # which of the two is renamed makes no difference
    for name, types in found.items():
        if name:
            yield name, 1 if own in types else SURE if is_pair and len(types) == 1 else 0


def _numbers(section: Section, index: int, record: Attribute | None, name: str, old: str) -> Iterator[Value]:
    layer = section.layers[index]
    numbers = [n for found in _INTEGER.findall(old[:_READ])[:8] if abs(n := integer(found)) < 1 << 63]
    count = _length(section, index, name) or len(numbers) or 1
    is_list = record is None or record.kind.endswith("[]")
    for value in _siblings(section, layer, name):
        yield value, 1
    if not is_list:
        last = numbers[0] if numbers else 0
        near = (last - 1, last + 1, -last, last - 2, last + 2, abs(last) // 10, *_SMALL)
        yield from ((str(n), 2) for n in dict.fromkeys(near))
        return
    if len(numbers) == count and numbers:
        for k in range(count):
            last = numbers[k]
            for n in dict.fromkeys(
                (last - 1, last + 1, -last, 1, 0, *([numbers[1 - k]] if count == 2 else []), last // 10)
            ):
                others = {*numbers[:k], *numbers[k + 1 :]}
                yield ", ".join(map(str, [*numbers[:k], n, *numbers[k + 1 :]])), 1 if others == {n} else 2
        if count > 1:
            yield ", ".join(map(str, reversed(numbers))), 2
    for n in dict.fromkeys((*numbers, *_SMALL)):
        yield ", ".join([str(n)] * count), 2


def _siblings(section: Section, layer: Layer, name: str) -> list[str]:
    """Return values of the attribute in other layers of the type, the most frequent first."""
    counts: dict[str, int] = {}
    for members in section.kinds:
        other = section.layers[members[0]]
        if other.type == layer.type and other is not layer and other.data and name in other.data:
            counts[other.data[name]] = counts.get(other.data[name], 0) + len(members)
    return sorted(counts, key=lambda value: -counts[value])[:8]


_SPATIAL = ("strides", "dilations", "pads_begin", "pads_end", "kernel")


def _length(section: Section, index: int, name: str) -> int:
    """Return the length of a list, if other attributes determine it."""
    attrs = section.graph.nodes[index].attrs
    if name in _SPATIAL:
        lengths: list[int] = [attrs[other].count(",") + 1 for other in _SPATIAL if other != name and attrs.get(other)]
        if lengths:
            return max(set(lengths), key=lengths.count)
    return 0
