"""Which ReadValue and Assign layers are read and run, and which layers depend on which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from irlint.findings import Problem
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import Node
from irlint.order import CycleError, post_order
from irlint.records import dataclass
from irlint.text.base import Place

# Operations that take of an input only its shape or type; the plug-in drops the edge where that is static.
_FORM = ("ShapeOf", "ConvertLike", "PriorBox", "PriorBoxClustered", "ExperimentalDetectronPriorGridGenerator")


def form(name: str) -> str:
    """Return what the names of the same variable of several layers have in common."""
    return re.sub(r"\d+", "#", name)


@dataclass
class VariableUse:
    """A ReadValue or Assign; `operation` is the one that its version denotes, such as opset6.Assign."""

    section: IrSection
    node: Node
    operation: str

    @property
    def name(self) -> str:
        return str(self.node.attrs.get("variable_id"))

    @property
    def opset(self) -> str:
        return self.operation.partition(".")[0]

    @property
    def place(self) -> Place:
        return self.section.graph.place(self.node, "attr:variable_id")

    @property
    def is_live(self) -> bool:
        return bool(self.section.live[self.node.index])

    @property
    def readers(self) -> list[Node]:
        """Return the layers that the reader keeps and that use its output."""
        nodes = self.section.graph.nodes
        return [nodes[k] for k in self.section.readers[self.node.index] if self.section.live[k]]

    def problem(self, message: str, **more: Any) -> Problem:
        return Problem(R.variable_mismatch, self.place, message, self.node.name, **more)


class ConditionalLayers:
    """The layers that might not run: in branches of an If, or in bodies of unused layers."""

    def __init__(self, sections: list[IrSection]) -> None:
        self._sections = sections

    @cached_property
    def _homes(self) -> dict[int, tuple[bool, bool]]:
        """Return, by id() of a body, whether it might not run, and whether the reader drops it."""
        found: dict[int, tuple[bool, bool]] = {}
        for section in self._sections:  # outermost first
            branch, dead = found.get(id(section.graph), (False, False))
            for node in section.graph.nodes:
                for body in node.graphs:
                    found[id(body)] = (branch or node.op == "If", dead or not section.live[node.index])
        return found

    def surely(self, use: VariableUse) -> bool:
        return use.is_live and not any(self._homes.get(id(use.section.graph), (False, False)))


def needed(section: IrSection) -> bytearray:
    """Return for each layer whether a Result or Assign depends on its values, not only on its shape."""
    nodes = section.graph.nodes
    found = bytearray(len(nodes))
    stack = [node.index for node in nodes if node.op in ("Result", "Assign") and section.live[node.index]]
    while stack:
        index = stack.pop()
        found[index] = 1
        stack += [maker for maker, _ in _numbers(nodes[index], nodes) if maker >= 0 and not found[maker]]
    return found


def _numbers(node: Node, nodes: list[Node]) -> Iterator[tuple[int, int]]:
    """Yield the inputs whose values a layer uses; none for tensors without elements."""
    if node.op == "ConvertLike":
        yield from node.inputs[:1]
    elif node.op == "If" and node.inputs and node.inputs[0][0] >= 0 and nodes[node.inputs[0][0]].kind == "const":
        return  # one branch may be put in its place
    elif node.op not in _FORM and not any(0 in (value.type.shape or ()) for value in node.outputs):
        yield from node.inputs


def depend(section: IrSection, sources: list[VariableUse]) -> list[int]:
    """Return for each layer the set of sources that it depends on, as bits."""
    nodes = section.graph.nodes
    bits = [0] * len(nodes)
    for k, use in enumerate(sources):
        bits[use.node.index] |= 1 << k
    try:
        order = post_order(section.graph)
    except CycleError:
        return [-1] * len(nodes)
    for index in order:
        for maker, _ in nodes[index].inputs:
            if maker >= 0:
                bits[index] |= bits[maker]
    return bits
