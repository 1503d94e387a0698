"""A node under repair, and how changes of it are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

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
        return next((key for key in held if self.node[key]), held[0] if held else "attrs")

    @property
    def attributes(self) -> dict[str, Any]:
        """Return the attributes that are the operator's, not those that tools keep there."""
        found = self.node.get(self.holder)
        held = found if isinstance(found, dict) else {}
        return {key: value for key, value in held.items() if key == self.pointed or not key.startswith("__")}

    @property
    def entries(self) -> list[Any]:
        found = self.node.get("inputs")
        return found if isinstance(found, list) else []

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
        for node, output in sorted(self.used):
            if output and 0 <= node < self.index:
                yield site.Output((node, output), self.shown(node, output), is_read=True)

    def shown(self, node: int, output: int) -> str:
        name = repr(self.nodes[node].get("name"))
        return f"output {output} of {name}" if output else name

    def siblings(self) -> Iterator[Mapping[str, Any]]:
        yield from self._held(lambda node: node.get("op") == self.op)

    def alike(self) -> frozenset[str]:
        """Return operators of other nodes with the same attributes."""
        given = set(self.attributes)
        nodes = (node for node in self.nodes if isinstance(node, dict) and node is not self.node)
        held = ((text_of(node.get("op")), node.get(key)) for node in nodes for key in HOLDERS)
        return frozenset(
            op for op, attributes in held if given and isinstance(attributes, dict) and set(attributes) == given
        )

    def _held(self, is_asked: Any) -> Iterator[dict[str, Any]]:
        """Yield the attributes of other nodes."""
        for node in self.nodes:
            if isinstance(node, dict) and node is not self.node and is_asked(node):
                yield from (held for key in HOLDERS if isinstance(held := node.get(key), dict) and held)

    def shape(self, k: int) -> Shape | None:
        """Return the shape of a variable that the node reads, as the file or the parameter file tells it."""
        entry = self.entries[k] if k < len(self.entries) else None
        index = entry[0] if isinstance(entry, list) and entry else None
        other = self.nodes[index] if type(index) is int and 0 <= index < len(self.nodes) else None
        if not isinstance(other, dict) or other.get("op") != "null":
            return None
        held = next((value for key in HOLDERS if isinstance(value := other.get(key), dict)), {})
        shape = numbers_of(held.get("__shape__")) or stored_shapes(self.model).get(text_of(other.get("name")))
        return tuple(shape) if shape and 0 not in shape else None

    def operators(self) -> Iterator[tuple[str, Operator]]:
        """Yield each operator by the name that the file uses, else its own; none for internal use only."""
        in_file = {text_of(node.get("op")) for node in self.nodes if isinstance(node, dict) and node is not self.node}
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
            return tuple(old) if isinstance(old, list) else old
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
        document, path = self.document, (*self.path, self.holder)
        held, text = self.node.get(self.holder), document.dump(value)
        if isinstance(held, dict):
            return (
                document.write(Place((*path, name)), value)
                if name in held
                else document.insert_member(path, name, text)
            )
        new = f"{{{document.dump(name)}: {text}}}"
        if self.holder in self.node:
            return document.replace(Place(path), new)
        return document.insert_member(self.path, self.holder, new)

    def without_attribute(self, name: str) -> site.Edits:
        return self.document.remove((*self.path, self.holder, name))

    def with_operator(self, name: str) -> site.Edits:
        if "op" in self.node:
            return self.document.write(Place((*self.path, "op")), name)
        return self.document.insert_member(self.path, "op", self.document.dump(name))

    def with_input(self, k: int, key: Any) -> site.Edits:
        """Return the edits that make an entry refer to an output: of its numbers only those that differ are written."""
        entry, path, document = self.entries[k], (*self.path, "inputs", k), self.document
        if not are_numbers(entry) or not are_numbers([*key]):
            return document.replace(Place(path), self.dumped(key))
        edits = [document.write(Place((*path, j)), key[j]) for j in (0, 1) if entry[j] != key[j]]
        return tuple([edit for some in edits for edit in some])

    def with_inputs(self, keys: Sequence[Any]) -> site.Edits:
        document, path, old = self.document, (*self.path, "inputs"), self.inputs
        if len(keys) == len(old):
            pairs = [(k, key) for k, key in enumerate(keys) if key != old[k]]
            edits = [document.replace(Place((*path, k)), self.dumped(key)) for k, key in pairs]
            return tuple([edit for some in edits for edit in some])
        k = next((k for k, (a, b) in enumerate(zip(keys, old, strict=False)) if a != b), min(len(keys), len(old)))
        if len(keys) == len(old) + 1:
            return document.insert_item(path, k, self.dumped(keys[k]))
        if len(keys) == len(old) - 1:
            return document.remove((*path, k))
        return self.with_all_inputs(keys)

    def with_all_inputs(self, keys: Sequence[Any]) -> site.Edits:
        text = f"[{', '.join(map(self.dumped, keys))}]"
        if "inputs" in self.node:
            return self.document.replace(Place((*self.path, "inputs")), text)
        return self.document.insert_member(self.path, "inputs", text)

    def dumped(self, key: Any) -> str:
        """Return an entry as it is written: one that the node has as it has it."""
        known = self.inputs.index(key) if key in self.inputs else None
        return self.document.dump([*key, 0][: self.width] if known is None else self.entries[known])


