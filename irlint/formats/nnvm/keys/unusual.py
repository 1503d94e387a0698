"""Check what only some nodes have: attribute dictionaries under several keys, control dependencies."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.nnvm.passes.wording import codes, label, nodes
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.json_values import as_list
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import HOLDERS, WRAP, GraphView, effective_keys
from irlint.formats.nnvm.rules import R
from irlint.rules.base import Model
from irlint.text.base import Place


def check(model: Model, view: GraphView, seen: Sweep) -> Iterator[Problem]:
    for index in seen.odd:
        yield from _holders(view, index)
        yield from _control(model, view, seen, index)


def _holders(view: GraphView, index: int) -> Iterator[Problem]:
    """Report attributes under more than one key; which of them MXNet reads is easily misjudged."""
    node = view.originals[index]
    first = (*effective_keys(node), "")[0]
    for key in HOLDERS:
        given, winner = node.get(key), node.get(first)
        if key == first or not isinstance(given, dict) or not isinstance(winner, dict):
            continue
        lost = [name for name in given if winner.get(name) != given[name] and (key != "param" or name in winner)]
        if key == "param":
            what = f"conflicting {codes(lost, 4)} in `param` and `{first}` of"
            rest = f"; MXNet reads `{first}`"
        else:
            what = f"`{key}` and `{first}` both hold attributes of"
            rest = f"; MXNet ignores `{key}`" + (f", including {codes(lost, 4)}" if lost else "")
        if lost or key != "param":
            name = view.names[index]
            message = f"{what} {label(view.ops[index], name)}{rest}"
            yield Problem(R.attribute_dictionaries, Place((*view.node_path(index), key), "key"), message, name)


def _control(model: Model, view: GraphView, seen: Sweep, index: int) -> Iterator[Problem]:
    deps = view.originals[index].get("control_deps")
    count, name = len(view.nodes), view.names[index]
    who, path = label(view.ops[index], name), (*view.node_path(index), "control_deps")
    known = [dep + WRAP if isinstance(dep, int) and -WRAP < dep < 0 else dep for dep in as_list(deps)]
    wrong = next((k for k, dep in enumerate(known) if isinstance(dep, int) and not 0 <= dep < count), None)
    if wrong is not None:
        message = f"undefined node {deps[wrong]} in `control_deps` of {who}; the graph has {nodes(count)}"
        yield Problem(R.index_out_of_range, Place((*path, wrong)), message, name)
    elif deps and model.dialect != dialects.CLASSIC and index in seen.reachable:
        message = f"{who} has control dependencies; MXNet loads the graph but cannot bind it"
        yield Problem(R.control_dependencies, Place(path, "key"), message, name)
