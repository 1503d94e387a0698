"""Who may be to blame for a failed check: each suspect is one place in the file and what would be without its mistake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from irlint.formats.lightnet.shapes import KnownTensor, ShapeRepair
from irlint.formats.lightnet.shapes.infer import FoundFailure, LightNetInference, PreparedOperator
from irlint.formats.lightnet.signature import signature
from irlint.graph import Graph, Source
from irlint.records import NamedTuple
from irlint.text.base import Place

# operators that hand on the shape of their first input and ask nothing of it
_TRANSPARENT = frozenset({"relu", "lrelu", "sigmoid", "forward", "softmax"})
_INDIFFERENT = frozenset({*_TRANSPARENT, "print", "fprint"})
# the parameter that an output's shape, or its element type, comes from
_SHAPE_FROM = {
    "create": "dims", "zeros": "dims", "arange": "stop", "reshape": "dims", "resize": "dims", "upsample": "scales",
}  # fmt: skip
_DTYPE_FROM = {"create": "dtype", "zeros": "dtype", "arange": "dtype", "submean": "dtype"}

_SIZE_FROM = {"slice": ("len",), "pick1d": ("stride", "len"), "maxreduce": ("axis",), "upsample": ("scales",)}

DEPTH = 16  # operators above the failed one that are looked at
UNREAD = 3  # tensors without a reader that are tried in the place of an input

Change = tuple[str, int, Any]  # ("output" | "input" | "attr", operator, which): see Inference


class Suspect(NamedTuple):
    place: Place
    overrides: dict[Change, Any]
    source: Source | None = None  # the tensor whose type would be another one
    vague: bool = False  # the repair says only "something else"
    better: Any = None  # what to write at the place, if that is known
    distant: bool = False  # other operators stand between the place and the check


class Suspects:
    def __init__(self, graph: Graph, prepared: Sequence[PreparedOperator]) -> None:
        self.graph = graph
        self.known = {operator.node.index: operator for operator in prepared}
        self._readers: dict[Source, list[int]] | None = None

    def of(self, found: FoundFailure, types: LightNetInference) -> Iterator[Suspect]:
        """The likeliest first."""
        yield from self._misread(found, types)
        vague = []
        for repair in found.failure.repairs:
            kind, _, which = repair.part.partition(":")
            if kind == "attr":
                yield self._parameter(found.prepared, which, repair)
            elif kind == "input" and _is_possible(repair.value):
                suspect = self._creator(found, int(which), repair.value, repair.element, types)
                if suspect is not None:
                    yield suspect
                    if not suspect.vague:
                        vague.append(repair._replace(value=KnownTensor(repair.value.dtype)))
        for repair in vague:
            suspect = self._creator(found, int(repair.part[6:]), repair.value, repair.element, types)
            if suspect is not None:
                yield suspect
        yield from self._irregular(found)
        yield Suspect(failure_place(self.graph, found), {("hush", found.prepared.node.index, 0): True}, vague=True)
        yield from self._sizes(found)

    def name(self, index: int) -> str:
        """The operator of source files that a node is."""
        known = signature(self.graph.nodes[index].op) if index >= 0 else None
        return known.operator.name if known else ""

    @property
    def readers(self) -> dict[Source, list[int]]:
        if self._readers is None:
            self._readers = {}
            for node in self.graph.nodes:
                for source in node.inputs:
                    self._readers.setdefault(Source(*source), []).append(node.index)
        return self._readers

    def is_vouched(self, found: FoundFailure, suspect: Suspect) -> bool:
        """Whether another operator that asks something of the tensor is content with it as it is."""
        if suspect.source is None:
            return False
        others = [at for at in self.readers.get(suspect.source, ()) if at != found.prepared.node.index]
        return any(self.name(at) not in _INDIFFERENT for at in others)

    def _parameter(self, prepared: PreparedOperator, name: str, repair: ShapeRepair) -> Suspect:
        place = self.graph.place(prepared.node, f"attr:{name}")
        old = prepared.node.attrs.get(name)
        element = repair.element
        if element is None and isinstance(old, list):
            element = 0 if len(old) == 1 else only_difference(old, repair.value or ())
        if element is not None:
            place = Place((*place.path, element))
        better = repair.value
        if element is not None and isinstance(better, list):
            better = better[element] if len(better) == len(old or ()) else None
        key = ("attr", prepared.node.index, name)
        return Suspect(place, {key: repair.value}, vague=repair.value is None, better=better)

    def _creator(
        self, found: FoundFailure, k: int, tensor: KnownTensor, element: int | None, types: LightNetInference
    ) -> Suspect | None:
        """The parameter that gave an input its type, if it comes straight from one."""
        source = _source(found.prepared, k)
        now = types.types[source.node][source.output]
        if tensor.dtype is not None and now.dtype != tensor.dtype:
            return self._dtype_creator(found, source, tensor.dtype, types)
        while self.name(source.node) in _TRANSPARENT and self.graph.nodes[source.node].inputs:
            inner = Source(*self.graph.nodes[source.node].inputs[0])
            if not 0 <= inner.node < source.node:
                return None
            source = inner
        name = _SHAPE_FROM.get(self.name(source.node))
        if tensor.dims is None and self.graph.nodes[source.node].inputs:
            return None  # what only reshapes another tensor is not likelier than its reader
        if name is None or not 0 <= source.node < found.prepared.node.index:
            return None
        place = self.graph.place(source.node, f"attr:{name}")
        better: Any = None
        if name in ("dims", "scales") and now.dims is not None:
            if tensor.dims is not None:
                element = only_difference(list(now.dims), list(tensor.dims))
                better = list(tensor.dims) if element is None else tensor.dims[element]
            if element is not None:
                place = Place((*place.path, element))
        if name != "dims":
            better = None
        return Suspect(place, {("output", *source): tensor}, source, tensor.dims is None, better)

    def _dtype_creator(
        self, found: FoundFailure, source: Source, dtype: str, types: LightNetInference
    ) -> Suspect | None:
        """The parameter from which the element type of an input comes, through the operators that hand it on."""
        below, distant = found.prepared.node.index, False
        while 0 <= source.node < below and (name := _DTYPE_FROM.get(self.name(source.node))) is None:
            operator = self.known.get(source.node)
            if operator is None or not operator.node.inputs or types.types[source.node][source.output].dtype is None:
                return None
            port = operator.signature.operator.outputs[min(source.output, len(operator.signature.outputs) - 1)]
            k = operator.signature.inputs.index(port.facts.get("shares_memory_of", operator.signature.inputs[0]))
            below, distant, source = source.node, True, Source(*operator.node.inputs[_position(operator, k)])
        if not 0 <= source.node < below:
            return None
        place = self.graph.place(source.node, f"attr:{name}")
        tensor = KnownTensor(dtype, types.types[source.node][source.output].dims)
        return Suspect(place, {("output", *source): tensor}, source, better=dtype, distant=distant)

    def _misread(self, found: FoundFailure, types: LightNetInference) -> Iterator[Suspect]:
        """Return an input, here or above, that an unused tensor could replace."""
        unread = list(islice(self._unread(found.prepared.node.index), UNREAD))
        printing = any(self.name(index) in ("print", "fprint") for index in self.known)
        if not unread:
            return
        wanted = {
            _position(found.prepared, int(repair.part[6:])): repair.value
            for repair in reversed(found.failure.repairs)
            if repair.part.startswith("input:")
        }
        for operator in sorted(self._above(found.prepared), key=lambda operator: operator.node.index):
            node = operator.node
            for source in unread:
                tensor = types.types[source.node][source.output]
                if source.node >= node.index or tensor.dims is None:
                    continue
                for k, (read, _) in enumerate(node.inputs):
                    if not 0 <= read < node.index:
                        continue  # that it reads nothing has been said
                    exact = operator.node is found.prepared.node and k in wanted and wanted[k].dims is not None
                    if not (printing or exact):
                        continue  # unused tensors are the outputs of the model
                    if operator.node is found.prepared.node and not (k in wanted and _may_be(tensor, wanted[k])):
                        continue
                    name = self.graph.nodes[source.node].outputs[source.output].name
                    yield Suspect(self.graph.place(node, f"input:{k}"), {("input", node.index, k): tensor}, better=name)

    def _unread(self, index: int) -> Iterator[Source]:
        """Tensors that are defined above an operator and read by none, the nearest first."""
        for node in reversed(self.graph.nodes[:index]):
            sources = [Source(node.index, k) for k in range(len(node.outputs))]
            if sources and not any(source in self.readers for source in sources):
                yield sources[0]

    def _above(self, prepared: PreparedOperator) -> Iterator[PreparedOperator]:
        """The operator itself and the nearest of those that it depends on."""
        queue, seen = [prepared], {prepared.node.index}
        for operator in queue:  # grows on the way
            yield operator
            for source, _ in operator.node.inputs:
                above = self.known.get(source) if source < operator.node.index and source not in seen else None
                if above is not None and above.node.inputs and len(queue) <= DEPTH:
                    seen.add(source)
                    queue.append(above)

    def _irregular(self, found: FoundFailure) -> Iterator[Suspect]:
        """Parameters above that look odd by themselves: one entry unlike the others, a word that is not known."""
        for operator in self._above(found.prepared):
            for attribute, value in zip(operator.signature.params, operator.values, strict=False):
                key = ("attr", operator.node.index, attribute.name)
                place = self.graph.place(operator.node, f"attr:{attribute.name}")
                if value != operator.node.attrs.get(attribute.name) and attribute.kind.startswith("number"):
                    raw = operator.node.attrs[attribute.name]
                    at = only_difference(raw, value) if isinstance(raw, list) and isinstance(value, list) else None
                    where = place if at is None else Place((*place.path, at))
                    yield Suspect(where, {key: None})  # read as another number than is written
                elif attribute.values and value is not None and value not in attribute.values:
                    for word in attribute.values:
                        yield Suspect(place, {key: word}, better=word)
                elif attribute.name in ("padding", "stride", "dilation", "size") and isinstance(value, list):
                    for usual in sorted(set(value), key=value.count, reverse=True) if len(set(value)) > 1 else ():
                        regular = [usual] * len(value)
                        at = only_difference(value, regular)
                        where = place if at is None else Place((*place.path, at))
                        yield Suspect(where, {key: regular}, better=regular if at is None else usual)

    def _sizes(self, found: FoundFailure) -> Iterator[Suspect]:
        """Parameters of the operators right above that decide how large their outputs are."""
        for source, _ in found.prepared.node.inputs:
            operator = self.known.get(source)
            if operator is None or source >= found.prepared.node.index:
                continue
            for name in _SIZE_FROM.get(operator.signature.operator.name, ()):
                place = self.graph.place(operator.node, f"attr:{name}")
                yield Suspect(place, {("attr", source, name): None}, vague=True)


def failure_place(graph: Graph, found: FoundFailure) -> Place:
    """Return where a failed check is reported if nothing else is to blame."""
    prepared, failure = found
    kind, _, which = failure.part.partition(":")
    if kind == "input":
        return graph.place(prepared.node, f"input:{_position(prepared, int(which))}")
    place = graph.place(prepared.node, failure.part)
    return place if failure.element is None else Place((*place.path, failure.element))


def _position(prepared: PreparedOperator, k: int) -> int:
    """Return the position of an input of the table in the file's list."""
    return prepared.inputs[k] if prepared.inputs else k


def _may_be(tensor: KnownTensor, wanted: KnownTensor) -> bool:
    return tensor.dtype == wanted.dtype and (wanted.dims is None or list(tensor.dims or ()) == list(wanted.dims))


def _source(prepared: PreparedOperator, k: int) -> Source:
    return Source(*prepared.node.inputs[_position(prepared, k)])


def _is_possible(tensor: KnownTensor) -> bool:
    return tensor.dims is None or min(tensor.dims) > 0


def only_difference(old: Sequence[Any], new: Sequence[Any]) -> int | None:
    """The one index at which two lists of one length differ."""
    if len(old) != len(new):
        return None
    different = [k for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
    return different[0] if len(different) == 1 else None
