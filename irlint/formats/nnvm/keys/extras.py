"""Check what only some nodes have: attribute dictionaries under several keys, control dependencies, subgraphs."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.wording import codes, label, nodes
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import GraphView, effective_keys
from irlint.rules.base import Model
from irlint.text.base import Place

_HOLDERS = ("attrs", "attr", "param")


def check(model: Model, view: GraphView, seen: Sweep) -> Iterator[Problem]:
    for index in seen.odd:
        node = view.originals[index]
        if sum(key in node for key in _HOLDERS) > 1:
            yield from _several(view, index)
        if node.get("control_deps"):
            yield from _control(model, view, seen, index)


def _several(view: GraphView, index: int) -> Iterator[Problem]:
    """Report attributes under more than one key; which of them MXNet reads is easily misjudged."""
    node = view.originals[index]
    name = view.names[index]
    first = effective_keys(node)[:1]
    for key in _HOLDERS:
        given = node.get(key)
        if not isinstance(given, dict) or [key] == first:
            continue
        winner = node[first[0]]
        if key == "param":
            lost = [k for k in given if k in winner and winner[k] != given[k]]
            if not lost:
                continue
            what = f"conflicting {codes(lost, 4)} in `param` and `{first[0]}` of"
            rest = f"; MXNet reads `{first[0]}`"
        else:
            lost = [k for k in given if winner.get(k) != given[k]]
            what = f"`{key}` and `{first[0]}` both hold attributes of"
            rest = f"; MXNet ignores `{key}`" + (f", including {codes(lost, 4)}" if lost else "")
        at = Place((*view.node_path(index), key), "key")
        message = f"{what} {label(view.ops[index], name)}{rest}"
        yield Problem(R.attribute_dictionaries, at, message, name)


def _control(model: Model, view: GraphView, seen: Sweep, index: int) -> Iterator[Problem]:
    from irlint.formats.nnvm.reading.view import WRAP

    deps = view.originals[index]["control_deps"]
    count, name = len(view.nodes), view.names[index]
    path = (*view.node_path(index), "control_deps")
    for k, dep in enumerate(deps if isinstance(deps, list) else ()):
        if isinstance(dep, int) and not 0 <= dep < count and not (-WRAP < dep < 0 and dep + WRAP < count):
            who = label(view.ops[index], name)
            message = f"undefined node {dep} in `control_deps` of {who}; the graph has {nodes(count)}"
            yield Problem(R.index_out_of_range, Place((*path, k)), message, name)
            return
    if model.dialect == dialects.CLASSIC or index not in seen.reachable:
        return
    message = f"{label(view.ops[index], name)} has control dependencies; MXNet loads the graph but cannot bind it"
    yield Problem(R.control_dependencies, Place(path, "key"), message, name)
