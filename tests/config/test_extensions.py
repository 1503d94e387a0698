"""`extensions:` of a configuration: what becomes of it, and where mistakes in it are told."""

from __future__ import annotations

from typing import Any

import pytest

from irlint.config import Config
from irlint.config.build import build
from irlint.config.read_toml import read_toml
from irlint.config.read_yaml import read_yaml
from irlint.config.source import ConfigError, ConfigSource


def built(text: str) -> Config:
    return build(read_yaml("irlint.yaml", text.encode()), "/project")


def operations(source: ConfigSource | None) -> Any:
    assert source is not None
    return build(source, "/project").options["openvino"]["extensions"]


def test_yaml_and_toml_say_the_same() -> None:
    yaml = "extensions: {d: {Op: {inputs: [1, 3], outputs: [y], attributes: {axis: int}}, Any: {}}, e: {}}"
    toml = '[tool.irlint.extensions.d.Op]\ninputs = [1, 3]\noutputs = ["y"]\nattributes = {axis = "int"}\n'
    toml += "[tool.irlint.extensions.d.Any]\n[tool.irlint.extensions.e]\n"
    found = operations(read_yaml("irlint.yaml", yaml.encode()))
    assert found == operations(read_toml("pyproject.toml", toml.encode()))
    assert found["e"] == {}
    assert found["d"]["Op"] == {
        "inputs": [{"name": ""}, {"name": "", "kind": "optional"}, {"name": "", "kind": "optional"}],
        "outputs": [{"name": "y", "kind": "required"}],
        "attributes": [{"name": "axis", "kind": "int", "values": []}],
    }


def test_other_options_of_the_format_are_kept() -> None:
    config = built("extensions: {d: }\nformats: {openvino: {opsets: [x]}, nnvm: {}}\n")
    assert config.options == {
        "openvino": {"opsets": ["x"], "extensions": {"d": {}}},
        "nnvm": {},
        "ncnn": {"extensions": {"d": {}}},
        "onnx": {"extensions": {"d": {}}},
    }
    assert built("formats: {nnvm: {}}").options == {"nnvm": {}}


def test_settings_with_other_operations_have_another_key() -> None:
    one, other = (built(f"extensions: {{d: {{Op: {{inputs: {k}}}}}}}").settings("/project/m.xml") for k in (1, 2))
    assert one.key != other.key


@pytest.mark.parametrize(
    ("text", "token", "words"),
    [
        ("{inputs: [3, 1]}", "inputs", "less than minimum"),
        ("{inputs: [1, x]}", "inputs", "a pair [minimum, maximum]"),
        ("{inputs: [1, 2, 3]}", "inputs", "a pair [minimum, maximum]"),
        ("{inputs: -1}", "inputs", "invalid value for"),
        ("{inputs: [a?, b]}", "b]", "follows one that is not required"),
        ("{inputs: [a*, b?]}", "b?", "that may be repeated"),
        ("{inputs: ['a??']}", "'a??'", "expected a name"),
        ("{input: 1}", "input", "did you mean `inputs`?"),
        ("{attributes: {axis: integer}}", "axis", "unknown type `integer`"),
        ("{attributes: {axis: {type: strng}}}", "type", "did you mean `string`?"),
        ("{attributes: {axis: {typ: int}}}", "typ", "did you mean `type`?"),
        ("{attributes: {axis: 3}}", "axis", "expected a string or a mapping"),
        ("{attributes: {axis: {type: int, values: [a]}}}", "values", "requires the type `string`"),
        ("{attributes: {mode: {values: [a, b], default: c}}}", "default", "not one of `values`"),
        ("{attributes: {axis: {type: int, default: x}}}", "default", "default of type `int`"),
        ("{attributes: {axis: {type: int, default: true}}}", "default", "default of type `int`"),
        ("{attributes: {flag: {type: bool, default: 1}}}", "default", "default of type `bool`"),
        ('{shape: "S"}', "shape", "expected inputs, `->` and outputs"),
        ('{shape: "S/f32 -> S"}', "shape", "unknown element type `f32`"),
        ('{shape: "S -> Q"}', "shape", "unknown name `Q` in the outputs"),
        ('{shape: "S/T -> S/U"}', "shape", "unknown name `/U` in the outputs"),
        ('{shape: "[N,*a,*b] -> [N]"}', "shape", "is not a shape and a type"),
        ('{inputs: 1, shape: "S S -> S"}', "shape", "names 2 inputs"),
        ('{outputs: 1, shape: "S -> S S"}', "shape", "names 2 outputs"),
        ("3", "Op", "expected a mapping or null"),
    ],
)
def test_mistakes_are_told_where_they_are(text: str, token: str, words: str) -> None:
    whole = f"extensions:\n  my_domain:\n    Op: {text}\n"
    with pytest.raises(ConfigError) as raised:
        built(whole)
    told = [(whole.split("\n")[mark.line - 1][mark.column - 1 :], what) for mark, what in raised.value.mistakes if mark]
    assert any(rest.startswith(token) and words in what for rest, what in told), told


@pytest.mark.parametrize(
    "text",
    [
        '{inputs: 2, outputs: 1, shape: "S/T S/T -> S/T"}',
        '{inputs: [data, weights, bias?], shape: "[N,K]/float32 [M,K] [M] -> [N,M]/float32"}',
        '{inputs: [1, null], shape: "S ... -> S"}',
        '{inputs: [data*], outputs: [], shape: "_/int32|int64 #1 [*B,4]/T=float32|float16 -> [*B,2]/T []/int64"}',
        "{attributes: {a: {type: 'int[]', default: [1, 2]}, b: {type: float, default: 1}, c: element_type, d: shape}}",
    ],
)
def test_what_may_be_said(text: str) -> None:
    assert built(f"extensions: {{d: {{Op: {text}}}}}").options["openvino"]["extensions"]["d"]["Op"]
