"""What the operator table says of one optype, prepared for the passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from irlint.formats.lightnet.shapes import SHAPES
from irlint.formats.lightnet.shapes.base import OptypeSignature, PortCheck, ShapeCall
from irlint.operators import Operator, table

TABLE = "lightnet"

_CHECKS: dict[str, PortCheck] = {
    "dtype": ShapeCall.dtype,
    "rank": ShapeCall.rank,
    "same_dtype_as": ShapeCall.same_dtype,
    "same_shape_as": ShapeCall.same_shape,
}


def _architecture(optype: str, operator: Operator) -> str:
    own = "none" if optype == operator.name else optype.rpartition("_")[2]
    return str(operator.facts.get("architecture", own))


def _port_checks(operator: Operator) -> Iterator[tuple[PortCheck, int, Any]]:
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
    if operator is None:
        return None
    return OptypeSignature(
        operator, _architecture(optype, operator), tuple(_port_checks(operator)), SHAPES.get(operator.name)
    )


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
