"""The files for other people's collections of packages, and for coding agents, agree with pyproject.toml and the command line."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.helpers import MISSPELT, ROOT, environment

from irlint import __version__
from irlint.cli.dispatch import commands, parser_of
from irlint.config.read_yaml import read_yaml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
AGENTS = ROOT / "lsp/agents"
SKILL = AGENTS / "skills/irlint/SKILL.md"


def _load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release_notes = _load(ROOT / "packaging/release_notes.py")
PLACES: dict[str, str] = release_notes.PLACES


def yaml(path: str) -> Any:
    return read_yaml(path, (ROOT / path).read_bytes()).values


def test_one_version_everywhere() -> None:
    assert set(release_notes.versions().values()) == {__version__}
    for file, pattern in PLACES.items():
        found = re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
        assert set(found) == {__version__}, file


def test_what_the_project_says_of_itself() -> None:
    assert {"Homepage", "Documentation", "Repository", "Changelog", "Issues"} <= set(PROJECT["urls"])
    minors = {int(minor) for minor in re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["classifiers"]))}
    assert minors == set(range(10, 15))


def test_the_recipe_of_conda_forge() -> None:
    recipe = yaml("packaging/conda-forge/recipe.yaml")
    needed = {re.split(r"(?=[<>=])|;", text)[0]: re.sub(r"^[\w.-]+|;.*", "", text) for text in PROJECT["dependencies"]}
    run = dict(text.split(" ", 1) for text in recipe["requirements"]["run"])
    assert run.pop("python") == ">=${{ python_min }}"
    assert run == needed
    (script,) = recipe["build"]["python"]["entry_points"]
    name, _, target = script.partition(" = ")
    assert PROJECT["scripts"] == {name: target}
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["homepage"] == PROJECT["urls"]["Homepage"]
    assert recipe["about"]["repository"] == PROJECT["urls"]["Repository"]
    for line in recipe["tests"][1]["script"]:
        assert line.split()[1] in {*commands(), "--version"}


def test_the_package_of_mason() -> None:
    package = yaml("packaging/mason/package.yaml")
    assert package["name"] == PROJECT["name"]
    assert package["licenses"] == [PROJECT["license"]]
    assert package["homepage"] == PROJECT["urls"]["Homepage"]
    assert package["bin"] == dict.fromkeys(PROJECT["scripts"], "pypi:irlint")


def test_the_configuration_of_nvim_lspconfig(tmp_path: Path) -> None:
    path = ROOT / "packaging/nvim-lspconfig/irlint.lua"
    text = path.read_text(encoding="utf-8")
    assert "cmd = { 'irlint', 'server' }" in text
    assert "'irlint.yaml'" in text
    if (nvim := shutil.which("nvim")) is None:
        pytest.skip("no Neovim here (make e2e)")
    lua = f"local c = dofile('{path}'); io.write(c.cmd[1], ' ', #c.filetypes)"
    done = subprocess.run(
        [nvim, "--headless", "-u", "NONE", "-c", f"lua {lua}", "-c", "qa"], capture_output=True, text=True, check=False
    )
    assert (done.stdout + done.stderr).startswith("irlint 5")


def test_every_file_is_in_the_readme() -> None:
    text = (ROOT / "packaging/README.md").read_text(encoding="utf-8")
    for path in (ROOT / "packaging").rglob("*.*"):
        name = path.relative_to(ROOT / "packaging").as_posix()
        assert f"`{name}`" in text or "__pycache__" in name or name == "README.md", name
    for name in re.findall(r"`(\.\./[\w/.-]+)`", text):
        assert (ROOT / "packaging" / name).is_file(), name


def test_the_plug_in_for_agents_is_found() -> None:
    marketplace = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())
    (plugin,) = marketplace["plugins"]
    manifest = json.loads((ROOT / plugin["source"] / ".claude-plugin/plugin.json").read_text())
    assert manifest["name"] == plugin["name"] == PROJECT["name"]
    assert manifest["description"] == plugin["description"]
    assert manifest["homepage"] == PROJECT["urls"]["Homepage"]


def test_its_server_starts_and_reports(tmp_path: Path) -> None:
    """With a client that can do nothing but take diagnostics, in a process that the manifest names."""
    (server,) = json.loads((AGENTS / ".lsp.json").read_text()).values()
    assert server["command"] in PROJECT["scripts"]
    assert all(extension.startswith(".") for extension in server["extensionToLanguage"])
    document = {"uri": (tmp_path / "net.json").as_uri(), "version": 1, "text": MISSPELT}
    document["languageId"] = server["extensionToLanguage"][".json"]
    messages = (
        {
            "id": 1,
            "method": "initialize",
            "params": {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}},
        },
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": document}},
    )
    command = [sys.executable, "-m", "irlint", *server["args"]]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        process.stdin.flush()
        while (answer := _read(process.stdout)).get("method") != "textDocument/publishDiagnostics":
            pass
        process.kill()
    assert [finding["code"] for finding in answer["params"]["diagnostics"]] == ["R001"]


def _read(stream: Any) -> dict[str, Any]:
    length = 0
    while (line := stream.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    assert length, "the server ended"
    return json.loads(stream.read(length))


def test_the_skill_names_commands_that_there_are() -> None:
    text = SKILL.read_text(encoding="utf-8")
    _, front, body = re.split(r"^---\n", text, maxsplit=2, flags=re.MULTILINE)
    facts = read_yaml(str(SKILL), front.encode()).values
    assert set(facts) == {"name", "description"}
    assert facts["name"] == SKILL.parent.name
    assert len(facts["description"]) <= 1024
    lines = [line.strip() for block in re.findall(r"```sh\n(.*?)```", body, re.DOTALL) for line in block.splitlines()]
    for line in filter(None, lines):
        _, *words = shlex.split(line)
        name, arguments = (words[0], words[1:]) if words[0] in commands() else ("check", words)
        parser_of(name).parse_args(arguments)


def test_the_notes_for_agents_point_to_what_there_is() -> None:
    text = (ROOT / "AGENTS.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)]+)\)", text) + re.findall(r"`((?:tests|irlint|lsp|docs)/[\w/.]+)`", text)
    assert len(targets) > 8
    assert [target for target in targets if not (ROOT / target).exists()] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"make ([\w./]+)", text):
        assert target == ".venv/dev" or re.search(rf"^{target}:", makefile, re.MULTILINE), target
