"""The root element: its name, version and sections, and unreachable layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from irlint.findings import Fix, Problem, Severity
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.layers import unsigned
from irlint.formats.openvino.reading.opsets import Release, parse_release, release_of, release_of_element_type
from irlint.formats.openvino.reading.reader import Section
from irlint.formats.openvino.state import state_of
from irlint.graph import Node, label
from irlint.operators import nearest
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place
from irlint.text.words import count
from irlint.text.xml.tree import Element
from irlint.text.xml.troubles import alike

READABLE = ("10", "11")
ENDS = ("Result", "Assign")  # OpenVINO 2026.4.1 looks for layers from these backwards, spelled exactly so
FIRST = {"ir10": (2020, 1), "ir11": (2022, 1)}  # releases that first read a version


def root_problems(root: Element) -> Iterator[Problem]:
    if root.tag != "net":
        # OpenVINO 2026.4.1 takes <Net>, and no root of another name
        same = root.tag.lower() == "net"
        message = f"expected root element `<net>`, got `<{root.tag}>`"

        def rename(document: Document) -> Fix:
            return Fix("Rename to `<net>`", document.write(Place((), "name"), "net"), "safe")

        yield Problem(
            R.unknown_key, Place((), "name"), message, fix=rename, severity=Severity.WARNING if same else None
        )
    for attribute in root.attributes:
        if attribute.name.startswith("xmlns"):
            message = "unexpected XML namespace; other tools may not find the elements by name"
            yield Problem(R.unknown_key, Place((), f"@{attribute.name}.name"), message, severity=Severity.WARNING)
    yield from _version(root)
    if not root.get("name"):
        at = Place((), "tag" if root.attribute("name") is None else "@name")
        yield Problem(R.empty_name, at, "the model has no name")


def _version(root: Element) -> Iterator[Problem]:
    version, at = root.get("version"), Place((), "@version")
    if version is None:
        if (
            nearest("version", [a.name for a in root.attributes if a.name != "name"]) is None
        ):  # else that is the finding
            yield Problem(
                R.missing_key,
                Place((), "tag"),
                "missing required attribute `version` for `<net>`; expected `10` or `11`",
            )
        return
    # OpenVINO 2026.4.1 takes '011'; '11.0', 'v11' and '11 ' it refuses without naming the version
    number = unsigned(version)
    if version in READABLE:
        return
    if number is None or number not in READABLE:
        digits = "".join(c for c in version.partition(".")[0] if c.isdecimal())

        def fix(document: Document) -> Fix:
            return Fix(f"Set `version` to `{digits}`", document.write(at, digits), "safe")

        rule = R.wrong_type if number is None else R.value_not_allowed
        yield Problem(
            rule,
            at,
            f"{f'unsupported IR version `{version}`' if version else 'empty IR version'}; OpenVINO reads 10 and 11",
            fix=fix if digits in READABLE else None,
        )
        return

    def plain(document: Document) -> Fix:
        return Fix(f"Set `version` to `{number}`", document.write(at, number), "safe")

    yield Problem(
        R.value_not_allowed,
        at,
        f"expected `{number}` for `version` of `<net>`, got `{version}`",
        fix=plain,
        severity=Severity.WARNING,
    )


def section_problems(section: Section, broken: bool) -> Iterator[Problem]:
    """Report missing and duplicate sections."""
    element, path = section.element, section.path
    seen: dict[str, int] = {}
    for k, child in enumerate(element.children):
        if not isinstance(child, Element) or child.tag not in ("layers", "edges"):
            continue
        # OpenVINO 2026.4.1 reads the first <layers> and drops the second: the rest of the model is gone
        if child.tag in seen and child.children:
            message = f"duplicate `<{child.tag}>`; OpenVINO ignores its {count(len(child.children), child.tag[:-1])}"
            related = [("first defined here", Place((*path, seen[child.tag]), "tag"))]
            severity = Severity.ERROR if section.lacking else Severity.WARNING
            yield Problem(R.duplicate_key, Place((*path, k), "tag"), message, related=related, severity=severity)
        seen.setdefault(child.tag, k)
    if broken:
        return
    who = f"`<{element.tag}>`"
    if not section.layers:
        if _is_misspelt(element, "layers") or _is_misspelt(section.layers_element, "layer"):
            return
        at = Place((*path, seen["layers"]) if "layers" in seen else path, "tag")
        message = f"{who} has no layers" if "layers" in seen else f"missing `<layers>` in {who}"
        yield Problem(R.empty_model, at, message)
        return
    is_told = section.edges or _is_misspelt(element, "edges") or _is_misspelt(section.edges_element, "edge")
    if not is_told and any(node.inputs for node in section.graph.nodes):
        from irlint.formats.openvino.passes.belongs import element_gap

        at = Place((*path, seen["edges"]) if "edges" in seen else path, "tag")
        message = f"{who} has no edges" if "edges" in seen else f"missing `<edges>` in {who}"
        gap = [] if "edges" in seen else [element_gap(element, "edges")]
        yield Problem(R.missing_key, at, f"{message}; no layer has inputs", related=gap)
    # OpenVINO 2026.4.1 compiles and runs a model without Result: it has no outputs. 'result' in lower case starts no search for layers
    if section.types.isdisjoint(ENDS):
        if not any(not node.op or alike(node.op.strip().lower(), "result") for node in section.graph.nodes):
            at = Place(section.layers_path, "tag")
            yield Problem(R.empty_model, at, f"missing Result in {who}; the graph has no outputs")


def _is_misspelt(parent: Element | None, tag: str) -> bool:
    """Return whether a child's tag is a misspelling of this one, which is reported."""
    children = parent.children if parent is not None else ()
    return any(isinstance(c, Element) and c.tag != tag and nearest(c.tag, [tag]) == tag for c in children)


