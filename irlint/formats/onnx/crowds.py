"""Files of a million parts that hold next to nothing, which no reader accepts: only the first of them are looked at.

Each would otherwise take hundreds of bytes of memory for every two of the file, and every one has the same mistake.
"""

from __future__ import annotations

from irlint.formats.onnx.wire import Tree
from irlint.records import NamedTuple
from irlint.text.base import Path

MOST = 50_000  # parts of a kind with fewer than two fields: a model of that many sound nodes has none
_PARTS = (  # that no model can do without a name, a type or data
    (("graph", "node"), "nodes"),
    (("graph", "initializer"), "initializers"),
    (("graph", "sparse_initializer"), "sparse initializers"),
    (("graph", "input"), "inputs"),
    (("graph", "output"), "outputs"),
    (("functions",), "functions"),
    (("opset_import",), "imports of operator sets"),
)


class Crowd(NamedTuple):
    path: Path  # of the first part
    message: str


def cut(tree: Tree) -> Crowd | None:
    """Return the first kind of part of which there are too many, and remove those beyond the limit from the tree."""
    found = None
    for path, what in _PARTS:
        parts = tree
        for step in path:
            parts = parts.get(step, {})
        if len(parts) <= MOST:
            continue
        empty = sum(len(part) < 2 for part in parts)
        if empty > MOST:
            del parts[MOST + 1 :]  # type: ignore[arg-type]  # one more, so that its text is judged alike
            message = f"{empty:,} {what} have fewer than two fields; nothing else in the file is checked"
            found = found or Crowd((*path, 0), message)
    return found
