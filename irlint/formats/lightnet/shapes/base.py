"""What a shape function is given, and how it says that something does not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NoReturn

from irlint.checks.fault import Fault
from irlint.codes import RuleRow
from irlint.findings import Severity
from irlint.formats.lightnet.reading.c_values import INT_MAX, Reader, numpy_dtype, reader
from irlint.formats.lightnet.rules import R
from irlint.graph import Graph, Node, Type
from irlint.operators import Attribute, Operator
from irlint.records import NamedTuple
from irlint.text.numbers import told

MAX_RANK = 8

Dims = Sequence[int]
Param = Any  # a parameter's C value; None where it is missing or wrong


class KnownTensor(NamedTuple):
    """What is known of a tensor: LightNet's word for its element type, and its shape."""

    dtype: str | None = None
    dims: Any = None  # Dims, or None: Any, as mypy does not see what `None not in (dims, axis)` says

    @property
    def type(self) -> Type:
        return Type(numpy_dtype(self.dtype), None if self.dims is None else tuple(self.dims))


UNKNOWN = KnownTensor()


class ShapeRepair(NamedTuple):
    """One change that would make a check pass: an "input" (by its number) that is the tensor `value`, or an "attr" (by its name)
    that is `value`.

    A tensor of unknown shape, and None for a parameter, stand for "something else".
    """

    kind: str
    which: Any
    value: Any
    element: int | None = None  # which element of the parameter's list, or which dimension, is meant

    @property
    def part(self) -> str:
        return f"{self.kind}:{self.which}"


def attr(name: str, value: Any = None, element: int | None = None) -> ShapeRepair:
    """Another value of a parameter."""
    return ShapeRepair("attr", name, value, element)


class UnknownResult(Exception):
    """Ends a shape function: what follows from this operator is unknown, because of a fault that changes might repair."""

    def __init__(self, fault: Fault, repairs: Sequence[ShapeRepair]) -> None:
        self.fault, self.repairs = fault, repairs


class OptypeSignature:
    """An optype's arguments by name in the order of the table, how its parameters are read, and its shape function."""

    __slots__ = (
        "architecture", "counted", "inputs", "operator", "outputs", "params", "ports", "readers", "shape",
    )  # fmt: skip

    def __init__(
        self,
        operator: Operator,
        architecture: str,
        ports: Sequence[tuple[PortCheck, int, Any]],
        shape: ShapeFunction | None,
    ) -> None:
        self.operator, self.architecture, self.ports, self.shape = operator, architecture, ports, shape
        self.inputs = tuple(port.name for port in operator.inputs)
        self.outputs = tuple(port.name for port in operator.outputs)
        self.params: tuple[Attribute, ...] = tuple(operator.attributes.values())
        self.readers: tuple[tuple[str, Reader], ...] = tuple((a.name, reader(a)) for a in self.params)
        self.counted: bool = operator.facts.get("counts_checked", True)

    def has_output(self, fact: str) -> bool:
        """Return whether a fact holds of any output."""
        return any(port.facts.get(fact) for port in self.operator.outputs)


class PreparedOperator(NamedTuple):
    """An operator whose arguments have been matched and whose parameters have been read."""

    node: Node
    signature: OptypeSignature
    inputs: Sequence[int] | None  # position of each input of the table in the file's list; None: in the same place
    outputs: Sequence[int] | None  # likewise; -1: missing
    values: Sequence[Any]  # parameters as C values in the order of the table; None where missing or wrong
    names: Sequence[str]  # argument names of the inputs, in the order in which the shape function gets them

    def position(self, k: int) -> int:
        """Return the position of an input of the table in the file's list; -1 if it is missing."""
        return self.inputs[k] if self.inputs else k


