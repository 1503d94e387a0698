"""Deliveries (`delivery.yaml`): what a team that trains models writes for the team that runs them, against the model itself."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any

from irlint.companions import classes
from irlint.companions.base import Companion
from irlint.companions.ports import ports_of
from irlint.companions.report import Report
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.yaml.document import YamlDocument

PATTERNS = ("delivery.yaml", "*.delivery.yaml")  # the names of its files, the usual one without `*`
KEYS = ("model", "input", "classes", "version", "owner")
_KEY = re.compile(r"^(model|input|classes)[ \t]*:", re.MULTILINE)
_TABLE = {
    "safe": ["input/*"],  # nothing but the model decides on the size of images
    "demands": [  # on the file by itself
        {"at": "", "near": KEYS},
        {"at": "", "needs": ["model"], "of": "a delivery"},
        {
            "at": "input",
            "that": "len(value) == 3",
            "rule": "wrong_length",
            "says": "expected `[channels, height, width]`, got {len(value)} items",
        },
        {
            "at": "classes/*",
            "once": "value",
            "says": "class {'%r' % value} appears twice",
        },
    ],
    "beside": [  # on the files next to it
        {"at": "model", "that": "there(value)", "rule": "missing_file", "says": "missing {value}, the model"},
    ],
}


class Delivery(Companion):
    name, title, why = "delivery", "delivery of a model", "it has the keys of a delivery"
    comment, quote, table = "#", "", _TABLE

    def recognize(self, head: Head) -> Recognition | None:
        return Recognition(CERTAIN, self.why) if len({*_KEY.findall(head.text)}) > 1 else None

    def open(self, text: str, name: str) -> Document:
        return YamlDocument(text, name)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        """Compare a delivery with the inputs and outputs of its model: those that the model declares."""
        file, size, names = (tree.get(key) if isinstance(tree, dict) else None for key in KEYS[:3])
        found = ports_of(model, path.parent / file) if isinstance(file, str) else None
        if found is None or len(found.inputs) != 1 or len(found.outputs) != 1:
            return
        taken, given = found.inputs[0], found.outputs[0]
        if isinstance(size, list) and len(size) == 3 and taken.type.shape is not None:
            of, here = f"input {taken.name!r} of {file}", ("declared here", taken.at)
            report.shape(("input",), of, size, taken.type.shape, here, batch=True)
        known = classes.of_classifier(given.type.shape)
        if isinstance(names, list) and known is not None:
            classes.check(len(names), known, given, ("classes",), "`classes`", file, report)


def kind() -> Delivery:
    return Delivery()
