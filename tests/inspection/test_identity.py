"""The hashes by which models are the same: not by names or order, but by structure and by values."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from rule_cases.texts import OPENVINO, SYMBOL

from irlint import engine
from irlint.inspection.identity import facts_of
from tests.formats.onnx.build import message

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def facts(data: bytes | str, name: str, beside: tuple[tuple[int, str | None], ...] = ()) -> dict[str, Any]:
    result = engine.lint_bytes(data.encode() if isinstance(data, str) else data, name)
    assert result.known is not None
    return facts_of(result.known, beside)


def symbol(prefix: str = "", order: bool = False, **attrs: str) -> str:
    """Two branches that are added; `order`: the second branch comes first in the file."""
    nodes = {
        "x": ("null", [], {"__shape__": "(1, 3, 8, 8)"}),
        "a": ("Activation", ["x"], {"act_type": "relu", **attrs}),
        "b": ("Activation", ["x"], {"act_type": "tanh"}),
        "c": ("elemwise_sub", ["a", "b"], {}),
    }
    names = ["x", "b", "a", "c"] if order else list(nodes)
    listed = [
        {"op": op, "name": prefix + name, "attrs": own, "inputs": [[names.index(source), 0, 0] for source in inputs]}
        for name in names
        for op, inputs, own in [nodes[name]]
    ]
    graph = {"nodes": listed, "arg_nodes": [0], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10700]}}
    return json.dumps(graph)


def onnx(*values: float, name: str = "w", dim: str = "n", raw: bool = True) -> bytes:
    """A model that adds a constant to its input."""
    import struct

    shape = {"dim": [{"dim_param": dim}, {"dim_value": len(values)}]}
    kind = {"tensor_type": {"elem_type": 1, "shape": shape}}
    tensor: dict[str, Any] = {"name": name, "data_type": 1, "dims": [len(values)]}
    if raw:
        tensor["raw_data"] = struct.pack(f"<{len(values)}f", *values)
    else:
        tensor["float_data"] = list(values)
    graph = {
        "name": "g",
        "node": [{"op_type": "Add", "input": ["x", name], "output": [f"{name}y"]}],
        "initializer": [tensor],
        "input": [{"name": "x", "type": kind}],
        "output": [{"name": f"{name}y", "type": kind}],
    }
    return message(
        "Model", ir_version=8, producer_name="pytorch", producer_version="2.4.1", opset_import=[{"version": 17}], graph=graph
    )  # fmt: skip


def test_names_and_order_do_not_count() -> None:
    one, other = facts(symbol(), "a.json"), facts(symbol("net_", order=True), "b.json")
    assert one == other
    assert (one["producer"], one["opset"], one["nodes"]) == ("MXNet 1.7.0", "1.7.0", 3)
    assert facts(onnx(1, 2), "a.onnx") == facts(onnx(1, 2, name="v", dim="batch"), "b.onnx")


@pytest.mark.parametrize(
    "changed",
    [
        symbol().replace('"relu"', '"sigmoid"'),
        symbol().replace("[[1, 0, 0], [2, 0, 0]]", "[[2, 0, 0], [1, 0, 0]]"),
        symbol().replace("elemwise_sub", "elemwise_mul"),
        symbol().replace("(1, 3, 8, 8)", "(2, 3, 8, 8)"),
        symbol().replace('"heads": [[3', '"heads": [[2'),
    ],
)
def test_structure_counts(changed: str) -> None:
    assert changed != symbol()
    assert facts(changed, "a.json")["graph"] != facts(symbol(), "a.json")["graph"]


def test_attributes_of_training_do_not_count() -> None:
    assert facts(symbol(__lr_mult__="0.1"), "a.json")["graph"] == facts(symbol(), "a.json")["graph"]


def test_weights_in_the_file() -> None:
    one, other = facts(onnx(1, 2), "a.onnx"), facts(onnx(1, 3), "a.onnx")
    assert one["graph"] == other["graph"]
    assert one["weights"] != other["weights"]
    assert one["weights"] == facts(onnx(1, 2, raw=False), "a.onnx")["weights"]
    assert facts(onnx(1, 2, 3), "a.onnx")["graph"] != one["graph"]
    assert (one["producer"], one["opset"], one["weights_size"]) == ("pytorch 2.4.1", "17", 8)


def test_weights_next_to_it_are_known_by_size_and_etag() -> None:
    first, again, other = (facts(OPENVINO, "a.xml", ((12, etag),)) for etag in ('"x"', '"x"', '"y"'))
    assert first == again
    assert (first["graph"], first["side_size"], first["weights_size"]) == (other["graph"], 12, 12)
    assert first["weights"] != other["weights"]
    assert facts(OPENVINO, "a.xml", ((12, None),))["weights"] is None
    assert facts(OPENVINO, "a.xml")["weights"] is None


def test_nothing_is_not_equal_to_nothing() -> None:
    """Files of no bytes have one ETag, and tensors of no elements one hash."""
    empty = facts(OPENVINO, "a.xml", ((0, '"x"'),))
    assert (empty["weights"], empty["weights_size"], empty["side_size"]) == (None, 0, 0)
    assert facts(OPENVINO, "a.xml", ((0, None), (12, '"x"'))) == facts(OPENVINO, "a.xml", ((12, '"x"'),))
    assert facts(onnx(), "a.onnx")["weights"] is None


def test_origin_of_an_ir() -> None:
    said = '<rt_info><Runtime_version value="2024.6.0-17404-4c0f47d2335-releases/2024/6"/></rt_info>'
    found = facts(OPENVINO.replace("<rt_info/>", said), "a.xml")
    assert (found["producer"], found["opset"]) == ("OpenVINO 2024.6.0", "opset8")


def test_all_examples_have_a_graph_that_every_process_hashes_alike() -> None:
    """The hashes are in reports that later runs are compared with: a change of them is one of the output format."""
    found = {}
    for path in sorted(EXAMPLES.glob("*/*")):  # those of plug-ins are no models without them
        is_plugin = (path.parent / "pyproject.toml").exists()
        if not is_plugin and path.suffix in (".json", ".xml", ".onnx", ".onnxtxt", ".param", ".txt", ".jsonl"):
            found[f"{path.parent.name}/{path.name}"] = facts(path.read_bytes(), path.name)["graph"]
    assert all(found.values())
    kinds = {
        "glacier/mobilenetv2.txt": "0cad5e1c2af89ccceb9614ff45f4c0eb",
        "lightnet/digits.json": "1a7f8329169587914acbe9844c228541",
        "ncnn/digits.param": "917c39a5ab0bc078df777c73c89b3a5f",
        "nnvm/lenet-symbol.json": "5cf922aff425549d8870497d063337e8",
        "onnx/digits.onnx": "1f17f3b08ae91d1403d6aedc67f710d8",
        "onnx/steps.onnxtxt": "fe25f933ff4f9f062c0257654bd84148",
        "openvino/digits.xml": "675d5b57dfd2c3d15011c88fb353fe3f",
        "pnnx/digits.pnnx.param": "6af5e9c6d8b8206017ea2fbdcb9aa41f",
    }
    assert {name: found[name] for name in kinds} == kinds


@pytest.mark.parametrize("text", [SYMBOL, "{", '{"nodes": [], "arg_nodes": [], "heads": []}'])
def test_broken_models_have_facts(text: str) -> None:
    result = engine.lint(text, "a-symbol.json", as_format="nnvm")
    assert result.known is not None
    assert facts_of(result.known)["format"] == "nnvm"


def test_time_is_linear() -> None:
    def spent(count: int) -> float:
        nodes: list[Any] = [{"op": "null", "name": "x", "inputs": []}]
        nodes += [{"op": "relu", "name": f"n{k}", "inputs": [[k - 1, 0, 0]]} for k in range(1, count)]
        text = json.dumps({"nodes": nodes, "arg_nodes": [0], "heads": [[count - 1, 0, 0]]})
        known = engine.lint(text, "a-symbol.json").known
        assert known is not None
        began = process_time()
        facts_of(known)
        return process_time() - began

    spent(100)
    assert spent(20_000) < 40 * spent(2_000)