def port_problems(section: Section) -> Iterator[Problem]:
    """Report ids that an input port and an output port share; the reader distinguishes them, other tools do not."""
    both: dict[int, str] = {}
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


def repeated_parts(section: Section) -> Iterator[Problem]:
    """Report duplicate parts of a layer."""
    for index in section.irregular:
        node, element = section.graph.nodes[index], section.layers[index].element
        seen: dict[str, int] = {}
        for k, child in enumerate(element.children if element is not None else ()):
            if isinstance(child, Element) and seen.setdefault(child.tag, k) != k and child.tag in _PARTS:
                message = f"duplicate `<{child.tag}>` for {label(node)}; OpenVINO ignores it"
                related = [("first defined here", Place((*node.path, seen[child.tag]), "tag"))]
                yield Problem(R.duplicate_key, Place((*node.path, k), "tag"), message, node.name, related=related,
                              severity=Severity.WARNING)  # fmt: skip


_PARTS = ("data", "input", "output", "rt_info")


def reach_problems(section: Section, broken: bool) -> Iterator[Problem]:
    """Report layers that do not reach an output; the reader ignores them."""
    live, used = section.live, section.read
    if broken or section.torn or not section.edges:
        return
    graph = section.graph
    if section.types.isdisjoint(ENDS) or (all(live) and all(used[k] for k in graph.inputs)):
        return
    shadowed = {first for first, _ in section.double}
    for node in graph.nodes:
        if node.op == "Parameter" and graph.parent is None and not used[node.index] and node.index not in shadowed:
            message = f"unused {label(node)}; the model still requires this input"
            yield Problem(R.unreachable_node, graph.place(node, "node"), message, node.name, severity=Severity.INFO)
        if live[node.index] or used[node.index] or node.index in shadowed or node.op.lower() == "result":
            continue
        dead = _behind(section, node.index)
        if dead is None:
            yield Problem(
                R.unreachable_node,
                graph.place(node, "node"),
                f"{label(node)} does not reach an output; OpenVINO ignores it",
                node.name,
            )
            continue

        def fix(document: Document, dead: list[int] = dead) -> Fix:
            return _without(document, section, dead)

        others = f" (nor does {count(len(dead) - 1, 'layer')} that only it uses)" if len(dead) > 1 else ""
        others = others.replace("nor does", "nor do") if len(dead) > 2 else others
        message = f"{label(node)} does not reach an output{others}; OpenVINO ignores it"
        yield Problem(R.unreachable_node, graph.place(node, "node"), message, node.name, fix)


