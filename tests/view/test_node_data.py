"""Node data of Model Explorer: what is written for it, and what others wrote for it shown over the graph."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from irlint import engine
from irlint.cli.dispatch import guarded
from irlint.formats.onnx.remarks import OnnxRemarks
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.view import BoxScene
from irlint.view.draw import draw
from irlint.view.node_data import OverlayError, read, written
from tests.formats.onnx.build import BRANCHES, TINY, binary, graph
from tests.view.conftest import Open, picture
from tests.view.models import named
from tests.view.scopes import layers

NODES = """
y0 = Relu (x)
[act] y1 = Neg (y0)
y2 = Abs (y1)
[act] y = Exp (y2)
"""


def drawn(data: bytes | str) -> tuple[BoxScene, Model]:
    data = binary(data) if isinstance(data, str) else data
    result = engine.lint_bytes(data, "a.onnx", Settings())
    assert result.model is not None
    return draw(result.model, "a.onnx", result.findings, result.lines), result.model


def names(model: Model) -> dict[str, str]:
    ids = OnnxRemarks(model).viewer_ids()
    calls = [(graph, node) for graph in model.graph.walk() for node in graph.nodes if node.kind == "call"]
    return {node.op: f"{ids[id(graph), node.index].graph}: {ids[id(graph), node.index].node}" for graph, node in calls}


def test_nodes_have_the_names_that_the_adapter_for_onnx_gives_them() -> None:
    """Without a name, and with one that is taken; in the branches of an If (model-explorer-onnx 0.4.2)."""
    _, model = drawn(graph(NODES, "float[2] x", "float[2] y"))
    assert names(model) == {"Relu": "g: node", "Neg": "g: act", "Abs": "g: node_1", "Exp": "g: act_1"}
    _, model = drawn(BRANCHES)
    assert names(model) == {"If": "g: node", "Relu": "g: node/then_branch/node", "Add": "g: node/else_branch/node"}


def test_the_adapter_itself_agrees(tmp_path: Path) -> None:
    adapter = pytest.importorskip("model_explorer_onnx.main")
    for text in (graph(NODES, "float[2] x", "float[2] y"), BRANCHES, TINY):
        path = tmp_path / "a.onnx"
        path.write_bytes(binary(text))
        _, model = drawn(text)
        theirs = {
            f"{each.id}: {node.id}"
            for each in adapter.ONNXAdapter().convert(str(path), {})["graphs"]
            for node in each.nodes
        }
        assert set(names(model).values()) <= theirs


def test_findings_and_quantities_are_written() -> None:
    scene, model = drawn(TINY.replace("alpha: float", "alfa: float"))
    scene.heat["time"] = [0.002 if box.title == "MatMul" else None for box in scene.boxes]
    sets = written(scene, model)
    assert set(sets) == {"", "FLOPs", "bytes", "time"}
    assert sets["FLOPs"]["g"]["results"]["mm"] == {"value": 48}
    assert [stop["stop"] for stop in sets["FLOPs"]["g"]["gradient"]] == [0, 1]
    labels = sets[""]["g"]["results"]
    assert labels["mm"] == {"value": "48 FLOPs, 24 B, 2 ms", "bgColor": "#f06e1e"}
    assert labels["node"]["value"].startswith("1 error")
    assert labels["node"]["bgColor"] == "#cf222e"


def overlaid(data: object, source: bytes | str = TINY) -> tuple[dict[str, Any], int, BoxScene]:
    scene, model = drawn(source)
    overlays, unknown = read(json.dumps(data).encode(), "theirs.json", scene, model)
    titles = {scene.boxes[box].title: value for overlay in overlays for box, value, *_ in overlay.items}
    scene.overlays = overlays
    return titles, unknown, scene


@pytest.mark.parametrize("data", [binary(TINY), layers(4)], ids=["tiny", "layers"])
def test_what_was_written_is_read(data: bytes) -> None:
    scene, model = drawn(data)
    for name, own in written(scene, model).items():
        overlays, unknown = read(json.dumps(own).encode(), name, scene, model)
        assert unknown == 0
        assert len(overlays[0].items) == len(own["g"]["results"])


@pytest.mark.parametrize("graph_name", [None, "g", "unheard of"])
def test_nodes_are_found_by_name_or_by_what_they_output(graph_name: str | None) -> None:
    results = {"mm": {"value": 3}, "y": {"value": "slow", "bgColor": "red"}, "gone": {"value": 1}}
    data: dict[str, Any] = {"results": results, "name": "measured"}
    titles, unknown, scene = overlaid(data if graph_name is None else {graph_name: data})
    assert titles == {"MatMul": 3, "LeakyRelu": "slow"}
    assert unknown == 1
    assert scene.overlays[0].name == "measured"


@pytest.mark.parametrize(
    "data", [b"", b"[", b"[]", b"{}", b"3", b'{"a": 1}', b'{"results": []}', b"[" * 100_000, b"\xff"]
)
def test_other_files_are_refused(data: bytes) -> None:
    scene, model = drawn(TINY)
    with pytest.raises(OverlayError):
        read(data, "a", scene, model)


def test_hostile_values_are_bounded() -> None:
    """Numbers that JSON has no words for, values of any kind and length, colors that are none, thousands of steps."""
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    values: list[Any] = [float("nan"), float("inf"), 10**4000, True, None, deep, "x" * 10**6, "\u202e\n", {"a": 1}]
    for value in values:
        steps = [{"value": value, "bgColor": "red"}] * 1000 + [7]
        titles, _, scene = overlaid({"results": {"mm": {"value": value, "bgColor": "x" * 1000}}, "thresholds": steps})
        said = titles["MatMul"]
        assert said is None or isinstance(said, int | float) or (len(said) <= 1600 and said.isprintable())
        assert scene.overlays[0].items[0][2:] == (None, None)
        assert len(scene.overlays[0].thresholds) <= 64
        json.dumps(scene.json(), allow_nan=False)


def test_many_entries_are_read_in_linear_time() -> None:
    scene, model = drawn(layers(20))
    data = json.dumps({"results": {f"node_v{k}": {"value": k, "bgColor": "#ff0000"} for k in range(200_000)}}).encode()
    began = time.process_time()
    overlays, unknown = read(data, "a", scene, model)
    assert time.process_time() - began < 3
    assert len(overlays[0].items) == 180
    assert unknown == 200_000 - 180


def test_the_command_writes_and_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.onnx").write_bytes(binary(TINY))
    assert guarded(["graph", "a.onnx", "--node-data", "nd.json"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.onnx", "nd.bytes.json", "nd.flops.json", "nd.json"]
    assert json.loads(Path("nd.flops.json").read_text())["g"]["results"]["mm"] == {"value": 48}
    assert guarded(["graph", "a.onnx", "--overlay", "nd.flops.json"]) == 0
    assert '"name":"nd.flops.json"' in Path("a.onnx.html").read_text()
    Path("odd.json").write_text('{"results": {"mm": 1, "far": 2}}')
    assert guarded(["graph", "a.onnx", "--overlay", "odd.json"]) == 0
    assert "1 entry for nodes that this graph does not show" in capsys.readouterr().err
    for arguments in (
        ["a.onnx", "--overlay", "a.onnx"], ["a.onnx", "--overlay", "none.json"], ["a.onnx", "--node-data", "nd.txt"],
        ["a.onnx", "a.onnx", "--node-data", "nd.json"], ["a.onnx", "--overlay", "nd.json", "-o", "a.svg"],
        ["a.onnx", "--node-data", "nd.json", "--open"],
    ):  # fmt: skip
        assert guarded(["graph", *arguments]) == 2


def test_overlays_color_and_label_boxes(opened: Open) -> None:
    evil = "red;}</style><script>window.hit=1</script>"
    results = {
        **{f"node_v{k}": {"value": k} for k in range(9)},
        **{f"node_v{k}": {"value": "slow", "bgColor": "rgb(200 30 30 / 1)"} for k in range(9, 18)},
        "node_v18": {"value": 5, "bgColor": evil}, "node_v19": {"value": 5, "bgColor": "expression(1)"},
        "node_v20": {"value": 5, "bgColor": "rebeccapurple", "textColor": "white"},
    }  # fmt: skip
    gradient = [{"stop": 0, "bgColor": "white"}, {"stop": 1, "bgColor": "#0000ff"}]
    _, _, scene = overlaid({"results": results, "gradient": gradient}, layers(5))
    for dark in (False, True):
        page = opened(scene, dark)
        mark = (
            "(name) => irlintView.marks.get(irlintView.scene.boxes.findIndex((box) => (box.full ?? box.name) === name))"
        )
        marks = {k: page.evaluate(mark, f"node_v{k}") for k in (0, 4, 8, 9, 18, 19, 20)}
        assert [marks[k]["color"] for k in (0, 4, 8, 9)] == [
            *("rgb(255,255,255)", "rgb(128,128,255)", "rgb(0,0,255)", "rgb(200,30,30)")
        ]
        assert [marks[k]["color"] for k in (18, 19)] == ["rgb(96,96,255)"] * 2
        assert (marks[20]["color"], marks[20]["ink"]) == ("rgb(102,51,153)", "rgb(255,255,255)")
        assert [marks[k]["label"] for k in (4, 9)] == ["4", "slow"]
        assert "theirs.json" in page.inner_text(".panel h3")
        svg = page.evaluate("svgOf(irlintView)")
        assert "rgb(200,30,30)" in svg
        assert "script" not in svg
        picture(page, f"overlay-{'dark' if dark else 'light'}")
        page.evaluate("irlintView.toggleAll(false)")
        page.evaluate("irlintView.toggle(irlintView.scene.boxes.findIndex((box) => box.kind === 'repeat'))")
        group = page.evaluate(
            "irlintView.marks.get(irlintView.scene.boxes.findIndex((box) => box.full === 'model.layers.0'))"
        )
        assert (group["label"], group["color"]) == ("most: 8", "rgb(0,0,255)")
        page.select_option("select", "")
        assert page.evaluate("irlintView.marks === undefined")
        assert page.evaluate("window.hit") is None


def test_the_panel_says_the_value_of_an_overlay(opened: Open) -> None:
    _, _, scene = overlaid({"results": {"mm": {"value": "spills to main memory"}}})
    page = opened(scene)
    page.evaluate(f"irlintView.select({named(scene, 'mm').id})")
    assert "spills to main memory" in page.inner_text(".panel")
