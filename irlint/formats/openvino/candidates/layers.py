"""Other types, opsets and ids for a layer."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import SURE, Candidate
from irlint.formats.openvino.candidates.site import Site
from irlint.formats.openvino.candidates.tags import with_attribute
from irlint.formats.openvino.reading import opsets
from irlint.formats.openvino.reading.layers import Layer
from irlint.formats.openvino.reading.reader import Section
from irlint.repairs.operators import operator_candidates
from irlint.text.numbers import decimal
from irlint.text.xml.document import XmlDocument


def layer_candidates(document: XmlDocument, section: Section, index: int, part: str) -> Iterator[Candidate]:
    """Yield other attributes for the start tag of a layer."""
    element, layer = document.element(section.graph.nodes[index].path), section.layers[index]
    if part in ("@id", "@id.name") or element.attribute("id") is None:
        yield from (with_attribute(element, "id", number, likelihood) for number, likelihood in _ids(section))
    if element.attribute("name") is None:
        yield with_attribute(element, "name", f"{layer.type}_{layer.id}", 1)
    if part in ("@version", "@version.name", "@type", "@type.name", "tag"):
        yield from (with_attribute(element, "version", version, k) for version, k in _versions(section, layer))
        yield from operator_candidates(Site(document, section, index))


def named_candidates(document: XmlDocument, section: Section, index: int) -> Iterator[Candidate]:
    """Yield the type in the layer's name: converters name layers like MatMul_12."""
    element, layer = document.element(section.graph.nodes[index].path), section.layers[index]
    exact = opsets.type_named(layer.name)
    if exact is not None and exact != layer.type:
        yield with_attribute(element, "type", exact, 0)


def root_candidates(document: XmlDocument) -> Iterator[Candidate]:
    """Yield other attributes for the root element."""
    root = document.element(())
    if root.tag == "net":
        yield from (with_attribute(root, "version", version, k) for k, version in enumerate(("11", "10")))


def renumbered(document: XmlDocument, section: Section) -> Iterator[Candidate]:
    """Yield an id that edges use and no layer has, for a layer that no edge uses."""
    numbers = [number for number in section.named if number is not None and number not in section.by_id]
    idle = [k for k, layer in enumerate(section.layers) if layer.id not in section.named]
    if len(numbers) == 1:
        for index in idle[:8]:
            element = document.element(section.graph.nodes[index].path)
            yield with_attribute(element, "id", numbers[0], SURE if len(idle) == 1 else 1)


def _ids(section: Section) -> Iterator[tuple[str, int]]:
    """Yield ids that edges use and no layer has, then an unused one."""
    numbers = [number for number in section.named if number is not None and number not in section.by_id]
    yield from ((number, 0) for number in sorted(numbers, key=int)[:16])
    yield str(max((int(number) for number in {*section.by_id, *numbers}), default=-1) + 1), 1


def _versions(section: Section, layer: Layer) -> Iterator[tuple[str, int]]:
    """Yield opsets with the type, one per definition: the opset of other layers of the type first, then the nearest."""
    exact = opsets.exact_type(layer.type)
    if exact is None:
        return
    usual = [other.version for other in section.layers if other.type == layer.type and other is not layer]
    digits = "".join(c for c in layer.version if c in "0123456789")
    near = decimal(digits, 3) or 1
    homes = sorted(opsets.opsets_with(exact), key=lambda name: abs(int(name[5:]) - near))
    seen = {opsets.meaning(layer.type, layer.version).operation}
    for version in [*dict.fromkeys(usual), *homes]:
        operation = opsets.meaning(layer.type, version).operation
        if operation is not None and operation not in seen:
            seen.add(operation)
            yield version, 0 if version in usual else 1
