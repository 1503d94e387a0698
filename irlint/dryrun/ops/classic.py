"""Classic machine learning: features prepared, labels encoded, linear models, support vectors, trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import Later, np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_least_rank, want_rank
from irlint.dryrun.ops.lists import Maps, boxed
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.dryrun.values import numbers
from irlint.graph import Dim

kernels: Any = Later("irlint.dryrun.kernels.classic")


class Extract(Operator):
    """Columns of the last axis, by their numbers."""

    inputs = "data indices"
    reads = (1,)

    def shape(self, data: Tensor, indices: Tensor, **_: Any) -> Tensor:
        want_least_rank(data, "data", 0, 1)
        if data.shape is None:
            return data
        columns, listed = data.shape[-1], numbers(indices)
        for index in listed or () if isinstance(columns, int) else ():
            if not 0 <= index < columns:
                message = f"index {index} is out of range for the {columns} columns of {show(data.shape)}"
                raise ShapeError(R.value_out_of_range, message, "input:1", [0, 1])
        count = dims.product(indices.shape) if indices.shape is not None else None
        return Tensor(data.dtype, (*(data.shape[:-1] or (1,)), count))

    def run(self, data: Any, indices: Any, **_: Any) -> Any:
        if (least := indices.min(initial=0)) < 0:  # NumPy would count from the end; onnxruntime 1.32 refuses it
            raise IndexError(f"index {least} is out of range")
        return np.atleast_2d(data)[..., indices.reshape(-1)] if data.ndim < 2 else data[..., indices.reshape(-1)]


class Binarize(Operator):
    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return data

    def run(self, data: Any, *, threshold: float = 0.0, **_: Any) -> Any:
        return (data > threshold).astype(data.dtype)


class OffsetScale(Operator):
    """Columns less an offset, times a scale, each one number or one per column."""

    def shape(self, data: Tensor, *, offset: Sequence[float], scale: Sequence[float], **_: Any) -> Tensor:
        width = data.shape[-1] if data.shape else None
        for name, given in (("offset", offset), ("scale", scale)):
            if len(given) != 1 and not dims.can_be(width, len(given)):
                message = f"expected 1 number in `{name}`, or one per column of {show(data.shape)}, got {len(given)}"
                raise ShapeError(R.wrong_value_length, message, f"attr:{name}", [0])
        return Tensor("float32", data.shape)

    def run(self, data: Any, *, offset: Sequence[float], scale: Sequence[float], **_: Any) -> Any:
        return (data.astype(np.float32) - np.array(offset, np.float32)) * np.array(scale, np.float32)


class NormalizeRows(Operator):
    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return Tensor("float32", data.shape)

    def run(self, data: Any, *, norm: str, **_: Any) -> Any:
        wide = data.astype(np.float64)
        if norm == "MAX":
            size = wide.max(-1, keepdims=True)
        elif norm == "L1":
            size = np.abs(wide).sum(-1, keepdims=True)
        else:
            size = np.sqrt(np.square(wide).sum(-1, keepdims=True))
        return (wide / np.where(size == 0, 1, size)).astype(np.float32)


class Impute(Operator):
    """One value, or one per column, where the data has another, which may be NaN."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return data

    def run(self, data: Any, *, imputed: Sequence[float], replaced: float, **_: Any) -> Any:
        where = np.isnan(data) if replaced != replaced else data == replaced
        return np.where(where, np.array(imputed, data.dtype), data)


class MapLabels(Operator):
    """Each element by a table; others become a default."""

    def shape(self, data: Tensor, *, dtype: str | None, **_: Any) -> Tensor:
        return Tensor(dtype, data.shape)

    def run(self, data: Any, *, keys: Sequence[Any], values: Sequence[Any], default: Any, dtype: str, **_: Any) -> Any:
        table = dict(zip(keys, values, strict=False))
        nothing = next((value for key, value in table.items() if key != key), default)
        found = [table.get(x, nothing if x != x else default) for x in data.ravel().tolist()]
        return np.array(found, object if dtype == "string" else dtype).reshape(data.shape)


