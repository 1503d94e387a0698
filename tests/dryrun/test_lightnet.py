"""LightNet's operators: every one of them runs, some against NumPy's own words for the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import irlint
from irlint.formats.lightnet.dryrun import CALLS
from irlint.operators import table


def tensor(name: str, dims: list[int], data: list[float], dtype: str = "TL_FLOAT", from_file: bool = False) -> Any:
    params = {"dtype": dtype, "dims": dims, "ran": [0, 0], "data": data, "from_file": from_file}
    return op("create", f"make_{name}", {}, {"dst": name}, params)


def op(optype: str, name: str, inputs: dict[str, str], outputs: dict[str, str], params: dict[str, Any]) -> Any:
    def listed(pairs: dict[str, Any], key: str) -> list[dict[str, Any]]:
        return [{"arg_name": argument, key: value} for argument, value in pairs.items()]

    return {
        "name": name,
        "optype": optype,
        "tensors_in": listed(inputs, "name"),
        "tensors_out": listed(outputs, "name"),
        "params": listed(params, "value"),
    }


def run(*ops: Any, **options: Any) -> Any:
    return irlint.run(json.dumps({"ops": ops}).encode(), as_format="lightnet", **options)


COUNT = [1, 2, 3, 4, 5, 6, 7, 8]
ARRAY = np.arange(1.0, 9).reshape(2, 4)
ONE = [
    ("slice", {"axis": 1, "start": 1, "len": 3}, ARRAY[:, 1:4]),
    ("reshape", {"dims": [4, 2]}, ARRAY.reshape(4, 2)),
    ("transpose", {"axes": [1, 0]}, ARRAY.T),
    ("maxreduce", {"axis": 1}, ARRAY.max(1, keepdims=True)),
    ("relu", {}, ARRAY),
    ("sigmoid", {}, 1 / (1 + np.exp(-ARRAY))),
    ("softmax", {"axis": 1}, np.exp(ARRAY) / np.exp(ARRAY).sum(1, keepdims=True)),
    ("lrelu", {"negslope": 0.5}, ARRAY),
    ("resize", {"mode": "TL_NEAREST", "dims": [4, 4]}, ARRAY.repeat(2, 0)),
    ("upsample", {"mode": "TL_NEAREST", "scales": [1, 2]}, ARRAY.repeat(2, 1)),
    ("forward", {}, ARRAY),
]


@pytest.mark.parametrize(("optype", "params", "wanted"), ONE)
def test_operators_of_one_tensor(optype: str, params: dict[str, Any], wanted: Any) -> None:
    found = run(tensor("a", [2, 4], COUNT), op(optype, "it", {"src": "a"}, {"dst": "b"}, params))
    np.testing.assert_allclose(found["b"], wanted, rtol=1e-6)


@pytest.mark.parametrize(
    ("word", "wanted"), [("SUM", [5, -5]), ("SUB", [9, -9]), ("MUL", [-14, -14]), ("DIV", [-3, -3]), ("POW", [0, 49])]
)
def test_integers_are_divided_towards_zero(word: str, wanted: list[int]) -> None:
    """7 and -7 with -2 and 2."""
    found = run(
        tensor("a", [2], [7, -7], "TL_INT32"),
        tensor("b", [2], [-2, 2], "TL_INT32"),
        op("elew", "it", {"src1": "a", "src2": "b"}, {"dst": "c"}, {"elew_op": f"TL_{word}"}),
    )
    np.testing.assert_array_equal(found["c"], wanted)


def test_convolution_and_pooling() -> None:
    windows = {"size": [2, 2], "stride": [2, 2], "padding": [0, 0, 0, 0], "autopad": "NOTSET"}
    found = run(
        tensor("a", [1, 1, 2, 4], COUNT),
        tensor("w", [1, 1, 2, 2], [1, 1, 1, 1]),
        tensor("b", [1], [10]),
        op(
            "conv2d",
            "conv",
            {"src": "a", "weight": "w", "bias": "b"},
            {"dst": "c"},
            {**windows, "group": 1, "dilation": [1, 1]},
        ),
        op("maxpool2d", "most", {"src": "a"}, {"dst": "m"}, windows),
        op("avgpool2d", "mean", {"src": "a"}, {"dst": "n"}, windows),
    )
    np.testing.assert_array_equal(found["c"].ravel(), [1 + 2 + 5 + 6 + 10, 3 + 4 + 7 + 8 + 10])
    np.testing.assert_array_equal(found["m"].ravel(), [6, 8])
    np.testing.assert_array_equal(found["n"].ravel(), [3.5, 5.5])


def test_lengths_are_those_that_lightnet_works_out() -> None:
    """0.7 in single precision times 10 is 7, in double precision less."""
    params = {"mode": "TL_NEAREST", "scales": [1, 0.7]}
    found = run(tensor("a", [1, 10], [1]), op("upsample", "it", {"src": "a"}, {"dst": "b"}, params))
    assert found["b"].shape == (1, 7)


def test_same_padding_of_a_pool_is_worked_out_as_lightnet_does() -> None:
    """From [N, C]: a window of 3 and a stride of 2 on 4 and 4 need 1 more, on 10 and 11 they would need 1 and 2."""
    windows = {"size": [3, 3], "stride": [2, 2], "padding": [0, 0, 0, 0], "autopad": "SAME_UPPER"}
    found = run(tensor("a", [4, 4, 10, 11], [1]), op("maxpool2d", "it", {"src": "a"}, {"dst": "b"}, windows))
    assert found["b"].shape == (4, 4, 5, 5)


def test_types_are_those_of_the_linter() -> None:
    params = {"group": 2, "size": [1, 1], "stride": [1, 1], "output_dims": [0] * 4, "padding": [0] * 4}
    params |= {"output_padding": [0, 0], "dilation": [1, 1], "autopad": "NOTSET"}
    inputs = {"src": "a", "weight": "w", "bias": "b"}
    ops = [tensor("a", [1, 4, 2, 2], [1]), tensor("w", [4, 3, 1, 1], [1]), tensor("b", [6], [0])]
    text = json.dumps({"ops": [*ops, op("deconv2d", "it", inputs, {"dst": "c"}, params)]})
    assert irlint.infer(irlint.load(text.encode(), as_format="lightnet"))["it"][0].shape == (1, 6, 2, 2)
    other = text.replace('"value": [6]', '"value": [5]')
    with pytest.raises(ValueError, match=r"^deconv2d 'it': expected 6 elements in `bias` 'b' "):
        irlint.infer(irlint.load(other.encode(), as_format="lightnet"))


def test_several_outputs_and_inputs_in_any_order() -> None:
    found = run(
        tensor("a", [2, 4], COUNT),
        op("maxreduce_arg", "it", {"src": "a"}, {"arg": "where", "dst": "most"}, {"axis": 0}),
        op("scatter", "rows", {"src": "a"}, {"dst1": "r1", "dst2": "r2"}, {}),
        op("gather", "back", {"src2": "r1", "src1": "r2"}, {"dst": "g"}, {}),
    )
    np.testing.assert_array_equal(found["where"], [[1, 1, 1, 1]])
    np.testing.assert_array_equal(found["most"], [[5, 6, 7, 8]])
    np.testing.assert_array_equal(found["g"], ARRAY)


def test_what_is_printed_and_what_nobody_reads_comes_out() -> None:
    found = run(
        tensor("a", [2, 4], COUNT),
        op("arange", "range", {}, {"dst": "r"}, {"dtype": "TL_INT32", "start": 0, "stop": 5, "step": 2}),
        op("print", "show", {"src": "a"}, {}, {"msg": "a:"}),
    )
    assert list(found) == ["a", "r"]
    np.testing.assert_array_equal(found["r"], [0, 2, 4])


def test_numbers_are_cut_and_the_nearest_taken() -> None:
    found = run(tensor("a", [4], [1.9, -1.9, 300, -300], "TL_INT8"), op("forward", "f", {"src": "a"}, {"dst": "b"}, {}))
    np.testing.assert_array_equal(found["b"], [1, -1, 127, -128])


def test_weight_files(tmp_path: Path) -> None:
    path = tmp_path / "net.wts"
    path.write_text("2\nw 0 2 3f800000 bf800000\nother 2 1 ff\n")
    ops = [tensor("w", [2], [0], from_file=True), op("forward", "f", {"src": "w"}, {"dst": "b"}, {})]
    np.testing.assert_array_equal(run(*ops, weights=path)["b"], [1, -1])
    np.savez(tmp_path / "net.npz", w=np.array([5, 6], np.float32))
    np.testing.assert_array_equal(run(*ops, weights=tmp_path / "net.npz")["b"], [5, 6])
    path.write_text("1\nw 0 3 0 0 0\n")
    with pytest.raises(ValueError, match=r"expected float32 \[2\] for 'w', got 3 numbers of float32"):
        run(*ops, weights=path)
    first, again = run(*ops)["b"], run(*ops)["b"]  # drawn, the same in every run
    np.testing.assert_array_equal(first, again)


def test_every_abstract_operator_has_a_kernel() -> None:
    operators = table("lightnet")
    abstract = {name for name in operators.raw["operators"] if "_" not in name or name in CALLS or name == "create"}
    assert abstract - set(CALLS) <= {"create", "scatter", "tensorrt"}


@pytest.mark.parametrize(("autopad", "length"), [("NOTSET", 10), ("VALID", 11)])
def test_a_transposed_convolution_pads_as_it_says(autopad: str, length: int) -> None:
    numbers = {"size": [3, 3], "stride": [2, 2], "dilation": [1, 1], "output_dims": [0] * 4, "output_padding": [0, 0]}
    params = {**numbers, "group": 2, "padding": [1, 1, 0, 0], "autopad": autopad}
    tensors = {"x": [1, 4, 5, 5], "w": [4, 3, 3, 3], "b": [6]}
    made = [tensor(name, dims, [0]) for name, dims in tensors.items()]
    roles = {"src": "x", "weight": "w", "bias": "b"}
    assert run(*made, op("deconv2d", "it", roles, {"dst": "y"}, params))["y"].shape == (1, 6, length, length)


def test_a_transposed_convolution_that_pads_by_itself_does_not_run() -> None:
    numbers = {"size": [3, 3], "stride": [2, 2], "dilation": [1, 1], "output_dims": [0] * 4, "output_padding": [0, 0]}
    params = {**numbers, "group": 2, "padding": [1, 1, 0, 0], "autopad": "SAME_UPPER"}
    made = [tensor("x", [1, 4, 5, 5], [0]), tensor("w", [4, 3, 3, 3], [0]), tensor("b", [6], [0])]
    roles = {"src": "x", "weight": "w", "bias": "b"}
    with pytest.raises(NotImplementedError, match="deconv2d"):
        run(*made, op("deconv2d", "it", roles, {"dst": "y"}, params))
