"""The walk over all operators: arguments, parameter values, tensor types."""

from __future__ import annotations

from irlint.findings import Problem
from irlint.formats.lightnet.reading.c_values import CAREFULLY
from irlint.formats.lightnet.reading.graph import LightNetState
from irlint.formats.lightnet.reading.read import MISSING
from irlint.formats.lightnet.shapes.infer import LightNetInference, PreparedOperator
from irlint.formats.lightnet.signature import OptypeSignature, signature
from irlint.graph import Graph, Node
from irlint.records import NamedTuple
from irlint.rules.base import Model


class Walk(NamedTuple):
    """What the walk over the operators made of them."""

    ready: list[PreparedOperator]
    inference: LightNetInference
    problems: list[Problem]


def walk_all(model: Model, graph: Graph, found: LightNetState) -> Walk:
    signatures: dict[str, OptypeSignature | None] = {}
    walk = Walk([], LightNetInference(graph, ()), [])
    keep, step = walk.ready.append, walk.inference.step
    silent = model.silent
    for node, output_names in zip(graph.nodes, found.output_names, strict=True):
        optype = node.op
        if optype in signatures:
            known = signatures[optype]
        else:
            known = signatures[optype] = signature(optype)
        if silent and id(node) in silent:
            continue
        ready = quickly(node, known, output_names, found) if known is not None else None
        if ready is None:
            from irlint.formats.lightnet.careful import carefully  # only files with such an operator need it

            problems, ready = carefully(model, graph, node, known, found)
            walk.problems.extend(problems)
        if ready is not None:
            keep(ready)
            step(ready)
    return walk


def quickly(
    node: Node, known: OptypeSignature, output_names: tuple[str, ...], found: LightNetState
) -> PreparedOperator | None:
    """An operator with all that it needs, and nothing else."""
    if (
        node.input_names == known.inputs
        and output_names == known.outputs
        and len(node.attrs) == len(known.readers)
        and known.counted
    ):
        attrs = node.attrs
        values = [read(attrs.get(name, MISSING)) for name, read in known.readers]
        if CAREFULLY not in values and not (found.repeated and node.index in found.repeated):
            return PreparedOperator(node, known, None, None, values, known.inputs)
    return None
