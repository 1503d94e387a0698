"""Where the parts of an operator stand in the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from irlint.graph import Graph
from irlint.text.base import Place

_LISTS = {"input": "tensors_in", "output": "tensors_out"}


def locator(ops: list[Any]) -> Callable[[Graph, int, str], Place]:
    """The `locate` of a graph read from these operators; it knows "inputs" and "outputs" (the keys), too."""

    def locate(graph: Graph, index: int, part: str) -> Place:
        path = graph.nodes[index].path
        if part in ("node", "name"):
            return Place((*path, "name"))
        if part == "op":
            return Place((*path, "optype"))
        if part in ("inputs", "outputs"):
            return Place((*path, _LISTS[part[:-1]]), "key")
        if part == "attrs":
            return Place((*path, "params"), "key")
        word, _, which = part.partition(":")
        side, _, what = word.partition("_")
        if side in _LISTS:
            return Place((*path, _LISTS[side], int(which), "arg_name" if what else "name"))
        for at, entry in enumerate(ops[index]["params"]):
            if entry["arg_name"] == which:
                return Place((*path, "params", at, "arg_name" if word == "attr_key" else "value"))
        return Place((*path, "params"), "key")

    return locate