class MapEither(Operator):
    """Words to numbers, or numbers to words, whichever the data is."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return Tensor({None: None, "string": "int64"}.get(data.dtype, "string"), data.shape)

    def run(self, data: Any, *, numbers: Sequence[int], words: Sequence[str], number: int, word: str, **_: Any) -> Any:
        if data.dtype.kind in "OUS":
            return MapLabels().run(data, keys=words, values=numbers, default=number, dtype="int64")
        return MapLabels().run(data, keys=numbers, values=words, default=word, dtype="string")


class HotColumns(Operator):
    """One-hot encoding of known categories on a new last axis."""

    def shape(self, data: Tensor, *, categories: Sequence[Any], **_: Any) -> Tensor:
        return Tensor("float32", None if data.shape is None else (*data.shape, len(categories)))

    def run(self, data: Any, *, categories: Sequence[Any], **_: Any) -> Any:
        rows = [[x == category for category in categories] for x in data.ravel().tolist()]
        return np.array(rows, np.float32).reshape(*data.shape, len(categories))


class JoinColumns(Operator):
    """The columns of all operands as numbers."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, widths: Sequence[int] = (), **_: Any) -> Tensor:
        total: Dim = sum(widths) if widths else None
        rows = next((t.shape[0] for t in tensors if t.shape is not None and len(t.shape) > 1), None)
        if any(t.shape is not None and len(t.shape) == 1 for t in tensors):
            rows = 1
        return Tensor("float32", (rows, total))

    def run(self, *arrays: Any, **_: Any) -> Any:
        return np.concatenate([np.atleast_2d(array).astype(np.float32) for array in arrays], 1)


def _rows(data: Tensor) -> Dim:
    want_rank(data, "data", 0, 1, 2)
    return None if data.shape is None else 1 if len(data.shape) == 1 else data.shape[0]


def _want_columns(data: Tensor, columns: int) -> None:
    if data.shape and dims.bounds(data.shape[-1])[1] is not None and (dims.bounds(data.shape[-1])[1] or 0) < columns:
        message = f"column {columns - 1} in `nodes_featureids` is out of range for {show(data.shape)}"
        raise ShapeError(R.value_out_of_range, message, "attr:nodes_featureids", [0])


class ZipColumns(Operator):
    """A map from labels to the numbers of each row."""

    def shape(self, data: Tensor, *, labels: Sequence[Any], key: str, **_: Any) -> Tensor:
        want_rank(data, "data", 0, 1, 2)
        if data.shape and not dims.can_be(data.shape[-1], len(labels)):
            wanted = dims.counted(data.shape[-1], "value")
            message = f"expected {wanted} in `{key}`, one per column of `data` {show(data.shape)}, got {len(labels)}"
            raise ShapeError(R.wrong_value_length, message, f"attr:{key}", [0])
        return UNKNOWN

    def run(self, data: Any, *, labels: Sequence[Any], **_: Any) -> Any:
        return boxed(Maps(tuple(labels), np.atleast_2d(data)))


class LinearScores(Operator):
    """Products with one row of coefficients per target."""

    def shape(self, data: Tensor, *, coefficients: Sequence[float], count: int, **_: Any) -> Tensor:
        columns = data.shape[-1] if data.shape else None
        if isinstance(columns, int) and len(coefficients) < count * columns:
            message = f"expected at least {count * columns} values in `coefficients`, got {len(coefficients)}"
            raise ShapeError(R.wrong_value_length, message, "attr:coefficients", [0])
        return Tensor("float32", (_rows(data), count))

    def run(
        self, data: Any, *, coefficients: Sequence[float], intercepts: Sequence[float], count: int, how: str, **_: Any
    ) -> Any:
        weights = np.array(coefficients, np.float64).reshape(count, -1)
        scores = np.atleast_2d(data).astype(np.float64) @ weights.T
        scores = scores + np.array(intercepts) if len(intercepts) else scores
        return kernels.transformed(scores, how).astype(np.float32)


class Classifier(Operator):
    """Base of what outputs a label and the scores of all classes."""

    def shape(self, data: Tensor, *, labels: Sequence[Any], width: int | None = None, **_: Any) -> list[Tensor]:
        rows = _rows(data)
        kind = "string" if labels and isinstance(labels[0], str) else "int64"
        return [Tensor(kind, (rows,)), Tensor("float32", (rows, len(labels) if width is None else width))]

    @staticmethod
    def named(picks: Any, labels: Sequence[Any]) -> Any:
        kind: Any = object if isinstance(labels[0], str) else np.int64
        return np.array(labels, kind)[picks]


class LinearClassifier(Classifier):
    def shape(self, data: Tensor, *, labels: Sequence[Any], intercepts: Sequence[float], **_: Any) -> list[Tensor]:  # type: ignore[override]
        """onnxruntime 1.32 outputs a score per intercept, and ignores further labels, of which onnx makes columns."""
        picks, scores = super().shape(data, labels=labels)
        told = len(intercepts) in (len(labels), len(labels) - 1 if len(labels) == 2 else -1)
        return [picks, scores if told or scores.shape is None else Tensor(scores.dtype, (scores.shape[0], None))]

    def run(
        self,
        data: Any,
        *,
        coefficients: Sequence[float],
        intercepts: Sequence[float],
        labels: Sequence[Any],
        how: str,
        **_: Any,
    ) -> Any:
        rows = np.atleast_2d(data).astype(np.float64)
        weights = np.array(coefficients, np.float64).reshape(-1, rows.shape[1])
        scores = rows @ weights.T
        scores = scores + np.array(intercepts) if len(intercepts) else scores
        if scores.shape[1] == 1 and len(labels) == 2:
            picks = (scores[:, 0] > 0).astype(np.int64)
            scores = np.concatenate([-scores, scores], 1)
            return [self.named(picks, labels), kernels.transformed(scores, how).astype(np.float32)]
        return [self.named(scores.argmax(1), labels), kernels.transformed(scores, how).astype(np.float32)]


