"""Attention and einsum."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.matching import Match
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import broadcast, same_dtype, stretches, want_least_rank, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.text import words


class ScaledDotProductAttention(Operator):
    """softmax(query x key / scale + mask) x value."""

    inputs = "query:[_,*_,L,E]/T=floats key:[_,*_,M,E]/T value:[_,*_,M,V]/T attention_mask?:_/floats|bool scale?:_/T sink?:[*_,1]/T"

    def shape(self, *tensors: Any, causal: bool = False, **_: Any) -> Tensor:
        found = self.match(*tensors)
        query, key, value, mask, _scale, sink = (*tensors, None, None, None)[:6]
        if mask is not None and mask.dtype != "bool" and mask.shape != ():
            same_dtype((query, mask), ("query", "attention_mask"), (0, 3))
        if query.shape is not None:
            want_rank(sink, "sink", 5, len(query.shape))
        return Tensor(found.dtype("T"), self._result(found, query, key, value, None if causal else mask))

    def _result(self, found: Match, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Shape | None:
        if query.shape is None or key.shape is None or value.shape is None:
            return None
        batch: Shape = query.shape[:-2]
        for index, other in ((1, key.shape), (2, value.shape)):
            names = ("batch of `query`", f"batch of `{self.names[index]}`")
            lead = broadcast(Tensor(None, batch), Tensor(None, other[:-2]), names, indices=(0, index))
            batch = lead if lead is not None else batch
        if mask is not None and mask.shape is not None and mask.shape not in ((), (0,)):
            want_least_rank(mask, "attention_mask", 3, 2)
            goal = (*batch, found["L"], found["M"])
            if not stretches(mask.shape, goal):
                message = f"`attention_mask` {show(mask.shape)} does not broadcast to {show(goal)}"
                raise ShapeError(R.shape_mismatch, message, "input:3", [0, 1, 3])
        return (*batch, found["L"], found["V"])

    def run(
        self,
        query: Any,
        key: Any,
        value: Any,
        mask: Any = None,
        scale: Any = None,
        sink: Any = None,
        *,
        causal: bool = False,
        **_: Any,
    ) -> Any:
        factor = query.dtype.type(1 / math.sqrt(query.shape[-1]) if scale is None else np.asarray(scale).reshape(-1)[0])
        scores = np.matmul(query * factor, np.swapaxes(key, -1, -2))
        if causal:
            rows, columns = scores.shape[-2:]
            scores = np.where(np.arange(columns) > np.arange(rows)[:, None], -np.inf, scores)
        elif mask is not None and not (mask.ndim == 0 and mask.dtype != bool and mask == 0):
            scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
        if sink is not None:
            scores = np.concatenate([scores, np.broadcast_to(sink, (*scores.shape[:-1], 1))], -1)
        scores -= np.max(scores, -1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= np.sum(scores, -1, keepdims=True)
        if sink is not None:
            scores = scores[..., :-1]
        return np.matmul(scores.astype(value.dtype), value)


class Einsum(Operator):
    """A sum of products, written with a letter per dimension."""

    inputs = "in+:_/T=numbers"

    def shape(self, *tensors: Tensor, equation: str, **_: Any) -> Tensor:
        dtype = self.match(*tensors).dtype("T")
        terms, result = self.parse(equation, len(tensors))
        known: dict[str, tuple[Dim, int]] = {}
        wide: Shape = ()  # the dimensions of ...
        for k, (term, tensor) in enumerate(zip(terms, tensors, strict=True)):
            if tensor.shape is not None:
                wide = self._take(known, wide, term, tensor.shape, k)
        if "..." in result and any(tensor.shape is None for tensor in tensors):
            return Tensor(dtype, None)
        shape: list[Dim] = []
        for part in self._split(result):
            shape += wide if part == "..." else [known.get(part, (None, 0))[0]]
        return Tensor(dtype, tuple(shape))

    @staticmethod
    def _take(known: dict[str, tuple[Dim, int]], wide: Shape, term: str, shape: Shape, k: int) -> Shape:
        """Add what an operand says of the lengths of letters; return the dimensions of ... so far."""
        letters = term.replace("...", "")
        spare = len(shape) - len(letters)
        if spare < 0 or (spare and "..." not in term):
            message = f"expected rank {len(letters)} for input {k} (`{term}` in `equation`), got {show(shape)}"
            raise ShapeError(R.wrong_rank, message, f"input:{k}", [k])
        at = len(term.partition("...")[0])
        more = dims.overlaid(wide, shape[at : at + spare])
        if more is None:
            message = (
                f"dimensions for `...` in `equation` {show(wide)} and {show(shape[at : at + spare])} do not broadcast"
            )
            raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
        own: dict[str, Dim] = {}
        for letter, dim in zip(letters, shape[:at] + shape[at + spare :], strict=True):
            inside = own.setdefault(letter, dim)
            if not dims.compatible(inside, dim):
                message = f"dimensions `{letter}` of input {k} ({show_dim(inside)} and {show_dim(dim)}) do not match"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
            before, origin = known.get(letter, (dim, k))
            if not dims.broadcastable(before, dim):
                both = f"input {origin} ({show_dim(before)}) and input {k} ({show_dim(dim)})"
                message = f"dimension `{letter}` of {both} does not match"
                raise ShapeError(R.shape_mismatch, message, f"input:{k}", [origin, k])
            known[letter] = dims.broadcast(before, dim), origin
        return more

    @staticmethod
    def _split(term: str) -> list[str]:
        head, dots, tail = term.partition("...")
        return [*head, *([dots] if dots else []), *tail]

    @staticmethod
    def parse(equation: str, count: int) -> tuple[list[str], str]:
        """Return the letters of each operand and of the output."""
        text = equation.replace(" ", "")
        left, arrow, right = text.partition("->")
        terms = left.split(",")
        if len(terms) != count:
            message = f"expected {words.count(len(terms), 'input')} for `equation` `{equation}`, got {count}"
            raise ShapeError(R.wrong_input_count, message, "attr:equation")
        for term in [*terms, right]:
            letters = term.replace("...", "", 1)
            if letters and not (letters.isascii() and letters.isalpha()):
                message = f"expected letters and at most one `...` in each term of `equation`, got `{term}`"
                raise ShapeError(R.value_out_of_range, message, "attr:equation")
        if not arrow:
            letters = "".join(terms).replace("...", "")
            right = ("..." if "..." in left else "") + "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        else:
            letters = right.replace("...", "")
            missing = next((c for c in letters if c not in left), None)
            if missing is not None or len(set(letters)) != len(letters):
                what = f"`{missing}`, which no input has" if missing else "a letter twice"
                raise ShapeError(
                    R.value_out_of_range, f"the output term of `equation` `{equation}` contains {what}", "attr:equation"
                )
        return terms, right

    def run(self, *arrays: Any, equation: str, **_: Any) -> Any:
        terms, result = self.parse(equation, len(arrays))
        return np.einsum(",".join(terms) + "->" + result, *arrays, optimize=True)
