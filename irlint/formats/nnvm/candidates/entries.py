"""Other entries for the inputs of a node and for the heads of a graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Candidate
from irlint.formats.nnvm.candidates.nodes import Site, entries_of
from irlint.text.base import Path, Place
from irlint.text.json import JsonDocument

_MOST = 16  # nodes that are tried for one entry


def entry_candidates(site: Site, rest: Path) -> Iterator[Candidate]:
    """Changes of what a node reads; `rest` is the part of it that a finding points to."""
    if not isinstance(site.node.get("inputs"), list):
        yield from _whole(site)
        return
    if len(site.entries) > 64:
        return
    pointed = rest[1] if len(rest) > 1 and rest[0] == "inputs" and isinstance(rest[1], int) else None
    places = _places(site, pointed)
    for k in places:
        yield from _replaced(site, k)
    for k in places:
        yield from _exchanged(site, k)
    yield from _inserted(site)
    for k in places:
        if site.entries[k] in site.entries[:k] or len(site.entries) > 1:
            edits = site.document.remove((*site.path, "inputs", k))
            yield Candidate(f"Remove input {k + 1}", edits, 1 if site.entries[k] in site.entries[:k] else 2)


def _places(site: Site, pointed: int | None) -> list[int]:
    """Return the inputs that may be wrong: the reported one, and those that are equal to it."""
    if pointed is None or pointed >= len(site.entries):
        return list(range(min(len(site.entries), 6)))
    same = [k for k, entry in enumerate(site.entries) if k != pointed and entry == site.entries[pointed]]
    return [pointed, *same[:5]]


def _whole(site: Site) -> Iterator[Candidate]:
    """Yield inputs for a node without any: unused nodes, nodes named for it, and the nearest ones."""
    operator = site.operator
    before = range(max(site.index - 64, 0), site.index)
    unread = [k for k in before if not any((k, output) in site.read for output in range(3))]
    if site.op == "null" or operator is None:
        return
    named = [k for k in unread if is_variable(site.nodes[k]) and names_start(site.nodes[k], site.name)]
    others = [k for k in unread if k not in named]
    near = [k for k in reversed(before) if k not in unread and not is_variable(site.nodes[k])][:2]
    lists = [unread, [*others[-1:], *named], *([k, *unread] for k in near), *([k] for k in near)]
    for sources in dict.fromkeys(tuple(found) for found in lists if 0 < len(found) <= 8):
        text = f"[{', '.join(_dumped(site, node, 0) for node in sources)}]"
        if "inputs" in site.node:
            edits = site.document.replace(Place((*site.path, "inputs")), text)
        else:
            edits = site.document.insert_member(site.path, "inputs", text)
        shown = ", ".join(_shown(site, node, 0) for node in sources)
        yield Candidate(f"Set `inputs` to {shown}", edits, 0 if list(sources) == unread else 1)


def is_variable(node: Any) -> bool:
    return isinstance(node, dict) and node.get("op") == "null"


def names_start(node: Any, owner: str) -> bool:
    name = node.get("name") if isinstance(node, dict) else None
    return isinstance(name, str) and bool(owner) and name.startswith(f"{owner}_")


def _shown(site: Site, node: int, output: int) -> str:
    other = site.nodes[node]
    name = other.get("name") if isinstance(other, dict) else None
    return f"{name!r}" if not output else f"output {output} of {name!r}"


def _replaced(site: Site, k: int) -> Iterator[Candidate]:
    """Yield other values for one input: nodes named for it, then unused nodes, then near ones."""
    entry = site.entries[k]
    path = (*site.path, "inputs", k)
    if (
        isinstance(entry, list)
        and len(entry) > 1
        and type(entry[0]) is int
        and (entry[1] != 0 or type(entry[1]) is not int)
    ):
        yield Candidate(f"Use output 0 for input {k + 1}", site.document.write(Place((*path, 1)), 0), 1)
    for likelihood, node, output in _sources(site, _role(site, k)):
        if isinstance(entry, list) and entry[:2] == [node, output]:
            continue
        title = f"Replace input {k + 1} with {_shown(site, node, output)}"
        yield Candidate(title, _entry(site, path, entry, node, output), likelihood)


def _entry(site: Site, path: Path, entry: Any, node: int, output: int) -> Any:
    """Return the edits that make an entry refer to an output."""
    document = site.document
    if isinstance(entry, list) and len(entry) in (2, 3) and type(entry[0]) is int and type(entry[1]) is int:
        edits = document.write(Place((*path, 0)), node) if entry[0] != node else ()
        return (*edits, *(document.write(Place((*path, 1)), output) if entry[1] != output else ()))
    return document.replace(Place(path), _dumped(site, node, output))


def _dumped(site: Site, node: int, output: int) -> str:
    return site.document.dump([node, output, 0][: site.width])


def _role(site: Site, k: int) -> str | None:
    operator = site.operator
    if operator is None:
        return None
    ports = operator.inputs
    return ports[k].name if k < len(ports) and not ports[k].kind.startswith("variadic") else None


def _sources(site: Site, role: str | None) -> Iterator[tuple[int, int, int]]:
    """What an input may read, with how likely that is: nodes before this one."""
    found = []
    for node, other in enumerate(site.nodes[: site.index]):
        if not isinstance(other, dict):
            continue
        unread = (node, 0) not in site.read
        named = role is not None and other.get("name") == f"{site.name}_{role}"
        likelihood = 0 if named else 1 if unread else 2
        found.append((likelihood, site.index - node, node))
    found.sort()
    yield from ((likelihood, node, 0) for likelihood, _, node in found[:_MOST])
    outputs = sorted({(node, output) for node, output in site.read if output and 0 <= node < site.index})
    yield from ((2, node, output) for node, output in outputs[:4])


def _exchanged(site: Site, k: int) -> Iterator[Candidate]:
    entries = site.entries
    for other in range(len(entries)):
        if other == k or entries[other] == entries[k]:
            continue
        first, second = sorted((k, other))
        document = site.document
        edits = (
            *document.replace(Place((*site.path, "inputs", first)), document.dump(entries[second])),
            *document.replace(Place((*site.path, "inputs", second)), document.dump(entries[first])),
        )
        yield Candidate(f"Swap inputs {first + 1} and {second + 1}", edits, 1)


def _inserted(site: Site) -> Iterator[Candidate]:
    """Yield entries for missing inputs, at the positions of the nodes named for them."""
    operator, entries = site.operator, site.entries
    if operator is None or len(entries) > 8:
        return
    names = [port.name for port in operator.inputs]
    for k in range(len(entries) + 1):
        role = names[k] if k < len(names) else None
        for likelihood, node, output in _sources(site, role):
            text = _dumped(site, node, output)
            edits = site.document.insert_item((*site.path, "inputs"), k, text)
            yield Candidate(f"Insert {_shown(site, node, output)} as input {k + 1}", edits, likelihood)
            if likelihood:
                break  # without evidence, only the nearest


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
