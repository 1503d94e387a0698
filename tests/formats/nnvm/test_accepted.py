"""What mxnet 1.9.1 was seen to refuse, or to run, at the edges: severities, and the places that findings name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irlint import engine
from irlint.offers import confirm

Node = dict[str, Any]


def variable(name: str, shape: str | None = None) -> Node:
    return {"op": "null", "name": name, **({"attrs": {"__shape__": shape}} if shape else {}), "inputs": []}


def call(op: str, name: str, *inputs: int, **attrs: str) -> Node:
    return {"op": op, "name": name, **({"attrs": attrs} if attrs else {}), "inputs": [[k, 0, 0] for k in inputs]}


def symbol(*nodes: Node, heads: list[list[int]] | None = None) -> dict[str, Any]:
    return {
        "nodes": list(nodes),
        "arg_nodes": [k for k, node in enumerate(nodes) if node["op"] == "null"],
        "heads": heads or [[len(nodes) - 1, 0, 0]],
        "attrs": {"mxnet_version": ["int", 10901]},
    }


def said(graph: dict[str, Any]) -> list[tuple[str, str]]:
    found = engine.lint(json.dumps(graph), "model-symbol.json").findings
    return [(str(f.severity), f.code) for f in found if str(f.severity) in ("error", "warning")]


def named(graph: dict[str, Any], code: str) -> str:
    """What the related places of a finding hold."""
    text = json.dumps(graph)
    finding = next(f for f in engine.lint(text, "model-symbol.json").findings if f.code == code)
    return " | ".join(text[related.span.start : related.span.end] for related in finding.related)


def pooling(**attrs: str) -> dict[str, Any]:
    return symbol(variable("data", "(1, 2, 8, 8)"), call("Pooling", "pool", 0, kernel="(2, 2)", **attrs))


@pytest.mark.parametrize(
    ("attrs", "expected"),
    [
        ({"pad": "(1, 1)"}, []),
        ({"pad": "(2, 1)"}, [("error", "A006")]),
        ({"pad": "(2, 2)", "pool_type": "avg"}, [("error", "A006")]),
        ({"pad": "(2, 2)", "pool_type": "sum"}, []),
        ({"pad": "(2, 2)", "global_pool": "True"}, []),
        ({"pad": "(1, 1)", "pooling_convention": "same"}, [("error", "A006")]),
        ({"pooling_convention": "same"}, [("error", "D003")]),
    ],
)
def test_padding_as_wide_as_the_window(attrs: dict[str, str], expected: list[tuple[str, str]]) -> None:
    assert said(pooling(**attrs)) == expected


@pytest.mark.parametrize(
    ("axis", "shapes", "expected"),
    [
        ("-2", ("(2, 3, 4)", "(2, 4, 5)"), []),
        ("-1", ("(2, 3, 4)", "(2, 4, 5)"), [("error", "D004")]),
        ("2", ("(2, 3, 4)", "(2, 4, 5)"), [("error", "D004")]),
        ("0", ("(2, 3, 4)", "(2, 4, 5)"), [("error", "D001")]),
        ("0", ("(3, 2, 4)", "(4, 2, 5)"), []),
    ],
)
def test_the_axis_of_rows(axis: str, shapes: tuple[str, str], expected: list[tuple[str, str]]) -> None:
    a, b = (variable(name, shape) for name, shape in zip("ab", shapes, strict=True))
    assert said(symbol(a, b, call("_linalg_gemm2", "product", 0, 1, axis=axis))) == expected


def dense(*inputs: int) -> dict[str, Any]:
    own = [variable("fc0_weight"), variable("fc0_bias")]
    return symbol(variable("data", "(2, 3)"), *own, call("FullyConnected", "fc0", *inputs, num_hidden="4"))


def normalised(op: str, *inputs: int) -> dict[str, Any]:
    own = [variable(f"norm_{port}") for port in ("gamma", "beta")]
    return symbol(variable("data", "(2, 3, 4)"), *own, call(op, "norm", *inputs))


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (dense(0, 1, 2), []),
        (dense(0, 2, 1), [("warning", "R207")]),
        (dense(0, 2, 2), [("warning", "G001"), ("error", "D001")]),
        (dense(0, 1, 1), [("error", "D001")]),
        (normalised("InstanceNorm", 0, 1, 2), []),
        (normalised("InstanceNorm", 0, 2, 1), [("warning", "R207")]),
        (normalised("InstanceNorm", 1, 0, 2), [("error", "R207")]),
        (normalised("InstanceNorm", 0, 0, 2), [("error", "D001")]),
        (normalised("LayerNorm", 0, 2, 1), [("warning", "R207")]),
    ],
)
def test_inputs_in_the_wrong_roles(graph: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert sorted(said(graph)) == sorted(expected)


def test_a_weight_of_one_node_as_the_scale_of_another() -> None:
    """MXNet gives the variable the shape of the last that asks, and the first cannot run."""
    own = [variable("data", "(2, 3, 8, 8)"), variable("c_weight"), variable("n_gamma"), variable("n_beta")]
    conv = call("Convolution", "c", 0, 1, kernel="(3, 3)", num_filter="4", no_bias="True")
    assert said(symbol(*own, conv, call("InstanceNorm", "n", 4, 2, 3))) == []
    assert ("error", "D001") in said(symbol(*own, conv, call("InstanceNorm", "n", 4, 1, 3)))


def test_a_slope_that_is_the_data() -> None:
    graph = symbol(variable("data", "(2, 3, 4, 4)"), call("LeakyReLU", "act", 0, 0, act_type="prelu"))
    assert ("error", "D001") in said(graph)


def loop(data: str = "(5, 3)", state: str = "(3,)", heads: tuple[int, int] = (2, 3), **attrs: str) -> dict[str, Any]:
    body = symbol(variable("x"), variable("s"), call("elemwise_add", "plus", 0, 1), call("_copy", "next", 2))
    body["heads"] = [[k, 0, 0] for k in heads]
    del body["attrs"]
    places = {"in_data_locs": "[0]", "in_state_locs": "[1]", "remain_locs": "[]", "num_args": "3"}
    node = call("_foreach", "loop", 0, 1, **{**places, "num_out_data": "1", "num_outputs": "2", **attrs})
    node["subgraphs"] = [body]
    return symbol(variable("data", data), variable("state", state), node, heads=[[2, 0, 0], [2, 1, 0]])


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (loop(), []),
        (loop("(5,)", "(1,)"), []),  # slices of a vector have one element
        (loop("(5,)", "(4,)"), [("error", "D001")]),
        (loop(num_out_data="2"), [("warning", "O201")]),  # runs, and leaves the state as it is
        (loop(num_out_data="0"), [("error", "O201")]),
        (loop(num_out_data="3"), [("error", "O201")]),
        (loop(heads=(2, 1)), [("error", "O201")]),
    ],
)
def test_loops(graph: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert [finding for finding in said(graph) if finding[1] != "G001"] == expected


def test_an_input_that_the_body_misses_is_reported_at_the_inputs() -> None:
    graph = loop()
    del graph["nodes"][2]["inputs"][0]
    text = json.dumps(graph)
    finding = next(f for f in engine.lint(text, "model-symbol.json").findings if f.code == "O201")
    assert text[finding.span.start : finding.span.end] == "[[1, 0, 0]]"


def test_a_mistake_in_a_body_names_the_input_of_the_loop() -> None:
    assert "[0, 0, 0]" in named(loop("(5, 4)"), "D001")


def test_a_strange_attribute_names_the_operator() -> None:
    graph = symbol(variable("data"), call("Activation", "act", 0, act_type="relu", dim="1"))
    assert named(graph, "A001") == '"Activation"'
    graph = symbol(variable("data"), call("clip", "act", 0, a_min="1"))
    assert named(graph, "A002") == '"clip"'


def test_a_shape_mistake_names_the_number_behind_it() -> None:
    nodes = [variable("data", "(1, 4, 8, 8)"), variable("c_weight")]
    attrs = {"kernel": "(1, 1)", "num_filter": "5", "no_bias": "True"}
    graph = symbol(*nodes, call("Convolution", "c", 0, 1, **attrs), call("elemwise_add", "sum", 0, 2))
    assert '"5"' in named(graph, "D001")


def test_columns_of_an_image() -> None:
    attrs = {"kernel": "(2, 2)", "output_size": "(3, 3)"}
    graph = symbol(variable("data", "(1, 4, 4)"), call("col2im", "image", 0, **attrs))
    assert said(graph) == []
    graph["nodes"][1]["attrs"]["output_size"] = "(4, 3)"
    assert said(graph) == [("error", "D001")]


def test_an_attribute_of_another_operator_points_at_the_operator() -> None:
    graph = symbol(variable("data", "(2, 3)"), call("_np_sum", "transpose0", 0, axes="(1, 0)"))
    assert '"_np_sum"' in named(graph, "A001")
    finding = next(f for f in engine.lint(json.dumps(graph), "model-symbol.json").findings if f.code == "A001")
    assert finding.fix is None or finding.fix.safety == "unsafe"  # the operator was a transpose


def test_a_word_of_another_operator_points_at_the_operator() -> None:
    graph = symbol(variable("data", "(2, 3)"), call("LeakyReLU", "relu0", 0, act_type="relu"))
    assert named(graph, "A005") == '"LeakyReLU"'


def test_a_lost_attribute_is_looked_for_in_alphabetical_order() -> None:
    graph = symbol(variable("data"), call("Convolution", "conv", 0, kernel="(3, 3)", stride="(1, 1)"))
    assert '"stride"' in named(graph, "A002")


def test_tuples_at_odds_point_at_both() -> None:
    graph = symbol(variable("data"), call("Convolution", "conv", 0, kernel="(5)", num_filter="2", stride="(1, 1)"))
    assert '"(5)"' in named(graph, "A007")


def test_attributes_of_another_operator_are_one_error_at_the_operator() -> None:
    attrs = {"kernel": "(3, 3)", "num_filter": "4", "num_group": "1"}
    graph = symbol(
        variable("data", "(1, 2, 8, 8)"), variable("conv_weight"), variable("conv_bias"),
        call("GroupNorm", "conv", 0, 1, 2, **attrs),
    )  # fmt: skip
    text = json.dumps(graph)
    result = engine.lint(text, "model-symbol.json")
    errors = [f for f in result.findings if str(f.severity) == "error"]
    assert [text[f.span.start : f.span.end] for f in errors if f.code == "A001"] == ['"GroupNorm"']
    confirm(result)
    (fix,) = [f.fix for f in result.findings if f.code == "A001"]
    assert fix is not None
    assert (fix.title, fix.safety) == ("Set `op` to `Convolution`", "unsafe")


@pytest.mark.parametrize(
    ("attrs", "expected"),
    [
        ({"kernel_size": "3", "max_displacement": "4"}, [("error", "D001")]),
        ({"kernel_size": "7", "max_displacement": "0"}, [("error", "D001")]),
        ({"kernel_size": "3", "max_displacement": "0"}, []),
        ({"kernel_size": "3", "max_displacement": "4", "pad_size": "4"}, []),
    ],
)
def test_the_window_of_a_correlation_has_to_fit(attrs: dict[str, str], expected: list[tuple[str, str]]) -> None:
    a, b = variable("a", "(1, 2, 4, 4)"), variable("b", "(1, 2, 4, 4)")
    assert said(symbol(a, b, call("Correlation", "c", 0, 1, **attrs))) == expected
