"""Recognizes and reads config.pbtxt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path as FilePath

from irlint.companions.base import Companion
from irlint.companions.report import Report
from irlint.findings import Problem
from irlint.formats.base import CERTAIN, FOREIGN, LIKELY, Dialect, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.prototext.document import PrototextDocument
from irlint.text.prototext.messages import Message, messages
from irlint.tools.installed import load_json

_WORDS = re.compile(
    r"^\s*(?:platform|backend|max_batch_size|ensemble_scheduling|instance_group|dynamic_batching|sequence_batching|version_policy)\s*[:{\[]"
    r"|\bTYPE_(?:FP|U?INT|BOOL|STRING|BF)",
    re.MULTILINE,
)


@cache
def config() -> Message:
    """Return the message of a configuration."""
    table = load_json("companions/triton.json")
    rows = "\n".join(" ".join((name, *fields)) for name, fields in table["messages"].items())
    return messages(rows, table["enums"])[table["root"]]


class Triton(Companion):
    name, title = "triton", "Triton configuration"
    dialects = (Dialect("triton", "Triton's model configuration"),)
    extensions = (".pbtxt",)
    comment = "#"

    def recognize(self, head: Head) -> Recognition | None:
        name = re.split(r"[\\/]", head.name)[-1].lower()
        if not name.endswith(".pbtxt") or not _WORDS.search(head.text):
            return None
        if "${" in head.text:
            return Recognition(FOREIGN, "a template of a Triton configuration, with places to fill in")
        is_named = name == "config.pbtxt"
        return Recognition(CERTAIN if is_named else LIKELY, "it has fields of a Triton configuration")

    def open(self, text: str, name: str) -> Document:
        return PrototextDocument(text, name, config())

    def dialect_of(self, document: Document) -> Recognition | None:
        return Recognition(CERTAIN, "it has fields of a Triton configuration")

    def read(self, model: Model) -> Iterator[Problem]:
        from irlint.companions.triton.checks import check

        report = Report(model.document)
        check(model.document.value_at(()), report)
        return iter(report.found)

    def beside(self, model: Model, path: FilePath) -> Iterator[Problem]:
        from irlint.companions.triton.repository import check

        report = Report(model.document)
        check(model, path, report)
        return iter(report.found)
