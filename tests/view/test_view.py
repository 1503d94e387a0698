"""What is drawn: boxes, groups, edges, findings."""

from __future__ import annotations

import json
import random
import re
import time
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rule_cases.texts import onnx

from irlint import api, engine
from irlint.cli.dispatch import guarded
from irlint.rules.base import Model
from irlint.settings import Settings
from irlint.view import ENTRY, EXIT, BoxScene
from irlint.view.compare import draw_difference
from irlint.view.draw import draw
from irlint.view.page import FOLDER, page
from irlint.view.place import place
from irlint.view.svg import CATEGORIES, svg
from tests.cli.test_cli_states import counter
from tests.formats.onnx.build import graph
from tests.formats.openvino import tiny
from tests.view.models import Node as ListedNode
from tests.view.models import chain, named, scene_at, scene_of, symbol, transformer
from tests.view.networks import resnet

GLACIER = Path(__file__).parents[2] / "examples" / "glacier"
EXAMPLES = sorted(
    path
    for folder in ("glacier", "lightnet", "nnvm", "openvino")
    for path in (Path(__file__).parents[2] / "examples" / folder).rglob("*")
    if path.suffix in (".txt", ".json", ".xml") and "irlint" not in path.name
)


def check(scene: BoxScene) -> None:
    """Every edge runs through consecutive rows; no two boxes of an open group overlap, and all are within it."""
    for box in scene.boxes:
        box.open = bool(box.boxes)
    for number, inside in place(scene.root).items():
        group = scene.boxes[number]
        layout = group.layout
        assert layout is not None
        row_of = {item: k for k, row in enumerate(layout.rows) for item in row}
        assert len(row_of) == len(layout.items)
        for _, edge in layout.edges:
            assert [row_of[item] for item in edge] == list(range(row_of[edge[0]], row_of[edge[-1]] + 1))
        placed = place(scene.root)
        rectangles = []
        for k, item in enumerate(layout.items):
            if item >= 0:
                each = group.boxes[item]
                width, height = placed[each.id][:2] if each.id in placed else (each.width, each.height)
                rectangles.append((inside.x[k] - width / 2, inside.y[k], inside.x[k] + width / 2, inside.y[k] + height))
        for left, top, right, bottom in rectangles:
            assert min(left, top) >= 0
            assert right <= inside.width + 1e-6
            assert bottom <= inside.height + 1e-6
        for row in layout.rows:
            across = sorted(inside.x[item] for item in row)
            assert across == [inside.x[item] for item in row]
        rectangles.sort(key=lambda each: (each[1], each[0]))
        for one, other in pairwise(rectangles):
            assert one[1] != other[1] or one[2] < other[0]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_drawn(path: Path) -> None:
    scene = scene_at(path)
    check(scene)
    ElementTree.fromstring(svg(scene))
    json.loads(json.dumps(scene.json()))


def test_random_graphs_are_drawn() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        nodes = [{"op": "null", "name": "data"}]
        for k in range(1, rng.randrange(2, 120)):
            scope = "".join(f"s{rng.randrange(3)}/" for _ in range(rng.randrange(4)))
            sources = [rng.randrange(k) for _ in range(rng.randrange(1, 3))]
            op = "relu" if len(sources) == 1 else "elemwise_add"
            nodes.append({"op": op, "name": f"{scope}n{k}", "inputs": sources})
        scene = scene_of(symbol(nodes))
        check(scene)
        drawn = [box for box in scene.boxes if box.node is not None]
        assert len(drawn) == len({id(box.node) for box in drawn}) == len(nodes)


def test_layers_are_one_box_that_can_be_opened() -> None:
    scene = scene_of(transformer(12))
    repeat = next(box for box in scene.boxes if box.kind == "repeat")
    assert repeat.title == "model/layers.0 … 11  \N{MULTIPLICATION SIGN}12"
    assert [box.title for box in repeat.boxes] == [f"model/layers.{k}" for k in range(12)]
    assert {box.title for box in repeat.boxes[0].boxes} == {"LayerNorm", "attn", "elemwise_add"}


