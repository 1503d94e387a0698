"""Violations of the schema, with the severity that the reader gives them. Regular layers and edges are always valid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from irlint.findings import Fix, Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, PRECISIONS, dimension, unsigned
from irlint.operators import nearest
from irlint.records import NamedTuple
from irlint.text.base import Document, Edit, Path, Place, Span
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

if TYPE_CHECKING:
    from irlint.schema.xsd import Violation

_VITAL = frozenset({"layers", "edges", "layer", "edge", "input", "output", "port", "data", "body", "then_body", "else_body",
                    "port_map", "then_port_map", "else_port_map"})  # fmt: skip
_FREE = frozenset({"rt_info", "meta_data"})  # the schema has nothing to say of what is in them
_MANY = frozenset({"layer", "edge", "port", "dim"})
_OPTIONAL_NUMBERS = frozenset({"start", "end", "stride", "part_size"})


Weigh = Callable[[str, Path], "Severity | None"]


class _Asked(NamedTuple):
    """The context for the message of a problem."""

    document: XmlDocument
    weigh: Weigh
    tags: dict[int, set[str]]  # of the children of an element, by where it begins


def structure(document: XmlDocument, schema: str, weigh: Weigh = lambda meant, path: None) -> Iterator[Problem]:
    """Report problems of irregular elements.

    `weigh` returns the severity of an element that is not read because its tag is misspelled.
    """
    root = document.root
    assert root is not None
    if document.broken:
        return  # the elements are guesswork
    if _as_written(root):
        return
    from irlint.schema.xsd import violations

    asked = _Asked(document, weigh, {})
    for violation in violations(schema, root):
        problem = _problem(asked, violation)
        if problem is not None:
            yield _of_layer(document, problem, violation.path)


def _as_written(root: Element) -> bool:
    """Return whether the file has the usual layout, so that the schema need not be loaded."""
    if root.texts or any(a.name not in ("name", "version") for a in root.attributes):
        return False
    for child in root.children:
        if not isinstance(child, Element) or child.texts:
            return False
        if child.tag not in _FREE and (not _section(child) or child.attributes or child.elements()):
            return False
    return True


def _section(element: Element) -> bool:
    return element.tag in ("layers", "edges")


def _of_layer(document: XmlDocument, problem: Problem, path: tuple[int, ...]) -> Problem:
    """Return the problem with the name of the innermost layer around it."""
    layer, _ = _innermost(document, path)
    if layer is not None:
        problem.node = layer.get("name")
    return problem


def _innermost(document: XmlDocument, path: tuple[int, ...]) -> tuple[Element | None, Element]:
    """Return the innermost layer around an element, which may be the element itself, and the element."""
    element, layer = document.element(()), None
    for step in path:
        element = document.child(element, step)
        if element.tag == "layer":
            layer = element
    return layer, element


def _called(document: XmlDocument, path: tuple[int, ...]) -> str:
    """Return an element's tag, and the layer that it is in."""
    layer, element = _innermost(document, path)
    tag = f"`<{element.tag}>`"
    if layer is None:
        return tag
    name, number = layer.get("name"), layer.get("id")
    who = repr(name) if name is not None else number
    if not who:
        return tag
    return f"{tag} {who}" if layer is element else f"{tag} of layer {who}"


def _problem(asked: _Asked, found: Violation) -> Problem | None:
    document, path = asked.document, found.path
    element = document.element(path)
    if found.kind == "element":
        return _stranger(asked, found, element)
    # OpenVINO 2026.4.1 (pugixml) takes text between elements, text after </net>, a second root and a bare &, and skips them
    who = _called(document, path)
    if found.kind == "text":
        message = f"unexpected text in {who}; OpenVINO ignores it"
        return Problem(R.unknown_key, Place(path, "text"), message, severity=Severity.WARNING)
    # OpenVINO 2026.4.1 requires id, name, type and version of a layer, id of a port, precision of an output port, and all four of an edge
    if found.kind == "missing":
        known = [a.name for a in element.attributes]
        meant = nearest(found.attribute or "", known)
        if (meant is not None and _is_stranger(meant)) or (not path and found.attribute == "version"):
            return None  # the misspelled attribute is the finding; a file without a version has one of its own
        return Problem(
            R.missing_key,
            Place(path, "tag"),
            f"missing required attribute `{found.attribute}` for {who}; OpenVINO refuses the file",
            key=found.attribute or "",
        )
    if found.kind == "attribute":
        if not path and (found.attribute or "").startswith("xmlns"):
            return None  # a namespace has a finding of its own
        side = document.element(path[:-1]).tag if path else ""
        return _unknown_attribute(found, path, element, side, who)
    return _value(document, found, path, who)


_KNOWN = ("id", "name", "type", "version", "precision", "names", "from-layer", "from-port", "to-layer", "to-port",
          "external_port_id", "internal_layer_id", "axis", "start", "end", "stride", "part_size", "purpose", "output_names")  # fmt: skip
_NEEDED = {
    "net": ("version",), "layer": ("id", "name", "type", "version"), "port": ("id", "precision"),
    "edge": ("from-layer", "from-port", "to-layer", "to-port"),
    "input": ("external_port_id", "internal_layer_id"), "output": ("external_port_id", "internal_layer_id"),
}  # fmt: skip


def _is_stranger(name: str) -> bool:
    return name not in _KNOWN


