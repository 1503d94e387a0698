"""The finding of a node that a table of kernels refuses."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.findings import Problem
from irlint.graph import label
from irlint.targets.advice import advice
from irlint.targets.kernels import AskedNode, Kernels
from irlint.text.safe import brief
from irlint.text.words import joined


def refused(name: str, release: str, table: Kernels, asked: AskedNode, why: dict[str, Any]) -> Problem:
    part = next((asked.facts.place_of(fact) for fact in why), "op")
    message = f"{name} {release} has no CPU kernel for {label(asked.node)}{_with(asked, why)}"
    if instead := advice(asked, table, release, why):
        message += f"; it has one for {instead}"
    return Problem(R.target_lacks_operator, asked.graph.place(asked.node, part), message, asked.node.name)


def _with(asked: AskedNode, why: dict[str, Any]) -> str:
    """Return with what a node is refused; its version, if it has one, if nothing helps."""
    words = dict.fromkeys(_words(fact, value) for fact, value in sorted(why.items()))
    _, dash, version = asked.operator.name.rpartition("-")
    return f" with {joined(words)}" if words else f", version {version} of the operator" if dash else ""


_OF_INPUTS = {"absent": "no input {}", "constant": "a constant as input {}", "given": "an input {} that is no constant"}


def _words(fact: str, value: Any) -> str:
    kind, _, name = fact.partition(" ")
    if kind == "attribute":
        return f"no `{name}`" if value is None else f"`{name}` {brief(repr(value), 60)}"
    if kind == "input":
        return _OF_INPUTS[value].format(name)
    if kind == "lengths" and name:
        return f"{value} lengths of input {name}"
    return {"type": f"{value}", "rank": f"{value} dimensions of input {name}"}.get(kind, f"these {kind}")
