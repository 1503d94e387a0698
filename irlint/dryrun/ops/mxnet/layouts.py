"""Conversion of layouts: NCHW, NHWC, NCHW8c (channels in blocks of 8 on the last axis)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.operator import Operator, operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.ops.shaped import only
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape

_AXIS = re.compile(r"([A-Z])|([0-9]{1,6})([a-z])")


def axes_of(layout: str) -> list[tuple[str, int]]:
    """Return letters with 0, and parts of an axis with their length."""
    found = [(m[1] or m[3], int(m[2] or 0)) for m in _AXIS.finditer(layout)]
    letters = [letter for letter, _ in found]
    whole = {letter for letter in letters if letter.isupper()}
    spelled = "".join(f"{size or ''}{letter}" for letter, size in found)
    parts = [letter.upper() for letter in letters if letter.islower()]
    if spelled != layout or len(set(letters)) != len(letters) or not whole.issuperset(parts):
        raise Undecided
    return found


class LayoutTransform(Operator):
    """Conversion from one layout to another."""

    def shape(self, data: Tensor, *, source: str, target: str, **_: Any) -> Tensor:
        old, new = axes_of(source), axes_of(target)
        if {letter for letter, size in old if not size} != {letter for letter, size in new if not size}:
            raise Undecided
        want_rank(data, "data", 0, len(old))
        if data.shape is None:
            return Tensor(data.dtype, (None,) * len(new))
        lengths: dict[str, Dim] = {}
        for (letter, _size), dim in zip(old, data.shape, strict=True):
            lengths[letter.upper()] = dims.multiply(lengths.get(letter.upper(), 1), dim)
        result: list[Dim] = []
        blocks = {letter.upper(): size for letter, size in new if size}
        for letter, size in new:
            block = blocks.get(letter, 1)
            if not dims.divisible(lengths[letter.upper()], block):
                message = f"`{letter}` of {show(data.shape)} is not a multiple of {block}"
                raise ShapeError(R.shape_mismatch, message, "attr:dst_layout", [0])
            result.append(size or dims.exact_divide(lengths[letter], block))
        return Tensor(data.dtype, tuple(result))

    def run(self, data: Any, *, source: str, target: str, **_: Any) -> Any:
        old, new = axes_of(source), axes_of(target)
        letters = sorted(letter for letter, size in old if not size)
        places = {letter: k for k, (letter, _size) in enumerate(old)}
        order = [places[part] for letter in letters for part in (letter, letter.lower()) if part in places]
        lengths = []
        for letter in letters:
            inner = data.shape[places[letter.lower()]] if letter.lower() in places else 1
            lengths.append(data.shape[places[letter]] * inner)
        plain = data.transpose(order).reshape(lengths)
        blocks = {letter.upper(): size for letter, size in new if size}
        split, parts = [], []
        for letter, length in zip(letters, lengths, strict=True):
            block = blocks.get(letter)
            split += [length] if block is None else [length // block, block]
            parts += [letter] if block is None else [letter, letter.lower()]
        return plain.reshape(split).transpose([parts.index(letter) for letter, _size in new])


_TRANSFORM = LayoutTransform()


class Arranged(Operator):
    """The operator `inner` on tensors of other layouts: those at `places` are converted from their layout to that of `inner`.

    `back` is the conversion of the output.
    """

    inputs = "data more*"

    def shape(
        self, *tensors: Tensor, inner: str, places: Mapping[int, tuple[str, str]], back: tuple[str, str], **attrs: Any
    ) -> Tensor:
        plain = [
            _TRANSFORM.shape(tensor, source=places[k][0], target=places[k][1])
            if k in places and tensor.shape is not None
            else tensor
            for k, tensor in enumerate(tensors)
        ]
        return _TRANSFORM.shape(only(operator(inner).shape(*plain, **attrs)), source=back[0], target=back[1])

    def run(
        self, *arrays: Any, inner: str, places: Mapping[int, tuple[str, str]], back: tuple[str, str], **attrs: Any
    ) -> Any:
        plain = [
            _TRANSFORM.run(array, source=places[k][0], target=places[k][1]) if k in places else array
            for k, array in enumerate(arrays)
        ]
        return _TRANSFORM.run(operator(inner).run(*plain, **attrs), source=back[0], target=back[1])


def arranged(shape: Shape, source: str, target: str) -> Shape | None:
    """Return a shape as another layout has it."""
    return _TRANSFORM.shape(Tensor(None, shape), source=source, target=target).shape
