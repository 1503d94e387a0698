"""What OpenVINO 2026.4.1 refuses to read, compile or run on the CPU, and what looks like it and runs (all of it measured)."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from irlint import engine

from .models import model
from .tiny import Layer, call, const, errors, findings, parameter, write

MASKS = {"begin_mask": "0", "end_mask": "0", "new_axis_mask": "0", "shrink_axis_mask": "1", "ellipsis_mask": "0"}
PLAIN = {"strides": "1,1", "dilations": "1,1"}


def reshape(shape: str, *pattern: int, zero: str) -> list[Layer]:
    return [parameter("x", shape), const("p", *pattern), call("r", "opset1.Reshape", "x", "p", special_zero=zero)]


def strided(shape: str, begin: int, stride: int, **masks: str) -> list[Layer]:
    constants = const("b", begin), const("e", begin + 1), const("s", stride)
    return [
        parameter("x", shape),
        *constants,
        call("r", "opset1.StridedSlice", "x", "b", "e", "s", **{**MASKS, **masks}),
    ]


def gather(index: int) -> list[Layer]:
    """A dimension of a shape becomes a dimension of a Reshape's pattern."""
    return [
        parameter("x", "?,?,8"),
        call("s", "opset3.ShapeOf", "x", output_type="i64"),
        const("i", index),
        const("axis", 0, shape=""),
        call("g", "opset8.Gather", "s", "i", "axis", batch_dims="0"),
        const("left", -1),
        call("c", "opset1.Concat", "g", "left", axis="0"),
        call("r", "opset1.Reshape", "x", "c", special_zero="false"),
    ]


def normalised(shape: str, *axes: float, kind: str) -> list[Layer]:
    attrs = {"eps": "1e-5", "normalize_variance": "true", "eps_mode": "inside_sqrt"}
    return [parameter("x", shape), const("a", *axes, kind=kind), call("m", "opset6.MVN", "x", "a", **attrs)]


def split(kind: str) -> list[Layer]:
    return [
        parameter("x", "2,4"),
        const("a", 1, shape="", kind=kind),
        call("s", "opset1.Split", "x", "a", num_splits="1"),
    ]


def top(sort: str, stable: str) -> list[Layer]:
    attrs = {"axis": "1", "mode": "max", "sort": sort, "stable": stable}
    return [parameter("x", "2,4"), const("k", 2, shape=""), call("t", "opset11.TopK", "x", "k", **attrs)]


def quantized(shape: str, levels: int) -> list[Layer]:
    limits = const("low", 0, shape="", kind="f32"), const("high", 1, shape="", kind="f32")
    inputs = "x", "low", "high", "low", "high"
    return [parameter("x", shape), *limits, call("q", "opset1.FakeQuantize", *inputs, levels=levels)]


def summed(shape: str, keep: str, *axes: int) -> list[Layer]:
    return [parameter("x", shape), const("a", *axes), call("r", "opset1.ReduceSum", "x", "a", keep_dims=keep)]


def unsqueezed(*axes: int) -> list[Layer]:
    return [parameter("x", "2,3"), const("a", *axes), call("r", "opset1.Unsqueeze", "x", "a")]


def stretched(shape: str, *target: int) -> list[Layer]:
    return [parameter("x", shape), const("t", *target), call("b", "opset3.Broadcast", "x", "t", mode="numpy")]


def broadcast(shape: str, *target: int, mode: str, axes: tuple[int, ...] = ()) -> list[Layer]:
    mapping = [const("m", *axes)] if axes else []
    names = ("x", "t", "m")[: 2 + len(mapping)]
    return [parameter("x", shape), const("t", *target), *mapping, call("b", "opset3.Broadcast", *names, mode=mode)]


def convolved(begin: str, end: str, auto: str) -> list[Layer]:
    weights = const("w", *[0.5] * 9, shape="1,1,3,3", kind="f32")
    attrs = {**PLAIN, "pads_begin": begin, "pads_end": end, "auto_pad": auto}
    return [parameter("x", "1,1,8,8"), weights, call("c", "opset1.Convolution", "x", "w", **attrs)]


