"""Labels of sequences (CTC), strings as bytes, sparse rows, sampling by a grid, inverse matrices."""

from __future__ import annotations

from typing import Any

from irlint.dryrun import values
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.common import number
from irlint.dryrun.ops.nms import want_equal
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class CTCGreedyDecoder(Operator):
    """The likeliest label of every step, time first."""

    inputs = "logits:[L,B,_]/T=floats sequence_mask:[L,B]/floats -> [B,L,1,1]/T"

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

    inputs = """data:[B,L,_]/floats sequence_length:[B]/integers blank_index?:one/integers
    -> [B,L]/@classes_index_type:int32=index [B]/@sequence_length_type:int32=index"""

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

    inputs = """logits:[B,L,_]/T=floats logit_length:[B]/I=integers labels:[B,L]/J=integers label_length:[B]/I=integers
    blank_index?:[]/J=integers -> [B]/T"""

    def run(self, *arrays: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.sequence import ctc_loss

        return ctc_loss(*arrays, **attrs)


class StringTensorPack(Operator):
    """Strings from one row of bytes and their starts and ends."""

    inputs = "begins:S/I=index ends:S/I=index symbols:[_]/uint8 -> S/string"

    def run(self, begins: Any, ends: Any, symbols: Any, **_: Any) -> Any:
        data = symbols.tobytes()
        found = [
            data[a:b].decode("utf-8", "surrogateescape")
            for a, b in zip(begins.reshape(-1), ends.reshape(-1), strict=True)
        ]
        return np.array(found, object).reshape(begins.shape)


class StringTensorUnpack(Operator):
    """One row of bytes, and the start and end of each string."""

    inputs = "data:S/string -> S/int32 S/int32 [_]/uint8"

    def run(self, data: Any, **_: Any) -> Any:
        pieces = [text.encode("utf-8", "surrogateescape") for text in data.reshape(-1)]
        ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int32).reshape(data.shape)
        begins = ends - np.array([len(piece) for piece in pieces], np.int32).reshape(data.shape)
        return [begins, ends, np.frombuffer(b"".join(pieces), np.uint8)]


class SparseFillEmptyRows(Operator):
    """A sparse matrix with one element put into each empty row."""

    inputs = "values:[_] dense_shape:[2]/I=index indices:[_,2]/I=index default_value:[]"
    reads = (1, 2)

    def shape(self, given: Tensor, dense: Tensor, indices: Tensor, default: Tensor, **_: Any) -> list[Tensor]:
        self.match(given, dense, indices, default)
        want_equal(indices, 0, given, 0, ("indices", "values"), (2, 0), "numbers of elements")
        rows = values.to_dim(dense.value[0]) if dense.value else None
        total: Dim = None
        places = values.numbers(indices)
        if isinstance(rows, int) and places is not None:
            total = len(places) // 2 + len(set(range(rows)) - {int(row) for row in places[::2]})
        return [Tensor(indices.dtype, (total, 2)), Tensor(given.dtype, (total,)), Tensor("bool", (rows,))]

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

    inputs = "data:[N,C,_,_]/T grid:[N,H,W,2]/floats -> [N,C,H,W]/T"

    def run(self, data: Any, grid: Any, **attrs: Any) -> Any:
        from irlint.dryrun.kernels.resize import grid_sample

        return grid_sample(data, grid, **attrs)


class InverseOrAdjoint(Operator):
    """Inverse matrices of the last two dimensions, or their adjoints."""

    inputs = "data:S[*_,N,N]/T=floats -> S/T"

    def run(self, data: Any, *, adjoint: bool = False, **_: Any) -> Any:
        wide = data.astype(np.float64)
        inverse = np.linalg.inv(wide)
        if adjoint:
            inverse = inverse * np.linalg.det(wide)[..., None, None]
        return inverse.astype(data.dtype)
