"""Edges, ids and ports: what refers to nothing, what is fed twice, what is not fed at all."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.openvino.attributes import label
from irlint.formats.openvino.opsets import operator_of
from irlint.formats.openvino.reader import Section
from irlint.formats.openvino.rules.input_fed_twice import InputFedTwice
from irlint.formats.openvino.rules.unconnected_input import UnconnectedInput
from irlint.graph import NOWHERE, Node
from irlint.rules.references.duplicate_definition import DuplicateDefinition
from irlint.rules.references.undefined_reference import UndefinedReference
from irlint.rules.structure.missing_key import MissingKey
from irlint.text.base import Document, Edit, Place, Span


def connection_problems(section: Section, version: int, broken: bool, odd: set[int]) -> Iterator[Problem]:
    """`odd` holds nodes whose structure has findings already, and gets more; `broken`: parts of the text may be missing."""
    yield from _doubles(section)
    yield from _both_sides(section)
    if broken:
        return
    hungry = Hungry(section, odd)
    blamed: set[int] = set()
    for edge, user, place in section.twice:
        problem, victim = _twice(section, edge, user, place, hungry)
        yield problem
        blamed.add(-1 if victim is None else victim)
        _starve(section, problem, victim)
    ports = Ports(section, odd)
    yield from ports.problems()
    for edge, attribute in section.dangling:
        found, victim = _dangling(section, edge, attribute, hungry, odd, ports.blamed)
        if found is not None:
            yield found
            _starve(section, found, victim)
        blamed.add(-1 if victim is None else victim)
    blamed |= ports.users
    odd.update(index for index, _ in ports.blamed)
    section.torn = bool(hungry.inputs or section.dangling or section.twice)
    if section.edges:
        shadowed = {first for first, _ in section.double}  # the edges feed the layer that has taken their place
        for index, places in hungry.inputs.items():
            if index not in blamed and index not in shadowed:
                yield from _unfed(section, index, places, version)


def _starve(section: Section, problem: Problem, victim: int | None) -> None:
    if victim is not None and problem.severity is None:
        section.starved.add(victim)


def removal(document: Document, place: Place) -> Span:
    """An element with the blank space before it, so that no empty line stays."""
    start, end = document.span(Place(place.path, "element"))
    while start > 0 and document.text[start - 1] in " \t\r\n":
        start -= 1
    return Span(start, end)


def _both_sides(section: Section) -> Iterator[Problem]:
    """Numbers that are given to an input port and to an output port of one layer; the reader tells them apart, other tools do not."""
    known: dict[tuple[int, int], str | None] = {}  # layers with the same text share their ports
    for index, layer in enumerate(section.layers):
        key = (id(layer.inputs), id(layer.outputs))
        if key not in known:
            known[key] = next((number for number in layer.outputs.index if number in layer.inputs.index), None)
        number = known[key]
        if number is not None:
            graph, node = section.graph, section.graph.nodes[index]
            message = (
                f"{label(node)}: port {number} is an input and an output; ports of a layer are numbered in one row"
            )
            place = Place(graph.place(index, f"output:{layer.outputs.index[number]}").path, "@id")
            other = Place(graph.place(index, f"input:{layer.inputs.index[number]}").path, "@id")
            yield DuplicateDefinition.problem(place, message, other, node.name, severity=Severity.WARNING)


def _doubles(section: Section) -> Iterator[Problem]:
    graph = section.graph
    for first, second in section.double:
        number = section.layers[second].id
        if _out_of_step(section, first) and not _out_of_step(section, second):
            first, second = second, first
        a, b = graph.nodes[first], graph.nodes[second]
        at = graph.place(second, "id")
        if _same(section, first, second):
            message = f"layer {number}, {label(b)}, is written twice"
            yield DuplicateDefinition.problem(at, message, graph.place(first, "id"), b.name, severity=Severity.WARNING)
            continue

        def fix(document: Document, at: Place = at) -> Fix:
            free = max((int(k) for k in section.by_id), default=0) + 1
            return Fix(f"Give it the free id {free}", document.write(at, str(free)), "unsafe")

        message = (
            f"layer id {number} is given to {b.op} {b.name!r}, but {a.op} {a.name!r} has it already:"
            f" the reader keeps the last of them and forgets the others without a word"
        )
        yield DuplicateDefinition.problem(at, message, graph.place(first, "id"), b.name, fix)


def _same(section: Section, first: int, second: int) -> bool:
    """Whether one layer is a copy of the other, so that nothing is lost with it."""
    a, b, graph = section.layers[first], section.layers[second], section.graph
    one, two = graph.nodes[first], graph.nodes[second]
    return (
        (one.name, one.op, one.version, one.attrs) == (two.name, two.op, two.version, two.attrs)
        and (a.inputs.ports, a.outputs.ports) == (b.inputs.ports, b.outputs.ports)
        and not one.graphs
        and not two.graphs
    )


def _out_of_step(section: Section, index: int) -> bool:
    """Whether a layer's id does not lie between those of its neighbours, where theirs rise."""
    numbers = [int(layer.id or -1) for layer in section.layers[max(index - 1, 0) : index + 2]]
    at = min(index, 1)
    before = numbers[at - 1] if at else -1
    after = numbers[at + 1] if at + 1 < len(numbers) else 1 << 63
    return before < after and not before < numbers[at] < after


