"""Violations of the schema, with the severity that the reader gives them. Regular layers and edges are always valid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from irlint.checks.fault import asking, writing
from irlint.findings import Problem, Severity
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, PRECISIONS, dimension, unsigned
from irlint.formats.openvino.rules import R, error_if
from irlint.operators import nearest
from irlint.records import NamedTuple
from irlint.text.base import Path, Place
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

if TYPE_CHECKING:
    from irlint.schema.xsd import Violation

_VITAL = frozenset({"layers", "edges", "layer", "edge", "input", "output", "port", "data", "body", "then_body", "else_body",
                    "port_map", "then_port_map", "else_port_map"})  # fmt: skip
_FREE = frozenset({"rt_info", "meta_data"})  # the schema has nothing to say of what is in them
_MANY = frozenset({"layer", "edge", "port", "dim"})
_SIGNED = frozenset({"external_port_id", "start", "end", "stride", "part_size"})  # attributes that may be negative


Weigh = Callable[[str, Path], "Severity | None"]


class _Context(NamedTuple):
    """What the message of a problem depends on."""

    document: XmlDocument
    weigh: Weigh
    tags: dict[int, set[str]]  # of the children of an element, by where it begins


def structure(document: XmlDocument, schema: str, weigh: Weigh = lambda meant, path: None) -> Iterator[Problem]:
    """Report problems of irregular elements.

    `weigh` returns the severity of an element that is not read because its tag is misspelled.
    """
    root = document.root
    assert root is not None
    if document.broken or _as_written(root):
        return  # the elements are guesswork, or the schema need not be loaded
    from irlint.schema.xsd import violations

    context = _Context(document, weigh, {})
    for violation in violations(schema, root):
        problem = _problem(context, violation)
        if problem is not None:
            layer, _ = _innermost(document, violation.path)
            problem.node = None if layer is None else layer.get("name")
            yield problem


def _as_written(root: Element) -> bool:
    """Return whether the file has the usual layout."""
    if root.texts or any(a.name not in ("name", "version") for a in root.attributes):
        return False
    return all(isinstance(child, Element) and not child.texts and _is_plain(child) for child in root.children)


def _is_plain(section: Element) -> bool:
    is_empty = section.tag in ("layers", "edges") and not section.attributes and not section.elements()
    return section.tag in _FREE or is_empty


def _innermost(document: XmlDocument, path: Path) -> tuple[Element | None, Element]:
    """Return the innermost layer around an element, which may be the element itself, and the element."""
    element, layer = document.element(()), None
    for step in path:
        element = document.child(element, int(step))
        if element.tag == "layer":
            layer = element
    return layer, element


def _called(document: XmlDocument, path: Path) -> str:
    """Return an element's tag, and the layer that it is in."""
    layer, element = _innermost(document, path)
    tag = f"`<{element.tag}>`"
    if layer is None:
        return tag
    name = layer.get("name")
    who = layer.get("id") if name is None else repr(name)
    if not who:
        return tag
    return f"{tag} {who}" if layer is element else f"{tag} of layer {who}"


def _problem(context: _Context, found: Violation) -> Problem | None:
    element = context.document.element(found.path)
    if found.kind == "element":
        return _stranger(context, found, element)
    # OpenVINO 2026.4.1 (pugixml) takes text between elements, text after </net>, a second root and a bare &, and skips them
    who = _called(context.document, found.path)
    if found.kind == "text":
        message = f"unexpected text in {who}; OpenVINO ignores it"
        return Problem(R.unknown_key, Place(found.path, "text"), message, severity=Severity.WARNING)
    if found.kind == "missing":
        return _missing(found, element, who)
    side = context.document.element(found.path[:-1]).tag if found.path else ""
    if found.kind == "attribute":
        return _unknown_attribute(found, element, side, who)
    return _value(found, side, who)


_KNOWN = ("id", "name", "type", "version", "precision", "names", "from-layer", "from-port", "to-layer", "to-port",
          "external_port_id", "internal_layer_id", "axis", "start", "end", "stride", "part_size", "purpose", "output_names")  # fmt: skip
_NEEDED = {
    "net": ("version",), "layer": ("id", "name", "type", "version"), "port": ("id", "precision"),
    "edge": ("from-layer", "from-port", "to-layer", "to-port"),
    "input": ("external_port_id", "internal_layer_id"), "output": ("external_port_id", "internal_layer_id"),
}  # fmt: skip


def _missing(found: Violation, element: Element, who: str) -> Problem | None:
    # OpenVINO 2026.4.1 requires id, name, type and version of a layer, id of a port, precision of an output port, and all four of an edge
    name = str(found.attribute)
    meant = nearest(name, [attribute.name for attribute in element.attributes])
    is_misspelt = meant is not None and meant not in _KNOWN
    if is_misspelt or (not found.path and name == "version"):
        return None  # the misspelled attribute is the finding; a file without a version has one of its own
    message = f"missing required attribute `{name}` for {who}; OpenVINO refuses the file"
    return Problem(R.missing_key, Place(found.path, "tag"), message, key=name)


