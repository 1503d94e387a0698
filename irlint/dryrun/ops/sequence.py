"""Labels of sequences (CTC), strings as bytes, sparse rows, sampling by a grid, inverse matrices."""

from __future__ import annotations

from typing import Any

from irlint.codes import R
from irlint.dryrun import dims, values
from irlint.dryrun.dims import show
from irlint.dryrun.errors import ShapeError
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import (
    merge_shapes,
    number,
    same_dtype,
    want_dtype,
    want_least_rank,
    want_rank,
    want_scalar,
)
from irlint.dryrun.ops.nms import want_equal
from irlint.dryrun.ops.pooling import want_index_type
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class CTCGreedyDecoder(Operator):
    """The likeliest label of every step, time first."""

    inputs = "logits sequence_mask"

    def shape(self, logits: Tensor, mask: Tensor, **_: Any) -> Tensor:
        want_dtype(logits, "logits", 0, "a floating-point type")
        want_dtype(mask, "sequence_mask", 1, "a floating-point type")
        want_rank(logits, "logits", 0, 3)
        want_rank(mask, "sequence_mask", 1, 2)
        time = want_equal(logits, 0, mask, 0, self.names[:2], (0, 1), "numbers of steps")  # type: ignore[arg-type]
        batch = want_equal(logits, 1, mask, 1, self.names[:2], (0, 1), "batch sizes")  # type: ignore[arg-type]
        return Tensor(logits.dtype, (batch, time, 1, 1))

    def run(self, logits: Any, mask: Any, *, ctc_merge_repeated: bool = True, **_: Any) -> Any:
        best = np.argmax(logits, -1).T
        lengths = np.sum(mask != 0, 0).astype(np.int64)
        rows, _counts = collapse(best, lengths, logits.shape[-1] - 1, ctc_merge_repeated)
        return rows.astype(logits.dtype)[:, :, None, None]


def collapse(best: Any, lengths: Any, blank: int, merge: bool) -> tuple[Any, Any]:
    """Labels without blanks (and repetitions), padded with -1; and how many there are."""
    found = np.full(best.shape, -1, np.int64)
    counts = np.zeros(best.shape[0], np.int64)
    for k, (row, length) in enumerate(zip(best, lengths, strict=True)):
        row = row[: int(length)]
        keep = row != blank
        if merge:
            keep[1:] &= row[1:] != row[:-1]
        kept = row[keep]
        found[k, : kept.size], counts[k] = kept, kept.size
    return found, counts


class CTCGreedyDecoderSeqLen(Operator):
    """The likeliest labels, batch first, and how many."""

    inputs = "data sequence_length blank_index?"

    def shape(
        self,
        data: Tensor,
        lengths: Tensor,
        blank: Tensor | None = None,
        *,
        classes_index_type: str | None = "int32",
        sequence_length_type: str | None = "int32",
        **_: Any,
    ) -> list[Tensor]:
        want_index_type(classes_index_type, "classes_index_type")
        want_index_type(sequence_length_type, "sequence_length_type")
        want_dtype(data, "data", 0, "a floating-point type")
        for k, tensor in ((1, lengths), (2, blank)):
            want_dtype(tensor, self.names[k], k, "an integer type")
        want_rank(data, "data", 0, 3)
        want_rank(lengths, "sequence_length", 1, 1)
        want_scalar(blank, "blank_index", 2)
        batch = want_equal(data, 0, lengths, 0, ("data", "sequence_length"), (0, 1), "batch sizes")
        time = data.shape[1] if data.shape is not None else None
        return [Tensor(classes_index_type, (batch, time)), Tensor(sequence_length_type, (batch,))]

    def run(
        self,
        data: Any,
        lengths: Any,
        blank: Any = None,
        *,
        merge_repeated: bool = True,
        classes_index_type: str = "int32",
        sequence_length_type: str = "int32",
        **_: Any,
    ) -> Any:
        empty = data.shape[-1] - 1 if blank is None else number(blank)
        found, counts = collapse(np.argmax(data, -1), lengths, empty, merge_repeated)
        return [found.astype(classes_index_type), counts.astype(sequence_length_type)]


