"""The sections of a net or body, the parts of its layers, and layers that do not reach an output."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.openvino.reading.locate import removal
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R, error_if
from irlint.graph import Node, label
from irlint.operators import nearest
from irlint.text.base import Document, Edit, Place
from irlint.text.words import count
from irlint.text.xml.tree import Element
from irlint.text.xml.troubles import alike

ENDS = ("Result", "Assign")  # OpenVINO 2026.4.1 looks for layers from these backwards, spelled exactly so
_PARTS = ("data", "input", "output", "rt_info")
_MOST = 200  # dead layers behind one that are looked at


def section_problems(section: IrSection, broken: bool) -> Iterator[Problem]:
    """Report missing and duplicate sections."""
    first: dict[str, int] = {}
    for k, child in section.element.steps("layers", "edges"):
        # OpenVINO 2026.4.1 reads the first <layers> and drops the second: the rest of the model is gone
        if first.setdefault(child.tag, k) != k and child.children:
            message = f"duplicate `<{child.tag}>`; OpenVINO ignores its {count(len(child.children), child.tag[:-1])}"
            related = [("first defined here", Place((*section.path, first[child.tag]), "tag"))]
            at, severity = Place((*section.path, k), "tag"), error_if(section.lacking) or Severity.ERROR
            yield Problem(R.duplicate_key, at, message, related=related, severity=severity)
    if broken:
        return
    if section.layers:
        yield from _without_edges(section, first)
        yield from _without_result(section)
    elif not _is_misspelt(section.element, "layers") and not _is_misspelt(section.layers_element, "layer"):
        at, message = _lacking(section, first, "layers")
        yield Problem(R.empty_model, at, message)


def _lacking(section: IrSection, first: dict[str, int], tag: str) -> tuple[Place, str]:
    """Return where there are no layers or edges, and what is said of that."""
    who = f"`<{section.element.tag}>`"
    if tag in first:
        return Place((*section.path, first[tag]), "tag"), f"{who} has no {tag}"
    return Place(section.path, "tag"), f"missing `<{tag}>` in {who}"


def _without_edges(section: IrSection, first: dict[str, int]) -> Iterator[Problem]:
    is_told = section.edges or _is_misspelt(section.element, "edges") or _is_misspelt(section.edges_element, "edge")
    if is_told or not any(node.inputs for node in section.graph.nodes):
        return
    from irlint.formats.openvino.passes.missing_parts import element_gap

    at, message = _lacking(section, first, "edges")
    gap = [] if "edges" in first else [element_gap(section.element, "edges")]
    yield Problem(R.missing_key, at, f"{message}; no layer has inputs", related=gap)


def _without_result(section: IrSection) -> Iterator[Problem]:
    # OpenVINO 2026.4.1 compiles and runs a model without Result, also one with states: it has no outputs. 'result' in lower case
    # starts no search for layers
    is_body = section.graph.parent is not None
    if not section.types.isdisjoint(ENDS if is_body else ENDS[:1]):
        return
    if not any(not node.op or alike(node.op.strip().lower(), "result") for node in section.graph.nodes):
        message = f"missing Result in `<{section.element.tag}>`; the graph has no outputs"
        yield Problem(R.empty_model, Place(section.layers_path, "tag"), message)


def _is_misspelt(parent: Element | None, tag: str) -> bool:
    """Return whether a child's tag is a misspelling of this one, which is reported."""
    children = parent.elements() if parent is not None else ()
    return any(child.tag != tag and nearest(child.tag, [tag]) == tag for child in children)


def port_problems(section: IrSection) -> Iterator[Problem]:
    """Report ids that an input port and an output port share; the reader distinguishes them, other tools do not."""
    both: dict[int, str | None] = {}
    for members in section.kinds:
        layer = section.layers[members[0]]
        number = next((number for number in layer.outputs.index if number in layer.inputs.index), None)
        if number is not None:
            both.update(dict.fromkeys(members, number))
    if both:
        from irlint.checks.problems import duplicate_definition
    for index, number in sorted(both.items()):
        layer, graph, node = section.layers[index], section.graph, section.graph.nodes[index]
        message = f"duplicate port id {number} for an input and an output of {label(node)}"
        place = Place(graph.place(index, f"output:{layer.outputs.index[number]}").path, "@id")
        other = Place(graph.place(index, f"input:{layer.inputs.index[number]}").path, "@id")
        yield duplicate_definition(place, message, other, node.name, severity=Severity.WARNING)


def repeated_parts(section: IrSection) -> Iterator[Problem]:
    """Report duplicate parts of a layer."""
    for index in section.irregular:
        node = section.graph.nodes[index]
        first: dict[str, int] = {}
        for k, child in section.layers[index].parts.steps(*_PARTS):
            if first.setdefault(child.tag, k) != k:
                message = f"duplicate `<{child.tag}>` for {label(node)}; OpenVINO ignores it"
                related = [("first defined here", Place((*node.path, first[child.tag]), "tag"))]
                yield Problem(R.duplicate_key, Place((*node.path, k), "tag"), message, node.name, related=related,
                              severity=Severity.WARNING)  # fmt: skip


def reach_problems(section: IrSection, broken: bool) -> Iterator[Problem]:
    """Report layers that do not reach an output; the reader ignores them."""
    live, used, graph = section.live, section.read, section.graph
    is_whole = section.edges and not broken and not section.torn and not section.types.isdisjoint(ENDS)
    unused = [node for node in graph.nodes if not used[node.index]] if is_whole else []
    for node in (node for node in unused if node.index not in section.shadowed):
        if node.op == "Parameter" and graph.parent is None:
            message = f"unused {label(node)}; the model still requires this input"
            yield Problem(R.unreachable_node, graph.place(node, "node"), message, node.name, severity=Severity.INFO)
        if not live[node.index] and node.op.lower() != "result":
            yield _unreachable(section, node)


def _unreachable(section: IrSection, node: Node) -> Problem:
    dead = _behind(section, node.index)
    more = len(dead) - 1
    others = f" (nor {'does' if more == 1 else 'do'} {count(more, 'layer')} that only it uses)" if more > 0 else ""
    message = f"{label(node)} does not reach an output{others}; OpenVINO ignores it"

    def fix(document: Document) -> Fix | None:
        return _without(document, section, dead)

    return Problem(R.unreachable_node, section.graph.place(node), message, node.name, fix if dead else None)


def _behind(section: IrSection, start: int) -> list[int]:
    """Return the unreachable layers that an unreachable layer depends on, and itself; none if there are very many."""
    found, stack = {start}, [start]
    while stack:
        makers = {maker for maker, _ in section.graph.nodes[stack.pop()].inputs if maker >= 0} - found
        dead = [maker for maker in makers if not section.live[maker]]
        found.update(dead)
        stack += dead
        if len(found) > _MOST:
            return []
    return sorted(found)


def _without(document: Document, section: IrSection, dead: list[int]) -> Fix:
    numbers = dict.fromkeys(section.layers[k].id for k in dead)
    edges = [section.edge_place(k) for number in numbers for k in section.edges_into.get(number, ())]
    places = [*(section.graph.place(k, "node") for k in dead), *edges]
    title = f"Remove {count(len(dead), 'layer')} and {'its' if len(dead) == 1 else 'their'} edges"
    return Fix(title, tuple(sorted(Edit(removal(document, place), "") for place in places)), "unsafe")
