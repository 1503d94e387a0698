"""README and docs show what irlint does today: commands are run, their output is what it prints, configurations are read.

IRLINT_UPDATE=1 writes the outputs anew.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from irlint.cli.dispatch import commands, parser_of
from irlint.config.build import build
from irlint.config.read_yaml import read_yaml
from irlint.formats.base import by_name
from irlint.rules.registry import all_rules

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
START = ROOT / "docs/start.md"
IN_TESTS = ROOT / "docs/ci/pytest.md"  # pytest runs what it shows
ELSEWHERE = ROOT / "docs/schemas-elsewhere.md"  # tests/ci/test_schema_recipes.py runs what it shows
OMITTED = "...\n"  # what follows is not shown
LIMIT = 120  # seconds
GENERATED = {f"docs/rules/{name}.md" for name in ("index", *(rule.name for rule in all_rules().values()))} | {
    f"docs/{path}"
    for path in (
        "images/editor.png",
        "images/graph.svg",
        *(f"reference/{n}.md" for n in ("api", "commands", "configuration", "ncnn-layers")),
    )
}  # by docs/.site

_BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    page: Path
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.text.split(chr(10))[0]}"


def blocks(*kinds: str) -> list[Block]:
    found = [Block(page, m[2], m[3]) for page in PAGES for m in _BLOCK.finditer(page.read_text(encoding="utf-8"))]
    return [block for block in found if block.kind in kinds]


def run(*words: str, where: Path = ROOT) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *words], cwd=where, env=env, capture_output=True, text=True, timeout=LIMIT, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize("block", [b for b in blocks("console") if b.page != START], ids=str)
def test_what_is_shown_is_what_is_printed(block: Block) -> None:
    _is_printed(block, ROOT)


def test_a_newcomers_page_works_from_top_to_bottom(tmp_path: Path) -> None:
    """In a repository of their own, with nothing but what the page has them save."""
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True, timeout=LIMIT)
    ((name, text),) = re.findall(
        r"as `([\w.]+)`;.*?\n\n```text\n(.*?)```", START.read_text(encoding="utf-8"), re.DOTALL
    )
    (tmp_path / name).write_text(text, encoding="utf-8")
    shown = [block for block in blocks("console") if block.page == START]
    assert [_is_printed(block, tmp_path) for block in shown] == [1, 1, 0, 0]
    assert run("-m", "irlint", ".", where=tmp_path).returncode == 0
    (hook,) = [block.text for block in blocks("yaml") if block.page == START]
    assert (tmp_path / ".pre-commit-config.yaml").read_text(encoding="utf-8") == hook


def _is_printed(block: Block, where: Path) -> int:
    """Runs a block's command and compares; gives the exit status."""
    line, _, shown = block.text.partition("\n")
    words = shlex.split(line.removeprefix("$ "))
    assert words[0] == "irlint"
    done = run("-m", *words, where=where)
    assert done.returncode in (0, 1), done.stderr
    if shown.endswith(OMITTED):
        assert done.stdout.startswith(shown.removesuffix(OMITTED))
    elif os.environ.get("IRLINT_UPDATE"):
        page = block.page.read_text(encoding="utf-8")
        new = page.replace(f"```console\n{block.text}```", f"```console\n{line}\n{done.stdout}```")
        block.page.write_text(new, encoding="utf-8")
    else:
        assert shown == done.stdout, "IRLINT_UPDATE=1 writes the pages anew"
    return done.returncode


def _shell_lines() -> list[str]:
    """Commands in blocks for the shell and within the text, each once."""
    lines = [line.partition(" #")[0].strip() for block in blocks("sh") for line in block.text.split("\n")]
    for page in PAGES:
        text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
        lines += re.findall(r"`(irlint [^`]+)`", text)
        lines += [f"irlint {words}" for words in re.findall(r"`(--[a-z-]+(?: [^`]*)?)`", text) if "check" in words]
    return sorted(
        {line for line in lines if line.startswith("irlint ") and line not in ("irlint --help", "irlint --version")}
    )


@pytest.mark.parametrize("line", _shell_lines())
def test_every_command_is_one(line: str) -> None:
    """Names, options and choices exist; `> file` is the shell's."""
    name, *arguments = ("3" if word == "N" else word for word in shlex.split(line.partition(" >")[0])[1:])
    if name not in commands():
        name, arguments = "check", [name, *arguments]
    if arguments:  # else the text only says what the command is called
        parser_of(name).parse_args(arguments)


