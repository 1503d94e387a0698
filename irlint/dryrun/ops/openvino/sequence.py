"""Labels of sequences (CTC), strings as bytes, sparse rows, sampling by a grid, inverse matrices."""

from __future__ import annotations

from typing import Any

from irlint.dryrun import values
from irlint.dryrun.lazy import np
from irlint.dryrun.operator import Operator
from irlint.dryrun.ops.shared.linear import inverse
from irlint.dryrun.ops.shared.nms import want_equal
from irlint.dryrun.tensor import Tensor
from irlint.graph import Dim


class CTCGreedyDecoder(Operator):
    """The likeliest label of every step, time first."""

    inputs = "logits:[L,B,_]/T=floats sequence_mask:[L,B]/floats -> [B,L,1,1]/T"
    kernel = "sequence.ctc_greedy"


class CTCGreedyDecoderSeqLen(Operator):
    """The likeliest labels, batch first, and how many."""

    inputs = """data:[B,L,_]/floats sequence_length:[B]/integers blank_index?:one/integers
    -> [B,L]/@classes_index_type:int32=index [B]/@sequence_length_type:int32=index"""
    kernel = "sequence.ctc_greedy_lengths"


class CTCLoss(Operator):
    """The negative log probability of the labels."""

    inputs = """logits:[B,L,_]/T=floats logit_length:[B]/I=integers labels:[B,L]/J=integers label_length:[B]/I=integers
    blank_index?:[]/J=integers -> [B]/T"""
    kernel = "sequence.ctc_loss"


class StringTensorPack(Operator):
    """Strings from one row of bytes and their starts and ends."""

    inputs = "begins:S/I=index ends:S/I=index symbols:[_]/uint8 -> S/string"
    kernel = "strings.pack"


class StringTensorUnpack(Operator):
    """One row of bytes, and the start and end of each string."""

    inputs = "data:S/string -> S/int32 S/int32 [_]/uint8"
    kernel = "strings.unpack"


class SparseFillEmptyRows(Operator):
    """A sparse matrix with one element put into each empty row."""

    inputs = "values:[_] dense_shape:[2]/I=index indices:[_,2]/I=index default_value:[]"
    reads = (1, 2)
    kernel = "gathering.fill_empty_rows"

    def shape(self, given: Tensor, dense: Tensor, indices: Tensor, default: Tensor, **_: Any) -> list[Tensor]:
        self.match(given, dense, indices, default)
        want_equal(indices, 0, given, 0, ("indices", "values"), (2, 0), "numbers of elements")
        rows = values.to_dim(dense.value[0]) if dense.value else None
        total: Dim = None
        places = values.numbers(indices)
        if isinstance(rows, int) and places is not None:
            total = len(places) // 2 + len(set(range(rows)) - {int(row) for row in places[::2]})
        return [Tensor(indices.dtype, (total, 2)), Tensor(given.dtype, (total,)), Tensor("bool", (rows,))]


class GridSampleBy(Operator):
    """The data sampled at the points of a grid."""

    inputs = "data:[N,C,_,_]/T grid:[N,H,W,2]/floats -> [N,C,H,W]/T"
    kernel = "resampling.grid_sample"


class InverseOrAdjoint(Operator):
    """Inverse matrices of the last two dimensions; with `adjoint` OpenVINO 2026.4.1 (CPU) transposes them."""

    inputs = "data:S[*_,N,N]/T=floats -> S/T"

    def run(self, data: Any, *, adjoint: bool = False, **_: Any) -> Any:
        found = inverse(data.astype(np.float64))
        return (np.swapaxes(found, -1, -2) if adjoint else found).astype(data.dtype)
