"""What is laid over the picture: findings, the side panel's texts, and the quantities that boxes are coloured by."""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence

from irlint.dryrun.costs import CostCoverage
from irlint.findings import Finding
from irlint.graph import Graph, Node
from irlint.inspection import Flat
from irlint.inspection.saved_weights import FileNames, npy, saved_as
from irlint.rules.base import Model
from irlint.text.base import Lines
from irlint.text.safe import visible
from irlint.text.words import count
from irlint.view import Box, BoxScene, Note
from irlint.view.build import Builder
from irlint.view.texts import WeightView

BUDGET = 1 << 28  # bytes of weights whose values a page shows
EMBEDDED = 1 << 22  # bytes of weights that a page holds, to be saved from it
LETTERS = 1 << 23  # of metadata in a page
_NO_ROOM = ("not shown", "this page has no room for more metadata")
_WEIGHTS = 200  # of a box that a search finds
_RANK = {"error": 3, "warning": 2, "info": 1, "": 0}


def findings(scene: BoxScene, builder: Builder, model: Model, found: Iterable[Finding], lines: Lines) -> None:
    """Put the findings of a model into the scene, each at the innermost node that it is in, or else that its notes point at:
    a declared type is in no node, but the note leads to the one that computes the value.
    """
    owner = _owners(builder, model)
    scene.findings = []
    for each in scene.boxes:
        each.badge, each.count = "", 0
    for finding in found:
        places = (finding.span, *(related.span for related in finding.related if not related.file))
        box = next(filter(None, (owner(start, end) for start, end in places)), None)
        at = lines.position(finding.span.start)
        notes = [visible(related.message) for related in finding.related]
        fix = None
        if finding.fix is not None:
            grade = "" if finding.fix.safety == "safe" else f" ({finding.fix.safety})"
            fix = f"{visible(finding.fix.title)}{grade}"
        severity = str(finding.severity)
        number = -1 if box is None else box.id
        scene.findings.append(
            Note(finding.code, finding.name, severity, visible(finding.message), at.line, at.column, number, fix, notes)
        )
        for each in () if box is None else (box, *box.around()):
            each.count += 1
            each.badge = max(each.badge, severity, key=_RANK.__getitem__)


class _owners:
    """Finds the box of a place in the text."""

    def __init__(self, builder: Builder, model: Model) -> None:
        spans: list[tuple[int, int, Box]] = []
        for (graph, index), box in builder.box_of.items():
            node = builder.graphs[graph].nodes[index]
            if builder.texts.model_of(node) is model:
                span = model.document.whole(node.path)
                spans.append((span.start, -span.end, box))
        spans.sort(key=lambda entry: entry[:2])
        self._starts = [start for start, _, _ in spans]
        self._spans = spans

    def __call__(self, start: int, end: int) -> Box | None:
        for k in range(bisect_right(self._starts, start) - 1, -1, -1):
            if -self._spans[k][1] >= end:
                return self._spans[k][2]
        return None


def lines_of(boxes: Iterable[Box], model: Model, lines: Lines) -> None:
    """Say of each node in which line of the file it begins."""
    for box in boxes:
        if box.node is not None and box.graph is not None:
            box.line = lines.position(model.document.start(box.node.path)).line


class Budgets:
    """What a page, or an answer to an editor, has room for."""

    def __init__(self, weights: int = BUDGET) -> None:
        self.weights = weights  # bytes of weights that are read
        self.embedded = min(EMBEDDED, weights)
        self.letters = LETTERS


def details(boxes: Iterable[Box], builder: Builder, budget: int = BUDGET) -> None:
    """Write the side panel of boxes; of weights with their values, while the budget of bytes to read lasts."""
    held, budgets = _held(builder), Budgets(budget)
    for box in boxes:
        if box.node is None or box.graph is None:
            box.details = builder.group_details(box) if box.is_group else []
            continue
        box.details, box.histograms, box.arrays = builder.texts.details(box.graph, box.node), [], []
        nodes = [(home, home.nodes[index]) for home, index in held.get(id(box), ())]
        weights = _weights(box, [(home, node) for home, node in nodes if not node.inputs], builder, budgets)
        if weights:
            box.details.append(("Weights", [weight.row for weight in weights]))
        remarks = builder.texts.remarked(box.graph, box.node, [weight.name for weight in weights])
        budgets.letters -= sum(len(key) + len(text) for _, said in remarks for key, text in said)
        box.details += remarks if budgets.letters >= 0 else [("Metadata", [_NO_ROOM])]


