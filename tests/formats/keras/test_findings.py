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
        {
            "module": "keras",
            "class_name": "Sequential",
            "registered_name": None,
            "config": {"name": "net", "layers": [image, *layers]},
        }
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
        (layer("BatchNormalization", axis=0), ["D004"]),
        (layer("EinsumDense", equation="ab,bc->ac", output_shape=4), ["D003"]),
        (layer("ConvLSTM1D", filters=2, kernel_size=3), ["D003"]),
        (layer("ZeroPadding1D", padding=[1, 1, 1]), ["A007"]),
        (layer("RNN", cell=layer("StackedRNNCells", cells=[layer("GRUCell", units=0)])), ["A006"]),
        ({**layer("Ad"), "module": "keras.src.ops.numpy"}, ["O001"]),
        (layer("Lambda", function={"class_name": "__lambda__", "config": {"value": "4wAA"}}), ["X702"]),
    ],
)
def test_shapes_objects_and_code(made: dict[str, Any], codes: list[str]) -> None:
    result = engine.lint(sequential(made), "config.json")
    assert [one.code for one in result.findings if one.code != "D010"] == codes


@pytest.mark.parametrize(
    ("text", "old", "new", "code", "token"),
    [
        (KERAS_3, '"batch_shape": [null, 8]', '"batch_shap": [null, 8]', "A001", '"batch_shap"'),
        (KERAS_3, '"batch_shape": [null, 8]', '"optional": false', "A002", '"config"'),
        (KERAS_3, '"batch_shape": [null, 8]', '"batch_shape": [null, 8], "shape": [8]', "A006", "[8]"),
        (KERAS_2, '"batch_input_shape": [null, 8]', '"batch_shape": [null, 8]', "A001", '"batch_shape"'),
    ],
)
def test_an_input_has_one_shape(text: str, old: str, new: str, code: str, token: str) -> None:
    assert found(text.replace(old, new, 1)) == [(code, token)]


def test_keys_of_the_other_era_are_named() -> None:
    """Keras 3 still reads `batch_input_shape`; Keras 2 refuses `batch_shape`."""
    assert found(KERAS_3.replace('"batch_shape"', '"batch_input_shape"', 1)) == []
    (finding,) = engine.lint(KERAS_2.replace('"batch_input_shape"', '"batch_shape"', 1), "model.json").findings
    assert finding.fix is not None
    assert finding.fix.title == "Rename to `batch_input_shape`"


def _shared(dialect: str, width: int, tower: dict[str, Any]) -> str:
    """Return a model that calls a layer with an input of 8 channels, and with one of another width."""
    value = json.loads(KERAS_3 if dialect == "keras-3" else KERAS_2)
    key = "batch_shape" if dialect == "keras-3" else "batch_input_shape"

    def reference(name: str, call: int = 0) -> Any:
        if dialect == "keras-2":
            return [[name, call, 0, {}]]
        return {
            "args": [{"class_name": "__keras_tensor__", "config": {"keras_history": [name, call, 0]}}],
            "kwargs": {},
        }

    names = [("a", 8), ("b", width)]
    module = {"module": "keras.layers", "registered_name": None} if dialect == "keras-3" else {}
    layers = [
        {
            "class_name": "InputLayer",
            "config": {key: [None, n], "name": one},
            "name": one,
            "inbound_nodes": [],
            **module,
        }
        for one, n in names
    ]
    calls = [reference(one) for one, _ in names]
    value["config"] |= {
        "layers": [*layers, {**module, **tower, "name": tower["config"]["name"], "inbound_nodes": calls}],
        "input_layers": [[one, 0, 0] for one, _ in names],
        "output_layers": [[tower["config"]["name"], k, 0] for k in (0, 1)],
    }
    return json.dumps(value)


@pytest.mark.parametrize("dialect", ["keras-2", "keras-3"])
def test_a_shared_layer_has_weights_for_its_first_input(dialect: str) -> None:
    dense = {"class_name": "Dense", "config": {"name": "tower", "units": 4}}
    assert found(_shared(dialect, 8, dense)) == []
    assert [code for code, _ in found(_shared(dialect, 9, dense))] == ["D006"]
    assert found(_shared(dialect, 9, {"class_name": "ReLU", "config": {"name": "tower"}})) == []


@pytest.mark.parametrize(("dialect", "expected"), [("keras-2", []), ("keras-3", ["D006"])])
def test_an_inner_model_is_called_with_another_shape(dialect: str, expected: list[str]) -> None:
    """Keras 3 compares shapes; Keras 2 fails only where a layer has weights."""
    key = "batch_shape" if dialect == "keras-3" else "batch_input_shape"
    module = {"module": "keras.layers", "registered_name": None} if dialect == "keras-3" else {}
    image = {"class_name": "InputLayer", "config": {key: [None, 8], "name": "in"}, **module}
    for last, codes in (("ReLU", expected), ("Dense", ["D006"])):
        more = {"units": 4} if last == "Dense" else {}
        inner = [image, {"class_name": last, "config": {"name": "last", **more}, **module}]
        tower = {
            "class_name": "Sequential",
            "config": {"name": "tower", "layers": inner},
            **({**module, "module": "keras"} if module else {}),
        }
        assert [code for code, _ in found(_shared(dialect, 9, tower)) if code != "D010"] == codes


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