def test_a_value_with_many_far_readers_is_a_line_of_theirs() -> None:
    scene = scene_of(transformer(40))
    far = [line.text for box in scene.boxes for line in box.lines if line.kind == "far"]
    assert set(far) == {"← mask"}
    assert len(far) > 30
    value = next(line.value for box in scene.boxes for line in box.lines if line.kind == "far")
    assert scene.values[value].box.name == "mask"


def test_operators_that_repeat_are_found_without_names() -> None:
    scene = scene_of(chain(["exp", *["relu", "tanh", "sigmoid"] * 12, "abs"]))
    repeat = next(box for box in scene.boxes if box.kind == "repeat")
    assert repeat.title == "relu → tanh → sigmoid  \N{MULTIPLICATION SIGN}12"
    assert [box.title for box in repeat.boxes][:2] == ["1 of 12", "2 of 12"]


def test_a_scope_that_reads_its_own_results_takes_in_what_is_between() -> None:
    nodes = [{"op": "null", "name": "data"}]
    nodes += [{"op": "relu", "name": f"a/n{k}", "inputs": [k]} for k in range(20)]
    nodes.append({"op": "exp", "name": "b/stray", "inputs": [20]})
    nodes += [{"op": "relu", "name": f"a/m{k}", "inputs": [21 + k]} for k in range(10)]
    nodes += [{"op": "tanh", "name": f"c/n{k}", "inputs": [31 + k]} for k in range(20)]
    scene = scene_of(symbol(nodes))
    check(scene)
    stray = named(scene, "b/stray")
    assert stray.parent is not None
    above = []
    box = stray.parent
    while box is not None:
        above.append(box.title)
        box = box.parent
    assert "a" in above


def test_a_scope_that_is_no_group_is_part_of_the_names_of_those_in_it() -> None:
    titles = {box.title for box in scene_of(resnet()).boxes if box.kind == "group"}
    assert {f"stage{stage}/unit{unit}" for stage in range(4) for unit in range(2)} <= titles


def test_what_only_one_box_reads_is_just_above_it() -> None:
    nodes = [{"op": "null", "name": "data"}, {"op": "null", "name": "kernel"}]
    nodes += [{"op": "transpose", "name": "turned", "inputs": [1]}, {"op": "relu", "name": "n0", "inputs": [0]}]
    nodes += [{"op": "relu", "name": f"n{k}", "inputs": [k + 2]} for k in range(1, 9)]
    nodes.append({"op": "broadcast_add", "name": "end", "inputs": [11, 2]})
    scene = scene_of(symbol(nodes))
    inside = place(scene.root)[0]
    top = {box.name: inside.y[k] for k, box in enumerate(scene.root.boxes)}
    assert top["n7"] <= top["turned"] < top["end"]
    assert top["kernel"] < top["turned"]


def test_operators_of_mixed_modules_have_the_category_of_their_name() -> None:
    categories = {box.title: box.category for box in scene_at(GLACIER / "mobilenetv2.txt").boxes}
    assert categories["clip"] == "activation"
    assert categories["nn.bias_add"] == "elementwise"
    assert categories["nn.softmax"] == "norm"
    assert {box.title: box.category for box in scene_of(resnet((1,))).boxes}["Pooling"] == "pool"
    text = graph(
        "b = Greater (x, x)\nz = Where (b, x, x)\ny, i = TopK (z, k)", "float[2,4] x, int64[1] k", "float[2,1] y"
    )
    categories = {box.title: box.category for box in scene_of(text, "a.onnxtxt").boxes}
    assert (categories["Where"], categories["TopK"]) == ("elementwise", "reduce")


def test_states_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    long = "past_key_values.3.valuepresent.3.value"
    path = counter(tmp_path)
    path.write_text(path.read_text().replace('"sum"', f'"{long}"'))
    boxes = scene_at(path).boxes
    (box,) = (box for box in boxes if box.title == "ReadValue")
    assert box.category == "state"
    assert [line.text for line in box.lines if line.kind == "attr"] == ["variable_id = past_key_v…aluepresent.3.value"]
    assert {box.category for box in boxes if box.title == "Assign"} <= {"state"}


