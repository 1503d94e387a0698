"""Layers of domains other than opsets: misspelled domains, and the libraries that a model requires."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from irlint.checks.fault import writing
from irlint.findings import Problem
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.extensions import LIBRARY, Extensions
from irlint.formats.openvino.reading.opsets import exact_type, opset_names
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Node, label

_SHOWN = 4  # types named in a message


def domain_problem(section: Section, node: Node, extensions: Extensions) -> Problem | None:
    """Report an operation that its domain does not have, or a misspelled domain; None if the opsets decide."""
    domain = node.version or ""
    if (home := extensions.meant_domain(node.op, domain)) is not None and home != domain:
        at = section.graph.place(node, "version")
        what = f"unknown opset `{domain}` for {label(node)}"
        if domain in opset_names():
            what = f"unknown operator `{node.op}` in opset `{domain}`"
        message = f"{what}; did you mean `{home}`?"
        rule = R.operator_not_in_version if domain in opset_names() else R.unknown_opset
        return Problem(rule, at, message, node.name, writing(at, home, f"Set `version` to `{home}`"))
    at = section.graph.place(node, "op")
    if (meant := extensions.meant_type(node.op, domain)) is not None and exact_type(node.op) is None:
        message = f"unknown operator `{node.op}` in `{domain}`; did you mean `{meant}`?"
        return Problem(R.unknown_operator, at, message, node.name, writing(at, meant, f"Rename to `{meant}`"))
    if domain in extensions.declared:
        message = f"unknown operator `{node.op}` in `{domain}`; it is not declared under `extensions:` in irlint.yaml"
        return Problem(R.unknown_operator, at, message, node.name)
    return None


def needed_libraries(sections: list[Section], extensions: Extensions) -> Iterator[Problem]:
    """Report the libraries that a model requires: openvino_tokenizers, and undeclared domains."""
    found: dict[str, list[tuple[Section, int]]] = {}
    for section in sections:
        for members in section.kinds:
            layer = section.layers[members[0]]
            live = [k for k in members if section.live[k]]
            if live and (library := _library(layer.type, layer.version, extensions)) is not None:
                found.setdefault(library, []).extend((section, k) for k in live)
    for library, layers in sorted(found.items()):
        section, index = min(layers, key=lambda pair: pair[0].graph.nodes[pair[1]].path)
        node = section.graph.nodes[index]
        types = _types(Counter(s.graph.nodes[k].op for s, k in layers))
        if library == LIBRARY:
            what, related = f"the extension library `{LIBRARY}`", []
        else:
            what, declared = f"an extension library for `{library}`", _declaration(section, node)
            hint = f"to check the operators, declare them in irlint.yaml: `extensions: {{{library}: {{{declared}}}}}`"
            related = [(hint, section.graph.place(node, "version"))]
        message = f"the model requires {what} (for {types}); OpenVINO refuses it otherwise"
        at = section.graph.place(node, "version")
        yield Problem(R.needs_extension, at, message, node.name, related=related)


def _declaration(section: Section, node: Node) -> str:
    return f"{node.op}: {{inputs: {len(node.inputs)}, outputs: {len(section.layers[node.index].outputs)}}}"


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