class ShapeCall:
    """One operator as a shape function sees it: its input tensors in the order of the operator table."""

    __slots__ = ("graph", "inputs", "notes", "operator")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.operator: PreparedOperator
        self.inputs: list[KnownTensor]
        self.notes: list[tuple[Fault, Sequence[ShapeRepair]]] = []  # what is wrong although the outputs are known

    def tell(self, k: int) -> str:
        """Return an input as messages name it."""
        node, output = self.operator.node.inputs[self.operator.position(k)]
        return f"`{self.operator.names[k]}` {self.graph.nodes[node].outputs[output].name!r}"

    def other(self, k: int, dims: Dims | None = None, axis: int | None = None) -> ShapeRepair:
        """Return input k with these dimensions; without any, with others."""
        return ShapeRepair("input", k, KnownTensor(self.inputs[k].dtype, dims), axis)

    def retyped(self, k: int, dtype: str | None) -> ShapeRepair:
        """Return input k with another element type."""
        return ShapeRepair("input", k, KnownTensor(dtype, self.inputs[k].dims))

    def fail(
        self, rule: RuleRow, part: str, message: str, *repairs: ShapeRepair, element: int | None = None
    ) -> NoReturn:
        raise UnknownResult(Fault(rule, part, message, None, element=element), repairs)

    def fail_length(self, k: int, wanted: int, each: str, *repairs: ShapeRepair) -> NoReturn:
        """Fail for the length of a vector that has one element for `each`."""
        message = f"expected {elements(wanted)} in {self.tell(k)} (one per {each}), got {self.inputs[k].dims[0]}"
        self.fail(R.shape_mismatch, f"input:{k}", message, *repairs)

    def report(
        self, rule: RuleRow, part: str, message: str, *repairs: ShapeRepair, severity: Severity | None = None
    ) -> None:
        """Like fail, where the outputs are known all the same."""
        self.notes.append((Fault(rule, part, message, None, severity=severity), repairs))

    def note(self, rule: RuleRow, part: str, message: str, severity: Severity = Severity.WARNING) -> None:
        """Report what LightNet loads anyway."""
        self.report(rule, part, message, severity=severity)

    def dtype(self, k: int, wanted: str) -> None:
        dtype = self.inputs[k].dtype
        if dtype not in (None, wanted):
            message = f"expected {wanted} for {self.tell(k)}, got {dtype}"
            self.fail(R.dtype_mismatch, f"input:{k}", message, self.retyped(k, wanted))

    def rank(self, k: int, wanted: int) -> None:
        dims = self.inputs[k].dims
        if dims is not None and len(dims) != wanted:
            message = f"expected rank {wanted} for {self.tell(k)}, got {shown(dims)}"
            self.fail(R.wrong_rank, f"input:{k}", message, self.other(k))

    def same_dtype(self, k: int, other: int) -> None:
        a, b = self.inputs[k].dtype, self.inputs[other].dtype
        if a != b and None not in (a, b):
            message = self.differing(k, other, a, b)
            self.fail(R.dtype_mismatch, f"input:{k}", message, self.retyped(k, b), self.retyped(other, a))

    def differing(self, k: int, other: int, a: str | None, b: str | None) -> str:
        return f"types of {self.tell(k)} ({a}) and {self.tell(other)} ({b}) do not match"

    def same_shape(self, k: int, other: int) -> None:
        a, b = self.inputs[k].dims, self.inputs[other].dims
        if a != b and None not in (a, b) and list(a) != list(b):
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
        if prod(dims) > INT_MAX:
            message = f"{shown(dims)} has {elements(prod(dims))}; LightNet supports at most {INT_MAX}"
            self.fail(R.too_large, part, message, *suspects)
        return KnownTensor(dtype, dims)


ShapeFunction = Callable[..., "Sequence[KnownTensor]"]
PortCheck = Callable[["ShapeCall", int, Any], None]  # of an input, by its number, against what the table says


def shown(dims: Dims | None) -> str:
    return "of unknown shape" if dims is None else str(list(dims))


def elements(number: int) -> str:
    return f"{told(number)} element{'s' * (number != 1)}"