def test_operators_on_text_have_a_category(tmp_path: Path) -> None:
    unpack = tiny.call("u", "opset15.StringTensorUnpack", "x")._replace(outputs=3)
    path = tiny.write(tmp_path / "text.xml", tiny.parameter("x", "2", "string"), unpack)
    assert {box.title: box.category for box in scene_at(path).boxes}["StringTensorUnpack"] == "text"
    boxes = scene_of(chain(["RegexSplit", "VocabDecoder", "BPETokenizer"])).boxes
    assert {box.category for box in boxes if box.kind == "node"} == {"text"}


def test_groups_are_named_as_the_file_names_them() -> None:
    nodes: list[ListedNode] = [{"op": "null", "name": "data", "attrs": {"__shape__": "(2, 3)"}}]
    for k in range(30):
        name = f"__module.{'ab'[k % 2]}.rotary_emb/aten::mul/Multiply_{k}"
        nodes.append({"op": "relu", "name": name, "inputs": [max(k - 1, 0)]})
    found = {box.full for box in scene_of(symbol(nodes)).boxes if box.is_group}
    assert any(name.startswith("__module.a.rotary_emb") for name in found)
    assert not any(name.startswith("__module/") for name in found)


def test_a_module_in_a_list_is_named_once() -> None:
    def net(names: str) -> BoxScene:
        nodes: list[ListedNode] = [{"op": "null", "name": "data", "attrs": {"__shape__": "(2, 3)"}}]
        for k in range(30):
            scope = names.format(f"layer{k // 10}", f"layer{k // 10}.{k // 5 % 2}")
            nodes.append({"op": "relu", "name": f"{scope}/relu_{k}", "inputs": [k]})
        return scene_of(symbol(nodes))

    found = {box.title: box.full for box in net("{0}/{1}").boxes if box.is_group}
    assert found["layer1.0"] == "layer1/layer1.0"
    assert {box.title for box in net("{0}/x{1}").boxes if box.is_group} >= {"layer1/xlayer1.0"}


def test_weights_are_lines_and_not_boxes() -> None:
    nodes = [
        {"op": "null", "name": "data", "attrs": {"__shape__": "(1, 3, 8, 8)"}},
        {"op": "null", "name": "w"},
        {"op": "null", "name": "b"},
        {"op": "Convolution", "name": "conv", "inputs": [0, 1, 2], "attrs": {"kernel": "(3, 3)", "num_filter": "4"}},
    ]
    scene = scene_of(symbol(nodes))
    conv = named(scene, "conv")
    times = "\N{MULTIPLICATION SIGN}"
    lines = [line.text for line in conv.lines]
    assert lines == ["kernel = (3, 3)", "num_filter = 4", f"weight  4{times}3{times}3{times}3", "bias  4"]
    assert [box.kind for box in scene.boxes] == ["group", "input", "node", "output"]
    assert scene.values[0].label == f"1{times}3{times}8{times}8"
    assert dict(scene.heat)["FLOPs"][conv.id] == 2 * 4 * 6 * 6 * 27


def test_times_of_hidden_calls_are_those_of_the_boxes_that_show_them() -> None:
    nodes = "[hidden] v = Relu (w)\n[sum] y = Add (x, v)\n"
    model = engine.lint(graph(nodes, "float[2] x", "float[2] y", "float[2] w = {1, 2}"), "a.onnxtxt").model
    assert model is not None
    scene = draw(model, "model", seconds=[0.25, 1.0])
    assert [box.title for box in scene.boxes if box.kind == "node"] == ["Add"]
    assert scene.heat["time"][named(scene, "sum").id] == 1.25


