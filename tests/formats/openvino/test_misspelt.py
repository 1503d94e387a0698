"""Words and numbers of an IR that are spelled wrongly: what they were meant to be, and how sure that is."""

from __future__ import annotations

import pytest

from irlint.engine import lint
from irlint.formats.openvino.passes.values import faults
from irlint.operators import Attribute

from . import models

PAD = ("explicit", "same_upper", "same_lower", "valid")


@pytest.mark.parametrize(
    ("words", "text", "better", "safe"),
    [
        (PAD, "vaild", "valid", True), (PAD, "SAME-UPPER", "same_upper", True), (PAD, "SAME_UPER", "same_upper", True),
        (PAD, "'valid'", "valid", True), (("max", "min"), "mxa", "max", False), (("max", "min"), "maximum", "max", False),
        (("floor", "ceil"), "ceiling", "ceil", False), (("linear", "nearest"), "bilinear", "linear", False),
    ],
)  # fmt: skip
def test_words(words: tuple[str, ...], text: str, better: str, safe: bool) -> None:
    (fault,) = faults(text, Attribute("a", "enum", values=words))
    assert (fault.better, fault.safety) == (better, "safe" if safe else "unsafe")


@pytest.mark.parametrize(
    ("text", "better", "safe"),
    [("int_32", "i32", True), ("i 64", "i64", True), ("boolen", "boolean", False), ("flaot16", "f16", False)],
)
def test_element_types(text: str, better: str, safe: bool) -> None:
    (fault,) = faults(text, Attribute("a", "element_type"))
    assert (fault.better, fault.safety) == (better, "safe" if safe else "unsafe")


def test_the_number_of_bits_is_not_guessed() -> None:
    (fault,) = faults("f23", Attribute("a", "element_type"))
    assert not fault.has_fix


def test_lists_of_words() -> None:
    known = ("sigmoid", "tanh", "relu")
    (fault,) = faults("sigmod, tahn", Attribute("a", "string[]", values=known))
    assert (fault.better, fault.safety) == ("sigmoid, tanh", "safe")


@pytest.mark.parametrize(
    ("kind", "text", "better"),
    [("int", "x4", "4"), ("int", "four", None), ("int[]", "x1, 2", "1, 2"), ("int", "-", None)],
)
def test_numbers(kind: str, text: str, better: str | None) -> None:
    (fault,) = faults(text, Attribute("a", kind))
    assert (fault.better if fault.has_fix else None, fault.safety) == (better, "unsafe")


@pytest.mark.parametrize(("value", "safety"), [("2, 2", "safe"), ("bad", "unsafe")])
def test_an_attribute_is_renamed_without_a_doubt_only_if_its_value_fits(value: str, safety: str) -> None:
    record = models.operations()["opset1.AvgPool"]
    data = {("kernal" if name == "kernel" else name): text for name, text in record["data"].items()}
    text = models.model("opset1.AvgPool", {**record, "data": {**data, "kernal": value}}).text
    (found,) = (f for f in lint(text, "model.xml").findings if f.code == "A001")
    assert found.fix is not None
    assert (found.fix.title, found.fix.safety) == ("Rename to `kernel`", safety)
