"""Operations that the reader does not know: another type, another version or another domain may be meant."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import asking
from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import apply
from irlint.dryrun.tensor import Tensor
from irlint.findings import Fix, Problem, Safety, Severity
from irlint.formats.openvino.blame import agrees
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.dryrun.mapping import OpenVinoMapping
from irlint.formats.openvino.passes.domains import domain_problem
from irlint.formats.openvino.reading import opsets
from irlint.formats.openvino.reading.extensions import Extensions
from irlint.formats.openvino.reading.layers import Layer
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Node, Type, label
from irlint.operators import Operator
from irlint.text.base import Document

_DOMAINS = ("extension", "experimental")  # that the reader takes for an opset


def unknown_operation(section: Section, node: Node, found: opsets.Meaning, extensions: Extensions) -> Iterator[Problem]:
    """Report a layer whose type and version denote nothing."""
    if (problem := domain_problem(section, node, extensions)) is not None:
        yield problem
        return
    homes = opsets.opsets_with(found.type)
    if (node.version or "") not in opsets.opset_names():
        yield _no_such_opset(section, node, found.type, homes)
    elif node.op == "Constant":
        message = "unknown operator `Constant`, which crashes OpenVINO; did you mean `Const`?"
        yield _corrected(section, node, "op", message, "Const", "safe")
    elif not homes:
        meant = opsets.nearest_type(node.op.strip()) if node.op.strip() else None
        message = f"unknown operator `{node.op}`" if node.op else f"empty operator type for layer {node.name!r}"
        yield _corrected(section, node, "op", message, meant, "unsafe", hint=asking(meant))
    else:
        yield _not_in_opset(section, node, found.type, homes)


def misspelt(section: Section, node: Node, right: str) -> Problem:
    """Return the problem of a type in another letter case; class names such as Relu are accepted."""
    # the reader lists inputs that are spelled so before all others: with the usual spelling their order is another one
    is_sorted = right == "Parameter" and any(index != node.index for index in section.graph.inputs)
    # OpenVINO 2026.4.1: 'result' loads and is not an output of the model; `convolution` and `RELU` are as good as the right spelling
    is_lost = right in ("Result", "Assign")
    rest = "; OpenVINO does not find the layer under this name" if is_lost else ""
    safety: Safety = "unsafe" if is_lost or is_sorted else "safe"
    message = f"expected operator `{right}`, got `{node.op}`{rest}"
    return _corrected(section, node, "op", message, right, safety, Severity.WARNING)


def _corrected(
    section: Section,
    node: Node,
    part: str,
    message: str,
    better: str | None,
    safety: Safety,
    severity: Severity | None = None,
    hint: str = "",
) -> Problem:
    """Return the problem of a type or version instead of which another is suggested."""
    at = section.graph.place(node, part)
    rule = R.unknown_operator if part == "op" else R.unknown_opset
    title = f"Rename to `{better}`" if part == "op" else f"Set `version` to `{better}`"

    def fix(document: Document) -> Fix:
        return Fix(title, document.write(at, better), safety)

    repair = None if better is None else fix
    return Problem(rule, at, message, node.name, repair, severity=severity, meant=better, hint=hint)


def _no_such_opset(section: Section, node: Node, type_: str, homes: list[str]) -> Problem:
    opset, names = node.version or "", opsets.opset_names()
    meant = _opset_meant(opset, homes)
    message = f"{f'unknown opset `{opset}`' if opset else 'empty opset'} for {label(node)}"
    if opset in _DOMAINS:
        message = f"unknown operator `{node.op}` in opset `{opset}`"
    elif opset and not opset.lower().startswith("opset"):
        message += "; declare operators of a library under `extensions:` in irlint.yaml"
    elif not homes:
        message += f"; no opset has an operator `{node.op}`"
    elif meant is None:
        message += f"; expected `{names[0]}` to `{names[-1]}`"
    if meant is not None:
        reason = f", the last with `{type_}`" if meant == homes[-1] != names[-1] else ""
        message += f"; did you mean `{meant}`{reason}?"
    return _corrected(section, node, "version", message, meant, "unsafe")


def _opset_meant(opset: str, homes: list[str]) -> str | None:
    digits = "".join(c for c in opset.partition(".")[0] if c.isdecimal()).lstrip("0")
    if digits and f"opset{digits}" in homes:
        return f"opset{digits}"
    if digits and homes and opset.lower().startswith("opset"):
        return _nearest_opset(f"opset{digits[:4]}", homes)
    return homes[0] if homes else None


def _not_in_opset(section: Section, node: Node, type_: str, homes: list[str]) -> Problem:
    better = _nearest_opset(node.version or "", homes)
    numbers = [int(home[5:]) for home in homes]
    have = ", ".join(f"`{home}`" for home in homes)
    if len(homes) > 1 and numbers[-1] - numbers[0] == len(homes) - 1:
        have = f"`{homes[0]}` to `{homes[-1]}`"
    safety: Safety = "safe" if _is_at_home(section, node, type_, better) else "unsafe"
    message = f"unknown opset `{node.version}` for operator `{type_}`; expected {have}"
    problem = _corrected(section, node, "version", message, better, safety)
    problem.rule = R.operator_not_in_version
    return problem


def _nearest_opset(opset: str, homes: list[str]) -> str:
    number = int(opset[5:])
    return min(homes, key=lambda name: (abs(int(name[5:]) - number), int(name[5:])))


def _is_at_home(section: Section, node: Node, type_: str, opset: str) -> bool:
    """Return whether the layer's name, attributes and ports agree with a type in an opset."""
    operator, layer = opsets.operator_of(type_, opset), section.layers[node.index]
    if operator is None or opsets.type_named(node.name) not in (None, type_):
        return False
    return _has_attributes(layer, operator) and _has_ports(section, node, type_, opset)


def _has_attributes(layer: Layer, operator: Operator) -> bool:
    given = set(layer.data or ())
    needed = {name for name, attribute in operator.attributes.items() if attribute.required}
    return needed <= given and (given <= set(operator.attributes) or bool(operator.facts.get("any_attributes")))


def _has_ports(section: Section, node: Node, type_: str, opset: str) -> bool:
    """Return whether the operation infers the declared outputs from the declared inputs."""
    layer = section.layers[node.index]
    try:
        made = _made(section, node, type_, opset)
    except ShapeError:
        return False
    except (Undecided, *UNFORESEEN):
        return True
    return len(made) == len(layer.outputs) and all(
        agrees(port.type, real) for port, real in zip(layer.outputs.values, made, strict=True)
    )


def _made(section: Section, node: Node, type_: str, opset: str) -> list[Type]:
    moved = Node(node.index, node.name, type_, node.path, node.inputs, node.outputs, node.attrs, version=opset)
    call = OpenVinoMapping([section], None).call(section.graph, moved)
    if call is None or node.graphs or call.operator.nested:
        raise Undecided
    taken = [Tensor(*value.type) for value in section.layers[node.index].inputs.values]
    return [made.type for made in apply(call, taken)]