def test_labels_are_within_the_frames_of_their_groups() -> None:
    """Closed groups have a label for what they output, too."""
    nodes = [{"op": "null", "name": "data", "attrs": {"__shape__": "(1000, 1000, 2000, 3000, 4000, 5000)"}}]
    nodes += [{"op": "relu", "name": f"net/b{k // 5}/r{k}", "inputs": [k]} for k in range(30)]
    scene = scene_of(symbol(nodes))
    groups = [box for box in scene.root.walk() if box.is_group and box is not scene.root]
    assert groups
    assert all(box.width / 2 > 6 + 6.6 * len(scene.values[0].label) for box in groups)


def test_findings_are_badges_of_their_boxes() -> None:
    nodes = [
        {"op": "null", "name": "data"},
        {"op": "Activation", "name": "act", "inputs": [0], "attrs": {"act_type": "rleu"}},
        {"op": "rrelu", "name": "odd", "inputs": [1]},
    ]
    scene = scene_of(symbol(nodes))
    assert {scene.boxes[note.box].name for note in scene.findings} == {"act", "odd"}
    assert named(scene, "act").badge == "error"
    assert scene.root.count == len(scene.findings)


def test_a_finding_about_a_declared_type_is_a_badge_of_the_node_that_computes_it() -> None:
    nodes = "[one] h = Relu (x)\n[two] y = Relu (h)"
    for name, outputs, declared in (("one", "float[2,4] y", "float[4,2] h"), ("two", "float[4,2] y", "")):
        scene = scene_of(graph(nodes, "float[2,4] x", outputs, declared), "a.onnxtxt")
        assert [(note.code, scene.boxes[note.box].name) for note in scene.findings] == [("D006", name)]


def test_costs_that_are_unknown_are_not_those_of_the_rest(tmp_path: Path) -> None:
    """The length of the scalar product alone is known: no group may pass for as cheap as that."""
    path, output = tmp_path / "a.onnxtxt", tmp_path / "a.html"
    nodes = "[one] h = Mul (c, c)\n[two] k = Relu (x)\n[three] y = Exp (k)"
    path.write_text(graph(nodes, "float[n,4] x, float[2] c", "float[n,4] y, float[2] h"))
    scene = scene_at(path)
    one, two = named(scene, "one").id, named(scene, "two").id
    assert [(scene.heat[name][one], scene.heat[name][two], scene.heat[name][0]) for name in ("FLOPs", "bytes")] == [
        (2, None, None),
        (8, None, None),
    ]
    assert scene.unknown == {name: f"{name} of 2 of 3 operators are unknown" for name in ("FLOPs", "bytes")}
    assert dict(scene.about)["FLOPs"].endswith(": `--input x=1,4`")
    assert guarded(["graph", str(path), "--input", "x=8,4", "-o", str(output)]) == 0
    data = output.read_text()
    assert '"unknown": {}' in data or '"unknown":{}' in data


def test_a_loop_holds_its_body() -> None:
    body = json.loads(symbol([{"op": "null", "name": "step"}, {"op": "relu", "name": "inner", "inputs": [0]}]))
    nodes = [
        {"op": "null", "name": "data", "attrs": {"__shape__": "(3, 2)"}},
        {"op": "_foreach", "name": "loop", "inputs": [0], "subgraphs": [body], "attrs": {"num_args": "1"}},
    ]
    scene = scene_of(symbol(nodes))
    loop = named(scene, "loop")
    assert [box.kind for box in loop.boxes] == ["body"]
    assert named(scene, "inner").parent is loop.boxes[0]
    check(scene)


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.scripts: list[str] = []
        self.policy = ""
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open = tag == "script"
        if self._open:
            self.scripts.append("")
        if dict(attrs).get("http-equiv"):
            self.policy = str(dict(attrs)["content"])

    def handle_data(self, data: str) -> None:
        if self._open:
            self.scripts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._open = False