def _twice(section: Section, edge: int, user: int, place: int, hungry: Hungry) -> tuple[Problem, int | None]:
    """Two edges into one input: the one that is the odd one out, and the node that goes hungry for it."""
    graph = section.graph
    node, port = graph.nodes[user], section.layers[user].inputs.ports[place]
    first = section.edge_into[section.layers[user].id, port.id]
    same = section.edges[first][1:] == section.edges[edge][1:]
    victim: int | None = None
    wrong, right = edge, first
    if same:
        meant = hungry.victim(section, first)
        if _belongs(section, first, meant):
            same, wrong, right, victim = False, first, edge, meant
    else:
        fits = [_carries(section, k) == port.dims for k in (first, edge)]
        victims = [hungry.victim(section, k, fits != [True, True]) for k in (first, edge)]
        if (
            fits == [False, True]
            or (fits[0] == fits[1] and victims[0] is not None and victims[1] is None)
            or (fits[0] == fits[1] and (_belongs(section, first, victims[0]) or _steps_back(section, edge)))
        ):
            wrong, right = first, edge
        victim = victims[0 if wrong == first else 1]
    this = Place(section.edge_path(wrong), "tag")

    def fix(document: Document) -> Fix:
        return Fix("Remove this edge", (Edit(removal(document, this), ""),), "safe" if same else "unsafe")

    message = "this edge is written twice" if same else f"input port {port.id} of {label(node)} is fed by a second edge"
    return Problem(
        InputFedTwice, this, f"{message}: an input takes one value, and the reader refuses the file", node.name, fix,
        [("the other edge", Place(section.edge_path(right), "tag"))],
    ), victim  # fmt: skip


def _steps_back(section: Section, edge: int) -> bool:
    """Whether a hungry input of the node that both edges lead to lies before theirs: writers write them in order."""
    user = section.by_id.get(section.edges[edge].to_layer or "")
    if user is None:
        return False
    place = section.layers[user].inputs.index.get(section.edges[edge].to_port or "", 0)
    return any(s is NOWHERE for s in section.graph.nodes[user].inputs[:place])


def _belongs(section: Section, edge: int, victim: int | None) -> bool:
    """Whether the hungry node is the one whose turn it is where the edge stands, in a list that is ordered by its ends."""
    if victim is None or not 0 < edge < len(section.edges) - 1:
        return False
    before, after = (int(section.edges[k].to_layer or -1) for k in (edge - 1, edge + 1))
    return before <= int(section.layers[victim].id or -1) < after


def _carries(section: Section, edge: int) -> tuple[int, ...] | None:
    """The dimensions that the source of an edge declares."""
    maker = section.by_id.get(section.edges[edge].from_layer or "")
    if maker is None:
        return None
    outputs = section.layers[maker].outputs
    output = outputs.index.get(section.edges[edge].from_port or "")
    return None if output is None else outputs.ports[output].dims


