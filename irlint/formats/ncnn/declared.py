"""Sizes that an Input declares, which the runtime does not use: with others, no layer may be wrong."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.dryrun.dims import show
from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.mapping import FromAttr, Mapping
from irlint.dryrun.tensor import Tensor
from irlint.findings import Fix, Problem, Severity
from irlint.formats.ncnn.codes import R
from irlint.graph import Graph, Node, label
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place, Span

_NODES = 40_000  # limit of the search
_IMAGES = (1, 3)  # channels
_USUAL = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64)
Sizes = tuple[int, ...]


def settle(model: Model, problems: list[Problem], mapping: Mapping) -> list[Problem]:
    """Replace errors in shapes by a warning about an Input, if other sizes of it explain them all."""
    graph, found = model.graph, model.extra.get("types")
    mistakes = found.mistakes.get(id(graph), []) if isinstance(found, Inference) else []
    wrong = {mistake.node.index for mistake in mistakes if mistake.error.outputs is None}
    if not wrong:
        return problems
    tries = _NODES // len(graph.nodes)
    for k in graph.inputs:
        declared = mapping.leaf(graph, graph.nodes[k])[0].shape
        if declared is None:
            continue
        for sizes in _others(model, mapping, graph.nodes[k], declared):  # type: ignore[arg-type]
            tries -= 1
            if tries < 0:
                return problems
            again = infer(graph, mapping, {k: Tensor("float32", sizes)}, model.silent)
            if not any(mistake.error.outputs is None for mistake in again.mistakes[id(graph)]):
                at = {mistake.node.index for mistake in mistakes}
                rest = [problem for problem in problems if not _is_about(problem, at)]
                return [*rest, _problem(graph, graph.nodes[k], declared, sizes, min(wrong))]  # type: ignore[arg-type]
    return problems


def _is_about(problem: Problem, nodes: set[int]) -> bool:
    return problem.rule.code[0] == "D" and isinstance(problem.at, Place) and problem.at.path[0] in nodes


def _others(model: Model, mapping: Mapping, node: Node, sizes: Sizes) -> Iterator[Sizes]:
    """Yield other sizes, the likeliest first: with the channels where they belong, as many as a reader has weights for, of equal
    sides, round ones, with an axis more.
    """
    seen = {sizes}

    def new(other: Sizes) -> bool:
        return min(other) > 0 and not (other in seen or seen.add(other))  # type: ignore[func-returns-value]

    if sizes[-1] in _IMAGES:
        yield from filter(new, [(sizes[-1], *sizes[:-1])])
    lead, space = sizes[:-2], sizes[-2:]
    channels: list[Sizes] = [sizes[:1]] if len(sizes) > 2 else [()]
    if len(sizes) > 2:
        channels += [(n,) for n in _channels(model.graph, mapping, node) if n in _IMAGES or _is_sure(model)]
    sides: list[Sizes] = [space, *((n,) * len(space) for n in space)]
    sides += [tuple((n + up * step) // step * step for n in space) for step in (2, 4, 8, 16, 32) for up in (0, 1)]
    if len(set(space)) == 1:
        sides += [(n,) * len(space) for n in range(space[0] // 32 * 16, 2 * space[0] + 1, 16)]
    for first in channels:
        for side in sides:
            if new(other := (*first, *lead[1:], *side)):
                yield other
    if len(sizes) < 3:  # one is not declared
        for place in range(len(sizes), -1, -1):
            yield from filter(new, ((*sizes[:place], n, *sizes[place:]) for n in (*sizes, *_USUAL)))


def _is_sure(model: Model) -> bool:
    """Return whether the sizes of weights are those of a .bin, which has been compared with them."""
    return model.path is not None and (model.weights or model.path.with_suffix(".bin")).is_file()


def _channels(graph: Graph, mapping: Mapping, node: Node) -> Iterator[int]:
    """Yield the channels of filters that are applied to an Input."""
    for reader in graph.nodes:
        if any(source[0] == node.index for source in reader.inputs):
            call = mapping.call_of(graph, reader)
            for origin in call.inputs or () if call is not None else ():
                if isinstance(origin, FromAttr) and origin.name == "weight_data" and len(origin.tensor.shape or ()) > 2:
                    assert call is not None
                    yield int(origin.tensor.shape[1]) * call.attrs.get("groups", 1)  # type: ignore[index,arg-type]


_IDS = {1: ("0",), 2: ("1", "0"), 3: ("2", "1", "0"), 4: ("2", "11", "1", "0")}


def _problem(graph: Graph, node: Node, declared: Sizes, sizes: Sizes, index: int) -> Problem:
    old, new = (dict(zip(_IDS[len(shape)], shape, strict=True)) for shape in (declared, sizes))
    changed = [key for key, size in new.items() if old.get(key) != size]
    other = graph.nodes[index]
    message = f"declared shape {show(declared)} of {label(node)} does not fit {label(other)}; all shapes match with {show(sizes)}"

    def fix(document: Document) -> Fix:
        added = " ".join(f"{key}={new[key]}" for key in changed if key not in node.attrs)
        edits = [
            Edit(document.span(graph.place(node, f"attr:{key}")), str(new[key])) for key in changed if key in node.attrs
        ]
        end = document.span(Place((node.index,))).end
        edits += [Edit(Span(end, end), f" {added}")] if added else []
        return Fix(f"Declare {show(sizes)}", tuple(sorted(edits)), "unsafe")

    related = [("used here", graph.place(other))]
    at = graph.place(node, f"attr:{changed[0]}")
    return Problem(R.declared_shape_differs, at, message, node.name, fix, related, Severity.WARNING)
