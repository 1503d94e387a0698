"""What editors show of .param files: labels of numbered parameters, blobs by name."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.formats.base import by_name
from irlint.formats.navigation import Navigation, Target
from irlint.rules.base import Model
from irlint.text.base import apply

TEXT = """7767517
3 3
Input                    data                     0 1 data 0=8 1=8 2=3
Convolution              conv                     1 1 data data1 0=4 1=3 5=1 6=108 9=1
ReLU                     data1                    1 1 data1 out
"""


def opened(text: str, name: str = "model.param") -> tuple[Navigation, Model]:
    model = engine.lint(text, name).model
    format_ = by_name("ncnn")
    assert model is not None
    assert format_ is not None
    return format_.navigation(), model


def target(navigation: Navigation, model: Model, offset: int) -> Target:
    found = navigation.referent(model, offset)
    assert found is not None
    return found


def test_hints_say_what_numbers_mean() -> None:
    navigation, model = opened(TEXT)
    hints = [(TEXT[:offset].split()[-1], word) for offset, word in navigation.hints(model, 0, len(TEXT))]
    assert hints == [("9=1", "ReLU")]
    line = TEXT.index("ReLU  ")
    assert list(navigation.hints(model, line, len(TEXT))) == []


def test_a_default_of_another_parameter_has_its_label() -> None:
    navigation, model = opened(TEXT)
    attribute = navigation.attributes(model, model.graph.nodes[1])["11"]
    assert (attribute.facts["label"], attribute.default) == ("kernel_h", "kernel_w")


@pytest.mark.parametrize(
    ("line", "typed", "expected", "missing"),
    [
        ("", "", {"ReLU", "Convolution"}, {"data"}),
        ("Re", "Re", {"ReLU"}, {"data"}),
        ("ReLU relu 1 1 ", "", {"data", "data1", "out"}, {"0="}),
        ("ReLU relu 1 1 data new ", "", {"0="}, {"data"}),
        ("Convolution new 1 1 data new 0=4 ", "", {"1=", "11="}, {"0=", "data"}),
        ("Convolution new 1 1 data new ker", "ker", {"1=", "11="}, {"data"}),
        ("Convolution new 1 1 data new ", "", {"9=", "-23310="}, {"10=", "17="}),
        ("Convolution new 1 1 data new 9=", "", {"1", "2"}, {"10=", "0="}),
        ("Convolution new 1 1 data new 4=-", "-", {"-233", "-234"}, {"0="}),
        ("Convolution new 1 1 data ", "", set(), {"0=", "data"}),
    ],
)
def test_completion_at_the_end_of_a_line(line: str, typed: str, expected: set[str], missing: set[str]) -> None:
    text = f"{TEXT}{line}"
    navigation, model = opened(text)
    found = {choice.text: choice for choice in navigation.choices_at(model, len(text))}
    assert expected <= found.keys()
    assert not missing & found.keys()
    assert all(choice.label.endswith(choice.label.split()[-1]) for choice in found.values() if choice.label)


def test_values_of_an_enumeration() -> None:
    navigation, model = opened(TEXT)
    token = navigation.token_at(model, TEXT.index("9=1") + 2)
    assert token is not None
    assert ("2", "leaky ReLU") in {(choice.text, choice.detail) for choice in navigation.choices(model, token)}


def test_a_blob_is_renamed_and_a_layer_of_its_name_is_not() -> None:
    navigation, model = opened(TEXT)
    found = navigation.rename(model, target(navigation, model, TEXT.index("data1 0=")), "mid")
    assert apply(TEXT, found.edits) == TEXT.replace("data data1 0", "data mid 0").replace("data1 out", "mid out")
    layer = target(navigation, model, TEXT.index("data1      "))
    assert apply(TEXT, navigation.rename(model, layer, "act").edits) == TEXT.replace(
        "ReLU                     data1", "ReLU                     act"
    )
    assert navigation.rename(model, layer, "a b").refusal
    assert navigation.rename(model, layer, "é" * 128).refusal


def test_a_layer_of_unknown_type_has_no_hints() -> None:
    text = TEXT.replace("ReLU    ", "NoSuchOp").replace("data1 out", "data1 out 0=1")
    navigation, model = opened(text)
    assert [word for _, word in navigation.hints(model, 0, len(text))] == ["ReLU"]
