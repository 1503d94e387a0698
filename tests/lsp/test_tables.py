"""Tables of the open model: the figures of the command line, with lines, and errors where there are none."""

from __future__ import annotations

import contextlib
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from irlint.cli import main
from lsp.client import Client
from lsp.samples import SAMPLES, Sample, nnvm, openvino

COMMANDS = ("irlint.dryRun", "irlint.flatten", "irlint.ngrams", "irlint.summary")
EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = ("nnvm/lenet-symbol.json", "openvino/digits.xml", "lightnet/digits.json", "glacier/mobilenetv2.txt")
EVENTS = "glacier/mobilenetv2.events.jsonl"


def page(client: Client, uri: str, command: str, *arguments: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.ask("workspace/executeCommand", {"command": command, "arguments": [uri, *arguments]})
    return found


def opened(client: Client, name: str) -> tuple[str, str]:
    path = EXAMPLES / name
    text = path.read_text(encoding="utf-8")
    client.open(path.as_uri(), text)
    return path.as_uri(), text


def command_line(*arguments: str) -> Any:
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")) as out:
        assert main([*arguments, "--output-format", "json"]) == 0
    out.flush()
    return json.loads(out.buffer.getvalue())  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", MODELS)
def test_the_figures_are_those_of_the_command_line(client: Client, name: str) -> None:
    uri, text = opened(client, name)
    path, lines = str(EXAMPLES / name), text.split("\n")
    (flat,) = page(client, uri, "irlint.flatten")["tables"]
    nodes = command_line("flatten", path)["nodes"]
    assert flat["rows"] == [[n["nId"], n["op_name"], ", ".join(map(repr, n["inputs"]))] for n in nodes]
    (grams,) = page(client, uri, "irlint.ngrams", 2)["tables"]
    counted = command_line("ngrams", path, "-n", "2")["ngrams"]
    assert [[row[0], row[-1]] for row in grams["rows"]] == [[g["counts"][0], " > ".join(g["ngram"])] for g in counted]
    summary = page(client, uri, "irlint.summary")
    figures = command_line("summary", path)
    (operators,) = (table for table in summary["tables"] if table["title"] == "Operators")
    assert {op: count for count, op in operators["rows"]} == figures["operators"]
    said = [row for table in summary["tables"] if table["title"] == "Metadata" for row in table["rows"]]
    assert said == [[part, key, text] for part, pairs in figures["metadata"].items() for key, text in pairs.items()]
    facts = dict(summary["facts"])
    assert facts["format"] == f"{figures['format']}:{figures['dialect']}"
    assert facts["depth"].startswith(f"{figures['depth']:,} ")
    for table, column in ((flat, 1), (grams, None)):
        for row, line in zip(table["rows"], table["lines"], strict=True):
            said = row[-1].split(" > ")[0] if column is None else row[column]
            assert any(said in at for at in lines[line - 1 : line + 3]), (row, line)


@pytest.mark.parametrize("name", MODELS[:3])
def test_a_dry_run_has_the_types_of_the_command_line(client: Client, name: str) -> None:
    uri, _ = opened(client, name)
    (table,) = page(client, uri, "irlint.dryRun")["tables"]
    found = command_line("run", "--shapes-only", str(EXAMPLES / name))["nodes"]
    assert [row[:2] for row in table["rows"]] == [[n["op"], n["name"]] for n in found if n["outputs"]]
    shapes = [", ".join(str(d) for d in n["outputs"][0]["shape"]) for n in found if n["outputs"]]
    assert all(f"[{shape}]" in row[2] for shape, row in zip(shapes, table["rows"], strict=True))
    middle = table["rows"][2][1]
    assert [row[1] for row in page(client, uri, "irlint.dryRun", middle)["tables"][0]["rows"]][-1] == middle


def test_ngrams_of_events_and_along_edges(client: Client) -> None:
    uri, _ = opened(client, EVENTS)
    for along in ("order", "edges"):
        found = page(client, uri, "irlint.ngrams", 3, along)
        counted = command_line("ngrams", str(EXAMPLES / EVENTS), "--along", along)["ngrams"]
        assert [row[0] for row in found["tables"][0]["rows"]] == [gram["counts"][0] for gram in counted]


def test_a_failure_comes_with_its_findings(shared: Client, uri: str) -> None:
    broken = nnvm().replace("2,\n          0,\n          0", "3,\n          0,\n          0", 1)  # act3 uses itself
    shared.open(uri, broken)
    for command in COMMANDS:
        found = page(shared, uri, command)
        assert found["findings"], command
        line = found["findings"][0]["line"]
        assert broken.split("\n")[line].strip() == "3,", command  # the entry begins on the line before
    assert "no topological order" in page(shared, uri, "irlint.flatten")["failure"]
    shared.change(uri, 2, [{"text": '{"a": 1}'}])
    found = page(shared, uri, "irlint.summary")
    assert found["tables"] == []
    assert found["failure"] == "it is JSON with the key `a`"
    shared.close(uri)
    asked = {"command": "irlint.summary", "arguments": [uri]}
    assert shared.error("workspace/executeCommand", asked) == -32602


def test_every_format_has_every_table(editor: Client, sample: Sample, uri: str) -> None:
    editor.open(uri, sample.text)
    for command in COMMANDS:
        found = page(editor, uri, command)
        assert not found["failure"] or (command == "irlint.dryRun" and sample.name == "toy.txt"), found
        for table in found["tables"]:
            assert all(len(row) == len(table["columns"]) for row in table["rows"])
            assert len(table["rows"]) == len(table["lines"])
    editor.close(uri)


def test_an_answer_has_a_bound(shared: Client, uri: str) -> None:
    shared.open(uri, openvino(20_010))
    (table,) = page(shared, uri, "irlint.flatten")["tables"]
    assert (len(table["rows"]), table["more"]) == (20_000, 8)
    shared.close(uri)


def test_states_of_documents_are_told_to_clients_that_ask() -> None:
    client = Client(start=False)
    try:
        client.initialize({}, initializationOptions={"modelStates": True})
        sample = SAMPLES[1]
        client.open("file:///a/toy-symbol.json", sample.text.replace(*sample.wrong, 1))
        told = client.find(lambda m: m.get("method") == "irlint/model")["params"]
        assert told == {
            "uri": "file:///a/toy-symbol.json",
            "isModel": True,
            "format": "nnvm",
            "dialect": "mxnet",
            "calls": 3,
            "errors": 1,
            "warnings": 0,
            "others": 0,
        }
        client.open("file:///a/package.json", '{"name": "a"}')
        other = client.find(lambda m: m.get("method") == "irlint/model" and "package" in m["params"]["uri"])
        assert other["params"] == {"uri": "file:///a/package.json", "isModel": False}
    finally:
        client.kill()


def test_other_clients_are_told_nothing(client: Client) -> None:
    client.open("file:///a/toy.xml", openvino())
    page(client, "file:///a/toy.xml", "irlint.summary")
    assert not [m for m in client.messages if m.get("method") == "irlint/model"]


def test_broken_models_have_pages_too(shared: Client, sample: Sample, uri: str) -> None:
    """Whatever is missing at the end, every command returns a page: tables of what can be read, or why there is none."""
    shared.open(uri, sample.text)
    for version, cut in enumerate(range(1, len(sample.text), max(len(sample.text) // 15, 1)), 2):
        shared.change(uri, version, [{"text": sample.text[:cut]}])
        for command in COMMANDS:
            found = page(shared, uri, command)
            assert found["failure"] or found["tables"], (command, cut)
    for text in (f"[{sample.text}]", f"{sample.text}\n{sample.text}", sample.text.replace('"name"', '"nam"')):
        shared.change(uri, 100, [{"text": text}])
        for command in COMMANDS:
            page(shared, uri, command)
    shared.close(uri)


def test_a_table_is_whole_while_lints_replace_the_model(client: Client, uri: str) -> None:
    """Half a second after the first lint a second one replaces its model; an edit starts another."""
    text = nnvm(6000)
    for round_ in range(6):
        here = uri.replace("toy", f"toy{round_}")
        client.open(here, text)
        client.diagnostics(here, 1)
        time.sleep(0.44 + 0.03 * round_)
        for command in ("irlint.dryRun", "irlint.flatten"):
            assert len(page(client, here, command)["tables"][0]["rows"]) >= 5999
        client.change(here, 2, [{"text": text.replace("relu", "tanh", 3)}])
        assert len(page(client, here, "irlint.flatten")["tables"][0]["rows"]) == 5999
        client.close(here)
