"""The walk over the layers: each operation by its row of the operator table. Equal layers are checked once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from irlint.checks.fault import Subject
from irlint.findings import Problem
from irlint.formats.openvino.passes.attributes import OpenVinoGrammar, OpenVinoOperator
from irlint.formats.openvino.reading import opsets
from irlint.formats.openvino.reading.extensions import Extensions
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import Node, label
from irlint.operators import Operator


def operation_problems(section: IrSection, version: int, extensions: Extensions, odd: set[int]) -> Iterator[Problem]:
    """Report problems with operations.

    `odd` holds nodes with findings about their structure: their ports are not counted.
    """
    suspects: Iterable[int] = range(len(section.layers))
    if not odd and not section.unfed:
        kinds = (kind for kind in section.kinds if not _is_clean(section, kind, version, extensions))
        suspects = sorted(index for kind in kinds for index in kind)
    clean: set[tuple[Any, ...]] = set()
    for index in suspects:
        node, layer = section.graph.nodes[index], section.layers[index]
        if _is_plain(section, node):
            continue
        key = (node.op, node.version, id(layer.data), len(node.inputs), len(layer.outputs.ports))
        if key in clean:
            continue
        found = list(_judge(section, node, version, extensions, index in odd))
        yield from found
        if not found and layer.element is None and node.kind != "const":  # each constant has an offset of its own
            clean.add(key)


def _is_clean(section: IrSection, members: list[int], version: int, extensions: Extensions) -> bool:
    """Return whether no layer of a kind has a problem."""
    nodes = section.graph.nodes
    first = nodes[members[0]]
    if first.kind == "const":
        return _is_plain(section, first) and all(nodes[k].attrs.keys() == _CONST for k in members)
    return not any(_judge(section, first, version, extensions, False))


_CONST = {"element_type", "shape", "offset", "size"}


def _is_plain(section: IrSection, node: Node) -> bool:
    """Return whether a layer is a Const with the usual attributes; weights.py checks them against the .bin."""
    if node.op != "Const" or node.version != "opset1" or node.inputs or node.attrs.keys() != _CONST:
        return False
    return len(section.layers[node.index].outputs) == 1


def _judge(section: IrSection, node: Node, version: int, extensions: Extensions, odd: bool) -> Iterator[Problem]:
    if odd and not (node.op and node.version):
        return
    opset = str(node.version)
    operator = extensions.operator(node.op, opset) if extensions.strangers else None
    if operator is None:
        found = opsets.meaning(node.op, opset)
        if found.operation is None:
            if not extensions.is_foreign(node.op, opset):
                from irlint.formats.openvino.passes.unknown_operations import unknown_operation

                yield unknown_operation(section, node, found, extensions)
            return
        if node.op != found.type and node.op not in opsets.aliases():
            from irlint.formats.openvino.passes.unknown_operations import misspelt

            yield misspelt(section, node, found.type)
        operator = opsets.operator_of(node.op, opset)
    if operator is not None:
        yield from _written(section, node, operator, version, odd)


def _written(section: IrSection, node: Node, operator: Operator, version: int, odd: bool) -> Iterator[Problem]:
    """Report what is wrong with a layer of a known operation; of one with odd ports they are not counted."""
    grammar, subject = OpenVinoGrammar(section), Subject.of(section.graph, node)
    written = OpenVinoOperator(grammar, operator, node, version)
    counted = None if odd else next(written.number_faults(), None)
    if counted is not None:
        from irlint.formats.openvino.passes.unknown_operations import in_fitting_opset

        problem = grammar.problem(subject, counted)
        meant = in_fitting_opset(section, node, version, problem)
        yield meant or problem
        if meant is not None:
            return
    if node.kind != "call" and section.layers[node.index].data is None:
        if not odd:
            message = f"missing `<data>` with {_NEEDED[node.kind]} for {label(node)}; OpenVINO refuses the file"
            yield Problem(R.missing_key, section.graph.place(node, "node"), message, node.name)
    elif node.kind != "const" and not operator.facts.get("any_attributes"):
        for fault in written.attributes():
            # else it is another type that was meant, or it was in what cannot be read
            if fault.rule is not R.missing_attribute or (counted is None and not odd):
                yield grammar.problem(subject, fault)


_NEEDED = {"const": "`element_type`, `shape`, `offset` and `size`", "var": "`element_type` and `shape`"}
