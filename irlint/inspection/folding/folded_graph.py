"""One graph of one version of a model without nodes that do nothing, and with the values of its constants."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from itertools import zip_longest
from typing import Any

from irlint.dryrun.dims import is_settled, numel
from irlint.dryrun.infer import order_of
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import FromAttr
from irlint.graph import NOWHERE, Graph, Node, Shape, Source
from irlint.inspection.folding.idle import CallGraph, idle
from irlint.inspection.review.computation import Computation, computation, shaping_places
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.form import FEW, Form, FormGraph
from irlint.inspection.review.reduced import Body
from irlint.inspection.review.roles import MEANT, PRODUCTS, RECURRENT, RESHAPING, SAME
from irlint.inspection.rounding import EXACT, Rounding, coarser
from irlint.inspection.types import type_lookup
from irlint.rules.base import Model

_MOST, _TIMES = 1 << 22, 8  # numbers of a computed constant: so many, or so many times what the file holds
_LARGE = 1 << 16  # elements of constants of which only a digest is kept
# Operators that keep their elements in order: what they output is what they read if it has that type
_KEEPING = SAME | RESHAPING | {"broadcast_to"}


class FoldedGraph(FormGraph):
    """One graph of one version."""

    def __init__(self, form: Form, body: Body) -> None:
        super().__init__(form, body)
        self.body = body
        self.model = form.model
        self.outside: dict[int, Hashable] = {}  # variables that stand for values of the graph around this one
        self.parts: dict[
            int, int
        ] = {}  # nodes that scale the result of a layer, which is all of them in the other version
        self.values: dict[Source, Any] = {}
        self.numbers: dict[int, int] = {}
        self._shaping: dict[int, set[int]] = {}
        self.steps: dict[int, int] = {}  # that nodes take in usual runs
        self._origins: dict[Source, Source] = {}
        self._idle: dict[int, Source] = {}  # calls that output a value before them, as runs of them show
        self._known: dict[int, Computation | None] = {}

    def has(self, other: FoldedGraph, index: int) -> bool:
        """Return whether a node of the other version is computed here, too, whatever its name."""
        return other.numbers.get(index) in self._numbers

    @cached_property
    def _numbers(self) -> set[int]:
        return set(self.numbers.values())

    def place(self, source: Source) -> Source:
        """Return where a value comes from; an attribute is at its own place."""
        return source if source[1] < 0 else self.origin(source)

    def origin(self, source: Source) -> Source:
        """Return where a value comes from, before nodes that do not change it."""
        way: dict[Source, None] = {}
        while source not in self._origins:
            way[source] = None
            before = self._before(source)
            if before is None or before in way:  # nodes on a cycle
                self._origins[source] = source
            else:
                source = before
        found = self._origins[source]
        self._origins.update(dict.fromkeys(way, found))
        return found

    def _before(self, source: Source) -> Source | None:
        """Return the same value, as a node before has it; None if there is none."""
        if source[0] < 0:
            return None
        if (layer := self.parts.get(source[0])) is not None:
            return Source(layer)
        if source[1]:
            return None
        keeps = self._keeps(self.graph.nodes[source[0]])
        return Source(*self.graph.nodes[source[0]].inputs[0]) if keeps else self._idle.get(source[0])

    def rounding_of(self, index: int) -> Rounding:
        """Return how coarse the constants are that a node reads."""
        return self._roundings[index] if self._roundings else EXACT

    @cached_property
    def _roundings(self) -> list[Rounding]:
        return self.form.roundings(self.graph, of_results=False)

    @cached_property
    def rounding_of_weights(self) -> Rounding:
        """How coarse the coarsest constants of the whole model are."""
        return coarser(*self.form.roundings(self.model.graph, of_results=False))

    def is_idle(self, index: int) -> bool:
        """Return whether a node outputs what it reads, or what a node before it does."""
        return index in self._idle or self._keeps(self.graph.nodes[index])

    def _keeps(self, node: Node) -> bool:
        """Return whether a node outputs what it reads, by its operator and types."""
        op = self.form.names.of(node) if node.kind == "call" else ""
        if op not in _KEEPING or not node.inputs or node.inputs[0][0] < 0 or len(node.inputs) > 2:
            return False
        own, read = self.type(Source(node.index)), self.type(Source(*node.inputs[0]))
        if op in SAME:
            return "cast" not in op or own.dtype == read.dtype is not None
        return own == read and is_settled(own.shape)

    def find_idle(self, asked: Iterable[int]) -> None:
        """Find out which of some nodes output what they read, whatever their operators are."""
        if self.form.mapping is None:
            return
        constants = ConstantValues(self.model, self.reduced, self.form.mapping)
        calls = CallGraph(self.graph, self.fed, self._is_cheap, self.type, constants, self.named)
        asked = list(asked)
        with suppress(RecursionError):
            self._read(Source(*one) for k in asked for one in self.graph.nodes[k].inputs if one[0] >= 0)
            self._idle = idle(calls, asked)

    def _is_cheap(self, index: int) -> bool:
        node = self.graph.nodes[index]
        op = self.form.names.of(node)
        if any(source[0] in self.huge for source in node.inputs):
            return False
        return node.kind == "call" and not node.graphs and MEANT.get(op, op) not in PRODUCTS | RECURRENT

    def computation(self, node: Node) -> Computation | None:
        """Return what a call computes, if that is known whatever its file calls it."""
        if node.index not in self._known:
            self._known[node.index] = self._computation(node)
        return self._known[node.index]

    def _computation(self, node: Node) -> Computation | None:
        if (function := self.form.functions.digest(self.graph, node)) is not None:
            return Computation(("function", function), [Source(*one) for one in node.inputs])
        types = [self.type(Source(*one)) for one in (*node.inputs[:1], (node.index, 0)) if one[0] >= 0]
        return computation(self.form.mapping, self.graph, node, types)

    @cached_property
    def fed(self) -> set[int]:
        """The nodes that depend on an input, or on numbers that are drawn."""
        drawn = () if self.form.mapping is None else self.form.mapping.random(self.graph)
        users, stack = self.graph.consumers(), [*self.reduced.inputs, *drawn]
        found = set(stack)
        while stack:
            new = [user for user in users[stack.pop()] if user not in found]
            found.update(new)
            stack += new
        return found

    def absorb(self, layers: Iterable[int]) -> None:
        """Take what scales the results of layers for a part of them."""
        self.parts = {node: layer for layer in layers for node in self.reduced.chains.get(layer, ())}

    def is_inside_layer(self, index: int, source: int) -> bool:
        """Return whether a node scales the result of a layer, and what it reads is that result, or one on the way: the other version has
        the last one."""
        layer = self.parts.get(index)
        return layer is not None and layer in (source, self.parts.get(source))

    def sources(self, node: Node, is_layer: bool) -> list[Source]:
        """Return where what a node reads comes from; `is_layer`: without its weights. An attribute that other versions of the operator have
        as an input has a place of its own. A nested graph says for itself what it reads from outside."""
        known = None if is_layer else self.computation(node)
        if known is not None:
            return [self._operand(node.index, k, one) for k, one in enumerate(known.operands)]
        outside = self.captured(node) if node.graphs else ()
        found = [(k, self.origin(Source(*source))) for k, source in enumerate(node.inputs) if k not in outside]
        shaping = self.shaping(node) if is_layer else ()
        return [source if not is_layer or source[0] in self.fed or k in shaping else NOWHERE for k, source in found]

    def _operand(self, index: int, place: int, operand: Source | FromAttr) -> Source:
        if not isinstance(operand, FromAttr):
            return self.origin(operand)
        source, tensor = Source(index, -1 - place), operand.tensor
        if source not in self.values and tensor.value is not None:
            self.values[source] = np.asarray(tensor.value, tensor.dtype).reshape(tensor.shape)
        return source

    def shaping(self, node: Node) -> set[int]:
        """Return the places of the inputs of a call that say something of shapes."""
        if (found := self._shaping.get(node.index)) is None:
            found = self._shaping[node.index] = shaping_places(self.form.mapping, self.graph, node)
        return found

    def captured(self, node: Node) -> set[int]:
        """Return the places of the inputs of a node that its graphs read without declaring them as their inputs."""
        parts = self.form.parts(self.graph, node)
        pairs = [(part, *pair) for part in parts for pair in zip(part.variables, part.sources, strict=False)]
        return {source for part, variable, source in pairs if variable not in part.graph.inputs}

    def inner(self, node: Node, names: Mapping[int, Hashable]) -> Iterator[FoldedGraph]:
        """Yield the graphs of a node. `names`: what the nodes that both versions have are called in both."""
        captured = self.captured(node)
        parts = self.form.parts(self.graph, node)
        for body, part in zip_longest(self.form.bodies(self.body, node), parts):
            made = FoldedGraph(self.form, body)
            for variable, place in zip(part.variables, part.sources, strict=False) if part is not None else ():
                if place in captured and place < len(node.inputs):
                    source = self.origin(Source(*node.inputs[place]))
                    known = names.get(source[0], ("number", self.numbers.get(source[0], -1)))
                    made.outside[variable] = "outside", known, source[1]
                    if source in self.values:
                        made.values[Source(variable)] = self.values[source]
            yield made

    def read_all(self) -> None:
        """Compute what nodes read that depend on an input."""
        nodes = [self.graph.nodes[index] for index in self.fed]
        read = {source for node in nodes for source in self.sources(node, False) if source[0] >= 0 <= source[1]}
        inner = {self.origin(Source(*one)) for node in nodes if node.graphs for one in node.inputs if one[0] >= 0}
        self._read({source for source in read | inner if source not in self.values})

    def symbols(self, source: Source) -> tuple[Shape, tuple[float | str, ...]] | None:
        """Return the numbers of a value that depends on nothing but lengths of inputs, and its shape; a symbol stands for a length."""
        found = self.lengths(source)
        return found if found is not None and all(isinstance(one, (int, float, str)) for one in found[1]) else None

    def _read(self, wanted: Iterable[Source]) -> None:
        """Compute constants, and take what inference knows of values that depend on inputs."""
        constants = set()
        for source in wanted:
            if source[0] in self.huge:
                continue
            if source[0] not in self.fed:
                constants.add(source)
            elif (found := self.symbols(source)) is not None:
                is_known = not any(isinstance(one, str) for one in found[1])
                kind = np.int64 if all(isinstance(one, int) for one in found[1]) else np.float32
                self.values[source] = np.asarray(found[1], kind).reshape(found[0]) if is_known else found
        if constants and self.form.mapping is not None:
            with suppress(RecursionError):
                ConstantValues(self.model, self.reduced, self.form.mapping).show(constants, self._keep)

    @cached_property
    def held(self) -> int:
        """How many numbers the constants have."""
        constants = (node for node in self.graph.nodes if node.kind == "const" and node.outputs)
        return sum(numel(self.type(Source(node.index)).shape) or 0 for node in constants)

    @cached_property
    def huge(self) -> set[int]:
        """The calls that are not computed."""
        return huge(self.model, self.graph)

    def _keep(self, source: Source, array: Any) -> None:
        known = array.dtype.kind in "biuf" and array.size <= _LARGE
        self.values[source] = array if known else (array.shape, blake2b(array.tobytes()).digest())

    def small(self, source: Source) -> Sequence[Any]:
        known = self.values.get(self.origin(source))
        if known is None or isinstance(known, tuple) or known.dtype.kind not in "iuf":
            return ()
        numbers: list[Any] = known.reshape(-1)[: FEW + 1].tolist()
        return numbers

    def value(self, source: Source) -> Hashable:
        """Return the numbers of a constant, or what stands for them; None if they are not known."""
        found = self.values.get(source)
        if found is None or isinstance(found, tuple):
            return found
        whole = found.astype(np.int64) if found.dtype.kind in "biu" else found
        return whole.shape, whole.dtype.name, whole.tobytes()


def huge(model: Model, graph: Graph) -> set[int]:
    """Return the calls whose results are computed from constants that are much larger than all that the file holds."""
    type_of = type_lookup(model)
    sizes = [numel(type_of(graph, node, 0).shape) or 0 if node.outputs else 0 for node in graph.nodes]
    held = sum(size for node, size in zip(graph.nodes, sizes, strict=True) if node.kind == "const")
    found, constant = set[int](), {node.index for node in graph.nodes if node.kind == "const"}
    for index in order_of(graph):
        node = graph.nodes[index]
        if node.kind == "call" and all(source[0] in constant for source in node.inputs):
            constant.add(index)
            if sizes[index] > max(_MOST, _TIMES * held) or any(source[0] in found for source in node.inputs):
                found.add(index)
    return found
