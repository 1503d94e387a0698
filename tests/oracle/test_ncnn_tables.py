"""schemas/operators/ncnn.json before ncnn: what it says of layers, their defaults, kinds, bounds and weights. Needs IRLINT_NCNN_PYTHON.

More entries with IRLINT_ENTRIES=5000; all take half an hour.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from irlint.checks.fault import Fault
from irlint.formats.ncnn.arguments import STRICT, arguments
from irlint.formats.ncnn.parameters import faults
from irlint.formats.ncnn.rules import R
from irlint.formats.ncnn.weights import bytes_of, weights_of
from irlint.operators import Attribute, Operator, table
from irlint.text.layers.values import parameters
from oracle import ncnn_worker
from oracle.ncnn_bases import BASES, INTEGERS, changed, text

COUNT = int(os.environ.get("IRLINT_ENTRIES", "150"))
SEED = int(os.environ.get("IRLINT_SEED", "4"))
TABLE = table("ncnn")
BUILT = [name for name in TABLE.names if TABLE.get(name).facts.get("built", True)]  # type: ignore[union-attr]
LOADING = ("load_param", "load_model")
# Values that people write, or slip into, by kind.
VALUES = {
    "int": ("-3", "-1", "0", "1", "2", "3", "5", "7", "24", "100", "233", "401", "-233", "1.0", "2.5", "abc", "1,"),
    "float": ("0", "1", "-1", "0.5", "-0.5", "1e3", "abc", "0.5,"),
    "ints": ("1", "0,", "1,", "1,2", "1,2,3", "0,1,2,3,0", "-5,", "4,", "1.0,", "-1,-2"),
    "floats": ("1", "1,", "1,2", "0.5,", "0.5,1.5", "1.0,2.0,3.0", "-1.0,1.0"),
    "string": ("1", '"0w,0h"', '"1w"', "1,2"),
}
# Parameters with which the runtime reads or writes beyond the end of a blob: whether that shows is chance.
UNSEEN = {
    "pad_left",
    "pad_right",
    "pad_top",
    "pad_bottom",
    "left",
    "right",
    "top",
    "bottom",
    "attn_mask",
    "after_nms_topN",
    "slices",
}

Run = Callable[..., dict[str, Any]]

pytestmark = pytest.mark.skipif(
    ncnn_worker.PYTHON not in os.environ, reason="needs IRLINT_NCNN_PYTHON; make oracle runs it"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("ncnn")
    with ncnn_worker.Ncnn() as ask:

        def run(op: str, params: str | None = None, data: bytes | None = None, **job: Any) -> dict[str, Any]:
            path = folder / "layer.param"
            path.write_text(text(op, params), encoding="utf-8")
            if data is not None:
                path.with_suffix(".bin").write_bytes(data)
                job["bin"] = path.with_suffix(".bin")
            return ask(param=path, inputs=BASES[op].inputs, integers=INTEGERS.get(op, []), patience=3, **job)

        yield run


def entries() -> Iterator[tuple[str, Operator, Attribute]]:
    for name in BUILT:
        operator = TABLE.get(name)
        assert operator is not None
        yield from ((name, operator, a) for a in operator.attributes.values() if a.kind != "any" and name != "Input")


def sample(items: Iterator[Any]) -> list[Any]:
    found = list(items)
    return random.Random(SEED).sample(found, min(COUNT, len(found)))


def errors(op: str, params: str) -> list[Fault]:
    base = BASES[op]
    found = faults(op, params, (len(base.inputs), base.outputs), STRICT)
    return [fault for fault in found if fault.is_error]


@pytest.mark.parametrize("op", TABLE.names)
def test_every_layer_exists(op: str, run: Run) -> None:
    verdict = run(op)
    if op in BUILT:
        assert verdict["stage"] not in LOADING, verdict["message"]
        assert not errors(op, BASES[op].params)
    else:
        assert "not exists or registered" in verdict["message"]
        assert errors(op, BASES[op].params)


@pytest.mark.parametrize(("op", "operator", "attribute"), sample(entries()), ids=lambda x: getattr(x, "name", x))
def test_defaults_are_those_of_the_runtime(op: str, operator: Operator, attribute: Attribute, run: Run) -> None:
    """A layer with the default written out computes what it computes without."""
    params = BASES[op].params
    if attribute.name in parameters(params) or attribute.kind == "string":
        pytest.skip("set by the layer")
    default = arguments(operator, parameters(params))[attribute.facts["label"]]
    array = attribute.kind in ("ints", "floats")
    written = f"-{23300 + int(attribute.name)}=0" if array else f"{attribute.name}={default!r}"
    without, with_default = run(op), run(op, f"{params} {written}")
    assert with_default.get("stage") == without.get("stage")
    assert with_default.get("digest") == without.get("digest")


def _kinds() -> Iterator[tuple[str, str, str, str]]:
    for name, operator, attribute in entries():
        values = arguments(operator, parameters(BASES[name].params))
        value = values[attribute.facts["label"]]
        if attribute.kind == "int" and attribute.name in parameters(BASES[name].params):
            rest = " ".join(w for w in BASES[name].params.split() if w.partition("=")[0] != attribute.name)
            yield name, attribute.facts["label"], changed(BASES[name].params, attribute.name, f"{value}.0"), rest
        if attribute.kind == "float":
            key = attribute.name
            yield (
                name,
                attribute.facts["label"],
                changed(BASES[name].params, key, "3"),
                changed(BASES[name].params, key, "3.0"),
            )


@pytest.mark.parametrize(("op", "label", "params", "same"), sample(_kinds()))
def test_an_int_is_read_as_a_float_and_a_float_not_as_an_int(
    op: str, label: str, params: str, same: str, run: Run
) -> None:
    one, other = run(op, params), run(op, same)
    assert one.get("digest") == other.get("digest")
    assert one.get("stage") == other.get("stage")


def _bounds() -> Iterator[tuple[str, str, str]]:
    for name, _, attribute in entries():
        for value in VALUES[attribute.kind]:
            yield name, attribute.facts["label"], changed(BASES[name].params, attribute.name, value)


@pytest.mark.parametrize(("op", "label", "params"), sample(_bounds()))
def test_what_does_not_load_is_an_error(op: str, label: str, params: str, run: Run) -> None:
    """And what is an error fails, or takes a default instead of what is written."""
    verdict, found = run(op, params), errors(op, params)
    if verdict["stage"] in LOADING:
        assert found, verdict["message"]
    if verdict["stage"] is None and label not in UNSEEN:
        assert {fault.rule for fault in found} <= {R.wrong_attribute_type}


def _weighty() -> list[tuple[str, str]]:
    more = {
        "Convolution": "8=1", "ConvolutionDepthWise": "8=2", "InnerProduct": "8=1", "Embed": "18=1", "LSTM": "2=2", "GRU": "2=2", "RNN": "2=2",
        "MultiHeadAttention": "3=16 4=24", "Gemm": "5=1 8=8 9=6", "Scale": "1=1", "Dequantize": "1=4", "Requantize": "2=4", "Padding": "6=4",
        "MemoryData": "2=3", "GroupNorm": "3=0", "LayerNorm": "2=0",
    }  # fmt: skip
    found = [(op, BASES[op].params) for op in BUILT if weights_of(op, BASES[op].params)]
    return [
        *found,
        *((op, f"{BASES[op].params} {words}") for op, words in more.items()),
        ("LSTM", "0=4 1=192 3=6"),
        ("Gemm", "5=1 3=1 8=8 9=64 18=400"),
    ]


@pytest.mark.parametrize(("op", "params"), _weighty())
def test_weights_have_the_sizes_that_the_layer_reads(op: str, params: str, run: Run, tmp_path: Path) -> None:
    weights = weights_of(op, params)
    assert weights is not None
    size = sum(bytes_of(weight, 0) for weight in weights)
    assert run(op, params, weights=str(tmp_path / "all.bin")).get("size", 0) == size
    if size:
        data = (tmp_path / "all.bin").read_bytes()
        assert run(op, params, data)["stage"] not in LOADING
        assert run(op, params, data[:-4])["stage"] is not None
