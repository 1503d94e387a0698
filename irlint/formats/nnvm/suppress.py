"""Silences findings where the file says so: "__irlint__": "ignore[A001]" among a node's attributes, or among the graph's.

MXNet 1.9.1 loads both and computes the same. A node's survives a re-save; the graph's, ["str", "ignore[A001]"], applies to the
whole file and does not survive.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from irlint.formats.nnvm.reading.json_values import as_dict, as_list
from irlint.formats.nnvm.reading.view import HOLDERS
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
        path = _node_of(document.place_at(span.start).path)
        node = document.value_at(path)
        holder = holder_of(node)
        if not isinstance(node, dict) or (holder is None and "attrs" in node):
            return None
        return path if path or holder in (None, "attrs") else None

    def is_whole(self, document: JsonDocument, anchor: Path) -> bool:
        return not anchor

    def edits(self, document: JsonDocument, anchor: Path, order: str) -> tuple[Edit, ...]:
        holder, value = holder_of(document.value_at(anchor)), order if anchor else ["str", order]
        if holder is None:
            return document.insert_member(anchor, "attrs", json.dumps({KEY: value}))
        return document.insert_member((*anchor, holder), KEY, json.dumps(value))


def _node_of(path: Path) -> Path:
    """Return the path of the innermost node on a path; that of the graph if there is none."""
    ends = range(2, len(path) + 1)
    return path[: max((k for k in ends if path[k - 2] == "nodes" and isinstance(path[k - 1], int)), default=0)]


def holder_of(node: Any) -> str | None:
    """Return the key of a node's attributes."""
    return next((key for key in HOLDERS if isinstance(as_dict(node).get(key), dict)), None)


def attributes_of(node: Any) -> Mapping[str, Any]:
    """Return the attributes of a node as the file has them."""
    key = holder_of(node) if isinstance(node, dict) else None
    return {} if key is None else node[key]


def _orders(root: dict[str, Any]) -> Iterator[tuple[Any, Path, Path | None]]:
    """Yield values under the key, where each is, and the node that it applies to; None: the whole file."""
    value = as_dict(root.get("attrs")).get(KEY)
    if isinstance(value, list) and len(value) == 2:
        yield value[1], ("attrs", KEY, 1), None
    graphs: list[tuple[dict[str, Any], Path]] = [(root, ())]
    while graphs:
        graph, path = graphs.pop()
        for at, node in enumerate(map(as_dict, as_list(graph.get("nodes")))):
            here = (*path, "nodes", at)
            for holder in HOLDERS:
                attrs = as_dict(node.get(holder))
                if KEY in attrs:
                    yield attrs[KEY], (*here, holder, KEY), here
            for k, nested in enumerate(as_list(node.get("subgraphs"))):
                graphs.append((as_dict(nested), (*here, "subgraphs", k)))