def pooled(end: str, auto: str) -> list[Layer]:
    attrs = {"strides": "1,1", "kernel": "3,3", "pads_begin": "0,0", "pads_end": end, "rounding_type": "floor"}
    return [parameter("x", "1,1,8,8"), call("p", "opset1.MaxPool", "x", auto_pad=auto, **attrs)]


def random_numbers(*shape: int) -> list[Layer]:
    limits = const("low", 0, kind="f32"), const("high", 1, kind="f32")
    attrs = {"output_type": "f32", "global_seed": "1", "op_seed": "1"}
    return [const("s", *shape), *limits, call("r", "opset8.RandomUniform", "s", "low", "high", **attrs)]


def sloped(shape: str, count: int, slope: str) -> list[Layer]:
    slopes = const("s", *[0.5] * count, shape=slope, kind="f32")
    return [parameter("x", shape), slopes, call("p", "opset1.PReLU", "x", "s")]


def cell(hidden: int) -> list[Layer]:
    weights = (
        const("w", *[0.5] * 36, shape="12,3", kind="f32"),
        const("r", *[0.5] * 48, shape="12,4", kind="f32"),
        const("b", *[0.5] * 12, kind="f32"),
    )
    given = parameter("x", "2,3"), parameter("h", "2,4")
    return [*given, *weights, call("c", "opset3.GRUCell", "x", "h", "w", "r", "b", hidden_size=hidden)]


def added(one: str, other: str) -> list[Layer]:
    attrs = {"auto_broadcast": "pdpd", "axis": "-1"}
    return [parameter("x", one), parameter("y", other), call("a", "opset1.Add", "x", "y", **attrs)]


def rolled(shift: str, *axes: int, shape: str) -> list[Layer]:
    lists = const("s", *[1] * int(shift or 1), shape=shift), const("a", *axes, shape=shape)
    return [parameter("x", "2,4"), *lists, call("r", "opset7.Roll", "x", "s", "a")]


def largest(shape: str, axis: int) -> list[Layer]:
    attrs = {"axis": axis, "mode": "max", "sort": "value", "stable": "false"}
    return [parameter("x", shape), const("k", 3, shape=""), call("t", "opset11.TopK", "x", "k", **attrs)]


def suppressed(boxes: str, scores: str) -> list[Layer]:
    attrs = {"box_encoding": "corner", "sort_result_descending": "true", "output_type": "i64"}
    return [parameter("x", boxes), parameter("y", scores), call("n", "opset5.NonMaxSuppression", "x", "y", **attrs)]


def prior_boxes(variance: str, computed: bool) -> list[Layer]:
    """Boxes that the plug-in computes, or that are folded before it sees them."""
    attrs = {"min_size": 16, "max_size": 32, "aspect_ratio": 2, "density": "", "fixed_ratio": "", "fixed_size": ""}
    more = {"clip": "true", "flip": "true", "step": 8, "offset": 0.5, "variance": variance, "scale_all_sizes": "false"}
    sizes = [parameter(name, "2", "i64") if computed else const(name, 8, 8) for name in ("grid", "image")]
    return [*sizes, call("p", "opset1.PriorBox", "grid", "image", **attrs, **more)]


