"""Every request, on every format, in every state of server and document, as VS Code, Neovim and Emacs present themselves."""

from __future__ import annotations

from typing import Any

import pytest

from .client import Client
from .requests import EMPTY, OF_THE_WORKSPACE, requests
from .samples import SAMPLES, Sample

NOT_INITIALIZED, INVALID_REQUEST, INVALID_PARAMS, CANCELLED = -32002, -32600, -32602, -32800
REQUEST_FAILED = -32803
NOWHERE = "file:///nowhere/none.json"
REQUESTS = {**requests(NOWHERE), **OF_THE_WORKSPACE}


def test_before_initialize_and_after_shutdown(raw: Client) -> None:
    codes = {method: raw.request(method, params) for method, params in REQUESTS.items()}
    assert {raw.answer(id_)["error"]["code"] for id_ in codes.values()} == {NOT_INITIALIZED}
    raw.initialize({})
    raw.ask("shutdown")
    codes = {method: raw.request(method, params) for method, params in REQUESTS.items()}
    assert {raw.answer(id_)["error"]["code"] for id_ in codes.values()} == {INVALID_REQUEST}
    raw.tell("exit", None)
    assert raw.wait() == 0


def test_params_that_are_none(editor: Client) -> None:
    for params in (None, [], 5, {"textDocument": 1}, {"textDocument": {}, "position": {"line": "x"}}):
        ids = [editor.request(method, params) for method in REQUESTS]
        assert {editor.answer(id_)["error"]["code"] for id_ in ids} == {INVALID_PARAMS}, params


def test_documents_that_are_not_open_or_no_models(editor: Client, uri: str) -> None:
    _all_empty(editor, uri)
    for text in ("", "{}", "[1, 2]", "int main() {}", "<a/>", "\x00\ufffe", '{"nodes": 5}'):
        editor.open(uri, text)
        _all_empty(editor, uri)
        editor.close(uri)
    _all_empty(editor, uri)


def _all_empty(editor: Client, uri: str) -> None:
    ids = {method: editor.request(method, params) for method, params in requests(uri).items()}
    for method, id_ in ids.items():
        answer = editor.answer(id_)
        result = answer["result"]
        if method == "textDocument/diagnostic":
            assert (result["kind"], result["items"]) == ("full", [])
        else:
            assert result in EMPTY, (method, answer)


def test_models_whole_closed_and_broken(editor: Client, sample: Sample, uri: str) -> None:
    spots = [{"line": line, "character": column} for line in range(0, sample.text.count("\n"), 9) for column in (3, 14)]
    editor.open(uri, sample.text)
    for at in spots:
        _answered(editor, uri, at)
    editor.close(uri)
    _all_empty(editor, uri)
    for cut in range(10, len(sample.text), len(sample.text) // 7):
        editor.open(uri, sample.text[:cut])
        for at in (spots[0], spots[-1], {"line": sample.text[:cut].count("\n"), "character": 2}):
            _answered(editor, uri, at)
        editor.close(uri)


def _answered(editor: Client, uri: str, at: dict[str, int]) -> None:
    """No error but the refusal of a rename."""
    ids = {method: editor.request(method, params) for method, params in requests(uri, at).items()}
    for method, id_ in ids.items():
        answer: dict[str, Any] = editor.answer(id_)
        code = answer.get("error", {}).get("code")
        assert code is None or (code == REQUEST_FAILED and method == "textDocument/rename"), (method, answer)


def test_cancelled(editor: Client, sample: Sample, uri: str) -> None:
    editor.open(uri, sample.text)
    ids = [editor.request(method, params) for method, params in requests(uri).items()]
    for id_ in ids:
        editor.tell("$/cancelRequest", {"id": id_})
    answers = [editor.answer(id_) for id_ in ids]
    assert all("result" in a or a["error"]["code"] in (CANCELLED, REQUEST_FAILED) for a in answers), answers
    editor.close(uri)


@pytest.mark.parametrize("method", ["textDocument/didChange", "textDocument/didClose", "textDocument/didSave"])
def test_notifications_about_documents_that_are_not_open(editor: Client, method: str) -> None:
    editor.tell(method, {"textDocument": {"uri": NOWHERE, "version": 3}, "contentChanges": [{"text": "x"}]})
    for params in (None, [], 5, {}, {"textDocument": {"uri": NOWHERE}}):
        editor.tell(method, params)
    assert isinstance(editor.ask("workspace/symbol", {"query": "?"}), list)


def test_every_sample_is_sound() -> None:
    from irlint import engine

    for sample in SAMPLES:
        assert not [f for f in engine.lint(sample.text, sample.name).findings if f.severity == 2]
