"""What a graph may have been: its inputs and outputs, and definitions that it has twice."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from irlint.findings import Candidate, Finding
from irlint.formats.onnx.candidates.site import Site, Whole
from irlint.formats.onnx.candidates.types import taken_types, tree_of, used_types
from irlint.formats.onnx.wire.reader import Tree
from irlint.graph import Graph, Type
from irlint.text.base import Path
from irlint.tools.names import FreeNames

_LISTS = ("node", "input", "output", "initializer", "value_info", "opset_import", "functions")
_UNREAD = 8


def twin_candidates(whole: Whole, path: Path) -> Iterator[Candidate]:
    """Yield the removal of an item that the list has twice."""
    for size in range(len(path), 1, -1):
        at = path[:size]
        if isinstance(at[-1], int) and at[-2] in _LISTS and isinstance(whole.document.value_at(at), dict):
            items, k = whole.document.value_at(at[:-1]), at[-1]
            same = (one for j, one in enumerate(items) if j != k and one == items[k])
            if next(same, None) is not None:
                yield Candidate("Remove the duplicate", whole.document.removed(at), 0)


def graph_candidates(whole: Whole, path: Path, finding: Finding) -> Iterator[Candidate]:
    """Yield inputs for names that nothing defines, outputs for values that nobody reads, other names for outputs."""
    document = whole.document
    home = _home(path)
    if home is None:
        return
    graph = next((one for one in whole.graphs if _path_of(one) == home), None)
    tree: Tree = document.value_at(home)
    if graph is None:
        return
    unread = _unread(whole, graph)
    if not tree.get("output") and unread:
        rows = [{"name": name, "type": tree_of(kind)} for name, kind in unread]
        yield Candidate("Output what is not used", _with_outputs(whole, home, rows), 0)
    for name in whole.undefined[:_UNREAD]:
        if home == ("graph",):
            declared = next((v.get("type") for v in tree.get("value_info", ()) if v.get("name") == name), None)
            kinds = [declared] if declared else [tree_of(kind) for kind in taken_types(whole, name)]
            for n, kind in enumerate(kinds):
                new = {"name": name, "type": kind}
                edits = document.inserted((*home, "input", len(tree.get("input", ()))), new)
                yield Candidate(f"Declare input {name!r}", edits, 4 + (n > 0), True)
    for word in ("output", "input"):
        for k, value in enumerate(tree.get(word, ())):
            if path[: len(home) + 2] != (*home, word, k):
                continue
            at = (*home, word, k, "name") if isinstance(value, dict) else (*home, word, k)
            name = value.get("name", "") if isinstance(value, dict) else value
            if word == "output":
                others = [(other, kind) for other, kind in unread if other != name]
                alike = get_close_matches(name, [other for other, _ in others], 4, 0.7)
                for other, _ in others:
                    yield Candidate(f"Replace with {other!r}", document.changed(at, other), 1 + (other not in alike))
                yield Candidate(f"Remove output {name!r}", document.removed((*home, word, k)), 5)
            else:
                for other in whole.undefined[:_UNREAD]:
                    yield Candidate(f"Rename to {other!r}", document.changed(at, other), 2)
    yield from _renamed(whole, home, graph, path)


def _home(path: Path) -> Path | None:
    """Return the graph or the function that a path is in."""
    for size in range(len(path), 0, -1):
        if path[size - 1] in ("graph", "g") or (size > 1 and path[size - 2] == "graphs"):
            return path[:size]
    return path[:2] if path[:1] == ("functions",) and len(path) > 1 else None


def _path_of(graph: Graph) -> Path | None:
    for node in reversed(graph.nodes):
        if node.op != "Outer":
            return node.path[:-2]
    return None


def _unread(whole: Whole, graph: Graph) -> list[tuple[str, Type]]:
    """Return the outputs of a graph's calls that nobody reads, with their types."""
    return [
        (value.name, whole.type_of(graph, node.index, k).type)
        for node in graph.nodes
        if node.kind == "call" and node.op != "Outer"
        for k, value in enumerate(node.outputs)
        if value.name and not whole.read[value.name]
    ]


def _with_outputs(whole: Whole, home: Path, rows: list[Tree]) -> Any:
    if len(home) > 1:
        return whole.document.changed((*home, "output"), rows)
    return whole.document.inserted((*home, "output", 0), rows[0]) if len(rows) == 1 else ()


def _renamed(whole: Whole, home: Path, graph: Graph, path: Path) -> Iterator[Candidate]:
    """Yield a name of its own for a value of a body that has one of the graph around it."""
    if home[-1] != "g" or "output" not in path[len(home) :]:
        return
    name = whole.document.value_at(path) if path[-2:-1] == ("output",) else None
    if not isinstance(name, str):
        return
    new = FreeNames(whole.defined).like(name)
    tree = _with_name(whole.document.value_at(home), name, new)
    yield Candidate(f"Rename to {new!r}", whole.document.changed(home, tree), 0)


def _with_name(graph: Tree, old: str, new: str) -> Tree:
    """Return a graph in which a value has another name."""

    def names(listed: list[str]) -> list[str]:
        return [new if one == old else one for one in listed]

    def call(one: Tree) -> Tree:
        found = {**one, "input": names(one.get("input", [])), "output": names(one.get("output", []))}
        if any("g" in attribute for attribute in one.get("attribute", ())):
            found["attribute"] = [
                {**attribute, "g": _with_name(attribute["g"], old, new)} if "g" in attribute else attribute
                for attribute in one["attribute"]
            ]
        return found

    found = {**graph, "node": [call(one) for one in graph.get("node", ())]}
    for word in ("output", "value_info"):
        if word in graph:
            found[word] = [{**one, "name": names([one.get("name", "")])[0]} for one in graph[word]]
    return found


def body_candidates(site: Site) -> Iterator[Candidate]:
    """Yield other inputs and outputs for the bodies of If, Loop and Scan."""
    whole, document = site.whole, site.document
    for body in site.node.graphs:
        home = _path_of(body)
        if home is None or home[: len(site.path)] != site.path:
            continue
        tree: Tree = document.value_at(home)
        outputs, inputs = tree.get("output", []), tree.get("input", [])
        for name, kind in _unread(whole, body):
            for k in range(len(outputs), -1, -1):
                rows = [*outputs[:k], {"name": name, "type": tree_of(kind)}, *outputs[k:]]
                yield Candidate(f"Output {name!r}", document.changed((*home, "output"), rows), 1)
        for k, value in enumerate(inputs):
            if not whole.read[value.get("name", "")]:
                rows = [*inputs[:k], *inputs[k + 1 :]]
                yield Candidate(
                    f"Remove input {k}", document.changed((*home, "input"), rows), 1 + (k + 1 < len(inputs))
                )
        for name in whole.undefined[:_UNREAD]:
            for kind in (*used_types(whole, name), Type("float32"), Type("bool"), Type("int64")):
                rows = [*inputs, {"name": name, "type": tree_of(kind)}]
                yield Candidate(f"Declare input {name!r}", document.changed((*home, "input"), rows), 1)
        for k in range(len(outputs)):
            rows = [*outputs[:k], *outputs[k + 1 :]]
            yield Candidate(f"Remove output {k}", document.changed((*home, "output"), rows), 4)
