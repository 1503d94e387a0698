"""What a graph may have been: its inputs and outputs, and definitions that it has twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice

from irlint.findings import EVIDENT, Candidate
from irlint.formats.onnx.candidates.model import WholeModel
from irlint.formats.onnx.candidates.site import OnnxSite, renamed
from irlint.formats.onnx.candidates.types import taken_types, tree_of, used_types
from irlint.formats.onnx.trees import names_of
from irlint.graph import Graph, Type, Value
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree
from irlint.tools.names import FreeNames, is_typo

_LISTS = ("node", "input", "output", "initializer", "value_info", "opset_import", "functions")
_SIBLINGS = 2  # types of other inputs
_UNREAD = 8  # inputs
_UNDEFINED = 8  # names that something reads and nothing defines


def twin_candidates(whole: WholeModel, path: Path) -> Iterator[Candidate]:
    """Yield the removal of an item that the list has twice."""
    places = [path[:size] for size in range(len(path), 1, -1) if path[size - 2] in _LISTS]
    for at in places:
        items, k = whole.document.value_at(at[:-1]), at[-1]
        if isinstance(k, int) and isinstance(items[k], dict) and items.count(items[k]) > 1:
            last = max(n for n, item in enumerate(items) if item == items[k])  # whichever is removed, the other is left
            yield Candidate("Remove the duplicate", whole.document.removed((*at[:-1], last)), EVIDENT)


def graph_candidates(whole: WholeModel, path: Path) -> Iterator[Candidate]:
    """Yield inputs for names that nothing defines, outputs for unused values, other names for outputs."""
    home = _home(path)
    graph = next((one for one in whole.graphs if _path_of(one) == home), None)
    if home is None or graph is None:
        return
    tree: Tree = whole.document.value_at(home)
    unread = _unread(whole, graph)
    if not tree.get("output") and unread:
        yield from _with_outputs(whole, home, unread)
    if home == ("graph",):
        yield from _declared(whole, graph, tree, bool(unread))
    if path[0] == "graph":
        yield from _misnamed(whole, bool(unread))
    rest, item = path[len(home) :], path[: len(home) + 2]
    if len(rest) > 1 and rest[0] in ("input", "output"):
        value = whole.document.value_at(item)
        at = item if isinstance(value, str) else (*item, "name")  # functions have only names
        yield from _of_input(whole, at) if rest[0] == "input" else _of_output(whole, item, at, unread)
    yield from _renamed(whole, home, path)


def _home(path: Path) -> Path | None:
    """Return the graph or the function that a path is in."""
    for size in range(len(path), 0, -1):
        if path[size - 1] in ("graph", "g") or path[size - 2 : size - 1] == ("graphs",):
            return path[:size]
    return path[:2] if path[:1] == ("functions",) and len(path) > 1 else None


def _path_of(graph: Graph) -> Path | None:
    return next((node.path[:-2] for node in reversed(graph.nodes) if node.op != "Outer"), None)


def _unread(whole: WholeModel, graph: Graph) -> dict[str, Tree]:
    """Return the unused outputs of a graph's calls, with their types."""
    calls = [node for node in graph.nodes if node.kind == "call"]
    values = [(value.name, node.index, k) for node in calls for k, value in enumerate(node.outputs)]
    return {
        name: tree_of(whole.type_of(graph, index, k).type) for name, index, k in values if name and not whole.read[name]
    }


def _with_outputs(whole: WholeModel, home: Path, unread: dict[str, Tree]) -> Iterator[Candidate]:
    """Yield the graph with what it does not use as outputs."""
    rows = [{"name": name, "type": kind} for name, kind in unread.items()]
    if len(home) > 1:
        yield Candidate("Output what is not used", whole.document.changed((*home, "output"), rows), 0)
    elif len(rows) == 1:
        yield Candidate(
            "Output what is not used", whole.document.inserted((*home, "output", 0), rows[0]), EVIDENT, True
        )


def _declared(whole: WholeModel, graph: Graph, tree: Tree, is_idle: bool) -> Iterator[Candidate]:
    """Yield the names that nothing defines as inputs of the model; not where a node is missing, so that nothing uses what it did."""
    declared = {value.get("name"): value.get("type") for value in reversed(tree.get("value_info", ()))}
    at = ("graph", "input", len(tree.get("input", ())))
    others = [graph.nodes[k].outputs[0] for k in graph.inputs]
    names = [*(value.name or "" for value in others), *names_of(tree.get("initializer", ()))]
    is_lost = any(not whole.read[name] for name in names)
    for name in () if is_idle else whole.undefined[:_UNDEFINED]:
        known = declared.get(name)
        kinds = [known] if known else map(tree_of, _like(whole, name, others))
        for n, kind in enumerate(() if known and is_lost else kinds):
            edits = whole.document.inserted(at, {"name": name, "type": kind})
            yield Candidate(f"Declare input {name!r}", edits, 3 + (n > 0) + 2 * is_lost, True)


