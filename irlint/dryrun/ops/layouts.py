"""Axes rearranged as layouts name them: NCHW, NHWC, NCHW8c (channels in blocks of 8, which stand last)."""

from __future__ import annotations

import re
from typing import Any

from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError, Undecided
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim

_AXIS = re.compile(r"([A-Z])|([0-9]{1,6})([a-z])")


def axes_of(layout: str) -> list[tuple[str, int]]:
    """Letters with 0, and parts of an axis with their length."""
    found = [(m[1] or m[3], int(m[2] or 0)) for m in _AXIS.finditer(layout)]
    letters = [letter for letter, _ in found]
    whole = {letter for letter in letters if letter.isupper()}
    spelled = "".join(f"{size or ''}{letter}" for letter, size in found)
    parts = [letter.upper() for letter in letters if letter.islower()]
    if spelled != layout or len(set(letters)) != len(letters) or not whole.issuperset(parts):
        raise Undecided
    return found


class Transform(Operator):
    """From one layout to another."""

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
                raise ShapeError(
                    "shape-mismatch",
                    f"{letter} of {show(data.shape)} is no multiple of {block}",
                    "attr:dst_layout",
                    [0],
                )
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
