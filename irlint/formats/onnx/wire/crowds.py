"""Files with a million nearly empty parts, which no reader accepts: only the first parts are checked.

Each would otherwise take hundreds of bytes of memory for every two of the file, and every one has the same mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.records import NamedTuple
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree

MOST = 50_000  # parts of a kind with fewer than two fields or letters: a model of that many sound nodes has none
_OF_GRAPH = {  # that no model can do without a name, a type or data
    "node": "nodes",
    "initializer": "initializers",
    "sparse_initializer": "sparse initializers",
    "input": "inputs",
    "output": "outputs",
}
_OF_FUNCTION = {
    "node": "nodes",
    "input": "inputs",
    "output": "outputs",
    "attribute": "attributes",
    "opset_import": "imports of operator sets",
}


class Crowd(NamedTuple):
    path: Path  # of the first part
    message: str


def cut(tree: Tree) -> Crowd | None:
    """Return the first kind of part of which there are too many, and remove those beyond the limit from the tree."""
    found = None
    for path, what, parts in _lists(tree):
        if len(parts) <= MOST:
            continue
        empty = sum(len(part) < 2 for part in parts)
        if empty > MOST:
            del parts[MOST + 1 :]  # one more, so that its text is judged alike
            message = f"{empty:,} {what} hold next to nothing; nothing else in the file is checked"
            found = found or Crowd((*path, 0), message)
    return found


def _lists(tree: Tree) -> Iterator[tuple[Path, str, list[Any]]]:
    graph, functions = tree.get("graph", {}), tree.get("functions", [])
    yield ("functions",), "functions", functions
    yield ("opset_import",), "imports of operator sets", tree.get("opset_import", [])
    yield ("metadata_props",), "metadata entries", tree.get("metadata_props", [])
    for key, what in _OF_GRAPH.items():
        yield ("graph", key), what, graph.get(key, [])
    for k, function in enumerate(functions):
        for key, what in _OF_FUNCTION.items():
            yield ("functions", k, key), f"{what} of a function", function.get(key, [])
