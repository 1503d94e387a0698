"""Strings: joined, split, matched, normalised, and their n-grams counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import broadcast
from irlint.dryrun.tensor import Tensor


class Appended(Operator):
    """Strings joined one to one."""

    inputs = "a:_/string b:_/string"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        self.match(a, b)
        return Tensor("string", broadcast(a, b, ("a", "b")))

    def run(self, a: Any, b: Any, **_: Any) -> Any:
        return np.asarray(a.astype(object) + b.astype(object), object)


class Matches(Operator):
    """Whether a pattern fits a whole string."""

    inputs = "data:S/string -> S/bool"

    def run(self, data: Any, *, pattern: str, **_: Any) -> Any:
        rule = re.compile(pattern)
        return np.array([rule.fullmatch(text) is not None for text in data.ravel()], bool).reshape(data.shape)


class SplitWords(Operator):
    """The words of each string on a new axis, filled up with empty ones, and how many there are."""

    inputs = "data:S/string -> [*S,_]/string S/int64"

    def run(self, data: Any, *, delimiter: str = "", maxsplit: int = -1, **_: Any) -> Any:
        words = [(text.split(delimiter or None, maxsplit) if text else []) for text in map(str, data.ravel().tolist())]
        counts = np.array([len(row) for row in words], np.int64).reshape(data.shape)
        width = max(map(len, words), default=0)
        table = np.array([row + [""] * (width - len(row)) for row in words], object)
        return [table.reshape(*data.shape, width), counts]


class Normalized(Operator):
    """A vector of strings in one case, without some words; an empty string if nothing is left."""

    inputs = "data:[_]|[1,_]/string"

    def shape(self, data: Tensor, *, stopwords: Sequence[str] = (), **_: Any) -> Tensor:
        self.match(data)
        return Tensor("string", data.shape and (*data.shape[:-1], None if stopwords else data.shape[-1]))

    def run(self, data: Any, *, case: str, exact: bool, stopwords: Sequence[str], **_: Any) -> Any:
        change = {"LOWER": str.lower, "UPPER": str.upper}.get(case, str)
        bare = str if exact else str.lower
        out = set(map(bare, stopwords))
        kept = [change(text) for text in map(str, data.ravel()) if bare(text) not in out] or [""]
        found = np.array(kept, object)
        return found[None] if data.ndim == 2 else found


class CountNgrams(Operator):
    """How often each of some n-grams occurs in a row, also with a number of elements skipped, weighted by `mode`."""

    inputs = "data:[_]|[_,_]"

    def shape(self, data: Tensor, *, places: Sequence[int], **_: Any) -> Tensor:
        self.match(data)
        return Tensor("float32", data.shape and (*data.shape[:-1], max(places, default=-1) + 1))

    def run(
        self,
        data: Any,
        *,
        mode: str,
        shortest: int,
        longest: int,
        most_skips: int,
        starts: Sequence[int],
        places: Sequence[int],
        pool: Sequence[Any],
        weights: Sequence[float] | None,
        **_: Any,
    ) -> Any:
        known: dict[tuple[Any, ...], int] = {}
        for length, (start, end) in enumerate(zip(starts, (*starts[1:], len(pool)), strict=True), 1):
            for at in range(start, end, length):
                known[tuple(pool[at : at + length])] = len(known)
        rows = data.reshape(1, -1) if data.ndim == 1 else data
        found = np.zeros((len(rows), max(places) + 1), np.float32)
        for row, goal in zip(rows.tolist(), found, strict=True):
            for length in range(
                shortest, min(longest, len(row)) + 1
            ):  # longer ones, and wider ones, have no place in the row
                for skip in range(1, (min(most_skips, len(row)) if length > 1 else 0) + 2):
                    for at in range(len(row) - (length - 1) * skip):
                        place = known.get(tuple(row[at : at + length * skip : skip]))
                        if place is not None:
                            goal[places[place]] += 1
        share = np.ones(found.shape[1], np.float32)
        if weights is not None:
            share[list(places)] = weights
        result = found if mode == "TF" else np.where(found > 0, share, 0) if mode == "IDF" else found * share
        return result[0].astype(np.float32) if data.ndim == 1 else result.astype(np.float32)


_BRANCHING = re.compile(r"[(|?]")
_REPEATED = re.compile(r"[+*{]")
_MOST_REPEATED = 2


def _bounded(pattern: str) -> re.Pattern[str]:
    """Return a pattern that takes no more than the square of a text's length: one without groups, of which a file may nest several."""
    if _BRANCHING.search(pattern) or len(_REPEATED.findall(pattern)) > _MOST_REPEATED:
        raise NoKernel
    return re.compile(pattern, re.ASCII)


class Tokens(Operator):
    """The tokens of each string on a new axis, filled up: what fits a pattern, what is between separators, or single characters. Those of
    less than `least` characters are left out; with `mark`, a sign is before the first and another behind the last."""

    inputs = "data:[*S=1..2]/string -> [*S,_]/string"

    def run(
        self, data: Any, *, mark: int, filler: str, least: int, separators: Sequence[str], pattern: str, **_: Any
    ) -> Any:
        rule = _bounded(pattern) if not separators else None
        between = [_bounded(separator) for separator in separators if separator]
        rows = []
        for text in map(str, data.ravel().tolist()):
            if rule is not None:
                found = rule.findall(text)
            else:
                found = [text] if between else list(text)
                for separator in between:
                    found = [part for whole in found for part in separator.split(whole) if len(part) >= least]
            rows.append([token for token in found if token and len(token) >= least])
        width = max(map(len, rows), default=0)
        if mark and width:
            rows, width = [["\x02", *row, "\x03"] for row in rows], width + 2
        table = np.array([row + [filler] * (width - len(row)) for row in rows], object)
        return table.reshape(*data.shape, width)
