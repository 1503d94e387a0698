"""Dimensions and numbers as the reader takes them, measured with 2026.4.1; before the real reader where there is one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from formats.openvino.tiny import Layer, call, const, errors, parameter, write
from irlint import engine
from irlint.formats.openvino.passes.values import faults
from irlint.formats.openvino.reading.layers import unsigned
from irlint.formats.openvino.reading.opsets import operator_of

RUNS = ("0", "3", "?", "-1", "-", "--", "-2", " 3", "3 ", "1..", "..4", "..", "1..4", "-1..3", "-1..-1", "-2..3", "3-", "3-1",
        "--1", "-0", "03", "9223372036854775808", "-9223372036854775809", "1..-", "-..4", "..0", "3..3",
        "1..9223372036854775808")  # fmt: skip
REFUSED = ("+3", "3.", "3.0", "0x3", "3e0", "N", "1..?", "?..3", "1...4", "3...", "1 .. 4", "1.. 4", "1 ..4", "1..+4", "1 2",
           "4..1", "3..-1", "..-1", "3..-2", "9223372036854775807", "9223372036854775807..", "9223372036854775806")  # fmt: skip
SHAPES_RUN = ("[1,3]", "", "[]", "1, 3", " [1, 3] ", "[?,?]", "1\n,3")
SHAPES_REFUSED = ("...", "[...]", " ... ", "[1,3", "1,3]", "1,3,", "1,,3", "...,3", "(1,3)", "1;3", "1x3")


def _relu(path: Path, shape: str) -> Path:
    return write(path / "model.xml", parameter("x", shape), call("y", "opset1.Relu", "x"))


CASES = [
    *((f"{text},3", False) for text in RUNS),
    *((f"{text},3", True) for text in REFUSED),
    *((text, False) for text in SHAPES_RUN),
    *((text, True) for text in SHAPES_REFUSED),
]


@pytest.mark.parametrize(("shape", "wrong"), CASES)
def test_spellings_of_a_shape(tmp_path: Path, shape: str, wrong: bool) -> None:
    assert bool(errors(_relu(tmp_path, shape))) == wrong


_READ_AS = "expected a dimension for `shape` of Parameter 'x', got `{}`; OpenVINO reads it as {}"


@pytest.mark.parametrize(
    ("dimension", "read"), [("-", "0"), ("3-1", "3"), ("1..-", "1.."), ("99999999999999999999", "0")]
)
def test_dimensions_that_are_read_as_others(tmp_path: Path, dimension: str, read: str) -> None:
    path = _relu(tmp_path, f"{dimension},3")
    found = [f for f in engine.lint_bytes(path.read_bytes(), path.name, path=path).findings if f.code == "A010"]
    assert [f.message for f in found] == [_READ_AS.format(dimension, read)]


def _softmax(axis: str) -> list[Layer]:
    return [parameter("x", "1,4"), call("y", "opset8.Softmax", "x", axis=axis)]


def _elu(alpha: str) -> list[Layer]:
    return [parameter("x", "1,4"), call("y", "opset1.Elu", "x", alpha=alpha)]


def _image(strides: str) -> list[Layer]:
    rest = {"sizes": "1,1", "rates": "1,1", "auto_pad": "valid"}
    return [parameter("x", "1,4,6,6"), call("y", "opset3.ExtractImagePatches", "x", strides=strides, **rest)]


def _boxes(sizes: str) -> list[Layer]:
    rest = {"offset": "0.5", "variance": "0.1", "aspect_ratio": "2"}
    size, image = const("o", 2, 2), parameter("x", "2", "i64")
    return [size, image, call("y", "opset8.PriorBox", "o", "x", min_size=sizes, **rest)]


def _cell(activations: str) -> list[Layer]:
    state, bias = const("h", 0, 0, shape="1,2", kind="f32"), const("b", *[0.1] * 8, kind="f32")
    weights, inputs = const("w", *[0.1] * 16, shape="8,2", kind="f32"), ("x", "h", "h", "w", "w", "b")
    cell = call("y", "opset4.LSTMCell", *inputs, hidden_size="2", activations=activations)
    return [parameter("x", "1,2"), state, weights, bias, cell]


def _normal(size: str) -> list[Layer]:
    rest = {"alpha": "1", "beta": "1", "bias": "1"}
    return [parameter("x", "1,4,6,6"), const("a", 1), call("y", "opset1.LRN", "x", "a", size=size, **rest)]


_WORDS = "sigmoid,tanh,tanh"
NUMBERS = [
    (_softmax, ("1", " 1", "1 ", "01", "1.", "1.5", "1e", "1x", "1,", "1 1", "-0"), ("+1", "", "-", "--1", "x", ".1", "inf")),
    (_elu, ("1", "+1", " 1", "1.", ".5", "1f", "1,", "0x1", "1e0", "nan", "-inf"),
     ("1e", "1e+", "1.e", "", "-", "--1", "e1", "infinity", "true")),
    (_image, ("1,1", "1, 1", " 1,1", "1,1,", "1.5,1"), ("+1,1", "1,+1", "1,,1", "[1,1]", "x,1", "99999999999999999999,1")),
    (_boxes, ("1,2", "+1,2", "1e-50,1", "nan,1"), ("1e39", "1,-1e39", "1,3.5e38", "1e,1")),
    (_cell, (_WORDS, f"{_WORDS},", f"{_WORDS},,", f"{_WORDS}, ", f"{_WORDS},foo"), ("sigmoid,tanh,", "sigmoid,,tanh", "")),
    (_normal, ("1", "5"), ("-1", "+1")),
]  # fmt: skip
SPELT = [
    (make, text, wrong)
    for make, runs, refused in NUMBERS
    for wrong in (False, True)
    for text in (refused if wrong else runs)
]


@pytest.mark.parametrize(("make", "text", "wrong"), SPELT)
def test_spellings_of_numbers_and_words(tmp_path: Path, make, text: str, wrong: bool) -> None:  # type: ignore[no-untyped-def]
    assert bool(errors(write(tmp_path / "model.xml", *make(text)))) == wrong


@pytest.mark.parametrize(
    ("text", "read"),
    [("7", "7"), (" +07", "7"), ("-0", "0"), ("-00", "0"), ("-7", None), ("-07", None), ("7 ", None), ("--0", None)],
)
def test_spellings_of_ids(text: str, read: str | None) -> None:
    """Those that OpenVINO 2026.4.1 takes for ids of layers and ports, and in edges."""
    assert unsigned(text) == read


def test_a_plus_sign_before_a_whole_number_is_taken_away() -> None:
    operator = operator_of("Softmax", "opset8")
    assert operator is not None
    (fault,) = faults("+1", operator.attributes["axis"])
    assert (fault.better, fault.safety) == ("1", "safe")
    assert (fault.message, fault.rest) == ("expected an integer without a plus sign for `axis` of", ", got `+1`")


@pytest.mark.skipif(not os.environ.get("IRLINT_OPENVINO_PYTHON"), reason="needs IRLINT_OPENVINO_PYTHON")
def test_spellings_before_the_reader(tmp_path: Path) -> None:
    from oracle.judges import OpenVINO

    files, expected = [], []
    for k, (shape, wrong) in enumerate(CASES):
        files.append(_relu(_folder(tmp_path / f"s{k}"), shape))
        expected.append((shape, wrong))
    for k, (make, text, wrong) in enumerate(SPELT):
        files.append(write(_folder(tmp_path / f"n{k}") / "model.xml", *make(text)))
        expected.append((text, wrong))
    verdicts = OpenVINO()((file, "") for file in files)
    assert [(text, v.stage is not None) for (text, _), v in zip(expected, verdicts, strict=True)] == expected


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_a_parameter_of_a_body_is_as_what_feeds_it(tmp_path: Path) -> None:
    """Its own shape, so long as it can be read, is not looked at by any of Loop, TensorIterator and If."""
    head, tail = '<layer id="0" name="p" type="Parameter" version="opset1"><data element_type="f32" shape="', '"/>'
    port = "<port id='{0}'><dim>1</dim><dim>4</dim></port>"
    for shape in ("...", "4..1", "9223372036854775807,4", "-"):
        body = (
            f"<body><layers>{head}{shape}{tail}<output><port id='0' precision='FP32'/></output></layer>"
            "<layer id='1' name='r' type='ReLU' version='opset1'><input><port id='0'/></input>"
            "<output><port id='1' precision='FP32'/></output></layer>"
            "<layer id='2' name='o' type='Result' version='opset1'><input><port id='0'/></input></layer></layers>"
            "<edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>"
            "<edge from-layer='1' from-port='1' to-layer='2' to-port='0'/></edges></body>"
        )
        maps = (
            "<port_map><input external_port_id='0' internal_layer_id='0' axis='0' start='0' end='-1' stride='1' part_size='1'/>"
            "<output external_port_id='1' internal_layer_id='2' axis='0' start='0' end='-1' stride='1' part_size='1'/></port_map>"
        )
        text = (
            '<?xml version="1.0"?><net name="n" version="11"><layers>'
            "<layer id='0' name='x' type='Parameter' version='opset1'><data element_type='f32' shape='1,4'/>"
            "<output><port id='0' precision='FP32'><dim>1</dim><dim>4</dim></port></output></layer>"
            f"<layer id='1' name='t' type='TensorIterator' version='opset1'>{maps}{body}"
            f"<input>{port.format(0)}</input><output><port id='1' precision='FP32'/></output></layer>"
            "<layer id='2' name='z' type='Result' version='opset1'><input><port id='0'/></input></layer></layers>"
            "<edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/>"
            "<edge from-layer='1' from-port='1' to-layer='2' to-port='0'/></edges></net>"
        )
        path = tmp_path / "model.xml"
        path.write_text(text)
        path.with_suffix(".bin").write_bytes(b"")
        assert not errors(path), shape
        if os.environ.get("IRLINT_OPENVINO_PYTHON"):
            from oracle.judges import OpenVINO

            (verdict,) = OpenVINO()([(path, "")])
            assert verdict.stage is None, verdict.message


def _titles(path: Path, *layers: Layer) -> list[tuple[str, str]]:
    """Titles and safety of the fixes of attributes."""
    path = write(path / "model.xml", *layers)
    found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    return [(f.fix.title, f.fix.safety) for f in found if f.fix is not None and f.code[0] == "A"]


def _product(**attrs: str) -> list[Layer]:
    return [parameter("x", "3,3"), parameter("w", "3,3"), call("y", "opset1.MatMul", "x", "w", **attrs)]


NOW = " (OpenVINO now uses `false`)"


@pytest.mark.parametrize(
    ("layers", "title", "safety"),
    [
        (_product(transpose_a="ture"), f"Set `transpose_a` to `true`{NOW}", "unsafe"),
        (_product(transpose_a=" true"), f"Set `transpose_a` to `true`{NOW}", "unsafe"),
        (_product(transpose_a="yes"), f"Set `transpose_a` to `true`{NOW}", "unsafe"),
        (_product(transpose_a="flase"), "Set `transpose_a` to `false`", "safe"),
        (_product(transpose_bb="true"), f"Rename to `transpose_b`{NOW}", "unsafe"),
        (_elu("0,5"), "Set `alpha` to `0.5` (OpenVINO now uses `0`)", "unsafe"),
    ],
)
def test_what_a_fix_changes_is_in_its_title(tmp_path: Path, layers: list[Layer], title: str, safety: str) -> None:
    assert _titles(tmp_path, *layers) == [(title, safety)]


def test_booleans_that_leave_the_default() -> None:
    """All 99 booleans of the opsets were asked: the reader takes any other word as if the attribute were missing."""
    for key, name, default in (("opset1.MatMul", "transpose_a", "false"), ("opset1.AvgPool", "exclude-pad", "true")):
        version, _, type_ = key.partition(".")
        operator = operator_of(type_, version)
        assert operator is not None
        for word in ("ture", "on", "t", " true", "01", "2", "none", "", "1.0"):
            (fault,) = faults(word, operator.attributes[name])
            assert fault.taken == default
