"""Inputs for which the CPU plug-in requires constants, at least one element, or a known rank, but which depend on the model's inputs.

OpenVINO 2026.4.1: "doesn't support Unsqueeze operation with dynamic rank", "axis value is not set", or a crash. Of an unknown rank of
an output it says "CPU plug-in doesn't support Squeeze operation with dynamic rank", whatever uses the output; a Parameter of unknown
rank is reported with its attribute.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from irlint.dryrun.dims import show
from irlint.findings import Problem
from irlint.formats.openvino.inferred import InferredTypes
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.reading.opsets import known_operator
from irlint.formats.openvino.reading.reader import COMPUTED, IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import Node, label
from irlint.operators import Port
from irlint.text.numbers import decimal

NodeInput = tuple[int, int]  # node, input

# What need not depend on the numbers of its inputs, or is folded though it does.
_FOLDED = frozenset(
    ("ShapeOf", "ConvertLike", "Select", "NonZero", "RandomUniform", "If", "Loop", "TensorIterator", "ReadValue")
)
# The input whose elements or number of elements decide the rank.
_DECIDING = {"Squeeze": 1, "Unsqueeze": 1, "Reshape": 1, "Tile": 1, "Broadcast": 1, "RandomUniform": 0, "Eye": 3}
_LESS_KNOWN = ("If", "Loop", "TensorIterator", "ReadValue")  # what they output is known less precisely


def _ports(node: Node) -> tuple[Port, ...]:
    return known_operator(node.op, node.version).inputs


def computed_inputs(section: IrSection) -> list[NodeInput]:
    """Return inputs that the table marks as constant and that depend on a Parameter; bodies are skipped."""
    nodes = section.graph.nodes
    kinds = [members for members in section.kinds if section.layers[members[0]].type in COMPUTED]
    asked = [
        (k, place) for members in kinds for k in members if section.live[k] for place in _variable(nodes, nodes[k])
    ]
    varies = varying(section) if asked else b""
    return [(k, place) for k, place in asked if varies[nodes[k].inputs[place][0]]]


def _variable(nodes: list[Node], node: Node) -> Iterator[int]:
    """Yield the inputs of a node that are not constants although they should be."""
    for place, (port, (maker, _)) in enumerate(zip(_ports(node), node.inputs, strict=False)):
        if "constant" in port.facts and maker >= 0 and nodes[maker].kind != "const":
            yield place


def varying(section: IrSection) -> bytearray:
    """Return for each layer whether its values depend on those of a Parameter."""
    return reached(section, parameters(section), _FOLDED)


def parameters(section: IrSection) -> list[int]:
    nodes = section.graph.nodes
    return [index for index in section.graph.inputs if nodes[index].op == "Parameter"]


def less_known(section: IrSection, binary: BinFile | None) -> list[int]:
    """Return the layers of whose types irlint cannot know as much as OpenVINO."""
    return [node.index for node in section.graph.nodes if _is_less_known(node, binary)]


def _is_less_known(node: Node, binary: BinFile | None) -> bool:
    is_lost = node.kind == "const" and (binary is None or binary.place(node.attrs) is None)
    return node.op in _LESS_KNOWN or is_lost or any(maker < 0 for maker, _ in node.inputs)


def reached(section: IrSection, starts: list[int], but: Collection[str] = ()) -> bytearray:
    """Return for each layer whether a path leads to it from one of some layers, other than through some operations."""
    nodes = section.graph.nodes
    found = bytearray(len(nodes))
    stack = list(starts)
    for index in stack:
        found[index] = 1
    while stack:
        for reader in section.readers[stack.pop()]:
            if not found[reader] and nodes[reader].op not in but:
                found[reader] = 1
                stack.append(reader)
    return found


def _at_input(section: IrSection, node: Node, place: int, message: str) -> Problem:
    """Return a problem of an input that is computed."""
    at, maker = section.graph.place(node, f"input:{place}"), node.inputs[place][0]
    related = [("computed here", section.graph.place(maker, "node"))]
    return Problem(R.computed_input, at, message, node.name, related=related)


def computed_problems(
    section: IrSection, found: Iterable[NodeInput], inferred: InferredTypes, binary: BinFile | None
) -> Iterator[Problem]:
    for index, place in found:
        node = section.graph.nodes[index]
        port = _ports(node)[place]
        if port.facts["constant"] == "shape":
            yield from _open_problems(section, node, place, inferred, binary)
        elif _is_refused(section, node, place, port.facts["constant"], inferred):
            maker = section.graph.nodes[node.inputs[place][0]]
            message = f"expected a constant for `{port.name}` of {label(node)}, got {label(maker)}"
            message += "; the CPU plug-in requires one"
            if port.facts["constant"] != "always":
                message += f" for static shape {show(inferred.at_input(section, node).shape)}"
            yield _at_input(section, node, place, message)


def _is_refused(section: IrSection, node: Node, place: int, when: str, inferred: InferredTypes) -> bool:
    """Return whether the plug-in requires a constant: always, or if the inputs before are of a known shape, or constants, too."""
    makers = [section.graph.nodes[maker].kind for maker, _ in node.inputs[1:place]] if when == "alone" else []
    is_static = when == "always" or all(inferred.is_fixed(section, node, k) for k in range(place))
    return is_static and all(kind == "const" for kind in makers)


def _open_problems(
    section: IrSection, node: Node, place: int, inferred: InferredTypes, binary: BinFile | None
) -> Iterator[Problem]:
    """Report filters of an open shape (2026.4.1: "Node::evaluate() is not implemented for op: opset1::Convolution")."""
    shape, maker = inferred.at_input(section, node, place).shape, section.graph.nodes[node.inputs[place][0]]
    if shape is None or inferred.is_fixed(section, node, place) or not is_open(section, maker.index, binary):
        return
    message = f"expected a fixed shape for `{_ports(node)[place].name}` of {label(node)}, got {show(shape)} from {label(maker)}"
    yield _at_input(section, node, place, f"{message}; the CPU plug-in refuses open ones")


def emptied_problems(section: IrSection, inferred: InferredTypes) -> Iterator[Problem]:
    """Report a Gather with empty indices and static shapes, which crashes the compilation (2026.4.1).

    One that is folded runs, as does one whose shape alone is used, or one that a Concat drops as empty.
    """
    nodes = section.graph.nodes if "Gather" in section.types else []
    found = [node for node in nodes if node.op == "Gather" and section.live[node.index] and len(node.inputs) > 1]
    varies = varying(section) if found else b""
    for node in found:
        if not varies[node.index] or not all(inferred.is_fixed(section, node, k) for k in (0, 1)):
            continue
        shape = inferred.at_input(section, node, 1).shape or ()
        batch = decimal(str(node.attrs.get("batch_dims", "0"))) or 0
        if 0 in shape[batch:] and _is_kept(section, node.index):
            message = f"empty `indices` {show(shape)} for {label(node)}; the CPU plug-in cannot compile it"
            yield Problem(R.empty_output, section.graph.place(node, "input:1"), message, node.name)


def _is_kept(section: IrSection, index: int) -> bool:
    """Return whether a Result or variable depends on a layer other than through a Concat or its shape."""
    nodes, seen, stack = section.graph.nodes, {index}, [index]
    while stack:
        node = nodes[stack.pop()]
        if node.op in ("Result", "Assign"):
            return True
        readers = {k for k in section.readers[node.index] if nodes[k].op not in ("ShapeOf", "Concat")} - seen
        seen |= readers
        stack += readers
    return False


def rank_problems(
    section: IrSection, inferred: InferredTypes, binary: BinFile | None, reported: Collection[NodeInput]
) -> Iterator[Problem]:
    """Report where the rank gets lost; `reported` are inputs that have a problem already."""
    for node in section.graph.nodes:
        place = _DECIDING.get(node.op)
        if place is None or not section.live[node.index] or (node.index, place) in reported:
            continue
        if _loses_rank(section, node, inferred) and is_open(section, node.index, binary):
            yield _without_rank(section, node, min(place, len(node.inputs) - 1), inferred)


def _loses_rank(section: IrSection, node: Node, inferred: InferredTypes) -> bool:
    made = inferred.outputs(section, node.index)
    if not made or made[0].shape is not None or not node.inputs:
        return False
    return all(inferred.real(section, *source).shape is not None for source in node.inputs)


def is_open(section: IrSection, index: int, binary: BinFile | None) -> bool:
    """Return whether open shapes of Parameters make that of a layer open, and not what irlint cannot know: constants that
    cannot be read, or layers of which less is known.
    """
    nodes = section.graph.nodes
    stack, seen, found = [index], {index}, False
    while stack:
        at = nodes[stack.pop()]
        makers = {maker for maker, _ in at.inputs} - seen
        if _is_less_known(at, binary):
            return False
        found |= at.op == "Parameter"
        seen |= makers
        stack += makers
    return found


def _without_rank(section: IrSection, node: Node, place: int, inferred: InferredTypes) -> Problem:
    given = inferred.at_input(section, node, place).shape
    if node.op == "Squeeze" and place == 0:
        message = f"missing `axes` of {label(node)}: the rank of its output depends on which dimensions of {show(given)} are 1"
    else:
        maker = section.graph.nodes[node.inputs[place][0]]
        message = f"unknown rank of the output of {label(node)}, which depends on {label(maker)}"
        if given and not isinstance(given[0], int):
            message += f" of shape {show(given)}"
    message += "; the CPU plug-in refuses an unknown rank"
    return Problem(R.computed_input, section.graph.place(node, f"input:{place}"), message, node.name)
