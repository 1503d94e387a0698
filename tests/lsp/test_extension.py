"""The manifest of the VS Code extension: what it names exists."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irlint_lsp.settings import ClientSettings

FOLDER = Path(__file__).parents[2] / "lsp" / "vscode"
MANIFEST: dict[str, Any] = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
CONTRIBUTED = MANIFEST["contributes"]
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in (FOLDER / "src").rglob("*.ts"))
COMMANDS = {command["command"] for command in CONTRIBUTED["commands"]}


def named_in(value: Any, key: str) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from ([value[key]] if key in value else [])
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from named_in(inner, key)


def test_the_icon_is_a_png_of_128_pixels() -> None:
    data = (FOLDER / MANIFEST["icon"]).read_bytes()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (128, 128)


def test_only_irlint_reports_what_is_wrong_with_a_model() -> None:
    """What a JSON schema of a model finds, irlint finds too: VS Code would show it twice."""
    assert "jsonValidation" not in CONTRIBUTED


def test_it_is_there_for_tabs_that_were_opened_before_it() -> None:
    """Such a tab has VS Code's own editor, in which no document is opened that would wake the extension up."""
    assert "onStartupFinished" in MANIFEST["activationEvents"]
    patterns = list(named_in(CONTRIBUTED["customEditors"], "filenamePattern"))
    name = re.search(r"NAME = /(.*?)/i", (FOLDER / "src/restored.ts").read_text(encoding="utf-8"))
    assert name is not None
    assert patterns == ["{file,vscode-remote}:/**/*.onnx"]
    assert re.search(name[1], "a.onnx")


def test_every_command_is_registered_and_every_menu_names_one() -> None:
    assert [name for name in sorted(COMMANDS) if f'"{name}"' not in SOURCES] == []
    assert set(named_in(CONTRIBUTED["menus"], "command")) <= COMMANDS
    links = re.findall(r"command:(irlint\.\w+)", json.dumps(CONTRIBUTED["walkthroughs"]))
    assert links
    assert set(links) <= COMMANDS


def test_pictures_of_the_walkthrough_exist() -> None:
    pictures = list(named_in(CONTRIBUTED["walkthroughs"], "image"))
    assert len(pictures) >= 3
    assert [name for name in pictures if not (FOLDER / name).is_file()] == []


def test_every_context_key_is_set() -> None:
    whens = " ".join(named_in(CONTRIBUTED, "when"))
    for key in set(re.findall(r"irlint\.\w+", whens)):
        assert f'"setContext", "{key}"' in SOURCES, key


def test_every_setting_is_described_and_has_its_default_in_the_server() -> None:
    settings: dict[str, Any] = {}
    for group in CONTRIBUTED["configuration"]:
        assert group["title"]
        settings.update(group["properties"])
    assert all(setting["markdownDescription"].endswith((".", "`")) for setting in settings.values())
    nested: dict[str, Any] = {"lint": {}}
    for name, setting in settings.items():
        first, _, second = name.removeprefix("irlint.").partition(".")
        (nested[first] if second and first == "lint" else nested)[second or first] = setting["default"]
    assert ClientSettings.read(nested) == (ClientSettings(), [])
