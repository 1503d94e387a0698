"""Inputs for which the CPU plug-in requires constants, or at least one element, but which depend on the model's inputs.

OpenVINO 2026.4.1: "doesn't support Unsqueeze operation with dynamic rank", "axis value is not set", or a crash.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from irlint.dryrun.dims import show
from irlint.findings import Problem
from irlint.formats.openvino.blame import Blame
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.passes.unknown_rank import is_open
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.reading.opsets import operator_of
from irlint.formats.openvino.reading.reader import COMPUTED, Section
from irlint.graph import Node, label
from irlint.text.numbers import decimal

Found = tuple[int, int]  # node, input

# What need not depend on the numbers of its inputs, or is folded though it does.
_FOLDED = frozenset(
    ("ShapeOf", "ConvertLike", "Select", "NonZero", "RandomUniform", "If", "Loop", "TensorIterator", "ReadValue")
)


def computed_inputs(section: Section, broken: bool) -> list[Found]:
    """Return inputs that the table marks as constant and that depend on a Parameter; bodies are skipped."""
    nodes = section.graph.nodes
    asked = [
        (index, place)
        for members in section.kinds
        if not broken and section.layers[members[0]].type in COMPUTED
        for index in members
        for place in _constant_places(nodes[index])
        if nodes[nodes[index].inputs[place][0]].kind != "const" and section.live[index]
    ]
    varies = _varying(section) if asked else b""
    return [(index, place) for index, place in asked if varies[nodes[index].inputs[place][0]]]


def _constant_places(node: Node) -> Iterator[int]:
    operator = operator_of(node.op, node.version or "")
    for place, port in enumerate(operator.inputs if operator is not None else ()):
        if "constant" in port.facts and place < len(node.inputs) and node.inputs[place][0] >= 0:
            yield place


def _varying(section: Section) -> bytearray:
    """Return for each layer whether its values depend on those of a Parameter."""
    nodes = section.graph.nodes
    found = bytearray(len(nodes))
    stack = [index for index in section.graph.inputs if nodes[index].op == "Parameter"]
    for index in stack:
        found[index] = 1
    while stack:
        for reader in section.readers[stack.pop()]:
            if not found[reader] and nodes[reader].op not in _FOLDED:
                found[reader] = 1
                stack.append(reader)
    return found


def computed_problems(
    section: Section, found: Iterable[Found], blame: Blame, binary: BinFile | None
) -> Iterator[Problem]:
    for index, place in found:
        node = section.graph.nodes[index]
        operator = operator_of(node.op, node.version or "")
        assert operator is not None
        port = operator.inputs[place]
        word = port.facts["constant"]
        if word == "shape":
            yield from _open_problems(section, node, place, blame, binary)
            continue
        if word != "always" and not all(_is_static(section, node, k, blame) for k in range(place)):
            continue
        if word == "alone" and not all(section.graph.nodes[m].kind == "const" for m, _ in node.inputs[1:place]):
            continue
        maker = node.inputs[place][0]
        message = f"expected a constant for `{port.name}` of {label(node)}, got {label(section.graph.nodes[maker])}"
        message += "; the CPU plug-in requires one"
        real = blame.real(section, *node.inputs[0]) if word != "always" else None
        if real is not None:
            message += f" for static shape {show(real.shape)}"
        related = [("computed here", section.graph.place(maker, "node"))]
        yield Problem(
            R.computed_input, section.graph.place(node, f"input:{place}"), message, node.name, related=related
        )


def _open_problems(section: Section, node: Node, place: int, blame: Blame, binary: BinFile | None) -> Iterator[Problem]:
    """Report filters of an open shape (2026.4.1: "Node::evaluate() is not implemented for op: opset1::Convolution")."""
    real = blame.real(section, *node.inputs[place])
    if real is None or real.shape is None or _is_static(section, node, place, blame):
        return
    if not is_open(section, node.inputs[place][0], binary):
        return
    operator = operator_of(node.op, node.version or "")
    name = operator.inputs[place].name if operator is not None else f"input {place}"
    maker = section.graph.nodes[node.inputs[place][0]]
    message = f"expected a fixed shape for `{name}` of {label(node)}, got {show(real.shape)} from {label(maker)}"
    message += "; the CPU plug-in refuses open ones"
    related = [("computed here", section.graph.place(maker, "node"))]
    yield Problem(R.computed_input, section.graph.place(node, f"input:{place}"), message, node.name, related=related)


def _is_static(section: Section, node: Node, place: int, blame: Blame) -> bool:
    maker, output = node.inputs[place]
    real = blame.real(section, maker, output) if maker >= 0 else None
    return real is not None and real.shape is not None and all(isinstance(dim, int) for dim in real.shape)


def emptied_problems(section: Section, blame: Blame) -> Iterator[Problem]:
    """Report a Gather with empty indices and static shapes, which crashes the compilation (2026.4.1).

    One that is folded runs, as does one whose shape alone is used, or one that a Concat drops as empty.
    """
    nodes = section.graph.nodes
    found = (
        [k for k in range(len(nodes)) if nodes[k].op == "Gather" and section.live[k]]
        if "Gather" in section.types
        else []
    )
    varies = _varying(section) if found else b""
    for index in found:
        node = nodes[index]
        if len(node.inputs) < 2 or not varies[index] or not _is_kept(section, index):
            continue
        if not all(_is_static(section, node, k, blame) for k in (0, 1)):
            continue
        indices = blame.real(section, *node.inputs[1])
        if indices is not None and indices.shape is not None and 0 in indices.shape[_batch(node) :]:
            message = f"empty `indices` {show(indices.shape)} for {label(node)}; the CPU plug-in cannot compile it"
            yield Problem(R.empty_output, section.graph.place(node, "input:1"), message, node.name)


def _is_kept(section: Section, index: int) -> bool:
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


def _batch(node: Node) -> int:
    return decimal(str(node.attrs.get("batch_dims", "0"))) or 0
