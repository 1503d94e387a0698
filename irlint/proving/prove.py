"""The proof: whether two models output the same for the same inputs, and if not, which operator is the first that differs."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.feeds import GivenInput
from irlint.dryrun.running.packed import whole
from irlint.graph import Node
from irlint.inspection.canonical import CanonicalNames
from irlint.order import post_order
from irlint.proving.nearness import apart, arranged, as_numbers, bare
from irlint.proving.running import Fed, Side, fed, kept, led
from irlint.proving.traces import Partner, Traces
from irlint.records import NamedTuple

# How far results may be apart that are computed with the same numbers, by the coarsest type that a model has weights of.
ROUNDING = {
    "float32": 1e-4, "float16": 1e-2, "bfloat16": 5e-2, "int8": 0.2, "int4": 0.6,
}  # fmt: skip
_COARSE = {
    "float16": "float16", "bfloat16": "bfloat16", "float8_e4m3fn": "int8", "float8_e5m2": "int4", "int8": "int8", "uint8": "int8",
    "int4": "int4", "uint4": "int4", "nf4": "int4", "float4_e2m1fn": "int4", "int2": "int4", "uint2": "int4",
}  # fmt: skip
_QUANTIZERS = ("FakeQuantize", "QuantizeLinear", "DynamicQuantizeLinear")
_FEW = 16  # elements of constants that are no weights
_ORDER = tuple(ROUNDING)


class OutputPair(NamedTuple):
    """An output of both models; `distance` is infinite if their shapes do not correspond."""

    a: str
    b: str
    distance: float
    agrees: bool


class Suspect(NamedTuple):
    """The first nodes that differ: of each model the earliest one all of whose operands agree; and the values that they read."""

    a: Node | None
    b: Node | None
    others: int  # further places where a difference begins


class Layers(NamedTuple):
    """How many of the layers with weights of the first model have a counterpart in the second, and how far their weights are apart."""

    all: int
    matched: int
    distance: float


class Proof(NamedTuple):
    rounding: str
    outputs: list[OutputPair]
    missing: list[str]  # outputs of one model only
    layers: Layers
    suspect: Suspect | None
    values: int  # results of B that are one of A, of all
    total: int

    @property
    def same(self) -> bool:
        return not self.missing and all(pair.agrees for pair in self.outputs)


def prove(
    a: Side, b: Side, given: dict[int, GivenInput] | None = None, seed: int = 0, limit: int | None = None
) -> Proof:
    """Run both models on the same inputs and compare what they compute."""
    rounding = max((coarsest(a), coarsest(b)), key=_ORDER.index)
    nearness = ROUNDING[rounding]
    values = fed(a, b, given or {}, seed)
    traces = kept(a, values.a, seed, limit)
    partners = led(b, values.b, seed, limit, traces, nearness)
    outputs, missing = _outputs(a, b, nearness, partners)
    same = {traces.alike(partner.trace.array) for partner in partners.values()}
    found = {(t.node, t.output) for t in traces.all if traces.alike(t.array) in same}
    wrong = [pair for pair in outputs if not pair.agrees]
    first = _beginnings(a, found, {pair.a for pair in wrong})
    second = _beginnings(b, partners, {pair.b for pair in wrong})
    known = _Known(a, b, traces, partners, found, values)
    suspect = _suspect(a, b, known, first, second, [*_changed(known, nearness), *_rewritten(known, nearness)])
    results = sum(len(node.outputs) for node in b.graph.nodes if node.kind == "call" and node.index in b.data)
    return Proof(rounding, outputs, missing, _layers(a, b, found, partners), suspect, len(partners), results)


def coarsest(side: Side) -> str:
    """Return the coarsest type that a model computes with."""
    found = {"float32"}
    for graph in side.graph.walk():
        found |= {_COARSE[held.operand.tensor.dtype] for held in side.mapping.held(graph) if held.operand.tensor.dtype in _COARSE}
        for node in graph.nodes:
            if node.op in _QUANTIZERS:
                found.add("int8")
            elif node.kind == "const" and node.outputs:
                type_ = node.outputs[0].type
                size = math.prod(type_.shape) if type_.shape and all(type(d) is int for d in type_.shape) else 0
                if type_.dtype in _COARSE and size >= _FEW:
                    found.add(_COARSE[type_.dtype])
            else:
                found.update(_COARSE[v.type.dtype] for v in node.outputs if v.type.dtype in ("float16", "bfloat16"))
    return max(found, key=_ORDER.index)


def _outputs(
    a: Side, b: Side, nearness: float, partners: dict[tuple[int, int], Partner]
) -> tuple[list[OutputPair], list[str]]:
    first, second = (list(zip(s.mapping.unique_names(s.graph), s.mapping.aliases(s.graph), s.outputs, strict=True)) for s in (a, b))
    by_name = {name: k for k, (own, names, _) in reversed(list(enumerate(second))) for name in (own, *names)}
    pairs: dict[int, int] = {}
    for k, (own, names, _) in enumerate(first):
        found = next((by_name[name] for name in (own, *names) if name in by_name), None)
        if found is not None and found not in pairs.values():
            pairs[k] = found
    rest = [k for k in range(len(second)) if k not in pairs.values()]
    for k in range(len(first)):
        if k not in pairs and rest:
            pairs[k] = rest.pop(0)
    missing = [first[k][0] for k in range(len(first)) if k not in pairs] + [second[k][0] for k in rest]
    outputs, makers = [], b.mapping.outputs(b.graph)
    for k, j in sorted(pairs.items()):
        partner = partners.get(tuple(makers[j]))  # type: ignore[call-overload]
        distance = _distance(first[k][2], second[j][2], nearness)
        if partner is not None and distance <= nearness:
            distance = max(distance, partner.distance)
        outputs.append(OutputPair(first[k][0], second[j][0], distance, distance <= nearness))
    return outputs, missing


def _distance(a: Any, b: Any, nearness: float) -> float:
    if a.size != b.size or any(array.dtype.kind not in "iufb" for array in (a, b)):
        return 0.0 if np.array_equal(a, b) else math.inf
    numbers = as_numbers(b)
    found = [apart(as_numbers(other), numbers, nearness) for other in arranged(a, b.shape)]
    return min(found, default=math.inf)


def _beginnings(side: Side, matched: Collection[tuple[int, int]], wrong: Collection[str]) -> list[Node]:
    """Return the nodes where a difference begins: above an output that differs, without a counterpart, reading only what has one."""
    graph = side.graph
    sources = zip(side.mapping.unique_names(graph), side.mapping.outputs(graph), strict=True)
    stack = [source[0] for name, source in sources if name in wrong]
    region: set[int] = set()
    while stack:
        index = stack.pop()
        node = graph.nodes[index]
        if index in region or index not in side.data or node.kind != "call":
            continue
        region.add(index)
        stack += [source[0] for source in node.inputs if source[0] >= 0 and tuple(source) not in matched]
    return [
        graph.nodes[index]
        for index in post_order(graph, strict=False)
        if index in region and not any(source[0] in region for source in graph.nodes[index].inputs)
    ]


def _suspect(
    a: Side, b: Side, known: _Known, first: list[Node], second: list[Node], changed: list[tuple[Node, Node]]
) -> Suspect | None:
    """Return where the difference begins: at nodes that correspond, if there are any."""
    places = {node.index for node in second}
    both = [pair for pair in changed if not second or pair[1].index in places] or changed
    if both:
        return Suspect(both[0][0], both[0][1], len(both) - 1)
    for node in second:
        if (other := known.counterpart(node)) is not None:
            return Suspect(other, node, len(second) - 1)
    if first or second:
        return Suspect(first[0] if first else None, second[0] if second else None, max(len(first), len(second)) - 1)
    return None


class _Known:
    """Nodes of the first model whose results the second does not have, by the values that they read."""

    def __init__(
        self, a: Side, b: Side, traces: Traces, partners: dict[tuple[int, int], Partner], found: Collection[tuple[int, int]], fed: Fed
    ) -> None:
        self.a, self.b, self.traces, self.partners = a, b, traces, partners
        self.names = CanonicalNames(a.model), CanonicalNames(b.model)
        self.alike = {(trace.node, trace.output): traces.alike(trace.array) for trace in traces.all}
        self.fed = {node: traces.alike(array) for node, array in fed.b.items()}
        self.lost = [
            node
            for node in a.graph.nodes
            if node.kind == "call" and node.index in a.data and node.outputs and (node.index, 0) not in found
        ]
        self.results = {trace.node: trace.array for trace in traces.all if not trace.output}
        self.reading: dict[Any, list[Node]] = {}
        for node in self.lost:
            for source in {self.alike.get(tuple(s)) for s in node.inputs if s[0] in a.data}:  # type: ignore[call-overload]
                self.reading.setdefault(source, []).append(node)

    def sources(self, node: Node) -> list[Any]:
        """Return what the values that a node of the second model reads have in common with those of the first; None for others."""
        return [
            self.traces.alike(self.partners[tuple(s)].trace.array) if tuple(s) in self.partners else self.fed.get(s[0])  # type: ignore[index]
            for s in node.inputs
            if s[0] in self.b.data
        ]

    def counterpart(self, node: Node) -> Node | None:
        """Return the lost node that reads what a node of the second model reads, best the same operator of the same name."""
        op = self.names[1].of(node)
        found = [
            (self.names[0].of(other) == op, other.name == node.name, -other.index, other)
            for source in self.sources(node)
            if source is not None
            for other in self.reading.get(source, ())
        ]
        return max(found, key=lambda entry: entry[:3])[3] if found else None


def _changed(known: _Known, nearness: float) -> list[tuple[Node, Node]]:
    """Return the nodes of both that are the same operator of the same values, or of the same name, and output different values."""
    a, b, names = known.a, known.b, known.names
    here: dict[Any, list[Node]] = {}
    named: dict[Any, list[Node]] = {}
    for node in known.lost:
        sources = frozenset(known.alike.get(tuple(s)) for s in node.inputs if s[0] in a.data)  # type: ignore[call-overload]
        here.setdefault((names[0].of(node), sources), []).append(node)
        named.setdefault((names[0].of(node), node.name), []).append(node)
    pairs = []
    for index in post_order(b.graph, strict=False):
        if index not in b.own:
            continue
        node = b.graph.nodes[index]
        if None in (found := known.sources(node)):
            continue
        op = names[1].of(node)
        alike = named.get((op, node.name), ()) if node.name else ()
        for other in (*here.get((op, frozenset(found)), ()), *(alike if len(alike) == 1 else ())):
            if other.index in known.results and _differ(known.results[other.index], b.own[index], nearness):
                pairs.append((other, node))
                break
    return pairs


def _rewritten(known: _Known, nearness: float) -> list[tuple[Node, Node]]:
    """Return the same operators of the same values of which the files say something else: other weights, other numbers."""
    a, b, names = known.a, known.b, known.names
    is_one_format = a.model.format == b.model.format
    here: dict[Any, list[Node]] = {}
    for index in a.weights:
        node = a.graph.nodes[index]
        sources = frozenset(known.alike.get(tuple(s)) for s in node.inputs if s[0] in a.data)  # type: ignore[call-overload]
        here.setdefault((names[0].of(node), sources), []).append(node)
    pairs = []
    for index in post_order(b.graph, strict=False):
        if index not in b.weights:
            continue
        node = b.graph.nodes[index]
        found = here.get((names[1].of(node), frozenset(known.sources(node))), ())
        if len(found) == 1:
            other = found[0]
            if _other_weights(a.weights[other.index], b.weights[index], nearness) or (
                is_one_format and _other_numbers(other, node)
            ):
                pairs.append((other, node))
    return pairs


def _other_numbers(a: Node, b: Node) -> bool:
    """Return whether an attribute that is a number with a fraction differs."""
    pairs = ((a.attrs[key], b.attrs[key]) for key in a.attrs.keys() & b.attrs.keys())
    return any(isinstance(x, float) and isinstance(y, float) and abs(x - y) > 1e-6 * max(abs(x), abs(y)) for x, y in pairs)


def _other_weights(a: Sequence[Any], b: Sequence[Any], nearness: float) -> bool:
    """Return whether weights of two layers differ other than by a factor of each channel."""
    ours, theirs = ([array for array in map(whole, arrays) if _is_weight(array) and array.ndim > 1] for arrays in (a, b))
    if len(ours) != 1 or len(theirs) != 1 or ours[0].size != theirs[0].size:
        return False
    numbers = as_numbers(theirs[0])
    return all(_differ(other, numbers, nearness) for other in arranged(ours[0], theirs[0].shape))


def _differ(a: Any, b: Any, nearness: float) -> bool:
    """Return whether results of the same operator differ other than by a factor and an offset of each channel, which another node
    may apply as well."""
    if a.size != b.size:
        return True
    if a.shape != b.shape or a.ndim < 2 or a.dtype.kind != "f":
        return True
    numbers, others = as_numbers(b), as_numbers(a)
    for axis in {0, 1, a.ndim - 1}:
        over = tuple(k for k in range(a.ndim) if k != axis)
        x, y = others - others.mean(axis=over, keepdims=True), numbers - numbers.mean(axis=over, keepdims=True)
        square = (x * x).sum(axis=over, keepdims=True)
        factor = (x * y).sum(axis=over, keepdims=True) / np.where(square == 0, 1, square)
        if apart(y, x * factor, nearness) <= max(nearness, 1e-3):
            return False
    return True


def _layers(
    a: Side, b: Side, found: Collection[tuple[int, int]], partners: dict[tuple[int, int], Partner]
) -> Layers:
    """Count the layers with weights of the first model whose result, or what follows from it alone, the second has."""
    names, graph = CanonicalNames(a.model), a.graph
    readers: list[list[int]] = graph.consumers()
    weighted = [index for index, operands in a.weights.items() if any(map(_is_weight, operands))]
    closed: dict[int, bool] = {}

    def is_found(index: int) -> bool:
        """Whether what a node outputs is found again, or becomes a part of what is."""
        stack = [index]
        while stack:
            at = stack[-1]
            if at in closed:
                stack.pop()
                continue
            if any(node == at for node, _ in found_by.get(at, ())):
                closed[at] = True
                continue
            after = [reader for reader in readers[at] if reader in a.data]
            if not after:
                closed[at] = False
                continue
            unknown = [reader for reader in after if reader not in closed]
            if unknown and len(stack) < _LONGEST:
                stack.append(unknown[0])
                continue
            closed[at] = all(closed.get(reader, False) for reader in after)
        return closed[index]

    found_by: dict[int, list[tuple[int, int]]] = {}
    for node, output in found:
        found_by.setdefault(node, []).append((node, output))
    matched = sum(map(is_found, weighted))
    return Layers(len(weighted), matched, 0.0)


_LONGEST = 100_000


def _is_weight(array: Any) -> bool:
    return getattr(array, "dtype", None) is not None and array.dtype.kind == "f" and math.prod(array.shape) >= _FEW
