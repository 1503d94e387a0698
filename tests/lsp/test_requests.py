"""Every request on every format, as the capabilities of VS Code, Neovim and Emacs ask for it."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.formats.onnx.build import graph

from .client import Client
from .requests import ALL, requests
from .samples import SAMPLES, Sample, nnvm
from .test_lifecycle import INVALID_PARAMS

_numbers = count()
OPERATORS = {
    "toy-symbol.json": "Activation",
    "toy.xml": "ReLU",
    "toy.txt": "nn.relu",
    "toy.param": "ReLU",
    "toy.onnxtxt": "Relu",
    "toy.prototxt": "Relu",
}


def position(text: str, needle: str, plus: int = 0) -> dict[str, int]:
    before = text[: text.index(needle) + plus]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def slice_of(text: str, span: dict[str, Any]) -> str:
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:k]) for k in range(len(lines))]
    start, end = (starts[span[e]["line"]] + span[e]["character"] for e in ("start", "end"))
    return text[start:end]


def opened(editor: Client, sample: Sample, text: str | None = None) -> dict[str, Any]:
    uri = f"file:///nowhere/{next(_numbers)}/{sample.name}"
    editor.open(uri, sample.text if text is None else text)
    return {"textDocument": {"uri": uri}}


def test_every_request_is_answered(editor: Client, sample: Sample) -> None:
    document = opened(editor, sample)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    for method in ("documentSymbol", "foldingRange", "documentLink", "codeLens", "semanticTokens/full"):
        assert editor.ask(f"textDocument/{method}", document) is not None, method
    assert editor.ask("textDocument/inlayHint", {**document, "range": whole})
    assert editor.ask("textDocument/semanticTokens/range", {**document, "range": whole})["data"]
    for line in range(0, sample.text.count("\n"), 3):
        for column in (0, 5, 13, 20, 27):
            at = {**document, "position": {"line": line, "character": column}}
            for method in ("hover", "definition", "documentHighlight", "prepareRename", "completion", "signatureHelp"):
                editor.ask(f"textDocument/{method}", at)
            assert editor.ask("textDocument/selectionRange", {**document, "positions": [at["position"]]})


def test_definition_and_references(editor: Client, sample: Sample) -> None:
    document = opened(editor, sample)
    at = {**document, "position": position(sample.text, sample.reference, 9 if "name" in sample.reference else 0)}
    target = editor.ask("textDocument/definition", at)
    assert target["uri"] == document["textDocument"]["uri"]
    there = {**document, "position": target["range"]["start"]}
    found = editor.ask("textDocument/references", {**there, "context": {"includeDeclaration": True}})
    assert target in found
    assert len(found) >= 2
    marks = editor.ask("textDocument/documentHighlight", there)
    assert len(marks) == len(found)


def test_call_hierarchy_is_producers_and_consumers(editor: Client, sample: Sample) -> None:
    document = opened(editor, sample)
    symbols = editor.ask("textDocument/documentSymbol", document)
    second = next(s for s in symbols if s["name"] in ("relu1", "act1", "1"))
    at = (second.get("selectionRange") or second["location"]["range"])["start"]
    (item,) = editor.ask("textDocument/prepareCallHierarchy", {**document, "position": at})
    assert item["name"] == second["name"]
    incoming = editor.ask("callHierarchy/incomingCalls", {"item": item})
    outgoing = editor.ask("callHierarchy/outgoingCalls", {"item": item})
    assert [call["from"]["name"] for call in incoming] == [second["name"].replace("1", "2")]
    assert outgoing[0]["to"]["name"] in ("input", "data", "0")
    assert outgoing[0]["fromRanges"]


def test_rename_changes_every_mention_and_refuses_a_collision(editor: Client, sample: Sample) -> None:
    document = opened(editor, sample)
    old, taken = {
        "lightnet.json": ("t1", "t2"),
        "toy-symbol.json": ("act1", "act2"),
        "toy.xml": ("relu1", "relu2"),
        "toy.txt": ("data", "data"),
        "toy.param": ("relu1", "relu2"),
        "toy.onnxtxt": ("r1", "r2"),
        "toy.prototxt": ("r1", "r2"),
    }[sample.name]
    is_bare = sample.name in ("toy.param", "toy.onnxtxt")
    written = f"'{old}'" if old == "data" else f" {old}" if is_bare else f'"{old}"'
    at = {**document, "position": position(sample.text, written, 2)}
    assert editor.ask("textDocument/prepareRename", at)["placeholder"] == old
    edit = editor.ask("textDocument/rename", {**at, "newName": "fresh"})
    changes = (edit.get("changes") or {}).get(document["textDocument"]["uri"]) or edit["documentChanges"][0]["edits"]
    assert len(changes) == (2 if sample.name in ("lightnet.json", "toy.onnxtxt", "toy.prototxt") else 1)
    assert all(old in slice_of(sample.text, change["range"]) for change in changes)
    if taken != old:
        assert editor.error("textDocument/rename", {**at, "newName": taken}) == -32803
    assert editor.error("textDocument/rename", {**at, "newName": ""}) == -32803


def test_hover_explains_an_operator(editor: Client, sample: Sample) -> None:
    document = opened(editor, sample)
    operator = OPERATORS.get(sample.name, '"relu"')
    at = {**document, "position": position(sample.text, operator, 2)}
    assert operator.strip('"') in editor.ask("textDocument/hover", at)["contents"]["value"]


def test_completion_offers_operators_of_the_dialect(editor: Client, sample: Sample) -> None:
    document = opened(editor, sample)
    operator = OPERATORS.get(sample.name, "relu")
    spelled = operator if sample.name in ("toy.txt", "toy.param", "toy.onnxtxt") else f'"{operator}"'
    at = {**document, "position": position(sample.text, spelled, 2)}
    labels = [item["label"] for item in editor.ask("textDocument/completion", at)["items"]]
    assert operator in labels
    assert len(labels) < 1001


def test_quick_fixes_and_fix_all(editor: Client, sample: Sample) -> None:
    text = sample.text.replace(*sample.wrong, 1)
    document = opened(editor, sample, text)
    found = _diagnostics(editor, document)[0]
    assert found["source"] == "irlint"
    assert re.fullmatch(r"https://.*/rules/[a-z-]+/#[a-z]+", found["codeDescription"]["href"]), (
        "the example in the format"
    )
    asked = {**document, "range": found["range"], "context": {"diagnostics": [found]}}
    actions = editor.ask("textDocument/codeAction", asked)
    fixes = [a for a in actions if a.get("edit") and "Ignore" not in a["title"]]
    assert fixes, [a["title"] for a in actions]
    assert any(a["title"].startswith("Explain") for a in actions)
    everything = {**asked, "context": {"diagnostics": [], "only": ["source.fixAll"]}}
    assert all(a["kind"] == "source.fixAll.irlint" for a in editor.ask("textDocument/codeAction", everything))


def _diagnostics(editor: Client, document: dict[str, Any]) -> list[dict[str, Any]]:
    if not editor.pulls:
        return editor.diagnostics(document["textDocument"]["uri"], 1)
    found: list[dict[str, Any]] = editor.ask("textDocument/diagnostic", document)["items"]
    return found


def test_silence_here(editor: Client, sample: Sample) -> None:
    """As each format has it: comments with the file's own line ends, an attribute in symbols."""
    text = sample.text.replace(*sample.wrong, 1).replace("\n", "\r\n")
    document = opened(editor, sample, text)
    found = _diagnostics(editor, document)[0]
    asked = {**document, "range": found["range"], "context": {"diagnostics": [found]}}
    actions = [a for a in editor.ask("textDocument/codeAction", asked) if a["title"].startswith("Ignore")]
    assert len(actions) == 1
    for action in actions:
        edit = action["edit"]
        edits = (edit.get("changes") or {}).get(document["textDocument"]["uri"]) or edit["documentChanges"][0]["edits"]
        uri = document["textDocument"]["uri"]
        editor.change(uri, 2, [{"range": e["range"], "text": e["newText"]} for e in edits])
        assert all(e["newText"].endswith("\r\n") or "__irlint__" in e["newText"] for e in edits)
        left = editor.ask("textDocument/diagnostic", document)["items"]
        assert found["code"] not in [d["code"] for d in left]


