"""Contradictions that are planted are found at their tokens, with the model's place; folders that are right are silent."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from companions import TABLES, genai, huggingface, triton, ultralytics
from companions.planted import Planted, write
from irlint import cli, engine, fixes
from irlint.engine import Result
from irlint.settings import Settings

PLANTED = [
    pytest.param(one, id=f"{name}-{k}-{one.code}")
    for name, kind in TABLES.items()
    for k, one in enumerate(kind.PLANTED)
]


def lint(path: Path) -> Result:
    return engine.lint_bytes(path.read_bytes(), str(path), Settings(), path=path)


@pytest.mark.parametrize("planted", PLANTED)
def test_what_is_planted_is_found(planted: Planted, tmp_path: Path) -> None:
    files = planted.written()
    write(files, tmp_path)
    path = tmp_path / planted.at
    result = lint(path)
    found = {(f.code, result.lines.text[f.span.start : f.span.end]): f for f in result.findings}
    assert (planted.code, planted.token) in found, found.keys()
    fix = found[planted.code, planted.token].fix
    assert planted.fixed == (fix.safety if fix is not None and planted.fixed else "")
    if planted.fixed:
        done = fixes.fix(files[planted.at], lambda text: _written(path, text), unsafe=planted.fixed == "unsafe")
        assert planted.code not in {f.code for f in done.findings}


def _written(path: Path, text: str) -> list[engine.Finding]:
    path.write_text(text, encoding="utf-8")
    return lint(path).findings


@pytest.mark.parametrize(("files", "name", "token"), triton.WITHOUT_VERSION)
def test_a_model_without_a_version_is_reported(files: dict[str, str], name: str, token: str, tmp_path: Path) -> None:
    write(files, tmp_path)
    result = lint(tmp_path / name / "config.pbtxt")
    found = [(f.code, result.lines.text[f.span.start : f.span.end]) for f in result.findings if f.code == "F006"]
    assert found == [("F006", token)]


def test_a_name_that_the_model_does_not_have_is_not_suggested_to_an_ensemble(tmp_path: Path) -> None:
    files = {
        **triton.COMPLETED,
        "net/config.pbtxt": triton.CONFIG.replace('"scores"', '"score"'),
        "net/labels.txt": "a",
    }
    write(files, tmp_path)
    assert [f.fix for f in lint(tmp_path / "all/config.pbtxt").findings if f.code == "F001"] == [None]


@pytest.mark.parametrize("root", ['"x"', '"x": 1', "[]", "[1]", "3", "null"])
@pytest.mark.parametrize("name", ["config.json", "genai_config.json", "tokenizer.json", "preprocessor_config.json"])
def test_other_roots_are_no_errors_of_irlint(name: str, root: str, tmp_path: Path) -> None:
    write({**huggingface.SMALL, f"llm/{name}": root + ', "model_type": "bert", "transformers_version": "4"'}, tmp_path)
    assert "I001" not in {f.code for f in lint(tmp_path / "llm" / name).findings}


@pytest.mark.parametrize("name", TABLES)
def test_folders_that_are_right_are_silent(name: str, tmp_path: Path) -> None:
    folders = {id(one.files): (one.at, one.files) for one in TABLES[name].PLANTED}
    silent = [(TABLES[name].PLANTED[0].at, files) for files in getattr(TABLES[name], "SILENT", ())]
    for k, (at, files) in enumerate((*folders.values(), *silent)):
        write(files, tmp_path / str(k))
        result = lint(tmp_path / str(k) / at)
        assert result.format == ("onnx" if at.endswith(".onnx") else name)
        assert result.findings == []


@pytest.mark.parametrize("files", huggingface.UNRELATED)
def test_a_configuration_next_to_several_models_is_not_compared_with_them(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(files, tmp_path)
    assert cli.main(["check", str(tmp_path)]) == 0
    assert "F008" not in capsys.readouterr().out


def test_init_lists_companions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write({**TABLES["frigate"].PLANTED[0].files, "more/config.yml": "a: 1\n"}, tmp_path)
    assert cli.main(["init", "--no-hook", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "Frigate configuration: 1\n" in shown
    assert "more" not in shown


@pytest.mark.parametrize("name", ["../../outside/model.onnx", "{}/outside/model.onnx", "model.onnx"])
def test_what_is_elsewhere_is_not_read(name: str, tmp_path: Path) -> None:
    """A companion may name files of its folder and the one above, whatever else is on the disk."""
    planted = next(one for one in TABLES["genai"].PLANTED if one.code == "F001")
    files = planted.written()
    model = files["llm/model.onnx"]
    files = {
        **files,
        "outside/model.onnx": model,
        planted.at: files[planted.at].replace("model.onnx", name.format(tmp_path)),
    }
    write({f"in/{key}" if key.startswith("llm") else key: text for key, text in files.items()}, tmp_path)
    found = {one.code for one in lint(tmp_path / "in" / planted.at).findings}
    assert ("F001" in found) == (name == "model.onnx")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ads.pbtxt", "platform: MOBILE\ncampaign { id: 1 }\n"),
        ("solver.pbtxt", 'net: "train"\nbase_lr: 0.01\nplatform: "x"\n'),
        ("config.pbtxt", "train_config { batch_size: 32 }\nmodel { ssd { } }\ninput { }\n"),
        ("config.pbtxt", 'output: "/a"\ninput: "/b"\nparameters: { alpha: 1 }\n'),
        ("config.yml", "ffmpeg:\n  threads: 1\nmodel:\n  input_tensor: nchw\n"),
        ("config.yml", "detectors:\n  face: 1\nmodel:\n  model_type: resnet\n"),
        ("genai_config.json", '{"model": "gpt-4", "search": {"top_k": 3}}\n'),
    ],
)
def test_files_of_other_programs_are_not_claimed(name: str, text: str, tmp_path: Path) -> None:
    write({name: text}, tmp_path)
    assert lint(tmp_path / name).format not in TABLES


@pytest.mark.parametrize("name", ["config.pbtxt", "graph.pbtxt"])
def test_blank_lines_take_linear_time(name: str, tmp_path: Path) -> None:
    def seconds(lines: int) -> float:
        write({name: "\n" * lines}, tmp_path)
        start = process_time()
        lint(tmp_path / name)
        return process_time() - start

    seconds(10)  # the first run imports modules
    few = max(seconds(5_000), 0.01)
    assert seconds(20_000) < 8 * few  # a pattern that tries each line from each line takes 16 times as long


def test_a_name_with_a_nul_is_a_missing_file(tmp_path: Path) -> None:
    text = 'platform: "ensemble"\nensemble_scheduling { step { model_name: "a\\000b" } }\n'
    write({"all/config.pbtxt": text}, tmp_path)
    assert "I001" not in {one.code for one in lint(tmp_path / "all/config.pbtxt").findings}


@pytest.mark.parametrize(
    "planted",
    [
        Planted(triton.ONNX, "net/config.pbtxt", "dims: [ 3 ] label", "dims: [ 1000 ] label", "F004", "1000"),
        Planted(triton.ONNX, "net/config.pbtxt", "[ 3, 8, 8 ] },", "[ 3 8, 8 ] },", "S001", "8"),
        Planted(genai.FILES, "llm/genai_config.json", '"input_ids": "input', '"input_ids": "tokens_of_input', "F001", '"tokens_of_input_ids"'),
        Planted(genai.FILES, "llm/genai_config.json", '"past_%d_key"', '"cache_%d_key"', "F001", '"cache_%d_key"'),
        Planted(ultralytics.POSE, "yolo/metadata.yaml", "task: pose", "task: detect", "F007", "detect"),
    ],
    ids=lambda one: one.code,
)  # fmt: skip
def test_one_cause_is_one_finding(planted: Planted, tmp_path: Path) -> None:
    write(planted.written(), tmp_path)
    result = lint(tmp_path / planted.at)
    found = [(f.code, result.lines.text[f.span.start : f.span.end]) for f in result.findings]
    assert found == [(planted.code, planted.token)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("config_infer.txt", "[property]\ncolor=red\nbatch-size=4\n"),
        ("infer.txt", "onnx-file=net.onnx\nnetwork-mode=2\nbatch-size=1\n"),
        ("infer_requirements.txt", "onnxruntime==1.17\nnumpy>=1.26\n"),
        ("deepstream_pgie.txt", "[primary-gie]\nmodel-engine-file=a.engine\nlabelfile-path=labels.txt\n"),
        ("config_preprocess_infer.txt", "[property]\ntarget-unique-ids=1\nnetwork-input-order=0\nnetwork-input-shape=1;3;8;8\n"),
        ("infer.txt", "[model]\nonnx-file=net.onnx\n[property]\nname=a\n"),
        ("nvinfer.yml", "property:\n  gpu-id: 0\n  labelfile-path: labels.txt\n"),
        ("pgie.yaml", "primary-gie:\n  model-engine-file: a.engine\n  gie-unique-id: 1\n"),
    ],
)  # fmt: skip
def test_files_that_deepstream_does_not_run_models_by_are_not_claimed(name: str, text: str, tmp_path: Path) -> None:
    write({name: text}, tmp_path)
    assert lint(tmp_path / name).format != "deepstream"
