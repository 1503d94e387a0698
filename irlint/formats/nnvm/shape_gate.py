"""A quick look at the shapes of a symbol: whether a closer one would find anything. Types are told apart by number, and
nodes that are alike, with inputs of like types, are worked out once."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from irlint.dryrun.dims import compatible, is_known
from irlint.dryrun.errors import UNFORESEEN, ShapeError, Undecided
from irlint.dryrun.infer import apply
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.graph import declared_type
from irlint.graph import Type

if TYPE_CHECKING:
    from irlint.formats.nnvm.dryrun import NnvmMapping
    from irlint.formats.nnvm.sweep import Sweep
    from irlint.text.base import Step


class _Known(NamedTuple):
    """What comes out of a node: the number of the first output's type, those of the others, and for inputs whose shape
    follows from the rest their place and type."""

    first: int
    rest: tuple[int, ...]
    learnt: tuple[tuple[int, int], ...]


class Gate:
    """One graph on its way through."""

    def __init__(self, mapping: NnvmMapping, seen: Sweep, broken: Collection[Step]) -> None:
        self.mapping, self.seen, self.view = mapping, seen, seen.view
        self.broken = broken  # nodes of which nothing more is to be said; nothing is known of what they give
        self.tensors: list[Tensor] = []
        self.numbers: dict[Type, int] = {}
        self.unknown = self.number(Tensor())

    def number(self, tensor: Tensor) -> int:
        found = self.numbers.get(tensor.type)
        if found is None:
            found = self.numbers[tensor.type] = len(self.tensors)
            self.tensors.append(Tensor(*tensor.type))
        return found

    def sound(self) -> bool:
        """Whether all shapes go together, as far as they can be told."""
        view, ops = self.view, self.view.ops
        first = [self.unknown] * len(ops)
        rest: dict[int, tuple[int, ...]] = {}
        special = set(self.seen.special)
        memo: dict[Any, _Known] = {}
        leaves, broken = bool(self.mapping.arrays), self.broken
        for i, (examined, entries) in enumerate(zip(self.seen.examined, view.inputs, strict=True)):
            if examined is None:
                if ops[i] != "null":
                    if i in broken:
                        continue
                    return False
                if leaves or view.attrs[i]:
                    first[i] = self._leaf(i)
                continue
            if broken and i in broken:
                continue
            if i in special:
                numbers = self._numbers(i, first, rest)
                if numbers is None:
                    return False
                key: Any = (id(examined), *numbers)
            else:
                key = (id(examined), *[first[entry[0]] for entry in entries])
            known = memo.get(key)
            if known is None:
                found = self._work_out(i, key[1:])
                if found is None:
                    return False
                known = memo[key] = found
            first[i], others, learnt = known
            if others:
                rest[i] = others
            for k, number in learnt:
                if ops[entries[k][0]] == "null" and not entries[k][1]:
                    first[entries[k][0]] = number
        return True

    def _leaf(self, index: int) -> int:
        declared = declared_type(self.view.attrs[index])
        shape = declared.shape
        if shape is None and (array := self.mapping.arrays.get(self.view.names[index])) is not None:
            shape = array.shape
        return self.number(Tensor(declared.dtype, shape))

    def _numbers(self, index: int, first: list[int], rest: dict[int, tuple[int, ...]]) -> list[int] | None:
        """Types of the inputs of a node that reads other outputs than first ones; None if it reads what comes later."""
        found = []
        for entry in self.view.inputs[index]:
            source, output = entry[0], entry[1]
            if not 0 <= source < index or output < 0:
                return None
            others = rest.get(source, ())
            found.append(first[source] if not output else others[output - 1] if output <= len(others) else self.unknown)
        return found

    def _work_out(self, index: int, numbers: tuple[int, ...]) -> _Known | None:
        """What a node gives; None if there is something to be said of it."""
        inputs = [self.tensors[number] for number in numbers]
        learnt = []
        try:
            call = self.mapping.call_by(self.view.ops[index], self.view.attrs[index], len(inputs))
            if call is None or call.operator.nested or call.operator.reads:
                return None
            for k, shape in (call.complete(inputs) if call.complete is not None else {}).items():
                if k < len(inputs) and _follows(inputs[k], shape):
                    inputs[k] = Tensor(inputs[k].dtype, shape)
                    learnt.append((k, self.number(inputs[k])))
            outputs = [self.number(tensor) for tensor in apply(call, inputs)]
        except (ShapeError, *UNFORESEEN):
            return None
        except Undecided:
            outputs = []
        return _Known(outputs[0] if outputs else self.unknown, tuple(outputs[1:]), tuple(learnt))


def _follows(tensor: Tensor, shape: Any) -> bool:
    """Whether a shape says more than is known, and nothing else."""
    if tensor.shape is None:
        return True
    return not is_known(tensor.shape) and len(tensor.shape) == len(shape) and all(map(compatible, tensor.shape, shape))
