"""What the operator table says of one optype, prepared for the passes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from irlint.formats.lightnet.reading.c_values import Reader, reader
from irlint.formats.lightnet.shapes import SHAPES
from irlint.formats.lightnet.shapes.base import ShapeCall, ShapeFunction
from irlint.operators import Attribute, Operator, table

TABLE = "lightnet"

Check = Callable[[ShapeCall, int, Any], None]  # of an input, by its number, against what the table says

_CHECKS: dict[str, Check] = {
    "dtype": ShapeCall.dtype,
    "rank": ShapeCall.rank,
    "same_dtype_as": ShapeCall.same_dtype,
    "same_shape_as": ShapeCall.same_shape,
}


class OptypeSignature:
    """An optype's arguments by name in the order of the table, how its parameters are read, and its shape function."""

    __slots__ = (
        "architecture", "counted", "inputs", "operator", "outputs", "params", "ports", "readers", "shape",
    )  # fmt: skip

    def __init__(self, optype: str, operator: Operator) -> None:
        self.operator = operator
        self.architecture = _architecture(optype, operator)
        self.inputs = tuple(port.name for port in operator.inputs)
        self.outputs = tuple(port.name for port in operator.outputs)
        self.params: tuple[Attribute, ...] = tuple(operator.attributes.values())
        self.readers: tuple[tuple[str, Reader], ...] = tuple((a.name, reader(a)) for a in self.params)
        self.counted: bool = operator.facts.get("counts_checked", True)
        self.ports = tuple(_port_checks(operator))
        self.shape: ShapeFunction | None = SHAPES.get(operator.name)

    def has_output(self, fact: str) -> bool:
        """Return whether a fact holds of any output."""
        return any(port.facts.get(fact) for port in self.operator.outputs)


def _architecture(optype: str, operator: Operator) -> str:
    own = "none" if optype == operator.name else optype.rpartition("_")[2]
    return str(operator.facts.get("architecture", own))


def _port_checks(operator: Operator) -> Iterator[tuple[Check, int, Any]]:
    """Yield what is checked of each input, in the loader's order."""
    names = [port.name for port in operator.inputs]
    for k, port in enumerate(operator.inputs):
        for fact, check in _CHECKS.items():
            if port.kind == "required" and fact in port.facts:
                wanted = port.facts[fact]
                yield check, k, names.index(wanted) if fact.startswith("same") else wanted


@cache
def signature(optype: str) -> OptypeSignature | None:
    operator = table(TABLE).get(optype)
    return OptypeSignature(optype, operator) if operator is not None else None


def architecture(optype: str) -> str | None:
    """Return for which architecture a word is: "none" for the words of source files, None for unknown ones."""
    known = signature(optype)
    return None if known is None else known.architecture


@cache
def _by_arguments() -> dict[tuple[frozenset[str], ...], list[str]]:
    """Operators of source files by the names of their inputs, outputs and parameters."""
    found: dict[tuple[frozenset[str], ...], list[str]] = {}
    operators = table(TABLE)
    for name in operators.names:
        known = signature(name)
        if known is not None and known.architecture == "none" and known.counted:
            key = (frozenset(known.inputs), frozenset(known.outputs), frozenset(known.operator.attributes))
            found.setdefault(key, []).append(name)
    return found


def with_arguments(inputs: Iterable[str], outputs: Iterable[str], params: Iterable[str]) -> list[str]:
    """The operators that take exactly these arguments."""
    return _by_arguments().get((frozenset(inputs), frozenset(outputs), frozenset(params)), [])
