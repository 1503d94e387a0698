"""The finding of a node that a table of kernels refuses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from irlint.codes import R
from irlint.findings import Fix, Problem
from irlint.graph import label
from irlint.targets.advice import advice
from irlint.targets.kernels import AskedNode, Kernels
from irlint.text.base import Document
from irlint.text.safe import brief
from irlint.text.words import count, joined

# How a format writes that a node is computed in another element type: for type parameters, in which, in a document
Casts = Callable[[list[str], str, Document], Fix | None]


def refused(
    name: str, release: str, table: Kernels, asked: AskedNode, why: dict[str, Any], casts: Casts | None = None
) -> Problem:
    part = next((part for fact in why if (part := asked.facts.place_of(fact)) != "op"), "op")
    message = f"{name} {release} does not load {label(asked.node)}{_with(asked, why)}"
    if instead := advice(asked, table, release, why):
        message += f"; it does with {instead}"
    types = [fact.partition(" ")[2] for fact in why if fact.startswith("type ")]
    fix = partial(casts, types, instead) if casts is not None and types else None
    return Problem(R.target_lacks_operator, asked.graph.place(asked.node, part), message, asked.node.name, fix)


def _with(asked: AskedNode, why: dict[str, Any]) -> str:
    """Return with what a node is refused; its version, if it has one, if nothing helps."""
    _, dash, version = asked.operator.name.rpartition("-")
    return with_facts(why) or (f", version {version} of the operator" if dash else "")


def with_facts(why: dict[str, Any]) -> str:
    words = dict.fromkeys(_words(fact, value) for fact, value in sorted(why.items()))
    return f" with {joined(words)}" if words else ""


_OF_INPUTS = {
    "absent": "no input {}",
    "constant": "a constant as input {}",
    "given": "an input {} that is not constant",
}


def _words(fact: str, value: Any) -> str:
    kind, _, name = fact.partition(" ")
    if kind == "attribute":
        return f"no `{name}`" if value is None else f"`{name}` {brief(repr(value), 60)}"
    if kind == "input":
        return _OF_INPUTS[value].format(name)
    if kind == "rank":
        return f"{count(value, 'dimension')} of input {name}"
    known = {
        "type": str(value),
        "opset": f"opset {value}",
        "groups": f"groups of {value} channels",
        "passed": "a body that outputs one of its inputs as it is",
        "dynamic": "inputs of open lengths",
        "zero": f"an input {name} other than zero",
        "lengths": f"{value} lengths of input {name}",
    }
    return known.get(kind, f"these {kind}")
