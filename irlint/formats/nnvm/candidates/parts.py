"""What only symbols have: keys of nodes, whole lists of inputs, heads of graphs, entries that lost their second number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Candidate
from irlint.formats.nnvm.candidates.site import HOLDERS, Site, entries_of
from irlint.operators import nearest
from irlint.text.base import Path, Place
from irlint.text.json.document import JsonDocument

_MOST = 16  # nodes that are tried for one head


def key_candidates(site: Site, key: str) -> Iterator[Candidate]:
    """Yield other names for a key of a node, and its removal."""
    for meant in (*HOLDERS, "inputs", "op", "name"):
        if meant not in site.node:
            close = nearest(key, [meant]) is not None
            yield Candidate(
                f"Rename to `{meant}`", site.document.rename_key((*site.path, key), meant), 0 if close else 2
            )
    yield Candidate(f"Remove key `{key}`", site.document.remove((*site.path, key)), 1)


def whole_candidates(site: Site) -> Iterator[Candidate]:
    """Yield inputs for a node without any: unused nodes, nodes named for it, and the nearest ones."""
    operator = site.operator
    before = range(max(site.index - 64, 0), site.index)
    unread = [k for k in before if not any((k, output) in site.used for output in range(3))]
    if site.op == "null" or operator is None:
        return
    named = [k for k in unread if is_variable(site.nodes[k]) and names_start(site.nodes[k], site.name)]
    others = [k for k in unread if k not in named]
    near = [k for k in reversed(before) if k not in unread and not is_variable(site.nodes[k])][:2]
    lists = [unread, [*others[-1:], *named], *([k, *unread] for k in near), *([k] for k in near)]
    for sources in dict.fromkeys(tuple(found) for found in lists if 0 < len(found) <= 8):
        edits = site.with_all_inputs([(node, 0) for node in sources])
        shown = ", ".join(site.shown(node, 0) for node in sources)
        yield Candidate(f"Set `inputs` to {shown}", edits, 0 if list(sources) == unread else 1)


def is_variable(node: Any) -> bool:
    return isinstance(node, dict) and node.get("op") == "null"


def names_start(node: Any, owner: str) -> bool:
    name = node.get("name") if isinstance(node, dict) else None
    return isinstance(name, str) and bool(owner) and name.startswith(f"{owner}_")


def output_candidates(site: Site, k: int) -> Iterator[Candidate]:
    """Yield the first output of a node for an entry whose second number is wrong."""
    entry = site.entries[k] if k < len(site.entries) else None
    if (
        isinstance(entry, list)
        and len(entry) > 1
        and type(entry[0]) is int
        and (entry[1] != 0 or type(entry[1]) is not int)
    ):
        edits = site.document.write(Place((*site.path, "inputs", k, 1)), 0)
        yield Candidate(f"Use output 0 for input {k + 1}", edits, 1)


def head_candidates(document: JsonDocument, at: Path, path: Path) -> Iterator[Candidate]:
    """Yield other outputs for the graph at `at`: unused nodes, the last one first."""
    nodes = document.value_at((*at, "nodes"))
    if len(path) < len(at) + 2 or not isinstance(nodes, list):
        return
    path = path[: len(at) + 2]
    read = {entry[0] for entry in entries_of(nodes) if entry and type(entry[0]) is int}
    calls = [k for k, node in enumerate(nodes) if isinstance(node, dict) and node.get("op") != "null" and k not in read]
    entry = document.value_at(path)
    width = len(entry) if isinstance(entry, list) and len(entry) in (2, 3) else 3
    for k in reversed(calls[-_MOST:]):
        name = nodes[k].get("name")
        edits = document.replace(Place(path), document.dump([k, 0, 0][:width]))
        title = f"Replace the output with {name!r}" if isinstance(name, str) else f"Replace the output with node {k}"
        yield Candidate(title, edits, 1)
    if isinstance(entry, list) and len(entry) > 1 and isinstance(entry[0], int):
        yield Candidate("Use output 0 of the node", document.write(Place((*path, 1)), 0), 1)
    yield Candidate("Remove the output", document.remove(path), 2, is_guess=True)  # another node may have been meant