def _misnamed(whole: WholeModel, is_idle: bool) -> Iterator[Candidate]:
    """Yield undefined names for unused inputs, unless the name that an input has is more likely. Values that the file declares are not
    inputs."""
    declared = set(names_of(whole.document.tree["graph"].get("value_info", ())))
    inputs = [*islice(whole.unread_inputs.items(), _UNREAD)]
    for wanted in whole.undefined[:_UNDEFINED]:
        for name, k in () if wanted in declared else inputs:
            is_wrong = whole.is_misnamed(name, wanted)
            if is_wrong or not whole.interface.prefer(name, wanted):
                is_evident = len(inputs) == 1 and not is_idle and is_typo(name, wanted)
                edits = whole.document.changed(("graph", "input", k, "name"), wanted)
                likelihood = EVIDENT if is_evident else 0 if is_wrong else 2
                yield Candidate(f"Rename input {name!r} to {wanted!r}", edits, likelihood)


def _like(whole: WholeModel, name: str, others: list[Value]) -> list[Type]:
    """Return the types that an input may have: those of other inputs first, if its users take them."""
    fitting = taken_types(whole, name)
    dtypes = {kind.dtype for kind in fitting}
    siblings = [kind for kind, _ in Counter(value.type for value in others).most_common(_SIBLINGS)]
    return list(dict.fromkeys([*(kind for kind in siblings if kind.dtype in dtypes or not dtypes), *fitting]))


def _of_output(whole: WholeModel, item: Path, at: Path, unread: dict[str, Tree]) -> Iterator[Candidate]:
    name = names_of([whole.document.value_at(item)])[0]
    others = [other for other in unread if other != name]
    alike = get_close_matches(name, others, 4, 0.7)
    for other in others:
        likelihood, is_guess = 1 + (other not in alike), not is_typo(name, other)  # the node that output it may be lost
        yield Candidate(f"Replace with {other!r}", whole.document.changed(at, other), likelihood, is_guess)
    yield Candidate(f"Remove output {name!r}", whole.document.removed(item), 5, True)


def _of_input(whole: WholeModel, at: Path) -> Iterator[Candidate]:
    for other in whole.undefined[:_UNDEFINED]:
        yield Candidate(f"Rename to {other!r}", whole.document.changed(at, other), 2)


def _renamed(whole: WholeModel, home: Path, path: Path) -> Iterator[Candidate]:
    """Yield a name of its own for a value of a body that has one of the graph around it."""
    if home[-1] == "g" and path[len(home) :][-2:-1] == ("output",) and isinstance(whole.document.value_at(path), str):
        name = whole.document.value_at(path)
        new = FreeNames(whole.defined).like(name)
        tree = _with_name(whole.document.value_at(home), name, new)
        yield Candidate(f"Rename to {new!r}", whole.document.changed(home, tree), EVIDENT)


def _with_name(graph: Tree, old: str, new: str) -> Tree:
    """Return a graph in which a value has another name."""

    def inside(attribute: Tree) -> Tree:
        return {**attribute, "g": _with_name(attribute["g"], old, new)} if "g" in attribute else attribute

    found: Tree = {**graph, "node": []}
    for call in graph.get("node", ()):
        changed: Tree = {word: renamed(call.get(word, ()), old, new) for word in ("input", "output")}
        if "attribute" in call:
            changed["attribute"] = [inside(one) for one in call["attribute"]]
        found["node"].append({**call, **changed})
    for word in graph.keys() & {"output", "value_info"}:
        names = renamed(names_of(graph[word]), old, new)
        found[word] = [{**one, "name": name} for one, name in zip(graph[word], names, strict=True)]
    return found


def body_candidates(site: OnnxSite) -> Iterator[Candidate]:
    """Yield other inputs and outputs for the bodies of If, Loop and Scan."""
    for body in site.node.graphs:
        home = _path_of(body)
        if home is not None and home[: len(site.path)] == site.path:
            yield from _other_outputs(site.whole, home, body)
            yield from _other_inputs(site.whole, home)


def _other_outputs(whole: WholeModel, home: Path, body: Graph) -> Iterator[Candidate]:
    at, outputs = (*home, "output"), whole.document.value_at(home).get("output", [])
    for name, kind in _unread(whole, body).items():
        for k in range(len(outputs), -1, -1):
            rows = [*outputs[:k], {"name": name, "type": kind}, *outputs[k:]]
            yield Candidate(f"Output {name!r}", whole.document.changed(at, rows), 1)
    for k in range(len(outputs)):
        yield Candidate(f"Remove output {k}", whole.document.changed(at, [*outputs[:k], *outputs[k + 1 :]]), 4, True)


def _other_inputs(whole: WholeModel, home: Path) -> Iterator[Candidate]:
    at, inputs = (*home, "input"), whole.document.value_at(home).get("input", [])
    for k, name in enumerate(names_of(inputs)):
        if not whole.read[name]:
            rows = [*inputs[:k], *inputs[k + 1 :]]
            yield Candidate(f"Remove input {k}", whole.document.changed(at, rows), 1 + (k + 1 < len(inputs)))
    for name in whole.undefined[:_UNDEFINED]:
        used = used_types(whole, name)[: 1 if len(whole.undefined) == 1 else 0]  # runtimes infer it anyway
        for kind in dict.fromkeys((*used, *used_types(whole, name), Type("float32"), Type("bool"), Type("int64"))):
            rows = [*inputs, {"name": name, "type": tree_of(kind)}]
            likelihood = EVIDENT if kind in used else 1
            yield Candidate(f"Declare input {name!r}", whole.document.changed(at, rows), likelihood)