class Hungry:
    """Nodes with declared inputs that no edge feeds, and which; the right one is soon found by the type that it wants."""

    def __init__(self, section: Section, odd: set[int]) -> None:
        self.inputs: dict[int, list[int]] = {}
        self.by_dims: dict[tuple[int, ...] | None, int] = {}
        self.first: int | None = None
        for node in section.graph.nodes:
            if NOWHERE not in node.inputs or node.index in odd:
                continue
            places = [k for k, source in enumerate(node.inputs) if source is NOWHERE]
            self.inputs[node.index] = places
            if section.live[node.index]:
                self.first = node.index if self.first is None else self.first
                for k in places:
                    self.by_dims.setdefault(section.layers[node.index].inputs.ports[k].dims, node.index)

    def victim(self, section: Section, edge: int, any_: bool = True) -> int | None:
        """Which node an edge was meant for: one that declares the type that the edge carries, else perhaps any."""
        dims = _carries(section, edge)
        found = None if dims is None else self.by_dims.get(dims)
        return self.first if found is None and any_ else found


def _dangling(
    section: Section,
    edge: int,
    attribute: str,
    hungry: Hungry,
    odd: set[int],
    blamed: set[tuple[int, str]],
) -> tuple[Problem | None, int | None]:
    """An edge whose end names nothing, and the node that goes hungry for it, if one can be made out."""
    _, from_layer, from_port, to_layer, to_port = section.edges[edge]
    at = Place(section.edge_path(edge), f"@{attribute}")
    nodes, layers = section.graph.nodes, section.layers

    def fix(document: Document) -> Fix:
        return Fix("Remove this edge", (Edit(removal(document, at), ""),), "unsafe")

    end = section.by_id.get((to_layer if attribute.startswith("to") else from_layer) or "")
    if attribute.endswith("-layer"):
        number = to_layer if attribute == "to-layer" else from_layer
        message = f"this edge names layer {number}, which does not exist"
        if attribute == "to-layer":  # the reader skips such an edge; it matters where an input now has none
            victim = hungry.victim(section, edge)
            severity = None if victim is not None else Severity.WARNING
            return Problem(UndefinedReference, at, message, fix=fix, severity=severity), victim
        user = section.by_id.get(to_layer or "")
        if user is None:
            return Problem(UndefinedReference, at, message, fix=fix, severity=Severity.WARNING), None
        live = bool(section.live[user])
        return Problem(UndefinedReference, at, message, fix=fix, severity=None if live else Severity.WARNING), user
    assert end is not None
    node = nodes[end]
    if end in odd or (end, attribute) in blamed:
        return None, section.by_id.get(to_layer or "")
    ports = layers[end].inputs if attribute == "to-port" else layers[end].outputs
    other = layers[end].outputs if attribute == "to-port" else layers[end].inputs
    number = to_port if attribute == "to-port" else from_port
    side, wrong = ("input", "output") if attribute == "to-port" else ("output", "input")
    have = ", ".join(p.id or "?" for p in ports.ports) or "none"
    message = f"{node.op} {node.name!r} has no {side} port {number} (it has {have})"
    if number in other.index:
        message += f"; {number} is one of its {wrong} ports"
    user = section.by_id.get(to_layer or "")
    live = user is not None and bool(section.live[user])
    if not live and (victim := hungry.victim(section, edge)) is not None:
        live, user = True, victim
    right = ports.ports[0].id or "" if len(ports.ports) == 1 else None

    def fix_port(document: Document) -> Fix:
        return Fix(f"Name port {right}", document.write(at, right), "unsafe")

    severity = None if live else Severity.WARNING
    return Problem(
        UndefinedReference, at, message, node.name, fix if right is None else fix_port, severity=severity
    ), user


