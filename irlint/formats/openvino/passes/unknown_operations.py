"""Operations that the reader does not know: another type, another version or another domain may be meant, or a library is required."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from irlint.checks.fault import asking, writing
from irlint.codes import RuleRow
from irlint.dryrun.errors import ShapeError
from irlint.findings import Problem, Safety, Severity
from irlint.formats.openvino.dryrun import OpenVinoMapping
from irlint.formats.openvino.inferred import agrees, tried
from irlint.formats.openvino.passes.attributes import OpenVinoGrammar, OpenVinoOperator
from irlint.formats.openvino.reading import opsets
from irlint.formats.openvino.reading.extensions import LIBRARY, Extensions
from irlint.formats.openvino.reading.layers import IrLayer
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import Node, label
from irlint.operators import Operator
from irlint.records import replace

_DOMAINS = ("extension", "experimental")  # that the reader takes for an opset
_SHOWN = 4  # types named in a message


def unknown_operation(section: IrSection, node: Node, found: opsets.Meaning, extensions: Extensions) -> Problem:
    """Return the problem of a layer whose type and version denote nothing."""
    if (problem := _of_domain(section, node, extensions)) is not None:
        return problem
    homes = opsets.opsets_with(found.type)
    if node.version not in opsets.opset_names():
        return _no_such_opset(section, node, found.type, homes)
    if node.op == "Constant":
        message = "unknown operator `Constant`, which crashes OpenVINO; did you mean `Const`?"
        return _renamed(section, node, message, "Const", "safe")
    if homes:
        return _not_in_opset(section, node, found.type, homes)
    meant = opsets.nearest_type(node.op.strip()) if node.op.strip() else None
    message = f"unknown operator `{node.op}`" if node.op else f"empty operator type for layer {node.name!r}"
    problem = _renamed(section, node, message, meant)
    problem.meant, problem.hint = meant, asking(meant)
    return problem


def misspelt(section: IrSection, node: Node, right: str) -> Problem:
    """Return the problem of a type in another letter case; class names such as Relu are accepted."""
    # the reader lists inputs that are spelled so before all others: with the usual spelling their order is another one
    is_sorted = right == "Parameter" and any(index != node.index for index in section.graph.inputs)
    # OpenVINO 2026.4.1: 'result' loads and is not an output of the model; `convolution` and `RELU` are as good as the right spelling
    is_lost = right in ("Result", "Assign")
    rest = "; OpenVINO does not find the layer under this name" if is_lost else ""
    safety: Safety = "unsafe" if is_lost or is_sorted else "safe"
    message = f"expected operator `{right}`, got `{node.op}`{rest}"
    problem = _renamed(section, node, message, right, safety)
    problem.severity = Severity.WARNING
    return problem


def _renamed(section: IrSection, node: Node, message: str, better: str | None, safety: Safety = "unsafe") -> Problem:
    """Return the problem of a type instead of which another is suggested."""
    at = section.graph.place(node, "op")
    fix = None if better is None else writing(at, better, f"Rename to `{better}`", safety)
    return Problem(R.unknown_operator, at, message, node.name, fix)


def _moved(
    section: IrSection,
    node: Node,
    message: str,
    better: str | None,
    safety: Safety = "unsafe",
    rule: RuleRow = R.unknown_opset,
) -> Problem:
    """Return the problem of a version instead of which another is suggested."""
    at = section.graph.place(node, "version")
    fix = None if better is None else writing(at, better, f"Set `version` to `{better}`", safety)
    return Problem(rule, at, message, node.name, fix)


def _of_domain(section: IrSection, node: Node, extensions: Extensions) -> Problem | None:
    """Return the problem of an operation that its domain does not have, or of a misspelled domain; None if the opsets decide."""
    domain, is_opset = str(node.version), node.version in opsets.opset_names()
    if (home := extensions.meant_domain(node.op, domain)) is not None and home != domain:
        what = (
            f"unknown operator `{node.op}` in opset `{domain}`"
            if is_opset
            else f"unknown opset `{domain}` for {label(node)}"
        )
        rule = R.operator_not_in_version if is_opset else R.unknown_opset
        return _moved(section, node, f"{what}{asking(home)}", home, rule=rule)
    what = f"unknown operator `{node.op}` in `{domain}`"
    if (meant := extensions.meant_type(node.op, domain)) is not None and opsets.exact_type(node.op) is None:
        return _renamed(section, node, f"{what}{asking(meant)}", meant)
    if domain in extensions.declared:
        return _renamed(section, node, f"{what}; it is not declared under `extensions:` in irlint.yaml", None)
    return None


def _no_such_opset(section: IrSection, node: Node, type_: str, homes: list[str]) -> Problem:
    opset, names = str(node.version), opsets.opset_names()
    meant = _opset_meant(section, opset, homes)
    message = f"{f'unknown opset `{opset}`' if opset else 'empty opset'} for {label(node)}"
    if opset in _DOMAINS:
        message = f"unknown operator `{node.op}` in opset `{opset}`"
    elif opset and not opset.lower().startswith("opset"):
        message += "; declare operators of a library under `extensions:` in irlint.yaml"
    elif not homes:
        message += f"; no opset has an operator `{node.op}`"
    if meant is not None:
        reason = f", the last with `{type_}`" if meant == homes[-1] != names[-1] else ""
        message += f"; did you mean `{meant}`{reason}?"
    return _moved(section, node, message, meant)


def _opset_meant(section: IrSection, opset: str, homes: list[str]) -> str | None:
    digits = "".join(c for c in opset.partition(".")[0] if c.isdecimal()).lstrip("0")
    if digits and f"opset{digits}" in homes:
        return f"opset{digits}"
    if digits and not opsets.is_near(int(digits[:4])):
        return opsets.usual((layer.version for layer in section.layers), homes)
    if digits and homes and opset.lower().startswith("opset"):
        return _nearest_opset(f"opset{digits[:4]}", homes)
    return homes[0] if homes else None


def _not_in_opset(section: IrSection, node: Node, type_: str, homes: list[str]) -> Problem:
    better = _nearest_opset(str(node.version), homes)
    numbers = [int(home[5:]) for home in homes]
    have = ", ".join(f"`{home}`" for home in homes)
    if len(homes) > 1 and numbers[-1] - numbers[0] == len(homes) - 1:
        have = f"`{homes[0]}` to `{homes[-1]}`"
    safety: Safety = "safe" if _is_meant(section, node, type_, better) else "unsafe"
    message = f"unknown opset `{node.version}` for operator `{type_}`; expected {have}"
    return _moved(section, node, message, better, safety, R.operator_not_in_version)


def _nearest_opset(opset: str, homes: list[str]) -> str:
    number = int(opset[5:])
    return min(homes, key=lambda name: (abs(int(name[5:]) - number), int(name[5:])))


def _is_meant(section: IrSection, node: Node, type_: str, opset: str) -> bool:
    """Return whether the layer's name, attributes and ports agree with a type in an opset."""
    operator, layer = opsets.operator_of(type_, opset), section.layers[node.index]
    if operator is None or opsets.type_named(node.name) not in (None, type_):
        return False
    return _has_attributes(layer, operator) and _has_ports(section, node, type_, opset)


