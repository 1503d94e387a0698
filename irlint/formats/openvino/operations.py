"""Types, versions, numbers of inputs and outputs, and attributes of layers; equal layers are judged once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from irlint.findings import Fix, Problem, Safety, Severity
from irlint.formats.openvino import opsets
from irlint.formats.openvino.attributes import attribute_problems
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.extensions import Extensions
from irlint.formats.openvino.reader import Section
from irlint.graph import NOWHERE, Node, label
from irlint.operators import Operator, nearest
from irlint.text.base import Document


def operation_problems(section: Section, version: int, extensions: Extensions, odd: set[int]) -> Iterator[Problem]:
    """`odd` holds nodes whose structure has findings already: their ports are not counted."""
    suspects: Iterable[int] = range(len(section.layers))
    if not odd and not section.unfed:
        suspects = sorted(
            k for kind in section.kinds if not _is_clean(section, kind, version, extensions) for k in kind
        )
    clean: set[tuple[Any, ...]] = set()
    for index in suspects:
        node, layer = section.graph.nodes[index], section.layers[index]
        if node.kind == "const":  # every one has an offset of its own: nothing to remember
            if _is_usual(section, node) and _plain(node.attrs):
                continue
            key = None
        else:
            key = (node.op, node.version, id(layer.data), len(node.inputs), len(layer.outputs.ports))
            if key in clean:
                continue
        found = False
        for problem in _judge(section, node, version, extensions, node.index in odd):
            found = True
            yield problem
        if not found and key is not None and layer.element is None:
            clean.add(key)


def _is_clean(section: Section, members: list[int], version: int, extensions: Extensions) -> bool:
    """Whether nothing is wrong with any layer of a kind."""
    nodes = section.graph.nodes
    first = nodes[members[0]]
    if first.kind == "const":
        return _is_usual(section, first) and all(_plain(nodes[k].attrs) for k in members)
    return not any(_judge(section, first, version, extensions, False))


def _is_usual(section: Section, const: Node) -> bool:
    one_output = len(section.layers[const.index].outputs) == 1
    return const.op == "Const" and const.version == "opset1" and not const.inputs and one_output


_CONST = {"element_type", "shape", "offset", "size"}


def _plain(attrs: dict[str, Any]) -> bool:
    """A Const whose attributes need no second look here; weights.py holds them against the .bin."""
    return attrs.keys() == _CONST


def _judge(section: Section, node: Node, version: int, extensions: Extensions, odd: bool) -> Iterator[Problem]:
    opset = node.version or ""
    if odd and not (node.op and opset):
        return
    operator = extensions.operator(node.op, opset) if extensions.strangers else None
    if operator is None:
        found = opsets.meaning(node.op, opset)
        if found.operation is None:
            if not extensions.is_foreign(node.op, opset):
                yield from _unknown(section, node, found, extensions)
            return
        if node.op != found.type:
            yield from _spelling(section, node, found.type)
        operator = opsets.operator_of(node.op, opset)
        assert operator is not None
    counts = [] if odd else list(_counts(section, node, operator, version))[:1]
    yield from counts
    layer = section.layers[node.index]
    if node.kind != "call" and layer.data is None:
        if not odd:
            what = "its shape and element_type" + (", and where its values lie" if node.kind == "const" else "")
            message = f"{label(node)} has no <data>, which says {what}: the file is refused"
            yield Problem(R.missing_key, section.graph.place(node, "node"), message, node.name)
    elif node.kind != "const" and not operator.facts.get("any_attributes"):
        for problem in attribute_problems(section, node, operator):
            if not counts or problem.rule is not R.missing_attribute:  # else it is another type that was meant
                yield problem


def _unknown(section: Section, node: Node, found: opsets.Meaning, extensions: Extensions) -> Iterator[Problem]:
    graph, opset = section.graph, node.version or ""
    from irlint.formats.openvino.domains import domain_problem

    if (problem := domain_problem(section, node, extensions)) is not None:
        yield problem
        return
    names = opsets.opset_names()
    homes = opsets.opsets_with(found.type)
    if opset not in names:
        meant = _opset_meant(opset, homes)
        at = graph.place(node, "version")
        message = f"{label(node)}: there is no opset {opset!r}; the reader knows {names[0]} to {names[-1]}"
        if opset in ("extension", "experimental"):
            message = f"{label(node)}: {opset!r} holds a few old operations, and {node.op} is none of them"
        elif opset and not opset.lower().startswith("opset"):
            message += "; `extensions:` in irlint.yaml declares operations that a library brings"
        if not homes:
            message += f". No opset has {node.op} either"
        fix = None
        if meant is not None:

            def fix(document: Document) -> Fix:
                return Fix(f"Write {meant}", document.write(at, meant), "unsafe")

        yield Problem(R.unknown_opset, at, message + _question(meant, names[-1], homes, found.type), node.name, fix)
        return
    at = graph.place(node, "op")
    if node.op == "Constant":

        def name_it(document: Document) -> Fix:
            return Fix("Write Const", document.write(at, "Const"), "safe")

        yield Problem(
            R.unknown_operator,
            at,
            f"{label(node)}: in a file the type is written Const; Constant crashes the reader",
            node.name,
            name_it,
        )
        return
    if not homes:
        yield _no_such_type(section, node)
        return
    from irlint.formats.openvino.at_home import is_at_home

    better = _nearest_opset(opset, homes)
    version_at = graph.place(node, "version")
    have = homes[0] if len(homes) == 1 else f"{homes[0]} to {homes[-1]}" if _run(homes) else ", ".join(homes)

    safety: Safety = "safe" if is_at_home(section, node, found.type, better) else "unsafe"

    def move(document: Document) -> Fix:
        return Fix(f"Take it from {better}", document.write(version_at, better), safety)

    yield Problem(
        R.operator_not_in_version,
        version_at,
        f"{opset} has no {found.type}: {have} {'has' if len(homes) == 1 else 'have'} it",
        node.name,
        move,
    )


def _run(homes: list[str]) -> bool:
    return int(homes[-1][5:]) - int(homes[0][5:]) == len(homes) - 1


def _nearest_opset(opset: str, homes: list[str]) -> str:
    number = int(opset[5:])
    return min(homes, key=lambda name: (abs(int(name[5:]) - number), int(name[5:])))


def _question(meant: str | None, newest: str, homes: list[str], type_: str) -> str:
    """With the reason why it is not the newest opset that is meant, where that lacks the type."""
    if meant is None:
        return ""
    return f"; did you mean {meant}{f', the last that has {type_}' if meant == homes[-1] != newest else ''}?"


def _opset_meant(opset: str, homes: list[str]) -> str | None:
    digits = "".join(c for c in opset.partition(".")[0] if c.isdecimal()).lstrip("0")
    if digits and f"opset{digits}" in homes:
        return f"opset{digits}"
    if not homes:
        return None
    if digits and opset.lower().startswith("opset"):
        return _nearest_opset(f"opset{digits[:4]}", homes)
    return homes[0]


def _no_such_type(section: Section, node: Node) -> Problem:
    at = section.graph.place(node, "op")
    meant = opsets.nearest_type(node.op.strip()) if node.op.strip() else None
    message = f"{node.name!r}: no opset has an operation {node.op!r}"
    if meant is None:
        return Problem(R.unknown_operator, at, message, node.name)

    def fix(document: Document) -> Fix:
        return Fix(f"Make it {meant}", document.write(at, meant), "unsafe")

    return Problem(R.unknown_operator, at, f"{message}; did you mean {meant}?", node.name, fix)


def _spelling(section: Section, node: Node, right: str) -> Iterator[Problem]:
    """Another letter case; class names such as Relu are as good as the type."""
    if node.op in opsets.aliases():
        return
    at = section.graph.place(node, "op")
    # the reader lists inputs that are spelled so before all others: with the usual spelling their order is another one
    is_sorted = right == "Parameter" and any(index != node.index for index in section.graph.inputs)
    # OpenVINO 2026.4.1: 'result' loads and is no output of the model; `convolution` and `RELU` are as good as the right spelling
    safety: Safety = "unsafe" if right in ("Result", "Assign") or is_sorted else "safe"

    def fix(document: Document) -> Fix:
        return Fix(f"Write {right}", document.write(at, right), safety)

    message = f"the type {node.op!r} is written {right}"
    if right in ("Result", "Assign"):
        message += ": the reader starts from layers that are spelled so, and does not see this one"
    yield Problem(R.unknown_operator, at, message, node.name, fix, severity=Severity.WARNING)


def _range(operator: Operator) -> tuple[int, int | None]:
    least = sum(port.kind in ("required", "variadic") for port in operator.inputs)
    if any(port.kind in ("variadic", "variadic0") for port in operator.inputs):
        return least, None
    return least, len(operator.inputs)


def _fits(count: int, operator: Operator) -> bool:
    least, most = _range(operator)
    counts, groups = operator.facts.get("counts"), operator.facts.get("groups", 1)
    return (
        least <= count <= (count if most is None else most)
        and (count - least) % groups == 0
        and (counts is None or count in counts)
    )


def _wanted(operator: Operator) -> str:
    least, most = _range(operator)
    if counts := operator.facts.get("counts"):
        return f"{', '.join(map(str, counts[:-1]))} or {counts[-1]}"
    if groups := operator.facts.get("groups"):
        return f"{least}, {least + groups}, {least + 2 * groups} and so on"
    return f"{least}" if least == most else f"{least} to {most}" if most is not None else f"at least {least}"


def _counts(section: Section, node: Node, operator: Operator, version: int) -> Iterator[Problem]:
    graph = section.graph
    if NOWHERE not in node.inputs:
        most = _range(operator)[1]
        count = len(node.inputs)
        if not _fits(count, operator):
            over = most is not None and count > most
            taken = count <= operator.facts.get("takes", 0) or (version == 10 and operator.facts.get("spare"))
            severity = Severity.WARNING if over and taken else Severity.ERROR
            names = ", ".join(port.name for port in operator.inputs if port.name)
            type_ = operator.name.rpartition(".")[2]
            message = f"{label(node)} has {count} input{'' if count == 1 else 's'}, {type_} takes {_wanted(operator)}"
            message += f" ({names})" if names else ""
            if count in operator.facts.get("crashes", ()):
                message += "; the reader crashes on it"
            at = graph.place(node, f"input:{most}" if over else "node")
            yield Problem(R.wrong_input_count, at, message, node.name, severity=severity)
    outputs = section.layers[node.index].outputs.ports
    if any(port.kind != "required" for port in operator.outputs):
        return
    most = len(operator.outputs)
    if len(outputs) > most and node.op != "Result":
        message = f"{label(node)} declares {len(outputs)} outputs, {operator.name.rpartition('.')[2]} in {node.version} has {most}"
        severity = Severity.WARNING if version == 10 else Severity.ERROR
        yield Problem(R.wrong_output_count, graph.place(node, f"output:{most}"), message, node.name, severity=severity)


__all__ = ["nearest", "operation_problems"]
