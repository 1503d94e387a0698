"""A node under repair, and how changes of it are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from irlint.formats.nnvm.passes.wiring import one_entry_changed
from irlint.formats.nnvm.state import state_of
from irlint.graph import Shape
from irlint.operators import Attribute, Operator
from irlint.repairs import site
from irlint.rules.base import Model
from irlint.text.base import Path, Place
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
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{0,15})?(?:[eE][+-]?[0-9]{1,3})?")
_LIST = re.compile(r"[ \t]*[(\[]([-0-9., eE+]{0,200})[)\]][ \t]*")
_FAR = 256  # nodes above that are looked at
_MOST = 256  # inputs of a loop

Entry = tuple[int, int]  # a node and which of its outputs


class Site(site.Site):
    """One node of a graph, and the nodes around it."""

    counted_from = 1
    short_names = _SHORT

    def __init__(self, model: Model, document: JsonDocument, nodes_path: Path, nodes: list[Any], index: int) -> None:
        assert model.operators is not None
        self.model, self.document, self.table = model, document, model.operators
        self.nodes, self.index, self.path = nodes, index, (*nodes_path, index)
        self.node: dict[str, Any] = nodes[index]
        self.others = [node for node in nodes if isinstance(node, dict) and node is not self.node]
        self.op, self.name = text_of(self.node.get("op")), text_of(self.node.get("name"))
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
        held = attributes_of(self.node)
        return {key: value for key, value in held.items() if key == self.pointed or not key.startswith("__")}

    @property
    def entries(self) -> list[Any]:
        return list_of(self.node.get("inputs"))

    @property
    def inputs(self) -> list[Any]:
        return [tuple(entry[:2]) if are_numbers(entry) else entry for entry in self.entries]

    @cached_property
    def used(self) -> set[Entry]:
        """The outputs that some node reads."""
        return {(e[0], e[1]) for e in entries_of(self.nodes) if are_numbers(e)}

    @cached_property
    def width(self) -> int:
        """How many numbers an entry has in this file: old ones leave the version out."""
        return 2 if any(len(entry) == 2 for entry in entries_of(self.nodes)) else 3

    def sources(self, k: int) -> Iterator[site.Output]:
        for node in range(self.index - 1, max(self.index - _FAR, 0) - 1, -1):
            if isinstance(other := self.nodes[node], dict):
                yield site.Output((node, 0), self.shown(node, 0), text_of(other.get("name")), (node, 0) in self.used)
        others = [key for key in sorted(self.used) if key[1] and 0 <= key[0] < self.index]
        yield from (site.Output(key, self.shown(*key), is_read=True) for key in others)

    def shown(self, node: int, output: int) -> str:
        name = repr(self.nodes[node].get("name"))
        return f"output {output} of {name}" if output else name

    def siblings(self) -> Iterator[Mapping[str, Any]]:
        yield from (held for node in self.others if node.get("op") == self.op and (held := attributes_of(node)))

    def alike(self) -> frozenset[str]:
        """Return operators of other nodes with the same attributes."""
        given = self.attributes.keys()
        alike = [node for node in self.others if given and attributes_of(node).keys() == given]
        return frozenset(text_of(node.get("op")) for node in alike)

    def shape(self, k: int) -> Shape | None:
        """Return the shape of a variable that the node reads, as the file or the parameter file tells it."""
        index = next(iter(list_of(self.entries[k])), None) if k < len(self.entries) else None
        other = self.nodes[index] if type(index) is int and 0 <= index < len(self.nodes) else None
        if not isinstance(other, dict) or not is_variable(other):
            return None
        declared = numbers_of(attributes_of(other).get("__shape__"))
        shape = declared or stored_shapes(self.model).get(text_of(other.get("name")))
        return tuple(shape) if shape and 0 not in shape else None

    def operators(self) -> Iterator[tuple[str, Operator]]:
        """Yield each operator by the name that the file uses, else its own; none for internal use only."""
        in_file = {text_of(node.get("op")) for node in self.others}
        names = {operator.name: name for name in in_file if (operator := self.table.get(name)) is not None}
        known = [operator for name in self.table.names if (operator := self.table.get(name)) and operator.name == name]
        for operator in known:
            if not operator.name.startswith(_INTERNAL):
                yield names.get(operator.name, operator.name), operator

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
        text = ", ".join(map(str, value))
        if isinstance(old, str) and old.lstrip().startswith("["):
            return f"[{text}]"
        return f"({text},)" if len(value) == 1 else f"({text})"

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
        changes = [Place((*path, j)) for j in (0, 1) if entry[j] != key[j]]
        return tuple([edit for at in changes for edit in document.write(at, key[at.path[-1]])])

    def with_inputs(self, keys: Sequence[Any]) -> site.Edits:
        document, path, old = self.document, (*self.path, "inputs"), self.inputs
        if len(keys) == len(old):
            changed = [k for k, key in enumerate(keys) if key != old[k]]
            return tuple([edit for k in changed for edit in document.replace(Place((*path, k)), self.dumped(keys[k]))])
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


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def is_variable(node: Any) -> bool:
    return isinstance(node, dict) and node.get("op") == "null"


def attributes_of(node: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of a node under whatever key it has some."""
    return next((held for key in HOLDERS if isinstance(held := node.get(key), dict) and held), {})


def entries_of(nodes: list[Any]) -> Iterator[list[Any]]:
    """Yield what the nodes read, as far as it is written as entries."""
    lists = (list_of(node.get("inputs")) for node in nodes if isinstance(node, dict))
    return (entry for entries in lists for entry in entries if isinstance(entry, list))


def are_numbers(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) in (2, 3) and all(type(number) is int for number in entry)


def counted(site: Site, key: str) -> list[str]:
    """Return values of an attribute that follow from what can be counted."""
    if key in _LOCATIONS:
        return _locations(site, key)
    bodies = [body for body in list_of(site.node.get("subgraphs")) if isinstance(body, dict)]
    if key == "num_args":
        return [str(len(site.entries) + len(bodies))]
    if key not in ("num_outputs", "num_out_data"):
        return []
    if bodies:
        heads = len(list_of(bodies[-1].get("heads")))
        states = numbers_of(site.attributes.get("in_state_locs")) or []
        return [str(heads - len(states) * (key == "num_out_data"))]
    outputs = [output for node, output in site.used if node == site.index]
    return [str(max(outputs) + 1)] if outputs and key == "num_outputs" else []


def _locations(site: Site, key: str) -> list[str]:
    """Return the inputs of a loop's body that the other attributes leave."""
    taken = [numbers_of(site.attributes.get(other)) for other in _LOCATIONS if other != key]
    if None in taken or len(site.entries) > _MOST:
        return []
    rest = sorted({*range(len(site.entries))}.difference(*filter(None, taken)))
    found = (
        [rest, rest[::-1]]
        if len(rest) == 2 and set(numbers_of(site.attributes.get(key)) or ()) != set(rest)
        else [rest]
    )
    return [str(numbers) for numbers in found]


def stored_shapes(model: Model) -> dict[str, tuple[int, ...]]:
    """Return the shapes in the parameter file, by name."""
    opened = state_of(model).params
    arrays = opened[1].arrays if opened is not None else ()
    return {array.name.rpartition(":")[2]: array.shape for array in arrays if array.shape}


def numbers_of(value: Any) -> list[int] | None:
    return [int(found) for found in _NUMBERS.findall(value)[:64]] if isinstance(value, str) else None
