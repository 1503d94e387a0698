"""What the first run of a network would fail on, on its token; and what only looks like it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint import api, engine
from irlint.codes import Severity
from irlint.dryrun.prefix import sizes
from irlint.formats.base import by_name
from irlint.inspection.summarized import held_types
from irlint.inspection.weights import weights

FORMAT = by_name("ncnn")
INPUT = "Input data 0 1 data 0=8 1=8 2=3"


def net(*layers: str, first: str = INPUT) -> str:
    lines = [first, *layers]
    blobs = sum(int(line.split()[3]) for line in lines)
    return "\n".join(["7767517", f"{len(lines)} {blobs}", *lines]) + "\n"


def found(text: str) -> list[tuple[str, str, str]]:
    """Return code, severity and the text of the place of each finding."""
    result = engine.lint(text, "net.param")
    return [
        (finding.code, finding.severity.name.lower(), text[finding.span.start : finding.span.end])
        for finding in result.findings
        if finding.severity >= Severity.WARNING
    ]


# Each fails, crashes or reads memory that is not its own in ncnn 1.0.20261020.
@pytest.mark.parametrize(
    ("layers", "code", "at"),
    [
        (["Convolution c 1 1 data c 0=4 1=3 6=144", "ReLU r 1 1 c r"], "D001", "144"),
        (["Convolution c 1 1 data c 0=4 1=3 6=108", "Convolution d 1 1 c d 0=2 1=1 6=6"], "D001", "6"),
        (["InnerProduct f 1 1 data f 0=10 2=1930"], "D001", "1930"),
        (["Reshape r 1 1 data r 0=10 1=10"], "D008", "10"),
        (["Permute p 1 1 data p 0=6"], "D003", "6"),
        (["Concat c 1 1 data c 0=3"], "D004", "3"),
        (["Slice s 1 2 data a b -23300=2,2,2"], "D001", "2,2,2"),
        (["Crop c 1 1 data c 0=9 3=-233 4=-233 5=-233"], "A006", "-233"),
        (["PixelShuffle p 1 1 data p 0=2"], "D001", "2"),
        (["Split s 1 2 data a b", "Pooling p 1 1 a p 0=0 1=2 2=2", "Eltwise e 2 1 p b e 0=1"], "D001", "b"),
        (["Flatten f 1 1 data f", "LSTM l 1 1 f l 0=4 1=320"], "D001", "320"),
        (["MatMul m 1 1 data m"], "O002", "1"),
        (["LayerNorm n 1 1 data n 0=7"], "D001", "7"),
        (["BatchNorm n 1 1 data n 0=2"], "D001", "2"),
        (["GroupNorm n 1 1 data n 0=1 1=6"], "D001", "6"),
        (["Fold f 1 1 data f 1=2 20=2 4=-234"], "A006", "-234"),
        (["Reshape r 1 1 data r 0=-1 13=0"], "D008", "-1"),
        (["Reshape r 1 1 data r 0=-1 12=4"], "D004", "4"),
        (["Reshape r 1 1 data r 0=-2"], "D008", "-2"),
        (['Reshape r 1 1 data r 6="0w,0x"'], "A006", '"0w,0x"'),
        (['Reshape r 1 1 data r 6="0w,*(0h"'], "A006", '"0w,*(0h"'),
        (['Interp i 1 1 data i 0=2 9="0w'], "A003", '"0w'),
        (["Crop c 1 1 data c -23309=2,0,0 -23310=2,1,1"], "A006", "2,0,0"),
        (["Flatten f 1 1 data f", "ShuffleChannel s 1 1 f s 0=8"], "D001", "8"),
        (["UnknownYet u 1 1 data u", "GLU g 1 1 u g 0=10"], "D004", "10"),
        (["Convolution c 1 1 data c 0=4 1=3 4=1 14=-2 6=108"], "A006", "1"),
        (["Deconvolution c 1 1 data c 0=4 1=3 6=108 20=15"], "A006", "15"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_error_is_on_its_token(layers: list[str], code: str, at: str) -> None:
    assert (code, "error", at) in found(net(*layers, first="MemoryData data 0 1 data 0=8 1=8 2=3"))


@pytest.mark.parametrize(
    "layers",
    [
        ["Convolution c 1 1 data c 0=4 1=3 4=-233 6=108"],
        ["Pooling p 1 1 data p 0=1 4=1", "InnerProduct f 1 1 p f 0=4 2=12"],
        ["BinaryOp b 1 1 data b 0=2 1=1 2=0.5"],
        ["Reshape r 1 1 data r 0=0 1=-1 2=1"],
        ['Reshape r 1 1 data r 6="0w,0h,0c,0n" 12=0 13=0'],
        ["Deconvolution c 1 1 data c 0=4 1=3 4=-233 6=108 20=9"],
        ["Flatten f 1 1 data f", "GLU g 1 1 f g 0=7"],
        ["Interp i 1 1 data i 0=2 1=2.0 2=2.0"],
        ["UnknownYet u 1 1 data u", "Convolution c 1 1 u c 0=4 1=3 6=108"],
    ],
    ids=lambda value: value[0][:30],
)
def test_what_runs_has_no_error_in_shapes(layers: list[str]) -> None:
    assert not [code for code, _, _ in found(net(*layers)) if code.startswith("D")]


@pytest.mark.parametrize(
    ("declared", "weights", "expected"),
    [
        ("0=60 1=60", 24000, ("D006", "warning", "60")),  # of 60 by 80
        ("0=64 1=64", 24000, ("D006", "warning", "64")),
        ("0=60 1=60", 24010, ("D001", "error", "24010")),  # of no image
        ("0=1000000000 1=1000000000", 24000, ("D001", "error", "24000")),
    ],
)
def test_weights_for_an_image_that_is_no_square(declared: str, weights: int, expected: tuple[str, str, str]) -> None:
    """ncnn does not use the declared shape, and a program may feed images of 60 by 80."""
    text = net(
        "Convolution c 1 1 data c 0=8 1=3 3=2 4=1 6=216",
        "Pooling p 1 1 c p 1=2 2=2",
        "Flatten f 1 1 p f",
        f"InnerProduct d 1 1 f d 0=10 2={weights}",
        first=f"Input data 0 1 data {declared} 2=3",
    )
    assert found(text) == [expected]


def test_what_follows_is_unknown_without_a_declared_shape() -> None:
    text = net(
        "Convolution c 1 1 data c 0=4 1=3 6=108", "Convolution d 1 1 c d 0=2 1=1 6=10", first="Input data 0 1 data"
    )
    assert found(text) == [("D001", "error", "10")]


@pytest.mark.parametrize(
    ("first", "fixed"),
    [
        ("Input data 0 1 data 0=3 1=8 2=8", "Input data 0 1 data 0=8 1=8 2=3"),
        ("Input data 0 1 data 0=8 1=8 2=4", "Input data 0 1 data 0=8 1=8 2=3"),
        ("Input data 0 1 data 0=8 1=8", "Input data 0 1 data 0=8 1=8 2=3"),
    ],
)
def test_an_input_with_other_sizes_is_a_warning(first: str, fixed: str) -> None:
    """The runtime does not use them: a network is fed with what the program has."""
    rest = ["Convolution c 1 1 data c 0=4 1=3 6=108", "InnerProduct f 1 1 c f 0=2 2=288"]
    text = net(*rest, first=first)
    assert [(code, severity) for code, severity, _ in found(text)] == [("D006", "warning")]
    assert api.fix(text, unsafe=True) == net(*rest, first=fixed)


@pytest.mark.parametrize(
    ("declared", "layers"),
    [
        ("0=8 1=8 2=3", ["MemoryData m 0 1 m 0=8 1=8 2=5", "Concat c 2 1 data m c 0=1"]),
        ("0=8 1=8 2=1", ["MemoryData m 0 1 m 0=3 1=3 2=4", "CopyTo c 2 1 data m c"]),
        ("0=8 1=8 2=5", ["GroupNorm n 1 1 data n 0=4 1=8"]),
        ("0=8 1=8 2=5", ["ConvolutionDepthWise c 1 1 data c 0=4 1=3 6=36 7=4"]),
        ("0=8", ["LRN l 1 1 data l 1=5"]),
        ("0=8 1=8 2=3", ["PixelShuffle p 1 1 data p 0=2"]),
    ],
)
def test_what_rests_on_a_declared_size_is_a_warning(declared: str, layers: list[str]) -> None:
    text = net(*layers, first=f"Input data 0 1 data {declared}")
    assert [(code, severity) for code, severity, _ in found(text)] == [("D006", "warning")]


def test_hints_are_compared() -> None:
    layers = ["Convolution c 1 1 data c -23330=4,3,6,6,{} 0=4 1=3 6=108", "ReLU r 1 1 c r"]
    right, wrong = (net(layers[0].format(channels), layers[1]) for channels in (4, 5))
    assert found(right) == []
    assert [(code, severity) for code, severity, _ in found(wrong)] == [("D006", "warning")]


def test_expressions_are_in_prefix_notation() -> None:
    assert sizes("*(0w,0h),//(0c,2),-(+(1w,3),max(0d,2))", [(4, 5, 6), (7,)]) == [30, 2, 8]
    assert sizes("round(/(0w,4)),trunc(sqrt(17)),neg(-2)", [(10,)]) == [3, 4, 2]


def test_weights_of_layers_are_listed(tmp_path: Path) -> None:
    import numpy as np

    param = tmp_path / "net.param"
    param.write_text(net("Convolution c 1 1 data c 0=2 1=1 5=1 6=6"))
    halves = np.arange(6, dtype="<f2")
    param.with_suffix(".bin").write_bytes(b"\x47\x6b\x30\x01" + halves.tobytes() + np.ones(2, "<f4").tobytes())
    model: Any = engine.lint_bytes(param.read_bytes(), param.name, path=param).model
    listed = [(weight.name, weight.type.dtype, weight.type.shape, weight.bytes) for weight in weights(model)]
    assert listed == [("c.weight_data", "float16", (2, 3, 1, 1), 12), ("c.bias_data", "float32", (2,), 8)]
    assert FORMAT is not None
    assert [type_.dtype for type_ in held_types(model, FORMAT.dryrun(model))] == ["float16", "float32"]


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        ("Interp i 1 1 data i 0=1 1=2.0 2=2.0 5=3", (3, 16, 16)),
        ("BatchNorm b 1 1 data b 0=7", (3, 8, 8)),
        ("Bias b 1 1 data b 0=7", (3, 8, 8)),
        ("PReLU p 1 1 data p 0=8", (3, 8, 8)),
        ("Scale s 1 1 data s 0=8 1=1", (3, 8, 8)),
        ('Reshape r 1 1 data r 6="1,1,//(192,0n),0n"', (1, 192, 1, 1)),
        ('Interp i 1 1 data i 0=1 9="3,5"', (3, 5, 3)),
        ('Interp i 1 1 data i 0=1 9="3"', (3, 8, 3)),
        ("Input size 0 1 size 0=4 1=2\nCrop c 2 1 data size c", (3, 2, 4)),
    ],
)
def test_what_the_runtime_takes_runs(tmp_path: Path, layer: str, shape: tuple[int, ...]) -> None:
    param = tmp_path / "net.param"
    param.write_text(net(*layer.split("\n")))
    assert [output.shape for output in api.run(param).values()] == [shape]


def test_a_network_runs_without_weights(tmp_path: Path) -> None:
    param = tmp_path / "net.param"
    param.write_text(net("Convolution c 1 1 data c 0=2 1=3 5=1 6=54 9=1", "Pooling p 1 1 c p 0=1 4=1"))
    outputs = api.run(param)
    assert list(outputs) == ["p"]
    assert outputs["p"].shape == (2,)


def test_a_box_that_an_input_holds_is_cut_out(tmp_path: Path) -> None:
    """Where it begins along width, height and channels, then where it ends, as bits of integers."""
    param = tmp_path / "net.param"
    param.write_text(net("MemoryData box 0 1 box 0=6", "Crop c 2 1 data box c 0=-233"))
    param.with_suffix(".bin").write_bytes(np.array([1, 2, 0, 5, 4, 2], "<i4").tobytes())
    data = np.arange(192, dtype=np.float32).reshape(3, 8, 8)
    assert np.array_equal(api.run(param, inputs={"data": data})["c"], data[:2, 2:4, 1:5])


@pytest.mark.parametrize(
    ("stored", "total"),
    [
        (b"\x83\x8b\x34\x01\x80\x3f\x00\x40", 21),  # bfloat16
        (b"\1\0\0\0" + np.arange(256, dtype="<f4").tobytes() + b"\3\4\0\0", 43),  # places in a table
    ],
)
def test_weights_are_decoded_by_their_tag(tmp_path: Path, stored: bytes, total: float) -> None:
    param = tmp_path / "net.param"
    param.write_text(net("InnerProduct f 1 1 data f 0=1 2=2", first="Input data 0 1 data 0=2"))
    param.with_suffix(".bin").write_bytes(stored)
    assert api.run(param, inputs={"data": np.array([1, 10], np.float32)})["f"].tolist() == [total]


def test_weights_of_a_broken_model_are_listed(tmp_path: Path) -> None:
    param = tmp_path / "net.param"
    text = net("UnaryOp u 1 1 data u 0=77", "InnerProduct f 1 1 u f 0=1 2=2", first="Input data 0 1 data 0=2")
    param.write_text(text)
    param.with_suffix(".bin").write_bytes(bytes(6))
    model = engine.lint(text, param.name, path=param).model
    assert model is not None
    assert [row.why for row in weights(model)] == ["the .bin ends before weight_data"]
