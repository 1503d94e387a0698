"""Configurations of NVIDIA DeepStream's nvinfer (`config_infer*.txt`) against their model and their labels."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.base import Companion, is_there
from irlint.companions.ports import find, ports
from irlint.companions.report import Report
from irlint.findings import Severity
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Span
from irlint.text.numbers import decimal
from irlint.text.placed import PlacedDocument

PATTERNS = ("config_infer*.txt", "*pgie*.txt", "*sgie*.txt")
_KEYS = re.compile(
    r"^(?:onnx-file|model-engine-file|num-detected-classes|labelfile-path|network-mode)\s*=", re.MULTILINE
)
_SECTION = re.compile(r"\[([\w-]+)\]\s*(?:#.*)?")
_PAIR = re.compile(r"([\w-]+)\s*=[ \t]*([^#\r\n]*)(?:#.*)?")
_LINE = re.compile(r"[^\r\n]+")
_SIZES = re.compile(r"[0-9]{1,9}")
_DEMANDS = (
    ("network-mode", "value in (0, 1, 2, 3)", "0 (FP32), 1 (INT8), 2 (FP16) or 3"),
    ("network-type", "value in (0, 1, 2, 3, 100)", "0 (detector), 1 (classifier), 2, 3 or 100"),
    ("batch-size", "value >= 1", "at least 1"),
    ("num-detected-classes", "value >= 1", "at least 1"),
)
_TABLE = {
    "demands": [
        {"at": f"property/{key}", "that": that, "rule": "value_not_allowed", "says": f"expected {words}, got {{value}}"}
        for key, that, words in _DEMANDS
    ]
}


class DeepStream(Companion):
    name, title, why = "deepstream", "DeepStream configuration", "it has the keys of an nvinfer configuration"
    comment, quote, table = "#", "", _TABLE

    def recognize(self, head: Head) -> Recognition | None:
        return Recognition(CERTAIN, self.why) if "[property]" in head.text and _KEYS.search(head.text) else None

    def open(self, text: str, name: str) -> Document:
        tree: dict[str, dict[str, Any]] = {}
        values: dict[Path, Span] = {}
        keys: dict[Path, Span] = {}
        section = ""
        for line in _LINE.finditer(text):
            if (found := _SECTION.fullmatch(line[0].strip())) is not None:
                section = found[1]
            elif (found := _PAIR.fullmatch(line[0])) is not None:
                path = (section, found[1])
                keys[path] = Span(line.start(), line.start() + found.end(1))
                value = found[2].rstrip()
                values[path] = Span(line.start() + found.start(2), line.start() + found.start(2) + len(value))
                number = decimal(value)
                tree.setdefault(section, {})[found[1]] = value if number is None else number
        return PlacedDocument(text, name, tree, values, keys)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        settings, folder = tree.get("property", {}), path.parent
        labels = settings.get("labelfile-path")
        if isinstance(labels, str) and not FilePath(labels).is_absolute():
            if not is_there(folder / labels):
                report.say(R.missing_file, ("property", "labelfile-path"), f"missing {labels}, the labels")
            elif (count := settings.get("num-detected-classes")) is not None:
                report.claim(
                    R.other_class_count,
                    ("property", "num-detected-classes"),
                    f"the number of labels in {labels}",
                    count,
                    _labels(folder / labels),
                )
        file = settings.get("onnx-file")
        if not isinstance(file, str) or FilePath(file).is_absolute() or model.opens is None:
            return
        if not is_there(folder / file):
            report.say(
                R.missing_file, ("property", "onnx-file"), f"missing {file}, the model", severity=Severity.PEDANTIC
            )
        elif (found := ports(model.opens(folder / file))) is not None:
            names = str(settings.get("output-blob-names", ""))
            for name in filter(None, names.split(";")):
                if find(found.outputs, name) is None:
                    report.known(name, (port.name for port in found.outputs), ("property", "output-blob-names"), file)
            sizes, shape = settings.get("infer-dims"), found.inputs[0].type.shape if len(found.inputs) == 1 else None
            if isinstance(sizes, str) and shape is not None and (said := [int(size) for size in _SIZES.findall(sizes)]):
                here = ("declared here", found.inputs[0].at)
                report.shape(
                    ("property", "infer-dims"),
                    f"input {found.inputs[0].name!r} of {file}",
                    said,
                    shape,
                    here,
                    batch=True,
                    to=False,
                )


def _labels(path: FilePath) -> int | None:
    """Return the number of labels: of a detector one a line."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.stat().st_size < 1 << 20 else ""
    return sum(bool(line.strip()) for line in text.splitlines()) or None


def kind() -> DeepStream:
    return DeepStream()
