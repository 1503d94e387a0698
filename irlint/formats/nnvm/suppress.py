"""Silences findings where the file says so: "__irlint__": "ignore[A001]" among a node's attributes, or among the graph's.

MXNet 1.9.1 loads both and computes the same. A node's survives a re-save; the graph's, ["str", "ignore[A001]"], speaks for the
whole file and does not survive.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from irlint.suppressions import ORDER, Suppression, words_of
from irlint.text.base import Edit, Path, Place, Span
from irlint.text.json.document import JsonDocument

KEY = "__irlint__"


def suppressions(document: JsonDocument) -> Iterator[Suppression]:
    if KEY not in document.text or not isinstance(document.value, dict):
        return
    for value, path, speaks_for in _orders(document.value):
        order = ORDER.match(value) if isinstance(value, str) else None
        if order is None:
            continue
        start, end = (0, len(document.text)) if speaks_for is None else document.span(Place(speaks_for))
        yield Suppression(start, end, words_of(order[1]), document.span(Place(path)))


class AttributeIgnores:
    """An attribute of the node, or of the graph if the finding is in no node."""

    def anchor(self, document: JsonDocument, span: Span) -> Path | None:
        if not isinstance(document.value, dict):
            return None
        path, end = document.place_at(span.start).path, 0
        while path[end : end + 1] == ("nodes",) and len(path) > end + 1:
            end += 2
            if path[end : end + 1] != ("subgraphs",) or len(path) < end + 3 or path[end + 2] != "nodes":
                break
            end += 2
        path = path[:end]
        holder = document.value_at(path)
        is_taken = not isinstance(holder, dict) or (_holder(holder) is None and "attrs" in holder)
        return None if is_taken or (not path and _holder(holder) not in (None, "attrs")) else path

    def is_whole(self, document: JsonDocument, anchor: Path) -> bool:
        return not anchor

    def edits(self, document: JsonDocument, anchor: Path, order: str) -> tuple[Edit, ...]:
        key, value = _holder(document.value_at(anchor)), order if anchor else ["str", order]
        if key is None:
            return document.insert_member(anchor, "attrs", json.dumps({KEY: value}))
        return document.insert_member((*anchor, key), KEY, json.dumps(value))


def _holder(node: dict[str, Any]) -> str | None:
    """Return the key of a node's attributes."""
    return next((key for key in ("attrs", "attr", "param") if isinstance(node.get(key), dict)), None)


def attributes_of(node: Any) -> Mapping[str, Any]:
    """Return the attributes of a node as the file has them."""
    key = _holder(node) if isinstance(node, dict) else None
    return {} if key is None else node[key]


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
