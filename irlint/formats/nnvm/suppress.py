"""Silences findings where the file says so: "__irlint__": "ignore[A001]" among a node's attributes, or among the graph's.

MXNet 1.9.1 loads both and computes the same. A node's survives a re-save; the graph's, ["str", "ignore[A001]"], speaks for the
whole file and does not survive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.suppressions import ORDER, Suppression, words_of
from irlint.text.base import Path, Place
from irlint.text.json import JsonDocument

KEY = "__irlint__"


def suppressions(document: JsonDocument) -> Iterator[Suppression]:
    if not document.holds(KEY) or not isinstance(document.value, dict):
        return
    for value, path, speaks_for in _orders(document.value):
        order = ORDER.match(value) if isinstance(value, str) else None
        if order is None:
            continue
        start, end = (0, len(document.text)) if speaks_for is None else document.span(Place(speaks_for))
        yield Suppression(start, end, words_of(order[1]), document.span(Place(path)))


def _orders(root: dict[str, Any]) -> Iterator[tuple[Any, Path, Path | None]]:
    """Values under the key, where each stands, and the node that it speaks for; None: the whole file."""
    told = root.get("attrs")
    value = told.get(KEY) if isinstance(told, dict) else None
    if isinstance(value, list) and len(value) == 2:
        yield value[1], ("attrs", KEY, 1), None
    graphs: list[tuple[dict[str, Any], Path]] = [(root, ())]
    while graphs:
        graph, path = graphs.pop()
        nodes = graph.get("nodes")
        for at, node in enumerate(nodes if isinstance(nodes, list) else ()):
            if not isinstance(node, dict):
                continue
            here = (*path, "nodes", at)
            for holder in ("attrs", "attr", "param"):
                attrs = node.get(holder)
                if isinstance(attrs, dict) and KEY in attrs:
                    yield attrs[KEY], (*here, holder, KEY), here
            inner = node.get("subgraphs")
            for k, nested in enumerate(inner if isinstance(inner, list) else ()):
                if isinstance(nested, dict):
                    graphs.append((nested, (*here, "subgraphs", k)))
