"""Recognizes and reads config.pbtxt."""

from __future__ import annotations

import re
from math import prod
from pathlib import Path as FilePath
from typing import Any

from irlint.companions.prototext import PrototextCompanion
from irlint.companions.report import Report
from irlint.companions.triton.repository import ServedModel
from irlint.companions.triton.tensors import check_warmup
from irlint.formats.base import CERTAIN, FOREIGN, LIKELY, Head, Recognition
from irlint.rules.base import Model

_WORDS = re.compile(
    r"^\s*(?:platform|backend|max_batch_size|ensemble_scheduling|instance_group|dynamic_batching|sequence_batching|version_policy)\s*[:{\[]"
    r"|\bTYPE_(?:FP|U?INT|BOOL|STRING|BF)",
    re.MULTILINE,
)
_TENSORS = re.compile(r"^(?:input|output|parameters)\s*(?::\s*)?[{\[]", re.MULTILINE)
_CONTENT = re.compile(r"^\s*[^\s#]", re.MULTILINE)


def _pieces(dims: list[int]) -> list[int]:
    """Return the numbers of elements from one -1 to the next."""
    pieces: list[list[int]] = [[]]
    for size in dims:
        pieces[-1].append(size) if size != -1 else pieces.append([])
    return [prod(piece) for piece in pieces]


class Triton(PrototextCompanion):
    name, title, why = "triton", "Triton configuration", "it has fields of a Triton configuration"
    rows, functions = "triton", {"pieces": _pieces}

    def recognize(self, head: Head) -> Recognition | None:
        is_named = re.split(r"[\\/]", head.name)[-1].lower() == "config.pbtxt"
        is_bare = head.whole and not _CONTENT.search(head.text)  # the server completes it
        if not _WORDS.search(head.text) and not (is_named and (is_bare or _TENSORS.search(head.text))):
            return None
        if "${" in head.text:
            return Recognition(FOREIGN, "a template of a Triton configuration, with places to fill in")
        return Recognition(CERTAIN if is_named else LIKELY, self.why)

    def alone(self, tree: Any, report: Report) -> None:
        check_warmup(tree, report)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        ServedModel(tree, model, path, self.table, report).check()


KIND = Triton()
