"""What a JSON graph lost: where a missing key was, and entries without their brackets ([49, 0, [54, 0]] was [[49, 0], [54, 0]])."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from irlint.text.base import Path, Place

_NODE = ("op", "param", "name", "attrs", "inputs", "backward_source_id", "attr", "subgraphs")
_GRAPH = ("nodes", "arg_nodes", "node_row_ptr", "heads", "attrs")
_LOOKED_AT = 64  # nodes, for the order of their keys


def gap(graph: Any, path: Path, key: str) -> Place | None:
    """Return the place in front of which, or behind which, a key is missing in the object at a path."""
    found, outer = graph, None
    try:
        for step in path:
            outer, found = found, found[step]
    except (LookupError, TypeError):
        return None
    if not isinstance(found, dict) or not found:
        return None
    order = _order(outer, found, key) if isinstance(outer, list) else _GRAPH
    if key not in order:
        return None
    at = order.index(key)
    behind = next((other for other in order[at + 1 :] if other in found), None)
    if behind is not None:
        return Place((*path, behind), "key")
    before = next((other for other in reversed(order[:at]) if other in found), None)
    return _end((*path, before), found[before]) if before is not None else None


def _order(nodes: list[Any], node: dict[str, Any], key: str) -> tuple[str, ...]:
    """The keys of a node of this file that has the key and all others, else as MXNet writes them."""
    wanted = {*node, key}
    return next(
        (tuple(other) for other in nodes[:_LOOKED_AT] if isinstance(other, dict) and wanted <= set(other)), _NODE
    )


def _end(path: Path, value: Any) -> Place:
    """The last part of a value that may take several lines."""
    while isinstance(value, (dict, list)) and value:
        step = next(reversed(value)) if isinstance(value, dict) else len(value) - 1
        path, value = (*path, step), value[step]
    return Place(path)


def restored_entries(items: list[Any]) -> list[list[Any]] | None:
    """Return a list of entries with the brackets around each again, if there is one way to put them; None if nothing is lost so.

    Entries of a file are all of two numbers, or all of three. Numbers that do not make whole entries were lost otherwise.
    """
    sizes = {len(item) for item in items if isinstance(item, list)}
    if len(sizes) != 1 or not sizes <= {2, 3}:
        return None
    size, found, run = sizes.pop(), [], list[int]()
    for item in [*items, []]:
        if type(item) is int:
            run.append(item)
            continue
        if len(run) % size or not isinstance(item, list):
            return None
        found += [run[k : k + size] for k in range(0, len(run), size)]
        found += [item] if item else []
        run = []
    return found


def has_run(items: list[Any]) -> bool:
    """Whether numbers follow each other beside entries: each alone is not the position of a node."""
    return any(isinstance(item, list) for item in items) and any(
        type(a) is int and type(b) is int for a, b in pairwise(items)
    )
