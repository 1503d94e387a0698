"""irlint check: what is checked, by which rules, and what comes out."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from rule_cases.texts import SYMBOL

from irlint.report import FORMATS

from .helpers import CLEAN, COMMA, CREATE, FOREIGN, MISSPELT, Irlint

KEYS = ["file", "format", "dialect", "code", "name", "severity", "message", "line", "column", "end_line", "end_column"]
KEYS += ["pointer", "node", "fix", "related", "url"]


def stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_exit_status(here: Path, irlint: Irlint) -> None:
    (here / "clean.json").write_text(CLEAN)
    (here / "bad.json").write_text(MISSPELT)
    assert irlint("clean.json").status == 0
    assert irlint("bad.json").status == 1
    assert irlint("bad.json", "--exit-zero").status == 0
    assert irlint("gone.json").status == 2
    assert irlint("bad.json", "--no-such-option").status == 2


def test_check_is_the_default_command(here: Path, irlint: Irlint) -> None:
    (here / "rules").write_text(CLEAN)
    assert irlint("check", "rules").out == irlint("./rules").out == irlint("--fail-on", "error", "rules").out
    assert "used-before-defined" in irlint("rules").out


def test_json_has_exactly_the_keys_of_the_contract(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(COMMA)
    finding = irlint("a.json", "--output-format", "json").findings[0]
    assert list(finding) == KEYS
    assert finding["file"] == "a.json"
    line = COMMA.split("\n")[finding["line"] - 1]
    assert line[finding["column"] - 1 : finding["end_column"] - 1] == ","
    assert list(finding["fix"]) == ["safety", "title", "edits"]
    assert irlint("--output-format", "json", "--isolated").out == irlint("a.json", "--output-format", "json").out


def test_files_and_folders_are_each_checked_once_and_sorted(here: Path, irlint: Irlint) -> None:
    (here / "x").mkdir()
    for name in ("x/b.json", "x/a.json", "z.json", "A.json"):
        (here / name).write_text(MISSPELT)
    found = irlint("z.json", "x", "x/a.json", "./z.json", "A.json", "--output-format", "json").findings
    assert [f["file"] for f in found] == ["A.json", "x/a.json", "x/b.json", "z.json"]


def test_a_foreign_file_is_an_error_if_named_and_passed_over_if_found(here: Path, irlint: Irlint) -> None:
    (here / "tsconfig.json").write_text(FOREIGN)
    assert irlint("tsconfig.json", "--output-format", "json").codes == ["S012"]
    assert irlint(".", "--output-format", "json").findings == []
    assert irlint(".", "tsconfig.json", "--output-format", "json").codes == ["S012"], "named and found: named counts"
    assert irlint("tsconfig.json", ".", "--output-format", "json").codes == ["S012"]
    assert irlint("tsconfig.json", "--skip-unrecognized").status == 0


def test_as_names_format_and_dialect(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(FOREIGN)
    assert irlint("a.json", "--as", "lightnet", "--output-format", "json").findings[0]["format"] in ("lightnet", None)
    assert "did you mean `lightnet`?" in irlint("a.json", "--as", "lightnett").err
    assert "did you mean `compiled`?" in irlint("a.json", "--as", "lightnet:compiledd").err


def test_standard_input(here: Path, irlint: Irlint, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin(monkeypatch, MISSPELT)
    assert irlint("-", "--output-format", "json").findings[0]["file"] == "<stdin>"
    (here / "x").mkdir()
    (here / "x/irlint.yaml").write_text("ignore: [R001]")
    stdin(monkeypatch, MISSPELT)
    assert irlint("-", "--stdin-filename", "x/a.json", "--output-format", "json").findings == []
    stdin(monkeypatch, MISSPELT)
    assert irlint("--stdin-filename", "a.json", "--output-format", "json").findings[0]["file"] == "a.json"


def test_selection(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)

    def codes(*options: str) -> list[str]:
        return irlint("a.json", "--output-format", "json", *options).codes

    assert codes() == codes("--select", "ALL") == codes("--select", "R") == codes("--select", "undefined-reference")
    assert codes() == ["R001"]
    assert codes("--select", "O,T001", "--select", "S") == []
    assert codes("--select", "O", "--extend-select", "r001") == ["R001"]
    assert codes("--ignore", "R001") == codes("--ignore", "R") == []
    assert codes("--select", "R001", "--ignore", "R") == ["R001"], "the longer word decides"
    assert codes("--select", "R", "--ignore", "R001") == []


def test_an_unknown_selector_is_wrong_usage(here: Path, irlint: Irlint) -> None:
    for option in ("--select", "--ignore", "--extend-select"):
        done = irlint("a.json", option, "undefined-referense")
        assert done.status == 2
        assert done.err == "irlint: unknown rule `undefined-referense`; did you mean `undefined-reference`?\n"
    assert irlint("--select", "R,,S").status == 2
    assert irlint("--select", "").status == 2


def test_fail_on_and_severities(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)
    (here / "irlint.yaml").write_text("severity: {R001: warning}")
    assert irlint("a.json").status == 0
    assert irlint("a.json", "--fail-on", "warning").status == 1
    (here / "irlint.yaml").write_text("severity: {R001: warning}\nfail-on: info")
    assert irlint("a.json").status == 1
    assert irlint("a.json", "--fail-on", "error").status == 0
    assert irlint("a.json", "--isolated").status == 1


def test_the_nearest_configuration_holds_for_each_file(here: Path, irlint: Irlint) -> None:
    (here / "x").mkdir()
    (here / "irlint.yaml").write_text("per-file-ignores: {'b.*': [R]}\nextend-exclude: [c.json]")
    (here / "x/irlint.yaml").write_text("select: [S]")
    for name in ("a.json", "b.json", "c.json", "x/a.json"):
        (here / name).write_text(MISSPELT)
    assert [f["file"] for f in irlint(".", "--output-format", "json").findings] == ["a.json"]
    assert [f["file"] for f in irlint("c.json", "--output-format", "json").findings] == ["c.json"], "named: checked"
    found = irlint("--config", "x/irlint.yaml", "--output-format", "json").findings
    assert found == []
    assert len(irlint("--isolated", "--output-format", "json").findings) == 4
    assert irlint("--isolated", "--config", "x/irlint.yaml").status == 2


def test_a_wrong_configuration_stops_before_anything_is_done(here: Path, irlint: Irlint) -> None:
    (here / "x").mkdir()
    (here / "a.json").write_text(COMMA)
    (here / "x/a.json").write_text(COMMA)
    (here / "x/irlint.yaml").write_text("selct: [R]\nignore: [J]\n")
    done = irlint("--fix")
    assert done.status == 2
    assert done.out == ""
    assert done.err.replace(str(here), "HERE") == (
        "irlint: HERE/x/irlint.yaml:1:1: unknown key `selct`; did you mean `select`?\n"
        "irlint: HERE/x/irlint.yaml:2:10: unknown rule `J`; run `irlint rules` for a list\n"
    )
    assert (here / "a.json").read_text() == COMMA


def test_targets(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(CLEAN)
    assert irlint("a.json", "--target", "openvino=2024.6", "--target", "tvm=0.6").status == 0
    assert "expected NAME=VERSION, got `openvino`" in irlint("a.json", "--target", "openvino").err
    assert "did you mean `openvino`?" in irlint("a.json", "--target", "openvin=1").err
    for odd in ("banana", "-1", "1e400", "2024.", "2024.x", "3"):
        done = irlint("a.json", "--target", f"openvino={odd}")
        expected = "expected an OpenVINO release from 2018.1 on (such as 2024.6)"
        assert (done.status, done.err) == (2, f"irlint: --target openvino={odd}: {expected}, got `{odd}`\n")
    for target in ("openvino=2018.1", "openvino=2027.0", "openvino=2024", "openvino=2024.6.0", "mxnet=1.5"):
        assert irlint("a.json", "--target", target).status == 0
    done = irlint("a.json", "--target", "mxnet=7")
    expected = "expected a release of MXNet from 1.0 to 1.9, got '7'"
    assert (done.status, done.out, done.err) == (2, "", f"irlint: --target mxnet=7: {expected}\n")
    assert "use mxnet= or tvm=" in irlint("a.json", "--target", "nnvm=1").err
    for name in ("ort", "listing", "glacier"):  # and nothing that is no runtime is named
        expected = "expected one of lightnet, mxnet, ncnn, onnx, onnxruntime, opencv, openvino, opset, precision, tensorrt, tvm\n"
        assert irlint("a.json", "--target", f"{name}=1").err.endswith(f"unknown target `{name}`; {expected}")


def test_the_report_is_not_written_over_the_model(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)
    before = (here / "a.json").read_bytes()
    for name in ("a.json", "./a.json", str(here / "a.json")):
        done = irlint("a.json", "--output-file", name)
        assert done.status == 2
        assert "over" in done.err
    assert (here / "a.json").read_bytes() == before


def test_output_file(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)
    done = irlint("a.json", "--output-format", "json", "--output-file", "out.json")
    assert (done.status, done.out) == (1, "")
    assert json.loads((here / "out.json").read_text())[0]["code"] == "R001"
    assert irlint("a.json", "--output-file", "/dev/null").status == 1
    done = irlint("a.json", "--output-file", "gone/out.json")
    assert (done.status, done.err) == (2, "irlint: cannot write gone/out.json: no such file or folder\n")


def test_statistics(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(COMMA)
    (here / "b.json").write_text(COMMA)
    (here / "c.json").write_text(MISSPELT)
    done = irlint("--statistics")
    assert done.status == 1
    assert done.out == "2  S001  error     [*]  syntax-error\n1  R001  error     [*]  undefined-reference\n"
    rows = json.loads(irlint("--statistics", "--output-format", "json").out)
    assert rows[0] == {
        "code": "S001",
        "name": "syntax-error",
        "severity": "error",
        "count": 2,
        "files": 2,
        "fixable": 2,
    }
    assert irlint("--statistics", "--output-format", "sarif").status == 2


def test_every_output_format_is_written(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)
    for name in FORMATS:
        done = irlint("a.json", "--output-format", name)
        assert done.status == 1
        assert "R001" in done.out or "undefined-reference" in done.out
    assert "unknown output format `xml`" in irlint("a.json", "--output-format", "xml").err


def test_a_baseline_hides_what_is_known(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)
    done = irlint("a.json", "--baseline", "known.json", "--write-baseline")
    assert (done.status, done.out, done.err) == (0, "", "irlint: known.json: 1 known finding written\n")
    assert json.loads((here / "known.json").read_text())["findings"] == {"a.json": {"R001": {"p": 1}}}
    assert irlint("a.json", "--baseline", "known.json").status == 0
    another = CREATE.replace('"name": "c"', '"name": "d"').replace('"name": "image"', '"name": "other"')
    (here / "a.json").write_text(MISSPELT.replace('{"ops": [\n', f'{{"ops": [\n\n{another},\n'))
    known = "Not reported: 1 known finding in the baseline.\n"
    assert irlint("a.json", "--baseline", "known.json").out == f"All checks passed: 1 file.\n{known}"
    assert irlint("a.json", "--baseline", "known.json").status == 0, "other nodes and other lines do not matter"
    (here / "b.json").write_text(MISSPELT)
    assert [f["file"] for f in irlint(".", "--baseline", "known.json", "--output-format", "json").findings] == [
        "b.json"
    ]
    (here / "x").mkdir()
    (here / "known.json").rename(here / "x/known.json")
    assert irlint("a.json", "--baseline", "x/known.json").status == 1, "files are named relative to the baseline"


def test_more_of_what_is_known_is_new(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)
    irlint("a.json", "--baseline", "known.json", "--write-baseline")
    twice = MISSPELT.replace('{"arg_name": "src", "name": "imgae"}', '{"arg_name": "src", "name": "imgae"}, ' * 2, 1)
    (here / "a.json").write_text(twice.replace(", ]", "]"))
    assert irlint("a.json", "--baseline", "known.json").status == 1


def test_another_key_without_a_node_is_new(here: Path, irlint: Irlint) -> None:
    """As in the configurations next to models, which have no nodes."""
    text = SYMBOL.replace('"arg_nodes"', '"first": 1, "arg_nodes"')
    (here / "a-symbol.json").write_text(text)
    irlint("a-symbol.json", "--baseline", "known.json", "--write-baseline")
    assert json.loads((here / "known.json").read_text())["findings"] == {"a-symbol.json": {"T003": {"/first": 1}}}
    assert irlint("a-symbol.json", "--baseline", "known.json", "--output-format", "json").findings == []
    (here / "a-symbol.json").write_text(text.replace('"first"', '"second"'))
    found = irlint("a-symbol.json", "--baseline", "known.json", "--output-format", "json").findings
    assert [one["code"] for one in found] == ["T003"]


def test_a_baseline_of_half_the_files_is_not_written(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(MISSPELT)
    done = irlint("a.json", "gone.json", "--baseline", "known.json", "--write-baseline")
    assert done.status == 2
    assert not (here / "known.json").exists()


def test_control_characters_of_arguments_stay_visible(here: Path, irlint: Irlint) -> None:
    assert "\\x1b[2J" in irlint("--\x1b[2J").err
    (here / "a\nb").mkdir()
    (here / "a\nb/irlint.yaml").write_text("x: y")
    assert "a\\nb/irlint.yaml:1:1:" in irlint("a\nb").err


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", '{"version": 2, "findings": {}}', '{"version": 1, "findings": [1]}'),
        *(
            f'{{"version": 1, "findings": {{"a.json": {{"R001": {{"p": {n}}}}}}}}}'
            for n in ("1e400", "-1", '"1"', "NaN")
        ),
    ],
)
def test_what_is_no_baseline(here: Path, irlint: Irlint, text: str) -> None:
    (here / "known.json").write_text(text)
    done = irlint("--baseline", "known.json")
    assert done.status == 2
    assert "known.json is" in done.err
    assert "no such file" in irlint("--baseline", "gone.json").err
    assert "requires --baseline" in irlint("--write-baseline").err


def test_a_word_that_looks_like_a_command(here: Path, irlint: Irlint) -> None:
    done = irlint("chekc")
    assert (done.status, done.err) == (2, "irlint: chekc: no such file or folder (did you mean `irlint check`?)\n")


def test_the_report_says_so_if_there_was_nothing_to_check(here: Path, irlint: Irlint) -> None:
    done = irlint()
    assert done.status == 2
    assert "usage: irlint PATH" in done.err
    done = irlint(".")
    assert (done.status, done.out) == (0, "No files checked: no model files found.\n")


def test_pointers_of_git_lfs_in_a_folder(here: Path, irlint: Irlint) -> None:
    """A run that checks nothing because nobody fetched the files must not look like a success."""
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    (here / "model.onnx").write_text(pointer)
    (here / "model.xml").write_text(pointer)
    done = irlint(".")
    assert (done.status, done.out) == (0, "No files checked: no model files found.\n")
    assert done.err == "irlint: 2 files not checked: Git LFS pointers; run `git lfs pull` to fetch the files\n"


def test_models_of_other_formats_are_named_in_the_summary(here: Path, irlint: Irlint) -> None:
    """Those of one name count once; programs that read a report are not bothered."""
    (here / "zoo").mkdir()
    for name, data in {
        "a.gguf": b"GGUF\x03\0\0\0",
        "zoo/b.gguf": b"GGUF\x02\0\0\0",
        "c.tflite": b"\x1c\0\0\0TFL3",
        "d.prototxt": b"layer {",
        "d.caffemodel": b"\n\x01d",
        "e.pth": b"import site",
    }.items():
        (here / name).write_bytes(data)
    kinds = "4 models of {} (GGUF 2, Caffe 1, TFLite 1)."
    nothing = kinds.format("unsupported formats")
    done = irlint(".")
    assert (done.status, done.out, done.err) == (0, f"No files checked: {nothing}\n", "")
    assert irlint(".", "--output-format", "json").findings == []
    done = irlint("a.gguf", "--output-format", "concise")
    assert done.status == 1
    assert "not recognized as a supported model file: it is a GGUF model, which irlint does not check" in done.out
    (here / "a.json").write_text(CLEAN)
    left_out = f"Not checked: {kinds.format('other formats')}\n"
    assert irlint(".").out == f"All checks passed: 1 file.\n{left_out}"
    (here / "a.json").write_text(MISSPELT)
    assert irlint(".", "--output-format", "concise").out.endswith(f"with --fix, proven).\n{left_out}")
    assert "Not checked" not in irlint("a.json").out
    done = irlint(".", "--output-format", "sarif")
    assert ("Not checked" in done.out, done.err) == (False, "")


def test_a_tracked_file_is_checked_although_it_is_ignored(here: Path, irlint: Irlint) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    (here / "a.json").write_text(MISSPELT)
    (here / "b.json").write_text(MISSPELT)
    subprocess.run(["git", "add", "a.json"], check=True)
    (here / ".gitignore").write_text("*.json\n")
    assert [finding["file"] for finding in irlint(".", "--output-format", "json").findings] == ["a.json"]


def test_a_file_that_may_be_a_model_is_not_repaired(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text('{"ops": [],}')
    done = irlint("a.json", "--fix")
    assert done.err == (
        "irlint: a.json: not fixed: the format lightnet is not certain; use --as lightnet if it is right\n"
    )
    assert (here / "a.json").read_text() == '{"ops": [],}'
    assert "fixable" not in done.out
    irlint("a.json", "--fix", "--as", "lightnet")
    assert (here / "a.json").read_text() == '{"ops": []}'
    (here / "a.json").write_text('{"ops": [],}')
    assert "no fixes are offered" in irlint("formats", "a.json").out
    (here / "a.json").write_text('{"ops": [{"name": "c", "params": []}]}')
    done = irlint("a.json", "--fix")
    assert ("Found" in done.out, done.err) == (True, "")  # nothing to repair, so nothing was withheld


def test_a_baseline_only_shrinks_unless_told(here: Path, irlint: Irlint) -> None:
    known = ("--baseline", "known.json")
    for name in ("a.json", "b.json"):
        (here / name).write_text(MISSPELT)
    irlint(".", *known, "--write-baseline")
    (here / "a.json").write_text(CLEAN)
    (here / "c.json").write_text(MISSPELT)
    done = irlint(".", *known)
    assert done.status == 1
    assert "1 entry no longer found" in done.err
    assert "  a.json: R001 at p" in done.err
    done = irlint(".", *known, "--write-baseline")
    assert (done.status, done.out) == (1, "")
    assert "1 known finding written, 1 stale entry removed; 1 new finding not added" in done.err
    assert list(json.loads((here / "known.json").read_text())["findings"]) == ["b.json"]
    assert irlint(".", *known, "--write-baseline", "--extend-baseline").status == 0
    assert list(json.loads((here / "known.json").read_text())["findings"]) == ["b.json", "c.json"]
    assert irlint(".", *known).err == ""
    assert "--write-baseline" in irlint(".", *known, "--extend-baseline").err


def test_what_was_not_looked_for_is_not_stale(here: Path, irlint: Irlint) -> None:
    for name in ("a.json", "b.json"):
        (here / name).write_text(MISSPELT)
    irlint(".", "--baseline", "known.json", "--write-baseline")
    assert irlint("a.json", "--baseline", "known.json").err == "", "another file"
    assert irlint(".", "--baseline", "known.json", "--select", "S").err == "", "another rule"
    (here / "b.json").write_text(FOREIGN)
    assert "b.json: R001" in irlint(".", "--baseline", "known.json").err, "it is no model any more"
    (here / "b.json").unlink()
    assert "b.json: R001" in irlint("a.json", "--baseline", "known.json").err, "the file is gone"


def test_nodes_without_a_name_are_known_by_their_rule(here: Path, irlint: Irlint) -> None:
    """A node more at the beginning gives every other one another number."""
    known = ("--baseline", "known.json")
    (here / "a.txt").write_text("0 nn.relu ['x']\n1 nn.relo [0]\n2 nn.relo [1]\n")
    irlint("a.txt", *known, "--write-baseline")
    (here / "a.txt").write_text("0 nn.relu ['x']\n1 nn.relu [0]\n2 nn.relo [1]\n3 nn.relo [2]\n")
    done = irlint("a.txt", *known)
    assert (done.status, done.err) == (0, "")
    (here / "a.txt").write_text("0 nn.relo ['x']\n1 nn.relo [0]\n2 nn.relo [1]\n")
    assert irlint("a.txt", *known).status == 1