def in_fitting_opset(section: IrSection, node: Node, version: int, problem: Problem) -> Problem | None:
    """Return the problem of wrong numbers of inputs or outputs with the opset whose definition of the type has these, and all
    attributes; None unless exactly one definition does."""
    type_ = opsets.exact_type(node.op)
    if type_ is None or node.version not in opsets.opset_names():
        return None
    homes: dict[str, list[str]] = {}  # by the definition
    for opset in opsets.opsets_with(type_):
        homes.setdefault(str(opsets.meaning(type_, opset).operation), []).append(opset)
    fitting = [names for names in homes.values() if _fits(section, node, version, type_, names[0])]
    if len(fitting) != 1:
        return None
    better = opsets.usual((other.version for other in section.layers if other.type == node.op), fitting[0])
    fix = writing(section.graph.place(node, "version"), better, f"Set `version` to `{better}`")
    return replace(problem, addition=f"; {type_} of `{better}` takes these inputs and attributes", fix=fix)


def _fits(section: IrSection, node: Node, version: int, type_: str, opset: str) -> bool:
    """Return whether a layer has the attributes, inputs and outputs of a type in an opset."""
    operator = opsets.operator_of(type_, opset)
    if operator is None or not _has_attributes(section.layers[node.index], operator):
        return False
    counted = OpenVinoOperator(OpenVinoGrammar(section), operator, node, version).number_faults()
    return next(counted, None) is None and _has_ports(section, node, type_, opset)


