"""A node under repair, and how changes of it are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from irlint.formats.nnvm.keys.repair import tuple_text
from irlint.formats.nnvm.passes.wiring import one_entry_changed
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.state import state_of
from irlint.graph import Shape
from irlint.operators import Attribute, Operator
from irlint.repairs import site
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.json.document import JsonDocument

_NUMBERS = re.compile(r"\d{1,9}")
_LOCATIONS = ("in_data_locs", "in_state_locs", "remain_locs")  # of a _foreach: which inputs of its body are which

HOLDERS = ("attrs", "attr", "param")  # what the keys of attributes have been called
_INTERNAL = ("_backward", "_np", "_sg_", "_copyto", "_grad", "_identity_with")
_SHORT = {
    "Convolution": "conv",
    "FullyConnected": "fc",
    "Pooling": "pool",
    "BatchNorm": "bn",
    "SoftmaxOutput": "softmax",
    "Concat": "concat",
}
_KINDS = {
    **dict.fromkeys(("int", "uint", "long", "ulong"), site.Kind("int")),
    **dict.fromkeys(("shape", "ints"), site.Kind("int", True)),
    **dict.fromkeys(("float", "double"), site.Kind("float")),
    "floats": site.Kind("float", True),
    "bool": site.Kind("bool"),
    "enum": site.Kind("word"),
}
_UNCHECKED = frozenset(("act_type", "pool_type", "momentum", "seed", "workspace", "cudnn_tune", "cudnn_off"))
_PER_AXIS = frozenset(("kernel", "stride", "pad", "dilate", "kernel_size", "pool_size", "strides", "dilation"))
_NUMBER = re.compile(r"-?(?<![0-9])[0-9]{1,15}(?![0-9])(?:\.[0-9]{0,15})?(?:[eE][+-]?[0-9]{1,3})?")
_LIST = re.compile(r"[ \t]*[(\[]([-0-9., eE+]{0,200})[)\]][ \t]*")
_FAR = 256  # nodes above that are looked at
_MOST = 256  # inputs of a loop

Entry = tuple[int, int]  # a node and which of its outputs


class SymbolSite(site.Site):
    """One node of a graph, and the nodes around it."""

    counted_from = 1
    short_names = _SHORT

    def __init__(self, model: Model, document: JsonDocument, view: GraphView, index: int) -> None:
        assert model.operators is not None
        self.model, self.document, self.table = model, document, model.operators
        self.view, self.index, self.path = view, index, view.node_path(index)
        self.node: dict[str, Any] = view.originals[index]
        self.others = [k for k in range(len(view.nodes)) if k != index]
        self.op, self.name = view.ops[index], view.names[index]
        self.replacing = "Set `op` to `{0}`" if "op" in self.node else "Insert `op` with `{0}`"
        self.pointed: str | None = None  # the attribute that an error is at

    @property
    def operator(self) -> Operator | None:
        return self.table.get(self.op)

    @cached_property
    def holder(self) -> str:
        """The key of the node's attributes: old files have several, of which one is empty."""
        held = [key for key in HOLDERS if isinstance(self.node.get(key), dict)]
        return max(held, key=lambda key: bool(self.node[key]), default="attrs")

    @property
    def attributes(self) -> dict[str, Any]:
        """Return the attributes that are the operator's, not those that tools keep there."""
        held = self.node.get(self.holder)
        items = held.items() if isinstance(held, dict) else ()
        return {key: value for key, value in items if key == self.pointed or not key.startswith("__")}

    @property
    def entries(self) -> list[Any]:
        return list_of(self.node.get("inputs"))

    @property
    def inputs(self) -> list[Any]:
        return [tuple(entry[:2]) if are_numbers(entry) else entry for entry in self.entries]

    @cached_property
    def used(self) -> set[Entry]:
        """Return the outputs that some node reads."""
        return {(node, output) for node, output, *_ in self.view.entries}

    @cached_property
    def width(self) -> int:
        """Return how many numbers an entry has in this file: old ones leave the version out."""
        return min(map(len, self.view.entries), default=3)

    def sources(self, k: int) -> Iterator[site.Output]:
        for node in range(self.index - 1, max(self.index - _FAR, 0) - 1, -1):
            key = (node, 0)
            yield site.Output(key, self.shown(*key), self.view.names[node], key in self.used)
        others = [key for key in sorted(self.used) if key[1] and 0 <= key[0] < self.index]
        yield from (site.Output(key, self.shown(*key), is_read=True) for key in others)

    def shown(self, node: int, output: int) -> str:
        return f"output {output} of {self.view.names[node]!r}" if output else repr(self.view.names[node])

    def siblings(self) -> Iterator[Mapping[str, Any]]:
        yield from (self.view.attrs[k] for k in self.others if self.view.ops[k] == self.op)

    def alike(self) -> frozenset[str]:
        """Return operators of other nodes with the same attributes."""
        names = self.attributes.keys()
        return frozenset(self.view.ops[k] for k in self.others if names and self.view.attrs[k].keys() == names)

    def shape(self, k: int) -> Shape | None:
        """Return the shape of a variable that the node reads, as the file or the parameter file tells it."""
        key = self.inputs[k] if k < len(self.inputs) else None
        if not isinstance(key, tuple) or not self.view.is_variable(key[0]):
            return None
        declared = numbers_of(self.view.attrs[key[0]].get("__shape__"))
        shape = declared or stored_shapes(self.model).get(self.view.names[key[0]])
        return tuple(shape) if shape and 0 not in shape else None

    def operators(self) -> Iterator[tuple[str, Operator]]:
        """Yield each operator by the name that the file uses, else its own; none for internal use only."""
        in_file = {self.view.ops[k] for k in self.others}
        names = {operator.name: name for name in in_file if (operator := self.table.get(name)) is not None}
        for name in self.table.names:
            operator = self.table.get(name)
            if operator is not None and operator.name == name and not name.startswith(_INTERNAL):
                yield names.get(name, name), operator

    # values

    def kind(self, record: Attribute | None, old: Any) -> site.Kind:
        return _KINDS.get(record.kind, _ANY) if record is not None else _ANY

    def read(self, old: Any) -> Any:
        if not isinstance(old, str):
            return super().read(old)
        if old in ("True", "False"):
            return old == "True"
        if (found := _LIST.fullmatch(old)) is not None:
            return tuple([_number(text) for text in _NUMBER.findall(found[1])])
        return _number(old) if _NUMBER.fullmatch(old) else old

    def spelled(self, value: Any, record: Attribute | None, old: Any) -> str:
        if not isinstance(value, tuple):
            return str(value)
        return str(list(value)) if str(old).lstrip().startswith("[") else tuple_text(value)

    def evidence(self, name: str, record: Attribute | None, old: Any) -> Iterator[site.Value]:
        yield from ((text, 0) for text in counted(self, name))

    def per_axis(self, name: str) -> int:
        return int(name in _PER_AXIS)

    def is_unchecked(self, record: Attribute | None, kind: site.Kind) -> bool:
        is_unchecked = record is not None and (record.name in _UNCHECKED or record.name.endswith("_input_locs"))
        return is_unchecked or super().is_unchecked(record, kind)

    def may_be_removed(self, name: str) -> bool:
        return name == self.pointed

    def is_lost(self, name: str, record: Attribute | None) -> bool:
        return name.startswith("__") or super().is_lost(name, record)

    # writing

    def with_attribute(self, name: str, value: str) -> site.Edits:
        document, path, held = self.document, (*self.path, self.holder), self.node.get(self.holder)
        if not isinstance(held, dict):
            return self._with_member(self.holder, document.dump({name: value}))
        if name in held:
            return document.write(Place((*path, name)), value)
        return document.insert_member(path, name, document.dump(value))

    def _with_member(self, key: str, text: str) -> site.Edits:
        """Return the edits that give the node another value of a key, or a key."""
        if key in self.node:
            return self.document.replace(Place((*self.path, key)), text)
        return self.document.insert_member(self.path, key, text)

    def without_attribute(self, name: str) -> site.Edits:
        return self.document.remove((*self.path, self.holder, name))

    def with_operator(self, name: str) -> site.Edits:
        return self._with_member("op", self.document.dump(name))

    def with_input(self, k: int, key: Any) -> site.Edits:
        """Return the edits that make an entry refer to an output: of its numbers only those that differ are written."""
        entry, path, document = self.entries[k], (*self.path, "inputs", k), self.document
        if not are_numbers(entry) or not are_numbers([*key]):
            return document.replace(Place(path), self.dumped(key))
        changes = (document.write(Place((*path, j)), key[j]) for j in (0, 1) if entry[j] != key[j])
        return tuple(chain.from_iterable(changes))

    def with_inputs(self, keys: Sequence[Any]) -> site.Edits:
        document, path, old = self.document, (*self.path, "inputs"), self.inputs
        if len(keys) == len(old):
            changed = [k for k, key in enumerate(keys) if key != old[k]]
            edits = (document.replace(Place((*path, k)), self.dumped(keys[k])) for k in changed)
            return tuple(chain.from_iterable(edits))
        found = one_entry_changed(document, path, old, list(keys), self.dumped)
        return self.with_all_inputs(keys) if found is None else found

    def with_all_inputs(self, keys: Sequence[Any]) -> site.Edits:
        return self._with_member("inputs", f"[{', '.join(map(self.dumped, keys))}]")

    def dumped(self, key: Any) -> str:
        """Return an entry as it is written: one that the node has as it has it."""
        is_known = key in self.inputs
        return self.document.dump(self.entries[self.inputs.index(key)] if is_known else [*key, 0][: self.width])


