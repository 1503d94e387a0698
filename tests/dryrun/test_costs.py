"""FLOPs and memory, by models whose figures can be worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint import load
from irlint.dryrun.costs import costs
from irlint.dryrun.infer import infer
from irlint.dryrun.running.memory import TooMuch, check, plan
from tests.cli.test_cli_run import layer, net

CONV = net(
    [
        layer(0, "x", "Parameter", 'element_type="f32" shape="1,3,8,8"', [], "1,3,8,8"),
        layer(1, "w", "Const", 'element_type="f32" shape="4,3,3,3" offset="0" size="432"', [], "4,3,3,3"),
        layer(
            2, "conv", "Convolution", 'strides="1,1" dilations="1,1" pads_begin="1,1" pads_end="1,1" auto_pad="explicit"',
            ["1,3,8,8", "4,3,3,3"], "1,4,8,8",
        ),
        layer(3, "relu", "ReLU", "", ["1,4,8,8"], "1,4,8,8"),
        layer(4, "sum", "Add", "", ["1,4,8,8", "1,4,8,8"], "1,4,8,8"),
        layer(5, "result", "Result", "", ["1,4,8,8"], None),
    ],
    [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 3, 0), (2, 2, 4, 0), (3, 1, 4, 1), (4, 2, 5, 0)],
)  # fmt: skip


def test_figures_of_a_small_model(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(CONV)
    graph = load(tmp_path / "m.xml").graph
    types = infer(graph, graph.mapping)
    space = 4 * 8 * 8
    found = costs(graph, graph.mapping, types)
    assert (found.flops, found.unknown) == (space * 3 * 9 * 2 + space + space, 0)
    assert found.peak_bytes == 3 * space * 4  # what Add reads, and what it gives
    memory = plan(graph, graph.mapping, types)
    assert memory.weights == 432
    assert memory.node is not None
    assert memory.node.name == "sum"


def test_a_value_too_large_is_named(tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(CONV)
    graph = load(tmp_path / "m.xml").graph
    with pytest.raises(TooMuch, match="Convolution 'conv' needs 1,024 bytes"):
        check(graph, graph.mapping, infer(graph, graph.mapping), 1000)
