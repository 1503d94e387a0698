"""irlint breaking: reports, exit status and baselines of two versions of a model."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from irlint.formats.onnx.samples import ONNX
from irlint.formats.openvino.samples import OPENVINO
from tests.formats.onnx.build import binary

from .helpers import Done, Irlint

SHORT = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2,3] x) => (float[2,3] y) { [relu] y = Relu (x) }\n'
RENAMED = ONNX.replace("scores", "odds")
OTHER = ONNX.replace("Relu (", "Sigmoid (")


@pytest.fixture
def models(here: Path) -> Path:
    for name, text in (("old", ONNX), ("new", RENAMED), ("other", OTHER)):
        Path(f"{name}.onnxtxt").write_text(text)
    return here


def test_the_exit_status_is_that_of_check(models: Path, irlint: Irlint) -> None:
    assert irlint("breaking", "old.onnxtxt", "old.onnxtxt").status == 0
    done = irlint("breaking", "old.onnxtxt", "new.onnxtxt", "--output-format", "concise")
    assert done.status == 1
    assert "new.onnxtxt:8:16: B012[removed-output] output 'scores' was renamed to 'odds'" in done.out
    assert (
        done.err.splitlines()[-1] == "irlint: worst level: interface (programs that use the model may have to change)"
    )
    assert irlint("breaking", "old.onnxtxt", "other.onnxtxt").status == 0
    assert irlint("breaking", "old.onnxtxt", "other.onnxtxt", "--fail-on", "info").status == 1
    assert irlint("breaking", "old.onnxtxt", "new.onnxtxt", "--exit-zero", "-q").status == 0
    assert irlint("breaking", "old.onnxtxt", "new.onnxtxt", "--level", "loads").status == 0


def test_what_a_truncated_model_has_lost_is_not_listed(models: Path, irlint: Irlint) -> None:
    whole = binary(SHORT)
    for name, data in (("whole", whole), ("cut", whole[:-20])):
        Path(f"{name}.onnx").write_bytes(data)
    done = irlint("breaking", "whole.onnx", "cut.onnx", "--output-format", "concise")
    assert done.status == 1
    assert "B001[no-longer-loads] the model does not load any more: S016 " in done.out
    assert "B01" not in done.out


def test_files_next_to_the_new_model_are_not_compared(models: Path, irlint: Irlint) -> None:
    Path("labels.txt").write_text("cat\ndog\nbird\n")
    Path("config.pbtxt").write_text('backend: "onnxruntime"\nmax_batch_size: 2\n')
    assert irlint("breaking", "old.onnxtxt", "old.onnxtxt").status == 0


def test_an_internal_error_is_a_finding_of_one_model(
    models: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("IRLINT_RAISE", raising=False)
    monkeypatch.setattr("irlint.cli.commands.breaking.breaking", lambda *_: [][0])
    done = irlint("breaking", "old.onnxtxt", "new.onnxtxt", "--output-format", "concise")
    assert (done.status, "I001[internal-error]" in done.out) == (1, True), done


def test_what_cannot_be_compared(models: Path, irlint: Irlint) -> None:
    Path("page.html").write_text("<html></html>")
    for words, why in (
        (["old.onnxtxt"], "expected two files, OLD and NEW, or --against REV"),
        (["gone.onnx", "new.onnxtxt"], "gone.onnx: no such file or folder"),
        (["old.onnxtxt", "gone.onnx"], "gone.onnx: no such file or folder"),
        (["page.html", "new.onnxtxt"], "cannot compare with page.html"),
        (["old.onnxtxt", "."], "a folder, not a model; expected one of "),
        (["-", "-"], "stdin can be read only once"),
    ):
        done = irlint("breaking", *words)
        assert (done.status, why in done.err) == (2, True), (words, done)


def test_schemas_of_the_configuration_say_nothing_about_loading(models: Path, irlint: Irlint) -> None:
    Path("of.schema.json").write_text('{"properties": {"a": {"type": "integer"}, "nodes": false}}')
    schemas = '[{files: "*.json", schema: of.schema.json}, {files: "*.onnxtxt", schema: of.schema.json, of: graph}]'
    Path("irlint.yaml").write_text(f"schemas: {schemas}\n")
    Path("a.json").write_text('{"a": 1}')
    Path("b.json").write_text('{"a": "x"}')
    done = irlint("breaking", "a.json", "b.json")
    assert (done.status, "cannot compare with a.json: it is JSON" in done.err) == (2, True), done.err
    words = ["--level", "loads", "--output-format", "json"]
    assert irlint("breaking", "old.onnxtxt", "old.onnxtxt", *words).codes == []
    Path("new.onnxtxt").write_text(ONNX.replace("Relu (", "Rellu ("))
    assert irlint("breaking", "old.onnxtxt", "new.onnxtxt", *words).codes == ["B001"]


def test_reports_are_those_of_check(models: Path, irlint: Irlint) -> None:
    (found,) = json.loads(irlint("breaking", "old.onnxtxt", "new.onnxtxt", "--output-format", "json").out)
    assert (found["code"], found["name"], found["severity"], found["file"]) == (
        "B012",
        "removed-output",
        "error",
        "new.onnxtxt",
    )
    sarif = json.loads(irlint("breaking", "old.onnxtxt", "new.onnxtxt", "--output-format", "sarif").out)
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == ["B012"]
    shown = irlint("rule", "B012")
    assert "removed-output" in shown.out


def test_the_configuration_applies(models: Path, irlint: Irlint) -> None:
    Path("irlint.yaml").write_text("ignore: [removed-output]\n")
    assert irlint("breaking", "old.onnxtxt", "new.onnxtxt").status == 0
    Path("irlint.yaml").write_text("severity: {removed-output: info}\n")
    assert irlint("breaking", "old.onnxtxt", "new.onnxtxt").status == 0


def test_known_breaks_are_in_a_baseline_with_other_findings(models: Path, irlint: Irlint) -> None:
    Path("new.onnxtxt").write_text(RENAMED.replace("[1, 1, 1, 1]", "[1, 1, 1]"))
    assert irlint("new.onnxtxt", "--baseline", "known.json", "--write-baseline").status == 0
    words = ["breaking", "old.onnxtxt", "new.onnxtxt", "--baseline", "known.json"]
    assert irlint(*words).status == 1
    assert irlint(*words, "--write-baseline", "--extend-baseline").status == 0
    for command in (words, ["new.onnxtxt", "--baseline", "known.json"]):
        done = irlint(*command)
        assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize(
    ("has_weights", "words", "codes"),
    [
        ("old", [], ["B001"]),
        ("old", ["--weights", "optional"], []),
        ("", [], []),
        ("", ["--weights", "required"], []),  # neither loads
        ("new", [], []),
        ("old new", [], []),
    ],
)
def test_weights_that_are_gone_break_a_model(
    here: Path, irlint: Irlint, has_weights: str, words: list[str], codes: list[str]
) -> None:
    for name in ("old", "new"):
        Path(f"{name}.xml").write_text(OPENVINO)
    for name in has_weights.split():
        Path(f"{name}.bin").write_bytes(bytes(12))
    assert irlint("breaking", "old.xml", "new.xml", *words, "--output-format", "json").codes == codes


def test_weights_that_a_model_does_not_name_are_missed_all_the_same(here: Path, irlint: Irlint) -> None:
    """A symbol of MXNet does not say that it has weights; ncnn programs name both files."""
    array = struct.pack("<Iii2qiii6f", 0xF993FAC9, 0, 2, 2, 3, 1, 0, 0, *range(6))
    name = b"arg:fc_weight"
    params = struct.pack("<QQQ", 0x112, 0, 1) + array + struct.pack("<QQ", 1, len(name)) + name
    nodes = [{"op": "null", "name": each, "inputs": []} for each in ("x", "fc_weight")]
    attrs = {"num_hidden": "2", "no_bias": "True"}
    nodes.append({"op": "FullyConnected", "name": "fc", "attrs": attrs, "inputs": [[0, 0, 0], [1, 0, 0]]})
    symbol = {"nodes": nodes, "arg_nodes": [0, 1], "node_row_ptr": [0, 1, 2, 3], "heads": [[2, 0, 0]]}
    layer = "7767517\n2 2\nInput in 0 1 x\nInnerProduct fc 1 1 x y 0=2 1=1 2=6\n"
    for model, weights in (("net-symbol.json", "net-0000.params"), ("net.param", "net.bin")):
        data = params if weights.endswith("params") else bytes(4 + 24 + 8)
        for folder in ("old", "new", "bare"):
            (Path(folder) / model).parent.mkdir(exist_ok=True)
            (Path(folder) / model).write_text(json.dumps(symbol) if model.endswith("json") else layer)
            if folder != "bare":
                (Path(folder) / weights).write_bytes(data)
        assert irlint("breaking", f"old/{model}", f"new/{model}") == Done(0, "All checks passed: 1 file.\n", "")
        done = irlint("breaking", f"old/{model}", f"bare/{model}", "--output-format", "json")
        assert (done.codes, weights in done.out) == (["B001"], True), done
        done = irlint("breaking", f"bare/{model}", f"bare/{model}")
        assert done[:2] == (0, "All checks passed: 1 file.\n")
        assert ("weights not compared" in done.err) == (model == "net.param")  # those of a symbol are inputs
        at = data.index(struct.pack("<2f", 1, 2)) if weights.endswith("params") else 8
        changed = data[:at] + struct.pack("<f", 10) + data[at + 4 :]
        (Path("new") / weights).write_bytes(changed)
        assert "weights: other values, at most " in irlint("diff", f"old/{model}", f"new/{model}").out
        assert irlint("breaking", f"old/{model}", f"new/{model}", "--pedantic", "--output-format", "json").codes == [
            "B021"
        ]


@pytest.mark.parametrize("words", [[], ["--select", "B021"], ["--ignore", "B021"], ["--level", "interface"]])
def test_weights_that_changed_are_reported_on_one_stream_in_all_formats(
    here: Path, irlint: Irlint, words: list[str]
) -> None:
    for name, data in (("old", bytes(12)), ("new", b"\0\0\x80\x3f" * 3)):
        Path(f"{name}.xml").write_text(OPENVINO)
        Path(f"{name}.bin").write_bytes(data)
    is_told = words in ([], ["--select", "B021"])
    for form in ("full", "json", "overview", "concise", "sarif"):
        done = irlint("breaking", "old.xml", "new.xml", *words, "--output-format", form)
        assert done.status == 0
        assert ("1 node with other weights" in done.out) == is_told, done
        assert "weights" not in done.err


def test_whether_a_model_loads_does_not_depend_on_the_selected_rules(models: Path, irlint: Irlint) -> None:
    Path("new.onnxtxt").write_text(ONNX.replace("Relu (", "Rellu ("))
    for select in ("B001", "B", "S,B"):
        words = ["--select", select, "--level", "loads", "--output-format", "json"]
        assert irlint("breaking", "old.onnxtxt", "new.onnxtxt", *words).codes == ["B001"]