def _runnable() -> list[str]:
    """Commands that need nothing but the repository."""
    named = ("rule", "rules", "schema", "summary", "flatten", "ngrams", "formats", "completion")
    lines = [shlex.split(line.partition(" >")[0])[1:] for line in _shell_lines()]
    return [
        shlex.join(words)
        for words in lines
        if words[0] in named
        and (len(words) > 1 or words[0] == "rules")
        and all((ROOT / w).exists() for w in words[1:] if "/" in w)
        and not {"FILE", "NAME", "MODEL", "CODE", "MODEL...", "model.xml", "model.json"} & set(words)
        and not any(word.endswith((".json", ".xml", ".xsd", ".txt", ".jsonl")) and "/" not in word for word in words)
    ]


@pytest.mark.parametrize("line", _runnable())
def test_it_runs(line: str) -> None:
    done = run("-m", "irlint", *shlex.split(line))
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_every_option_named_is_one() -> None:
    known = {option for name in commands() for action in parser_of(name)._actions for option in action.option_strings}
    known |= {"--version", "--stdio", "--help"}
    for page in PAGES:
        text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
        for option in re.findall(r"`(--[a-z][a-z-]*)", text):
            assert option in known, f"{page.name}: {option}"


@pytest.mark.parametrize("block", [b for b in blocks("yaml") if re.search(r"^(select|rules):", b.text, re.M)], ids=str)
def test_configurations_are_configurations(block: Block) -> None:
    build(read_yaml(str(block.page), block.text.encode()), str(ROOT))


@pytest.mark.parametrize("block", blocks("yaml"), ids=str)
def test_yaml_is_yaml_and_names_hooks_that_there_are(block: Block) -> None:
    read_yaml(str(block.page), block.text.encode()) if not block.text.startswith("- ") else None
    manifest = (ROOT / ".pre-commit-hooks.yaml").read_text()
    for hook in re.findall(r"- id: ([\w-]+)", block.text) if block.page != ELSEWHERE else ():
        assert f"- id: {hook}\n" in manifest


@pytest.mark.parametrize("block", blocks("json"), ids=str)
def test_json_is_json(block: Block) -> None:
    json.loads(block.text)


@pytest.mark.parametrize("block", blocks("toml"), ids=str)
def test_toml_is_toml(block: Block) -> None:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    tomllib.loads(block.text)


@pytest.mark.parametrize("block", [b for b in blocks("xml") if "irlint" in b.text and b.page != ELSEWHERE], ids=str)
def test_what_is_said_to_silence_does(block: Block) -> None:
    inside = block.text if "rt_info" in block.text else f"<layers>\n{block.text}</layer></layers>"
    document = by_name("openvino").open(f'<net name="n" version="11">\n{inside}</net>', "n.xml")
    assert not document.troubles
    (said,) = by_name("openvino").suppressions(document)
    assert said.words <= {word for rule in all_rules().values() for word in (rule.code, rule.name)}
    assert said.words


@pytest.mark.parametrize("block", blocks("lua", "elisp"), ids=str)
def test_what_editors_load_is_there(block: Block) -> None:
    (name,) = re.findall(r"\(require [\"']?([\w-]+)|require\(\"([\w-]+)\"\)", block.text)
    assert list((ROOT / "lsp").glob(f"*/{''.join(name)}.{'el' if block.kind == 'elisp' else 'lua'}"))


@pytest.mark.parametrize("block", [b for b in blocks("json", "toml") if b.page.parent.name == "editors"], ids=str)
def test_editors_start_a_command_that_there_is(block: Block) -> None:
    words = re.findall(r'"(\w+)"', "".join(re.findall(r'^.*(?:"command"|command =|args =).*$', block.text, re.M)))
    program, name = [word for word in words if word != "command"]
    assert (program, name in commands()) == ("irlint", True)


def test_no_block_is_without_a_kind() -> None:
    known = {"console", "sh", "yaml", "json", "toml", "python", "xml", "text", "lua", "elisp", "mermaid"}
    assert {m[2] for page in PAGES for m in _BLOCK.finditer(page.read_text(encoding="utf-8"))} <= known


def test_the_readme_shows_one_configuration() -> None:
    shown = [b for b in blocks("yaml") if b.page.name == "README.md" and "select:" in b.text]
    assert len(shown) == 1


