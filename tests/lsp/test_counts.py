"""The same findings for whoever asks: command line, problems of an editor, status bar."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from irlint_lsp.documents import text_uri_of

from .binaries import binary, imperfect
from .client import Client
from .test_tables import command_line


@pytest.mark.parametrize("settings", ["", "select: [PEDANTIC]\n"])
def test_counts_agree(tmp_path: Path, settings: str) -> None:
    path = tmp_path / "imperfect.onnx"
    path.write_bytes(binary(imperfect()))
    (tmp_path / "irlint.yaml").write_text(settings, encoding="utf-8")
    said = Counter(one["severity"] for one in command_line("check", "--exit-zero", str(path)))
    assert said == {"error": 1, "warning": 1, **({"pedantic": 1} if settings else {})}
    capabilities = {"textDocument": {"diagnostic": {}}}
    with Client(start=False) as client:
        client.initialize(capabilities, initializationOptions={"modelStates": True})
        uri = text_uri_of(str(path))
        client.open(uri, client.ask("irlint/text", {"uri": path.as_uri()})["text"])
        shown = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        state = client.find(lambda m: m.get("method") == "irlint/model" and m["params"].get("format"))["params"]
        assert client.stop() == 0
    listed = Counter(one["severity"] for one in shown)
    assert listed == {1: said["error"], 2: said["warning"], **({3: said["pedantic"]} if settings else {})}
    assert (state["errors"], state["warnings"], state["others"]) == (listed[1], listed[2], listed[3])
    assert state["calls"] == 5
