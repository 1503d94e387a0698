"""The versions to which a model is lowered for a target: the newest with which it loads all nodes, as far as that is known."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.findings import Fix
from irlint.formats.onnx.excess import Excess
from irlint.formats.onnx.external import state_of
from irlint.formats.onnx.kernel_facts import OnnxFacts
from irlint.formats.onnx.opset_guess import fits
from irlint.formats.onnx.opsets import DEFAULT, types_of
from irlint.formats.onnx.passes.kernels import asked_nodes
from irlint.formats.onnx.passes.structure import usable_imports
from irlint.rules.base import Model
from irlint.targets.facts import UNKNOWN
from irlint.targets.kernels import AskedNode, Kernels
from irlint.text.base import Document
from irlint.text.prototext.messages import Tree
from irlint.text.words import joined

_TRIES = 6  # opsets below the newest one that a target loads


def lowered(
    model: Model, tree: Tree, found: Sequence[Excess], at: tuple[Kernels, str] | None, document: Document
) -> Fix | None:
    """Return a fix that lowers versions; None if none has all nodes. Unsafe: others may mean something else in it."""
    chosen = [one if one.domain is None else _loaded(model, tree, one, at) for one in found]
    lower = [one for one in chosen if one is not None]
    if len(lower) < len(chosen):
        return None
    edits = tuple(sorted(edit for one in lower for edit in document.write(one.at, one.most)))
    return Fix(f"Lower to {joined(one.lowered for one in lower)}", edits, "unsafe")


def _loaded(model: Model, tree: Tree, one: Excess, at: tuple[Kernels, str] | None) -> Excess | None:
    """Return the newest version of a domain with which the target loads all of its nodes."""
    for opset in range(one.most, max(one.most - _TRIES, 0), -1):
        nodes = _nodes(model, tree, one.domain or "", opset)
        if nodes is not None and (at is None or all(node.refusal(*at) is None for node in nodes)):
            return one._replace(most=opset)
    return None


def _nodes(model: Model, tree: Tree, domain: str, opset: int) -> list[AskedNode] | None:
    """Return the nodes as an opset has them; None if it does not have all, or does not take their types."""
    known = state_of(model).lowered
    if (domain, opset) not in known:
        opsets, nodes = {**usable_imports(tree), domain: opset}, list[AskedNode]()
        has_all = fits(tree, domain, opset)
        if has_all and domain == DEFAULT:
            nodes = asked_nodes(model, tree, OnnxFacts, opsets)
        known[domain, opset] = nodes if has_all and all(map(_takes, nodes)) else None
    return known[domain, opset]


def _takes(asked: AskedNode) -> bool:
    operator = asked.operator
    names = {str(port.facts["type"]) for port in (*operator.inputs, *operator.outputs) if "type" in port.facts}
    types = ((asked.facts(f"type {name}"), types_of(operator.name, name)) for name in names)
    return all(own is UNKNOWN or own in allowed for own, allowed in types)
