"""What only symbols have: keys of nodes, whole lists of inputs, heads of graphs, entries that lost their second number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Candidate
from irlint.formats.nnvm.candidates.site import HOLDERS, Site, entries_of, is_variable, list_of, text_of
from irlint.operators import nearest
from irlint.text.base import Path, Place
from irlint.text.json.document import JsonDocument

_FAR = 64  # nodes above that are looked at
_MOST_INPUTS = 8  # of a node whose inputs are lost
_MOST_HEADS = 16  # nodes that are tried for one head


def key_candidates(site: Site, key: str) -> Iterator[Candidate]:
    """Yield other names for a key of a node, and its removal."""
    for meant in (*HOLDERS, "inputs", "op", "name"):
        if meant not in site.node:
            edits = site.document.rename_key((*site.path, key), meant)
            yield Candidate(f"Rename to `{meant}`", edits, 2 if nearest(key, [meant]) is None else 0)
    yield Candidate(f"Remove key `{key}`", site.document.remove((*site.path, key)), 1)


def whole_candidates(site: Site) -> Iterator[Candidate]:
    """Yield inputs for a node without any: unused nodes, nodes named for it, and the nearest ones."""
    if site.op == "null" or site.operator is None:
        return
    unread = _unread(site)
    named = [k for k in unread if _is_named_for(site.nodes[k], site.name)]
    others = [k for k in unread if k not in named]
    lists = [unread, [*others[-1:], *named], *_with_near(site, unread)]
    for sources in dict.fromkeys(map(tuple, lists)):
        if 0 < len(sources) <= _MOST_INPUTS:
            edits = site.with_all_inputs([(node, 0) for node in sources])
            shown = ", ".join(site.shown(node, 0) for node in sources)
            yield Candidate(f"Set `inputs` to {shown}", edits, int(list(sources) != unread))


def _unread(site: Site) -> list[int]:
    read = {node for node, _ in site.used}
    return [k for k in range(max(site.index - _FAR, 0), site.index) if k not in read]


def _is_named_for(node: Any, owner: str) -> bool:
    return is_variable(node) and bool(owner) and text_of(node.get("name")).startswith(f"{owner}_")


def _with_near(site: Site, unread: list[int]) -> Iterator[list[int]]:
    """Yield lists with one of the two operators above that others use, too."""
    above = range(site.index - 1, max(site.index - _FAR, 0) - 1, -1)
    near = [k for k in above if k not in unread and not is_variable(site.nodes[k])][:2]
    yield from ([k, *unread] for k in near)
    yield from ([k] for k in near)


def output_candidates(site: Site, k: int) -> Iterator[Candidate]:
    """Yield the first output of a node for an entry whose second number is wrong."""
    entry = list_of(site.entries[k]) if k < len(site.entries) else []
    if len(entry) > 1 and type(entry[0]) is int and (entry[1] != 0 or type(entry[1]) is not int):
        edits = site.document.write(Place((*site.path, "inputs", k, 1)), 0)
        yield Candidate(f"Use output 0 for input {k + 1}", edits, 1)


def head_candidates(document: JsonDocument, at: Path, path: Path) -> Iterator[Candidate]:
    """Yield other outputs for the graph at `at`: unused nodes, the last one first."""
    nodes, path = document.value_at((*at, "nodes")), path[: len(at) + 2]
    if len(path) < len(at) + 2 or not isinstance(nodes, list):
        return
    entry = list_of(document.value_at(path))
    width = len(entry) if len(entry) in (2, 3) else 3
    for k in _unread_calls(nodes)[: -_MOST_HEADS - 1 : -1]:
        name = nodes[k].get("name")
        edits = document.replace(Place(path), document.dump([k, 0, 0][:width]))
        yield Candidate(f"Replace the output with {repr(name) if isinstance(name, str) else f'node {k}'}", edits, 1)
    if len(entry) > 1 and isinstance(entry[0], int):
        yield Candidate("Use output 0 of the node", document.write(Place((*path, 1)), 0), 1)
    yield Candidate("Remove the output", document.remove(path), 2, is_guess=True)  # another node may have been meant


def _unread_calls(nodes: list[Any]) -> list[int]:
    read = {entry[0] for entry in entries_of(nodes) if entry and type(entry[0]) is int}
    return [k for k, node in enumerate(nodes) if isinstance(node, dict) and not is_variable(node) and k not in read]