_ANY = site.Kind("")


def _number(text: str) -> float | int:
    value = float(text)
    return int(value) if "." not in text and "e" not in text.lower() else value


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else ""


def entries_of(nodes: list[Any]) -> Iterator[list[Any]]:
    """What the nodes read, as far as it is written as entries."""
    lists = (node.get("inputs") for node in nodes if isinstance(node, dict))
    return (entry for entries in lists if isinstance(entries, list) for entry in entries if isinstance(entry, list))


def are_numbers(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) in (2, 3) and all(type(number) is int for number in entry)


def counted(site: Site, key: str) -> list[str]:
    """Values of an attribute that follow from what can be counted."""
    if key in _LOCATIONS:
        return _locations(site, key)
    bodies = [body for body in _list(site.node.get("subgraphs")) if isinstance(body, dict)]
    if key == "num_args":
        return [str(len(site.entries) + len(bodies))]
    if bodies and key in ("num_outputs", "num_out_data"):
        heads = len(_list(bodies[-1].get("heads")))
        states = numbers_of(site.attributes.get("in_state_locs")) or []
        return [str(heads - len(states) if key == "num_out_data" else heads)]
    if key == "num_outputs":
        outputs = [output for node, output in site.used if node == site.index]
        return [str(max(outputs) + 1)] if outputs else []
    return []


def _locations(site: Site, key: str) -> list[str]:
    """The inputs of a loop's body that the other attributes leave."""
    taken = [numbers_of(site.attributes.get(other)) for other in _LOCATIONS if other != key]
    if any(numbers is None for numbers in taken) or len(site.entries) > 256:
        return []
    used = {number for numbers in taken for number in numbers or ()}
    rest = [k for k in range(len(site.entries)) if k not in used]
    texts = [f"[{', '.join(map(str, rest))}]"]
    old = numbers_of(site.attributes.get(key)) or []
    if set(old) == set(rest) or len(rest) != 2:
        return texts
    return [*texts, f"[{rest[1]}, {rest[0]}]"]


def stored_shapes(model: Model) -> dict[str, tuple[int, ...]]:
    """The shapes in the parameter file, by name."""
    if (opened := state_of(model).params) is None:
        return {}
    return {array.name.rpartition(":")[2]: array.shape for array in opened[1].arrays if array.shape}


def numbers_of(value: Any) -> list[int] | None:
    return [int(found) for found in _NUMBERS.findall(value)[:64]] if isinstance(value, str) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
