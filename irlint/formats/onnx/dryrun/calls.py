"""The attributes of a node as its operator has them at an opset, and what rows of several tables make of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from struct import pack, unpack
from typing import Any

from irlint.codes import R
from irlint.dryrun.entries import Of, Spec
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.mapping import FromAttr
from irlint.dryrun.tensor import constant, scalar
from irlint.formats.onnx.opsets import in_opset, types_of, version, with_attribute
from irlint.formats.onnx.wire import DTYPES
from irlint.graph import Graph, Node
from irlint.operators import Port
from irlint.records import NamedTuple

_LISTS = ("ints", "floats", "strings")
_TYPES: dict[str, Any] = {"int": int, "float": (int, float), "string": str, "graph": Graph}
_TYPES |= dict.fromkeys(_LISTS, tuple)
_ELEMENTS = {"int": "int64", "ints": "int64", "floats": "float32"}
_NONE_IS_NOT_EMPTY = frozenset(("axes", "kernel_shape", "weights"))  # lists that mean something else if they are empty


class _Declared(NamedTuple):
    """What a record says of an attribute: the types of its values, their element type as an operand, and the value if there is none."""

    types: Any
    dtype: str | None
    required: bool
    default: Any


@lru_cache(1 << 12)
def _declared(op: str, domain: str, opset: int, label: str) -> _Declared:
    """Return what the operator of an opset says of an attribute; of one that other opsets have, what the nearest older one does, or the
    first newer one. Raise LookupError if none has it."""
    record = in_opset(op, domain, opset)
    if record is None or label not in record.attributes:
        known = with_attribute(op, domain, label)
        record = version(op, domain, next((since for since in reversed(known) if since <= opset), known[0]))
    assert record is not None
    attribute = record.attributes[label]
    kind, default = attribute.kind, attribute.default
    if kind == "float" and default is not None:
        (default,) = unpack("f", pack("f", default))  # as a file would have it
    elif kind in _LISTS and (default is not None or label not in _NONE_IS_NOT_EMPTY):
        default = tuple(default or ())
    return _Declared(_TYPES.get(kind, object), _ELEMENTS.get(kind), attribute.required, default)


class NodeAttrs:
    """The attributes of a node by its operator's record. A node whose attributes are of other types, or which lacks a required one, is for
    other rules: it is not checked."""

    def __init__(self, node: Node, domain: str, opset: int) -> None:
        self.node, self.written = node, node.attrs
        self.domain, self.opset = domain, opset
        self.inputs, self.outputs = len(node.inputs), len(node.outputs)
        self.present = frozenset([place for place, source in enumerate(node.inputs) if source[0] >= 0])

    def __contains__(self, label: str) -> bool:
        return label in self.written

    def __getitem__(self, label: str) -> Any:
        """Return an attribute, or its default: a list that has none is empty."""
        declared = _declared(self.node.op, self.domain, self.opset, label)
        value = self.written.get(label)
        if value is None and not declared.required:
            return declared.default
        if not isinstance(value, declared.types):
            raise Undecided
        return value

    def get(self, label: str, nothing: Any) -> Any:
        """Return an attribute, or what runtimes take if it is not written, whatever its default is."""
        return self[label] if label in self.written else nothing

    def need(self, label: str) -> Any:
        """Return an attribute that the node must have, although its record does not say so."""
        if label not in self.written:
            raise Undecided
        return self[label]

    @property
    def places(self) -> list[int | None]:
        """Return the places of all inputs as origins of operands; None for those that are left out."""
        return [place if place in self.present else None for place in range(self.inputs)]

    def operand(self, label: str) -> FromAttr | None:
        """Return an attribute as an operand: a list, or a number; None if there is neither."""
        value, dtype = self[label], _declared(self.node.op, self.domain, self.opset, label).dtype
        if value in (None, ()) and label not in self.written:
            return None
        return FromAttr(label, constant(value, None, dtype) if isinstance(value, tuple) else scalar(value, dtype))


def usually(label: str, value: Any) -> Spec:
    """Return an attribute, or what runtimes take for one that has no default."""
    return Of(label, lambda found: value if found is None else found)


def word(label: str, words: Mapping[str, str]) -> Spec:
    """Return the shared operator's word for that of an attribute."""
    return Of(label, words.__getitem__)