class TreeScores(Operator):
    """The leaves' weights of all trees, folded by target."""

    def shape(self, data: Tensor, *, columns: int, count: int, dtype: str | None = "float32", **_: Any) -> Tensor:
        _want_columns(data, columns)
        return Tensor(dtype, (_rows(data), count))

    def run(self, data: Any, *, dtype: str = "float32", how: str = "NONE", **attrs: Any) -> Any:
        return kernels.transformed(tree_scores(data, **attrs), how).astype(dtype)


def tree_scores(
    data: Any,
    *,
    build: Any,
    count: int,
    fold: str,
    base: Sequence[float],
    **_: Any,
) -> Any:
    """`build` returns the trees, and the places, targets and weights of leaves."""
    trees, places, targets, weights = build()
    rows = np.atleast_2d(data)
    rows = rows if rows.dtype == np.float64 else rows.astype(np.float32)
    found = kernels.gathered(kernels.leaves(rows, trees), places, targets, weights, count, fold)
    return found + np.array(base) if len(base) else found


class TreeClassifier(Classifier):
    """Trees of which each leaf is for one class or several; with two classes the weights may be those of the second only."""

    def shape(self, data: Tensor, *, columns: int, **attrs: Any) -> list[Tensor]:  # type: ignore[override]
        _want_columns(data, columns)
        return super().shape(data, **attrs)

    def run(self, data: Any, *, labels: Sequence[Any], how: str, is_binary: bool, positive: bool, **attrs: Any) -> Any:
        if is_binary:
            base = attrs.pop("base")
            one = tree_scores(data, count=len(labels), base=(), **attrs).sum(1) + (base[-1] if len(base) else 0)
            picks = (one > (0.5 if positive else 0)).astype(np.int64)
            if how == "LOGISTIC":
                scores = np.stack([1 / (1 + np.exp(one)), 1 / (1 + np.exp(-one))], 1)
            elif positive:
                scores = np.stack([1 - one, one], 1)
            else:
                scores = np.stack([-one, one], 1)
            how = "NONE" if how == "LOGISTIC" else how
            return [self.named(picks, labels), kernels.transformed(scores, how).astype(np.float32)]
        scores = tree_scores(data, count=len(labels), **attrs)
        return [self.named(scores.argmax(1), labels), kernels.transformed(scores, how).astype(np.float32)]


class VectorScore(Operator):
    """A support vector regression, or which side of it a row is on."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return Tensor("float32", (_rows(data), 1))

    def run(
        self,
        data: Any,
        *,
        kernel: str,
        parameters: Sequence[float],
        vectors: Sequence[float],
        count: int,
        coefficients: Sequence[float],
        rho: Sequence[float],
        one_class: bool,
        how: str,
        **_: Any,
    ) -> Any:
        rows = np.atleast_2d(data).astype(np.float64)
        weights = np.array(coefficients, np.float64)
        if count:
            similar = kernels.kernel_of(kernel, parameters, rows, np.array(vectors, np.float64).reshape(count, -1))
        else:
            similar, weights = rows, weights[: rows.shape[1]]
        total = (similar @ weights + rho[0])[:, None]
        total = np.where(total > 0, 1.0, -1.0) if one_class else total
        return kernels.transformed(total, how).astype(np.float32)


class VectorClassifier(Classifier):
    """Support vectors that vote for classes pair by pair."""

    def run(
        self,
        data: Any,
        *,
        labels: Sequence[Any],
        counts: Sequence[int],
        vectors: Sequence[float],
        coefficients: Sequence[float],
        how: str,
        **attrs: Any,
    ) -> Any:
        from irlint.dryrun.errors import NoKernel

        if not counts or len(counts) != len(labels):
            raise NoKernel
        attrs.pop("width", None)
        rows = np.atleast_2d(data).astype(np.float64)
        votes, scores = kernels.vote(
            rows,
            vectors=np.array(vectors, np.float64).reshape(sum(counts), -1),
            coefficients=np.array(coefficients, np.float64).reshape(len(counts) - 1, -1),
            counts=counts,
            **attrs,
        )
        if not attrs["prob_a"] and len(labels) == 2:
            scores = np.concatenate([-scores, scores], 1)
        return [self.named(votes.argmax(1), labels), kernels.transformed(scores, how).astype(np.float32)]
