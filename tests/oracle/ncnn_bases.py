"""A small network around one layer of each type that ncnn runs: parameters, shapes of inputs, number of outputs."""

from __future__ import annotations

from typing import NamedTuple

from irlint.operators import table

C1, C2, C3, C4 = (16,), (4, 8), (4, 8, 8), (4, 5, 8, 8)
_CONV = "0=4 1=3 5=1 6=%d"
_RANKS = {"": (C3, 9), "1D": (C2, 3), "3D": (C4, 27)}


class Base(NamedTuple):
    params: str = ""
    inputs: tuple[tuple[int, ...], ...] = (C3,)
    outputs: int = 1


_ODD: dict[str, Base] = {
    "BatchNorm": Base("0=4"), "Bias": Base("0=4"), "BinaryOp": Base("0=0", (C3, C3)), "Cast": Base("0=1 1=1"), "Concat": Base("", (C3, C3)),
    "CopyTo": Base("", (C3, (4, 4, 4))), "Crop": Base("3=4 4=4 5=4"), "DeformableConv2D": Base("0=4 1=3 4=1 5=1 6=144", (C3, (18, 8, 8))),
    "DetectionOutput": Base("0=3 2=4 3=4", ((16,), (12,), (2, 16))), "Diag": Base("", ((8,),)),
    "Einsum": Base("-23300=9,105,107,44,107,106,45,62,105,106", ((4, 6), (6, 8))), "Eltwise": Base("0=1", (C3, C3)),
    "Embed": Base("0=4 1=8 2=1 3=32", (C1,)), "ExpandDims": Base("-23303=1,0", (C2,)), "Flip": Base("-23300=1,0"),
    "Fold": Base("1=2 3=2 20=8 21=8", ((16, 16),)), "Unfold": Base("1=2"), "Gemm": Base("2=0", ((4, 6), (6, 8))),
    "GridSample": Base("0=1", (C3, (8, 8, 2))), "GroupNorm": Base("0=2 1=4"), "InstanceNorm": Base("0=4"),
    "GRU": Base("0=4 1=96", ((5, 8),)), "RNN": Base("0=4 1=32", ((5, 8),)), "LSTM": Base("0=4 1=128", ((5, 8),)),
    "InnerProduct": Base("0=5 1=1 2=320", ((64,),)), "Input": Base("0=8 1=8 2=4", ()), "Interp": Base("0=1 1=2.0 2=2.0"),
    "Spectrogram": Base("0=16 1=1", ((64,),)), "InverseSpectrogram": Base("0=16 1=1", ((16, 17, 2),)), "LayerNorm": Base("0=8"),
    "RMSNorm": Base("0=8"), "MatMul": Base("", ((4, 6), (6, 8))), "MemoryData": Base("0=8 1=4", ()), "MultiHeadAttention": Base("0=8 1=2 2=64", ((5, 8),)),
    "Normalize": Base("3=4"), "Padding": Base("0=1 2=1"), "Permute": Base("0=1"), "PixelShuffle": Base("0=2"), "Reorg": Base("0=2"),
    "Pooling": Base("0=1 1=2 2=2"), "Pooling1D": Base("0=1 1=2 2=2", (C2,)), "Pooling3D": Base("0=1 1=2 2=2", (C4,)), "PReLU": Base("0=4"),
    "PriorBox": Base("-23300=1,4.0 9=64 10=64", (C3, (3, 64, 64))), "Proposal": Base("", ((18, 4, 4), (36, 4, 4), (3,))),
    "PSROIPooling": Base("0=2 1=2 3=1", (C3, (4,))), "ROIAlign": Base("0=2 1=2", (C3, (4,))), "ROIPooling": Base("0=2 1=2", (C3, (4,))),
    "Reduction": Base("0=0 1=0 -23303=1,0 5=1"), "Reshape": Base("0=-1"), "RotaryEmbed": Base("", ((4, 5, 8), (5, 4), (5, 4))), "Scale": Base("0=4"),
    "SDPA": Base("", ((4, 5, 8),) * 3), "ShuffleChannel": Base("0=2"), "Slice": Base("-23300=2,-233,-233", (C3,), 2), "Softmax": Base("0=0 1=1"),
    "SPP": Base("1=2"), "Split": Base("", (C3,), 2), "Squeeze": Base("-23303=1,0", ((1, 8, 8),)), "Tile": Base("0=0 1=2"),
    "YoloDetectionOutput": Base("0=3 1=2 -23304=4,1.0,2.0,1.0,2.0", ((16, 4, 4),)),
    "Yolov3DetectionOutput": Base("0=3 1=2 -23304=4,1.0,2.0,1.0,2.0 -23305=2,0.0,1.0 -23306=1,32.0", ((16, 4, 4),)),
}  # fmt: skip
for _word in ("Convolution", "Deconvolution"):
    for _rank, (_shape, _taps) in _RANKS.items():
        _ODD[_word + _rank] = Base(_CONV % (16 * _taps), (_shape,))
        _ODD[f"{_word}DepthWise{_rank}"] = Base(f"{_CONV % (4 * _taps)} 7=4", (_shape,))

BASES = {name: _ODD.get(name, Base()) for name in table("ncnn").names}
INTEGERS = {"Embed": [0]}  # inputs that are indices


def text(op: str, params: str | None = None) -> str:
    """Return a network of one layer of a type and its inputs."""
    base = BASES[op]
    given = base.params if params is None else params
    names = [f"x{k}" for k in range(len(base.inputs))]
    outputs = " ".join(f"y{k}" for k in range(base.outputs))
    head = f"7767517\n{len(names) + 1} {len(names) + base.outputs}\n"
    inputs = "".join(f"Input {name} 0 1 {name}\n" for name in names)
    return f"{head}{inputs}{op} layer {len(names)} {base.outputs} {' '.join([*names, outputs])} {given}\n"


def changed(params: str, key: str, value: str) -> str:
    """Return parameters with another plain value for one."""
    kept = [word for word in params.split() if word.partition("=")[0] not in (key, str(-23300 - int(key)))]
    return " ".join([*kept, f"{key}={value}"])