def test_names_of_inputs_and_weights_are_no_operators(shared: Client, tmp_path: Path) -> None:
    nodes, weight = "[mm] y = MatMul (data, w)", "float[4,3] w = {" + ",".join(["1.0"] * 12) + "}"
    for name, text, named in (
        ("a.onnxtxt", graph(nodes, "float[2,4] data", "float[2,3] y", weight), {" data": "[2,4]", " w": "[4,3]"}),
        ("a.json", nnvm(), {'"null"': "data"}),
    ):
        uri = (tmp_path / name).as_uri()
        shared.open(uri, text)
        for word, expected in named.items():
            at = {"textDocument": {"uri": uri}, "position": position(text, word, 2)}
            said = shared.ask("textDocument/hover", at)["contents"]["value"]
            assert expected in said
            assert "unknown operator" not in said
        shared.close(uri)


def test_types_that_the_dry_run_found(shared: Client, uri: str) -> None:
    shaped = nnvm().replace(
        '"name": "data",', '"name": "data", "attrs": {"__shape__": "(1, 64, 8, 8)", "__dtype__": "0"},'
    )
    shared.open(uri, shaped)
    document = {"textDocument": {"uri": uri}}
    at = {**document, "position": position(shaped, '"act2"', 2)}
    assert "[1,64,8,8]" in shared.ask("textDocument/hover", at)["contents"]["value"]
    hints = shared.ask("textDocument/inlayHint", {**document, "range": ALL})
    assert [h["label"].strip() for h in hints][:2] == ["data : f32[1,64,8,8]", "act1 : f32[1,64,8,8]"]
    shared.close(uri)


