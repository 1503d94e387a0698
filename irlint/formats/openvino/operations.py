"""Types, versions, numbers of inputs and outputs, and attributes of layers; equal layers are checked once."""

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
from irlint.text.words import count


def operation_problems(section: Section, version: int, extensions: Extensions, odd: set[int]) -> Iterator[Problem]:
    """Report problems with operations.

    `odd` holds nodes with findings about their structure: their ports are not counted.
    """
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
    """Return whether no layer of a kind has a problem."""
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
    """Return whether a Const has the usual attributes; weights.py checks them against the .bin."""
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
            names = (
                "`element_type`, `shape`, `offset` and `size`" if node.kind == "const" else "`element_type` and `shape`"
            )
            message = f"missing `<data>` with {names} for {label(node)}; OpenVINO refuses the file"
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
        message = f"{f'unknown opset `{opset}`' if opset else 'empty opset'} for {label(node)}"
        if opset in ("extension", "experimental"):
            message = f"unknown operator `{node.op}` in opset `{opset}`"
        elif opset and not opset.lower().startswith("opset"):
            message += "; declare operators of a library under `extensions:` in irlint.yaml"
        elif not homes:
            message += f"; no opset has an operator `{node.op}`"
        elif meant is None:
            message += f"; expected `{names[0]}` to `{names[-1]}`"
        fix = None
        if meant is not None:

            def fix(document: Document) -> Fix:
                return Fix(f"Set `version` to `{meant}`", document.write(at, meant), "unsafe")

        yield Problem(R.unknown_opset, at, message + _question(meant, names[-1], homes, found.type), node.name, fix)
        return
    at = graph.place(node, "op")
    if node.op == "Constant":

        def name_it(document: Document) -> Fix:
            return Fix("Rename to `Const`", document.write(at, "Const"), "safe")

        yield Problem(
            R.unknown_operator,
            at,
            "unknown operator `Constant`, which crashes OpenVINO; did you mean `Const`?",
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
    have = f"`{homes[0]}` to `{homes[-1]}`" if _run(homes) else ", ".join(f"`{home}`" for home in homes)
    have = f"`{homes[0]}`" if len(homes) == 1 else have

    safety: Safety = "safe" if is_at_home(section, node, found.type, better) else "unsafe"

    def move(document: Document) -> Fix:
        return Fix(f"Set `version` to `{better}`", document.write(version_at, better), safety)

    yield Problem(
        R.operator_not_in_version,
        version_at,
        f"unknown opset `{opset}` for operator `{found.type}`; expected {have}",
        node.name,
        move,
    )


def _run(homes: list[str]) -> bool:
    return int(homes[-1][5:]) - int(homes[0][5:]) == len(homes) - 1


def _nearest_opset(opset: str, homes: list[str]) -> str:
    number = int(opset[5:])
    return min(homes, key=lambda name: (abs(int(name[5:]) - number), int(name[5:])))


def _question(meant: str | None, newest: str, homes: list[str], type_: str) -> str:
    """Return a suggestion, with the reason if the newest opset is not suggested because it lacks the type."""
    if meant is None:
        return ""
    return f"; did you mean `{meant}`{f', the last with `{type_}`' if meant == homes[-1] != newest else ''}?"


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
    message = f"unknown operator `{node.op}`" if node.op else f"empty operator type for layer {node.name!r}"
    if meant is None:
        return Problem(R.unknown_operator, at, message, node.name)

    def fix(document: Document) -> Fix:
        return Fix(f"Rename to `{meant}`", document.write(at, meant), "unsafe")

    return Problem(R.unknown_operator, at, f"{message}; did you mean `{meant}`?", node.name, fix)


def _spelling(section: Section, node: Node, right: str) -> Iterator[Problem]:
    """Report a type in another letter case; class names such as Relu are accepted."""
    if node.op in opsets.aliases():
        return
    at = section.graph.place(node, "op")
    # the reader lists inputs that are spelled so before all others: with the usual spelling their order is another one
    is_sorted = right == "Parameter" and any(index != node.index for index in section.graph.inputs)
    # OpenVINO 2026.4.1: 'result' loads and is not an output of the model; `convolution` and `RELU` are as good as the right spelling
    safety: Safety = "unsafe" if right in ("Result", "Assign") or is_sorted else "safe"

    def fix(document: Document) -> Fix:
        return Fix(f"Rename to `{right}`", document.write(at, right), safety)

    message = f"expected operator `{right}`, got `{node.op}`"
    if right in ("Result", "Assign"):
        message += "; OpenVINO does not find the layer under this name"
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
        return f"{', '.join(map(str, counts[:-1]))} or {counts[-1]} inputs"
    if groups := operator.facts.get("groups"):
        return f"{least}, {least + groups}, {least + 2 * groups}, ... inputs"
    if most is None or least == most:
        return f"{'at least ' if most is None else ''}{count(least, 'input')}"
    return f"{least} to {most} inputs"


def _counts(section: Section, node: Node, operator: Operator, version: int) -> Iterator[Problem]:
    graph = section.graph
    if NOWHERE not in node.inputs:
        most = _range(operator)[1]
        given = len(node.inputs)
        if not _fits(given, operator):
            over = most is not None and given > most
            taken = given <= operator.facts.get("takes", 0) or (version == 10 and operator.facts.get("spare"))
            severity = Severity.WARNING if over and taken else Severity.ERROR
            names = ", ".join(port.name for port in operator.inputs if port.name)
            message = f"expected {_wanted(operator)}{f' ({names})' if names else ''} for {label(node)}, got {given}"
            if given in operator.facts.get("crashes", ()):
                message += "; OpenVINO crashes on it"
            at = graph.place(node, f"input:{most}" if over else "node")
            yield Problem(R.wrong_input_count, at, message, node.name, severity=severity)
    outputs = section.layers[node.index].outputs.ports
    if any(port.kind != "required" for port in operator.outputs):
        return
    most = len(operator.outputs)
    if len(outputs) > most and node.op != "Result":
        message = f"expected {count(most, 'output')} for {label(node)} of `{node.version}`, got {len(outputs)}"
        severity = Severity.WARNING if version == 10 else Severity.ERROR
        yield Problem(R.wrong_output_count, graph.place(node, f"output:{most}"), message, node.name, severity=severity)


__all__ = ["nearest", "operation_problems"]
