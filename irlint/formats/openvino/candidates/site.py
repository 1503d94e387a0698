"""A layer under repair: what its attributes may be, and how they are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from irlint.findings import SURE
from irlint.formats.openvino.bodies.variable_uses import form
from irlint.formats.openvino.candidates.ends import declared_types
from irlint.formats.openvino.candidates.storage import fits_size, is_shape, storage_values
from irlint.formats.openvino.candidates.writing import attribute_edit
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, TYPE_OF
from irlint.formats.openvino.reading.opsets import operator_of, types_known
from irlint.formats.openvino.reading.reader import VARIABLES, IrSection
from irlint.graph import Shape
from irlint.operators import Attribute, Operator, nearest
from irlint.repairs import site
from irlint.text.numbers import integer
from irlint.text.xml.document import XmlDocument

_LIKELY = ("f32", "i64", "i32", "f16", "boolean", "u8", "i8")
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_FLOAT = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{0,15})?(?:[eE][+-]?[0-9]{1,3})?")
_READ = 200  # characters of a value in which numbers are looked for
_SPATIAL = frozenset(("strides", "dilations", "pads_begin", "pads_end", "kernel"))
_KINDS = {
    "boolean": site.Kind("bool"),
    "enum": site.Kind("word"),
    "int": site.Kind("int"),
    "int[]": site.Kind("int", True),
    "float": site.Kind("float"),
    "float[]": site.Kind("float", True),
}
_TYPES = ("element_type", "destination_type", "output_type", "index_element_type")
_SEPARATORS = {"Const": ", ", "Parameter": ","}  # of the dimensions of a shape
_SIZES = ("offset", "size")  # of a constant's bytes: no other layer says anything of them


class IrSite(site.Site):
    """The `<data>` and the type of a layer."""

    adding = 'Add `{0}="{1}"`'
    replacing = "Set `type` to `{0}`"

    def __init__(self, document: XmlDocument, section: IrSection, index: int) -> None:
        self.document = document
        self.section, self.index, self.layer = section, index, section.layers[index]
        self.element = document.element(section.graph.nodes[index].path)
        self.data = self.element.child("data")
        self.op, self.name = self.layer.type, self.layer.name
        self.outputs = ["" for _ in self.layer.outputs.ports]

    @property
    def operator(self) -> Operator | None:
        return operator_of(self.layer.type, self.layer.version)

    def operators(self) -> Iterator[tuple[str, Operator]]:
        for type_ in types_known():
            if (operator := operator_of(type_, self.layer.version)) is not None:
                yield type_, operator

    @property
    def attributes(self) -> dict[str, str]:
        return {} if self.data is None else {a.name: a.value for a in self.data.attributes}

    @property
    def inputs(self) -> Sequence[Any]:
        return self.layer.inputs.ports

    def sources(self, k: int) -> Iterator[site.Output]:
        yield from ()  # an edge says what an input reads

    def siblings(self) -> Iterator[Mapping[str, str]]:
        found = []
        for members in self.section.kinds:
            other = self.section.layers[members[0]]
            if other.type == self.op and other is not self.layer and other.data:
                values = other.inputs.values[:1]
                found += [(value.type.shape, other.data) for value in values for _ in members[:2]] or [
                    (None, other.data)
                ]
        yield from site.akin(self.shape(0), found)

    def shape(self, k: int) -> Shape | None:
        values = self.layer.inputs.values
        return values[k].type.shape if k < len(values) else None

    # values

    def kind(self, record: Attribute | None, old: Any) -> site.Kind | None:
        if self.op == "Const" and record is not None and record.name in _SIZES:
            return None
        if record is None:
            return site.Kind("int", True) if _INTEGER.search(str(old)) else _ANY
        return _KINDS.get(record.kind, _ANY)

    def read(self, old: Any) -> Any:
        if old in ("true", "false"):
            return old == "true"
        pieces = [piece.strip() for piece in str(old)[:_READ].split(",")]
        if not all(map(_FLOAT.fullmatch, pieces)):
            return old
        numbers = [integer(piece) if _INTEGER.fullmatch(piece) else float(piece) for piece in pieces]
        return numbers[0] if len(numbers) == 1 else tuple(numbers)

    def spelled(self, value: Any, record: Attribute | None, old: Any) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        is_dense = isinstance(old, str) and "," in old and ", " not in old
        return ("," if is_dense else ", ").join(map(str, value)) if isinstance(value, tuple) else str(value)

    def evidence(self, name: str, record: Attribute | None, old: Any) -> Iterator[site.Value]:
        """Yield what ports, consumers, other constants and variables say of an attribute."""
        old = "" if old is None else old
        yield from declared_values(self.section, self.index, name, old)
        if self.op == "Const":
            yield from storage_values(self.section, self.index, name)
        if self.op in VARIABLES and name == "variable_id":
            yield from _variables(self.section, self.index)
        if "type" in name and name != "type":
            close = nearest(old, [*ELEMENT_TYPES])
            if close is not None:
                yield close, 0
            yield from ((word, 2) for word in _LIKELY if word != close)

    def per_axis(self, name: str) -> int:
        return int(name in _SPATIAL)

    def is_unchecked(self, record: Attribute | None, kind: site.Kind) -> bool:
        return record is not None and record.kind.removesuffix("[]") in ("float", "string")

    def may_be_added(self, record: Attribute) -> bool:
        return record.required or (record.kind == "boolean" and record.default == "false")

    def may_be_removed(self, name: str) -> bool:
        return False  # the rule of unknown attributes does so

    # writing

    def with_attribute(self, name: str, value: str) -> site.Edits:
        return () if self.data is None else (attribute_edit(self.data, name, value),)

    def with_operator(self, name: str) -> site.Edits:
        return (attribute_edit(self.element, "type", name),)


_ANY = site.Kind("")


def declared_values(section: IrSection, index: int, name: str, old: str) -> Iterator[site.Value]:
    """Yield values that the layer's own ports and those of its consumers declare."""
    layer = section.layers[index]
    for type_ in declared_types(section, index):
        if name == "shape" and layer.type in _SEPARATORS and type_.shape is not None:
            text = _SEPARATORS[layer.type].join("?" if dim is None else str(dim) for dim in type_.shape)
            is_sure = fits_size(layer, shape=text) or (None not in type_.shape and not is_shape(old))
            yield text, SURE if is_sure else 0
        elif name in _TYPES and type_.dtype in TYPE_OF:
            text = TYPE_OF[type_.dtype]
            is_sure = fits_size(layer, type_=text) or (old not in ELEMENT_TYPES and name == "element_type")
            yield text, SURE if is_sure else 0


def _variables(section: IrSection, index: int) -> Iterator[site.Value]:
    """Yield the variable names of the file, those without a ReadValue or Assign first.

    Which of the two is renamed makes no difference to the model: one of a form that fewer variables have, else the ReadValue.
    """
    layer, found = section.layers[index], dict[str, set[str]]()
    for other in section.layers:
        if other.type in VARIABLES and other.data:
            found.setdefault(other.data.get("variable_id", ""), set()).add(other.type)
    halves = [*chain.from_iterable(types for types in found.values() if len(types) == 1)]
    is_pair, forms = sorted(halves) == sorted(VARIABLES), Counter(map(form, found))
    own = forms[form(layer.attributes.get("variable_id", ""))], layer.type != VARIABLES[0]
    for name, types in found.items():
        if name:
            is_sure = is_pair and len(types) == 1 and (forms[form(name)], True) > own
            yield name, 1 if layer.type in types else SURE if is_sure else 0
