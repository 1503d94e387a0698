"""Recognizes lists of labels next to a model, and compares their number with the classes of the model."""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions import classes
from irlint.companions.base import Companion
from irlint.companions.lists import AROUND, lines_of
from irlint.companions.metadata import named_classes
from irlint.companions.models import models_in
from irlint.companions.ports import Ports, ServedPort, ports_of
from irlint.companions.report import Report
from irlint.dryrun.dims import show
from irlint.findings import Severity
from irlint.formats.base import LIKELY, Head, Recognition
from irlint.graph import Shape
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place, Span
from irlint.text.json.document import JsonDocument
from irlint.text.placed import PlacedDocument
from irlint.text.words import count

_LONGEST = 200  # characters of a label
_DATA = re.compile(
    r"[\\/]|\.(?:jpe?g|png|bmp|wav|txt)\b|^[-+\d.,\s]+$|\w,\w[^,]*,\w|\t[^\t]*\t|0x[0-9a-f]|[=<>~]="
)  # of lists of images, numbers and tables
_PROSE = re.compile(
    r"^[#*=+|\[{@>;%$~`-]|[.:;{}=,\\]$|[=:]\s*[\[{\"']|\b(?:is|are|the|this|that|if|import|return|def)\b"
)
_JSON = re.compile(r'\s*(?:\[\s*"|\{\s*"0"\s*:\s*(?:"|\[\s*"))')  # labels, or those by number
_RARE = 10  # lines of which one may look like prose
_WORDS = 5  # of the usual label, at most
_BACKGROUND = re.compile(r"(?:\d+\W+)?_*(?:background|none|unknown|\?+|blank)_*", re.IGNORECASE)
_BOXES, _LISTED = 128, 1000  # boxes of a detector at least, and of a list of what it found at most
_FOUND = (6, 7)  # numbers for each of these: a box, a score, a class, and the image
_ROOM = 2  # times as many or as few labels belong to another model, or name something else
_NUMBER = re.compile(r"(\d{1,6})[\s:,.)]+\S")  # before a label


