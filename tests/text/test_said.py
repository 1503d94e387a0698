"""What each reader says of broken texts, word for word, what it reads of them, and where that stands.

A line of golden/READER.jsonl is a text, what is said of it and what is read. The texts were chosen from random changes of
models: a short one for each thing that the reader can say. IRLINT_UPDATE=1 works out the rest of each line
anew, to be read before it is kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rule_cases.texts import LIGHTNET, OPENVINO, SYMBOL

from irlint.formats.base import all_formats
from irlint.text.base import Document, Place, Trouble, apply
from irlint.text.json.document import JsonDocument
from irlint.text.listing.document import ListingDocument
from irlint.text.xml.document import XmlDocument

GOLDEN = Path(__file__).parent / "golden"
READERS: dict[str, Callable[[str], Document]] = {
    "strict": JsonDocument.parse,
    "lightnet": lambda text: all_formats()["lightnet"].open(text, "a.json"),
    "nnvm": lambda text: all_formats()["nnvm"].open(text, "a.json"),
    "events": lambda text: all_formats()["glacier"].open(text, "a.jsonl"),
    "listing": lambda text: all_formats()["glacier"].open(text, "a.txt"),
    "xml": lambda text: all_formats()["openvino"].open(text, "a.xml"),
}
JSON_PARTS = ("value", "key", "member", "open")


LAYERS = "".join(
    f"\t\t<layer id='{k}' name='a{k}' type='Relu'>\r\n\t\t\t<input><port id='0'><dim>{k}</dim></port></input>\n\t\t\t<d e='&lt;' />\n\t\t</layer>\n"
    for k in range(9)
)
CLEAN = {
    "strict": [
        SYMBOL,
        '{"a":[1,-2.5e3,"é",[],{}],"b/~c":{"c":null,"\\u0064":true}}',
        f'[{LIGHTNET}, {{"a b": {LIGHTNET}}}]',
    ],
    "lightnet": [LIGHTNET, LIGHTNET.replace("\n", "").replace('"ops"', '"OPS"')],
    "nnvm": [SYMBOL.replace("\n", "\r\n")],
    "listing": ["".join(f"{k} add [{k - 1}, 'weight_{k}', 12]\n" for k in range(1, 15)), "0 null []\r\n\r\n1 relu [0]"],
    "xml": [
        OPENVINO,
        f"<net name='n' version='11'>\n\t<layers>\n{LAYERS}\t</layers>\n\t<!-- c --><b c='d&lt;'>x &amp; y<e/> z</b>\n</net>\n",
    ],
}


@pytest.mark.parametrize("reader", READERS)
def test_word_for_word(reader: str) -> None:
    path = GOLDEN / f"{reader}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    now = [json.dumps(_line(reader, json.loads(line)["text"])) for line in lines]
    if os.environ.get("IRLINT_UPDATE"):
        path.write_text("".join(f"{line}\n" for line in now), encoding="utf-8", newline="\n")
        return
    for line, old in zip(now, lines, strict=True):
        assert json.loads(line) == json.loads(old)


def _line(reader: str, text: str) -> dict[str, Any]:
    document = READERS[reader](text)
    document.complete()
    return {"text": text, "said": [_said(text, t) for t in document.troubles], "read": _read(document)}


def _said(text: str, trouble: Trouble) -> list[Any]:
    """Rule, level, token and message; what is related; the repair with its title and what comes out."""
    related = [f"{words}: {text[slice(*span)]} at {span.start}" for words, span in trouble.related]
    try:
        repair = [trouble.title, trouble.safety, apply(text, trouble.edits())] if trouble.edits else []
    except LookupError:  # what it would edit is not whole
        repair = [trouble.title]
    token = f"{text[slice(*trouble.span)]} at {trouble.span.start}"
    return [trouble.rule.name, trouble.level, token, trouble.message, related, repair]


def _read(document: Document, most: int = 9) -> Any:
    """Values, and the spans of their parts; of so many of them."""
    if isinstance(document, JsonDocument):
        guesses = sorted(document.pointer(path) for path in document.guesses)
        return [repr(document.value)[:400], guesses, _parts(document, _paths(document.value)[:most], JSON_PARTS, most)]
    if isinstance(document, XmlDocument):
        return [document.broken, _elements(document, 3 * most)]
    assert isinstance(document, ListingDocument)
    paths: list[Any] = [
        (k, *rest) for k in range(len(document.rows[:most])) for rest in ((), ("id",), ("op",), ("inputs",))
    ]
    extras = [(row, *span) for row, span in document.extras]
    return [[list(row) for row in document.rows], extras, _parts(document, paths, ("value",), most), document.header]


def _paths(value: Any, path: Any = ()) -> list[Any]:
    if len(path) > 9:
        return []
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for step, child in children for p in _paths(child, (*path, step)))]


def _parts(document: Document, paths: list[Any], parts: tuple[str, ...], most: int) -> list[Any]:
    spans = [[list(document.span(Place(tuple(path), part))) for part in parts] for path in paths]
    starts = sorted({span[0] for of_path in spans for span in of_path})[:most]
    return [spans, [document.pointer(document.place_at(start).path) for start in starts]]


def _elements(document: XmlDocument, most: int) -> list[Any]:
    found, stack = [], [()] if document.root else []
    while stack and len(found) < most:
        path: tuple[int, ...] = stack.pop()
        element = document.element(path)
        stack += [(*path, k) for k in range(len(element.children))]
        offsets = element.start, element.tag_end, element.close, element.end
        attributes = [(a.name, a.value, a.start, a.value_end) for a in element.attributes]
        parts = [list(document.span(Place(path, part))) for part in ("element", "tag", "name", "text", "@id.member")]
        back = [document.pointer(document.place_at(offset).path) for offset in offsets]
        found.append([document.pointer(path), element.tag, attributes, offsets, element.texts, parts, back])
    return json.loads(json.dumps(found))
