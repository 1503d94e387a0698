"""Two models as one picture: the later one, with what was removed from the earlier one where it was."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from irlint.findings import Finding
from irlint.graph import Graph, Node, Source
from irlint.inspection.review.changes import differences
from irlint.inspection.review.changes_report import shown, verdict
from irlint.inspection.review.difference import Difference, NodePair
from irlint.inspection.review.requantized import requantized
from irlint.inspection.types import mapping_of
from irlint.rules.base import Model
from irlint.view import Box, BoxScene, annotate
from irlint.view.build import Builder
from irlint.view.draw import about, remarks
from irlint.view.texts import Texts

_RANK = ("same", "follows", "changed", "added", "removed")
_Origin = tuple[Texts, Graph, Node]


def draw_difference(old: Model, new: Model, title: str, findings: Iterable[Finding] = ()) -> BoxScene:
    """Return the scene of both models, with findings of the new one. Of different formats, matching nodes are those of the same layers."""
    found = differences(old, new, weights=True)
    joined = _Joined(old, new, found)
    builder = Builder(new, None)
    builder.texts = joined  # type: ignore[assignment]
    builder.root = joined.graph
    scene = builder.scene(title, [*about(new), *_tally(found)])
    scene.is_diff = True
    changed = shown([*found.outputs, *found.versions, *found.model])
    scene.details = [*([("Changed in the model", changed)] if changed else []), *remarks(new)]
    for (graph, index), pair in joined.pairs.items():
        _mark(builder.box_of.get((graph, index)), pair)
    annotate.lines_of([box for box in scene.boxes if box.status != "removed"], new, new.document.lines)
    annotate.parts(scene.boxes, builder)
    annotate.details(scene.boxes, builder)
    for (graph, index), pair in joined.pairs.items():
        box = builder.box_of.get((graph, index))
        if box is not None and pair.changes:
            what = pair.new[1].name if pair.new else ""
            box.details.append(
                (f"Changed{'' if what == box.full or what == box.name else f' in {what}'}", shown(pair.changes))
            )
    annotate.findings(scene, builder, new, findings, new.document.lines)
    annotate.heat(scene, builder)
    return scene


def told_apart(old: str, new: str) -> tuple[str, str]:
    """Return the names of two files, with the last folders in which they differ where the files are called alike."""
    a, b = (list(filter(None, os.path.normpath(name).split(os.sep))) for name in (old, new))
    most = max(len(a), len(b))
    size = next((k for k in range(1, most + 1) if a[-k:] != b[-k:]), 1)
    return os.sep.join(a[-size:]), os.sep.join(b[-size:])


def _tally(found: Difference) -> list[tuple[str, str]]:
    """Return the numbers of nodes as `irlint diff` counts them: those that quantize a weight are part of it."""
    forms = [("forms", verdict(found))] if found.is_foreign else []
    weights, left = ([], found.pairs) if found.is_foreign else requantized(found)
    often, typed = Counter(pair.status for pair in left), sum(len(one.pairs) for one in weights)
    return [
        *forms,
        *((f"{status} nodes", f"{often[status]:,}") for status in ("added", "removed", "changed")),
        *([("weights of another type", f"{typed:,}")] if typed else []),
        ("other types", f"{len(found.follows):,}"),
        ("unchanged nodes", f"{found.same:,}"),
        *(("names with other numbers", f"{len(names):,}") for names in (found.counted.get("number"),) if names),
    ]


def _mark(box: Box | None, pair: NodePair) -> None:
    """Set a box's status; a hidden node changes the box that it is a line of, and a group what is in it."""
    status: Any = pair.status
    while box is not None and status != "same":
        is_own = box.node is not None and box.node.name == (pair.new or pair.old)[1].name  # type: ignore[index]
        if not is_own and status in ("added", "removed"):
            status = "changed"
        if _RANK.index(status) > _RANK.index(box.status):
            box.status = status
        box = box.parent


class _Joined:
    """The graph of both models, with the texts of each node from the model that it comes from."""

    def __init__(self, old: Model, new: Model, found: Difference) -> None:
        self.model = new
        self._old, self._new = _texts(old), _texts(new)
        self.names = self
        self.pairs: dict[tuple[int, int], NodePair] = {}
        self._origins: dict[int, _Origin] = {}
        self._partner: dict[int, NodePair] = {}
        self._removed: dict[int, list[NodePair]] = {}
        for pair in found.pairs:
            if pair.new is not None:
                self._partner[id(pair.new[1])] = pair
            elif pair.old is not None:
                self._removed.setdefault(id(pair.old[0]), []).append(pair)
        self.graph = self._join(old.graph, new.graph)

    def _join(self, old: Graph | None, new: Graph) -> Graph:
        joined = Graph(name=new.name, inputs=list(new.inputs), outputs=list(new.outputs))
        at: dict[int, int] = {}  # of a node of the old graph: its index in the joined one
        for node in new.nodes:
            pair = self._partner.get(id(node))
            before = pair.old[1] if pair is not None and pair.old is not None else None
            if before is not None:
                at[before.index] = node.index
            bodies = before.graphs if before is not None else ()
            inner = [self._join(bodies[k] if k < len(bodies) else None, each) for k, each in enumerate(node.graphs)]
            self._add(joined, node, node.inputs, inner, (self._new, new, node), pair)
        if old is not None:
            self._add_removed(joined, old, at)
        return joined

    def _add_removed(self, joined: Graph, old: Graph, at: dict[int, int]) -> None:
        """Add the nodes that are gone, at the end; `at` says where nodes of the old graph are in the joined one."""
        pairs, kept = self._removed.get(id(old), []), len(joined.nodes)
        gone = [(pair.old[1], pair) for pair in pairs if pair.old is not None]
        for number, (node, _) in enumerate(gone):
            at[node.index] = kept + number
        for node, pair in gone:
            sources = [Source(at.get(source[0], -1), source[1]) for source in node.inputs]
            self._add(joined, node, sources, [], (self._old, old, node), pair)
        ends = (Source(at.get(index, -1), output) for index, output in old.outputs)
        joined.outputs += [end for end in ends if end.node >= kept]

    def _add(
        self,
        joined: Graph,
        node: Node,
        inputs: Sequence[Source],
        inner: list[Graph],
        origin: _Origin,
        pair: NodePair | None,
    ) -> None:
        copy = Node(
            *(len(joined.nodes), node.name, node.op, node.path, inputs, node.outputs, node.attrs),
            *(node.kind, node.version, node.input_names, inner),
        )
        joined.nodes.append(copy)
        self._origins[id(copy)] = origin
        if pair is not None:
            self.pairs[id(joined), copy.index] = pair

    def model_of(self, node: Node) -> Model:
        return self._origins[id(node)][0].model

    def of(self, node: Node) -> str:
        texts, _, own = self._origins[id(node)]
        return texts.names.of(own)

    def kind_of(self, node: Node) -> str:
        texts, _, own = self._origins[id(node)]
        return texts.names.kind_of(own)

    def key_attributes(self, node: Node) -> Any:
        texts, _, own = self._origins[id(node)]
        return texts.key_attributes(own)

    def __getattr__(self, name: str) -> Any:
        """Return a method of Texts that is asked about a node of the joined graph."""

        def asked(graph: Graph, node: Node, *rest: Any) -> Any:
            texts, home, own = self._origins[id(node)]
            return getattr(texts, name)(home, own, *rest)

        return asked


def _texts(model: Model) -> Texts:
    return Texts(model, mapping_of(model))
