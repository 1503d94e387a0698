"""Signatures: which shapes and element types of an operator's operands and outputs have to match.

    [N,K]/T [K]/T [*B,N]/int32|int64 S/T=real [1,*_] #2 -> [N]/T S/float32

A shape is a name (any shape, the same for every use of the name), # and a number of elements, or a list of lengths: a
number, a name, _ for any, and optionally one *name for any number of lengths; 3*N is a multiple, as is heads*N of a length that
the operator gives by name. *S=1..3 are one to three lengths (1.. at least one), #S is how many *S has, and *#S are as many of any
length. A list may have a name, too (S[_,_,*_]); lists of several ranks stand with | between them, and `one` is a scalar or a list
of one element. A type is a name with a capital, element types or CLASSES, both (T=real; of a result: judged after all operands),
or all but one (_/!string); wide:T is float32 where T is, else float64. Anything else is unconstrained. A last word ... allows any
number of operands like the one before. Shapes of one rank are ~R, or ~R[_,*_].

Outputs may be told by attributes: a length (@num), lengths (*@shape), the element type (@dtype, by default float32: @dtype:float32; of a
class: @output_type:int64=index).

Operators name their operands, too, and which of them may be absent (see `Operator.inputs`):

    data:[N,C,*S]/T=floats scale:[C]/T bias?:[C]/T -> [N,C,*S]/T
"""

from __future__ import annotations

import math
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
_IN_WORDS = {
    "floats": "a floating-point type",
    "integers": "an integer type",
    "numbers": "a numeric type",
    "index": "int32 or int64",
    "integers|bool": "an integer type or bool",
    "numbers|bool": "a numeric type or bool",
}

_MOST_LISTED = 4  # types that a message lists


class Pattern(NamedTuple):
    """One operand or output: `whole` names its shape, or `lengths` lists it, with `rest` for `least` to `most` of them at position
    `at`, or `size` is its number of elements; `letter` and `kinds` are its type. `others` are patterns for other ranks."""

    whole: str = ""
    lengths: tuple[int | str, ...] | None = None
    rest: str = ""
    least: int = 0
    most: float = math.inf
    at: int = 0
    size: int | None = None
    letter: str = ""
    kinds: tuple[str, ...] = ()
    kinds_in_words: str = ""
    wide: bool = False
    barred: str = ""
    default: str | None = None
    others: tuple[Pattern, ...] = ()
    is_typed: bool = False  # says something of the type
    is_shaped: bool = False  # says something of the shape
    terms: tuple[tuple[int, int | str], ...] = ()  # those lengths that are not any, with their places

    @property
    def ranks(self) -> str:
        listed = len(self.lengths or ())
        if not self.rest:
            return str(listed)
        return f"{listed + self.least} {'or higher' if self.most == math.inf else f'to {listed + self.most}'}"

    def fits(self, rank: int) -> bool:
        more = 0 if self.lengths is None else rank - len(self.lengths)
        return self.least <= more <= self.most if self.rest else more == 0


class Signature(NamedTuple):
    operands: tuple[Pattern, ...]
    results: tuple[Pattern, ...]
    letters: frozenset[str] = frozenset()  # that lengths of operands name
    goes_on: bool = False  # the last operand may be repeated
    alike_first: bool = False  # equal types are judged before the kinds of types


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
    patterns = tuple(map(_pattern, words[:-1] if goes_on else words))
    return Signature(patterns, tuple(map(_pattern, right.split())), _letters(patterns), goes_on)


@cache
def declared(text: str) -> Operands:
    """Return what a declaration such as `data:[N,*S]/T axes?:[_]/index -> [N]/T` says."""
    left, _, right = text.partition("->")
    words = [word.partition(":") for word in left.split()]
    marks = tuple(name[-1] if name[-1] in "?+*" else "" for name, _, _ in words)
    patterns = tuple(_pattern(pattern) for _, _, pattern in words)
    results = tuple(map(_pattern, right.split()))
    goes_on = marks[-1:] in (("+",), ("*",))
    names = tuple(name.rstrip("?+*") for name, _, _ in words)
    return Operands(names, marks, Signature(patterns, results, _letters(patterns), goes_on, alike_first=True))


def _letters(patterns: Sequence[Pattern]) -> frozenset[str]:
    terms = (term for pattern in patterns for one in (pattern, *pattern.others) for _, term in one.terms)
    return frozenset(part for term in terms if isinstance(term, str) for part in term.split("*"))


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
        return Pattern(barred=names[1:], is_typed=True)
    kinds = tuple(name for part in names.split("|") if part for name in CLASSES.get(part, (part,)))
    listed = " or ".join(kinds) if len(kinds) <= _MOST_LISTED else ""
    typed = Pattern(letter=letter, kinds=kinds, wide=wide, kinds_in_words=_IN_WORDS.get(names, listed), default=default)
    first, *others = (_shaped(typed, one) for one in shape.split("|"))
    is_shaped = first.whole != "" or first.lengths is not None or first.size is not None
    return first._replace(others=tuple(others), is_typed=bool(letter or kinds), is_shaped=is_shaped)


