"""Which node of the graph each line and each name of a listing becomes: calls by line, variables and constants in front of
the call that names them first.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from irlint.graph import NOWHERE, Node, Source
from irlint.records import NamedTuple
from irlint.text.listing.line import ListingRow

CONSTANT = "constant"  # what stands for a constant without a name


class ListingCall(NamedTuple):
    """The node of a line. `odd`: there is something to say of it; `torn`: what it reads is not all above it."""

    node: Node
    undefined: tuple[int, ...]  # positions of inputs that no line defines
    torn: bool
    odd: bool


class Layout:
    """Where nodes stand."""

    def __init__(self, meant: Sequence[int | None], rows: Sequence[ListingRow]) -> None:
        self.meant = meant
        self.row_of = {id_: row for row, id_ in enumerate(meant) if id_ is not None}
        self.last = max(self.row_of, default=-1)
        self.index_of: dict[int, int] = {}  # row -> node index
        self.leaf_of: dict[tuple[int, int], int] = {}  # row and position -> node index
        self.leaves: list[Node] = []
        self.names: dict[str, int] = {}  # name of a variable -> node index
        self.kinds: set[str] = set()
        count = 0
        for row, (id_, line) in enumerate(zip(meant, rows, strict=True)):
            if id_ is None:
                continue
            for position, item in enumerate(line.inputs):
                if isinstance(item, str):
                    count += self._leaf(item, row, position, count)
            self.index_of[row] = count
            count += 1
        self._present = [id_ is not None for id_ in meant]

    def _leaf(self, name: str, row: int, position: int, index: int) -> int:
        """Gives a name its node; how many nodes that makes more."""
        known = None if name == CONSTANT else self.names.get(name)
        self.leaf_of[row, position] = index if known is None else known
        if known is not None:
            return 0
        path = (row, "inputs", position)
        if name == CONSTANT:
            self.kinds.add("Constant")
            self.leaves.append(Node(index, CONSTANT, CONSTANT, path, kind="const"))
        else:
            self.kinds.add("Var")
            self.names[name] = index
            self.leaves.append(Node(index, name, "var", path, kind="var"))
        return 1

    def call(self, number: int, row: ListingRow) -> ListingCall | None:
        """Return the node of a line; None if the line is superfluous."""
        id_ = self.meant[number]
        if id_ is None:
            return None
        sources: list[Source] = []
        undefined = []
        torn = False
        for position, item in enumerate(row.inputs):
            if isinstance(item, str):
                sources.append(Source(self.leaf_of[number, position]))
            elif (target := self.row_of.get(item)) is None:
                sources.append(NOWHERE)
                undefined.append(position)
            else:
                sources.append(Source(self.index_of[target]))
                torn = torn or target >= number
        node = Node(self.index_of[number], str(id_), row.op, (number,), sources)
        torn = torn or bool(undefined)
        return ListingCall(node, tuple(undefined), torn, torn or row.broken)

    def nodes(self, calls: Sequence[ListingCall | None]) -> list[Node]:
        """Calls and leaves in their order."""
        made = [call.node for call in compress(calls, self._present) if call is not None]
        if not self.leaves:
            return made
        found: list[Node] = []
        at = 0
        for leaf in self.leaves:
            size = leaf.index - len(found)
            found += made[at : at + size]
            found.append(leaf)
            at += size
        return found + made[at:]