class CTCLoss(Operator):
    """The negative log probability of the labels."""

    inputs = "logits logit_length labels label_length blank_index?"

    def shape(
        self,
        logits: Tensor,
        lengths: Tensor,
        labels: Tensor,
        label_lengths: Tensor,
        blank: Tensor | None = None,
        **_: Any,
    ) -> Tensor:
        want_dtype(logits, "logits", 0, "a floating-point type")
        for k, tensor in ((1, lengths), (2, labels), (3, label_lengths), (4, blank)):
            want_dtype(tensor, self.names[k], k, "an integer type")
        want_rank(logits, "logits", 0, 3)
        want_rank(lengths, "logit_length", 1, 1)
        want_rank(labels, "labels", 2, 2)
        want_rank(label_lengths, "label_length", 3, 1)
        want_scalar(blank, "blank_index", 4, or_single=False)
        same_dtype((lengths, label_lengths), ("logit_length", "label_length"), (1, 3))
        if blank is not None:
            same_dtype((labels, blank), ("labels", "blank_index"), (2, 4))
        batch: Dim = None
        operands = ((0, logits), (1, lengths), (2, labels), (3, label_lengths))
        for a, (i, one) in enumerate(operands):
            for j, other in operands[a + 1 :]:
                found = want_equal(one, 0, other, 0, (self.names[i], self.names[j]), (i, j), "batch sizes")
                batch = dims.merge(batch, found)
        want_equal(logits, 1, labels, 1, ("logits", "labels"), (0, 2), "numbers of steps")
        return Tensor(logits.dtype, (batch,))

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.sequence import ctc_loss

        return ctc_loss(*arrays, **attrs)


class StringTensorPack(Operator):
    """Strings from one row of bytes and their starts and ends."""

    inputs = "begins ends symbols"

    def shape(self, begins: Tensor, ends: Tensor, symbols: Tensor, **_: Any) -> Tensor:
        for k, tensor in ((0, begins), (1, ends)):
            want_dtype(tensor, self.names[k], k, "int32 or int64")
        same_dtype((begins, ends), ("begins", "ends"))
        if symbols.dtype not in (None, "uint8"):
            raise ShapeError(R.dtype_mismatch, f"expected uint8 for `symbols`, got {symbols.dtype}", "input:2", [2])
        want_rank(symbols, "symbols", 2, 1)
        shape = merge_shapes(begins, ends, ("begins", "ends"))
        return Tensor("string", shape)

    def run(self, begins: Any, ends: Any, symbols: Any, **_: Any) -> Any:
        data = symbols.tobytes()
        found = [
            data[a:b].decode("utf-8", "surrogateescape")
            for a, b in zip(begins.reshape(-1), ends.reshape(-1), strict=True)
        ]
        return np.array(found, object).reshape(begins.shape)


class StringTensorUnpack(Operator):
    """One row of bytes, and the start and end of each string."""

    def shape(self, data: Tensor, **_: Any) -> list[Tensor]:
        if data.dtype not in (None, "string"):
            raise ShapeError(R.dtype_mismatch, f"expected string for `data`, got {data.dtype}", "input:0", [0])
        return [Tensor("int32", data.shape), Tensor("int32", data.shape), Tensor("uint8", (None,))]

    def run(self, data: Any, **_: Any) -> Any:
        pieces = [text.encode("utf-8", "surrogateescape") for text in data.reshape(-1)]
        ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int32).reshape(data.shape)
        begins = ends - np.array([len(piece) for piece in pieces], np.int32).reshape(data.shape)
        return [begins, ends, np.frombuffer(b"".join(pieces), np.uint8)]