def _unknown_attribute(found: Violation, path: Path, element: Element, side: str, who: str) -> Problem:
    name = found.attribute or ""
    missing = [n for n in _NEEDED.get(found.tag, ()) if element.get(n) is None]
    meant = nearest(name, missing)
    message, place = f"unknown attribute `{name}` for {who}", Place(path, f"@{name}.name")
    if meant is None:
        return Problem(R.unknown_key, place, f"{message}; OpenVINO ignores it", severity=Severity.WARNING)

    def fix(document: Document) -> Fix:
        return Fix(f"Rename to `{meant}`", (Edit(document.span(place), meant),), "safe")

    return Problem(
        R.unknown_key,
        place,
        f"{message}; did you mean `{meant}`?",
        fix=fix,
        severity=Severity.WARNING if (meant, side) == ("precision", "input") else None,  # nobody reads it
    )


def _stranger(asked: _Asked, found: Violation, element: Element) -> Problem:
    document, path = asked.document, found.path
    place = Place(path, "name")
    if element.tag.endswith(":include") or element.tag == "include":
        message = f"unexpected `<{element.tag}>`; OpenVINO does not include other files"
        return Problem(R.document_type, place, message, severity=Severity.WARNING)
    parent = document.element(path[:-1])
    message = f"unexpected element `<{element.tag}>` in {_called(document, path[:-1])}"
    if parent.start not in asked.tags:
        asked.tags[parent.start] = {c.tag for c in parent.elements()}
    have = asked.tags[parent.start]
    meant = nearest(element.tag, [e for e in found.expected if e not in have or e in _MANY])
    if meant is None:
        return Problem(R.unknown_key, place, f"{message}; OpenVINO ignores it", severity=Severity.WARNING)

    severity = asked.weigh(meant, path) if meant in _VITAL else Severity.WARNING

    def fix(_: Document) -> Fix:
        edits = [Edit(Span(element.start + 1, element.start + 1 + len(element.tag)), meant)]
        if element.end > element.close:
            edits.append(Edit(Span(element.close + 2, element.close + 2 + len(element.tag)), meant))
        return Fix(f"Rename to `<{meant}>`", tuple(edits), "safe" if severity is None else "unsafe")

    message = f"{message}; did you mean `<{meant}>`?"
    return Problem(R.unknown_key, place, message, fix=fix, severity=severity, meant=meant)


def _value(document: XmlDocument, found: Violation, path: Path, element: str) -> Problem | None:
    who = f"for `{found.attribute}` of {element}" if found.attribute else f"in {element}"
    part = f"@{found.attribute}" if found.attribute else "text"
    place, value = Place(path, part), found.value
    if found.attribute == "version" and found.tag == "net":
        return None  # the version has findings of its own
    if found.attribute == "precision":
        side = document.element(path[:-1]).tag
        return _precision(place, who, value, side == "output")
    if found.expected:
        words = ", ".join(f"`{word}`" for word in found.expected)
        words = words if len(found.expected) == 1 else f"one of {words}"
        milder = (
            Severity.WARNING if found.tag == "input" else None
        )  # the reader drops an input's purpose that it does not know
        message = f"{_unknown(value)} {who}; expected {words}"
        return Problem(R.value_not_allowed, place, message, severity=milder)
    read = _number(found, value)
    message = f"expected {found.wanted} {who}, got {f'`{value}`' if value else 'an empty value'}"
    if read is None:
        return Problem(R.wrong_type, place, message)

    def fix(document: Document) -> Fix:
        return Fix(f"Replace `{value}` with `{read}`", (Edit(document.span(place), read),), "safe")

    message += f"; OpenVINO reads it as `{read}`"
    return Problem(R.wrong_type, place, message, fix=fix, severity=Severity.WARNING)


def _unknown(value: str) -> str:
    return f"unknown value `{value}`" if value else "empty value"


def _number(found: Violation, value: str) -> str | None:
    """Return the number that the reader reads from a text; None if it refuses it."""
    if found.tag == "dim":
        number = dimension(value)
        return None if number is None else str(number)
    if found.attribute == "external_port_id" or found.attribute in _OPTIONAL_NUMBERS:
        try:
            return str(int(value)) if len(value) < 30 and value.isascii() and "_" not in value else None
        except ValueError:
            return None
    return unsigned(value)


def _precision(place: Place, who: str, value: str, read: bool) -> Problem:
    upper = {e.upper(): p for e, p in _SPELLINGS.items()}
    right = (
        value.upper()
        if value.upper() in PRECISIONS
        else upper.get(value.strip().upper(), _OTHER_NAMES.get(value.strip().lower()))
    )
    taken = value in ELEMENT_TYPES or value in PRECISIONS
    message = f"{_unknown(value)} {who}"
    if taken:
        message = f"expected `{right}` {who}, got `{value}`"
    elif right:
        message += f"; did you mean `{right}`?"
    else:
        message += "; expected one of `FP32`, `FP16`, `I64`, `I32`, `I8`, `U8`, `BOOL`, ..."
    fix = None
    if right:

        def fix(document: Document) -> Fix:
            return Fix(f"Set `precision` to `{right}`", (Edit(document.span(place), right),), "safe")

    return Problem(
        R.value_not_allowed, place, message, fix=fix, severity=Severity.WARNING if taken or not read else None
    )


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
