"""Documents whose expected findings are marked in their text: `<a b="«x»"/>` expects one whose span is `x`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from irlint.config.find import Configurations
from irlint.engine import Result, lint
from irlint.text.base import Span


def unmarked(text: str) -> tuple[str, list[Span]]:
    """Return a text without its marks, and the spans that they enclose."""
    plain, spans = "", []
    for piece in text.split("»"):
        before, mark, token = piece.partition("«")
        plain += before
        if mark:
            spans.append(Span(len(plain), len(plain) + len(token)))
            plain += token
    return plain, spans


def configured(folder: Path, files: dict[str, str], config: str) -> Configurations:
    """Write a configuration and the files of its schemas."""
    for name, text in {**files, "irlint.yaml": config}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return Configurations()


def linted(folder: Path, name: str, text: str, configurations: Configurations, **options: Any) -> Result:
    """Return the result of a text as if it were a file of the folder."""
    path = str(folder / name)
    return lint(text, path, configurations.of_folder(str(folder)).settings(path), **options)


def marked(result: Result) -> str:
    """Return the text of a result with marks around the spans of its findings by schemas."""
    text = result.document.text if result.document is not None else ""
    spans = {finding.span for finding in result.findings if finding.name == "user-schema"}
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}«{text[start:end]}»{text[end:]}"
    return text


def agrees(folder: Path, files: dict[str, str], kind: Any, valid: Sequence[str], invalid: Sequence[str]) -> None:
    """Assert that irlint has lxml's verdicts by the first of the files, and its findings where documents are marked."""
    name = next(iter(files))
    configurations = configured(folder, files, json.dumps({"schemas": [{"schema": name, "files": "*.xml"}]}))
    schema = kind(etree.parse(folder / name))
    for text in (*valid, *invalid):
        plain, _ = unmarked(text)
        result = linted(folder, "a.xml", plain, configurations)
        assert schema.validate(etree.fromstring(plain.encode())) == (text in valid), (text, schema.error_log)
        assert not [f for f in result.findings if f.name != "user-schema"], (text, result.findings)
        assert marked(result) == text, [f.message for f in result.findings]