def _weights(box: Box, nodes: Sequence[tuple[Graph, Node]], builder: Builder, budgets: Budgets) -> list[WeightView]:
    """Return what is known of the weights of a box, and give the box their histograms and, if there is room, their values as files."""
    found, names = [], FileNames()
    for home, node in nodes:
        weight = builder.texts.values(home, node, budgets.weights)
        budgets.weights -= weight.bytes
        box.histograms += weight.histogram
        found.append(weight)
        data, note = "", ""
        if weight.array is not None and weight.array.nbytes <= budgets.embedded and not weight.array.dtype.hasobject:
            budgets.embedded -= weight.array.nbytes
            data, note = b64encode(npy(weight.array)).decode(), saved_as(weight.dtype, weight.array)
        box.arrays.append((weight.row[0], names.of(weight.name), note, data))
    return found


def parts(boxes: Iterable[Box], builder: Builder) -> None:
    """Write what a search finds of boxes: attributes and tensors of their nodes, and the weights that are lines of them."""
    held = _held(builder)
    for box in boxes:
        if box.node is not None and box.graph is not None:
            nodes = [(home, home.nodes[index]) for home, index in held.get(id(box), ())]
            weights = [builder.texts.weight_part(home, node) for home, node in nodes[:_WEIGHTS] if not node.inputs]
            box.find = [*weights, *builder.texts.parts(box.graph, box.node)]


def _held(builder: Builder) -> dict[int, list[tuple[Graph, int]]]:
    """Return the hidden nodes that boxes show, by the id() of the box."""
    held: dict[int, list[tuple[Graph, int]]] = {}
    for (graph, index), box in builder.box_of.items():
        if box.node is None or (id(box.graph), box.node.index) != (graph, index):
            held.setdefault(id(box), []).append((builder.graphs[graph], index))
    return held


def heat(scene: BoxScene, builder: Builder, seconds: Sequence[float | None] | None = None) -> None:
    """Set FLOPs, bytes and, where a run was measured, times of all boxes; a group has the sum of what is in it, but none of a
    quantity that most of it does not know.
    """
    _cost(scene, builder, "FLOPs", builder.texts.flops)
    _cost(scene, builder, "bytes", builder.texts.bytes)
    if seconds is not None:
        _put(scene, "time", _summed(scene.boxes, _times(builder, builder.model.graph, seconds)))


def _cost(scene: BoxScene, builder: Builder, name: str, of: Callable[[Graph, Node], int | None]) -> None:
    """Set a quantity of all boxes, and say of how many nodes it is unknown."""
    costs: dict[int, float | None] = {}
    coverage = [CostCoverage() for _ in scene.boxes]
    for box in scene.boxes:
        if box.kind == "node" and box.node is not None and box.graph is not None:
            costs[box.id] = cost = of(box.graph, box.node)
            if cost is not None or not box.node.graphs:  # else it is that of what is in it
                coverage[box.id].add(cost is not None, builder.texts.is_heavy(box.graph, box.node))
    for box in reversed(scene.boxes[1:]):
        if box.parent is not None:
            coverage[box.parent.id].join(coverage[box.id])
    column = _summed(scene.boxes, costs)
    for box in scene.boxes:
        if box.boxes and not coverage[box.id].is_representative:
            column[box.id] = None
    _put(scene, name, column)
    total = coverage[0]
    if total.unknown:
        what = count(total.known + total.unknown, "operator")
        scene.unknown[name] = f"{name} of {total.unknown:,} of {what} are unknown"


def _put(scene: BoxScene, name: str, column: list[float | None]) -> None:
    if any(column):
        scene.heat[name] = column


def _times(builder: Builder, graph: Graph, seconds: Sequence[float | None]) -> dict[int, float | None]:
    """Return the durations of boxes, by their ids: of the call of each, and of those that it hides, which are known before a run."""
    found: dict[int, float | None] = {}
    for node, took in zip(Flat(graph).calls, seconds, strict=False):
        box = builder.box_of.get((id(graph), node.index))
        if box is not None and took is not None:
            found[box.id] = (found.get(box.id) or 0) + took
    return found


def _summed(boxes: Sequence[Box], known: Mapping[int, float | None]) -> list[float | None]:
    column = [known.get(box.id) for box in boxes]
    for box in reversed(boxes):  # children come after their parents
        value = column[box.id]
        if box.parent is not None and value is not None:
            above = box.parent.id
            column[above] = (column[above] or 0) + value
    return column