@pytest.mark.parametrize(
    ("layers", "code"),
    [
        (reshape("2,?,8", 0, -1, 2, 4, zero="false"), "D008"),
        (reshape("2,3,8", 0, 0, 2, 4, zero="false"), "D008"),
        (reshape("?,?,8", 0, -1, 2, 4, zero="false"), "D008"),
        (reshape("...", 0, -1, zero="false"), "D008"),
        (reshape("?,3,4,5", 0, 0, 0, zero="true"), "D008"),
        (reshape("2,3", 0, 5, -1, zero="true"), "D008"),
        ([parameter("x", "1"), const("p", 1, shape=""), call("r", "opset1.Reshape", "x", "p")], "D003"),
        (gather(5), "D008"),
        (normalised("1,2,3,4", 1, kind="f32"), "D002"),
        (normalised("?,2,3,4", 2, 3, kind="boolean"), "D002"),
        (normalised("2,3", 1, 1, kind="f32"), "D002"),
        (split("f32"), "D002"),
        (split("boolean"), "D002"),
        (top("none", "true"), "A005"),
        (quantized("?,3", 1), "A006"),
        (quantized("?,3", 0), "A006"),
        (quantized("1,3", 1), "A006"),  # runs where another pass replaces the node, and divides by zero
        (summed("2,3", "false"), "A007"),
        (summed("?,?", "false"), "A007"),
        (unsqueezed(), "A007"),
        (strided("1,4", 3, 1), "A006"),
        (strided("1,4", 3, 1, begin_mask="1"), "A006"),
        (strided("1,4", -2, 1), "A006"),
        (strided("3,4", 1, 0, shrink_axis_mask="0"), "A006"),
        (stretched("1,3", -1, 3), "A006"),
        (stretched("2,3", 2, -100), "A006"),
        (stretched("?", -2, 3), "A006"),
        (stretched("2", -2, 3), "A006"),
        (stretched("1,1", -2, 3), "A006"),
        (stretched("2,1", 2, -2), "A006"),
        (broadcast("?", -2, 3, mode="explicit", axes=(1,)), "A006"),
        (broadcast("3", 3, -2, mode="explicit", axes=(0,)), "A006"),
        (broadcast("3", -2, 3, mode="pdpd"), "A006"),
        (convolved("0,0", "-1,0", "explicit"), "A006"),
        (pooled("-1,0", "explicit"), "A006"),
        (random_numbers(-1, 3), "A006"),
        (cell(0), "A006"),
        (sloped("1,3,4", 3, "1,3"), "D001"),
        (sloped("2", 3, "3"), "D001"),
        (sloped("?,3", 3, "1,1,3"), "D001"),
        (cell(5), "D001"),
        (added("1,5,8", "8"), "D001"),
        (added("1,8", "3,8"), "D001"),
        (rolled("1", 0, shape=""), "D001"),
        (rolled("", 0, 1, shape="2"), "D001"),
        (largest("2,4", 0), "A006"),
        (prior_boxes("0.1,0.1,0.2,-1", computed=True), "A006"),
        (suppressed("4,4", "1,2,4"), "D003"),
        (suppressed("1,4,4", "1,2,5"), "D001"),
    ],
)
def test_refused(tmp_path: Path, layers: list[Layer], code: str) -> None:
    assert code in errors(write(tmp_path / "model.xml", *layers))


@pytest.mark.parametrize(
    "layers",
    [
        reshape("0,3,8", 0, -1, zero="false"),
        reshape("?,?,8", 0, 0, 2, 4, zero="false"),  # compiled; it runs where there are no elements
        reshape("2,3,4,5", 0, 0, 0, zero="true"),
        reshape("2,3", 0, 4, zero="true"),
        gather(1),
        normalised("1,2,3,4", 2, 3, kind="f32"),
        normalised("2,3", 1, kind="boolean"),
        normalised("3", 0, kind="boolean"),
        top("index", "true"),
        top("none", "false"),
        quantized("1,3", -1),
        summed("2,3", "true"),
        summed("3", "false"),
        strided("3,4", 1, 0),
        strided("3,4", 1, 0, shrink_axis_mask="0", new_axis_mask="1"),
        strided("?,4", 9, 1),
        stretched("1,3", -2, 3),
        broadcast("3", -2, 3, mode="explicit", axes=(1,)),
        broadcast("2,1", 2, -2, mode="pdpd"),
        convolved("1,1", "-1,-1", "explicit"),
        convolved("0,0", "-1,0", "valid"),
        pooled("-1,0", "same_upper"),
        random_numbers(-2, 3),
        cell(4),
        sloped("1,3,4", 3, "3"),
        sloped("1,1", 3, "1,3"),
        sloped("2,3", 3, "1,1,3"),
        added("2,5,8", "2,1,8"),
        added("2,5,8", "1"),
        added("?,8", "3,8"),
        rolled("", 0, shape=""),
        rolled("", 0, shape="1"),
        rolled("2", 0, 1, shape="2"),
        largest("0,4", 0),
        prior_boxes("0.1,0.1,0.2,-1", computed=False),
        prior_boxes("0", computed=True),
        largest("2,0", 1),
    ],
)
def test_taken(tmp_path: Path, layers: list[Layer]) -> None:
    assert not errors(write(tmp_path / "model.xml", *layers))