def int32(label: str) -> Spec:
    """Return an integer of which onnx and onnxruntime read the lower 32 bits."""
    return Of(label, lambda number: None if number is None else _lower_bits(number))


def _lower_bits(number: int) -> int:
    return (number + (1 << 31)) % (1 << 32) - (1 << 31)


def element_type(label: str, nothing: int | None = None) -> Spec:
    """Return the element type that an attribute names by its number, if it is not the one that names none; runtimes refuse unknown ones."""

    def named(number: int | None) -> str | None:
        if number is None or number == nothing:
            return None
        if _lower_bits(number) not in DTYPES:
            message = f"expected the number of an element type for `{label}`, got {number}"
            raise ShapeError(R.value_not_in_enum, message, f"attr:{label}")
        return DTYPES[_lower_bits(number)]

    return Of(label, named)


# What all windows have in common, what those of convolution and pooling have, and what convolutions have
PADDED: dict[str, Spec] = {
    "strides": "strides",
    "pads_begin": Of("pads", lambda pads: pads[: len(pads) // 2]),
    "pads_end": Of("pads", lambda pads: pads[len(pads) // 2 :]),
}
_WAYS = {"": "explicit", "NOTSET": "explicit", "VALID": "valid", "SAME_UPPER": "same_upper", "SAME_LOWER": "same_lower"}
WINDOWS: dict[str, Spec] = {**PADDED, "auto_pad": word("auto_pad", _WAYS)}
FILTER: dict[str, Spec] = {"kernel": "kernel_shape", "groups": "group", **WINDOWS, "dilations": "dilations"}
GEMM: dict[str, Spec] = {"transpose_a": "transA", "transpose_b": "transB", "alpha": "alpha"}


def by_domain(known: Mapping[str, int]) -> dict[str, int]:
    """Return opsets by the domain as nodes name it."""
    return {"" if domain == "ai.onnx" else domain: opset for domain, opset in known.items()}


# Ranks of first inputs that no schema demands, with the opset since when: onnxruntime 1.32 loads others, and fails when it runs.
_RANKS = {
    "Compress": ("[_,*_]", 11), "GlobalAveragePool": ("[_,_,_,*_]", 1), "GlobalLpPool": ("[_,_,_,*_]", 1),
    "GlobalMaxPool": ("[_,_,_,*_]", 1), "LRN": ("[_,_,_,_]", 1), "MeanVarianceNormalization": ("[_,*_]", 1),
    "OneHot": ("[_,*_]", 1), "Pad": ("[_,*_]", 1),
}  # fmt: skip


@lru_cache(1 << 12)
def demands(op: str, domain: str, opset: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the signature of an operator's inputs with their names (see `irlint.dryrun.signature`): which element types it takes, which
    inputs share one (the type parameters of its schema), and ranks; nothing for an unknown operator."""
    record = in_opset(op, domain, opset)
    if record is None or not record.inputs:
        return ()
    letters: dict[str, str] = {}
    patterns = [f"_{_types(record.name, port, letters)}" for port in record.inputs]
    rank, since_opset = _RANKS.get(op, ("_", 1))
    if domain == "" and opset >= since_opset:
        patterns[0] = rank + patterns[0][1:]
    more = " ..." if record.inputs[-1].kind.startswith("variadic") else ""
    return ((" ".join(patterns) + more, tuple(port.name for port in record.inputs)),)


def _types(operator_name: str, port: Port, letters: dict[str, str]) -> str:
    """Return the element types of an input as a signature has them; inputs of one type parameter share a letter."""
    parameter = str(port.facts.get("type", ""))
    allowed = sorted(types_of(operator_name, parameter)) if parameter else []
    kinds = [kind for kind in allowed if "(" not in kind] or [kind.replace(" ", "") for kind in allowed]
    letter = "" if port.facts.get("mixed") else letters.setdefault(parameter, f"T{len(letters)}") + "="
    return f"/{letter}{'|'.join(kinds)}" if kinds else ""
