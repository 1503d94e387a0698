"""Commands on models with errors: what a runtime sorts or ignores does not stop them, and a refusal names the command that repairs."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from irlint.cli import main
from irlint.findings import Finding, Severity
from irlint.inspection.needs import inferred_doubts
from irlint.records import replace
from irlint.text.base import Span
from irlint.text.safe import width
from tests.cli.helpers import ROOT, Irlint
from tests.formats.onnx.build import binary
from tests.formats.openvino.notation import Net

HEAD = '<ir_version: 8, opset_import: ["": 17]>\n'
SORTED_LATE = f"""{HEAD}g (float[n,3] x) => (float[n,3] y) <float16[3] w = {{1.0, 2.0, 3.0}}> {{
   [add] h = Add (c, w)
   [back] y = Cast <to: int = 1> (h)
   [cast] c = Cast <to: int = 10> (x)
}}
"""
MISSPELT = f"""{HEAD}g (float[2,3] x) => (float[2,3] y) <float[3] weight = {{1.0, 2.0, 3.0}}> {{
   [add] h = Add (x, wieght)
   [relu] y = Relu (h)
}}
"""
CYCLE = f"""{HEAD}g (float[2,3] x) => (float[2,3] y) <float[3] w = {{1.0, 2.0, 3.0}}> {{
   [one] h = Add (k, w)
   [two] k = Add (h, x)
   [relu] y = Relu (k)
}}
"""
SOUND = f"""{HEAD}g (float[2,3] x) => (float[2,3] y) {{
   [relu] y = Relu (x)
}}
"""
_TYPE = {"tensorType": {"elemType": 1, "shape": {"dim": [{"dimValue": "2"}]}}}
NAMELESS = {
    "irVersion": "8", "opsetImport": [{"version": "17"}],
    "graph": {
        "node": [{"input": ["x"], "output": ["y"], "opType": "Relu"}], "input": [{"name": "x", "type": _TYPE}], "output": [{"name": "y", "type": _TYPE}],
    },
}  # fmt: skip
ALL = (
    ["summary"], ["weights"], ["flatten"], ["ngrams"], ["show"], ["show", "--json"], ["run"], ["run", "--shapes-only"], ["graph", "-o", "one.html"],
)  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def on(command: list[str], model: str) -> list[str]:
    return [command[0], model, *command[1:]]


def remedy(err: str) -> list[str]:
    """The command with which a refusal ends."""
    last = err.rstrip("\n").rpartition("\n")[2]
    found = re.search(r"(?:: |^ {4})irlint (.*)", last)
    assert found, err
    return shlex.split(found[1])


@pytest.mark.parametrize("command", ALL, ids=" ".join)
def test_nodes_out_of_order_are_sorted_as_onnxruntime_does(command: list[str], irlint: Irlint) -> None:
    done = irlint(*on(command, written("half.onnxtxt", SORTED_LATE)))
    assert done.status == 0, done.err
    is_noted = command not in (["show"], ["graph", "-o", "one.html"])
    assert ("R002" in done.err and "taken in a valid order" in done.err) == is_noted


def _with(initializers: list[dict[str, object]]) -> str:
    """A model that adds its initializers `w` to 0."""
    tensor = {"tensorType": {"elemType": 1, "shape": {"dim": [{"dimValue": "2"}]}}}
    graph = {
        "name": "g", "node": [{"input": ["z", "w"], "output": ["y"], "opType": "Add"}], "output": [{"name": "y", "type": tensor}],
        "initializer": [{"name": "z", "dims": ["2"], "dataType": 1, "floatData": [0, 0]}, *initializers],
    }  # fmt: skip
    return json.dumps({"irVersion": "8", "opsetImport": [{"version": "17"}], "graph": graph})


ONE = {"name": "w", "dims": ["2"], "dataType": 1, "floatData": [1, 2]}
RAW = "AABAQAAAgEA="  # 3 and 4


@pytest.mark.parametrize(
    ("initializers", "note", "values"),
    [
        ([ONE, {**ONE, "floatData": [3, 4]}], "duplicate initializer 'w'; onnxruntime uses the last one", "[3 4]"),
        ([ONE, {**ONE, "dims": ["1", "2"]}], "", ""),
        ([ONE, {**ONE, "dataType": 6, "floatData": [], "int32Data": [3, 4]}], "", ""),
        ([{**ONE, "rawData": RAW}], "in `float_data` and `raw_data`; onnxruntime reads `raw_data`", "[3 4]"),
        ([{**ONE, "rawData": RAW, "floatData": [1]}], "; onnxruntime reads `raw_data`", "[3 4]"),
        ([{**ONE, "rawData": RAW[:7] + "="}], "", ""),
        ([{**ONE, "int32Data": [3, 4]}], "; onnxruntime reads `float_data`", "[1 2]"),
        ([{**ONE, "floatData": [1], "int32Data": [3, 4]}], "", ""),
    ],
)
def test_what_onnxruntime_takes_of_values_that_are_there_twice(
    initializers: list[dict[str, object]], note: str, values: str, irlint: Irlint
) -> None:
    model = written("twice.json", _with(initializers))
    done = irlint("run", model)
    assert done.status == (0 if note else 1), done
    assert note in done.err
    assert f"y: float32 [2] {values}" in done.out if note else remedy(done.err)
    assert irlint(model).status == 1, "onnx.checker refuses it"


def _model(nodes: list[dict[str, object]], **more: object) -> str:
    """A model whose output is [1 2], with its graph's fields, or others of the model, replaced."""
    shape = {"tensorType": {"elemType": 1, "shape": {"dim": [{"dimValue": "2"}]}}}
    graph = {
        "name": "g",
        "node": nodes,
        "output": [{"name": "y", "type": shape}],
        "initializer": [{**ONE, "name": "o"}],
    }
    parts = {"irVersion": "8", "opsetImport": [{"version": "17"}], "graph": graph}
    for key, value in more.items():
        (graph if key in ("output", "valueInfo", "initializer") else parts)[key] = value
    return json.dumps(parts)


