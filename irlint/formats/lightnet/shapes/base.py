"""What a shape function is given, and how it says that something does not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from irlint.codes import RuleRow
from irlint.findings import Severity
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.reading.numbers import INT_MAX, count
from irlint.graph import Graph, Node, label
from irlint.records import NamedTuple
from irlint.text.numbers import told

MAX_RANK = 8

Dims = Sequence[int]


class KnownTensor(NamedTuple):
    """What is known of a tensor: LightNet's word for its element type, and its shape."""

    dtype: str | None = None
    dims: Dims | None = None

    def __str__(self) -> str:
        return f"{self.dtype or 'of unknown type'} {shown(self.dims)}"


UNKNOWN = KnownTensor()


class ShapeRepair(NamedTuple):
    """One change that would make a check pass. `part`: "input:K" (that tensor is `value`) or "attr:NAME" (it is `value`).

    A Tensor of unknown shape, and None for a parameter, stand for "something else".
    """

    part: str
    value: Any
    element: int | None = None  # which element of the parameter's list, or which dimension, is meant


def attr(name: str, value: Any = None, element: int | None = None) -> ShapeRepair:
    """Another value of a parameter."""
    return ShapeRepair(f"attr:{name}", value, element)


class FailedCheck(NamedTuple):
    """A check that failed: where it is said if no repair is better than others, in which words, and what might repair it."""

    rule: RuleRow
    part: str
    message: str
    repairs: tuple[ShapeRepair, ...] = ()
    severity: Severity | None = None
    element: int | None = None


class UnknownResult(Exception):
    """Ends a shape function: what follows from this operator is unknown."""

    def __init__(self, failure: FailedCheck) -> None:
        self.failure = failure


class ShapeCall:
    """One operator as a shape function sees it: its input tensors in the order of the operator table."""

    __slots__ = ("graph", "inputs", "names", "node", "notes", "positions")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.notes: list[FailedCheck] = []  # what is wrong although the outputs are known

    def begin(
        self, node: Node, inputs: list[KnownTensor], names: Sequence[str], positions: Sequence[int] | None
    ) -> None:
        """`positions`: where each input is in the file's list, if not in the same place."""
        self.node = node
        self.inputs = inputs
        self.names = names
        self.positions = positions

    def tell(self, k: int) -> str:
        """Return an input as messages name it."""
        node, output = self.node.inputs[self.positions[k] if self.positions else k]
        return f"`{self.names[k]}` {self.graph.nodes[node].outputs[output].name!r}"

    def other(self, k: int, dims: Dims | None = None, axis: int | None = None) -> ShapeRepair:
        """Return input k with these dimensions; without any, with others."""
        return ShapeRepair(f"input:{k}", KnownTensor(self.inputs[k].dtype, dims), axis)

    def fail(
        self, rule: RuleRow, part: str, message: str, *repairs: ShapeRepair, element: int | None = None
    ) -> NoReturn:
        raise UnknownResult(FailedCheck(rule, part, f"{label(self.node)}: {message}", repairs, element=element))

    def report(
        self, rule: RuleRow, part: str, message: str, *repairs: ShapeRepair, severity: Severity | None = None
    ) -> None:
        """Like fail, where the outputs are known all the same."""
        self.notes.append(FailedCheck(rule, part, f"{label(self.node)}: {message}", repairs, severity))

    def note(self, rule: RuleRow, part: str, message: str, severity: Severity = Severity.WARNING) -> None:
        """Report what LightNet loads anyway."""
        self.report(rule, part, message, severity=severity)

    def dtype(self, k: int, wanted: str) -> None:
        tensor = self.inputs[k]
        if tensor.dtype is not None and tensor.dtype != wanted:
            message = f"expected {wanted} for {self.tell(k)}, got {tensor.dtype}"
            self.fail(
                R.dtype_mismatch, f"input:{k}", message, ShapeRepair(f"input:{k}", KnownTensor(wanted, tensor.dims))
            )

    def rank(self, k: int, wanted: int) -> None:
        dims = self.inputs[k].dims
        if dims is not None and len(dims) != wanted:
            message = f"expected rank {wanted} for {self.tell(k)}, got {shown(dims)}"
            self.fail(R.wrong_rank, f"input:{k}", message, self.other(k))

    def same_dtype(self, k: int, other: int) -> None:
        a, b = self.inputs[k], self.inputs[other]
        if a.dtype != b.dtype and a.dtype is not None and b.dtype is not None:
            message = f"types of {self.tell(k)} ({a.dtype}) and {self.tell(other)} ({b.dtype}) do not match"
            repairs = (
                ShapeRepair(f"input:{k}", KnownTensor(b.dtype, a.dims)),
                ShapeRepair(f"input:{other}", KnownTensor(a.dtype, b.dims)),
            )
            self.fail(R.dtype_mismatch, f"input:{k}", message, *repairs)

    def same_shape(self, k: int, other: int) -> None:
        a, b = self.inputs[k].dims, self.inputs[other].dims
        if a != b and a is not None and b is not None and list(a) != list(b):
            message = f"shapes of {self.tell(k)} {shown(a)} and {self.tell(other)} {shown(b)} do not match"
            self.fail(R.shape_mismatch, f"input:{k}", message, self.other(k, b), self.other(other, a))

    def new(self, dtype: str | None, dims: Dims | None, *suspects: ShapeRepair) -> KnownTensor:
        """An output tensor, held against what LightNet can create. `suspects` are what a size may come from."""
        if dims is None:
            return KnownTensor(dtype)
        part = suspects[0].part if suspects else "op"
        if len(dims) > MAX_RANK:
            message = f"expected at most {MAX_RANK} dimensions, got {len(dims)}: {shown(dims)}"
            self.fail(R.wrong_rank, part, message, *suspects)
        if min(dims) <= 0:
            what = "a negative dimension" if min(dims) < 0 else "no elements"
            self.fail(R.empty_output, part, f"the output {shown(dims)} would have {what}", *suspects)
        if count(dims) > INT_MAX:
            message = f"{shown(dims)} has {told(count(dims))} elements; LightNet supports at most {INT_MAX}"
            self.fail(R.too_large, part, message, *suspects)
        return KnownTensor(dtype, dims)


ShapeFunction = Callable[..., "Sequence[KnownTensor]"]


def shown(dims: Dims | None) -> str:
    return "of unknown shape" if dims is None else str(list(dims))


def elements(number: int) -> str:
    return f"{number} element{'s' * (number != 1)}"