def test_a_rule_is_explained(editor: Client) -> None:
    text = editor.ask("workspace/executeCommand", {"command": "irlint.explain", "arguments": ["R001"]})
    assert text.startswith("# ")


def test_pulled_diagnostics_have_result_ids() -> None:
    client = Client(capabilities={"textDocument": {"diagnostic": {"dynamicRegistration": False}}})
    try:
        document = opened(client, SAMPLES[1], SAMPLES[1].text.replace(*SAMPLES[1].wrong, 1))
        first = client.ask("textDocument/diagnostic", document)
        assert first["kind"] == "full"
        assert len(first["items"]) == 1
        again = client.ask("textDocument/diagnostic", {**document, "previousResultId": first["resultId"]})
        assert again["kind"] == "unchanged"
        assert not any(m.get("method") == "textDocument/publishDiagnostics" for m in client.messages)
    finally:
        client.kill()


def test_diagnostics_of_a_workspace(tmp_path: Path) -> None:
    for sample in SAMPLES:
        (tmp_path / sample.name).write_text(sample.text.replace(*sample.wrong, 1), encoding="utf-8")
    (tmp_path / "plain.json").write_text("{}", encoding="utf-8")
    client = Client(start=False)
    try:
        capabilities = {"textDocument": {"diagnostic": {}}, "workspace": {"workspaceFolders": True}}
        client.initialize(capabilities, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "work"}])
        first = client.ask("workspace/diagnostic", {"previousResultIds": [], "workDoneToken": "w"})["items"]
        assert {Path(item["uri"]).name for item in first if item["items"]} == {sample.name for sample in SAMPLES}
        known = [{"uri": item["uri"], "value": item["resultId"]} for item in first]
        again = client.ask("workspace/diagnostic", {"previousResultIds": known})["items"]
        assert {item["kind"] for item in again} == {"unchanged"}
        gone = tmp_path / SAMPLES[0].name
        gone.unlink()
        last = client.ask("workspace/diagnostic", {"previousResultIds": known})["items"]
        assert [item["items"] for item in last if item["uri"] == gone.as_uri()] == [[]]
        told = [m["params"]["value"]["kind"] for m in client.messages if m.get("method") == "$/progress"]
        assert (told[0], told[-1]) == ("begin", "end")
    finally:
        client.kill()


