"""The commands besides check, and how they are found."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from lxml import etree

from irlint import __version__
from irlint.cli.dispatch import commands
from irlint.config.find import load
from irlint.formats.onnx.samples import ONNX
from irlint.tools.installed import schemas_folder

from .helpers import CLEAN, FOREIGN, MISSPELT, ROOT, Irlint, environment


def test_version(irlint: Irlint) -> None:
    assert irlint("--version") == irlint("-V") == (0, f"irlint {__version__}\n", "")


def test_the_version_costs_no_imports() -> None:
    code = (
        "import os, sys; before = set(sys.modules); from irlint.cli import main; main(['--version']);"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[1] == "__future__ irlint irlint.cli"


def test_the_overview_names_every_command(irlint: Irlint) -> None:
    done = irlint("--help")
    assert done == irlint("-h")
    assert done.status == 0
    assert irlint().err == done.out
    for name in commands():
        line = next(line for line in done.out.split("\n") if line.startswith(f"  {name} "))
        assert len(line.removeprefix(f"  {name}").strip()) > 10


@pytest.mark.parametrize("name", commands())
def test_every_command_has_a_help(name: str, irlint: Irlint) -> None:
    done = irlint(name, "--help")
    assert done.status == 0
    assert done.out.startswith(f"usage: irlint {name}")
    assert (import_module(f"irlint.cli.commands.{name}").__doc__ or "").split("\n")[0][:60] in done.out


def test_a_rule_is_explained(irlint: Irlint) -> None:
    page = irlint("rule", "R001")
    assert page.status == 0
    assert page.out.startswith("R001 undefined-reference\n")
    assert irlint("rule", "undefined-reference") == irlint("rule", "r001") == page
    record = json.loads(irlint("rule", "R001", "--output-format", "json").out)
    assert (record["code"], record["name"]) == ("R001", "undefined-reference")
    assert irlint("rule", "R0011").err == "irlint: unknown rule `R0011`; did you mean `R001`?\n"
    assert irlint("rule", "R01").err == "irlint: unknown rule `R01`; did you mean `R001`?\n"
    beginning = "7 codes begin with it, `R001` to `R007`; run `irlint rules` for a list"
    assert irlint("rule", "r0").err == f"irlint: unknown rule `r0`; {beginning}\n"
    assert irlint("rule").status == 2
    assert "imgae act" in irlint("rule", "R001", "--format", "ncnn").out
    assert irlint("rule", "R001", "--format", "onnx").out == page.out
    for format_name, others in (("onnx", ("LightNet", "NNVM")), ("nnvm", ("LightNet",)), ("lightnet", ("NNVM",))):
        text = (
            irlint("rule", "D001", "--format", format_name).out.partition("Fix safety")[2].partition("Examples in")[0]
        )
        assert not any(name in text for name in others)
    assert irlint("rule", "D002").out == irlint("rule", "D002", "--format", "onnx").out, "the format of the example"
    assert "`Cast` to the type" in irlint("rule", "D002").out
    assert "a LightNet model" in irlint("rule", "D001", "--format", "lightnet").out
    assert irlint("rule", "A101", "--format", "onnx").err == "irlint: A101 is not a rule for onnx, but for lightnet\n"
    assert "did you mean `onnx`?" in irlint("rule", "R001", "--format", "onx").err


def test_all_rules(irlint: Irlint) -> None:
    records = json.loads(irlint("rule", "--all", "--output-format", "json").out)
    codes = [record["code"] for record in records]
    assert codes == sorted(codes)
    assert [record["code"] for record in json.loads(irlint("rules", "--output-format", "json").out)] == codes
    assert [line.split()[0] for line in irlint("rules").out.split("\n")[1:-1]] == codes
    assert irlint("rule", "--all").out.count("What it does") == len(codes)


def test_an_option_that_is_a_place(irlint: Irlint) -> None:
    assert "; give MODEL without `--model`" in irlint("summary", "--model", "a.onnx").err


def test_rules_of_a_format(irlint: Irlint) -> None:
    assert irlint("rules", "ncnn").out == irlint("rules", "--format", "ncnn").out
    records = json.loads(irlint("rules", "ncnn", "--output-format", "json").out)
    codes = [record["code"] for record in records]
    assert "R501" in codes
    assert "O001" in codes
    assert not {"R301", "S010"} & {*codes}
    assert all("ncnn" in record["formats"] or not record["formats"] for record in records)
    assert irlint("rules", "nccn").err.startswith(
        "irlint: argument FORMAT: unknown format `nccn`; did you mean `ncnn`?"
    )


def test_formats_are_listed_and_explained(here: Path, irlint: Irlint) -> None:
    names = [record["name"] for record in json.loads(irlint("formats", "--output-format", "json").out)]
    assert names[:3] == ["onnx", "openvino", "ncnn"], "those of most users first"
    assert all(name in irlint("formats").out for name in names)
    (here / "a.json").write_text(CLEAN)
    (here / "b.json").write_text(FOREIGN)
    done = irlint("formats", "a.json")
    assert done.status == 0
    assert done.out.startswith("a.json: lightnet:source\n  because: ")
    done = irlint("formats", "b.json", "--output-format", "json")
    assert done.status == 1
    assert json.loads(done.out)["format"] is None
    assert irlint("formats", "gone.json") == (2, "", "irlint: gone.json: no such file or folder\n")


def test_schemas_are_listed_and_printed(irlint: Irlint) -> None:
    names = irlint("schema").out.split()
    assert "irlint-config.schema.json" in names
    assert names == sorted(names)
    assert {name for name in names if irlint("schema", name).out != (schemas_folder() / name).read_text()} == {
        "openvino-ir-10.xsd", "openvino-ir-11.xsd", "openvino-ir-legacy.xsd",
    }  # fmt: skip
    assert irlint("schema", "irlint-config") == irlint("schema", "irlint-config.schema.json")
    assert (
        irlint("schema", "irlint-confg").err == "irlint: unknown schema `irlint-confg`; did you mean `irlint-config`?\n"
    )
    assert irlint("schema", "../pyproject").status == 2


@pytest.mark.parametrize("name", ["openvino-ir-10", "openvino-ir-11", "openvino-ir-legacy", "openvino-ir-common"])
def test_a_printed_xsd_needs_no_other_file(here: Path, irlint: Irlint, name: str) -> None:
    assert irlint("schema", name, "--output", "ir.xsd") == (0, "", "")
    assert "xs:include" not in (here / "ir.xsd").read_text()
    alone, published = (
        etree.XMLSchema(etree.parse(path)) for path in ("ir.xsd", str(schemas_folder() / f"{name}.xsd"))
    )
    for path in sorted((ROOT / "examples/openvino").glob("*.xml")):
        tree = etree.parse(str(path))
        verdicts = [
            (schema.validate(tree), [str(error) for error in schema.error_log]) for schema in (alone, published)
        ]
        assert verdicts[0] == verdicts[1]


def test_a_schema_is_written_to_a_file(here: Path, irlint: Irlint) -> None:
    printed = irlint("schema", "irlint-config")
    assert irlint("schema", "irlint-config", "-o", "a.json") == (0, "", "")
    assert (here / "a.json").read_text() == printed.out
    assert irlint("schema", "irlint-config", "--output", "-") == printed
    assert irlint("schema", "irlint-confg", "--output", "b.json").status == 2
    assert irlint("schema", "--output", "b.json") == (2, "", "irlint: --output requires the name of a schema\n")
    assert irlint("schema", "lightnet", "--output", "gone/b.json") == (
        2, "", "irlint: cannot write gone/b.json: no such file or folder\n",
    )  # fmt: skip
    assert sorted(path.name for path in here.iterdir()) == ["a.json"]


def test_a_second_file_where_one_is_taken(here: Path, irlint: Irlint) -> None:
    assert "unrecognized arguments: b.onnx; expected one MODEL (see" in irlint("summary", "a.onnx", "b.onnx").err
    assert "; expected at most MODEL and NEW (see" in irlint("graph", "a", "b", "c").err


def test_a_folder_for_commands_about_files(here: Path, irlint: Irlint) -> None:
    (here / "m").mkdir()
    (here / "m/a.json").write_text(CLEAN)
    assert "m: a folder, not a model; expected one of m/a.json" in irlint("formats", "m").err
    assert "m/a.json" in irlint("ngrams", "m", "-n", "1").out


def test_what_is_nearly_right(here: Path, irlint: Irlint) -> None:
    assert "did you mean `undefined-reference`?" in irlint("rule", "undefined").err
    for word in ("undefined-ref", "undef", "undefinedref", "undefined ref"):
        assert "did you mean `undefined-reference`?" in irlint("rule", word).err
    assert irlint("rule", "weights").err.endswith("run `irlint rules` for a list\n"), "too many"
    assert irlint("help", "run").out == irlint("run", "--help").out
    known = irlint("schema", "nope").err.split("expected one of ")[1].strip().split(", ")
    assert len(known) == len(set(known))
    assert not any(name.endswith(".schema") for name in known)
    for option in ("--output", "--state-out"):
        assert f"{option} x.npy: expected a name that ends in .npz" in irlint("run", "a.onnx", option, "x.npy").err


def test_a_folder_with_the_name_of_a_command(here: Path, irlint: Irlint) -> None:
    said = "irlint: `zoo` is a command; to check the folder of this name, run `irlint check zoo`\n"
    assert "is a command" not in irlint("zoo").err
    (here / "zoo").mkdir()
    (here / "rules").write_text("")
    for words in (["zoo"], ["zoo", "--fix"]):
        done = irlint(*words)
        assert done.status == 2
        assert done.err.endswith(said)
    done = irlint("rules")
    assert "undefined-reference" in done.out
    assert "to check the file of this name, run `irlint check rules`" in done.err
    assert irlint("check", "zoo").err == ""
    assert irlint("check", "--zoo").err.count("\n") == 1


def test_init_does_not_hide_the_configuration_of_a_folder_above(here: Path, irlint: Irlint) -> None:
    Path("below").mkdir()
    Path("irlint.yaml").write_text("select: [A]\n")
    done = irlint("init", "below")
    assert (done.status, list(Path("below").iterdir())) == (2, [])
    assert "irlint.yaml applies to below, too, and below/irlint.yaml would replace it; edit irlint.yaml, or" in done.err
    assert "run `irlint init --baseline .`" in irlint("init", "--baseline", "below").err
    assert "edit it, or run `irlint init --baseline`" in irlint("init").err


def test_init_writes_a_configuration_that_irlint_takes(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(CLEAN)
    (here / "b.json").write_text(FOREIGN)
    done = irlint("init")
    assert done.status == 0
    assert "a.json" in done.out
    assert "b.json" not in done.out
    assert load("irlint.yaml")
    assert irlint(".").status == 0
    text = (here / "irlint.yaml").read_text()
    done = irlint("init", ".")
    assert done.status == 2
    assert done.err.startswith("irlint: irlint.yaml already exists; edit it, or run `irlint init --baseline`")
    assert (here / "irlint.yaml").read_text() == text
    assert irlint("init", "gone").status == 2


def test_bash_completion(here: Path, irlint: Irlint) -> None:
    if not shutil.which("bash"):
        pytest.skip("bash is not installed")
    (here / "irlint.bash").write_text(irlint("completion", "bash").out)

    def complete(*words: str) -> list[str]:
        script = 'source irlint.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _irlint; echo "${COMPREPLY[@]}"'
        command = ["bash", "-c", script, "-", "irlint", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return done.stdout.split()

    assert complete("ru") == [name for name in commands() if name.startswith("ru")]
    assert complete("--outp") == ["--output-format", "--output-file"]
    assert complete("--vers") == ["--version"]
    assert complete("check", "a.json", "--fail-on", "") == ["error", "warning", "info"]
    assert complete("check", "--fail-on", "=") == ["error", "warning", "info"]  # so bash cuts --fail-on=
    assert complete("check", "--fail-on", "=", "w") == ["warning"]
    assert complete("rule", "R00")[:2] == ["R001", "R002"]
    assert complete("rule", "undefined-") == ["undefined-reference"]
    assert complete("schema", "irlint-c") == ["irlint-config.schema.json"]
    assert complete("completion", "") == ["bash", "zsh", "fish"]


def test_the_other_shells(irlint: Irlint) -> None:
    assert irlint("completion", "zsh").out.startswith("#compdef irlint\n")
    fish = irlint("completion", "fish").out
    assert all(f"-a {name} -d" in fish for name in commands())
    assert irlint("completion", "tcsh").status == 2


def test_the_published_schema_of_the_configuration_is_a_schema() -> None:
    from jsonschema import Draft202012Validator

    schema = json.loads((schemas_folder() / "irlint-config.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    assert all(value.get("description") for value in schema["properties"].values())


def test_the_api_is_there(here: Path) -> None:
    import irlint

    assert [finding.code for finding in irlint.lint(MISSPELT)] == ["R001"]


def test_init_writes_a_hook_where_there_is_a_repository(here: Path, irlint: Irlint) -> None:
    hooks = here / ".pre-commit-config.yaml"
    (here / "a.json").write_text(CLEAN)
    assert "LightNet JSON IR: 1\n" in irlint("init").out
    assert not hooks.exists(), "no repository"
    for text, expected in ((None, "- id: irlint\n"), ("repos: []\n", "repos: []\n")):
        (here / "irlint.yaml").unlink()
        (here / ".git").mkdir(exist_ok=True)
        hooks.unlink(missing_ok=True)
        if text is not None:
            hooks.write_text(text)
        done = irlint("init")
        assert done.status == 0
        assert hooks.read_text().endswith(expected)
        assert ("add to" in done.out) is (text is not None)
    (here / "irlint.yaml").unlink()
    hooks.unlink()
    assert irlint("init", "--no-hook").status == 0
    assert not hooks.exists()
    (here / "below").mkdir()
    (here / "irlint.yaml").unlink()
    done = irlint("init", "below")
    assert f"create {hooks} with\nrepos:\n  - repo:" in done.out, "the hook's place is the repository's root"
    assert "No models found.\n" in done.out
    assert done.out.endswith("; `irlint below` checks the models that you add.\n")
    assert sorted(path.name for path in (here / "below").iterdir()) == ["irlint.yaml"]


@pytest.mark.parametrize(
    ("table", "status"),
    [("[tool.irlint]\n", 2), ("[tool.ruff]\n", 0), ("[tool.irlint\n", 2), ("[tool.irlint]\nx = 1\n", 2)],
)
def test_init_writes_no_second_configuration(here: Path, irlint: Irlint, table: str, status: int) -> None:
    (here / "pyproject.toml").write_text(table)
    done = irlint("init")
    assert done.status == status
    assert ("pyproject.toml" in done.err) is (status == 2)
    assert (here / "irlint.yaml").exists() is (status == 0)


@pytest.mark.parametrize("port", ["-1", "65536", "9" * 400, "a", ""])
def test_a_port_that_is_none(irlint: Irlint, port: str) -> None:
    run = irlint("server", "--tcp", port)
    assert run.status == 2
    assert "expected a port" in run.err


def test_a_folder_or_its_weights_stand_for_the_model(here: Path, irlint: Irlint) -> None:
    folder = here / "net"
    folder.mkdir()
    (folder / "config.json").write_text(FOREIGN)
    assert irlint("summary", "net") == (2, "", "irlint: net: a folder without models\n")
    shutil.copy(ROOT / "examples" / "openvino" / "digits.xml", folder / "a.xml")
    shutil.copy(ROOT / "examples" / "openvino" / "digits.bin", folder / "a.bin")
    for name in ("net", "net/a.bin"):
        for command in ("summary", "flatten", "weights", "show"):
            assert irlint(command, name).status == 0, command
        assert irlint("summary", name).out.startswith(str(Path("net", "a.xml")))
    (folder / "b.json").write_text(CLEAN)
    expected = ", ".join(str(Path("net", name)) for name in ("a.xml", "b.json"))
    assert irlint("flatten", "net").err == f"irlint: net: a folder, not a model; expected one of {expected}\n"
    assert (
        irlint("summary", ".").err
        == f"irlint: .: a folder, not a model; one of its folders has {Path('net', 'a.xml')}\n"
    )
    for ending in ("xml", "bin"):  # as exporters call the model next to those of its tokenizer
        shutil.copy(folder / f"a.{ending}", folder / f"openvino_model.{ending}")
    assert irlint("summary", "net").out.startswith(str(Path("net", "openvino_model.xml")))


def test_unrecognized_files_among_models_can_be_skipped(here: Path, irlint: Irlint) -> None:
    (here / "a.json").write_text(CLEAN)
    (here / "b.json").write_text(FOREIGN)
    hint = "irlint: 1 file not recognized as models; use --skip-unrecognized to skip such files\n"
    assert irlint("a.json", "b.json").err == hint
    assert not irlint("b.json").err
    assert irlint("a.json", "b.json", "--skip-unrecognized").status == 0


def test_every_listing_has_the_same_option_for_json(here: Path, irlint: Irlint) -> None:
    (here / "net.json").write_text(CLEAN)
    for words in (["show", "net.json"], ["rule", "R003"], ["rules"], ["summary", "net.json"], ["weights", "net.json"]):
        assert json.loads(irlint(*words, "--output-format", "json").out)
    assert irlint("show", "net.json", "--json").out == irlint("show", "net.json", "--output-format", "json").out


def test_init_writes_an_empty_baseline_where_there_are_no_models(here: Path, irlint: Irlint) -> None:
    (here / "new").mkdir()
    for _ in range(2):
        done = irlint("init", "--baseline", "new")
        assert done.status == 0
        assert "new/irlint-baseline.json: 0 known findings written" in done.err
    assert "baseline: irlint-baseline.json" in (here / "new/irlint.yaml").read_text()


@pytest.mark.parametrize("name", ["labels.txt", "config.pbtxt", "a.png", "empty.onnx", "notes.json", "folder"])
@pytest.mark.parametrize("word", ["summary", "weights", "graph", "flatten"])
def test_what_is_no_model_is_told_in_one_sentence(here: Path, irlint: Irlint, word: str, name: str) -> None:
    Path("net.onnxtxt").write_text(ONNX)
    Path("labels.txt").write_text("cat\ndog\nbird\n")
    Path("config.pbtxt").write_text('backend: "python"\nmax_batch_size: 2\n')
    Path("a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(16))
    Path("empty.onnx").touch()
    Path("notes.json").write_text('{"a": 1}')
    Path("folder").mkdir()
    done = irlint(word, name)
    said = {
        "labels.txt": "not recognized as a supported model file: it is plain text",
        "config.pbtxt": "not a model: it has fields of a Triton configuration",
        "a.png": "not recognized as a supported model file: it is a PNG image",
        "empty.onnx": "the file is empty",
        "notes.json": "not recognized as a supported model file: it is JSON with the key `a`",
        "folder": "a folder without models",
    }
    assert (bool(done.status), done.out, done.err) == (True, "", f"irlint: {name}: {said[name]}\n")
