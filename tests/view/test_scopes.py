"""Modules that nodes come from: groups, labels, what the side panel says of them, and metadata of strangers."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from irlint import engine
from irlint.formats import by_name
from irlint.formats.onnx.remarks import OnnxRemarks
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.view import Box, BoxScene
from irlint.view.draw import draw
from tests.formats.onnx.build import TINY, tree
from tests.view import models
from tests.view.conftest import Open, picture
from tests.view.models import Node, named, scene_at, symbol
from tests.view.scopes import layers, llama, props
from tests.view.test_pictures import check

TIMES = "\N{MULTIPLICATION SIGN}"


def model_of(data: bytes) -> Model:
    model = engine.lint_bytes(data, "a.onnx", Settings()).model
    assert model is not None
    return model


def scene_of(data: bytes) -> BoxScene:
    return draw(model_of(data), "a.onnx")


def groups(scene: BoxScene) -> dict[str, Box]:
    return {box.full: box for box in scene.boxes if box.is_group and box.full}


def section(box: Box, title: str) -> dict[str, str]:
    return dict(next((rows for name, rows in box.details if name == title), []))


def test_modules_are_groups_with_their_names_and_classes() -> None:
    scene = scene_of(layers(28))
    repeat = next(box for box in scene.boxes if box.kind == "repeat")
    assert repeat.title == f"model.layers.0 … 27  {TIMES}28"
    assert [box.title for box in repeat.boxes] == [f"model.layers.{k}" for k in range(28)]
    assert [(box.title, box.name) for box in repeat.boxes[3].boxes if box.is_group] == [
        ("norm", "LlamaRMSNorm, 4 nodes"),
        ("mlp", "LlamaMLP, 4 nodes"),
    ]
    assert repeat.boxes[3].name == "LlamaDecoderLayer, 9 nodes"
    assert section(groups(scene)["model.layers.3.mlp"], "") == {
        "module": "model.layers.3.mlp",
        "class": "llama.LlamaMLP",
        "nodes": "4",
    }
    assert section(groups(scene)["model.layers.3.mlp"], "Operators")["MatMul"] == "2"
    assert "up: node_v4" in {box.name for box in scene.boxes}


def test_layers_that_repeat_are_opened_all_or_none() -> None:
    for count in (6, 28):
        repeat = next(box for box in scene_of(layers(count)).boxes if box.kind == "repeat")
        assert len({box.open for box in repeat.boxes}) == 1


@pytest.mark.parametrize("kept", ["pkg.torch.onnx.name_scopes", "namespace"])
def test_either_form_of_scopes_is_enough(kept: str) -> None:
    document = tree(TINY)
    entries = [each for each in props("model.layers.0", "mlp.up", "c", "") if each["key"] == kept]
    document["graph"]["node"][0]["metadata_props"] = entries
    model = model_of(whole(MODEL, document))
    node = next(node for node in model.graph.nodes if node.op == "MatMul")
    modules = OnnxRemarks(model).modules(model.graph, node)
    assert modules is not None
    assert [module.name for module in modules] == [
        *("model", "model.layers.0", "model.layers.0.mlp", "model.layers.0.mlp.up")
    ]


def test_a_namespace_of_names_alone_is_all_scopes() -> None:
    document = tree(TINY)
    document["graph"]["node"][0]["metadata_props"] = [{"key": "namespace", "value": "encoder/block0"}]
    model = model_of(whole(MODEL, document))
    node = next(node for node in model.graph.nodes if node.op == "MatMul")
    assert [module.name for module in OnnxRemarks(model).modules(model.graph, node) or ()] == [
        *("encoder", "encoder/block0")
    ]


def test_the_panel_says_all_that_the_file_says() -> None:
    scene = scene_of(layers(3))
    first, matmul = named(scene, "node_v0"), named(scene, "node_v4")
    assert section(first, "Metadata")["documentation"] == "the first of all"
    assert section(matmul, "Modules")["model.layers.0.mlp.up"] == "torch.nn.Linear"
    said = section(matmul, "Metadata")
    assert said["v4"] == "aten.x"
    assert said["pkg.torch.onnx.stack_trace"].splitlines()[1] == "    return self.down(self.act(x))"
    assert r"\u{202e}" in said["pkg.torch.onnx.stack_trace"]
    assert r"\x1b" in said["pkg.torch.onnx.stack_trace"]
    assert section(matmul, "Metadata of 'w'") == {"kind": "PARAMETER"}
    assert section(named(scene, "x"), "Metadata of 'x'") == {"documentation": "tokens, embedded"}
    assert dict(scene.details)["metadata_props"] == [("license", "mine")]
    assert dict(scene.details)["Metadata of the graph"] == [("signature", "# inputs\nx: USER_INPUT")]


def test_hostile_metadata_costs_little() -> None:
    """Long lists, quotes that never end, thousands of entries, traces of megabytes: bounded, and in linear time."""
    model = tree(TINY)
    node = model["graph"]["node"][0]
    entries = [{"key": f"k{k}", "value": "v"} for k in range(5000)]
    deep = str(["m" * k for k in range(3000)])
    for value in ("'" * 16_000, "'\\" * 8_000, "['" + "\\'" * 7_000, deep, deep[:16_000], "/".join("ab" * 8000)):
        scopes = [{"key": key, "value": value} for key in ("pkg.torch.onnx.name_scopes", "namespace")]
        node["metadata_props"] = [*scopes, {"key": "long", "value": "x" * 5_000_000}, *entries]
        found = model_of(whole(MODEL, model))
        began = time.process_time()
        scene = draw(found, "a.onnx")
        assert time.process_time() - began < 1
        panel = scene.boxes[next(box.id for box in scene.boxes if box.title == "MatMul")]
        assert len(section(panel, "Metadata")) <= 202
        assert len(section(panel, "Metadata")["long"]) < 5000
        modules = OnnxRemarks(found).modules(found.graph, next(n for n in found.graph.nodes if n.op == "MatMul"))
        assert len(modules or ()) <= 64


def test_names_of_many_scopes_cost_little() -> None:
    """Each scope has its whole name, so that there are bounds on how many there are and how long they get."""
    for name in ("a/" * 100_000, "/".join("b" * 2000 for _ in range(60))):
        nodes: list[Node] = [{"op": "null", "name": "data"}]
        nodes += [{"op": "relu", "name": f"{name}{k}", "inputs": [k]} for k in range(40)]
        began = time.process_time()
        scene = models.scene_of(symbol(nodes))
        assert time.process_time() - began < 8
        assert sum(len(box.full) for box in scene.boxes if box.is_group) < 100_000
    nodes = [{"op": "null", "name": "data"}]
    nodes += [{"op": "relu", "name": f"{'c/' * 200}{k}", "inputs": [k]} for k in range(40)]
    assert max(len(list(box.around())) for box in models.scene_of(symbol(nodes)).boxes) <= 66


def test_calls_of_which_pytorch_knows_no_module_are_in_none() -> None:
    document = tree(TINY)
    names = ["", "_empty_nn_module_stack_from_metadata_hook", "add"]
    document["graph"]["node"][0]["metadata_props"] = [{"key": "pkg.torch.onnx.name_scopes", "value": str(names)}]
    model = model_of(whole(MODEL, document))
    node = next(node for node in model.graph.nodes if node.op == "MatMul")
    assert OnnxRemarks(model).modules(model.graph, node) == ()


def test_a_page_has_room_for_so_much_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irlint.view.annotate.LETTERS", 3000)
    scene = scene_of(layers(6))
    assert section(named(scene, "node_v4"), "Modules")
    assert section(named(scene, "node_v50"), "Metadata") == {"not shown": "this page has no room for more metadata"}


def test_formats_without_remarks_say_nothing() -> None:
    format_ = by_name("nnvm")
    assert format_ is not None
    model = Model.__new__(Model)
    assert format_.remarks(model).modules(None, None) is None  # type: ignore[arg-type]


def test_metadata_runs_nothing(opened: Open) -> None:
    scene = scene_of(layers(6))
    page = opened(scene)
    page.evaluate(f"irlintView.select({named(scene, 'node_v4').id}, true)")
    assert "<script>window.hit=1</script>" in page.inner_text(".panel")
    assert page.query_selector(".panel script") is None
    page.evaluate(
        "irlintView.select(irlintView.scene.boxes.findIndex((box) => box.full === 'model.layers.2.mlp'), true)"
    )
    assert "llama.LlamaMLP" in page.inner_text(".panel")
    assert page.evaluate("window.hit") is None


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return llama(28, tmp_path_factory.mktemp("llama"))


@pytest.mark.timeout(900)
def test_a_llama_of_today(exported: Path) -> None:
    scene = scene_at(exported)
    repeat = next(box for box in scene.boxes if box.kind == "repeat")
    assert repeat.title == f"model.layers.0 … 27  {TIMES}28"
    assert {box.name.partition(",")[0] for box in repeat.boxes} == {"LlamaDecoderLayer"}
    assert [box.title for box in repeat.boxes[0].boxes if box.is_group] == [
        *("input_layernorm", "self_attn", "post_attention_layernorm", "mlp")
    ]
    assert not any(box.title.endswith("of 28") for box in scene.boxes)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pictures_of_a_llama(exported: Path, dark: bool, opened: Open) -> None:
    suffix = "dark" if dark else "light"
    page = opened(scene_at(exported), dark, width=1400, height=900)
    check(page)
    picture(page, f"llama-folded-{suffix}")
    page.keyboard.press("f")
    page.evaluate(
        """() => {
      const { scene } = irlintView, full = (name) => scene.boxes.findIndex((box) => box.full === name);
      for (const name of ["model.layers.1", "model.layers.1.self_attn"]) scene.boxes[full(name)].open = true;
      irlintView.changed();
      const hit = search(scene, "model.layers.1.self_attn.q_proj")[0];
      irlintView.select(hit.box, true);
    }"""
    )
    check(page)
    assert "model.layers.1.self_attn.q_proj" in page.inner_text(".panel")
    assert "modeling_llama.py" in page.inner_text(".panel")
    picture(page, f"llama-open-{suffix}")
    page.evaluate("irlintView.toggleAll(true)")
    picture(page, f"llama-all-{suffix}")
    page.evaluate("(irlintView.fit(), irlintView.fit())")
    picture(page, f"llama-whole-{suffix}")
