"""Sound JSON of other programs costs little more than its parse, whatever its keys are and however long its lines."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
from rule_cases.texts import LIGHTNET

from irlint import engine
from irlint.cli import main
from irlint.formats.base import by_name
from irlint.text.json.document import JsonDocument
from irlint.text.json.read import JsonReader

WORDS = (
    '"',
    "//",
    "ops",
    "nodes",
    "layers",
    "/*",
    "\\",
    "Name",
    "optype",
    "heads",
    "arg_nodes",
    "<net",
    "nodeID",
    "{",
    "]",
)
LETTERS = [chr(code) for code in (*range(33, 127), *range(0xA1, 0x144))]


def _vocabulary(size: int, first: str = "") -> dict[str, int]:
    choose, found = random.Random(size), {word: k for k, word in enumerate((first, *WORDS) if first else WORDS)}
    while len(found) < size:
        found.setdefault("".join(choose.choices(LETTERS, k=choose.randrange(1, 9))), len(found))
    return found


def _tokenizer(size: int) -> dict[str, object]:
    vocabulary = _vocabulary(size)
    pieces = list(vocabulary)
    added = [{"id": k, "content": f"<|{k}|>", "special": True} for k in range(20)]
    merges = [f"{one} {two}" for one, two in pairwise(pieces)]
    return {"version": "1.0", "added_tokens": added, "model": {"type": "BPE", "vocab": vocabulary, "merges": merges}}


FILES: dict[str, Callable[[int], str]] = {
    "mixed keys": lambda size: json.dumps({'"': 1, "//": 4, "ops": 2, **{f"w{k}": k for k in range(size)}}),
    "tokenizer": lambda size: json.dumps(_tokenizer(size), ensure_ascii=False),
    "tokenizer in ASCII": lambda size: json.dumps(_tokenizer(size)),
    "tokenizer in lines": lambda size: json.dumps(_tokenizer(size), ensure_ascii=False, indent=2),
    "vocabulary": lambda size: json.dumps(_vocabulary(size), ensure_ascii=False),
    **{
        f"vocabulary from {word}": lambda size, word=word: json.dumps(_vocabulary(size, word))  # type: ignore[misc]
        for word in ("ops", "nodes", "layers", "optype")
    },
    "events of others": lambda size: json.dumps([{"nodeID": "a // b", "message": '/* "', "size": 3}] * size),
    "graph of others": lambda size: json.dumps({"nodes": [{"id": 1, "op": "//", "url": "\u0120"}] * size}),
    "repeated keys": lambda size: "{" + ",".join(f'"nodes": [{{"op": {k}}}], "ops": {k}' for k in range(size)) + "}",
    "half characters": lambda size: '{"ops": 1, "a": [' + ", ".join(['"\\ud800 //"'] * size) + "]}",
}


@pytest.mark.parametrize("name", FILES)
def test_sound_json_of_others_is_not_read_with_care(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("read token by token")

    monkeypatch.setattr(JsonReader, "read", fail)
    result = engine.lint(FILES[name](300), "tokenizer.json")
    assert result.format is None
    assert "it is" in result.findings[0].message


@pytest.mark.parametrize("name", ["mixed keys", "tokenizer", "vocabulary from ops", "tokenizer in lines"])
def test_sound_json_of_others_takes_a_few_parses(name: str) -> None:
    text = FILES[name](8000)
    ours, theirs = (
        min(_seconds(call) for _ in range(3))
        for call in (lambda: engine.lint(text, "a.json"), lambda: json.loads(text))
    )
    assert ours < 10 * theirs + 0.05  # two to four parses, on a processor that others use, too


@pytest.mark.parametrize("name", ["mixed keys", "tokenizer", "vocabulary from ops", "vocabulary from optype"])
def test_broken_json_of_others_takes_time_for_its_length(name: str) -> None:
    def seconds(size: int) -> float:
        text = FILES[name](size)
        return min(_seconds(lambda: engine.lint(text[: len(text) * 2 // 3], "a.json")) for _ in range(2))

    seconds(500)
    assert seconds(6000) < 3 * 6 * seconds(1000) + 0.2


def _seconds(call: Callable[[], object]) -> float:
    began = process_time()
    call()
    return process_time() - began


def test_a_text_that_is_left_is_read_on_demand() -> None:
    """`--as` reads what nothing else speaks for; so do keys in other letters, which the format's reader finds."""
    text = '{"ops": 1, "a": 1, "a": 2}'
    document = by_name("lightnet").open(text, "a.json")  # type: ignore[union-attr]
    assert isinstance(document, JsonDocument)
    assert document.is_left
    assert not document.troubles
    document.complete()
    assert not document.is_left
    assert document.troubles
    assert engine.lint(text, "a.json", as_format="lightnet").format == "lightnet"
    assert (
        engine.lint(LIGHTNET.replace('"ops"', '"OPS"').replace('"optype"', '"OPType"'), "a.json").format == "lightnet"
    )


def test_show_files_lists_models_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.json").write_text(LIGHTNET)
    (tmp_path / "broken.json").write_text(LIGHTNET[: len(LIGHTNET) // 2])
    for name in FILES:
        (tmp_path / f"{name}.json").write_text(FILES[name](300), encoding="utf-8")
    main(["check", "--show-files", "."])
    assert capsys.readouterr().out == "broken.json\nmodel.json\n"
