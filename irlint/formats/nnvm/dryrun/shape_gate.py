"""A quick check of the shapes of a symbol: whether a full one would find anything. Types are compared by number, and
nodes that are alike, with inputs of like types, are worked out once."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

from irlint.dryrun.dims import completes
from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import apply
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.reading.graph import declared_type
from irlint.formats.nnvm.reading.view import Entry, attributes
from irlint.graph import Type
from irlint.records import NamedTuple

if TYPE_CHECKING:
    from irlint.dryrun.mapping import Call
    from irlint.formats.nnvm.reading.params import Array
    from irlint.formats.nnvm.reading.sweep import Sweep
    from irlint.text.base import Step


class CallSource(Protocol):
    """What the gate asks of the mapping."""

    arrays: dict[str, Array]  # of the parameter file, by name

    def call_by(self, op: str, attrs: dict[str, str], count: int) -> Call | None: ...


class NodeTypes(NamedTuple):
    """What comes out of a node: the number of the first output's type, those of the others, and for inputs whose shape
    follows from the rest their place and type."""

    first: int
    rest: tuple[int, ...] = ()
    learnt: tuple[tuple[int, int], ...] = ()


class ShapeGate:
    """One graph on its way through."""

    def __init__(self, mapping: CallSource, seen: Sweep, broken: Collection[Step]) -> None:
        self.mapping, self.seen, self.view = mapping, seen, seen.view
        self.broken = broken  # nodes of which nothing more is to be said; nothing is known of what they give
        self.tensors: list[Tensor] = []
        self.numbers: dict[Type, int] = {}
        self.unknown = self.number(Tensor())
        self._leaves: dict[Any, NodeTypes] = {}  # by what variables declare, and the shapes of their arrays

    def number(self, tensor: Tensor) -> int:
        found = self.numbers.get(tensor.type)
        if found is None:
            found = self.numbers[tensor.type] = len(self.tensors)
            self.tensors.append(Tensor(*tensor.type))
        return found

    def lets_through(self) -> bool:
        """Return whether all shapes are consistent, as far as they are known."""
        nodes = self.view.nodes
        first = [self.unknown] * len(nodes)
        found: list[NodeTypes | None] = [None] * len(nodes)
        special = set(self.seen.special)
        memo: dict[Any, NodeTypes] = {}
        has_arrays, broken = bool(self.mapping.arrays), self.broken
        for i, (examined, node) in enumerate(zip(self.seen.examined, nodes, strict=True)):
            if examined is None:
                if node["op"] == "null":
                    if has_arrays or len(node) > 3:
                        leaf = found[i] = self.leaf(i)
                        first[i] = leaf.first
                elif i not in broken:
                    return False
                continue
            if i in broken:
                continue
            entries = node["inputs"]
            if i in special:
                numbers = self._numbers(i, first, found)
                if numbers is None:
                    return False
            else:
                numbers = [first[entry[0]] for entry in entries]
            key = (id(examined), *numbers)
            known = memo.get(key)
            if known is None:
                known = self.work_out(i, numbers)
                if known is None:
                    return False
                memo[key] = known
            found[i] = known
            first[i] = known[0]
            if known[2]:
                self._learn(known, entries, first)
        return True

    def _learn(self, known: NodeTypes, entries: list[Entry], first: list[int]) -> None:
        """Note the types of variables that follow from a node."""
        for k, number in known.learnt:
            source, output, *_ = entries[k]
            if self.view.nodes[source]["op"] == "null" and not output:
                first[source] = number

    def leaf(self, index: int) -> NodeTypes:
        """Return the types of a variable, before any node reads it."""
        node = self.view.nodes[index]
        attrs, array = attributes(node), self.mapping.arrays.get(node["name"])
        key = attrs.get("__shape__"), attrs.get("__dtype__"), None if array is None else array.shape
        found = self._leaves.get(key)
        if found is None:
            declared = declared_type(attrs)
            shape = key[2] if declared.shape is None else declared.shape
            found = self._leaves[key] = NodeTypes(self.number(Tensor(declared.dtype, shape)))
        return found

    def _numbers(self, index: int, first: list[int], found: list[NodeTypes | None]) -> list[int] | None:
        """Return types of the inputs of a node that reads other outputs than first ones; None if it reads what comes later."""
        numbers = []
        for source, output, *_ in self.view.inputs[index]:
            if not 0 <= source < index or output < 0:
                return None
            known = found[source]
            given = (first[source], *(known.rest if known is not None else ()))
            numbers.append(given[output] if output < len(given) else self.unknown)
        return numbers

    def work_out(self, index: int, numbers: list[int]) -> NodeTypes | None:
        """Return what a node gives; None if there is something to be said of it."""
        inputs = [self.tensors[number] for number in numbers]
        learnt = []
        node = self.view.nodes[index]
        try:
            call = self.mapping.call_by(node["op"], attributes(node), len(inputs))
            if call is None or call.operator.nested or call.operator.reads:
                return None
            for k, shape in (call.complete(inputs) if call.complete is not None else {}).items():
                if k < len(inputs) and completes(shape, inputs[k].shape):
                    inputs[k] = Tensor(inputs[k].dtype, shape)
                    learnt.append((k, self.number(inputs[k])))
            outputs = [self.number(tensor) for tensor in apply(call, inputs)]
        except (ShapeError, *UNFORESEEN):
            return None
        except Undecided:
            outputs = []
        return NodeTypes(outputs[0] if outputs else self.unknown, tuple(outputs[1:]), tuple(learnt))
