"""Attention and einsum."""

from __future__ import annotations

import math
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show, show_dim
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import broadcast, same_dtype, want_dtype, want_least_rank, want_rank
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim, Shape
from irlint.text import words


class ScaledDotProductAttention(Operator):
    """softmax(query x key / scale + mask) x value."""

    inputs = "query key value attention_mask? scale? sink?"

    def shape(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        scale: Tensor | None = None,
        sink: Tensor | None = None,
        *,
        causal: bool = False,
        **_: Any,
    ) -> Tensor:
        dtype = same_dtype((query, key, value), self.names)
        want_dtype(query, "query", 0, "a floating-point type")
        if mask is not None and mask.dtype != "bool" and mask.shape != ():
            same_dtype((query, mask), ("query", "attention_mask"), (0, 3))
        if sink is not None:
            same_dtype((query, sink), ("query", "sink"), (0, 5))
            if query.shape is not None:
                want_rank(sink, "sink", 5, len(query.shape))
            if sink.shape and not dims.can_be(sink.shape[-1], 1):
                message = f"expected 1 as the last dimension of `sink`, got {show(sink.shape)}"
                raise ShapeError(R.shape_mismatch, message, "input:5", [5])
        if scale is not None:
            same_dtype((query, scale), ("query", "scale"), (0, 4))
        for k, tensor in enumerate((query, key, value)):
            want_least_rank(tensor, self.names[k], k, 3)
        return Tensor(dtype, self._result(query, key, value, None if causal else mask))

    def _result(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Shape | None:
        q, k, v = query.shape, key.shape, value.shape
        if q is None or k is None or v is None:
            return None
        if not dims.compatible(q[-1], k[-1]):
            message = f"last dimensions of `query` ({show_dim(q[-1])}) and `key` ({show_dim(k[-1])}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:1", [0, 1])
        if not dims.compatible(k[-2], v[-2]):
            message = f"lengths of `key` ({show_dim(k[-2])}) and `value` ({show_dim(v[-2])}) do not match"
            raise ShapeError(R.shape_mismatch, message, "input:2", [1, 2])
        batch: Shape = q[:-2]
        for index, other in ((1, k), (2, v)):
            lead = broadcast(
                Tensor(None, batch),
                Tensor(None, other[:-2]),
                ("batch of `query`", f"batch of `{self.names[index]}`"),
                indices=(0, index),
            )
            batch = lead if lead is not None else batch
        if mask is not None and mask.shape is not None and mask.shape not in ((), (0,)):
            want_least_rank(mask, "attention_mask", 3, 2)
            goal = (*batch, q[-2], dims.merge(k[-2], v[-2]))
            if len(mask.shape) > len(goal) or not all(
                dims.can_be(dim, 1) or dims.compatible(dim, wanted)
                for dim, wanted in zip(mask.shape[::-1], goal[::-1], strict=False)
            ):
                message = f"`attention_mask` {show(mask.shape)} does not broadcast to {show(goal)}"
                raise ShapeError(R.shape_mismatch, message, "input:3", [0, 1, 3])
        return (*batch, q[-2], v[-1])

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

    inputs = "in+"

    def shape(self, *tensors: Tensor, equation: str, **_: Any) -> Tensor:
        dtype = same_dtype(tensors, [f"input {k}" for k in range(len(tensors))])
        want_dtype(tensors[0], "input 0", 0, "a numeric type")
        terms, result = self.parse(equation, len(tensors))
        known: dict[str, Dim] = {}
        origin: dict[str, int] = {}
        wide: Shape | None = ()  # the dimensions of ...
        unknown = False
        for k, (term, tensor) in enumerate(zip(terms, tensors, strict=True)):
            if tensor.shape is None:
                unknown = True
                continue
            letters = term.replace("...", "")
            spare = len(tensor.shape) - len(letters)
            if spare < 0 or (spare and "..." not in term):
                message = (
                    f"expected rank {len(letters)} for input {k} (`{term}` in `equation`), got {show(tensor.shape)}"
                )
                raise ShapeError(R.wrong_rank, message, f"input:{k}", [k])
            at = 0
            own: dict[str, Dim] = {}
            for part in self._split(term):
                if part == "...":
                    wide = self._widen(wide, tensor.shape[at : at + spare], equation, k)
                    at += spare
                    continue
                dim = tensor.shape[at]
                at += 1
                inside = own.setdefault(part, dim)
                if not dims.compatible(inside, dim):
                    message = f"dimensions `{part}` of input {k} ({show_dim(inside)} and {show_dim(dim)}) do not match"
                    raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
                before = known.get(part)
                if part in known and not dims.broadcastable(before, dim):
                    message = (
                        f"dimension `{part}` of input {origin[part]} ({show_dim(before)}) and input {k} ({show_dim(dim)}) "
                        "does not match"
                    )
                    raise ShapeError(R.shape_mismatch, message, f"input:{k}", [origin[part], k])
                known[part] = dims.broadcast(before, dim) if part in known else dim
                origin.setdefault(part, k)
        if unknown and "..." in result:
            return Tensor(dtype, None)
        shape: list[Dim] = []
        for part in self._split(result):
            if part == "...":
                shape += wide or ()
            else:
                shape.append(known.get(part))
        return Tensor(dtype, tuple(shape))

    @staticmethod
    def _widen(wide: Shape | None, dims_: Shape, equation: str, k: int) -> Shape:
        if (found := dims.overlaid(wide or (), dims_)) is None:
            message = f"dimensions for `...` in `equation` {show(wide or ())} and {show(dims_)} do not broadcast"
            raise ShapeError(R.shape_mismatch, message, f"input:{k}", [k])
        return found

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