FLOATS = {"floats": [1, 2], "type": "FLOATS"}
RELU = {"input": ["c"], "output": ["y"], "opType": "Relu"}
OF_ONE = {**RELU, "input": ["o"]}


def _constant(*attributes: dict[str, object]) -> str:
    return _model([{"output": ["c"], "opType": "Constant", "name": "k", "attribute": attributes}, RELU], initializer=[])


def _sized(name: str, size: int) -> dict[str, object]:
    return {"name": name, "type": {"tensorType": {"elemType": 1, "shape": {"dim": [{"dimValue": str(size)}]}}}}


def _function(*nodes: dict[str, object]) -> dict[str, object]:
    return {
        "name": "F",
        "domain": "my",
        "input": ["a"],
        "output": ["b"],
        "node": nodes,
        "opsetImport": [{"version": "17"}],
    }


ENTRY = {"key": "k", "value": "v"}
MINE = [{"version": "17"}, {"domain": "my", "version": "1"}]
BOGUS = _function({"input": ["a"], "output": ["b"], "opType": "Bogus"})


@pytest.mark.parametrize(
    ("model", "note"),
    [
        (_constant({"name": "avlue_floats", **FLOATS}), "for Constant 'k'; onnxruntime takes the first attribute"),
        (_constant({"name": "value_floats", **FLOATS}, {"name": "value_int", "i": "3", "type": "INT"}), "got 2; onnxruntime takes the first attribute"),
        (_constant(*[{"name": "value_floats", **each} for each in (FLOATS, {**FLOATS, "floats": [3, 4]})]), "onnxruntime takes the first attribute"),
        (_constant({"name": "value_int", **FLOATS}), "onnxruntime takes the first attribute"),
        (_model([{**OF_ONE, "domain": "ai.onnx"}]), "got `ai.onnx`; onnxruntime takes it for the empty one"),
        (_model([OF_ONE], metadataProps=[ENTRY, ENTRY]), "duplicate metadata key `k`; onnxruntime keeps one of them"),
        (_model([OF_ONE], irVersion="3", opsetImport=[{"version": "8"}]), "IR version 3 requires that; onnxruntime does not require it"),
        (_model([OF_ONE], output=[_sized("y", -3)]), "got -3; its inferred size is 2; onnxruntime takes it for any size"),
        (_model([OF_ONE], initializer=[{**ONE, "name": "o"}, {**ONE, "floatData": [1]}]), "shape [1] would fit; nothing uses it"),
        (_model([OF_ONE], output=[{"name": "y"}]), "output 'y' has no type; onnxruntime infers it"),
        (_model([OF_ONE], opsetImport=MINE, functions=[BOGUS]), "no node calls the function 'F'"),
        (_model([{**OF_ONE, "opType": "F", "domain": "my"}], opsetImport=MINE, functions=[BOGUS]), ""),
    ],
)  # fmt: skip
def test_what_onnxruntime_takes_despite_an_error_is_run(model: str, note: str, irlint: Irlint) -> None:
    written("taken.json", model)
    done = irlint("run", "taken.json")
    assert done.status == (0 if note else 1), done
    assert note in done.err
    assert "[1 2]" in done.out if note else remedy(done.err)
    assert irlint("taken.json").status == 1, "onnx.checker refuses it"