def _shaped(typed: Pattern, shape: str) -> Pattern:
    if shape.startswith("#"):
        return typed._replace(size=int(shape[1:]))
    whole, mark, inside = shape.partition("[")
    typed = typed._replace(whole="" if whole == "_" else whole)
    if not mark:
        return typed
    parts = [part for part in inside[:-1].split(",") if part]
    at = next((k for k, part in enumerate(parts) if part[0] == "*"), None)
    rest, _, many = ("" if at is None else parts.pop(at)[1:]).partition("=")
    lengths = tuple(int(part) if part.isdigit() else part for part in parts)
    terms = tuple((k, length) for k, length in enumerate(lengths) if length != "_")
    typed = typed._replace(lengths=lengths, terms=terms, rest=rest, at=len(parts) if at is None else at)
    if not many:
        return typed
    least, most = many.split("..")
    return typed._replace(least=int(least), most=int(most) if most else math.inf)


def is_length(value: Any) -> bool:
    """Return whether what an attribute says can be a length: a number, or a range."""
    return type(value) is int or (type(value) is tuple and len(value) == 2 and type(value[0]) is int)


class Match:
    """The letters of a signature, bound by the operands of one call, or given: what attributes say, by their names."""

    def __init__(self, signature: Signature, names: Sequence[str], given: Mapping[str, Any]) -> None:
        self.signature, self.names, self.given = signature, names, given
        self.shapes: dict[str, tuple[Shape, int]] = {}
        self.lengths: dict[str, tuple[Dim, int]] = {}
        for name in signature.letters.intersection(given):
            if is_length(given[name]):
                self.lengths[name] = given[name], -1
        self.kinds: dict[str, tuple[str, int]] = {}

    def __getitem__(self, letter: str) -> Dim:
        """Return the length that a letter stands for."""
        if letter[0] == "@":
            return cast("Dim", self.given[letter[1:]])
        if letter in self.lengths:
            return self.lengths[letter][0]
        return length if is_length(length := self.given.get(letter)) else None

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
        """Bind the letter of an element type, or compare it with that of another operand."""
        known, origin = self.kinds.setdefault(pattern.letter, (kind, index)) if pattern.letter else (kind, index)
        if known != kind:
            message = f"element types of {self.name(origin)} ({known}) and {self.name(index)} ({kind}) do not match"
            raise ShapeError(R.dtype_mismatch, message, f"input:{index}", [origin, index])

    def want_kind(self, index: int, pattern: Pattern, kind: str) -> None:
        """Raise unless a pattern allows an element type."""
        if kind == pattern.barred or (pattern.kinds and kind not in pattern.kinds):
            wanted = f"expected {pattern.kinds_in_words} for {self.name(index)}, got {kind}"
            message = wanted if pattern.kinds_in_words else f"{self.name(index)} cannot be {kind}"
            raise ShapeError(R.dtype_mismatch, message, f"input:{index}", [index])

    def take_shape(self, index: int, pattern: Pattern, shape: Shape) -> None:
        """Match the shape of an operand with its pattern and bind the letters."""
        for other in pattern.others:
            if other.fits(len(shape)):
                pattern = other
        whole = pattern.whole
        if whole == "one":
            self._one(index, shape)
        elif whole[:1] == "~":
            self._rank(index, whole, shape)
        if pattern.lengths is not None:
            self._lengths(index, pattern, pattern.lengths, shape)
        elif pattern.size is not None:
            self._size(index, pattern.size, shape)
        if whole and whole != "one" and whole[0] != "~":
            self._same(index, whole, shape)

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
            told = "a scalar" if ranks == "0" else f"rank {ranks}"
            message = f"expected {told} for {self.name(index)}, got {show(shape)}"
            raise ShapeError(R.wrong_rank, message, f"input:{index}", [index])
        more = len(shape) - len(lengths)
        if pattern.rest not in ("", "_"):
            if pattern.rest[0] != "#":
                self._same(index, pattern.rest, shape[pattern.at : pattern.at + more])
            self._many(index, f"#{pattern.rest.removeprefix('#')}", more, shape)
        for k, wanted in pattern.terms:
            axis = k if k < pattern.at else k + more
            known = (wanted, index) if isinstance(wanted, int) else self.lengths.get(wanted)
            if known is None and isinstance(wanted, str) and "*" not in wanted:
                self.lengths[wanted] = shape[axis], index
            elif known is None or known[0] != shape[axis]:
                self._length(index, wanted, axis, shape)

    def _many(self, index: int, letter: str, count: int, shape: Shape) -> None:
        """Bind how many lengths a letter stands for."""
        known, origin = self.lengths.get(letter, (count, index))
        if not dims.can_be(known, count):
            wanted = (
                f"expected rank {len(shape) - count + known}" if isinstance(known, int) else "expected another rank"
            )
            message = f"{wanted} for {self.name(index)} (as in {self.name(origin)}), got {show(shape)}"
            raise ShapeError(R.wrong_rank, message, f"input:{index}", [origin, index])
        self.lengths[letter] = count, origin

    def _length(self, index: int, wanted: int | str, axis: int, shape: Shape) -> None:
        count, letter = self._multiple(wanted)
        if not isinstance(count, int):
            return
        if not dims.divisible(shape[axis], count):
            message = f"expected a multiple of {count} as dimension {axis} of {self.name(index)}, got {show(shape)}"
            raise ShapeError(R.shape_mismatch, message, f"input:{index}", [index])
        length = dims.exact_divide(shape[axis], count)
        known, origin = (wanted, index) if isinstance(wanted, int) else self.lengths.get(letter, (None, index))
        if not dims.compatible(known, length):
            whose = f"`{letter}`" if origin < 0 else self.name(origin) if origin != index else "its other dimensions"
            like = f" (as in {whose})" if isinstance(wanted, str) else ""
            whole = show_dim(dims.multiply(known, count))
            message = f"expected {whole} as dimension {axis} of {self.name(index)}{like}, got {show(shape)}"
            related = [k for k in dict.fromkeys((origin, index)) if k >= 0]
            rule = R.wrong_value_length if letter.startswith("#") else R.shape_mismatch
            raise ShapeError(rule, message, f"input:{index}", related)
        if letter:
            self.lengths[letter] = dims.merge(known, length), index if known is None else origin

    def _multiple(self, length: int | str) -> tuple[Dim, str]:
        """Return which multiple of which letter a length is."""
        if isinstance(length, int):
            return 1, ""
        times, _, letter = length.rpartition("*")
        return int(times) if times.isdigit() else self[times] if times else 1, letter

    def _made(self, length: int | str) -> Dim:
        count, letter = self._multiple(length)
        return length if isinstance(length, int) else dims.multiply(count, self[letter])

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
        found = list(map(self._made, pattern.lengths))
        return Tensor(kind, (*found[: pattern.at], *rest, *found[pattern.at :]))

    def _told(self, pattern: Pattern) -> str | None:
        """Return the element type that an attribute says."""
        name = pattern.letter[1:]
        kind: str | None = self.given.get(name, pattern.default or None)
        if pattern.kinds and kind not in pattern.kinds:
            message = f"expected `i32` or `i64` for `{name}`, got {f'`{kind}`' if kind else 'nothing'}"
            raise ShapeError(R.value_not_in_enum, message, f"attr:{name}")
        return kind


