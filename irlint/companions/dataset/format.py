"""Recognizes data.yaml next to a model, and compares the names of its classes with the model."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any

from irlint.companions.base import Companion
from irlint.companions.demands import each
from irlint.companions.labels.format import check_labels
from irlint.companions.models import models_in
from irlint.companions.ports import ports_of
from irlint.companions.report import Report
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.yaml.document import YamlDocument

_NAMES = re.compile(r"^names[ \t]*:", re.MULTILINE)
_PART = re.compile(r"^(?:train|val|test)[ \t]*:", re.MULTILINE)


class DataSet(Companion):
    name, title, why = "dataset", "Ultralytics data set", "it has the keys of a data set next to a model"
    comment, quote = "#", ""
    rows = "dataset"

    def recognize(self, head: Head) -> Recognition | None:
        is_ours = _NAMES.search(head.text) and _PART.search(head.text) and models_in(FilePath(head.name).parent)
        return Recognition(CERTAIN, self.why) if is_ours else None

    def open(self, text: str, name: str) -> Document:
        return YamlDocument(text, name)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        labels = [str(at.value) for at in each(tree, "names/*")]
        for file in models_in(path.parent) if labels else ():
            found = ports_of(model, path.parent / file)
            if found is not None:
                check_labels(labels, found, ("names",), file, report)


KIND = DataSet()
