"""What a node denotes in the opset that its model imports."""

from __future__ import annotations

import pytest

from irlint.formats.onnx import opsets
from irlint.formats.onnx.opsets import Absence, Moved, resolve


@pytest.mark.parametrize(
    ("op", "domain", "imported", "name"),
    [
        ("Conv", "", {"": 10}, "Conv-1"),
        ("Conv", "", {"": 11}, "Conv-11"),
        ("Conv", "ai.onnx", {"": 21}, "Conv-11"),
        ("Conv", "", {"ai.onnx": 99}, "Conv-22"),
        ("Scaler", "ai.onnx.ml", {"": 17, "ai.onnx.ml": 3}, "ai.onnx.ml.Scaler-1"),
        ("Gelu", "com.microsoft", {"com.microsoft": 1}, "com.microsoft.Gelu-1"),
        ("Gelu", "", {"": 20, "com.microsoft": 1}, "Gelu-20"),
    ],
)
def test_the_newest_version_that_an_opset_has_counts(op: str, domain: str, imported: dict[str, int], name: str) -> None:
    found = resolve(op, domain, imported)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    ("op", "domain", "imported"),
    [
        ("Gelu", "", {"": 19}),
        ("Conv", "", {"ai.onnx.ml": 3}),
        ("Scaler", "", {"": 17}),
        ("Scaler", "ai.onnx.ml", {"": 17}),
        ("Conv", "", {"": 0}),
        ("Conv", "my.domain", {"my.domain": 1}),
    ],
)
def test_what_an_opset_lacks_is_nothing(op: str, domain: str, imported: dict[str, int]) -> None:
    assert resolve(op, domain, imported) is None


def test_an_operator_of_another_opset_says_which() -> None:
    assert opsets.absence("Gelu", "ai.onnx", 19) == Absence(since=20)
    assert opsets.absence("Upsample", "", 11) == Absence(until=9)
    assert opsets.absence("Upsample", "", 9) is None
    assert opsets.absence("Convolution", "", 9) is None
    assert opsets.absence("GroupNormalization", "", 21) is None


def test_domains_that_have_an_operator() -> None:
    assert opsets.domains_with("Gelu") == ("ai.onnx", "com.microsoft")
    assert opsets.domains_with("Scaler") == ("ai.onnx.ml",)
    assert opsets.domains_with("Nothing") == ()


@pytest.mark.parametrize(
    ("op", "domain", "opset", "meant"),
    [
        ("Convv", "", 17, "Conv"),
        ("BatchNorm", "", 17, "BatchNormalization"),
        ("Upsample", "", 17, "Resize"),
        ("SiLU", "", 17, None),
        ("SiLU", "", 24, "Swish"),
        ("Geluu", "", 17, None),
        ("Geluu", "com.microsoft", 1, "Gelu"),
        ("Scalar", "ai.onnx.ml", 3, "Scaler"),
        ("ATen", "", 17, None),
    ],
)
def test_the_operator_that_was_probably_meant(op: str, domain: str, opset: int, meant: str | None) -> None:
    assert opsets.nearest_operator(op, domain, opset) == meant


def test_attributes_that_became_inputs() -> None:
    assert opsets.moved("Squeeze", "", "axes", 13) == Moved(13, "axes", 1)
    assert opsets.moved("Squeeze", "", "axes", 11) is None
    assert opsets.moved("Pad", "", "value", 17) == Moved(11, "constant_value", 2)
    assert opsets.moved("Pad", "", "paddings", 7) == Moved(2, "pads")
    assert opsets.moved("Conv", "", "kernel", 17) is None
    assert opsets.still_attributes("Slice", "", 9) == {1: ("starts", 10), 2: ("ends", 10), 3: ("axes", 10)}
    assert opsets.still_attributes("Slice", "", 10) == {}
    assert opsets.with_attribute("Dropout", "", "is_test") == (1, 6)


def test_types_have_the_names_of_irlint() -> None:
    assert opsets.types_of("Conv-11", "T") == {"float16", "float32", "float64"}
    assert "float8_e4m3fn" in opsets.types_of("Cast-19", "T2")
    assert opsets.types_of("NonMaxSuppression-11", "tensor") == {"tensor"}
    assert opsets.types_of("Reshape-21", "int64") == {"int64"}
    assert "seq(tensor(float))" in opsets.types_of("SequenceAt-11", "S")


def test_domains_and_their_newest_opsets() -> None:
    assert opsets.newest_opset("") == opsets.newest_opset("ai.onnx") == 28
    assert opsets.newest_opset("my.domain") is None
    assert opsets.opset_of("ai.onnx", {"": 13}) == opsets.opset_of("", {"ai.onnx": 13}) == 13
