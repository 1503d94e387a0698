"""Strings: joined, split, matched, normalised, and their n-grams counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.dryrun.errors import NoKernel
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import broadcast
from irlint.dryrun.tensor import Tensor

_LONGEST = 1 << 20  # characters of a string


class Appended(Operator):
    """Strings joined one to one."""

    inputs = "a:_/string b:_/string"

    def shape(self, a: Tensor, b: Tensor, **_: Any) -> Tensor:
        self.match(a, b)
        return Tensor("string", broadcast(a, b, ("a", "b")))

    def run(self, a: Any, b: Any, **_: Any) -> Any:
        if a.size and b.size and max(map(len, a.reshape(-1))) + max(map(len, b.reshape(-1))) > _LONGEST:
            raise NoKernel  # a string that is joined to itself some times has no end
        return np.asarray(a.astype(object) + b.astype(object), object)


class Matches(Operator):
    """Whether a pattern fits a whole string."""

    inputs = "data:S/string -> S/bool"
    kernel = "strings.matches"


class SplitWords(Operator):
    """The words of each string on a new axis, filled up with empty ones, and how many there are."""

    inputs = "data:S/string -> [*S,_]/string S/int64"
    kernel = "strings.split_words"


class Normalized(Operator):
    """A vector of strings in one case, without some words; an empty string if nothing is left."""

    inputs = "data:[_]|[1,_]/string"
    kernel = "strings.normalized"

    def shape(self, data: Tensor, *, stopwords: Sequence[str] = (), **_: Any) -> Tensor:
        self.match(data)
        return Tensor("string", data.shape and (*data.shape[:-1], None if stopwords else data.shape[-1]))


class CountNgrams(Operator):
    """How often each of some n-grams occurs in a row, also with a number of elements skipped, weighted by `mode`."""

    inputs = "data:[_]|[_,_]"
    kernel = "strings.count_ngrams"

    def shape(self, data: Tensor, *, places: Sequence[int], **_: Any) -> Tensor:
        self.match(data)
        return Tensor("float32", data.shape and (*data.shape[:-1], max(places, default=-1) + 1))


class Tokens(Operator):
    """The tokens of each string on a new axis, filled up: what fits a pattern, what is between separators, or single characters. Those of
    less than `least` characters are left out; with `mark`, a sign is before the first and another after the last."""

    inputs = "data:[*S=1..2]/string -> [*S,_]/string"
    kernel = "strings.tokens"
