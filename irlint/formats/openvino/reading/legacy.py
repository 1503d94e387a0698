"""IR versions 1 to 9, which predate opsets: the releases that read them, and their structure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from irlint.findings import Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.passes.net import port_problems
from irlint.formats.openvino.passes.structure import structure
from irlint.formats.openvino.reading.layers import unsigned
from irlint.formats.openvino.reading.opsets import Release, parse_release
from irlint.formats.openvino.reading.reader import Section
from irlint.formats.openvino.reading.reader import read as read_sections
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.numbers import integer
from irlint.text.xml.document import XmlDocument
from irlint.text.xml.tree import Element

if TYPE_CHECKING:
    from irlint.formats.openvino.bodies.slices import MapEntry


_RUN = ("execOrder", "execTimeMcs", "originalLayersNames", "runtimePrecision")  # of get_runtime_model, 2020.1 to 2026.4


def is_legacy(root: Element) -> bool:
    """Return whether the version is 1 to 9 and no layer has an opset."""
    version = root.get("version")
    if version is not None and version.strip().isdecimal():
        return 1 <= integer(version) <= 9 and not _has_opsets(root)
    return False


def _has_opsets(root: Element) -> bool:
    layers = root.child("layers")
    if layers is None:
        return False
    for child in layers.children[:50]:
        version = child.get("version") if isinstance(child, Element) else child[4]
        if version is not None and str(version).startswith("opset"):
            return True
    return False


def is_execution_graph(root: Element) -> bool:
    """Return whether the first layers have no opset, but attributes that only a runtime writes."""
    layers = root.child("layers")
    for child in layers.children[:3] if layers is not None else ():
        if not isinstance(child, Element) or child.get("version") is not None:
            return False
        data = child.child("data")
        if data is not None and sum(data.get(key) is not None for key in _RUN) >= 2:
            return True
    return False


def problems(model: Model, document: XmlDocument) -> Iterator[Problem]:
    """Report the version, unless the target reads it, and problems of structure for users of such releases."""
    assert document.root is not None
    yield from _age(document.root, model.targets.get("openvino"))
    sections = read_sections(document)
    model.graph = sections[0].graph
    model.settled.update((R.self_reference, R.cycle, R.empty_name))
    from irlint.formats.openvino.passes.connections import connection_problems

    for problem in structure(document, "openvino-ir-legacy.xsd"):
        yield replace(problem, severity=Severity.WARNING)
    _map_ports(sections)
    for section in sections:
        for problem in (*port_problems(section), *connection_problems(section, 7, document.broken, set())):
            yield replace(problem, severity=Severity.WARNING)


def _map_ports(sections: list[Section]) -> None:
    """Record which inputs of bodies a port map feeds: it names a layer and a port, as there are no Parameters yet."""
    from irlint.formats.openvino.bodies.slices import port_map

    if len(sections) == 1:
        return
    inner = {id(section.graph): section for section in sections}
    for section in sections:
        for node, layer in zip(section.graph.nodes, section.layers, strict=True):
            found = layer.element.child("port_map") if node.graphs and layer.element is not None else None
            for entry in port_map(found, ()) if found is not None else ():
                if entry.side == "input":
                    for body in node.graphs:
                        _feed(inner[id(body)], entry)


def _feed(body: Section, entry: MapEntry) -> None:
    index = body.by_id.get(entry.internal or "")
    if index is not None:
        place = body.layers[index].inputs.index.get(unsigned(entry.element.get("internal_port_id")) or "")
        if place is not None:
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
    message = f"IR version {number} requires OpenVINO {_shown(first)} to {_shown(last)}; "
    if target is not None:
        message += f"the target is {target}"
    else:
        example = _shown(min(last, (2019, 3)))
        message += f"convert the original model again, or set `targets: {{openvino: {example}}}`"
    yield Problem(R.legacy_ir, Place((), "@version"), message)


def _shown(release: Release) -> str:
    return f"{release[0]}.{release[1]}"