def test_names_cannot_leave_the_page() -> None:
    evil = '</script><script>hit=1</script><img src=x onerror="hit=1">${hit=1}\u2028\u202e'
    nodes = [{"op": "null", "name": evil}, {"op": "relu", "name": evil + "/b", "inputs": [0]}]
    scene = scene_of(symbol(nodes), evil)
    text = page(scene)
    found = _Scripts()
    found.feed(text)
    assert len(found.scripts) == 2
    assert json.loads(found.scripts[0])["title"] == evil
    digest = b64encode(sha256(found.scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in found.policy
    assert "'unsafe" not in found.policy
    assert "http" not in found.policy
    ElementTree.fromstring(svg(scene))


def test_a_cycle_is_drawn() -> None:
    nodes = [{"op": "null", "name": "data"}]
    nodes += [{"op": "elemwise_add", "name": f"n{k}", "inputs": [k, (k + 2) % 4]} for k in range(3)]
    scene = scene_of(symbol(nodes))
    assert len(scene.boxes) >= 4
    ElementTree.fromstring(svg(scene))


def test_the_page_names_the_fixes_that_the_command_line_makes(tmp_path: Path) -> None:
    model, output = tmp_path / "a.onnxtxt", tmp_path / "a.html"
    model.write_text(onnx(("int64[2] flat = {-1,256}", "int64[3] flat = {-1,256}")))
    (finding,) = api.lint(model)
    assert guarded(["graph", str(model), "-o", str(output)]) == 0
    assert finding.fix is not None
    assert f'"fix":"{finding.fix.title} (proven)"' in output.read_text().replace(": ", ":")


def test_command_writes_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    model = tmp_path / "m-symbol.json"
    model.write_text(chain(["relu"]))
    assert guarded(["graph", model.name]) == 0
    assert (tmp_path / "m-symbol.json.html").read_text().startswith("<!DOCTYPE html>")
    assert guarded(["graph", str(model)]) == 0
    assert f"<title>{tmp_path.name}/m-symbol.json" in (tmp_path / f"{tmp_path.name}_m-symbol.json.html").read_text()
    assert guarded(["graph", str(model), "-o", "x.svg"]) == 0
    assert (tmp_path / "x.svg").read_text().startswith("<svg")
    assert guarded(["graph", str(model), "-o", "x.pdf"]) == 2
    (tmp_path / "no.json").write_text("[1]")
    assert guarded(["graph", "no.json"]) == 1
    err = capsys.readouterr().err
    assert "Wrote x.svg" in err
    assert "-o x.pdf: expected a name that ends in .html or .svg" in err
    assert "not recognized as a supported model file" in err


def test_no_page_replaces_a_file_that_is_not_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("net.json", "net.txt", "new.json", "a/x/net.json", "b/x/net.json"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(chain(["relu", "tanh"] if name == "new.json" else ["relu"]))
    for given in (["net.json"], ["net.txt"], ["net.json", "new.json"], ["net.txt", "new.json"], ["a/x/net.json"]):
        assert guarded(["graph", *given]) == 0
        assert guarded(["graph", *given]) == 0  # its own page
    pages = {"net.json.html", "net.txt.html", "net.json-new.json.html", "net.txt-new.json.html", "x_net.json.html"}
    assert {path.name for path in tmp_path.glob("*.html")} == pages
    capsys.readouterr()
    assert guarded(["graph", "b/x/net.json"]) == 2
    assert "x_net.json.html exists and is not the page of this model; pass -o" in capsys.readouterr().err
    Path("new.json.html").write_text("mine")
    assert guarded(["graph", "new.json"]) == 2
    assert Path("new.json.html").read_text() == "mine"
    assert guarded(["graph", "new.json", "-o", "new.json.html"]) == 0
    assert guarded(["graph", "new.json"]) == 0


def test_layout_of_many_nodes_is_quick() -> None:
    """A transformer of 2,000 nodes with a shared mask, and 5,000 nodes without any order."""
    rng = random.Random(1)
    nodes = [{"op": "null", "name": "data"}]
    for k in range(1, 5000):
        sources = [max(0, k - rng.choice([1, 1, 2, 5, 30])) for _ in range(rng.randrange(1, 3))]
        op = rng.choice(["relu", "tanh", "exp"]) if len(sources) == 1 else "elemwise_add"
        nodes.append({"op": op, "name": f"n{k}", "inputs": sources})
    for text in (transformer(400), symbol(nodes)):
        best = min(_seconds(text) for _ in range(3))
        assert best < 3, best


def _seconds(text: str) -> float:
    began = time.process_time()
    scene = scene_of(text)
    place(scene.root)
    return time.process_time() - began


def test_entries_and_exits_are_the_first_and_last_rows() -> None:
    scene = scene_of(transformer(12))
    for box in scene.boxes:
        if box.layout is not None:
            for k, row in enumerate(box.layout.rows):
                kinds = {box.layout.items[item] for item in row}
                assert ENTRY not in kinds or (k == 0 and kinds == {ENTRY})
                assert EXIT not in kinds or (k == len(box.layout.rows) - 1 and kinds == {EXIT})


def test_what_is_drawn_as_svg_has_the_colors_of_the_page() -> None:
    script = (FOLDER / "theme.js").read_text()
    found = re.findall(r'(\w+): \["(#\w{6})", "(#\w{6})"\]', script)
    assert {name: (pale, deep) for name, pale, deep in found} == CATEGORIES


def test_titles_are_cut() -> None:
    scene = scene_of(symbol([{"op": "null", "name": "d" * 500}, {"op": "relu" * 100, "name": "b", "inputs": [0]}]))
    assert all(box.width < 600 for box in scene.boxes)
    assert re.search("d…d", named(scene, "d" * 500).name)


def test_differences_are_drawn_in_one_picture() -> None:
    def read(text: str) -> Model:
        found = engine.lint(text, "model.json").model
        assert found is not None
        return found

    def nodes(op: str, shape: str) -> list[dict[str, object]]:
        return [
            {"op": "null", "name": "x", "attrs": {"__shape__": shape}},
            {"op": op, "name": f"one_{op}", "inputs": [0]},
            {"op": "tanh", "name": "b", "inputs": [1]},
        ]

    scene = draw_difference(read(symbol(nodes("relu", "(2, 3)"))), read(symbol(nodes("exp", "(2, 4)"))), "a")
    assert scene.is_diff
    status = {box.name: box.status for box in scene.boxes if box.kind in ("node", "input")}
    assert status["x"] == "changed"
    assert status["b"] in ("follows", "changed")
    assert ("Changed", [("type", "[2, 3] -> [2, 4]")]) in named(scene, "x").details
    removed = [*nodes("relu", "(2, 3)"), {"op": "sin", "name": "side", "inputs": [0]}]
    scene = draw_difference(read(symbol(removed, [2, 3])), read(symbol(nodes("relu", "(2, 3)"))), "a")
    assert named(scene, "side").status == "removed"
    assert {box.status for box in scene.boxes if box.kind == "input"} == {"same"}
    check(scene)
    drawn = svg(scene)
    ElementTree.fromstring(drawn)
    assert re.findall(r'<rect class="box".*? rx="2"/><text .*?>(.*?)</text>', drawn) == ["removed", "unchanged"]


def test_command_draws_differences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, operators in (("a", ["relu"]), ("b", ["relu", "tanh"])):
        (tmp_path / f"{name}.json").write_text(chain(operators))
    output = str(tmp_path / "d.html")
    assert guarded(["graph", str(tmp_path / "a.json"), str(tmp_path / "b.json"), "-o", output]) == 0
    assert '"status":"added"' in Path(output).read_text()
    (tmp_path / "c.json").write_text(chain(["relu", "tanhh"]))
    for old, new, count in (("a", "c", 1), ("c", "a", 0)):
        assert guarded(["graph", *(str(tmp_path / f"{name}.json") for name in (old, new)), "-o", output]) == 0
        scene = json.loads(re.search(r'id="scene">(.*?)</script>', Path(output).read_text())[1])  # type: ignore[index]
        assert [scene["boxes"][note["box"]]["title"] for note in scene["findings"]] == ["tanhh"] * count
    assert guarded(["graph", str(tmp_path / "a.json"), str(tmp_path / "b.json"), "--events", "x", "-o", output]) == 2
    assert "Wrote" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("events", "status", "words"),
    [
        ([(0, "relu", "n0"), (1, "tanh", "n1")], 0, ""),
        ([(0, "relu", None), (1, "tanh", None)], 0, ""),
        ([(0, "relu", "other"), (1, "tanh", "names")], 0, ""),  # the same operators one by one
        ([(0, "relu", "other"), (7, "exp", "n9")], 2, "none of its 2 events is of an operator of"),
        ([(0, "exp", None), (1, "log", None)], 2, "expected events of a run of this model"),
        ([(0, "relu", "n0"), (1, "exp", "n9")], 0, "1 of 2 events are of operators that"),
    ],
)
def test_events_of_another_model(
    events: list[tuple[int, str, str | None]],
    status: int,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a.json").write_text(chain(["relu", "tanh"]))
    rows = [
        {"nodeID": k, "name": op, "inputs": [], "duration": 0.5, "session": "s", **({"node": node} if node else {})}
        for k, op, node in events
    ]
    (tmp_path / "e.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = [str(tmp_path / name) for name in ("a.json", "e.jsonl", "d.html")]
    assert guarded(["graph", given[0], "--events", given[1], "-o", given[2]]) == status
    told = capsys.readouterr().err
    assert words in told
    assert words or "irlint:" not in told


def test_models_of_different_formats_are_compared() -> None:
    models = []
    for path in (path for path in EXAMPLES if path.name in ("mobilenetv2.txt", "digits.json")):
        model = engine.lint_bytes(path.read_bytes(), str(path), Settings(), None, path).model
        assert model is not None
        models.append(model)
    for old, new in (models, models[::-1]):
        scene = draw_difference(old, new, "a")
        assert {box.line for box in scene.boxes if box.status == "removed"} <= {0}
        ElementTree.fromstring(svg(scene))


def test_groups_below_scopes_that_read_each_other_stay() -> None:
    """A mask whose parts read each other is above all layers of an LLM that OpenVINO has converted: these are groups all the same."""
    names = [f"mask/{'ab'[k % 2]}/n{k}" for k in range(12)]
    names += [f"layers.{layer}/{'cd'[k // 5]}/n{layer}_{k}" for layer in range(3) for k in range(10)]
    nodes: list[ListedNode] = [{"op": "null", "name": "data"}]
    nodes += [{"op": "relu", "name": name, "inputs": [k]} for k, name in enumerate(names)]
    found = {box.full for box in scene_of(symbol(nodes)).boxes if box.is_group}
    assert {f"layers.{layer}/{part}" for layer in range(3) for part in "cd"} <= found
    assert not {"mask/a", "mask/b"} <= found


def test_scopes_without_any_order_cost_little() -> None:
    rng = random.Random(2)
    nodes = [{"op": "null", "name": "x"}]
    for k in range(3000):
        name = f"s{rng.randrange(300)}/t{rng.randrange(3)}/n{k}"
        nodes.append({"op": "elemwise_add", "name": name, "inputs": [rng.randrange(max(0, k - 200), k + 1), k]})
    assert _seconds(symbol(nodes)) < 10


def test_names_say_as_much_as_tells_them_apart() -> None:
    """The operator is the title: of `/c1/Conv`, the only node of its scope, the rest is left."""
    nodes = """["/c1/Conv"] a = Conv (x, w)
    ["/c2/Conv"] b = Conv (a, w)
    ["/l/Relu"] c = Relu (b)
    ["/l/Tanh"] d = Tanh (c)
    ["/m/act/Relu"] e = Relu (d)
    ["/Relu_1"] y = Relu (e)"""
    scene = scene_of(graph(nodes, "float[1,1,4,4] x, float[1,1,1,1] w", "float[1,1,4,4] y"), "m.onnxtxt")
    shown = [box.name for box in scene.boxes if box.kind == "node"]
    assert shown == ["c1", "c2", "l/Relu", "Tanh", "act", "Relu_1"]
