"""Signatures: which shapes and element types of an operator's operands and outputs have to match.

    [N,K]/T [K]/T [*B,N]/int32|int64 S/T=real [1,*_] #2 -> [N]/T S/float32

A shape is a name (any shape, the same for every use of the name), # and a number of elements, or a list of lengths: a number, a
name, _ for any, and optionally one *name for any number of lengths. A type is a name with a capital, element types or CLASSES,
both (T=real), or all but one (_/!string); wide:T is float32 where T is, else float64. Anything else is unconstrained. A last
word ... allows any number of operands like the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.records import NamedTuple
from irlint.text import words

CLASSES = {
    "real": ("float32", "float64", "float16"),
    "single": ("float32", "float64"),
    "wide": ("float32", "float64", "int8", "int32", "int64", "uint8", "bool"),  # all MXNet types except float16
    "number": ("float32", "float64", "float16", "int8", "int32", "int64", "uint8"),
}


_MOST_LISTED = 4  # types that a message lists


class Unmatched(ShapeError):
    """A ShapeError about the inputs of a node as the file lists them."""


class Pattern(NamedTuple):
    """One operand or output: `whole` names its shape, or `lengths` lists it, with `rest` for any number of them at position
    `at`, or `size` is its number of elements; `letter` and `kinds` are its type."""

    whole: str = ""
    lengths: tuple[int | str, ...] | None = None
    rest: str = ""
    at: int = 0
    size: int | None = None
    letter: str = ""
    kinds: tuple[str, ...] = ()
    wide: bool = False
    barred: str = ""


class Signature(NamedTuple):
    operands: tuple[Pattern, ...]
    results: tuple[Pattern, ...]
    goes_on: bool = False  # the last operand may be repeated


@cache
def parse(text: str) -> Signature:
    left, _, right = text.partition("->")
    words = left.split()
    goes_on = words[-1:] == ["..."]
    operands = map(_pattern, words[:-1] if goes_on else words)
    return Signature(tuple(operands), tuple(map(_pattern, right.split())), goes_on)


def _pattern(word: str) -> Pattern:
    shape, _, kind = word.partition("/")
    wide = kind.startswith("wide:")
    letter, _, names = kind.removeprefix("wide:").partition("=")
    if not letter[:1].isupper():
        letter, names = "", letter
    if names.startswith("!"):
        return Pattern(barred=names[1:])
    kinds = tuple(name for part in names.split("|") if part for name in CLASSES.get(part, (part,)))
    typed = Pattern(letter=letter, kinds=kinds, wide=wide)
    if shape.startswith("#"):
        return typed._replace(size=int(shape[1:]))
    if not shape.startswith("["):
        return typed._replace(whole="" if shape == "_" else shape)
    parts = [part for part in shape[1:-1].split(",") if part]
    at = next((k for k, part in enumerate(parts) if part[0] == "*"), None)
    rest = "" if at is None else parts.pop(at)[1:]
    lengths = tuple(int(part) if part.isdigit() else part for part in parts)
    return typed._replace(lengths=lengths, rest=rest, at=len(parts) if at is None else at)


class Match:
    """The letters of a signature, bound by the operands of one call."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.shapes: dict[str, tuple[Shape, int]] = {}
        self.lengths: dict[str, tuple[Dim, int]] = {}
        self.kinds: dict[str, tuple[str, int]] = {}

    def name(self, index: int) -> str:
        return self.names[index] if index < len(self.names) else f"input {index}"

    def take(self, index: int, pattern: Pattern, tensor: Tensor) -> None:
        """Match an operand with its pattern and bind the letters."""
        if tensor.shape is not None:
            self._shape(index, pattern, tensor.shape)
        if tensor.dtype is not None:
            self._kind(index, pattern, tensor.dtype)

    def _kind(self, index: int, pattern: Pattern, kind: str) -> None:
        if kind == pattern.barred or (len(pattern.kinds) > _MOST_LISTED and kind not in pattern.kinds):
            raise Unmatched(
                R.dtype_mismatch, f"{operand(self.name(index))} cannot be {kind}", f"input:{index}", [index]
            )
        if pattern.kinds and kind not in pattern.kinds:
            wanted = " or ".join(pattern.kinds)
            raise Unmatched(
                R.dtype_mismatch,
                f"expected {wanted} for {operand(self.name(index))}, got {kind}",
                f"input:{index}",
                [index],
            )
        if pattern.letter:
            known, origin = self.kinds.setdefault(pattern.letter, (kind, index))
            if known != kind:
                message = (
                    f"element types of {operand(self.name(origin))} ({known}) and {operand(self.name(index))} "
                    f"({kind}) do not match"
                )
                raise Unmatched(R.dtype_mismatch, message, f"input:{index}", [origin, index])

    def _shape(self, index: int, pattern: Pattern, shape: Shape) -> None:
        if pattern.whole:
            self._same(index, pattern.whole, shape)
        if pattern.size is not None and dims.numel(shape) not in (None, pattern.size):
            message = (
                f"expected {words.count(pattern.size, 'element')} for {operand(self.name(index))}, got {show(shape)}"
            )
            raise Unmatched(R.element_count_mismatch, message, f"input:{index}", [index])
        if pattern.lengths is None:
            return
        count = len(pattern.lengths)
        if len(shape) < count or (len(shape) > count and not pattern.rest):
            least = " or higher" if pattern.rest else ""
            message = f"expected rank {count}{least} for {operand(self.name(index))}, got {show(shape)}"
            raise Unmatched(R.wrong_rank, message, f"input:{index}", [index])
        more = len(shape) - count
        if pattern.rest not in ("", "_"):
            self._same(index, pattern.rest, shape[pattern.at : pattern.at + more])
        for k, wanted in enumerate(pattern.lengths):
            axis = k if k < pattern.at else k + more
            self._length(index, wanted, shape[axis], axis, shape)

    def _same(self, index: int, letter: str, shape: Shape) -> None:
        known, origin = self.shapes.setdefault(letter, (shape, index))
        if len(known) != len(shape) or not all(map(dims.compatible, known, shape)):
            message = (
                f"shapes of {operand(self.name(origin))} {show(known)} and {operand(self.name(index))} "
                f"{show(shape)} do not match"
            )
            raise Unmatched(R.shape_mismatch, message, f"input:{index}", [origin, index])
        self.shapes[letter] = tuple(map(dims.merge, known, shape)), origin

    def _length(self, index: int, wanted: int | str, dim: Dim, axis: int, shape: Shape) -> None:
        if wanted == "_":
            return
        if isinstance(wanted, int):
            if not dims.can_be(dim, wanted):
                message = f"expected {wanted} as dimension {axis} of {operand(self.name(index))}, got {show(shape)}"
                raise Unmatched(R.shape_mismatch, message, f"input:{index}", [index])
            return
        known, origin = self.lengths.setdefault(wanted, (dim, index))
        if not dims.compatible(known, dim):
            raise Unmatched(
                R.shape_mismatch,
                f"expected {show_dim(known)} as dimension {axis} of {operand(self.name(index))} "
                f"(as in {operand(self.name(origin)) if origin != index else 'its other dimensions'}), got {show(shape)}",
                f"input:{index}",
                [origin, index] if origin != index else [index],
            )
        self.lengths[wanted] = dims.merge(known, dim), origin

    def result(self, pattern: Pattern) -> Tensor:
        kind = (
            self.kinds.get(pattern.letter, (None, 0))[0]
            if pattern.letter
            else pattern.kinds[0]
            if pattern.kinds
            else None
        )
        if pattern.wide and kind is not None:
            kind = "float32" if kind == "float32" else "float64"
        if pattern.whole:
            return Tensor(kind, self.shapes.get(pattern.whole, (None, 0))[0])
        if pattern.lengths is None:
            return Tensor(kind)
        rest = self.shapes.get(pattern.rest, (None, 0))[0] if pattern.rest else ()
        if rest is None:
            return Tensor(kind)
        found = [w if isinstance(w, int) else self.lengths.get(w, (None, 0))[0] for w in pattern.lengths]
        return Tensor(kind, (*found[: pattern.at], *rest, *found[pattern.at :]))


def match(signature: Signature, operands: Sequence[Tensor], names: Sequence[str]) -> Match:
    found = Match(names)
    last = len(signature.operands) - 1
    for index, tensor in enumerate(operands):
        if index <= last or signature.goes_on:
            found.take(index, signature.operands[min(index, last)], tensor)
    return found
