"""IR of other kinds: versions 1 to 9, which predate opsets, and execution graphs, which a compiled model is saved as."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from irlint.findings import Problem, Severity
from irlint.formats.openvino.passes.sections import port_problems
from irlint.formats.openvino.passes.structure import structure
from irlint.formats.openvino.reading.layers import unsigned
from irlint.formats.openvino.reading.opsets import Release, parse_release, release_name
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.reading.reader import read as read_sections
from irlint.formats.openvino.rules import R
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.numbers import integer
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element, Record

if TYPE_CHECKING:
    from irlint.formats.openvino.bodies.port_maps import MapEntry


_RUN = ("execOrder", "execTimeMcs", "originalLayersNames", "runtimePrecision")  # of get_runtime_model, 2020.1 to 2026.4
_LOOKED_AT = 50  # layers


def is_legacy(root: Element) -> bool:
    """Return whether the version is 1 to 9 and no layer has an opset."""
    version = (root.get("version") or "").strip()
    return version.isdecimal() and 1 <= integer(version) <= 9 and not any(map(_has_opset, _layers(root, _LOOKED_AT)))


def _layers(root: Element, most: int) -> list[Element | Record]:
    layers = root.child("layers")
    return [] if layers is None else layers.children[:most]


def _has_opset(layer: Element | Record) -> bool:
    return str(layer.get("version") if isinstance(layer, Element) else layer[4]).startswith("opset")


def is_execution_graph(root: Element) -> bool:
    """Return whether the first layers have no opset, but attributes that only a runtime writes."""
    for child in _layers(root, 3):
        if not isinstance(child, Element) or child.get("version") is not None:
            return False
        data = child.child("data")
        if data is not None and sum(data.get(key) is not None for key in _RUN) >= 2:
            return True
    return False


def _sections(model: Model, document: XmlDocument) -> list[IrSection]:
    """Read the graph, of which some rules for any format do not hold."""
    sections = read_sections(document)
    model.graph = sections[0].graph
    model.settled.update((R.self_reference, R.cycle, R.empty_name))
    return sections


def execution_problems(model: Model, document: XmlDocument) -> Iterator[Problem]:
    """Report what an execution graph is, once; its layers are not those of a model."""
    _sections(model, document)
    message = "the file is an execution graph of a compiled model, without opsets and weights; OpenVINO refuses it"
    yield Problem(R.execution_graph, Place((), "tag"), message)


def legacy_problems(model: Model, document: XmlDocument) -> Iterator[Problem]:
    """Report the version, unless the target reads it, and problems of structure for users of such releases."""
    assert document.root is not None
    yield from _age(document.root, model.targets.get("openvino"))
    sections = _sections(model, document)
    from irlint.formats.openvino.passes.connections import connection_problems

    for problem in structure(document, "openvino-ir-legacy.xsd"):
        yield replace(problem, severity=Severity.WARNING)
    _map_ports(sections)
    for section in sections:
        for problem in (*port_problems(section), *connection_problems(section, 7, document.broken, set())):
            yield replace(problem, severity=Severity.WARNING)


def _map_ports(sections: list[IrSection]) -> None:
    """Record which inputs of bodies a port map feeds: it names a layer and a port, as there are no Parameters yet."""
    from irlint.formats.openvino.bodies.port_maps import port_map

    inner = {id(section.graph): section for section in sections}
    for section in sections if len(sections) > 1 else ():
        for node, layer in section.pairs:
            bodies = [inner[id(graph)] for graph in node.graphs]
            for entry in port_map(layer, "port_map") if bodies else ():
                for body in bodies if entry.side == "input" else ():
                    _feed(body, entry)


def _feed(body: IrSection, entry: MapEntry) -> None:
    index = body.by_id.get(entry.internal)
    port = unsigned(entry.element.get("internal_port_id"))
    place = None if index is None else body.layers[index].inputs.index.get(port)
    if index is not None and place is not None:
        body.mapped.add((index, place))


# By the newest IR version: the first release that reads it, and the last. Readers took 1 to 5 in 2018 R5, 2 to 9 in 2019, 2 to 7 later.
_READ: tuple[tuple[int, Release, Release], ...] = (
    (1, (2017, 0), (2018, 5)),
    (2, (2017, 0), (2021, 4)),
    (3, (2018, 1), (2021, 4)),
    (5, (2018, 5), (2021, 4)),
    (7, (2019, 1), (2021, 4)),
    (9, (2019, 1), (2019, 4)),
)


def readers(version: int) -> tuple[Release, Release]:
    """Return the first and the last release that read an IR version from 1 to 9."""
    return next((first, last) for newest, first, last in _READ if version <= newest)


def _age(root: Element, target: str | None) -> Iterator[Problem]:
    number = (root.get("version") or "").strip()
    first, last = readers(integer(number))
    wanted = parse_release(target) if target is not None else None
    if wanted is not None and (first <= wanted <= last or wanted == (first[0], 0)):  # 2019: any release of that year
        return
    message = f"IR version {number} requires OpenVINO {release_name(first)} to {release_name(last)}; "
    example = release_name(min(last, (2019, 3)))
    advice = f"convert the original model again, or set `targets: {{openvino: {example}}}`"
    yield Problem(
        R.legacy_ir, Place((), "@version"), message + (advice if target is None else f"the target is {target}")
    )