def test_configuration_and_weights_are_watched(tmp_path: Path) -> None:
    path = tmp_path / "toy-symbol.json"
    text = SAMPLES[1].text.replace(*SAMPLES[1].wrong, 1)
    client = Client()
    try:
        client.open(path.as_uri(), text)
        assert [d["code"] for d in client.diagnostics(path.as_uri(), 1)] == ["A005"]
        (tmp_path / "irlint.yaml").write_text("ignore: [A005]\n", encoding="utf-8")
        changed = {"changes": [{"uri": (tmp_path / "irlint.yaml").as_uri(), "type": 1}]}
        client.tell("workspace/didChangeWatchedFiles", changed)
        client.find(lambda m: m.get("method") == "textDocument/publishDiagnostics" and not m["params"]["diagnostics"])
    finally:
        client.kill()


def test_requests_about_graphs_that_could_not_be_read(shared: Client, uri: str) -> None:
    """A list around the graph, a value that is no object: there is no node, and no answer fails."""
    for version, text in enumerate((f"[{SAMPLES[1].text}]", f"[{SAMPLES[1].text},"), 1):
        shared.open(uri, text, version)
        for at in (position(text, "heads", 12), position(text, "arg_nodes", 22), {"line": 0, "character": 0}):
            for method, params in requests(uri, at).items():
                assert "result" in shared.answer(shared.request(method, params)), (method, text)


def test_a_rename_leaves_what_only_reads_like_the_name(shared: Client, uri: str) -> None:
    """Indices of a node that has a number for a name; a tensor that is called as its node is."""
    numbered = SAMPLES[1].text.replace('"data"', '"0"')
    shared.open(uri, numbered)
    asked = {"textDocument": {"uri": uri}, "position": position(numbered, '"0"', 1), "newName": "fresh"}
    (change,) = shared.ask("textDocument/rename", asked)["documentChanges"]
    assert [slice_of(numbered, edit["range"]).strip('"') for edit in change["edits"]] == ["0"]
    text = SAMPLES[0].text.replace('"t1"', '"relu1"')
    shared.open(uri, text, 2)
    for needle, mentions in (('"name": "relu1",\n      "optype"', 1), ('"name": "relu1"\n', 2)):
        asked = {"textDocument": {"uri": uri}, "position": position(text, needle, 10), "newName": "fresh"}
        (change,) = shared.ask("textDocument/rename", asked)["documentChanges"]
        assert len(change["edits"]) == mentions, needle


def test_names_that_nothing_can_have_are_refused(editor: Client, sample: Sample) -> None:
    document = opened(editor, sample)
    names = {"lightnet.json": '"t1"', "toy-symbol.json": '"act1"', "toy.xml": '"relu1"'}
    names |= {"toy.param": " relu1", "toy.onnxtxt": " r1", "toy.prototxt": '"r1"'}
    old = names.get(sample.name, "'data'")
    place = {**document, "position": position(sample.text, old, 2)}
    own = {"lightnet.json": ("a b", "a%b"), "toy.txt": ("10",), "toy.param": ("a b", "a=b", "a" * 256)}.get(
        sample.name, ()
    )
    for name in ("", "  ", "a\nb", "a\u2028b", "\x07", *own):
        assert editor.error("textDocument/rename", {**place, "newName": name}) == -32803


