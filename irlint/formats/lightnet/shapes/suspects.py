"""Who may be to blame for a failed check: each suspect is one place in the file and what would be without its mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from irlint.formats.lightnet.shapes.base import KnownTensor, PreparedOperator, ShapeRepair
from irlint.formats.lightnet.shapes.infer import FoundFailure, Types
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph, Node, Source
from irlint.operators import Attribute
from irlint.records import NamedTuple
from irlint.text.base import Place

# operators that hand on the shape of their first input and ask nothing of it
_TRANSPARENT = frozenset({"relu", "lrelu", "sigmoid", "forward", "softmax"})
_PRINTS = ("print", "fprint")
_INDIFFERENT = frozenset({*_TRANSPARENT, *_PRINTS})
# the parameter that an output's shape, or its element type, comes from
_SHAPE_FROM = {
    "create": "dims", "zeros": "dims", "arange": "stop", "reshape": "dims", "resize": "dims", "upsample": "scales",
}  # fmt: skip
_DTYPE_FROM = {"create": "dtype", "zeros": "dtype", "arange": "dtype", "submean": "dtype"}

_SIZE_FROM = {"slice": ("len",), "pick1d": ("stride", "len"), "maxreduce": ("axis",), "upsample": ("scales",)}
_PER_AXIS = ("padding", "stride", "dilation", "size")  # parameters whose numbers are usually equal

DEPTH = 16  # operators above the failed one that are looked at
UNREAD = 3  # tensors without a reader that are tried in the place of an input

Change = tuple[str, int, Any]  # ("output" | "input" | "attr" | "hush", operator, which): see LightNetInference


class Suspect(NamedTuple):
    place: Place
    overrides: dict[Change, Any]
    source: Source | None = None  # the tensor whose type would be another one
    vague: bool = False  # the repair says only "something else"
    better: Any = None  # what to write at the place, if that is known
    distant: bool = False  # other operators stand between the place and the check


class OperatorLookup:
    """Operators of one graph by index, and who reads which tensor."""

    def __init__(self, graph: Graph, prepared: Sequence[PreparedOperator]) -> None:
        self.graph = graph
        self.known = {operator.node.index: operator for operator in prepared}

    def name(self, index: int) -> str:
        """Return the operator of source files that a node is."""
        known = signature(self.graph.nodes[index].op) if index >= 0 else None
        return known.operator.name if known else ""

    @cached_property
    def readers(self) -> dict[Source, list[int]]:
        found: dict[Source, list[int]] = {}
        for node in self.graph.nodes:
            for source in node.inputs:
                found.setdefault(Source(*source), []).append(node.index)
        return found

    @cached_property
    def is_printing(self) -> bool:
        return any(self.name(index) in _PRINTS for index in self.known)

    def are_content(self, source: Source, index: int) -> bool:
        """Return whether an operator other than this one asks something of a tensor; it is content with it as it is."""
        others = [at for at in self.readers.get(source, ()) if at != index]
        return any(self.name(at) not in _INDIFFERENT for at in others)

    def unread(self, index: int) -> Iterator[Source]:
        """Yield tensors that are defined above an operator and read by none, the nearest first."""
        for node in reversed(self.graph.nodes[:index]):
            sources = [Source(node.index, k) for k in range(len(node.outputs))]
            if sources and self.readers.keys().isdisjoint(sources):
                yield sources[0]

    def above(self, prepared: PreparedOperator) -> list[PreparedOperator]:
        """Return an operator and the nearest of those that it depends on."""
        found, seen = [prepared], {prepared.node.index}
        for operator in found:  # grows on the way
            for source, _ in operator.node.inputs:
                above = self.known.get(source) if source < operator.node.index and source not in seen else None
                if above is not None and above.node.inputs and len(found) <= DEPTH:
                    seen.add(source)
                    found.append(above)
        return found


class FailureSuspects:
    """The suspects of one failed check."""

    def __init__(self, lookup: OperatorLookup, found: FoundFailure, types: Types) -> None:
        self.lookup, self.graph, self.types = lookup, lookup.graph, types
        self.found, self.node = found, found.node

    def __iter__(self) -> Iterator[Suspect]:
        """Yield the most likely first."""
        yield from self._misread()
        vague = []
        for repair in self.found.repairs:
            if repair.kind == "attr":
                yield self._repaired(repair)
            elif (suspect := self._creator(repair)) is not None:
                yield suspect
                if not suspect.vague:
                    vague.append(repair._replace(value=KnownTensor(repair.value.dtype)))
        yield from filter(None, map(self._creator, vague))
        yield from self._irregular()
        yield self.in_place()
        yield from self._sizes()

    def in_place(self) -> Suspect:
        """Return the check itself: nothing else is to blame."""
        return Suspect(failure_place(self.graph, self.found), {("hush", self.node.index, 0): True}, vague=True)

    def _parameter(
        self, node: Node, name: str, value: Any, element: int | None, better: Any, vague: bool = False
    ) -> Suspect:
        place = part_place(self.graph, node, f"attr:{name}", element)
        return Suspect(place, {("attr", node.index, name): value}, vague=vague, better=better)

    def _repaired(self, repair: ShapeRepair) -> Suspect:
        """Return another value of a parameter of the operator itself."""
        old, value, element = self.node.attrs.get(repair.which), repair.value, repair.element
        if element is None and isinstance(old, list):
            element = 0 if len(old) == 1 else only_difference(old, value)
        better = value if element is None or value is None else value[element]
        return self._parameter(self.node, repair.which, value, element, better, vague=value is None)

    def _creator(self, repair: ShapeRepair) -> Suspect | None:
        """Return the parameter that gave an input its type, if it comes straight from one."""
        wanted = repair.value
        if repair.kind != "input" or (wanted.dims is not None and min(wanted.dims) <= 0):
            return None
        source = Source(*self.node.inputs[self.found.prepared.position(repair.which)])
        now = self._type(source)
        if wanted.dtype not in (None, now.dtype):
            return self._dtype_creator(source, wanted.dtype)
        source = self._origin(source)
        name = _SHAPE_FROM.get(self.lookup.name(source.node))
        if name is None or not 0 <= source.node < self.node.index:
            return None
        maker = self.graph.nodes[source.node]
        if wanted.dims is None and maker.inputs:
            return None  # what only reshapes another tensor is not more likely than its reader
        element, better = repair.element, None
        if name == "stop" or now.dims is None:
            element = None
        elif wanted.dims is not None:
            element = only_difference(list(now.dims), list(wanted.dims))
            better = list(wanted.dims) if element is None else wanted.dims[element]
        place = part_place(self.graph, maker, f"attr:{name}", element)
        better = better if name == "dims" else None
        return Suspect(place, {("output", *source): wanted}, source, wanted.dims is None, better)

    def _origin(self, source: Source) -> Source:
        """Return the tensor from which one has its shape, through the operators that hand it on."""
        while self.lookup.name(source.node) in _TRANSPARENT and self.graph.nodes[source.node].inputs:
            inner = Source(*self.graph.nodes[source.node].inputs[0])
            if not 0 <= inner.node < source.node:
                return Source(-1)
            source = inner
        return source

    def _dtype_creator(self, source: Source, dtype: str) -> Suspect | None:
        """Return the parameter from which the element type of a tensor comes, through the operators that hand it on."""
        below, distant = self.node.index, False
        while 0 <= source.node < below and (name := _DTYPE_FROM.get(self.lookup.name(source.node))) is None:
            operator = self.lookup.known.get(source.node)
            if operator is None or not operator.node.inputs or self._type(source).dtype is None:
                return None
            names, ports = operator.signature.inputs, operator.signature.operator.outputs
            shared = ports[min(source.output, len(ports) - 1)].facts.get("shares_memory_of", names[0])
            k = operator.position(names.index(shared))
            below, distant, source = source.node, True, Source(*operator.node.inputs[k])
        if not 0 <= source.node < below:
            return None
        place = self.graph.place(source.node, f"attr:{name}")
        tensor = KnownTensor(dtype, self._type(source).dims)
        return Suspect(place, {("output", *source): tensor}, source, better=dtype, distant=distant)

    def _type(self, source: Source) -> KnownTensor:
        found: KnownTensor = self.types[source.node][source.output]
        return found

    def _misread(self) -> Iterator[Suspect]:
        """Yield inputs, here or above, that an unused tensor could replace."""
        unread = list(islice(self.lookup.unread(self.node.index), UNREAD))
        if not unread:
            return
        for node in sorted((one.node for one in self.lookup.above(self.found.prepared)), key=lambda node: node.index):
            for source in unread:
                tensor = self._type(source)
                if source.node >= node.index or tensor.dims is None:
                    continue
                for k, (read, _) in enumerate(node.inputs):
                    # an input that reads nothing has been reported
                    if 0 <= read < node.index and self._may_read(node, k, tensor):
                        place = self.graph.place(node, f"input:{k}")
                        name = self.graph.nodes[source.node].outputs[source.output].name
                        yield Suspect(place, {("input", node.index, k): tensor}, better=name)

    def _may_read(self, node: Node, k: int, tensor: KnownTensor) -> bool:
        """Return whether an unused tensor may be meant. Where nothing is printed, unused tensors are the outputs of the model."""
        if node is not self.node:
            return self.lookup.is_printing
        wanted = self._wanted.get(k)
        if wanted is None or wanted.dtype != tensor.dtype:
            return False
        return self.lookup.is_printing if wanted.dims is None else list(tensor.dims) == list(wanted.dims)

    @cached_property
    def _wanted(self) -> dict[int, KnownTensor]:
        """Return what the first repair of each input says it should be."""
        repairs = [repair for repair in reversed(self.found.repairs) if repair.kind == "input"]
        return {self.found.prepared.position(repair.which): repair.value for repair in repairs}

    def _irregular(self) -> Iterator[Suspect]:
        """Yield parameters, here or above, that look odd by themselves."""
        for operator in self.lookup.above(self.found.prepared):
            for attribute, value in zip(operator.signature.params, operator.values, strict=False):
                written = operator.node.attrs.get(attribute.name)
                for other, element, better in _likelier(attribute, value, written):
                    yield self._parameter(operator.node, attribute.name, other, element, better)

    def _sizes(self) -> Iterator[Suspect]:
        """Yield parameters of the operators right above that decide how large their outputs are."""
        for source, _ in self.node.inputs:
            operator = self.lookup.known.get(source) if source < self.node.index else None
            if operator is not None:
                for name in _SIZE_FROM.get(operator.signature.operator.name, ()):
                    yield self._parameter(operator.node, name, None, None, None, vague=True)


def _likelier(attribute: Attribute, value: Any, written: Any) -> Iterator[tuple[Any, int | None, Any]]:
    """Yield what an odd value may have been: the value, which element of it is the odd one, and what to write there."""
    if value != written and attribute.kind.startswith("number"):
        yield None, only_difference(written, value), None  # read as another number than is written
    elif attribute.values and value not in (None, *attribute.values):
        yield from ((word, None, word) for word in attribute.values)
    elif attribute.name in _PER_AXIS and isinstance(value, list) and len(set(value)) > 1:
        for usual in sorted(set(value), key=value.count, reverse=True):
            regular = [usual] * len(value)
            at = only_difference(value, regular)
            yield regular, at, regular if at is None else usual


def failure_place(graph: Graph, found: FoundFailure) -> Place:
    """Return where a failed check is reported if nothing else is to blame."""
    part, fault = found.fault.part, found.fault
    if part.startswith("input:"):
        part = f"input:{found.prepared.position(int(fault.name))}"
    return part_place(graph, found.node, part, fault.element)


def part_place(graph: Graph, node: Node, part: str, element: int | None) -> Place:
    """Return the place of a part of a node, or of one element of it."""
    place = graph.place(node, part)
    return place if element is None else Place((*place.path, element))


def only_difference(old: Any, new: Any) -> int | None:
    """Return the one index at which two lists of one length differ."""
    if not isinstance(old, list) or not isinstance(new, list) or len(old) != len(new):
        return None
    different = [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    return different[0] if len(different) == 1 else None
