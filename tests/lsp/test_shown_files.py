"""Documents that show the text of a binary: its findings, and fixes that the server writes to the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from irlint_lsp.documents import path_of, text_uri_of

from .binaries import binary
from .client import Client
from .requests import NOTHING
from .samples import onnx

WRONG = onnx().replace("Relu (r1)", "Relu <alhpa: float = 1.0> (r1)")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A binary model with one mistake."""
    path = tmp_path / "my model.onnx"
    path.write_bytes(binary(WRONG))
    return path


@pytest.fixture
def uri(path: Path) -> str:
    return text_uri_of(str(path))


def shown(client: Client, uri: str) -> str:
    return str(client.ask("irlint/text", {"uri": uri})["text"])


def opened(client: Client, uri: str) -> list[dict[str, Any]]:
    client.open(uri, shown(client, uri))
    return client.diagnostics(uri, 1)


def fixes(client: Client, uri: str, found: dict[str, Any]) -> list[dict[str, Any]]:
    params = {"textDocument": {"uri": uri}, "range": found["range"], "context": {"diagnostics": []}}
    actions: list[dict[str, Any]] = client.ask("textDocument/codeAction", params)
    return [action for action in actions if action.get("command", {}).get("command") == "irlint.rewrite"]


def fixed(client: Client, uri: str) -> dict[str, Any]:
    (found,) = client.diagnostics(uri, 1)
    action = fixes(client, uri, found)[0]
    assert "edit" not in action
    return executed(action)


def executed(action: dict[str, Any]) -> dict[str, Any]:
    return {key: action["command"][key] for key in ("command", "arguments")}


def changed(client: Client, uri: str) -> None:
    client.find(lambda m: m.get("method") == "irlint/textChanged" and m["params"] == {"uri": uri})


def test_a_file_and_the_document_that_shows_it_have_one_path(path: Path, uri: str) -> None:
    assert uri.startswith("irlint-text:/")
    assert path_of(uri) == path_of(path.as_uri()) == str(path)
    assert path_of(uri.replace(":/", ":///", 1)) == str(path)


def test_the_text_of_a_binary_is_checked(client: Client, path: Path, uri: str) -> None:
    assert shown(client, uri) == shown(client, path.as_uri()) == WRONG
    (found,) = opened(client, uri)
    lines = WRONG.splitlines()
    assert lines[found["range"]["start"]["line"]][found["range"]["start"]["character"] :].startswith("alhpa")


def test_navigation_in_a_binary(client: Client, uri: str) -> None:
    opened(client, uri)
    line = next(k for k, text in enumerate(WRONG.splitlines()) if "[relu2]" in text)
    at = {
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": WRONG.splitlines()[line].index("(r1)") + 1},
    }
    target = client.ask("textDocument/definition", at)
    assert target["uri"] == uri
    assert target["range"]["start"]["line"] == line - 1
    assert "f32[2,3]" in client.ask("textDocument/hover", at)["contents"]["value"]
    assert client.ask("irlint/graph", {"uri": uri})["scene"]["boxes"]
    assert client.ask("textDocument/prepareRename", at) is None
    assert client.error("textDocument/rename", {**at, "newName": "fresh"}) == -32803


def test_a_fix_is_written_to_the_file(client: Client, path: Path, uri: str) -> None:
    opened(client, uri)
    command = fixed(client, uri)
    client.forget()
    client.ask("workspace/executeCommand", command)
    assert path.read_bytes() == binary(onnx())
    changed(client, uri)
    assert shown(client, uri) == onnx()
    assert client.diagnostics(uri, 1) == []
    client.forget()
    client.change(uri, 2, [{"text": onnx()}])  # the editor has asked for the text
    assert client.diagnostics(uri, 2) == []
    assert client.error("workspace/executeCommand", command) == -32803  # it was a fix of another text


def test_a_client_without_the_scheme_sends_the_text_that_it_shows(client: Client, path: Path) -> None:
    uri = path.as_uri()
    (found,) = opened(client, uri)
    client.ask("workspace/executeCommand", executed(fixes(client, uri, found)[0]))
    changed(client, uri)
    assert path.read_bytes() == binary(onnx())


def test_all_safe_fixes_are_written_at_once(client: Client, path: Path, uri: str) -> None:
    path.write_bytes(binary(onnx().replace("   ir_version: 10,\n", "")))
    opened(client, uri)
    context = {"diagnostics": [], "only": ["source.fixAll"]}
    params = {"textDocument": {"uri": uri}, "range": NOTHING, "context": context}
    (action,) = client.ask("textDocument/codeAction", params)
    client.ask("workspace/executeCommand", executed(action))
    assert shown(client, uri) == onnx()


def test_a_file_that_has_changed_is_not_overwritten(client: Client, path: Path, uri: str) -> None:
    opened(client, uri)
    command = fixed(client, uri)
    other = binary(onnx(6))
    path.write_bytes(other)
    assert client.error("workspace/executeCommand", command) == -32803
    assert path.read_bytes() == other
    client.forget()
    client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})
    changed(client, uri)
    assert client.diagnostics(uri, 1) == []
    path.unlink()
    client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 3}]})
    changed(client, uri)
    assert client.error("irlint/text", {"uri": uri}) == -32803


def test_what_is_no_model_has_no_text(client: Client, path: Path, uri: str) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9)
    answer = client.answer(client.request("irlint/text", {"uri": uri}))
    assert "PNG" in answer["error"]["message"]
    path.write_text(onnx(), encoding="utf-8")
    assert shown(client, uri) == onnx()
    for params in ({"uri": "untitled:x"}, {"uri": 3}, {}):
        assert client.error("irlint/text", params) == -32602
    for arguments in ([], [uri, "x", []], [1, 2, 3]):
        assert client.error("workspace/executeCommand", {"command": "irlint.rewrite", "arguments": arguments}) == -32602


def test_the_workspace_has_findings_of_binaries(raw: Client, path: Path, uri: str) -> None:
    raw.initialize({"textDocument": {"diagnostic": {}}}, rootUri=path.parent.as_uri())
    reports = raw.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert [(report["uri"], len(report["items"])) for report in reports] == [(uri, 1)]
    previous = [{"uri": uri, "value": reports[0]["resultId"]}]
    (again,) = raw.ask("workspace/diagnostic", {"previousResultIds": previous})["items"]
    assert (again["uri"], again["kind"]) == (uri, "unchanged")
    raw.open(uri, shown(raw, uri))
    assert raw.ask("workspace/diagnostic", {"previousResultIds": []})["items"] == []