def _is_prose(lines: list[str]) -> bool:
    """Return whether a file is text, or a program, rather than a list."""
    unlike = sum(bool(_PROSE.search(line)) for line in lines)
    return unlike * _RARE > len(lines) or sorted(len(line.split()) for line in lines)[len(lines) // 2] > _WORDS


def _listed(text: str, name: str) -> Document:
    """Return the labels of a list in JSON, or of an object by their numbers; none if it is another one."""
    document = JsonDocument.parse(text, name)
    tree = document.value
    keys: list[Any] = [*map(str, range(len(tree)))] if isinstance(tree, dict) else [*range(len(tree or ()))]
    labels = [tree[key] for key in keys if isinstance(tree, list) or key in tree]
    labels = [
        label[-1] if isinstance(label, list) and label else label for label in labels
    ]  # with the number of a synset
    if document.troubles or not all(isinstance(label, str) for label in labels):
        return PlacedDocument(text, name, [], {})
    if len(labels) < len(keys):  # some numbers are left out
        return _numbered(document, text, name)
    return PlacedDocument(text, name, labels, {(k,): document.span(Place((key,))) for k, key in enumerate(keys)})


def _numbered(document: JsonDocument, text: str, name: str) -> Document:
    """Return labels with the numbers before them, as other lists have these, at the places of the numbers."""
    labels = [f"{key}: {label}" for key, label in document.value.items() if key.isdecimal() and isinstance(label, str)]
    keys = [*document.value] if len(labels) == len(document.value) else []
    return PlacedDocument(
        text, name, labels[: len(keys)], {(k,): document.span(Place((key,), "key")) for k, key in enumerate(keys)}
    )


class Labels(Companion):
    name, title, why = "labels", "list of labels", "it is a list of labels next to a model"
    quote = ""

    def recognize(self, head: Head) -> Recognition | None:
        if head.name.endswith(".json"):
            is_ours = _JSON.match(head.text) and models_in(FilePath(head.name).parent)
            return Recognition(LIKELY, self.why) if is_ours else None
        lines = lines_of(head.text)
        if len(lines) < classes.LEAST or any(len(match[0]) > _LONGEST for match in lines):
            return None
        is_data = any(_DATA.search(match[0]) for match in lines) or _is_prose([match[0].strip() for match in lines])
        return None if is_data or not models_in(FilePath(head.name).parent) else Recognition(LIKELY, self.why)

    def open(self, text: str, name: str) -> Document:
        if name.endswith(".json"):
            return _listed(text, name)
        found = lines_of(text)
        values: dict[Path, Span] = {(k,): Span(*match.span()) for k, match in enumerate(found)}
        return PlacedDocument(text, name, [match[0].strip(AROUND) for match in found], values)

    def alone(self, tree: Any, report: Report) -> None:
        seen: dict[Any, Path] = {}
        for k, label in enumerate(tree):
            report.once(label, f"label {label!r} appears twice", (k,), seen, Severity.PEDANTIC)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        for file in models_in(path.parent):
            found = ports_of(model, path.parent / file)
            if found is not None:
                check_labels(tree, found, None, file, report)
                _check_lines(tree, found, file, report)


def classes_of(model: Ports) -> tuple[list[int], ServedPort] | None:
    """Return the numbers of classes that the output of a model of images may have, and the output."""
    if len(model.outputs) != 1 or len(model.inputs) != 1 or len(model.inputs[0].type.shape or ()) != len("BCHW"):
        return None
    port, shape = model.outputs[0], model.outputs[0].type.shape
    if shape is not None and _has_scores(shape, model.inputs[0].type.shape or ()):
        found = classes.of_classifier(shape)
        return None if found is None else ([found], port)
    if shape is None or len(shape) != len("BCA") or not _is_detector(model, shape):
        return None
    found_there = _of_boxes(model, shape)
    return (found_there, port) if found_there else None


def _has_scores(shape: Shape, image: Shape) -> bool:
    """Return whether an output has a score of each class, for an image or for each of its pixels."""
    return len(shape) == len("BC") or (len(shape) == len("BCHW") and shape[2:] == image[2:])


def _of_boxes(model: Ports, shape: Shape) -> list[int]:
    """Return the numbers of classes of a detector: that of the names in the model, or those that its boxes leave room for."""
    if (named := named_classes(model.model)) is not None:
        return [named]
    both = (classes.of_detector(shape, more) for more in classes.before_scores(model, shape))
    return [number for number in both if number is not None]


def _is_detector(model: Ports, shape: Shape) -> bool:
    """Return whether there are many boxes, or those of the usual strides: recognizers of text have fewer steps, and lists of what was found
    a score and a class each. What is as high as wide may be a mask."""
    sizes = [size for size in shape[1:] if isinstance(size, int)]
    is_list = shape[2] in _FOUND and sizes[0] <= _LISTED
    are_many = len(sizes) < len("CA") or max(sizes) >= _BOXES or max(sizes) in classes.cells(model)
    return not is_list and shape[1] != shape[2] and are_many


def _check_lines(labels: list[str], model: Ports, file: str, report: Report) -> None:
    """Report gaps of numbers in a list that has as many labels as the model has classes."""
    known = classes_of(model)
    if known is None or len(labels) not in known[0]:
        return
    numbers = [int(match[1]) for label in labels if (match := _NUMBER.match(label)) is not None]
    gap = next((k for k, number in enumerate(numbers) if number != numbers[0] + k), None)
    if len(numbers) == len(labels) and gap and numbers[0] in (0, 1):
        words = f"expected number {numbers[0] + gap}, got {numbers[gap]}: {file} has {count(len(labels), 'class', 'classes')}"
        report.say(R.value_not_allowed, (gap,), words, severity=Severity.WARNING)


def check_labels(labels: list[str], model: Ports, place: Path | None, file: str, report: Report) -> None:
    """Report labels that are not as many as the classes of a model: at one of them, or at the place that names their file."""
    known = classes_of(model)
    if known is None:
        return
    numbers, port = known
    given, real = len(labels), numbers[0]
    if given in numbers or not real / _ROOM <= given <= real * _ROOM:
        return
    of = f"output {port.name!r} of {file} is {show(port.type.shape)}, for {count(real, 'class', 'classes')}"
    words, at = f"the file has {count(given, 'label')}, but {of}", min(given, real) - 1
    if given == real - 1 and not _BACKGROUND.fullmatch(labels[0]):
        words = f"{words}; is the first one the background, which has no label here?"
        at = 0
    elif given == real + 1 and _BACKGROUND.fullmatch(labels[0]):
        words, at = f"{words}; the model has no class for {labels[0]!r}", 0
    elif given > real:
        at = real
    report.say(
        R.other_class_count,
        (at,) if place is None else place,
        words,
        other=("declared here", port.at),
        severity=Severity.WARNING,
    )


KIND = Labels()