def test_no_silence_for_what_is_wrong_with_the_text_itself(editor: Client, sample: Sample) -> None:
    document = opened(editor, sample, sample.text[: len(sample.text) * 2 // 3])
    for action in editor.ask("textDocument/codeAction", {**document, "range": ALL, "context": {"diagnostics": []}}):
        assert not action["title"].startswith("Ignore S")


def test_all_repairs_are_those_of_the_command_line(editor: Client, uri: str) -> None:
    """Round by round, and without those that leave the text worse."""
    from irlint import engine, fixes

    broken = '{"nodes": [{"op": "null", "name": "d\tx", "inputs": [],}, {"op": "Flatten", "name": "f", "inputs": [[0, 0, 0]]}], '
    for text in (broken + '"arg_nodes": [0,], "heads": [[1, 0, 0]]', broken, broken.replace(": [[", ": [{[")):
        editor.open(uri, text)
        context = {"diagnostics": [], "only": ["source.fixAll"]}
        asked = {"textDocument": {"uri": uri}, "range": ALL, "context": context}
        edits = [
            edit
            for action in editor.ask("textDocument/codeAction", asked)
            for edit in action["edit"].get("changes", {}).get(uri) or action["edit"]["documentChanges"][0]["edits"]
        ]
        after = text
        for edit in sorted(edits, key=lambda e: -e["range"]["start"]["character"]):
            start, end = (edit["range"][which]["character"] for which in ("start", "end"))
            after = after[:start] + edit["newText"] + after[end:]
        assert after == fixes.fix(text, lambda fixed: engine.lint(fixed, uri).findings).text
        editor.close(uri)


def test_each_of_several_mistakes_has_its_repair(editor: Client, uri: str) -> None:
    """A repair is tried beside all other findings of the text, not by itself alone; one that would do harm is not offered."""
    node = '{"op": "Activation", "name": "a%d", "attrs": {"act_type": "%s"}, "inputs": [[%d, 0, 0]]}'
    nodes = ",\n".join(['{"op": "null", "name": "d", "inputs": []}', node % (1, "RELU", 0), node % (2, "RELU", 1)])
    rest = '"arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}'
    editor.open(uri, f'{{"nodes": [\n{nodes}],\n{rest}}}\n')
    for line in (2, 3):
        here = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
        asked = {"textDocument": {"uri": uri}, "range": here, "context": {"diagnostics": []}}
        titles = [action["title"] for action in editor.ask("textDocument/codeAction", asked)]
        assert any("(A005)" in title for title in titles), titles
    editor.close(uri)


def test_the_graph(editor: Client, sample: Sample) -> None:
    uri = opened(editor, sample)["textDocument"]["uri"]
    first = editor.ask("irlint/graph", {"uri": uri})
    boxes = first["scene"]["boxes"]
    assert "node" in {box["kind"] for box in boxes}
    again = editor.ask("irlint/graph", {"uri": uri, "key": first["key"]})
    assert "scene" not in again
    assert len(again["boxes"]) == len(boxes)
    number = next(k for k, box in enumerate(boxes) if box["kind"] == "node")
    details = editor.ask("irlint/graphBox", {"uri": uri, "box": number})["details"]
    assert ["operator", boxes[number]["title"]] in details[0][1]
    assert editor.ask("irlint/graphBox", {"uri": uri, "box": 10_000})["details"] == []


def test_the_graph_follows_edits(shared: Client, uri: str) -> None:
    shared.open(uri, nnvm())
    first = shared.ask("irlint/graph", {"uri": uri})
    assert first["scene"]["findings"] == []
    start = position(nnvm(), '"relu"', 1)
    shared.change(
        uri, 2, [{"range": {"start": start, "end": {**start, "character": start["character"] + 4}}, "text": "rleu"}]
    )
    found = shared.ask("irlint/graph", {"uri": uri, "key": first["key"]})
    assert [note["code"] for note in found["scene"]["findings"]] == ["A005"]
    assert sum(box["badge"] == "error" and not box.get("items") for box in found["scene"]["boxes"]) == 1
    shared.close(uri)


def test_no_graph_of_what_is_not_a_model(shared: Client, uri: str) -> None:
    shared.open(uri, '{"a": 1}')
    assert shared.ask("irlint/graph", {"uri": uri}) is None
    assert shared.ask("irlint/graph", {"uri": "file:///not/open.json"}) is None
    assert set(shared.ask("irlint/graphViewer", {})) == {"script", "style"}
    shared.close(uri)


def test_the_graph_opens_in_a_browser(shared: Client, uri: str, tmp_path: Path) -> None:
    shared.open(uri, nnvm())
    asked = {"command": "irlint.openGraph", "arguments": [uri]}
    address = shared.ask("workspace/executeCommand", asked)
    page = Path(unquote(urlsplit(address).path))
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert shared.error("workspace/executeCommand", {**asked, "arguments": ["file:///not/open"]}) == INVALID_PARAMS
    shared.close(uri)