def _has_attributes(layer: IrLayer, operator: Operator) -> bool:
    given = set(layer.attributes)
    needed = {name for name, attribute in operator.attributes.items() if attribute.required}
    return needed <= given and (given <= set(operator.attributes) or bool(operator.facts.get("any_attributes")))


def _has_ports(section: IrSection, node: Node, type_: str, opset: str) -> bool:
    """Return whether the operation infers the declared outputs from the declared inputs, as far as that is known."""
    moved = Node(
        node.index,
        node.name,
        type_,
        node.path,
        node.inputs,
        node.outputs,
        node.attrs,
        version=opset,
        graphs=node.graphs,
    )
    declared = [value.type for value in section.layers[node.index].outputs.values]
    try:
        made = tried(OpenVinoMapping([section], None), section, moved)
    except ShapeError:
        return False
    return made is None or (len(made) == len(declared) and all(map(agrees, declared, made)))


def needed_libraries(sections: list[IrSection], extensions: Extensions) -> Iterator[Problem]:
    """Report the libraries that a model requires: openvino_tokenizers, and undeclared domains."""
    found: dict[str, list[tuple[IrSection, Node]]] = {}
    for section in sections:
        for members in section.kinds:
            layer = section.layers[members[0]]
            live = [(section, section.graph.nodes[k]) for k in members if section.live[k]]
            if live and (library := _library(layer.type, layer.version, extensions)) is not None:
                found.setdefault(library, []).extend(live)
    for library, layers in sorted(found.items()):
        section, node = min(layers, key=lambda pair: pair[1].path)
        types, at = _types(Counter(node.op for _, node in layers)), section.graph.place(node, "version")
        if library == LIBRARY:
            # users of a tokenizer import it
            what, related, severity = f"the extension library `{LIBRARY}`", [], Severity.PEDANTIC
        else:
            outputs = len(section.layers[node.index].outputs)
            declared = f"{node.op}: {{inputs: {len(node.inputs)}, outputs: {outputs}}}"
            hint = f"to check the operators, declare them in irlint.yaml: `extensions: {{{library}: {{{declared}}}}}`"
            what, related, severity = f"an extension library for `{library}`", [(hint, at)], None
        message = f"the model requires {what} (for {types}); OpenVINO refuses it otherwise"
        yield Problem(R.needs_extension, at, message, node.name, related=related, severity=severity)


def _library(type_: str, domain: str, extensions: Extensions) -> str | None:
    """Return the library of a layer's operation, or its undeclared domain; None if nothing has to be reported."""
    if domain in extensions.open or domain in extensions.declared or domain.startswith("opset"):
        return None
    if extensions.operator(type_, domain) is not None:
        return LIBRARY
    return domain if extensions.is_foreign(type_, domain) else None


def _types(counts: Counter[str]) -> str:
    names = [name for name, _ in counts.most_common()]
    more = len(names) - _SHOWN
    return ", ".join(f"`{name}`" for name in names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
