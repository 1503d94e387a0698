"""Element types that people are shown: those of the parameter file, and those that follow as MXNet infers them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from irlint import engine
from irlint.cli import main
from irlint.formats.nnvm.navigation import NAVIGATION

from .mxnet_nested import call, graph, symbol, variable
from .test_mxnet_weights import listed, record

TEXT = symbol(
    [
        variable("data"),
        variable("w"),
        variable("b"),
        call("FullyConnected", "fc", 0, 1, 2, num_hidden=4),
        variable("label"),
        call("SoftmaxOutput", "out", 3, 4),
    ],
    [[5, 0, 0]],
)


def shown(path: Path) -> dict[str, str | None]:
    """What a hover says of every node."""
    result = engine.lint(path.read_text(), path.name, path=path)
    assert result.model is not None
    graph = result.model.graph
    return {node.name: NAVIGATION.types(result.model, graph, node)[0].dtype for node in graph.nodes}


def test_types_follow_from_the_parameter_file(tmp_path: Path) -> None:
    path = tmp_path / "net-symbol.json"
    path.write_text(TEXT)
    assert set(shown(path).values()) == {"float32"}  # as MXNet assumes where nothing is declared
    (tmp_path / "net-0000.params").write_bytes(listed([record(2, np.ones((4, 3), np.float16))], ["arg:w"]))
    assert set(shown(path).values()) == {"float16"}


def test_types_follow_from_the_data(tmp_path: Path, capsys: object) -> None:
    path = tmp_path / "net-symbol.json"
    path.write_text(TEXT)
    assert main(["run", str(path), "--shapes-only", "--all", "--input", "data=2,3:float16"]) == 0
    said = capsys.readouterr().out  # type: ignore[attr-defined]
    rows = {row[-1]: row[1:-1] for row in map(str.split, said.splitlines()[1:])}
    assert {name: row[0] for name, row in rows.items()} == dict.fromkeys(rows, "float16")
    assert rows["w"][1:] == ["[4,", "3]"]
    assert rows["label"][1:] == ["[2]"]


@pytest.mark.parametrize(("op", "attrs"), [("resize", {"size": "(1,)"}), ("__lshift_scalar__", {"scalar": "inf"})])
def test_a_value_that_makes_no_sense_leaves_types_open(op: str, attrs: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    path.write_text(
        json.dumps({**graph([variable("x"), call(op, "y", 0, **attrs)], [[1, 0, 0]]), "node_row_ptr": [0, 1, 2]})
    )
    assert main(["run", str(path), "--shapes-only"]) == 0