def test_external_data_comes_before_what_the_file_has(irlint: Irlint) -> None:
    Path("w.bin").write_bytes(bytes.fromhex("0000 4040 0000 8040"))
    entries = [{"key": "location", "value": "w.bin"}, {"key": "length", "value": "8"}]
    model = written("both.json", _with([{**ONE, "dataLocation": "EXTERNAL", "externalData": entries}]))
    done = irlint("run", model)
    assert (done.status, "y: float32 [2] [3 4]" in done.out) == (0, True), done
    assert "has external data and `float_data`; onnxruntime reads the external data" in done.err
    Path("w.bin").unlink()
    assert irlint("run", model).status == 1


def test_a_layer_that_openvino_does_not_read_stops_nothing(irlint: Irlint) -> None:
    text = (ROOT / "examples/openvino/digits.xml").read_text(encoding="utf-8")
    start = text.rindex("<layer ")
    result = text[start : text.index("</layer>", start) + len("</layer>")]
    assert 'type="Result"' in result
    shutil.copy(ROOT / "examples/openvino/digits.bin", "digits.bin")
    plain = irlint("run", written("digits.xml", text))
    done = irlint("run", written("digits.xml", text.replace(result, result * 2)))
    assert done.status == plain.status == 0, done.err
    assert done.out.splitlines()[-1] == plain.out.splitlines()[-1], "and there is one output"


def test_a_repair_after_which_shapes_are_doubtful_is_no_remedy_of_a_run() -> None:
    one = Finding("D006", "declared-shape-differs", Severity.WARNING, "", Span(0, 0))
    others = [one, replace(one, code="W001"), replace(one, severity=Severity.INFO)]
    assert inferred_doubts("values", others) == 1
    assert inferred_doubts("calls", others) == 0


