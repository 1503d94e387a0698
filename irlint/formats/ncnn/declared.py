"""Sizes that an Input declares, which the runtime does not use: what rests on them is a warning about the Input."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.dryrun.declared import Sizes, explained
from irlint.dryrun.dims import show
from irlint.dryrun.infer import Inference
from irlint.dryrun.mapping import Mapping
from irlint.findings import Fix, Problem, Severity
from irlint.formats.ncnn.rules import R
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place, Span

_IDS = {1: ("0",), 2: ("1", "0"), 3: ("2", "1", "0"), 4: ("2", "11", "1", "0")}


def declared_problems(model: Model, mapping: Mapping) -> Iterator[Problem]:
    """Report Inputs that declare sizes with which shapes do not match, if all match with others."""
    graph, found = model.graph, model.types
    mistakes = found.mistakes.get(id(graph), []) if isinstance(found, Inference) else []
    wrong = {mistake.node.index for mistake in mistakes if mistake.error.outputs is None}
    cause = explained(graph, mapping, wrong, model.silent) if wrong else None
    if cause is None:
        return
    user = graph.nodes[min(cause.nodes)]
    for k, shapes in cause.sizes.items():
        problem = _problem(graph, graph.nodes[k], *shapes, user)
        problem.explains = tuple([graph.nodes[other].path for other in cause.nodes])
        yield problem


def _problem(graph: Graph, node: Node, declared: Sizes, sizes: Sizes, user: Node) -> Problem:
    old, new = (dict(zip(_IDS[len(shape)], shape, strict=True)) for shape in (declared, sizes))
    changed = [key for key, size in new.items() if old.get(key) != size]
    message = f"declared shape {show(declared)} of {label(node)} does not fit {label(user)}; all shapes match with {show(sizes)}"

    def fix(document: Document) -> Fix:
        end = document.span(Place((node.index,))).end
        added = "".join(f" {key}={new[key]}" for key in changed if key not in node.attrs)
        places = [(graph.place(node, f"attr:{key}"), key) for key in changed if key in node.attrs]
        edits = [Edit(document.span(place), str(new[key])) for place, key in places]
        return Fix(
            f"Declare {show(sizes)}", tuple(sorted([*edits, *[Edit(Span(end, end), added)] * bool(added)])), "unsafe"
        )

    at = graph.place(node, f"attr:{changed[0]}" if changed and changed[0] in node.attrs else "op")
    related = [("used here", graph.place(user))]
    return Problem(R.declared_shape_differs, at, message, node.name, fix, related, Severity.WARNING)
