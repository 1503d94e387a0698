"""Signatures: which shapes and element types of an operator's operands and outputs have to match.

    [N,K]/T [K]/T [*B,N]/int32|int64 S/T=real [1,*_] #2 -> [N]/T S/float32

A shape is a name (any shape, the same for every use of the name), # and a number of elements, or a list of lengths: a
number, a name, _ for any, and optionally one *name for any number of lengths. A list may have a name, too (S[_,_,*_]); lists
of several ranks stand with | between them, and `one` is a scalar or a list of one element. A type is a name with a capital,
element types or CLASSES, both (T=real), or all but one (_/!string); wide:T is float32 where T is, else float64. Anything
else is unconstrained. A last word ... allows any number of operands like the one before. Shapes of one rank are ~R, or ~R[_,*_].

Outputs may be told by attributes: a length (@num), lengths (*@shape), the element type (@dtype, by default float32: @dtype:float32; of a
class: @output_type:int64=index).

Operators name their operands, too, and which of them may be absent (see `Operator.inputs`):

    data:[N,C,*S]/T=floats scale:[C]/T bias?:[C]/T -> [N,C,*S]/T
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, cast

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.dtypes import FLOATS, INDEX, INTEGERS, NUMBERS
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.records import NamedTuple
from irlint.text import words

CLASSES: dict[str, Collection[str]] = {
    "real": ("float32", "float64", "float16"),
    "single": ("float32", "float64"),
    "wide": ("float32", "float64", "int8", "int32", "int64", "uint8", "bool"),  # all MXNet types except float16
    "number": ("float32", "float64", "float16", "int8", "int32", "int64", "uint8"),
    "floats": FLOATS,
    "integers": INTEGERS,
    "numbers": NUMBERS,
    "index": INDEX,
}
_IN_WORDS = {"floats": "a floating-point type", "integers": "an integer type", "numbers": "a numeric type"}

_MOST_LISTED = 4  # types that a message lists
_NOTHING: Mapping[str, Any] = {}


class Pattern(NamedTuple):
    """One operand or output: `whole` names its shape, or `lengths` lists it, with `rest` for any number of them at position
    `at`, or `size` is its number of elements; `letter` and `kinds` are its type. `others` are patterns for other ranks."""

    whole: str = ""
    lengths: tuple[int | str, ...] | None = None
    rest: str = ""
    at: int = 0
    size: int | None = None
    letter: str = ""
    kinds: tuple[str, ...] = ()
    kinds_in_words: str = ""
    wide: bool = False
    barred: str = ""
    default: str | None = None
    others: tuple[Pattern, ...] = ()

    @property
    def ranks(self) -> str:
        return f"{len(self.lengths or ())}{' or higher' if self.rest else ''}"

    def fits(self, rank: int) -> bool:
        return self.lengths is None or rank == len(self.lengths) or (rank > len(self.lengths) and self.rest != "")


class Signature(NamedTuple):
    operands: tuple[Pattern, ...]
    results: tuple[Pattern, ...]
    goes_on: bool = False  # the last operand may be repeated


class Operands(NamedTuple):
    """What an operator says of its operands: their names and marks (? optional, + one or more, * any number), and a signature."""

    names: tuple[str, ...]
    marks: tuple[str, ...]
    signature: Signature


@cache
def parse(text: str) -> Signature:
    left, _, right = text.partition("->")
    words = left.split()
    goes_on = words[-1:] == ["..."]
    operands = map(_pattern, words[:-1] if goes_on else words)
    return Signature(tuple(operands), tuple(map(_pattern, right.split())), goes_on)


@cache
def declared(text: str) -> Operands:
    """Return what a declaration such as `data:[N,*S]/T axes?:[_]/index -> [N]/T` says."""
    left, _, right = text.partition("->")
    words = [word.partition(":") for word in left.split()]
    marks = tuple(name[-1] if name[-1] in "?+*" else "" for name, _, _ in words)
    patterns = tuple(_pattern(pattern) for _, _, pattern in words)
    results = tuple(map(_pattern, right.split()))
    goes_on = marks[-1:] in (("+",), ("*",))
    return Operands(tuple(name.rstrip("?+*") for name, _, _ in words), marks, Signature(patterns, results, goes_on))


def _pattern(word: str) -> Pattern:
    shape, _, kind = word.partition("/")
    wide = kind.startswith("wide:")
    letter, _, names = kind.removeprefix("wide:").partition("=")
    default = None
    if letter.startswith("@"):
        letter, _, default = letter.partition(":")
    elif not letter[:1].isupper():
        letter, names = "", letter
    if names.startswith("!"):
        return Pattern(barred=names[1:])
    kinds = tuple(name for part in names.split("|") if part for name in CLASSES.get(part, (part,)))
    listed = " or ".join(kinds) if len(kinds) <= _MOST_LISTED else ""
    typed = Pattern(letter=letter, kinds=kinds, wide=wide, kinds_in_words=_IN_WORDS.get(names, listed), default=default)
    first, *others = (_shaped(typed, one) for one in shape.split("|"))
    return first._replace(others=tuple(others))


def _shaped(typed: Pattern, shape: str) -> Pattern:
    if shape.startswith("#"):
        return typed._replace(size=int(shape[1:]))
    whole, mark, inside = shape.partition("[")
    typed = typed._replace(whole="" if whole == "_" else whole)
    if not mark:
        return typed
    parts = [part for part in inside[:-1].split(",") if part]
    at = next((k for k, part in enumerate(parts) if part[0] == "*"), None)
    rest = "" if at is None else parts.pop(at)[1:]
    lengths = tuple(int(part) if part.isdigit() else part for part in parts)
    return typed._replace(lengths=lengths, rest=rest, at=len(parts) if at is None else at)


class Match:
    """The letters of a signature, bound by the operands of one call."""

    def __init__(self, signature: Signature, names: Sequence[str], given: Mapping[str, Any] = _NOTHING) -> None:
        self.signature, self.names, self.given = signature, names, given
        self.shapes: dict[str, tuple[Shape, int]] = {}
        self.lengths: dict[str, tuple[Dim, int]] = {}
        self.kinds: dict[str, tuple[str, int]] = {}

    def __getitem__(self, letter: str) -> Dim:
        """Return the length that a letter stands for."""
        if letter[0] == "@":
            return cast("Dim", self.given[letter[1:]])
        return self.lengths.get(letter, (None, 0))[0]

    def shape(self, letter: str) -> Shape | None:
        if letter[0] == "@":
            return tuple(self.given[letter[1:]])
        return self.shapes.get(letter, (None, 0))[0]

    def dtype(self, letter: str) -> str | None:
        return self.kinds.get(letter, (None, 0))[0]

    @property
    def results(self) -> list[Tensor]:
        return [self.result(pattern) for pattern in self.signature.results]

    def name(self, index: int) -> str:
        return operand(self.names[index] if index < len(self.names) else f"input {index}")

    def take_type(self, index: int, pattern: Pattern, kind: str) -> None:
        """Match the element type of an operand with its pattern and bind the letter."""
        if kind == pattern.barred or (pattern.kinds and kind not in pattern.kinds):
            wanted = f"expected {pattern.kinds_in_words} for {self.name(index)}, got {kind}"
            message = wanted if pattern.kinds_in_words else f"{self.name(index)} cannot be {kind}"
            raise ShapeError(R.dtype_mismatch, message, f"input:{index}", [index])
        if pattern.letter:
            known, origin = self.kinds.setdefault(pattern.letter, (kind, index))
            if known != kind:
                message = f"element types of {self.name(origin)} ({known}) and {self.name(index)} ({kind}) do not match"
                raise ShapeError(R.dtype_mismatch, message, f"input:{index}", [origin, index])

    def take_shape(self, index: int, pattern: Pattern, shape: Shape) -> None:
        """Match the shape of an operand with its pattern and bind the letters."""
        for other in pattern.others:
            if other.fits(len(shape)):
                pattern = other
        if pattern.whole == "one":
            self._one(index, shape)
        elif pattern.whole.startswith("~"):
            self._rank(index, pattern.whole, shape)
        if pattern.size is not None:
            self._size(index, pattern.size, shape)
        elif pattern.lengths is not None:
            self._lengths(index, pattern, pattern.lengths, shape)
        if pattern.whole not in ("", "one") and pattern.whole[0] != "~":
            self._same(index, pattern.whole, shape)

    def _one(self, index: int, shape: Shape) -> None:
        if len(shape) > 1 or not dims.can_be(dims.product(shape), 1):
            message = f"expected a scalar for {self.name(index)}, got {show(shape)}"
            raise ShapeError(R.wrong_rank, message, f"input:{index}", [index])

    def _size(self, index: int, size: int, shape: Shape) -> None:
        if dims.numel(shape) not in (None, size):
            message = f"expected {words.count(size, 'element')} for {self.name(index)}, got {show(shape)}"
            raise ShapeError(R.element_count_mismatch, message, f"input:{index}", [index])

    def _rank(self, index: int, letter: str, shape: Shape) -> None:
        known, origin = self.shapes.setdefault(letter, (shape, index))
        if len(known) != len(shape):
            message = f"ranks of {self.name(origin)} {show(known)} and {self.name(index)} {show(shape)} do not match"
            raise ShapeError(R.wrong_rank, message, f"input:{index}", [origin, index])

    def _same(self, index: int, letter: str, shape: Shape) -> None:
        known, origin = self.shapes.setdefault(letter, (shape, index))
        if known == shape:
            return
        if len(known) != len(shape) or not all(map(dims.compatible, known, shape)):
            message = f"shapes of {self.name(origin)} {show(known)} and {self.name(index)} {show(shape)} do not match"
            raise ShapeError(R.shape_mismatch, message, f"input:{index}", [origin, index])
        self.shapes[letter] = tuple(map(dims.merge, known, shape)), origin

    def _lengths(self, index: int, pattern: Pattern, lengths: Sequence[int | str], shape: Shape) -> None:
        if not pattern.fits(len(shape)):
            ranks = words.joined([one.ranks for one in (pattern, *pattern.others)], "or")
            message = f"expected rank {ranks} for {self.name(index)}, got {show(shape)}"
            raise ShapeError(R.wrong_rank, message, f"input:{index}", [index])
        more = len(shape) - len(lengths)
        if pattern.rest not in ("", "_"):
            self._same(index, pattern.rest, shape[pattern.at : pattern.at + more])
        for k, wanted in enumerate(lengths):
            axis = k if k < pattern.at else k + more
            if wanted != "_":
                self._length(index, wanted, axis, shape)

    def _length(self, index: int, wanted: int | str, axis: int, shape: Shape) -> None:
        known: Dim = wanted
        origin = index
        if isinstance(wanted, str):
            known, origin = self.lengths.setdefault(wanted, (shape[axis], index))
        if not dims.compatible(known, shape[axis]):
            whose = self.name(origin) if origin != index else "its other dimensions"
            like = f" (as in {whose})" if isinstance(wanted, str) else ""
            message = f"expected {show_dim(known)} as dimension {axis} of {self.name(index)}{like}, got {show(shape)}"
            raise ShapeError(R.shape_mismatch, message, f"input:{index}", [*dict.fromkeys((origin, index))])
        if isinstance(wanted, str):
            self.lengths[wanted] = dims.merge(known, shape[axis]), origin

    def result(self, pattern: Pattern) -> Tensor:
        if pattern.letter.startswith("@"):
            kind = self._told(pattern)
        else:
            kind = self.dtype(pattern.letter) if pattern.letter else pattern.kinds[0] if pattern.kinds else None
        if pattern.wide and kind is not None:
            kind = "float32" if kind == "float32" else "float64"
        if pattern.whole:
            return Tensor(kind, self.shape(pattern.whole))
        rest = self.shape(pattern.rest) if pattern.rest else ()
        if pattern.lengths is None or rest is None:
            return Tensor(kind)
        found = [length if isinstance(length, int) else self[length] for length in pattern.lengths]
        return Tensor(kind, (*found[: pattern.at], *rest, *found[pattern.at :]))

    def _told(self, pattern: Pattern) -> str | None:
        """Return the element type that an attribute says."""
        name = pattern.letter[1:]
        kind: str | None = self.given.get(name, pattern.default or None)
        if pattern.kinds and kind not in pattern.kinds:
            message = f"expected `i32` or `i64` for `{name}`, got {f'`{kind}`' if kind else 'nothing'}"
            raise ShapeError(R.value_not_in_enum, message, f"attr:{name}")
        return kind


def match(
    signature: Signature, operands: Sequence[Tensor | None], names: Sequence[str], given: Mapping[str, Any] = _NOTHING
) -> Match:
    """Match operands, of which some may be absent, with a signature: first all element types, then all shapes."""
    found = Match(signature, names, given)
    patterns = signature.operands
    if signature.goes_on:
        patterns += patterns[-1:] * (len(operands) - len(patterns))
    pairs = enumerate(zip(patterns, operands, strict=False))
    there = [(index, pattern, tensor) for index, (pattern, tensor) in pairs if tensor is not None]
    for index, pattern, tensor in there:
        if tensor.dtype is not None:
            found.take_type(index, pattern, tensor.dtype)
    for index, pattern, tensor in there:
        if tensor.shape is not None:
            found.take_shape(index, pattern, tensor.shape)
    return found