_NOTHING: Mapping[str, Any] = {}


def match(
    signature: Signature, operands: Sequence[Tensor | None], names: Sequence[str], given: Mapping[str, Any] = _NOTHING
) -> Match:
    """Match operands, of which some may be absent, with a signature: first all element types, then all shapes."""
    found = Match(signature, names, given)
    patterns = signature.operands
    if signature.goes_on:
        patterns += patterns[-1:] * (len(operands) - len(patterns))
    typed, shaped = [], []
    for index, (pattern, tensor) in enumerate(zip(patterns, operands, strict=False)):
        if tensor is None:
            continue
        if pattern.is_typed and tensor.dtype is not None:
            typed.append((index, pattern, tensor.dtype))
        if pattern.is_shaped and tensor.shape is not None:
            shaped.append((index, pattern, tensor.shape))
    if typed:
        _match_types(found, typed)
    for index, pattern, shape in shaped:
        found.take_shape(index, pattern, shape)
    return found


def _match_types(found: Match, typed: Sequence[tuple[int, Pattern, str]]) -> None:
    alike_first = found.signature.alike_first
    for index, pattern, kind in typed if alike_first else ():
        found.take_type(index, pattern, kind)
    for index, pattern, kind in typed:
        found.want_kind(index, pattern, kind)
        if not alike_first:
            found.take_type(index, pattern, kind)
    for pattern in found.signature.results:
        if pattern.kinds and pattern.letter in found.kinds:
            kind, index = found.kinds[pattern.letter]
            found.want_kind(index, pattern, kind)
