"""Other types, opsets and ids for a layer."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Candidate
from irlint.formats.openvino import opsets
from irlint.formats.openvino.candidates.values import data_candidates
from irlint.formats.openvino.layers import Layer
from irlint.formats.openvino.reader import Section
from irlint.operators import Operator
from irlint.text.base import Edit, Span
from irlint.text.xml import XmlDocument
from irlint.text.xml_tree import Element, escape

_MOST = 60  # types that are tried
_LONGEST = 100  # characters of a type that may be misspelt


def layer_candidates(document: XmlDocument, section: Section, index: int, part: str) -> Iterator[Candidate]:
    """What the start tag of a layer may have said."""
    element, layer = document.element(section.graph.nodes[index].path), section.layers[index]
    if part in ("@id", "@id.name") or element.attribute("id") is None:
        yield from (_set(element, "id", number, likelihood) for number, likelihood in _ids(section))
    if element.attribute("name") is None:
        yield _set(element, "name", f"{layer.type}_{layer.id}", 1)
    if part in ("@version", "@version.name", "@type", "@type.name", "tag"):
        yield from (_set(element, "version", version, k) for version, k in _versions(section, layer))
        yield from (_set(element, "type", type_, k) for type_, k in _types(layer))
    yield from data_candidates(document, section, index, None)


def root_candidates(document: XmlDocument) -> Iterator[Candidate]:
    """What the start tag of the file may have said."""
    root = document.element(())
    if root.tag == "net":
        yield from (_set(root, "version", version, k) for k, version in enumerate(("11", "10")))


def _set(element: Element, name: str, value: str, likelihood: int) -> Candidate:
    """The candidate that gives an attribute another value, or adds it."""
    attribute, written = element.attribute(name), escape(value)
    if attribute is not None:
        span = Span(attribute.value_start, attribute.value_end)
        return Candidate(f'Write {name}="{value}"', (Edit(span, written),), likelihood)
    at = element.start + 1 + len(element.tag)
    return Candidate(f'Add {name}="{value}"', (Edit(Span(at, at), f' {name}="{written}"'),), likelihood)


def _ids(section: Section) -> Iterator[tuple[str, int]]:
    """Numbers that edges name and no layer has, then one that nobody uses."""
    numbers = [number for number in section.named if number is not None and number not in section.by_id]
    yield from ((number, 0) for number in sorted(numbers, key=int)[:16])
    yield str(max((int(number) for number in {*section.by_id, *numbers}), default=-1) + 1), 1


def _versions(section: Section, layer: Layer) -> Iterator[tuple[str, int]]:
    """The opsets that have the type, each meaning of it once: that of the type's other layers first, then the nearest."""
    exact = opsets.exact_type(layer.type)
    if exact is None:
        return
    usual = [other.version for other in section.layers if other.type == layer.type and other is not layer]
    digits = "".join(c for c in layer.version if c in "0123456789")
    near = int(digits) if digits and len(digits) < 4 else 1
    homes = sorted(opsets.opsets_with(exact), key=lambda name: abs(int(name[5:]) - near))
    seen = {opsets.meaning(layer.type, layer.version).operation}
    for version in [*dict.fromkeys(usual), *homes]:
        operation = opsets.meaning(layer.type, version).operation
        if operation is not None and operation not in seen:
            seen.add(operation)
            yield version, 0 if version in usual else 1


def _types(layer: Layer) -> Iterator[tuple[str, int]]:
    """Types of the same opset that take what the layer has; those that its type or name speaks of first."""
    names = (layer.type.lower(), layer.name.lower())
    found = []
    for type_ in opsets.types_known():
        operator = opsets.operator_of(type_, layer.version)
        if type_ != layer.type and operator is not None and _takes(operator, layer):
            found.append((_likelihood(type_.lower(), *names), type_))
    found.sort()
    yield from ((type_, likelihood) for likelihood, type_ in found[:_MOST])


def _likelihood(type_: str, old: str, name: str) -> int:
    """0: the type is spelled alike, or the layer is named for it; 2: nothing speaks for it."""
    from difflib import SequenceMatcher

    if 1 < len(old) <= _LONGEST and SequenceMatcher(None, type_, old).ratio() >= 0.7:
        return 0
    return 0 if len(type_) > 2 and type_ in name else 2


def _takes(operator: Operator, layer: Layer) -> bool:
    """Whether an operation can have as many inputs and outputs, and just the attributes that a layer has."""
    given = set(layer.data or ())
    needed = {name for name, attribute in operator.attributes.items() if attribute.required}
    if not needed <= given or not given <= set(operator.attributes):
        return False
    return _counts(operator.inputs, len(layer.inputs)) and _counts(operator.outputs, len(layer.outputs))


def _counts(ports: tuple, count: int) -> bool:  # type: ignore[type-arg]
    kinds = [port.kind for port in ports]
    least = sum(kind in ("required", "variadic") for kind in kinds)
    return least <= count and (count <= len(kinds) or any(kind.startswith("variadic") for kind in kinds))
