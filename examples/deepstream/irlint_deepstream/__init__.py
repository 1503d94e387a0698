"""Configurations of NVIDIA DeepStream's nvinfer (`config_infer*.txt`) against their model and their labels."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions import classes
from irlint.companions.base import Companion
from irlint.companions.claims import claim_size
from irlint.companions.labels.format import classes_of
from irlint.companions.ports import ServedPort, find, ports_of
from irlint.companions.report import Report
from irlint.dryrun.dims import show
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Span
from irlint.text.numbers import decimal
from irlint.text.placed import PlacedDocument

PATTERNS = ("config_infer*.txt", "*pgie*.txt", "*sgie*.txt")
_KEYS = re.compile(r"^(?:onnx-file|model-engine-file|num-detected-classes|labelfile-path|network-mode)\s*=", re.M)
_SECTION = re.compile(r"\[([\w-]+)\]\s*(?:#.*)?")
_PAIR = re.compile(r"([\w-]+)\s*=[ \t]*([^#\r\n]*)(?:#.*)?")
_LINE = re.compile(r"[^\r\n]+")
_SIZES = re.compile(r"[0-9]{1,9}")
_LISTED = (6, 7)  # numbers of a box with a score and a class
_DEMANDS = (
    ("network-mode", "value in (0, 1, 2, 3)", "0 (FP32), 1 (INT8), 2 (FP16) or 3"),
    ("network-type", "value in (0, 1, 2, 3, 100)", "0 (detector), 1 (classifier), 2, 3 or 100"),
    ("batch-size", "value >= 1", "at least 1"),
    ("num-detected-classes", "value >= 1", "at least 1"),
)
_LABELS = "first('property/labelfile-path')"  # of a classifier, one line has those of one output
_THERE = {"that": "str(value)[:1] == '/' or there(value)", "rule": "missing_file"}
_TABLE = {
    "demands": [
        {"at": f"property/{key}", "that": that, "rule": "value_not_allowed", "says": f"expected {words}, got {{value}}"}
        for key, that, words in _DEMANDS
    ],
    "beside": [
        {"at": "property/labelfile-path", **_THERE, "says": "missing {value}, the labels"},
        {"at": "property/onnx-file", **_THERE, "says": "missing {value}, the model", "severity": "pedantic"},
        {
            "at": "property/num-detected-classes",
            "when": f"first('property/network-type') != 1 and labels({_LABELS}) > 0",
            "that": f"value == labels({_LABELS})",
            "rule": "other_class_count",
            "says": f"the number of labels in {{{_LABELS}}} is {{labels({_LABELS})}}, not {{value}}",
        },
    ],
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
        settings, file = tree.get("property", {}), tree.get("property", {}).get("onnx-file")
        found = ports_of(model, path.parent / file) if isinstance(file, str) and file[:1] != "/" else None
        if found is None:
            return
        for name in filter(None, str(settings.get("output-blob-names", "")).split(";")):
            if find(found.outputs, name) is None:
                report.known(name, found.outputs.shown, ("property", "output-blob-names"), file)
        if len(found.inputs) == 1 and not settings.get("input-tensor-from-meta"):
            _image(settings, found.inputs[0], file, report)
        count, known = settings.get("num-detected-classes"), classes_of(found)
        shape = known[1].type.shape or () if known and settings.get("network-type", 0) == 0 else ()
        if known and isinstance(count, int) and len(shape) == len("BCA") and shape[2] not in _LISTED:
            real, at = count if count in known[0] else known[0][0], ("property", "num-detected-classes")
            classes.check(count, real, known[1], at, f"`{at[1]}`", file, report)


def _image(settings: dict[str, Any], port: ServedPort, file: str, report: Report) -> None:
    """Compare images with the input, as nvinfer does before it runs a model."""
    of, shape, here = f"input {port.name!r} of {file}", port.type.shape or (), ("declared here", port.at)
    if len(shape) != len("NCHW"):
        return
    batch, is_last = settings.get("batch-size"), settings.get("network-input-order") == 1
    if isinstance(batch, int) and isinstance(shape[0], int) and batch > shape[0]:
        claim_size(("property", "batch-size"), of, batch, port, 0, report)
    sizes = [int(size) for size in _SIZES.findall(str(settings.get("infer-dims", "")))]
    if sizes and not is_last:
        report.shape(("property", "infer-dims"), of, sizes, shape, here, batch=True, to=False)
    channels, format_ = shape[3 if is_last else 1], settings.get("model-color-format", 0)
    offsets = str(settings.get("offsets", "")).rstrip("; ")
    given = {"model-color-format": 1 if format_ == 2 else 3, "offsets": offsets.count(";") + 1}
    for key, number in given.items() if isinstance(channels, int) else ():
        if key in settings and number != channels:
            words = f"{of} is {show(shape)}, with {channels} channels, but `{key}` is for {number}"
            report.say(R.other_shape, ("property", key), words, other=here)


def kind() -> DeepStream:
    return DeepStream()