_MOST = 200  # dead layers behind one that are looked at


def _behind(section: Section, start: int) -> list[int] | None:
    """Return the unreachable layers that an unreachable layer depends on, and itself; None if there are very many."""
    found, stack = {start}, [start]
    while stack:
        for source in section.graph.nodes[stack.pop()].inputs:
            if source[0] >= 0 and not section.live[source[0]] and source[0] not in found:
                found.add(source[0])
                stack.append(source[0])
        if len(found) > _MOST:
            return None
    return sorted(found)


def _without(document: Document, section: Section, dead: list[int]) -> Fix:
    numbers = dict.fromkeys(section.layers[k].id for k in dead)
    from irlint.formats.openvino.passes.unfed_inputs import removal

    edits = [Edit(removal(document, section.graph.place(k, "node")), "") for k in dead]
    for number in numbers:
        for k in section.edges_into.get(number, ()):
            edits.append(Edit(removal(document, Place(section.edge_path(k))), ""))
    title = f"Remove {count(len(dead), 'layer')} and {'its' if len(dead) == 1 else 'their'} edges"
    return Fix(title, tuple(sorted(edits)), "unsafe")


def needed_releases(node: Node) -> Iterator[tuple[Release, str, str]]:
    """Yield the releases that first read the operator and the element types of a layer, with what needs each, and the
    part of the node."""
    found = release_of(node.op, node.version or "")
    if found is not None:
        yield found, f"{node.op} of {node.version}", "version"
    for key, value in node.attrs.items():
        if key.endswith("type") and isinstance(value, str) and (release := release_of_element_type(value)) is not None:
            yield release, f"element type {value}", f"attr:{key}"


def lowest_release(model: Model) -> str | None:
    """Return the first release that reads a file, and why."""
    sections = state_of(model).sections
    if sections is None or model.dialect not in FIRST:  # the text that refuses an older version says what reads it
        return None
    release, reason = FIRST[model.dialect], f"IR version {model.dialect[2:]}"
    nodes = [node for section in sections for node in section.graph.nodes]
    for found, why in sorted({(found, why) for node in nodes for found, why, _ in needed_releases(node)}):
        if found > release:
            release, reason = found, why
    return f"OpenVINO {release[0]}.{release[1]} and later (required by {reason})"


def target_problems(sections: list[Section], version: int, targets: Mapping[str, str]) -> Iterator[Problem]:
    """Report what the target release cannot read."""
    wanted = parse_release(targets["openvino"]) if "openvino" in targets else None
    if wanted is None:
        return
    name = targets["openvino"]
    needed = FIRST[f"ir{version}"]
    if wanted < needed:
        message = f"IR version {version} requires OpenVINO {needed[0]}.{needed[1]} or later; the target is {name}"
        yield Problem(R.target_cannot_read, Place((), "@version"), message)
        return
    for section in sections:
        for node in section.graph.nodes:
            for release, why, part in needed_releases(node):
                if release <= wanted:
                    continue
                at, since = section.graph.place(node, part), f"{release[0]}.{release[1]}"
                what = f"{label(node)} of `{node.version}`" if part == "version" else f"{why} of {label(node)}"
                message = f"{what} requires OpenVINO {since} or later; the target is {name}"
                yield Problem(R.target_lacks_operator, at, message, node.name)