@pytest.mark.parametrize("block", [b for b in blocks("python") if b.page not in (ELSEWHERE, IN_TESTS)], ids=str)
def test_the_python_is_python(block: Block, tmp_path: Path) -> None:
    """Scripts for clusters run where those are installed, over a folder and into another one."""
    code = block.text.replace('"model.json"', repr(str(ROOT / "examples/lightnet/misspelt.json")))
    code = code.replace('"model.onnx"', repr(str(ROOT / "examples/onnx/encoder.onnx")))
    code = code.replace('"model.xml"', repr(str(ROOT / "examples/openvino/digits.xml")))
    compile(code, str(block), "exec")
    for package in re.findall(r"^(?:import|from) (ray|pyspark)\b", code, re.M):
        pytest.importorskip(package)
    done = run("-c", code, str(ROOT / "examples/onnx"), str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert block.page.name == "run.md" or "R001" in done.stdout + "".join(
        path.read_text() for path in tmp_path.glob("out/*[0-9n]")
    )


@pytest.mark.parametrize(("model", "outcome"), [("digits", "1 passed"), ("mistakes", "1 failed")])
def test_the_test_of_an_exporter_fails_with_the_report(model: str, outcome: str, tmp_path: Path) -> None:
    (block,) = [block for block in blocks("python") if block.page == IN_TESTS]
    export = (
        f"import shutil\n\ndef export(path):\n    shutil.copy({str(ROOT / f'examples/onnx/{model}.onnx')!r}, path)\n\n"
    )
    (tmp_path / "test_export.py").write_text(export + block.text)
    done = run("-m", "pytest", "-p", "no:cacheprovider", "--rootdir", ".", "test_export.py", where=tmp_path)
    assert outcome in done.stdout
    assert ("R001[undefined-reference]" in done.stdout) == (model == "mistakes")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not target.startswith("https://"):
            place = os.path.normpath(os.path.join(page.parent, target))
            assert os.path.exists(place) or os.path.relpath(place, ROOT) in GENERATED, target


def test_the_unreleased_changelog_is_one_page_of_links_to_the_site() -> None:
    unreleased = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n## ")[2].partition("\n## ")[0]
    assert unreleased.count("\n") < 90, "say what users can do, not what was repaired"
    pages = set(re.findall(r"\(https://irlint\.readthedocs\.io/([\w/-]+)/(?:#[\w-]+)?\)", unreleased)) - {"playground"}
    assert len(pages) > 20
    for page in pages:
        places = {f"docs/{page}.md", f"docs/{page}/index.md"}
        assert places & GENERATED or any((ROOT / place).exists() for place in places), page


def test_the_gitlab_job_is_the_one_of_the_page() -> None:
    job = (ROOT / "ci/gitlab.yml").read_text().partition("\n")[2]
    assert job in (ROOT / "docs/ci/gitlab.md").read_text()


@pytest.mark.parametrize(
    "page", [p for p in PAGES if p.parent.name == "howto" and p.name != "index.md"], ids=lambda p: p.stem
)
def test_a_runtimes_message_leads_to_the_finding(page: Path) -> None:
    """Each page names the rule that its sample breaks."""
    text = page.read_text(encoding="utf-8")
    rule = re.findall(r"The rule is \[([\w-]+)\]", text)
    assert f"[{rule[0]}]" in re.findall(r"```console\n(.*?)```", text, re.DOTALL)[0]


@pytest.mark.parametrize(
    ("variable", "suffix", "code"),
    [
        ("IRLINT_OPENVINO_PYTHON", ".xml", "import sys, openvino\nopenvino.Core().read_model(sys.argv[1])"),
        (
            "IRLINT_MXNET_PYTHON",
            "-symbol.json",
            "import sys, mxnet\nmxnet.sym.load(sys.argv[1]).infer_shape(data=(2, 8))",
        ),
    ],
)
def test_the_runtimes_say_so(variable: str, suffix: str, code: str) -> None:
    """The messages that the how-to pages begin with are what the runtimes say of the samples."""
    python = os.environ.get(variable)
    if not python:
        pytest.skip(f"no runtime here (set {variable})")
    for sample in sorted((ROOT / "docs/samples").glob(f"*{suffix}")):
        page = ROOT / "docs/howto" / f"{sample.name.removesuffix(suffix)}.md"
        message = re.findall(r"```text\n(.*?)\n```", page.read_text(encoding="utf-8"), re.DOTALL)[0].strip()
        command = [python, "-c", code, str(sample)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        assert message in done.stderr, sample.name


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed (make docs)")
    done = run("-m", "mkdocs", "--quiet", "build", "--strict", "--site-dir", str(tmp_path / "site"))
    assert done.returncode == 0, done.stderr
    for rule in all_rules().values():
        assert (tmp_path / "site/rules" / rule.name / "index.html").is_file()
    assert (tmp_path / "site/schemas/irlint-config.schema.json").is_file()
    assert "api uses config" in (tmp_path / "site/architecture/index.html").read_text(encoding="utf-8")


def test_no_page_holds_the_marks_of_a_merge() -> None:
    marks = re.compile(r"^(<{7}|>{7}|={7}$)", re.MULTILINE)
    assert [str(page) for page in PAGES if marks.search(page.read_text(encoding="utf-8"))] == []
