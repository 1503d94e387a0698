"""What only some nodes have: attribute dictionaries under several keys, control dependencies, subgraphs."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.nnvm import dialect as dialects
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.sweep import Sweep
from irlint.formats.nnvm.view import View, effective_keys
from irlint.rules.base import Model
from irlint.text.base import Place

_HOLDERS = ("attrs", "attr", "param")


def check(model: Model, view: View, seen: Sweep) -> Iterator[Problem]:
    for index in seen.odd:
        node = view.originals[index]
        if sum(key in node for key in _HOLDERS) > 1:
            yield from _several(view, index)
        if node.get("control_deps"):
            yield from _control(model, view, seen, index)


def _several(view: View, index: int) -> Iterator[Problem]:
    """Attributes under more than one key: which ones count is not what most people would guess."""

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
            what = f"{_listed(lost)} in 'param' {'has' if len(lost) == 1 else 'have'} no effect: {first[0]!r} has another value"
        else:
            lost = [k for k in given if winner.get(k) != given[k]]
            what = f"{key!r} is replaced as a whole by {first[0]!r}, which stands behind it"
            what += f"; {_listed(lost)} {'is' if len(lost) == 1 else 'are'} lost" if lost else ""
        at = Place((*view.node_path(index), key), "key")
        yield Problem(R.attribute_dictionaries, at, f"{view.ops[index]} {name!r}: {what}", name)


def _listed(keys: list[str]) -> str:
    return ", ".join(map(repr, keys[:4])) + (", ..." if len(keys) > 4 else "")


def _control(model: Model, view: View, seen: Sweep, index: int) -> Iterator[Problem]:
    from irlint.formats.nnvm.view import WRAP

    deps = view.originals[index]["control_deps"]
    count, name = len(view.nodes), view.names[index]
    path = (*view.node_path(index), "control_deps")
    for k, dep in enumerate(deps if isinstance(deps, list) else ()):
        if isinstance(dep, int) and not 0 <= dep < count and not (-WRAP < dep < 0 and dep + WRAP < count):
            message = f"control_deps of {name!r}: there is no node {dep}; the nodes are numbered 0 to {count - 1}"
            yield Problem(R.index_out_of_range, Place((*path, k)), message, name)
            return
    if model.dialect == dialects.CLASSIC or index not in seen.reachable:
        return
    message = (
        f"{view.ops[index]} {name!r} has control dependencies; MXNet loads such a graph, but cannot bind or run it"
    )
    yield Problem(R.control_dependencies, Place(path, "key"), message, name)
