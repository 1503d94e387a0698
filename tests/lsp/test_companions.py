"""Companions in an editor: findings in both files, which follow edits of either; what the model says of a name; fixes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from companions import frigate, genai, ultralytics
from companions.planted import write
from companions.triton import CONFIG, NET
from irlint_lsp.documents import uri_of

from .client import Client

WRONG = CONFIG.replace("TYPE_FP32 format", "TYPE_FP16 format")
REQUEST = "model_warmup"


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as client:
        yield client


@pytest.fixture
def uris(tmp_path: Path) -> tuple[str, str]:
    """Those of a configuration and its model, as they are on disk: both right."""
    (tmp_path / "net/1").mkdir(parents=True)
    config, model = tmp_path / "net/config.pbtxt", tmp_path / "net/1/model.onnx"
    config.write_text(CONFIG, encoding="utf-8")
    (tmp_path / "net/labels.txt").write_text("a\nb\nc\n", encoding="utf-8")
    model.write_text(NET, encoding="utf-8")
    return uri_of(str(config)), uri_of(str(model))


def position(text: str, at: int) -> dict[str, int]:
    before = text[:at].split("\n")
    return {"line": len(before) - 1, "character": len(before[-1])}


def pushed(client: Client, uri: str, code: str | None) -> dict[str, Any]:
    """The finding with a code, once it is there; with none, wait until there are no findings."""

    def fits(message: dict[str, Any]) -> bool:
        params = message.get("params") or {}
        if message.get("method") != "textDocument/publishDiagnostics" or params["uri"] != uri:
            return False
        codes = [found["code"] for found in params["diagnostics"]]
        return code in codes if code else not codes

    found = client.find(fits)["params"]["diagnostics"]
    return next((each for each in found if each["code"] == code), {})


def test_a_finding_is_shown_in_both_files(client: Client, uris: tuple[str, str]) -> None:
    config, model = uris
    client.open(model, NET)
    client.open(config, WRONG.split(REQUEST)[0])
    found = pushed(client, config, "F003")
    assert found["range"]["start"] == position(WRONG, WRONG.index("TYPE_FP16"))
    assert found["relatedInformation"][0]["location"]["uri"] == model
    mirrored = pushed(client, model, "F003")
    assert mirrored["range"]["start"] == position(NET, NET.index("image"))
    assert mirrored["message"] == found["message"]
    assert mirrored["relatedInformation"][0]["location"]["uri"] == config


def test_an_edit_of_the_model_is_compared_before_it_is_saved(client: Client, uris: tuple[str, str]) -> None:
    config, model = uris
    client.open(config, CONFIG)
    pushed(client, config, None)
    client.open(model, NET)
    client.forget()
    client.change(model, 2, [{"text": NET.replace("float[N,3,8,8]", "float[N,3,8,9]")}])
    assert "dimension 3 is 9, not 8" in pushed(client, config, "F004")["message"]
    client.forget()
    client.close(model)
    pushed(client, config, None)


def test_a_closed_companion_leaves_no_finding_in_the_model(client: Client, uris: tuple[str, str]) -> None:
    config, model = uris
    client.open(model, NET)
    client.open(config, WRONG.split(REQUEST)[0])
    pushed(client, model, "F003")
    client.forget()
    client.close(config)
    pushed(client, model, None)


def test_hover_shows_what_the_model_says(client: Client, uris: tuple[str, str]) -> None:
    config, _ = uris
    client.open(config, CONFIG)
    params = {"textDocument": {"uri": config}, "position": position(CONFIG, CONFIG.index('"image"') + 2)}
    shown = client.ask("textDocument/hover", params)["contents"]["value"]
    assert "float32" in shown
    assert "3, 8, 8" in shown


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ('"input_ids",', "input 'input_ids' of model.onnx is int64 [B, S]"),
        ('"logits",', "output 'logits' of model.onnx is float32 [B, S, 38]"),
        ('"present_%d_key"', "output 'present_0_key' of model.onnx is float32 [B, 2, P, 16]"),
    ],
)
def test_hover_shows_the_tensor_of_a_genai_name(client: Client, tmp_path: Path, name: str, expected: str) -> None:
    write(genai.FILES, tmp_path)
    uri = uri_of(str(tmp_path / "llm/genai_config.json"))
    client.open(uri, genai.CONFIG)
    params = {"textDocument": {"uri": uri}, "position": position(genai.CONFIG, genai.CONFIG.index(name) + 2)}
    assert expected in client.ask("textDocument/hover", params)["contents"]["value"].replace("\\", "")


@pytest.mark.parametrize(
    ("at", "expected"),
    [('"image"', '"size"'), ("TYPE_FP32", "TYPE_FP32"), ("TYPE_FP32", "TYPE_INT64"), ("dims: [ 3", "3")],
)
def test_completion_offers_what_fits(client: Client, uris: tuple[str, str], at: str, expected: str) -> None:
    config, _ = uris
    client.open(config, CONFIG)
    params = {"textDocument": {"uri": config}, "position": position(CONFIG, CONFIG.index(at) + len(at))}
    items = client.ask("textDocument/completion", params)["items"]
    assert expected in {item["label"] for item in items}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("max_batch", "max_batch_size"), ("input { da", "data_type"), ("input { data_type: T", "TYPE_FP16")],
)
def test_completion_knows_fields_while_they_are_written(
    client: Client, uris: tuple[str, str], text: str, expected: str
) -> None:
    config, _ = uris
    client.open(config, f'backend: "onnxruntime"\n{text}')
    params = {"textDocument": {"uri": config}, "position": {"line": 1, "character": len(text)}}
    assert expected in {item["label"] for item in client.ask("textDocument/completion", params)["items"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [('output [ { name: "" } ]', '"scores"'), ('input [ { name: "" } ]', '"image"')],
)
def test_completion_knows_names_that_are_not_written_yet(
    client: Client, uris: tuple[str, str], text: str, expected: str
) -> None:
    config, _ = uris
    client.open(config, f'backend: "onnxruntime"\n{text}')
    params = {"textDocument": {"uri": config}, "position": {"line": 1, "character": text.index('""') + 1}}
    assert expected in {item["label"] for item in client.ask("textDocument/completion", params)["items"]}


def test_hover_still_knows_the_model_where_the_rest_cannot_be_read(client: Client, uris: tuple[str, str]) -> None:
    config, _ = uris
    text = f'{CONFIG}output [ {{ name: "'
    client.open(config, text)
    assert pushed(client, config, "S001")
    params = {"textDocument": {"uri": config}, "position": position(text, text.index('"image"') + 2)}
    assert "float32" in client.ask("textDocument/hover", params)["contents"]["value"]


@pytest.mark.parametrize(
    ("kind", "at", "expected"),
    [
        (genai, '"vocab_size": 38', "38"),
        (genai, '"type": "llama', '"phi3"'),
        (ultralytics, "task: pose", "segment"),
        (frigate, "input_tensor: nchw", "nhwc"),
    ],
)
def test_completion_offers_values_and_sizes(
    client: Client, tmp_path: Path, kind: ModuleType, at: str, expected: str
) -> None:
    one = kind.PLANTED[5]
    write(one.files, tmp_path)
    uri, text = uri_of(str(tmp_path / one.at)), one.files[one.at]
    client.open(uri, text)
    params = {"textDocument": {"uri": uri}, "position": position(text, text.index(at) + len(at))}
    assert expected in {item["label"] for item in client.ask("textDocument/completion", params)["items"]}


def test_a_fix_writes_the_companion(client: Client, uris: tuple[str, str]) -> None:
    config, _ = uris
    client.open(config, WRONG)
    found = pushed(client, config, "F003")
    params = {"textDocument": {"uri": config}, "range": found["range"], "context": {"diagnostics": []}}
    actions = client.ask("textDocument/codeAction", params)
    (edit,) = next(action["edit"] for action in actions if "TYPE_FP32" in action["title"])["documentChanges"]
    assert edit["textDocument"]["uri"] == config
    assert edit["edits"][0]["newText"] == "TYPE_FP32"
