"""From a model to a scene: which nodes are boxes, what flows between them, which groups they form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile

from irlint.dryrun.mapping import Mapping as DryRun
from irlint.graph import Graph, Node, Source
from irlint.inspection import markers
from irlint.inspection.summary import input_name, parameters
from irlint.order import post_order
from irlint.rules.base import Model
from irlint.text.safe import visible
from irlint.view import Box, BoxScene, BoxValue, Line, Section
from irlint.view.fold import child, common, fold
from irlint.view.rank import RankEdge, arrange, bundled, far, from_above, ranks, to_below
from irlint.view.texts import Texts, cut, measure

_OPERATORS = 30  # that are counted in the side panel of a group
_STEPS = 8  # of a name that are shown
VISIBLE = 100  # boxes that are shown at first: groups are opened while no more are to be seen


class Reading:
    """An input of a box that another box computes."""

    __slots__ = ("reader", "value")

    def __init__(self, value: BoxValue, reader: Box) -> None:
        self.value, self.reader = value, reader


class Builder:
    """Builds the scene of one model."""

    def __init__(self, model: Model, mapping: DryRun | None) -> None:
        self.model = model
        self.root = model.graph
        self.texts = Texts(model, mapping)
        self.values: list[BoxValue] = []
        self.graphs: dict[int, Graph] = {}  # by their id()
        self.box_of: dict[tuple[int, int], Box] = {}  # by id() of the graph and the node's index; hidden nodes too
        self.classes: dict[str, str] = {}  # of modules, by their names

    def scene(self, title: str, about: list[tuple[str, str]]) -> BoxScene:
        root = self._graph(self.root)
        root.title = ""
        boxes = list(root.walk())
        for number, box in enumerate(boxes):
            box.id = number
        scene = BoxScene(title, about, root, boxes, self.values)
        _open(root)
        return scene

    def _graph(self, graph: Graph) -> Box:
        """Return the group of a graph, laid out."""
        self.graphs[id(graph)] = graph
        shown, static = self._shown(graph)
        boxes = [self._box(graph, graph.nodes[index], static) for index in shown]
        values: dict[Source, BoxValue] = {}
        readings = self._readings(graph, shown, values)
        boxes += self._outputs(graph, values, readings)
        root = fold(boxes, [(reading.value.box, reading.reader) for reading in readings])
        self._lay_out(root, readings)
        return root

    def _shown(self, graph: Graph) -> tuple[list[int], bytearray]:
        """Return the nodes that are boxes, inputs first, and which nodes are known before the model runs."""
        calls = post_order(graph, strict=False)
        static = self._static(graph, calls)
        leaves = [node.index for node in graph.nodes if node.kind != "call" and not static[node.index]]
        return [*leaves, *(index for index in calls if not static[index])], static

    def _static(self, graph: Graph, calls: Sequence[int]) -> bytearray:
        """Return which nodes are known before the model runs; an output is shown even if it is."""
        static = bytearray(len(graph.nodes))
        for index in parameters(graph, self.texts.names):
            static[index] = 1
        for node in graph.nodes:
            static[node.index] |= node.kind == "const"
        for index in calls:
            node = graph.nodes[index]
            if node.inputs and node.outputs and not node.graphs:
                static[index] = self._follows(graph, node, static)
        if all(node.inputs or static[node.index] for node in graph.nodes):
            static = _data(graph)
        markers_read = [graph.nodes[index].inputs[0] for index in markers(graph)]
        for index, _ in (*graph.outputs, *markers_read):
            if index >= 0:
                static[index] = 0
        return static

    def _follows(self, graph: Graph, node: Node, static: bytearray) -> bool:
        """Return whether what a node outputs follows from what is known; the input of a state is only its first value."""
        is_known = all(source[0] >= 0 and static[source[0]] for source in node.inputs)
        return is_known and self.texts.category(graph, node) != "state"

    def _box(self, graph: Graph, node: Node, static: bytearray) -> Box:
        box = self._titled(graph, node)
        box.graph, box.node = graph, node
        box.modules = self.texts.modules(graph, node)
        for module in box.modules or ():
            self.classes.setdefault(visible(module.name), module.kind)
        self.box_of[id(graph), node.index] = box
        for position, (index, _) in enumerate(node.inputs):
            if index >= 0 and static[index]:
                box.lines.append(self.texts.weight(graph, node, position))
                self._hide(graph, index, box)
        if node.graphs:
            box.adopt([self._body(inner, number, len(node.graphs)) for number, inner in enumerate(node.graphs, 1)])
        return box

    def _titled(self, graph: Graph, node: Node) -> Box:
        """Return a box with the texts of a node, but for its weights."""
        if not node.outputs and len(node.inputs) == 1 and node.inputs[0] in graph.outputs:
            return Box("output", "output", visible(node.name), "output")
        if node.kind == "var":
            return Box("input", "input", visible(input_name(self.model, node)), "input")
        category = "data" if node.kind == "const" else self.texts.category(graph, node)
        box = Box("node", cut(node.op), visible(node.name), category)
        box.lines += self.texts.key_attributes(node)
        return box

    def _hide(self, graph: Graph, index: int, box: Box) -> None:
        """Remember in which box a hidden node is shown: the first that needs it."""
        stack = [index]
        while stack:
            key = (id(graph), stack.pop())
            if key not in self.box_of:
                self.box_of[key] = box
                stack.extend(source for source, _ in graph.nodes[key[1]].inputs if source >= 0)

    def _body(self, graph: Graph, number: int, count: int) -> Box:
        body = self._graph(graph)
        body.kind = "body"
        body.title = visible(graph.name) or ("body" if count == 1 else f"body {number} of {count}")
        return body

    def _value(self, graph: Graph, source: Source) -> BoxValue:
        node, output = graph.nodes[source[0]], source[1]
        label, type_ = self.texts.label(graph, node, output), self.texts.type_text(graph, node, output)
        name = node.outputs[output].name if output < len(node.outputs) else None
        box, shown = self.box_of[id(graph), node.index], visible(name or node.name or node.op)
        self.values.append(BoxValue(box, label, shown, type_, len(self.values)))
        return self.values[-1]

    def _readings(self, graph: Graph, shown: Sequence[int], values: dict[Source, BoxValue]) -> list[Reading]:
        """Return what boxes read of each other; `values` gets what is read."""
        found, boxes = [], set(shown)
        for index in shown:
            for source in dict.fromkeys(graph.nodes[index].inputs):
                if source[0] in boxes:
                    if source not in values:
                        values[source] = self._value(graph, source)
                    found.append(Reading(values[source], self.box_of[id(graph), index]))
        return found

    def _outputs(self, graph: Graph, values: dict[Source, BoxValue], readings: list[Reading]) -> list[Box]:
        """Return a box for every output that no node marks; `readings` gets what they read."""
        marked = {graph.nodes[index].inputs[0] for index in markers(graph)}
        found = []
        for source in dict.fromkeys(graph.outputs):
            if source in marked or source[0] < 0 or (id(graph), source[0]) not in self.box_of:
                continue
            if source not in values:
                values[source] = self._value(graph, source)
            box = Box("output", "output", values[source].name, "output")
            readings.append(Reading(values[source], box))
            found.append(box)
        return found

    def _lay_out(self, root: Box, readings: Sequence[Reading]) -> None:
        """Arrange the boxes of every group, the outermost first: a value that is too far is not drawn further in."""
        crossing: dict[int, list[tuple[Reading, str]]] = {}
        for reading in readings:
            for group, way in _groups(reading.value.box, reading.reader):
                crossing.setdefault(id(group), []).append((reading, way))
        dropped: set[int] = set()
        carriers: dict[tuple[int, int], int] = {}  # a box, and a value that another one stands for at its border
        groups = [root]
        while groups:
            group = groups.pop()
            self._arrange(group, crossing.get(id(group), []), dropped, carriers)
            groups.extend(box for box in group.boxes if box.is_group)
            for box in group.boxes:
                if box.node is not None and box.boxes:
                    box.layout = arrange(len(box.boxes), [0] * len(box.boxes), [])
        labels: dict[int, str] = {}
        for reading in readings:
            source, top = reading.value.box, common(reading.value.box, reading.reader)
            for box in (source, *source.around()):
                if box is top:
                    break
                labels[id(box)] = max(labels.get(id(box), ""), reading.value.label, key=len)
        endings = _endings(root)
        for box in root.walk():
            if box is not root:
                self._size(box, labels.get(id(box), ""), endings)

    def _size(self, box: Box, label: str, endings: Counter[str]) -> None:
        """Give a box its size, and the name that it has room for."""
        if box.node is not None or box.kind in ("input", "output"):
            name = cut(_within(box, endings))
            if name != box.name:
                box.name, box.full = name, box.name
        else:
            box.title = cut(box.title, 40)
            kind = self.classes.get(box.full, "").rpartition(".")[2]
            box.name = f"{cut(kind)}, {box.nodes:,} nodes" if kind else f"{box.nodes:,} nodes"
        measure(box, label)

    def group_details(self, box: Box) -> list[Section]:
        """Return the side panel of a group."""
        said = [("module", box.full), ("class", visible(self.classes.get(box.full, ""))), ("nodes", f"{box.nodes:,}")]
        operators = Counter(inner.title for inner in box.walk() if inner.kind == "node").most_common(_OPERATORS)
        counted = [(name, f"{count:,}") for name, count in operators]
        return [("", [row for row in said if row[1]]), *([("Operators", counted)] if counted else [])]

    def _arrange(
        self,
        group: Box,
        crossing: Sequence[tuple[Reading, str]],
        dropped: set[int],
        carriers: dict[tuple[int, int], int],
    ) -> None:
        position = {id(box): k for k, box in enumerate(group.boxes)}
        carried: dict[RankEdge, list[Reading]] = {}
        for reading, way in crossing:
            if id(reading) in dropped:
                continue
            value = reading.value.number
            if way == "down":
                edge = to_below(carriers.get((id(group), value), value), position[id(child(group, reading.value.box))])
            elif way == "in":
                edge = from_above(carriers.get((id(group), value), value), position[id(child(group, reading.reader))])
            else:
                source = position[id(child(group, reading.value.box))]
                edge = RankEdge(value, source, position[id(child(group, reading.reader))])
            carried.setdefault(edge, []).append(reading)
        edges = list(carried)
        rows = ranks(len(group.boxes), edges)
        remote = far(rows, edges)
        for edge in edges:
            if edge in remote:
                for reading in carried[edge]:
                    dropped.add(id(reading))
                    reading.reader.lines.append(Line("far", cut(f"← {reading.value.name}"), reading.value.number))
        near = bundled([edge for edge in edges if edge not in remote])
        for edge, carrier in near.items():
            for end in (edge.source, edge.target):
                if end >= 0:
                    carriers.setdefault((id(group.boxes[end]), edge.value), carrier.value)
        group.layout = arrange(len(group.boxes), rows, list(dict.fromkeys(near.values())))


def _data(graph: Graph) -> bytearray:
    """Return the data of a model without inputs: what is read first is computed, as an input would be."""
    first = {node.inputs[0][0] for node in graph.nodes if node.inputs}
    return bytearray(not node.inputs and node.index not in first for node in graph.nodes)


def _groups(source: Box, target: Box) -> Iterable[tuple[Box, str]]:
    """Yield the groups that a value passes: out of those of its source, across the common one, into those of its target."""
    top = common(source, target)
    yield top, "across"
    for box, way in ((source, "down"), (target, "in")):
        for group in takewhile(lambda group: group is not top, box.around()):
            yield group, way


def _endings(root: Box) -> Counter[str]:
    """Return how many names of boxes end with the same steps, and are in the same scope (`layer/`), by these."""
    found: Counter[str] = Counter()
    for box in root.walk():
        if box.node is not None and box.kind == "node":
            path = box.name.lstrip("/")
            found.update(islice(_ends(path), _STEPS))
            found[path[: path.rfind("/") + 1]] += 1
    return found


def _ends(path: str) -> Iterator[str]:
    """Yield the last step of a name, the last two, and so on."""
    at = len(path)
    while at >= 0:
        at = path.rfind("/", 0, at) if at else -1
        yield path[at + 1 :]


def _told_apart(box: Box, path: str, endings: Counter[str]) -> str:
    """Return the last steps of a name that no other one has; of a scope with nothing else in it, without the operator's, the title."""
    named = [*islice(_ends(path), _STEPS)]
    short = next((k for k, end in enumerate(named) if endings[end] < 2), len(named) - 1)
    if named[0] == box.title and len(named) > 1 and endings[path[: path.rfind("/") + 1]] == 1:
        return named[max(short, 1)].removesuffix(f"/{box.title}") or box.name
    return named[short] or box.name


def _within(box: Box, endings: Counter[str]) -> str:
    """Return what a node's name, or the module that it comes from, adds to the name of the group that it is in; outside of groups what
    tells it apart from others."""
    group = next((each.full for each in box.around() if each.full and each.is_group), "")
    if box.modules:
        module = visible(box.modules[-1].name)
        inner = module.removeprefix(group).lstrip("/.") if module != group else ""
        return f"{inner}: {box.name}" if inner else box.name
    path = box.name.lstrip("/")
    return path.removeprefix(group).lstrip("/") if group and path.startswith(group) else _told_apart(box, path, endings)


def _open(root: Box) -> None:
    """Open groups while no more boxes are to be seen than a screen holds, the outermost first; those that repeat all or none."""
    root.open = True
    seen, queue = len(root.boxes), [[box] for box in root.boxes if box.boxes]
    for alike in queue:
        count = sum(len(box.boxes) for box in alike)
        if seen + count <= VISIBLE:
            seen += count
            for box in alike:
                box.open = True
                inner = [each for each in box.boxes if each.boxes]
                queue.extend([inner] if box.kind == "repeat" and inner else [[each] for each in inner])
