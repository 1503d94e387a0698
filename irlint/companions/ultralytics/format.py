"""Recognizes metadata.yaml, and finds the models next to it."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any

from irlint.companions import demands
from irlint.companions.base import Companion
from irlint.companions.demands import each
from irlint.companions.metadata import python_value
from irlint.companions.models import models_in
from irlint.companions.ports import Ports, ports, ports_at
from irlint.companions.report import Report
from irlint.companions.ultralytics.heads import check, misfit, readable
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.yaml.document import YamlDocument

_KEYS = [re.compile(rf"^{key}:", re.MULTILINE) for key in ("task", "stride", "imgsz", "names")]
_COLORS = 3
_AUTHOR = re.compile(r"^author: *['\"]?Ultralytics", re.MULTILINE)


class Ultralytics(Companion):
    name, title, why = "ultralytics", "Ultralytics metadata", "it has the keys of Ultralytics' metadata"
    comment, quote = "#", ""
    rows = "ultralytics"

    def recognize(self, head: Head) -> Recognition | None:
        found = sum(bool(key.search(head.text)) for key in _KEYS)
        is_ours = found == len(_KEYS) or (found > 1 and _AUTHOR.search(head.text))
        return Recognition(CERTAIN, self.why) if is_ours else None

    def open(self, text: str, name: str) -> Document:
        return YamlDocument(text, name)

    value_inside = staticmethod(python_value)

    def inside(self, tree: dict[str, Any], model: Ports, report: Report) -> None:
        readable(tree, report)
        demands.check(tree, self.table, report, {})
        check(tree, model, "the model", report)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        assert model.opens is not None
        for file in models_in(path.parent) if isinstance(tree, dict) else ():
            opened = model.opens(path.parent / file)
            found, size = ports(opened), [at.value for at in each(tree, "imgsz/*")]
            if (
                opened is not None
                and found is not None
                and _is_open(found)
                and all(isinstance(one, int) for one in size)
            ):
                found, wrong = ports_at(opened, (1, tree.get("channels", _COLORS), *size))
                if wrong is not None:
                    misfit(tree, opened, wrong, file, report)
            if found is not None:
                check(tree, found, file, report)


def _is_open(model: Ports) -> bool:
    """Return whether a model says nothing of the size of its images."""
    return len(model.inputs) == 1 and model.inputs[0].type.shape is None


KIND = Ultralytics()
