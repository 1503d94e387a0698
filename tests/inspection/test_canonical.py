"""One operator, one name: models of equal structure in different formats give one listing."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irlint import engine
from irlint.graph import Node
from irlint.inspection import Flat
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.review.changes import differences
from irlint.operators import table
from irlint.tools.installed import load_json

RECORDS = load_json("operators/canonical.json")["operators"]


def canonical(text: str, as_format: str | None = None) -> str:
    model = engine.lint(text, "model", as_format=as_format).model
    assert model is not None
    return Flat(model.graph, ("Call", "Var", "Constant"), CanonicalNames(model)).text()


@pytest.mark.parametrize("name", ["lightnet", "nnvm", "mxnet"])
def test_every_operator_that_is_named_exists(name: str) -> None:
    known = table(name)
    entries = [entry for record in RECORDS.values() for entry in record.get(name, ())]
    for entry in entries:
        operator = known.get(entry if isinstance(entry, str) else entry["op"])
        assert operator is not None, entry
        if not isinstance(entry, str):
            for key in (*entry.get("attributes", ()), *entry.get("ranks", ())):
                assert key in operator.attributes, entry


def test_an_operator_without_conditions_has_one_meaning() -> None:
    for name in ("lightnet", "nnvm", "mxnet", "openvino"):
        plain = [entry for record in RECORDS.values() for entry in record.get(name, ()) if isinstance(entry, str)]
        assert len(plain) == len(set(plain))


def test_relay_s_names_are_canonical_where_relay_has_the_operator() -> None:
    relay = table("relay")
    ours = [name for name in RECORDS if name not in relay]
    assert len(ours) < len(RECORDS) / 5
    text = "0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n"
    assert canonical(text) == text


def symbol(*nodes: tuple[str, str, list[int], dict[str, str]]) -> str:
    """An MXNet symbol (1.x) whose last node is the output."""
    records = [
        {"op": op, "name": name, "inputs": [[i, 0, 0] for i in inputs], **({"attrs": attrs} if attrs else {})}
        for op, name, inputs, attrs in nodes
    ]
    arguments = [k for k, node in enumerate(nodes) if node[0] == "null"]
    return json.dumps(
        {
            "nodes": records,
            "arg_nodes": arguments,
            "node_row_ptr": list(range(len(nodes) + 1)),
            "heads": [[len(nodes) - 1, 0, 0]],
            "attrs": {"mxnet_version": ["int", 10900]},
        }
    )


MXNET = symbol(
    ("null", "x", [], {}),
    ("null", "w", [], {}),
    ("null", "b", [], {}),
    ("Convolution", "conv", [0, 1, 2], {"kernel": "(3, 3)", "num_filter": "8"}),
    ("Activation", "act", [3], {"act_type": "relu"}),
    ("Pooling", "pool", [4], {"kernel": "(2, 2)", "pool_type": "max", "stride": "(2, 2)"}),
    ("elemwise_add", "sum", [5, 5], {}),
    ("softmax", "out", [6], {}),
)
CLASSIC = json.dumps(
    {
        "nodes": [
            {"op": "null", "name": "x", "inputs": []},
            {"op": "null", "name": "w", "inputs": []},
            {"op": "null", "name": "b", "inputs": []},
            {
                "op": "conv2d",
                "name": "c",
                "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
                "attrs": {"channels": "8", "kernel_size": "(3, 3)"},
            },
            {"op": "relu", "name": "r", "inputs": [[3, 0, 0]]},
            {
                "op": "max_pool2d",
                "name": "p",
                "inputs": [[4, 0, 0]],
                "attrs": {"pool_size": "(2, 2)", "strides": "(2, 2)"},
            },
            {"op": "elemwise_add", "name": "a", "inputs": [[5, 0, 0], [5, 0, 0]]},
            {"op": "softmax", "name": "s", "inputs": [[6, 0, 0]]},
        ],
        "arg_nodes": [0, 1, 2],
        "node_row_ptr": list(range(9)),
        "heads": [[7, 0, 0]],
    }
)
LISTING = """\
0 nn.conv2d ['x', 'w', 'b']
1 nn.relu [0]
2 nn.max_pool2d [1]
3 add [2, 2]
4 nn.softmax [3]
"""


def _lightnet() -> str:
    window = {"padding": [0, 0, 0, 0], "autopad": "NOTSET"}
    return json.dumps(
        {
            "ops": [
                _create("x", [1, 3, 10, 10]),
                _create("w", [8, 3, 3, 3]),
                _create("b", [8]),
                _op(
                    "conv",
                    "conv2d",
                    {"src": "x", "weight": "w", "bias": "b"},
                    "c",
                    group=1,
                    size=[3, 3],
                    stride=[1, 1],
                    dilation=[1, 1],
                    **window,
                ),
                _op("act", "relu", {"src": "c"}, "r"),
                _op("pool", "maxpool2d", {"src": "r"}, "p", size=[2, 2], stride=[2, 2], **window),
                _op("sum", "elew", {"src1": "p", "src2": "p"}, "s", elew_op="TL_SUM"),
                _op("out", "softmax", {"src": "s"}, "o", axis=1),
            ]
        }
    )


def _op(name: str, optype: str, inputs: dict[str, str], output: str, **params: object) -> dict[str, object]:
    return {
        "name": name,
        "optype": optype,
        "tensors_in": [{"arg_name": key, "name": tensor} for key, tensor in inputs.items()],
        "tensors_out": [{"arg_name": "dst", "name": output}],
        "params": [{"arg_name": key, "value": value} for key, value in params.items()],
    }


def _create(tensor: str, dims: list[int]) -> dict[str, object]:
    return _op(
        f"make_{tensor}", "create", {}, tensor, dtype="TL_FLOAT", dims=dims, ran=[0, 0], data=[0], from_file=False
    )


@pytest.mark.parametrize("text", [MXNET, CLASSIC, LISTING, _lightnet()], ids=["mxnet", "nnvm", "glacier", "lightnet"])
def test_models_of_equal_structure_give_one_listing(text: str) -> None:
    assert canonical(text) == LISTING


@pytest.mark.parametrize(
    ("op", "attributes", "name"),
    [
        ("Pooling", {"kernel": "(2,2)", "pool_type": "avg"}, "nn.avg_pool2d"),
        ("Pooling", {"kernel": "(2,2)"}, "nn.max_pool2d"),
        ("Pooling", {"pool_type": "avg", "global_pool": "1"}, "nn.global_avg_pool2d"),
        ("Pooling", {"kernel": "[2]"}, "nn.max_pool1d"),
        ("Convolution", {"kernel": "(1L, 3L, 3L)"}, "nn.conv3d"),
        ("LeakyReLU", {}, "nn.leaky_relu"),
        ("LeakyReLU", {"act_type": "elu"}, "nn.elu"),
        ("Activation", {"act_type": "softrelu"}, "nn.softplus"),
        ("_Plus", {}, "add"),
        ("my_own", {}, "my_own"),
    ],
)
def test_attributes_tell_which_operator_it_is(op: str, attributes: dict[str, str], name: str) -> None:
    model = engine.lint(MXNET, "model").model
    assert model is not None
    assert CanonicalNames(model).of(Node(0, "n", op, (0,), attrs=attributes)) == name


# canonical name: in NNVM, MXNet, OpenVINO, LightNet (a member of elew where it is one), and the number of inputs
SHARED = {
    "nn.relu": ("relu", "relu", "ReLU", "relu", 1),
    "sigmoid": ("sigmoid", "sigmoid", "Sigmoid", "sigmoid", 1),
    "nn.softmax": ("softmax", "softmax", "SoftMax", "softmax", 1),
    "add": ("elemwise_add", "elemwise_add", "Add", "TL_SUM", 2),
    "multiply": ("elemwise_mul", "elemwise_mul", "Multiply", "TL_MUL", 2),
    "maximum": ("broadcast_max", "_maximum", "Maximum", "TL_MAX", 2),
}
LEAVES = ("x", "y", "z")
Call = tuple[str, list[int]]  # canonical name; inputs: leaves first, then calls


@st.composite
def calls(draw: st.DrawFn) -> list[Call]:
    """Random models, every call of which the last one needs."""
    found: list[Call] = []
    for k in range(draw(st.integers(1, 12))):
        op = draw(st.sampled_from(sorted(SHARED)))
        inputs = [draw(st.integers(0, len(LEAVES) + k - 1)) for _ in range(SHARED[op][4])]
        inputs[draw(st.integers(0, len(inputs) - 1))] = len(LEAVES) + k - 1 if k else 0
        found.append((op, inputs))
    return found


def _symbol_of(found: list[Call], mxnet: bool) -> str:
    nodes = [("null", name, [], {}) for name in LEAVES]
    nodes += [(SHARED[op][mxnet], f"c{k}", inputs, {}) for k, (op, inputs) in enumerate(found)]
    text = json.loads(symbol(*nodes))
    return json.dumps(text if mxnet else {key: value for key, value in text.items() if key != "attrs"})


def _lightnet_of(found: list[Call]) -> str:
    ops = [_create(name, [2, 2]) for name in LEAVES]
    tensors = [*LEAVES, *(f"t{k}" for k in range(len(found)))]
    for k, (op, inputs) in enumerate(found):
        name, read = SHARED[op][3], [tensors[i] for i in inputs]
        if name.startswith("TL_"):
            ops.append(_op(f"c{k}", "elew", {"src1": read[0], "src2": read[1]}, f"t{k}", elew_op=name))
        else:
            ops.append(_op(f"c{k}", name, {"src": read[0]}, f"t{k}", **({"axis": 0} if name == "softmax" else {})))
    return json.dumps({"ops": ops})


def _openvino_of(found: list[Call]) -> str:
    port = '<port id="{}"{}><dim>2</dim><dim>2</dim></port>'
    layers, edges = [], []
    for k, name in enumerate(LEAVES):
        data = '<data shape="2,2" element_type="f32"/>'
        output = port.format(0, ' precision="FP32"')
        layers.append(
            f'<layer id="{k}" name="{name}" type="Parameter" version="opset1">{data}<output>{output}</output></layer>'
        )
    for k, (op, inputs) in enumerate(found, len(LEAVES)):
        data = '<data axis="0"/>' if op == "nn.softmax" else ""
        read = "".join(port.format(i, "") for i in range(len(inputs)))
        output = port.format(len(inputs), ' precision="FP32"')
        layers.append(
            f'<layer id="{k}" name="c{k}" type="{SHARED[op][2]}" version="opset1">{data}'
            f"<input>{read}</input><output>{output}</output></layer>"
        )
        for i, source in enumerate(inputs):
            at = 0 if source < len(LEAVES) else len(found[source - len(LEAVES)][1])
            edges.append(f'<edge from-layer="{source}" from-port="{at}" to-layer="{k}" to-port="{i}"/>')
    last = len(LEAVES) + len(found)
    layers.append(
        f'<layer id="{last}" name="out" type="Result" version="opset1"><input>{port.format(0, "")}</input></layer>'
    )
    at = len(found[-1][1])
    edges.append(f'<edge from-layer="{last - 1}" from-port="{at}" to-layer="{last}" to-port="0"/>')
    return (
        f'<?xml version="1.0"?>\n<net name="m" version="11"><layers>{"".join(layers)}</layers>'
        f"<edges>{''.join(edges)}</edges></net>\n"
    )


@given(calls())
def test_random_models_of_equal_structure_give_one_listing(found: list[Call]) -> None:
    texts = {
        "nnvm:classic": _symbol_of(found, mxnet=False),
        "nnvm:mxnet": _symbol_of(found, mxnet=True),
        "lightnet": _lightnet_of(found),
        "openvino": _openvino_of(found),
    }
    listings = {name: canonical(text, name) for name, text in texts.items()}
    assert len(set(listings.values())) == 1, listings
    (listing,) = set(listings.values())
    assert canonical(listing, "glacier") == listing
    assert sorted(line.split()[1] for line in listing.splitlines()) == sorted(op for op, _ in found)
    models = [engine.lint(text, "model", as_format=name).model for name, text in texts.items()]
    for old, new in pairwise(models):
        assert old is not None
        assert new is not None
        found_differences = differences(old, new)
        assert (found_differences.added, found_differences.removed) == ([], [])
