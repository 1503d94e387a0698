"""What is found in configurations, each at its token."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irlint import engine
from irlint.formats.keras.samples import KERAS_2, KERAS_3


def found(text: str) -> list[tuple[str, str]]:
    return [(one.code, text[slice(*one.span)]) for one in engine.lint(text, "config.json").findings]


@pytest.mark.parametrize("text", [KERAS_2, KERAS_3])
def test_a_sample_is_silent(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "token"),
    [
        ('"Dense"', '"Dence"', "O001", '"Dence"'),
        ('"units": 4', '"unitz": 4', "A001", '"unitz"'),
        ('"units": 4', '"units": 0', "A006", "0"),
        ('"units": 4', '"units": "four"', "A003", '"four"'),
        ('"relu"', '"rely"', "A005", '"rely"'),
        ('"keras_history": ["hidden", 0', '"keras_history": ["hiden", 0', "R001", '"hiden"'),
        ('"keras_history": ["hidden", 0', '"keras_history": ["hidden", 2', "R006", "2"),
        ('"keras_history": ["hidden", 0, 0', '"keras_history": ["hidden", 0, 3', "R007", "3"),
        ('"output_layers": [["scores"', '"output_layers": [["score"', "R001", '"score"'),
        ('"input_layers": [["image"', '"input_layers": [["imag"', "R001", '"imag"'),
        (
            '"module": "keras.layers", "class_name": "Dense"',
            '"module": "keras.layer", "class_name": "Dense"',
            "O001",
            '"keras.layer"',
        ),
        ('"config": {"name": "scores"', '"config": {"name": "hidden"', "R005", '"hidden"'),
    ],
)
def test_one_mistake_is_one_finding(old: str, new: str, code: str, token: str) -> None:
    text = KERAS_3.replace(old, new, 1)
    assert text != KERAS_3
    assert found(text) == [(code, token)]


def test_a_call_of_keras_2_refers_to_a_layer() -> None:
    text = KERAS_2.replace('[[["hidden", 0', '[[["hiden", 0')
    assert found(text) == [("R001", '"hiden"')]


def sequential(*layers: dict[str, Any]) -> str:
    image = {
        "module": "keras.layers",
        "class_name": "InputLayer",
        "config": {"batch_shape": [None, 4, 8], "name": "image"},
    }
    return json.dumps(
        {"module": "keras", "class_name": "Sequential", "registered_name": None, "config": {"name": "net", "layers": [image, *layers]}}
    )


def layer(name: str, **config: Any) -> dict[str, Any]:
    return {
        "module": "keras.layers",
        "class_name": name,
        "config": {"name": name.lower(), **config},
        "registered_name": None,
    }


@pytest.mark.parametrize(
    ("made", "codes"),
    [
        (layer("Reshape", target_shape=[5, 5]), ["D008"]),
        (layer("Conv2D", filters=4, kernel_size=3), ["D003"]),
        (layer("Conv1D", filters=4, kernel_size=5), ["D001"]),
        (layer("Permute", dims=[1, 2, 3]), ["D003"]),
        (layer("TimeDistributed", layer=layer("Dense", units=0)), ["A006"]),
        (layer("Dense", units=4) | {"build_config": {"input_shape": [None, 4, 9]}}, ["D006"]),
        (layer("Dense", units=4) | {"module": "my_layers"}, ["X701"]),
        (layer("Lambda", function={"class_name": "__lambda__", "config": {"value": "4wAA"}}), ["X702"]),
    ],
)
def test_shapes_objects_and_code(made: dict[str, Any], codes: list[str]) -> None:
    result = engine.lint(sequential(made), "config.json")
    assert [one.code for one in result.findings if one.code != "D010"] == codes


@pytest.mark.parametrize(
    "text",
    [
        '{"architectures": ["BertModel"], "hidden_size": 8, "layers": 3}',
        '{"_class_name": "UNet2DModel", "config": {"layers": []}}',
        '{"class_name": "Adam", "config": {"learning_rate": 0.1}}',
        '{"module": "keras.optimizers", "class_name": "Adam", "config": {"learning_rate": 0.1}, "registered_name": null}',
        '{"name": "package", "config": {"class_name": "x"}}',
        '{"class_name": "Model", "fields": [{"class_name": "a"}]}',
    ],
)
def test_other_files_are_not_claimed(text: str) -> None:
    assert engine.lint(text, "config.json").format is None


def test_files_of_old_releases() -> None:
    """A Sequential of Keras 2 may begin without an InputLayer, and use functions of TensorFlow; Keras 1 is another format."""
    layers = [
        {
            "class_name": "Dense",
            "config": {"name": "d", "units": 2, "batch_input_shape": [None, 4], "activation": "relu6"},
        }
    ]
    value = {"class_name": "Sequential", "keras_version": "2.0.6", "config": layers}
    assert engine.lint(json.dumps(value), "model.json").findings == []
    assert engine.lint(json.dumps({**value, "keras_version": "1.2.1"}), "model.json").format != "keras"