def test_notes_are_wrapped_but_for_commands(irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = Path("folder") / ("a long name " * 6).strip()
    deep.mkdir(parents=True)
    monkeypatch.setenv("COLUMNS", "80")
    done = irlint("summary", written(str(deep / "m.onnxtxt"), MISSPELT))
    lines = done.err.splitlines()
    assert (len(lines) > 1, max(map(width, lines)) <= 80, lines[1][:4]) == (True, True, "    "), done.err
    done = irlint("flatten", str(deep / "m.onnxtxt"))
    assert remedy(done.err)[-1] == str(deep / "m.onnxtxt"), "it is on one line"
    monkeypatch.delenv("COLUMNS")
    assert len(irlint("summary", str(deep / "m.onnxtxt")).err.splitlines()) == 1


def test_two_models_of_which_one_is_out_of_order(irlint: Irlint) -> None:
    half = written("half.onnxtxt", SORTED_LATE)
    other = written("other.onnxtxt", SORTED_LATE.replace("Add", "Sub"))
    done = irlint("diff", half, other)
    assert (done.status, "operator: Add -> Sub" in done.out) == (1, True), done
    assert irlint("graph", half, other, "-o", "two.html").status == 0


def test_a_missing_name_of_the_graph_stops_nothing(irlint: Irlint) -> None:
    model = written("model.onnx", json.dumps(NAMELESS))
    for command in ALL:
        done = irlint(*on(command, model))
        assert done.status == 0, (command, done.err)
    assert "T002 the graph has no name; ignored here" in irlint("run", model).err


def test_a_refusal_names_the_command_that_repairs(irlint: Irlint, here: Path) -> None:
    for command in (["flatten"], ["ngrams"], ["run"], ["run", "--shapes-only"]):
        model = written("m.onnxtxt", MISSPELT)
        done = irlint(*on(command, model))
        assert (done.status, done.out) == (1, ""), done
        words = remedy(done.err)
        assert (words[0], words[-1]) == ("--fix", model)
        shutil.copy(model, "copy.onnxtxt")
        irlint(*words[:-1], "copy.onnxtxt")
        assert irlint(*on(command, "copy.onnxtxt")).status == 0
    for command in (["summary"], ["weights"], ["diff", "m.onnxtxt"], ["show", "--json"]):
        done = irlint(*on(command, "m.onnxtxt"))
        assert (done.status, "R001" in done.err, "; ignored here" in done.err) == (0, True, True), done
    unsafe = written("cut.onnxtxt", SORTED_LATE[:150])
    assert remedy(irlint("summary", unsafe).err)[-1] == unsafe
    odd = written("-a b.onnxtxt", MISSPELT)
    assert remedy(irlint("flatten", "--", odd).err)[-1] == f"./{odd}"


def test_a_cycle_stops_what_asks_for_an_order(irlint: Irlint) -> None:
    model = written("cycle.onnxtxt", CYCLE)
    for command in (
        ["summary"],
        ["weights"],
        ["show"],
        ["graph", "-o", "one.svg"],
        ["diff", model],
        ["graph", model, "-o", "two.svg"],
    ):
        assert irlint(*on(command, model)).status == 0, command
    for command in (["flatten"], ["ngrams"], ["run"]):
        done = irlint(*on(command, model))
        assert (done.status, "R004" in done.err, remedy(done.err)[-1]) == (1, True, model)


def test_ngrams_skip_a_bad_file_and_name_it(irlint: Irlint) -> None:
    good, bad = written("good.onnxtxt", SOUND), written("bad.onnxtxt", MISSPELT)
    done = irlint("ngrams", good, bad, "missing.onnx", "-n", "1")
    assert (done.status, "Relu" in done.out) == (1, True), done
    assert "irlint: bad.onnxtxt: skipped\n" in done.err
    assert "irlint: missing.onnx: skipped\n" in done.err
    assert "good.onnxtxt" not in done.err
    done = irlint("ngrams", bad, bad)
    assert (done.status, done.out) == (1, "")


def test_a_name_is_suggested_where_it_fits(irlint: Irlint) -> None:
    assert "; did you mean 'weight'?\n" in irlint("flatten", written("m.onnxtxt", MISSPELT)).err
    odd = MISSPELT.replace("float[3] weight = {1.0, 2.0, 3.0}", "int64[3] weight = {1, 2, 3}")
    assert "did you mean" not in irlint("check", written("n.onnxtxt", odd)).out
    for command in ("flatten", "summary"):
        done = irlint(command, "n.onnxtxt")
        assert "R001 undefined name 'wieght' in the inputs of Add 'add'" in done.err
        assert "did you mean" not in done.err, "the check has dropped it"


def test_a_name_that_no_weight_has_suggests_others(irlint: Irlint) -> None:
    model = written("m.onnxtxt", MISSPELT.replace("wieght", "weight").replace("weight", '"net.fc.Weight"'))
    for pattern, said in (
        ("fc", "no weight is named `fc`; `--name '*fc*'` shows 'net.fc.Weight'"),
        ("weight", "`--name '*Weight*'` shows 'net.fc.Weight'"),
        ("net.fc.Wieght", "did you mean `net.fc.Weight`?"),
        ("zzz", "no weight is named `zzz`\n"),
    ):
        done = irlint("weights", "--name", pattern, model)
        assert (done.status, said in done.err) == (0, True), done.err
    assert irlint("weights", "--name", "*fc*", model).err == ""


def test_long_names_of_weights_are_all_above_their_numbers(irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "model.layers.27.post_attention_layernorm.weight"
    text = f"""{HEAD}g (float[2] x) => (float[2] y) <float[2] w = {{0.5, 1.5}}, float[2] "{long}" = {{0.0, 0.0}}> {{
       h = Add (x, w)
       y = Add (h, "{long}")
    }}
    """
    model = written("m.onnxtxt", text)
    monkeypatch.setenv("COLUMNS", "80")
    names = ["name", "w", long]
    assert irlint("weights", model).out.split("\n")[:6:2] == names
    assert all(line.startswith("  ") for line in irlint("weights", model).out.split("\n")[1:6:2])
    monkeypatch.setenv("COLUMNS", "160")
    assert [line.split()[-1] for line in irlint("weights", model).out.split("\n")[:3]] == names


def test_summaries_keep_names_of_dimensions_and_say_which_option_sets_them(irlint: Irlint) -> None:
    text = f"""{HEAD}g (float[batch,3,height,width] x, int64[1] k) => (float[batch,rows,cols,deep] y, float[left,1000] z) <float w = {{0.5}}, int64[2] s = {{-1, 1000}}> {{
       y = Tile (x, r)
       r = Concat <axis: int = 0> (k, k, k, k)
       v = Reshape (y, s)
       z = Add (v, w)
    }}
    """
    done = irlint("summary", written("m.onnxtxt", text))
    assert "  x float32 [batch, 3, height, width]" in done.out
    assert "  z float32 [left, 1000]" in done.out
    assert "set those of inputs: --input x=1,3,224,224" in done.out
    done = irlint("run", written("m.onnxtxt", text))
    assert "--input x=1,3,224,224" in done.err


def test_numbers_are_written_for_people(irlint: Irlint) -> None:
    text = f"""{HEAD}g (float[1,2000] x, float[2000,2000] w, float[2000] s, float[2000] b) => (float[1,2000] y) {{
       h = MatMul (x, w)
       y = LayerNormalization <epsilon: float = 0.000013> (h, s, b)
    }}
    """
    model = written("m.onnxtxt", text)
    out = irlint("summary", model).out
    assert "FLOPs       8,002,000 (8 million)" in out
    assert "peak memory 15.3 MiB (16,032,000 bytes)" in out
    assert '"epsilon": 1.3e-05' in irlint("show", "--json", model).out
    other = written("other.onnxtxt", text.replace("0.000013", "0.000017"))
    assert "attribute epsilon: 1.3e-05 -> 1.7e-05" in irlint("diff", model, other).out


NCNN = """7767517
5 {blobs}
Input image 0 1 image 0=28 1=28 2=1
Convolution conv 1 1 image conv 0=4 1=3 3=2 4=1 5=1 6=36 9={activation}
{middle}
InnerProduct digits 1 1 pool digits 0=10 1=0 2={size}
Softmax end 1 1 digits end 0=0 1=1
"""


@pytest.mark.parametrize(
    ("change", "commands", "noted"),
    [
        (
            {"middle": "Pooling pool 1 1 conw pool 0=0 1=2 2=2", "blobs": 6},
            ["flatten", "ngrams"],
            "undefined blob 'conw'",
        ),
        ({"activation": "3e0"}, ["run --shapes-only", "run"], "ncnn uses the default 0; so does irlint"),
        ({"middle": "Scale pool 1 1 conv pool 0=7", "size": 7840}, ["flatten", "run --shapes-only"], ""),
        (
            {"middle": "Eltwise pool 2 1 conv image pool 0=1"},
            ["run --shapes-only"],
            "frees it after the first; ignored here",
        ),
        ({"size": 170}, ["run --shapes-only"], "InnerProduct 'digits'"),
    ],
)
def test_where_ncnn_goes_on_commands_do(
    change: dict[str, object], commands: list[str], noted: str, irlint: Irlint
) -> None:
    usual = {"blobs": 5, "activation": 1, "middle": "Pooling pool 1 1 conv pool 0=0 1=2 2=2", "size": 1960}
    model = written("m.param", NCNN.format(**{**usual, **change}))
    for command in commands:
        done = irlint(*on(command.split(), model))
        assert done.status == 0, done
        assert noted in done.err


def test_shapes_need_no_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = Net("x: f32[2,4]\nw: f32[4] = 1 2 3 4\ny: f32[2,4] = opset1.Add(x, w) auto_broadcast=numpy")
    path = tmp_path / "net.xml"
    path.write_text(net.text)
    for data, code in (
        (net.data[:7], "W002"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 16\n", "W003"),
    ):
        path.with_suffix(".bin").write_bytes(data)
        assert main(["run", str(path)]) == 1
        assert f" {code} " in capsys.readouterr().err
        assert main(["run", str(path), "--shapes-only"]) == 0
        done = capsys.readouterr()
        assert f" {code} " in done.err
        assert "float32 [2, 4]  y" in done.out


def test_what_is_left_of_a_model_is_shown_and_said_to_be(here: Path, irlint: Irlint) -> None:
    (here / "cut.onnx").write_bytes(binary(SOUND)[:-3])
    shown = irlint("show", "cut.onnx")
    assert shown.status == 0
    assert "cut.onnx: what could be read is shown: S016 " in shown.err
