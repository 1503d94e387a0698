"""Recognizes and reads config.pbtxt."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from irlint.companions.prototext import PrototextCompanion
from irlint.companions.report import Report
from irlint.companions.tensors import check_requests, fits, pieces, requested
from irlint.companions.triton.model import WARMUP
from irlint.companions.triton.repository import ServedModel
from irlint.formats.base import CERTAIN, FOREIGN, LIKELY, Head, Recognition
from irlint.rules.base import Model
from irlint.tools.names import slip

_WORDS = re.compile(
    r"^[ \t]*(?:(platform|backend)\s*:\s*[\"']|(max_batch_size)\s*:\s*[-\d]"
    r"|(ensemble_scheduling|instance_group|dynamic_batching|sequence_batching|version_policy)\s*[:{\[])"
    r"|\b(TYPE_(?:FP|U?INT|BOOL|STRING|BF))",
    re.MULTILINE,
)
_TENSORS = re.compile(
    r"^(?:(?:input|output)\s*(?::\s*)?[{\[]|parameters\s*(?::\s*)?[{\[]\s*(?:\{\s*)?key\b)", re.MULTILINE
)
_FIELDS = re.compile(r"^[A-Za-z]\w*(?=\s*[:{\[])", re.MULTILINE)  # that begin a line
_CONTENT = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)


class Triton(PrototextCompanion):
    name, title, why = "triton", "Triton configuration", "it has fields of a Triton configuration"
    rows, functions = "triton", {"pieces": pieces, "fits": fits, "slip": slip}

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(row.split(":")[0] for rows in self.table["messages"].values() for row in rows)

    def recognize(self, head: Head) -> Recognition | None:
        name, words = re.split(r"[\\/]", head.name)[-1].lower(), len(set(_WORDS.findall(head.text)))
        is_named, fields = name == "config.pbtxt", set(_FIELDS.findall(head.text))
        is_bare = head.whole and not _CONTENT.search(head.text)  # the server completes it
        is_like = words > ("config" not in name) or (is_named and (is_bare or _TENSORS.search(head.text)))
        if not is_like or len(fields - self._known) * 2 > len(fields):
            return None
        if "${" in head.text:
            return Recognition(FOREIGN, "a template of a Triton configuration, with places to fill in")
        return Recognition(CERTAIN if is_named else LIKELY, self.why)

    def alone(self, tree: Any, report: Report) -> None:
        inputs = requested(tree, self.table, "input")
        check_requests(tree, WARMUP, self.table, inputs, "the configuration", report)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        ServedModel(tree, model, path, self.table, report).check()


KIND = Triton()
