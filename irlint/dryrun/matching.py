"""Matches operands with a signature: which lengths, shapes and element types its letters stand for, or which operand is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import operand, show, show_dim
from irlint.dryrun.errors import ShapeError, wrong_index_type
from irlint.dryrun.signature import Pattern, Signature
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.text import words
from irlint.text.numbers import decimal


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
        if letter in self.lengths:
            return self.lengths[letter][0]
        return length if is_length(length := self.given.get(letter)) else None

    def shape(self, letter: str) -> Shape | None:
        """Return the shape, or the lengths, that a letter stands for."""
        if letter in self.shapes:
            return self.shapes[letter][0]
        return tuple(self.given[letter]) if letter in self.given else None

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
        number = decimal(times or "1")
        return self[times] if number is None else number, letter

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
            raise wrong_index_type(name, kind)
        return kind


_NOTHING: Mapping[str, Any] = {}


def match(
    signature: Signature, operands: Sequence[Tensor | None], names: Sequence[str], given: Mapping[str, Any] = _NOTHING
) -> Match:
    """Match operands, of which some may be absent, with a signature: first all element types, then all shapes."""
    found = Match(signature, names, given)
    patterns = signature.patterns(len(operands))
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