class Ports:
    """Layers that edges know better than they know themselves: a side without ports, or one port with a strange number."""

    def __init__(self, section: Section, odd: set[int]) -> None:
        self.section = section
        self.blamed: set[tuple[int, str]] = set()  # (node, attribute of edges that names its ports)
        self.users: set[int] = set()  # nodes that go hungry for it
        self.named: dict[tuple[int, str], list[int]] = {}
        for edge, attribute in section.dangling:
            if attribute.endswith("-port"):
                record = section.edges[edge]
                index = section.by_id[(record.to_layer if attribute == "to-port" else record.from_layer) or ""]
                if index not in odd:
                    self.named.setdefault((index, attribute), []).append(edge)

    def problems(self) -> Iterator[Problem]:
        for (index, attribute), edges in self.named.items():
            if (problem := self._problem(index, attribute, edges)) is not None:
                self.blamed.add((index, attribute))
                for e in edges:
                    user = self.section.by_id.get(self.section.edges[e].to_layer or "")
                    if user is not None:
                        self.users.add(user)
                        _starve(self.section, problem, user)
                yield problem

    def _problem(self, index: int, attribute: str, edges: list[int]) -> Problem | None:
        section = self.section
        layer, node, graph = section.layers[index], section.graph.nodes[index], section.graph
        side = "input" if attribute == "to-port" else "output"
        ports = layer.inputs if side == "input" else layer.outputs
        wanted = sorted({getattr(section.edges[e], attribute.replace("-", "_")) or "" for e in edges})
        severity = None if section.live[index] else Severity.WARNING
        related = [("named here", Place(section.edge_path(e), f"@{attribute}")) for e in edges[:8]]
        if not ports.ports:
            operator = operator_of(node.op, node.version or "")
            if operator is None or not (operator.inputs if side == "input" else operator.outputs):
                return None
            message = f"{label(node)} has no <{side}>, but edges name its {side} port{'' if len(wanted) == 1 else 's'} {', '.join(wanted)}"
            return Problem(
                MissingKey, graph.place(index, "node"), message, node.name, related=related, severity=severity
            )
        strangers = [k for k, port in enumerate(ports.ports) if self._strange(index, side, k)]
        if len(strangers) != 1 or len(wanted) != 1:
            return None
        port = strangers[0]
        at = Place(graph.place(index, f"{side}:{port}").path, "@id")

        def fix(document: Document) -> Fix:
            return Fix(f"Number it {wanted[0]}", document.write(at, wanted[0]), "unsafe")

        message = f"{label(node)}: this {side} port is numbered {ports.ports[port].id}, but edges call it {wanted[0]}"
        return Problem(UndefinedReference, at, message, node.name, fix, related, severity=severity)

    def _strange(self, index: int, side: str, place: int) -> bool:
        """Whether a port breaks the row of numbers: inputs from 0, outputs on from there, and no edge names it."""
        layer = self.section.layers[index]
        ports = layer.inputs if side == "input" else layer.outputs
        number = ports.ports[place].id
        base = 0 if side == "input" else len(layer.inputs.ports)
        if number is None or ports.index.get(number) != place:
            return ports.index.get(number or "") != place
        if number == str(base + place):
            return False
        node = self.section.graph.nodes[index]
        if side == "input":
            return node.inputs[place] is NOWHERE
        return (index, place) not in self.section.read_outputs


def _unfed(section: Section, index: int, places: list[int], version: int) -> Iterator[Problem]:
    graph, layer = section.graph, section.layers[index]
    node = graph.nodes[index]
    for k in places:
        port = layer.inputs.ports[k]
        message = f"no edge feeds input port {port.id} of {node.op} {node.name!r}"
        severity = None
        last = len(node.inputs) - len(places)
        if k >= last and (version == 10 or _fills(node)) and _optional(node, last):
            severity = Severity.WARNING
        yield Problem(UnconnectedInput, graph.place(index, f"input:{k}"), message, node.name, severity=severity)


def _fills(node: Node) -> bool:
    """Whether an operation makes the inputs that it lacks, so that the reader finds as many as the file declares."""
    operator = operator_of(node.op, node.version or "")
    return operator is not None and bool(operator.facts.get("fills"))


def _optional(node: Node, count: int) -> bool:
    """Whether an operation does with that many inputs."""
    operator = operator_of(node.op, node.version or "")
    return operator is not None and count >= sum(p.kind in ("required", "variadic") for p in operator.inputs)
