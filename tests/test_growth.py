"""Many mistakes of one kind cost what they are many: time grows with the number, not with its square."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from math import log

import pytest

from irlint import engine
from irlint.config.build import build
from irlint.config.read_toml import read_toml
from irlint.config.read_yaml import read_yaml
from irlint.config.source import ConfigError
from irlint.fixes import fix
from irlint.report import write
from irlint.report.base import locate
from irlint.settings import Settings
from irlint.tools.names import FreeNames
from tests.hostile_families import FAMILIES

Text = Callable[[int], str]


def _symbol(rest: str) -> Text:
    """A chain of as many nodes."""

    def text(size: int) -> str:
        nodes = ['{"op": "null", "name": "data", "inputs": []}']
        nodes += [rest.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, size)]
        return f'{{"nodes": [{", ".join(nodes)}], "arg_nodes": [0], "heads": [[{size - 1}, 0, 0]]}}'

    return text


def _network(type_: str, name: str, text: str = "") -> Text:
    """A chain of as many layers."""

    def port(id_: int) -> str:
        return f'<port id="{id_}" precision="FP32"><dim>1</dim></port>'

    def written(size: int) -> str:
        first = '<layer id="0" name="in" type="Parameter" version="opset1"><data shape="1" element_type="f32"/>'
        layers = [f"{first}<output>{port(0)}</output></layer>"]
        for k in range(1, size):
            head = f'<layer id="{k}" name="{name.replace("#", str(k))}" type="{type_}" version="opset1">'
            layers.append(f"{head}<input>{port(0)}</input><output>{port(1)}</output></layer>")
        edges = [
            f'<edge from-layer="{k}" from-port="{min(k, 1)}" to-layer="{k + 1}" to-port="0"/>' for k in range(size - 1)
        ]
        inner = f"<layers>{text * size}{''.join(layers)}</layers><edges>{''.join(edges)}</edges>"
        return f'<net name="a" version="11">{inner}</net>'

    return written


def _loop(size: int) -> str:
    """A body with as many edges back, and an entry for each."""
    port = '<port id="{}" precision="FP32"><dim>1</dim></port>'
    given = f'type="Parameter" version="opset1"><data shape="1" element_type="f32"/><output>{port.format(0)}</output></layer>'
    result = f'type="Result" version="opset1"><input>{port.format(0)}</input></layer>'
    inner = f'<layers><layer id="0" name="a" {given}<layer id="1" name="b" {result}</layers>'
    entries = '<input external_port_id="0" internal_layer_id="0"/>' * size
    body = f'{inner}<edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges>'
    maps = f'<port_map>{entries}<output external_port_id="1" internal_layer_id="1"/></port_map>'
    edge = '<edge from-layer="1" to-layer="0"/>'
    back = f"<back_edges>{size * edge}</back_edges>"
    ports = f"<input>{port.format(0)}</input><output>{port.format(1)}</output>"
    loop = (
        f'<layer id="1" name="t" type="TensorIterator" version="opset1">{ports}{maps}{back}<body>{body}</body></layer>'
    )
    edges = '<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>'
    layers = f'<layer id="0" name="in" {given}{loop}<layer id="2" name="out" {result}'
    return f'<net name="a" version="11"><layers>{layers}</layers><edges>{edges}</edges></net>'


_RELU = '{"op": "relu", "name": "r#", "inputs": [[@, 0, 0]]}'
_ABOUT = '{"arg_name": "axis", "value": 0}, '


def _parameters(size: int) -> str:
    params = _ABOUT * size + '{"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 1}'
    tensors = '"tensors_in": [{"arg_name": "src", "name": "a"}], "tensors_out": [{"arg_name": "dst", "name": "b"}]'
    return f'{{"ops": [{{"name": "s", "optype": "slice", {tensors}, "params": [{params}]}}]}}'


CASES: dict[str, tuple[str, Text]] = {
    "operators of one name": ("nnvm", _symbol(_RELU.replace("r#", "r"))),
    "variables of one name": ("nnvm", _symbol('{"op": "null", "name": "v", "inputs": []}')),
    "subgraphs": ("nnvm", _symbol(_RELU[:-1] + ', "subgraphs": [{"nodes": [], "arg_nodes": [], "heads": []}]}')),
    "single quotes": ("nnvm", lambda size: _symbol(_RELU)(size).replace('"', "'")),
    "layers of one name": ("openvino", _network("ReLU", "r")),
    "unknown types": ("openvino", _network("Relu6", "r#")),
    "pieces of text": ("openvino", lambda size: _network("ReLU", "r#", 8 * size * "<![CDATA[x]]>")(2)),
    "variables with inputs": ("nnvm", _symbol(_RELU.replace('"relu"', '"null"'))),
    "end tags that close nothing": ("openvino", lambda size: _network("ReLU", "r#")(size).replace('"ReLU"', "ReLU")),
    "misspelt end tags": ("openvino", lambda size: _network("ReLU", "r#")(size).replace("</output>", "</ouput>")),
    "edges of a loop": ("openvino", _loop),
    "parameters of one name": ("lightnet", _parameters),
}


EXPONENT = 1.1  # of the growth that is allowed
TIMES = 4
SLACK = 0.02  # seconds: what the clock cannot tell
NOISE = 1.7  # more memory means fewer hits in the processor's caches: 1.4 was seen beside other programs; a square would be 3.5
ATTEMPTS = 6  # other programs may take the processor's caches for a while: the best times count


def _grows_linearly(work: Callable[[int], Callable[[], object]], size: int) -> None:
    """Prepared for four times as much, the work may take at most 4 ** EXPONENT times as long."""

    def cost(run: Callable[[], object]) -> float:
        began = time.process_time()
        run()
        return time.process_time() - began

    work(50)()  # imports and tables
    one, other = work(size), work(TIMES * size)
    small = large = float("inf")
    for _ in range(ATTEMPTS):
        small, large = min(small, cost(one)), min(large, cost(other))
        if large <= NOISE * TIMES**EXPONENT * small + SLACK:
            return
    raise AssertionError(
        f"{small:.3f} s for {size}, {large:.3f} s for {TIMES * size}: exponent {log(large / small, TIMES):.2f}"
    )


@pytest.mark.parametrize("case", CASES)
def test_many_of_a_kind_cost_linear_time(case: str) -> None:
    form, text = CASES[case]

    def work(size: int) -> Callable[[], object]:
        written = text(size)
        return lambda: engine.lint(written, as_format=form)

    _grows_linearly(work, 1000)


def _configure(form: str, data: bytes) -> None:
    read = read_toml if form == "toml" else read_yaml
    with suppress(ConfigError):
        source = read("irlint.yaml", data)
        if source is not None:
            build(source, ".")


# Each tree of ONNX is taken in one of its three forms; `python -m tests.hostile_measure` takes all, and larger ones
SUITE = [name for k, name in enumerate(FAMILIES) if ", many " not in name and (", graph" not in name or k % 3 == 0)]


def _checked(form: str, text: str | bytes) -> None:
    """Do what `irlint check` does."""
    is_text = isinstance(text, str)
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    result = engine.lint_bytes(data, "<text>" if is_text else "model.onnx", as_format=form)
    write([locate(result)], "json", StringIO())


@pytest.mark.parametrize("name", SUITE)
def test_hostile_families_cost_linear_time(name: str) -> None:
    form, text, size = FAMILIES[name]

    def work(size: int) -> Callable[[], object]:
        written = text(size)
        if form in ("toml", "yaml"):
            assert isinstance(written, str)
            return lambda: _configure(form, written.encode())
        return lambda: _checked(form, written)

    _grows_linearly(work, max(size // 3, 1))


def test_there_are_enough_families() -> None:
    assert len(FAMILIES) >= 200
    assert {family.form for family in FAMILIES.values()} == {
        "openvino",
        "nnvm",
        "lightnet",
        "glacier",
        "ncnn",
        "pnnx",
        "onnx",
        "toml",
        "yaml",
    }


def test_names_are_given_out_once() -> None:
    others = {"b_2"}
    free = FreeNames(["a", "a_3"], others)
    assert [free.like(name) for name in ("a", "a", "b", "b", "a")] == ["a_2", "a_4", "b_3", "b_4", "a_5"]


def test_many_operators_of_one_name_get_names_in_one_go() -> None:
    """LightNet: each another, so that one round of repairs is enough."""
    made = '{"name": "z", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "a#"}], "params": [%s]}'
    params = '{"arg_name": "dims", "value": [1]}, {"arg_name": "dtype", "value": "TL_FLOAT"}'
    text = f'{{"ops": [{", ".join((made % params).replace("#", str(k)) for k in range(200))}]}}'
    calls = 0

    def lint(text: str) -> list[engine.Finding]:
        nonlocal calls
        calls += 1
        return engine.lint(text, as_format="lightnet", settings=Settings(select=("R005",))).findings

    assert len(lint(text)) == 199
    fixed = fix(text, lint, unsafe=True)
    assert fixed.findings == []
    assert calls < 10
