"""Recognizes and reads config.pbtxt."""

from __future__ import annotations

import re
from functools import cache
from math import prod
from pathlib import Path as FilePath

from irlint.companions import demands
from irlint.companions.base import Companion
from irlint.companions.report import Report
from irlint.formats.base import CERTAIN, FOREIGN, LIKELY, Dialect, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.prototext.document import PrototextDocument
from irlint.text.prototext.messages import Message, messages
from irlint.tools.installed import load_json

_TABLE = "companions/triton.json"
_WORDS = re.compile(
    r"^\s*(?:platform|backend|max_batch_size|ensemble_scheduling|instance_group|dynamic_batching|sequence_batching|version_policy)\s*[:{\[]"
    r"|\bTYPE_(?:FP|U?INT|BOOL|STRING|BF)",
    re.MULTILINE,
)
_TENSORS = re.compile(r"^(?:input|output|parameters)\s*:?\s*[{\[]", re.MULTILINE)
_CONTENT = re.compile(r"^\s*[^\s#]", re.MULTILINE)


@cache
def config() -> Message:
    """Return the message of a configuration."""
    table = load_json(_TABLE)
    rows = "\n".join(" ".join((name, *fields)) for name, fields in table["messages"].items())
    return messages(rows, table["enums"])[table["root"]]


class Triton(Companion):
    name, title = "triton", "Triton configuration"
    dialects = (Dialect("triton", "Triton's model configuration"),)
    extensions = (".pbtxt",)
    comment = "#"

    def recognize(self, head: Head) -> Recognition | None:
        name = re.split(r"[\\/]", head.name)[-1].lower()
        is_named = name == "config.pbtxt"
        is_bare = head.whole and not _CONTENT.search(head.text)  # the server completes it
        if not _WORDS.search(head.text) and not (is_named and (is_bare or _TENSORS.search(head.text))):
            return None
        if "${" in head.text:
            return Recognition(FOREIGN, "a template of a Triton configuration, with places to fill in")
        return Recognition(CERTAIN if is_named else LIKELY, "it has fields of a Triton configuration")

    def open(self, text: str, name: str) -> Document:
        return PrototextDocument(text, name, config())

    def dialect_of(self, document: Document) -> Recognition | None:
        return Recognition(CERTAIN, "it has fields of a Triton configuration")

    def alone(self, model: Model, report: Report) -> None:
        from irlint.companions.triton.tensors import check

        tree = model.document.value_at(())
        demands.check(tree, load_json(_TABLE), report, pieces=_pieces)
        check(tree, report)

    def beside(self, model: Model, path: FilePath, report: Report) -> None:
        from irlint.companions.triton.repository import ServedModel

        tree = model.document.value_at(())
        backend = demands.names(tree, load_json(_TABLE))["backend"]
        ServedModel(tree, model, path, report).check(backend)


def _pieces(dims: list[int]) -> list[int]:
    """Return the numbers of elements from one -1 to the next."""
    pieces: list[list[int]] = [[]]
    for size in dims:
        pieces[-1].append(size) if size != -1 else pieces.append([])
    return [prod(piece) for piece in pieces]


KIND = Triton()