def _unknown_attribute(found: Violation, element: Element, side: str, who: str) -> Problem | None:
    name = str(found.attribute)
    if not found.path and name == "xmlns":
        return None  # a namespace has a finding of its own
    missing = [needed for needed in _NEEDED.get(found.tag, ()) if element.get(needed) is None]
    meant = nearest(name, missing)
    message, place = f"unknown attribute `{name}` for {who}", Place(found.path, f"@{name}.name")
    if meant is None:
        return Problem(R.unknown_key, place, f"{message}; OpenVINO ignores it", severity=Severity.WARNING)
    fix = writing(place, meant, f"Rename to `{meant}`", "safe")
    severity = error_if((meant, side) != ("precision", "input"))  # it is not read
    return Problem(R.unknown_key, place, f"{message}{asking(meant)}", fix=fix, severity=severity)


def _stranger(context: _Context, found: Violation, element: Element) -> Problem:
    document, place = context.document, Place(found.path, "name")
    if element.tag.endswith(":include") or element.tag == "include":
        message = f"unexpected `<{element.tag}>`; OpenVINO does not include other files"
        return Problem(R.document_type, place, message, severity=Severity.WARNING)
    parent = document.element(found.path[:-1])
    message = f"unexpected element `<{element.tag}>` in {_called(document, found.path[:-1])}"
    if parent.start not in context.tags:
        context.tags[parent.start] = {c.tag for c in parent.elements()}
    have = context.tags[parent.start]
    meant = nearest(element.tag, [tag for tag in found.expected if tag not in have or tag in _MANY])
    if meant is None:
        return Problem(R.unknown_key, place, f"{message}; OpenVINO ignores it", severity=Severity.WARNING)
    severity = context.weigh(meant, found.path) if meant in _VITAL else Severity.WARNING
    fix = writing(place, meant, f"Rename to `<{meant}>`", "safe" if severity is None else "unsafe")
    message = f"{message}; did you mean `<{meant}>`?"
    return Problem(R.unknown_key, place, message, fix=fix, severity=severity, meant=meant)


def _value(found: Violation, side: str, element: str) -> Problem | None:
    who = f"for `{found.attribute}` of {element}" if found.attribute else f"in {element}"
    place, value = Place(found.path, f"@{found.attribute}" if found.attribute else "text"), found.value
    if found.attribute == "version" and found.tag == "net":
        return None  # the version has findings of its own
    if found.attribute == "precision":
        return _precision(place, who, value, side == "output")
    if found.expected:
        words = ", ".join(f"`{word}`" for word in found.expected)
        message = f"{_unknown(value)} {who}; expected {'one of ' if len(found.expected) > 1 else ''}{words}"
        severity = error_if(found.tag != "input")  # the reader drops an input's purpose that it does not know
        return Problem(R.value_not_allowed, place, message, severity=severity)
    read = _number(found, value)
    message = f"expected {found.wanted} {who}, got {f'`{value}`' if value else 'an empty value'}"
    if read is None:
        return Problem(R.wrong_type, place, message)
    fix = writing(place, read, f"Replace `{value}` with `{read}`", "safe")
    return Problem(R.wrong_type, place, f"{message}; OpenVINO reads it as `{read}`", fix=fix, severity=Severity.WARNING)


def _unknown(value: str) -> str:
    return f"unknown value `{value}`" if value else "empty value"


def _number(found: Violation, value: str) -> str | None:
    """Return the number that the reader reads from a text; None if it refuses it."""
    if found.tag == "dim":
        number = dimension(value)
        return None if number is None else str(number)
    if found.attribute not in _SIGNED:
        return unsigned(value)
    try:
        return str(int(value)) if len(value) < 30 and value.isascii() and "_" not in value else None
    except ValueError:
        return None


def _precision(place: Place, who: str, value: str, is_read: bool) -> Problem:
    is_taken = value in ELEMENT_TYPES or value in PRECISIONS
    right = _precision_meant(value)
    message = f"{_unknown(value)} {who}"
    if is_taken:
        message = f"expected `{right}` {who}, got `{value}`"
    elif right:
        message += asking(right)
    else:
        message += "; expected one of `FP32`, `FP16`, `I64`, `I32`, `I8`, `U8`, `BOOL`, ..."
    fix = writing(place, right, f"Set `precision` to `{right}`", "safe") if right else None
    return Problem(R.value_not_allowed, place, message, fix=fix, severity=error_if(is_read and not is_taken))


def _precision_meant(value: str) -> str | None:
    word = value.strip().lower()
    return value.upper() if value.upper() in PRECISIONS else _SPELLINGS.get(word, _OTHER_NAMES.get(word))


_SPELLINGS = {
    "f32": "FP32", "f16": "FP16", "bf16": "BF16", "f64": "FP64", "boolean": "BOOL", "bin": "BIN", "dynamic": "UNSPECIFIED",
    "undefined": "UNSPECIFIED", **{e: e.upper() for e in ELEMENT_TYPES if e[0] in "iu" and e[1:].isdigit()},
    "nf4": "NF4", "string": "STRING", "f8e4m3": "F8E4M3", "f8e5m2": "F8E5M2", "f8e8m0": "F8E8M0", "f4e2m1": "F4E2M1",
}  # fmt: skip
_OTHER_NAMES = {
    "float": "FP32", "float32": "FP32", "single": "FP32", "half": "FP16", "float16": "FP16", "double": "FP64", "float64": "FP64",
    "bfloat16": "BF16", "int": "I32", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "long": "I64",
    "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64", "bool": "BOOL",
}  # fmt: skip