def test_an_index_beyond_the_end_is_a_zero(tmp_path: Path) -> None:
    layers = parameter("x", "3,2"), const("i", 5), const("axis", 0, shape="")
    gathered = call("g", "opset8.Gather", "x", "i", "axis", batch_dims="0")
    assert findings(write(tmp_path / "model.xml", *layers, gathered)) == [("A006", "warning")]


@pytest.mark.parametrize(
    "value", ["1e", "1e-", "-1E+", "NaN", "nan0", "nan(1)", "INF", "+inf", "infinity", "-nan", "infx"]
)
def test_numbers_that_are_refused(tmp_path: Path, value: str) -> None:
    layers = parameter("x", "2"), call("e", "opset1.Elu", "x", alpha=value)
    assert errors(write(tmp_path / "model.xml", *layers)) == {"A003"}


@pytest.mark.parametrize("value", ["nan", " inf", "-inf ", "1x", "1.5.2", "1e5e", ".5", "5.", "0x10", "1f"])
def test_numbers_that_are_read(tmp_path: Path, value: str) -> None:
    layers = parameter("x", "2"), call("e", "opset1.Elu", "x", alpha=value)
    assert not errors(write(tmp_path / "model.xml", *layers))


def test_text_of_the_message(tmp_path: Path) -> None:
    path = write(tmp_path / "model.xml", *reshape("2,3,8", 0, 0, 2, 4, zero="false"))
    found: list[Any] = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    texts = [text.message for f in found for text in (f, *f.related)]
    assert any("special_zero" in text and "[0, 0, 2, 4]" in text for text in texts)


def test_a_sink_that_is_empty(tmp_path: Path) -> None:
    made = model("opset13.ScaledDotProductAttention")
    path = tmp_path / "model.xml"
    path.write_text(made.text.replace('shape="1,2,1,1"', 'shape="1,2,1,0"'))
    path.with_suffix(".bin").write_bytes(made.weights)
    assert "D001" in errors(path)


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("opset8.MatrixNms", 'keep_top_k="4"', 'keep_top_k="0"'),
        ("opset8.MatrixNms", 'nms_top_k="5"', 'nms_top_k="0"'),
        ("opset8.DetectionOutput", 'keep_top_k="50"', 'keep_top_k="0"'),
        ("opset8.DetectionOutput", 'keep_top_k="50"', 'keep_top_k="-2"'),
        ("opset8.DetectionOutput", 'keep_top_k="50"', 'keep_top_k="2147483648"'),
    ],
)
def test_detectors_that_keep_nothing(tmp_path: Path, key: str, old: str, new: str) -> None:
    made, path = model(key), tmp_path / "model.xml"
    path.with_suffix(".bin").write_bytes(made.weights)
    for text, found in ((made.text, set()), (made.text.replace(old, new), {"A006"})):
        path.write_text(text)
        assert errors(path) == found


STRINGS = struct.pack("<4i", 2, 0, 2, 5) + b"abcde"  # how many, where each begins, where the last ends


