"""Which grade a finding has: what MXNet 1.9.1 and TVM's executor do with the file decides."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from irlint import engine
from irlint.findings import Finding
from irlint.settings import Settings

PEDANTIC = Settings(pedantic=True)


def variable(name: str, **attrs: str) -> dict[str, Any]:
    return {"op": "null", "name": name, **({"attrs": attrs} if attrs else {}), "inputs": []}


def node(op: str, name: str, inputs: list[int], **attrs: str) -> dict[str, Any]:
    return {"op": op, "name": name, **({"attrs": attrs} if attrs else {}), "inputs": [[i, 0, 0] for i in inputs]}


def dense(name: str, inputs: list[int]) -> dict[str, Any]:
    return node("FullyConnected", name, inputs, num_hidden="4", no_bias="True")


def graph(nodes: list[dict[str, Any]], *heads: int) -> dict[str, Any]:
    return {
        "nodes": nodes,
        "arg_nodes": [i for i, n in enumerate(nodes) if n["op"] == "null"],
        "heads": [[i, 0, 0] for i in heads or (len(nodes) - 1,)],
        "attrs": {"mxnet_version": ["int", 10901]},
    }


def found(model: dict[str, Any] | str, settings: Settings = PEDANTIC) -> list[Finding]:
    text = model if isinstance(model, str) else json.dumps(model)
    return engine.lint_bytes(text.encode("utf-8", "surrogateescape"), "model-symbol.json", settings).findings


def grades(model: dict[str, Any] | str, settings: Settings = PEDANTIC) -> list[str]:
    return sorted(f"{f.severity} {f.code}" for f in found(model, settings))


DATA, WEIGHT = variable("data"), variable("w")


@pytest.mark.parametrize(
    ("nodes", "heads", "expected"),
    [
        # the same numbers as with other names; unrolled loops are full of them
        ([DATA, WEIGHT, dense("a", [0, 1]), node("relu", "a", [2]), node("tanh", "z", [3])], [4], ["pedantic G003"]),
        ([DATA, WEIGHT, dense("w", [0, 1])], [2], []),
        # output_dict, get_internals and saved output names know only one of them
        ([DATA, WEIGHT, dense("a", [0, 1]), node("relu", "a", [2])], [2, 3], ["pedantic G003", "warning G003"]),
        # bind fails
        ([DATA, WEIGHT, dense("a", [0, 1]), WEIGHT, dense("b", [2, 3])], [4], ["error R005"]),
        # it is dropped on load
        ([DATA, WEIGHT, WEIGHT, dense("a", [0, 1])], [3], ["warning G001"]),
        ([DATA, WEIGHT, dense("", [0, 1]), node("relu", "z", [2])], [3], ["pedantic G004"]),
        ([DATA, variable(""), dense("a", [0, 1])], [2], ["warning G004"]),
        (
            [DATA, variable(""), dense("a", [0, 1]), variable(""), dense("b", [2, 3])],
            [4],
            ["error R005", "warning G004"],
        ),
    ],
)
def test_names(nodes: list[dict[str, Any]], heads: list[int], expected: list[str]) -> None:
    assert grades(graph(nodes, *heads)) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["g", "b", "m", "v"], []),
        (["g", "b", "m", "g"], ["warning R005"]),  # binds: arguments and states are kept apart
        (["g", "b", "m", "m"], ["error R005"]),
        (["g", "g", "m", "v"], ["error R005"]),
    ],
)
def test_names_of_states(names: list[str], expected: list[str]) -> None:
    nodes = [DATA, *map(variable, names), node("BatchNorm", "bn", [0, 1, 2, 3, 4])]
    assert grades(graph(nodes)) == expected


@pytest.mark.parametrize("text", ["true", "false", "1", "0", "TRUE", "fALSE"])
def test_booleans_that_mxnet_reads_as_meant(text: str) -> None:
    model = graph([DATA, node("SliceChannel", "s", [0], num_outputs="1", squeeze_axis=text)])
    assert grades(model) == ["pedantic A004"]
    assert grades(model, Settings()) == []


def test_a_misspelt_attribute_stays_an_error() -> None:
    assert grades(graph([DATA, node("SliceChannel", "s", [0], num_outputs="1", sqeeze_axis="1")])) == ["error A001"]


@pytest.mark.parametrize("text", ["garbage", "(2, x)", "", "(2, 3", "(2.5, 3)", "(None, 3)"])
def test_a_shape_that_cannot_be_read(text: str) -> None:
    """mxnet 1.9.1 never looks at it where the caller gives a shape, as callers do for data but not for weights."""
    fed = "error A003" if text in ("(2, 3", "(2.5, 3)") else "warning A003"  # a tuple but for a sign was once read
    assert grades(graph([variable("data", __shape__=text), WEIGHT, dense("a", [0, 1])])) == [fed]
    assert grades(graph([DATA, variable("w", __shape__=text), dense("a", [0, 1])])) == ["error A003"]


@pytest.mark.parametrize(
    "nodes",
    [
        [DATA, WEIGHT, dense("caf\udce9", [0, 1]), node("relu", "z", [2])],
        [DATA, WEIGHT, dense("a", [0, 1]), node("relu", "caf\udce9", [2])],
        [DATA, variable("caf\udce9"), dense("a", [0, 1])],
        [
            DATA,
            WEIGHT,
            {**dense("a", [0, 1]), "attrs": {"num_hidden": "4", "no_bias": "True", "__note__": "caf\udce9"}},
        ],
        [variable("data", __note__="caf\udce9"), WEIGHT, dense("a", [0, 1])],
    ],
)
def test_bytes_that_are_not_utf_8(nodes: list[dict[str, Any]]) -> None:
    """mxnet 1.9.1 loads, infers and runs these."""
    assert grades(json.dumps(graph(nodes), ensure_ascii=False)) == ["warning S005"]


def test_most_real_files_print_nothing(corpus: Path) -> None:
    """At least 90 % of the files that their loader takes; what remains is pedantic."""
    index = json.loads((corpus / "nnvm" / "index.json").read_text())
    taken = [
        corpus / row["file"]
        for row in index
        if row["era"].startswith(("tvm", "nnvm")) or (row.get("mxnet_1_9_1") or {}).get("verdict", "").startswith("ok")
    ]
    silent = [path for path in taken if not engine.lint_bytes(path.read_bytes(), path.name).findings]
    assert len(silent) >= 0.9 * len(taken)


def test_pedantic_findings_of_real_files(corpus: Path) -> None:
    count: Counter[str] = Counter()
    for path in sorted((corpus / "nnvm").glob("*.json")):
        if path.name != "index.json":
            count.update(
                f"{f.severity} {f.code}" for f in engine.lint_bytes(path.read_bytes(), path.name, PEDANTIC).findings
            )
    assert count == {"error O001": 24, "pedantic A004": 52, "pedantic G003": 202, "pedantic G004": 27}
