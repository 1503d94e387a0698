"""Classic machine learning: features prepared, labels encoded, linear models, support vectors, trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from irlint.codes import R
from irlint.dryrun import dims
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import want_rank
from irlint.dryrun.running.sequences import Maps, boxed
from irlint.dryrun.tensor import UNKNOWN, Tensor
from irlint.dryrun.values import numbers
from irlint.graph import Dim


class Extract(Operator):
    """Columns of the last axis, by their numbers."""

    inputs = "data:[_,*_] indices"
    reads = (1,)

    def shape(self, data: Tensor, indices: Tensor, **_: Any) -> Tensor:
        self.match(data, indices)
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
    inputs = "data:S/T -> S/T"

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
    inputs = "data:S -> S/float32"
    kernel = "classic.normalize_rows"


class Impute(Operator):
    """One value, or one per column, where the data has another, which may be NaN."""

    inputs = "data:S/T -> S/T"

    def run(self, data: Any, *, imputed: Sequence[float], replaced: float, **_: Any) -> Any:
        where = np.isnan(data) if replaced != replaced else data == replaced
        return np.where(where, np.array(imputed, data.dtype), data)


class MapLabels(Operator):
    """Each element by a table; others become a default, as does NaN unless it is looked up, too."""

    inputs = "data:S -> S/@dtype"

    def run(
        self,
        data: Any,
        *,
        keys: Sequence[Any],
        values: Sequence[Any],
        default: Any,
        dtype: str,
        nan: bool = False,
        **_: Any,
    ) -> Any:
        table = dict(zip(keys, values, strict=False))
        nothing = next((value for key, value in table.items() if nan and key != key), default)
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
        # onnxruntime 1.32 cuts fractions
        listed = data.astype(np.int64) if data.dtype.kind == "f" else data
        rows = [[x == category for category in categories] for x in listed.ravel().tolist()]
        return np.array(rows, np.float32).reshape(*data.shape, len(categories))


class JoinColumns(Operator):
    """The columns of all operands as numbers, each operand cut or filled with zeros to a width of its own."""

    inputs = "data+"

    def shape(self, *tensors: Tensor, widths: Sequence[int] = (), **_: Any) -> Tensor:
        total: Dim = sum(widths) if widths else None
        rows = next((t.shape[0] for t in tensors if t.shape is not None and len(t.shape) > 1), None)
        if any(t.shape is not None and len(t.shape) == 1 for t in tensors):
            rows = 1
        return Tensor("float32", (rows, total))

    def run(self, *arrays: Any, widths: Sequence[int] = (), **_: Any) -> Any:
        parts = []
        for k, array in enumerate(arrays):
            part = np.atleast_2d(array).astype(np.float32)
            width = widths[k] if widths else part.shape[1]
            parts.append(np.pad(part[:, :width], ((0, 0), (0, max(width - part.shape[1], 0)))))
        return np.concatenate(parts, 1)


def _rows(data: Tensor) -> Dim:
    want_rank(data, "data", 0, 1, 2)
    return None if data.shape is None else 1 if len(data.shape) == 1 else data.shape[0]


def _want_columns(data: Tensor, columns: int) -> None:
    most = dims.bounds(data.shape[-1])[1] if data.shape else None
    if most is not None and most < columns:
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

    kernel = "classic.linear_scores"

    def shape(self, data: Tensor, *, coefficients: Sequence[float], count: int, **_: Any) -> Tensor:
        columns = data.shape[-1] if data.shape else None
        if isinstance(columns, int) and len(coefficients) < count * columns:
            message = f"expected at least {count * columns} values in `coefficients`, got {len(coefficients)}"
            raise ShapeError(R.wrong_value_length, message, "attr:coefficients", [0])
        return Tensor("float32", (_rows(data), count))


class Classifier(Operator):
    """Base of what outputs a label and the scores of all classes."""

    def shape(self, data: Tensor, *, labels: Sequence[Any], width: int | None = None, **_: Any) -> list[Tensor]:
        rows = _rows(data)
        kind = "string" if labels and isinstance(labels[0], str) else "int64"
        return [Tensor(kind, (rows,)), Tensor("float32", (rows, len(labels) if width is None else width))]


class LinearClassifier(Classifier):
    kernel = "classic.linear_classifier"

    def shape(self, data: Tensor, *, labels: Sequence[Any], intercepts: Sequence[float], **_: Any) -> list[Tensor]:  # type: ignore[override]
        """onnxruntime 1.32 outputs a score per intercept, and ignores further labels, of which onnx makes columns."""
        picks, scores = super().shape(data, labels=labels)
        told = len(intercepts) in (len(labels), len(labels) - 1 if len(labels) == 2 else -1)
        return [picks, scores if told or scores.shape is None else Tensor(scores.dtype, (scores.shape[0], None))]


class TreeScores(Operator):
    """The leaves' weights of all trees, folded by target."""

    kernel = "classic.trees"

    def shape(self, data: Tensor, *, columns: int, count: int, dtype: str | None = "float32", **_: Any) -> Tensor:
        _want_columns(data, columns)
        return Tensor(dtype, (_rows(data), count))


class TreeClassifier(Classifier):
    """Trees of which each leaf is for one class or several; with two classes the weights may be those of the second only."""

    kernel = "classic.tree_classifier"

    def shape(self, data: Tensor, *, columns: int, **attrs: Any) -> list[Tensor]:  # type: ignore[override]
        _want_columns(data, columns)
        return super().shape(data, **attrs)


class VectorScore(Operator):
    """A support vector regression, or which side of it a row is on."""

    kernel = "classic.vector_score"

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        return Tensor("float32", (_rows(data), 1))


class VectorClassifier(Classifier):
    """Support vectors that vote for classes pair by pair."""

    kernel = "classic.vector_classifier"