@pytest.mark.parametrize(
    ("shape", "data", "fault"),
    [
        ("2", STRINGS, ""),
        ("1", STRINGS, ""),
        ("2", struct.pack("<4i", 2, 1, 2, 4) + b"abcde", ""),
        ("0", bytes(8), ""),
        ("3", STRINGS, "expected 3 strings, got 2"),
        ("2", STRINGS[:-1], "expected offsets from 0 to 4, got 0 to 5"),
        ("2", b"ab", "expected the number of strings in the first 4 bytes, got 2 bytes"),
        ("2", struct.pack("<4i", 2, 0, 5, 2) + b"abcde", "string 1 begins at 5 and ends at 2"),
        (
            "2",
            struct.pack("<3i", 2**30, 0, 2),
            "expected 4,294,967,304 bytes for the offsets of 1,073,741,824 strings, got 12",
        ),
        ("2", struct.pack("<i", -2) + bytes(12), "expected 2 strings, got -2"),
        ("0", bytes(4), "expected 8 bytes for the offsets of 0 strings, got 4"),
    ],
)
def test_constants_of_strings(tmp_path: Path, shape: str, data: bytes, fault: str) -> None:
    path = write(
        tmp_path / "model.xml", const("s", 0, shape=shape, kind="u8"), call("u", "opset15.StringTensorUnpack", "s")
    )
    path.write_text(path.read_text().replace('"u8"', '"string"').replace('size="1"', f'size="{len(data)}"'))
    path.with_suffix(".bin").write_bytes(data)
    found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    assert [f.message.partition("not packed strings: ")[2] for f in found if f.code == "W005"] == (
        [fault] if fault else []
    )


BODY = """\
<layer id="1" name="loop" type="TensorIterator" version="opset1">
<input><port id="0"/></input><output><port id="1" precision="FP32"><dim>1</dim><dim>3</dim></port></output>
<port_map><input external_port_id="0" internal_layer_id="0"/><output external_port_id="1" internal_layer_id="3"/></port_map>
<back_edges><edge from-layer="3" to-layer="0"/></back_edges>
<body><layers>
<layer id="0" name="a" type="Parameter" version="opset1"><data shape="SHAPE" TYPE/><output><port id="0" precision="PRECISION"/></output></layer>
<layer id="1" name="b" type="Const" version="opset1"><data element_type="f32" shape="1,2" offset="0" size="8"/>
<output><port id="0" precision="FP32"/></output></layer>
<layer id="2" name="sum" type="Add" version="opset1"><input><port id="0"/><port id="1"/></input><output><port id="2" precision="FP32"/></output></layer>
<layer id="3" name="out" type="Result" version="opset1"><input><port id="0" precision="FP32"/></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/></edges></body></layer>
"""


def looped(path: Path, shape: str, kind: str = 'element_type="f32"', precision: str = "FP32") -> Path:
    """A loop that adds two numbers to what is carried from turn to turn."""
    write(path, parameter("x", shape), call("loop", "opset1.Relu", "x"))
    before, _, rest = path.read_text().partition('<layer id="1" ')
    body = BODY.replace("SHAPE", shape).replace("TYPE", kind).replace("PRECISION", precision)
    path.write_text(before + body + rest.partition("</layer>\n")[2])
    path.with_suffix(".bin").write_bytes(bytes(8))
    return path


def test_a_mistake_in_the_first_turn_of_a_loop(tmp_path: Path) -> None:
    assert not errors(looped(tmp_path / "model.xml", "1,2"))
    assert "D001" in errors(looped(tmp_path / "model.xml", "1,3"))


@pytest.mark.parametrize("kind", ["", 'element_type="dynamic"'])
def test_an_if_gives_its_parameters_their_types(tmp_path: Path, kind: str) -> None:
    path = looped(tmp_path / "model.xml", "1,2", kind)
    assert errors(path)
    text = path.read_text().replace('"TensorIterator" version="opset1"', '"If" version="opset8"')
    body = text[text.index("<body>") : text.index("</body>") + 7]
    ports = text[text.index("<port_map>") : text.index("<back_edges>")]
    branches = "".join(
        ports.replace("port_map", f"{name}_port_map") + body.replace("body>", f"{name}_body>")
        for name in ("then", "else")
    )
    path.write_text(text[: text.index("<port_map>")] + branches + text[text.index("</body>") + 7 :])
    assert not {code for code in errors(path) if code in ("A001", "A002", "A005")}


def test_what_a_port_says_of_a_parameter_is_not_looked_at(tmp_path: Path) -> None:
    assert not errors(looped(tmp_path / "model.xml", "1,2", precision="FP16"))
