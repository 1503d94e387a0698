"""A diagram of what changed between two models, in the language of Mermaid, which GitHub and GitLab draw in comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from irlint.graph import Graph, Node
from irlint.inspection.review.difference import Difference, NodePair
from irlint.text.safe import brief, visible

MOST = 30  # changed nodes; a diagram of more is not easier to read than the list
_NEIGHBORS = 60  # unchanged nodes next to them
_LONGEST = 40  # letters of a name
_CHANGED = ("added", "removed", "changed")
_MARKS = {"added": "(new) ", "removed": "(gone) ", "changed": "(changed) "}  # a sign would begin a list
# Only borders have colors, so that a diagram is legible on any background
_STYLES = (
    "classDef added stroke:#2da44e,stroke-width:2px",
    "classDef removed stroke:#cf222e,stroke-width:2px,stroke-dasharray:4 3",
    "classDef changed stroke:#bf8700,stroke-width:2px",
)

_Side = Literal["old", "new"]
_Edges = dict[tuple[int, int], set[_Side]]


def diagram(found: Difference) -> list[str]:
    """Return the lines of a diagram of the changed nodes and their neighbors; none if nothing, or very much, changed."""
    shown = [k for k, pair in enumerate(found.pairs) if _is_shown(pair)]
    if not 0 < len(shown) <= MOST:
        return []
    edges = _edges(found.pairs, {*shown})
    nodes = {*shown, *sorted({k for edge in edges for k in edge}.difference(shown))[:_NEIGHBORS]}
    lines = ["flowchart TD"]
    lines += [f'  n{k}["{_label(found.pairs[k])}"]{_style(found.pairs[k])}' for k in sorted(nodes)]
    for (start, end), sides in sorted(edges.items()):
        if {start, end} <= nodes:
            arrow = "-->" if len(sides) == 2 else "==>" if "new" in sides else "-.->"
            lines.append(f"  n{start} {arrow} n{end}")
    return lines + [f"  {style}" for style in _STYLES]


def _is_shown(pair: NodePair) -> bool:
    """Return whether a pair has changed. A constant that only one side has belongs to a node that is shown."""
    return pair.status in _CHANGED and (_latest(pair)[1].kind != "const" or pair.status == "changed")


def _latest(pair: NodePair) -> tuple[Graph, Node]:
    latest = pair.new or pair.old
    assert latest is not None
    return latest


def _edges(pairs: list[NodePair], shown: set[int]) -> _Edges:
    """Return the edges at nodes that are shown, each with the versions that have it; weights that stay are left out."""
    found: _Edges = {}
    for side, start, end in _all_edges(pairs):
        is_weight = _latest(pairs[start])[1].kind == "const" and start not in shown
        if not is_weight and not shown.isdisjoint((start, end)):
            found.setdefault((start, end), set()).add(side)
    return found


def _all_edges(pairs: list[NodePair]) -> Iterator[tuple[_Side, int, int]]:
    sides: tuple[_Side, _Side] = ("old", "new")
    for side in sides:
        there = [(k, at) for k, pair in enumerate(pairs) if (at := getattr(pair, side)) is not None]
        numbers = {(id(graph), node.index): k for k, (graph, node) in there}
        for k, (graph, node) in there:
            for source in node.inputs:
                if (start := numbers.get((id(graph), source[0]))) is not None:
                    yield side, start, k


def _label(pair: NodePair) -> str:
    _, node = _latest(pair)
    name = visible(brief(node.name, _LONGEST)) if node.name else ""
    title = f"{name} ({visible(brief(node.op, _LONGEST))})" if name else visible(brief(node.op, _LONGEST))
    return "".join(map(_escaped, _MARKS.get(pair.status, "") + title))


def _escaped(letter: str) -> str:
    """Return a letter as a label has it: what may mean something in Mermaid, HTML or Markdown becomes its number."""
    return letter if letter.isalnum() or letter in " .,:/()+-" else f"#{ord(letter)};"


def _style(pair: NodePair) -> str:
    return f":::{pair.status}" if pair.status in _CHANGED else ""
