"""Documents that settings leave out, or that are linted on saving only: nothing is told of them, and every request is answered."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rule_cases.texts import OPENVINO

from .client import FULL, Client
from .requests import requests
from .samples import SAMPLES

SAMPLE = SAMPLES[1]
BROKEN = SAMPLE.text.replace(*SAMPLE.wrong, 1)
PULLS = {**FULL, "textDocument": {**FULL["textDocument"], "diagnostic": {}}}  # type: ignore[dict-item]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / SAMPLE.name


@pytest.fixture
def pulling() -> Iterator[Client]:
    with Client(capabilities=PULLS) as client:
        yield client


def settings(client: Client, **values: Any) -> None:
    client.forget()
    client.tell("workspace/didChangeConfiguration", {"settings": {"irlint": values}})


def codes(client: Client, uri: str, version: int = 1) -> list[str]:
    return [d["code"] for d in client.diagnostics(uri, version)]


def all_answered(client: Client, uri: str, leave: tuple[str, ...] = ()) -> dict[str, Any]:
    at = {"line": SAMPLE.text[: SAMPLE.text.index("relu")].count("\n"), "character": 25}
    ids = {m: client.request(m, params) for m, params in requests(uri, at).items() if m not in leave}
    return {method: client.answer(id_) for method, id_ in ids.items()}


def test_what_is_switched_off_is_silent_until_it_is_on_again(client: Client, path: Path) -> None:
    uri = path.as_uri()
    client.open(uri, BROKEN)
    assert codes(client, uri) == ["A005"]
    settings(client, enable=False)
    assert codes(client, uri) == []
    client.change(uri, 2, [{"text": BROKEN}])
    assert all_answered(client, uri)["textDocument/hover"]["result"] is None
    settings(client, enable=True)
    assert codes(client, uri, 2) == ["A005"]


def test_what_a_configuration_excludes_is_silent(client: Client, path: Path) -> None:
    uri, config = path.as_uri(), path.parent / "irlint.yaml"
    client.open(uri, BROKEN)
    assert codes(client, uri) == ["A005"]
    for content, expected in (('exclude: ["*.json"]\n', []), ("ignore: [O]\n", ["A005"])):
        config.write_text(content, encoding="utf-8")
        client.forget()
        client.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        assert codes(client, uri) == expected
        all_answered(client, uri)


def test_on_saving_only(client: Client, path: Path) -> None:
    uri = path.as_uri()
    settings(client, lint={"run": "onSave"})
    client.open(uri, SAMPLE.text)
    assert codes(client, uri) == []
    client.forget()
    client.change(uri, 2, [{"text": BROKEN}])
    answers = all_answered(client, uri, leave=("textDocument/diagnostic",))
    assert answers["textDocument/codeAction"]["result"] is not None
    assert not [m for m in client.messages if m.get("method") == "textDocument/publishDiagnostics"]
    client.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert codes(client, uri, 2) == ["A005"]


def test_on_saving_only_a_pull_waits_for_it(pulling: Client, path: Path) -> None:
    uri = path.as_uri()
    settings(pulling, lint={"run": "onSave"})
    pulling.open(uri, SAMPLE.text)
    ask = {"textDocument": {"uri": uri}}
    assert pulling.ask("textDocument/diagnostic", ask)["items"] == []
    pulling.change(uri, 2, [{"text": BROKEN}])
    pulled = pulling.request("textDocument/diagnostic", ask)
    all_answered(pulling, uri, leave=("textDocument/diagnostic",))
    assert not [m for m in pulling.messages if m.get("id") == pulled and "method" not in m]
    pulling.tell("textDocument/didSave", ask)
    assert [d["code"] for d in pulling.answer(pulled)["result"]["items"]] == ["A005"]


def test_a_result_id_stands_for_one_state_of_one_opening(pulling: Client, path: Path) -> None:
    uri = path.as_uri()
    seen = set[str]()
    for text in (SAMPLE.text, BROKEN) * 6:
        pulling.open(uri, text)
        for version in (2, 3):
            report = pulling.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            assert report["resultId"] not in seen
            seen.add(report["resultId"])
            params = {"textDocument": {"uri": uri}, "previousResultId": report["resultId"]}
            assert pulling.ask("textDocument/diagnostic", params)["kind"] == "unchanged"
            pulling.change(uri, version, [{"text": text}])
        pulling.close(uri)


def test_reports_of_a_workspace_change_with_the_weights(tmp_path: Path) -> None:
    model, weights = tmp_path / "toy.xml", tmp_path / "toy.bin"
    constant = (
        '<layer id="1" name="c" type="Const" version="opset1"><data element_type="f32" shape="2" offset="0" size="8"/>'
        '<output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>'
    )
    result = '<layer id="2" name="r" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>2</dim></port></input></layer>'
    model.write_text(
        f'<?xml version="1.0"?><net name="n" version="11"><layers>{constant}{result}</layers>'
        '<edges><edge from-layer="1" from-port="0" to-layer="2" to-port="0"/></edges></net>',
        encoding="utf-8",
    )
    with Client(start=False) as client:
        client.initialize(PULLS, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "all"}])
        found = []
        previous: list[dict[str, str]] = []
        for size in (None, 8, 4):
            if size is not None:
                weights.write_bytes(b"\0" * size)
            items = client.ask("workspace/diagnostic", {"previousResultIds": previous})["items"]
            found.append([d["code"] for item in items for d in item["items"]])
            previous = [{"uri": item["uri"], "value": item["resultId"]} for item in items]
        assert found == [["W001"], [], ["W002"]]
        (again,) = client.ask("workspace/diagnostic", {"previousResultIds": previous})["items"]
        assert again["kind"] == "unchanged"


def test_what_git_tracks_decides_about_missing_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    model, weights = tmp_path / "toy.xml", tmp_path / "toy.bin"
    model.write_text(OPENVINO, encoding="utf-8")

    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True)

    def index_changed() -> dict[str, Any]:
        return {"changes": [{"uri": (tmp_path / ".git/index").as_uri(), "type": 2}]}

    git("init", "-q")
    with Client(start=False) as client:
        client.initialize(PULLS, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "all"}])
        previous: list[dict[str, str]] = []
        severities = []
        for step in ("untracked", "tracked"):
            if step == "tracked":
                weights.write_bytes(bytes(12))
                git("add", "toy.bin")
                weights.unlink()
            items = client.ask("workspace/diagnostic", {"previousResultIds": previous})["items"]
            severities += [d["severity"] for item in items for d in item["items"]]
            previous = [{"uri": item["uri"], "value": item["resultId"]} for item in items]
        assert severities == [2, 1]
    with Client() as client:
        client.open(model.as_uri(), OPENVINO)
        assert [d["severity"] for d in client.diagnostics(model.as_uri(), 1)] == [1]
        git("rm", "-q", "--cached", "toy.bin")
        client.tell("workspace/didChangeWatchedFiles", index_changed())

        def is_a_warning(message: dict[str, Any]) -> bool:
            found = message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]
            return bool(found) and [d["severity"] for d in found] == [2]

        client.find(is_a_warning)
