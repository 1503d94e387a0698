"""Recognizes configurations of nvinfer by their keys, and compares them with their model and their labels as nvinfer does."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.base import Companion
from irlint.companions.claims import claim_size
from irlint.companions.classes import of_classifier
from irlint.companions.deepstream.keyfile import KeyFileDocument
from irlint.companions.demands import first
from irlint.companions.labels.format import classes_of
from irlint.companions.lists import labels_at
from irlint.companions.ports import Ports, ServedPort, ports_of
from irlint.companions.report import Report
from irlint.dryrun.dims import show
from irlint.findings import OtherPlace, Severity
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.graph import Shape
from irlint.rules.base import Model
from irlint.text.base import Document
from irlint.text.words import count
from irlint.text.yaml.document import YamlDocument

# The group, a model, and what other programs do not say of one
_MARKS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^[ \t]*\[property\]|^property[ \t]*:",
        r"^[ \t]*(?:onnx-file|model-engine-file|tlt-encoded-model|custom-network-config|uff-file|proto-file)[ \t]*[=:]",
        r"^[ \t]*(?:net-scale-factor|network-(?:mode|type)|num-detected-classes|gie-unique-id|infer-dims|labelfile-path)[ \t]*[=:]",
    )
)
_SEPARATED = "; labels of one output are separated by `;`"
_DETECTOR, _CLASSIFIER = 0, 1
_LISTED = ((), (6,), (7,))  # numbers of a box with a score and a class; none without boxes
_OWN = ("cov", "bbox")  # what nvinfer's own detector finds its outputs by
_ROWS = ("NvDsInferParseYolo", "NvDsInferParseYoloCuda")  # functions of DeepStream-Yolo, which take boxes in rows


class DeepStream(Companion):
    name, title, why = "deepstream", "DeepStream configuration", "it has the keys of an nvinfer configuration"
    comment, quote = "#", ""
    rows, functions = "deepstream", {"number": int}

    def recognize(self, head: Head) -> Recognition | None:
        return Recognition(CERTAIN, self.why) if all(mark.search(head.text) for mark in _MARKS) else None

    def open(self, text: str, name: str) -> Document:
        return YamlDocument(text, name) if name.lower().endswith((".yml", ".yaml")) else KeyFileDocument(text, name)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        file = first(tree, "property/onnx-file")
        found = ports_of(model, path.parent / file) if isinstance(file, str) else None
        if found is None or not found.outputs:
            return
        settings = tree["property"]
        for name in filter(None, (name.strip() for name in str(settings.get("output-blob-names", "")).split(";"))):
            report.known(name, found.outputs.shown, _at("output-blob-names"), file, severity=Severity.WARNING)
        if len(found.inputs) == 1 and not settings.get("input-tensor-from-meta"):
            _image(settings, found.inputs[0], file, report)
        kind = settings.get("network-type", settings.get("is-classifier", _DETECTOR))
        if kind == _DETECTOR:
            _detector(settings, found, file, report)
        elif kind == _CLASSIFIER and "parse-classifier-func-name" not in settings and len(found.outputs) == 1:
            _labels(settings, found.outputs[0], path.parent, file, report)


def _at(key: str) -> tuple[str, str]:
    return "property", key


def _image(settings: dict[str, Any], port: ServedPort, file: str, report: Report) -> None:
    """Compare images with the input: nvinfer refuses a model that does not take their size, or as many of them."""
    of, shape, here = f"input {port.name!r} of {file}", port.type.shape or (), _here(port)
    if len(shape) != len("NCHW"):
        return
    batch, is_last = settings.get("batch-size"), settings.get("network-input-order") == 1
    if isinstance(batch, int) and isinstance(shape[0], int):
        claim_size(_at("batch-size"), of, max(batch, shape[0]), port, 0, report)
    said = [size.strip() for size in str(settings.get("infer-dims", "")).strip("; ").split(";")]
    own = (*shape[3:], *shape[1:3]) if is_last else shape[1:]
    if len(said) == len(own):  # open dimensions take any size
        real = ";".join(str(size) if isinstance(size, int) else one for size, one in zip(own, said, strict=True))
        words = f"{of} is {show(shape)}: `infer-dims`"
        report.claim(R.other_shape, _at("infer-dims"), words, ";".join(said), real, real, here)
    channels, format_ = own[0], settings.get("model-color-format", 0)
    offsets = str(settings.get("offsets", "")).rstrip("; ")
    given = {"model-color-format": 1 if format_ == 2 else 3, "offsets": offsets.count(";") + 1}
    for key, number in given.items() if isinstance(channels, int) else ():
        if key in settings and number != channels:
            words = f"{of} is {show(shape)}, with {channels} channels, but `{key}` is for {number}"
            report.say(R.other_shape, _at(key), words, other=here)


def _detector(settings: dict[str, Any], model: Ports, file: str, report: Report) -> None:
    """Compare what the function that finds boxes takes, nvinfer's own or one of a library, with the outputs."""
    function, port = settings.get("parse-bbox-func-name"), model.outputs[0]
    shape, known = port.type.shape or (), classes_of(model)
    if function is None:
        own = [next((port for port in model.outputs if word in port.name), None) for word in _OWN]
        if own[0] is None or own[1] is None:
            of = f"a detector: {file} has no outputs with `cov` and `bbox` in their names"
            report.missing("parse-bbox-func-name", of, _at("network-type"), _at("onnx-file"))
        elif (real := of_classifier(own[0].type.shape)) is not None:
            _classes(settings, [real], own[0], file, report)
    elif function in _ROWS and len(model.outputs) == 1 and len(shape) == len("BCA") and _is_turned(shape):
        words = f"`{function}` takes a row for each box, but output {port.name!r} of {file} is {show(shape)}"
        report.say(R.other_shape, _at("parse-bbox-func-name"), words, other=_here(port), severity=Severity.WARNING)
    elif known is not None and shape[2:] not in _LISTED:
        _classes(settings, *known, file, report)


def _is_turned(shape: Shape) -> bool:
    return isinstance(shape[1], int) and isinstance(shape[2], int) and shape[1] < shape[2]


def _here(port: ServedPort) -> tuple[str, OtherPlace]:
    return "declared here", port.at


def _classes(settings: dict[str, Any], reals: list[int], port: ServedPort, file: str, report: Report) -> None:
    """Compare the number of classes with those that an output may have."""
    at, of = (
        _at("num-detected-classes"),
        f"output {port.name!r} of {file} is {show(port.type.shape)}: the number of classes",
    )
    said = settings.get(at[1])
    real = said if said in reals else reals[0] if len(reals) == 1 else " or ".join(map(str, sorted(reals)))
    to = str(real) if len(reals) == 1 else None
    report.claim(R.other_class_count, at, of, said, real, to, _here(port), Severity.WARNING)


def _labels(settings: dict[str, Any], port: ServedPort, folder: FilePath, file: str, report: Report) -> None:
    """Compare the labels of a classifier with its output: they are all on one line."""
    real, lines = of_classifier(port.type.shape), labels_at(folder, settings.get("labelfile-path"))
    said = len([label for label in lines[0].split(";") if label]) if lines else 0
    if real is None or said in (0, real):
        return
    of = f"output {port.name!r} of {file} is {show(port.type.shape)}, for {count(real, 'class', 'classes')}"
    words = f"the first line has {count(said, 'label')}, but {of}{_SEPARATED * (len(lines) == real)}"
    report.say(R.other_class_count, _at("labelfile-path"), words, other=_here(port), severity=Severity.WARNING)


KIND = DeepStream()
