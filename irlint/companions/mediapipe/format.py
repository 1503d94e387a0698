"""Recognizes graphs of MediaPipe, and checks how their nodes are wired, as MediaPipe does before it runs them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.demands import Item, each
from irlint.companions.mediapipe.wiring import NAME, check_order, check_tags
from irlint.companions.prototext import PrototextCompanion
from irlint.companions.report import OFFERED, Report
from irlint.findings import Severity
from irlint.formats.base import CERTAIN, FOREIGN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Path
from irlint.text.prototext.mistakes import GAP
from irlint.tools.names import slip

_NODE = re.compile(r"\bnode\s{0,9}:?\s{0,9}\{")
_CALCULATOR = re.compile(r"\bcalculator\s{0,9}:")
_FIRST = re.compile(rf"\ufeff?{GAP}([a-z_]+)")
_TEMPLATE = re.compile(r"% ?(?:for|if|else|end|param|include)\b")


class MediaPipe(PrototextCompanion):
    name, title, why = "mediapipe", "MediaPipe graph", "it has nodes with calculators"
    rows, functions = "mediapipe", {"slip": slip}

    def recognize(self, head: Head) -> Recognition | None:
        first = _FIRST.match(head.text)
        if (
            first is None
            or not (_NODE.search(head.text) and _CALCULATOR.search(head.text))
            or first[1] not in self.root.fields
        ):
            return None
        if _TEMPLATE.search(head.text):
            return Recognition(FOREIGN, "a template of a MediaPipe graph")
        return Recognition(CERTAIN, self.why)

    def alone(self, tree: Any, report: Report) -> None:
        made: dict[str, Path] = {}
        for at in _streams(tree, "input_stream", "node/*/output_stream", report):
            report.once(at.value, f"stream {at.value!r} is written twice", at.path, made)
        used = list(_streams(tree, "output_stream", "node/*/input_stream", report))
        for k, at in enumerate(at for at in used if at.value not in made):
            if at.path[0] == "node":
                written = str(report.document.value_at(at.path))
                tag = written.removesuffix(at.value)
                names = [tag + name for name in made] if k < OFFERED else []
                report.known(written, names, at.path, "the graph", what="stream")
            else:
                words = f"no node writes stream {at.value!r}, an output of the graph"
                report.say(R.tensor_left_out, at.path, words, severity=Severity.WARNING)
        for node in (Item(tree, (), tree), *each(tree, "node/*")):
            check_tags(node, report)
        check_order(tree, made, used, report)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        from irlint.companions.mediapipe.models import check

        check(tree, model, path.parent, report)


def _streams(tree: Any, outer: str, inner: str, report: Report) -> Iterator[Item]:
    """Yield the names of streams of the graph and of its nodes, and report other texts."""
    for pattern in (outer, inner):
        for at in each(tree, f"{pattern}/*"):
            found = NAME.fullmatch(at.value)
            if found is None:
                words = f"expected a name like `name`, `TAG:name` or `TAG:0:name`, got `{at.value[:80]}`"
                report.say(R.value_not_allowed, at.path, words)
            else:
                yield at._replace(value=found[3])


KIND = MediaPipe()