_ANY = site.Kind("")


def _number(text: str) -> float | int:
    value = float(text)
    return int(value) if "." not in text and "e" not in text.lower() else value


def list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def are_numbers(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) in (2, 3) and all(type(number) is int for number in entry)


def counted(site: SymbolSite, key: str) -> list[str]:
    """Return values of an attribute that follow from what can be counted."""
    if key in _LOCATIONS:
        return _locations(site, key)
    bodies = [body for body in list_of(site.node.get("subgraphs")) if isinstance(body, dict)]
    if key == "num_args":
        return [str(len(site.entries) + len(bodies))]
    if bodies and key in ("num_outputs", "num_out_data"):
        heads = len(list_of(bodies[-1].get("heads")))
        states = numbers_of(site.attributes.get("in_state_locs")) or []
        return [str(heads - len(states) * (key == "num_out_data"))]
    outputs = [output for node, output in site.used if node == site.index and key == "num_outputs"]
    return [str(max(outputs) + 1)] if outputs else []


def _locations(site: SymbolSite, key: str) -> list[str]:
    """Return the inputs of a loop's body that the other attributes leave."""
    taken = [numbers_of(site.attributes.get(other)) for other in _LOCATIONS if other != key]
    if None in taken or len(site.entries) > _MOST:
        return []
    rest = sorted({*range(len(site.entries))}.difference(*filter(None, taken)))
    is_other_order = len(rest) == 2 and set(numbers_of(site.attributes.get(key)) or ()) != set(rest)
    return [str(rest), str(rest[::-1])] if is_other_order else [str(rest)]


def stored_shapes(model: Model) -> dict[str, tuple[int, ...]]:
    """Return the shapes in the parameter file, by name."""
    opened = state_of(model).params
    arrays = opened[1].arrays if opened is not None else ()
    return {array.name.rpartition(":")[2]: array.shape for array in arrays if array.shape}


def numbers_of(value: Any) -> list[int] | None:
    return [int(found) for found in _NUMBERS.findall(value)[:64]] if isinstance(value, str) else None