class SparseFillEmptyRows(Operator):
    """A sparse matrix with one element put into each empty row."""

    inputs = "values dense_shape indices default_value"
    reads = (1, 2)

    def shape(self, given: Tensor, dense: Tensor, indices: Tensor, default: Tensor, **_: Any) -> list[Tensor]:
        for k, tensor in ((1, dense), (2, indices)):
            want_dtype(tensor, self.names[k], k, "int32 or int64")
        dtype = given.dtype
        same_dtype((dense, indices), ("dense_shape", "indices"), (1, 2))
        want_rank(given, "values", 0, 1)
        want_rank(dense, "dense_shape", 1, 1)
        want_rank(indices, "indices", 2, 2)
        want_scalar(default, "default_value", 3, or_single=False)
        if dense.shape and not dims.can_be(dense.shape[0], 2):
            message = f"expected 2 numbers in `dense_shape`, got {show(dense.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        if indices.shape is not None and not dims.can_be(indices.shape[1], 2):
            raise ShapeError(
                R.shape_mismatch, f"expected pairs in `indices`, got {show(indices.shape)}", "input:2", [2]
            )
        want_equal(indices, 0, given, 0, ("indices", "values"), (2, 0), "numbers of elements")
        rows = values.to_dim(dense.value[0]) if dense.value else None
        total: Dim = None
        places = values.numbers(indices)
        if isinstance(rows, int) and places is not None:
            total = len(places) // 2 + len(set(range(rows)) - {int(row) for row in places[::2]})
        return [Tensor(indices.dtype, (total, 2)), Tensor(dtype, (total,)), Tensor("bool", (rows,))]

    def run(self, given: Any, dense: Any, indices: Any, default: Any, **_: Any) -> Any:
        rows = int(dense[0])
        empty = np.ones(rows, bool)
        empty[indices[:, 0]] = False
        extra = np.flatnonzero(empty)
        places = np.concatenate([indices, np.stack([extra, np.zeros_like(extra)], 1).astype(indices.dtype)])
        numbers = np.concatenate([given, np.full(extra.size, default, given.dtype)])
        order = np.lexsort((places[:, 1], places[:, 0]))
        return [places[order], numbers[order], empty]


class GridSampleBy(Operator):
    """The data sampled at the points of a grid."""

    inputs = "data grid"

    def shape(self, data: Tensor, grid: Tensor, **_: Any) -> Tensor:
        want_dtype(grid, "grid", 1, "a floating-point type")
        want_rank(data, "data", 0, 4)
        want_rank(grid, "grid", 1, 4)
        if grid.shape is not None and not dims.can_be(grid.shape[3], 2):
            message = f"expected 2 (x, y) as the last dimension of `grid`, got {show(grid.shape)}"
            raise ShapeError(R.shape_mismatch, message, "input:1", [1])
        batch = want_equal(data, 0, grid, 0, ("data", "grid"), (0, 1), "batch sizes")
        channels = data.shape[1] if data.shape is not None else None
        space = grid.shape[1:3] if grid.shape is not None else (None, None)
        return Tensor(data.dtype, (batch, channels, *space))

    def run(self, data: Any, grid: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.resize import grid_sample

        return grid_sample(data, grid, **attrs)


class InverseOrAdjoint(Operator):
    """Inverse matrices of the last two dimensions, or their adjoints."""

    def shape(self, data: Tensor, **_: Any) -> Tensor:
        want_dtype(data, "data", 0, "a floating-point type")
        want_least_rank(data, "data", 0, 2)
        if data.shape is not None and not dims.compatible(data.shape[-1], data.shape[-2]):
            raise ShapeError(
                R.shape_mismatch,
                f"expected two equal last dimensions for `data`, got {show(data.shape)}",
                "input:0",
                [0],
            )
        return data

    def run(self, data: Any, *, adjoint: bool = False, **_: Any) -> Any:
        wide = data.astype(np.float64)
        inverse = np.linalg.inv(wide)
        if adjoint:
            inverse = inverse * np.linalg.det(wide)[..., None, None]
        return inverse.astype(data.dtype)
