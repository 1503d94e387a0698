"""Recognizes Frigate's configuration by its keys, and compares the model in it with the file that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any

from irlint.checks.signature import evaluate
from irlint.codes import R
from irlint.companions.base import Companion, is_there
from irlint.companions.claims import claim_size
from irlint.companions.demands import Item, each
from irlint.companions.labels.format import check_labels
from irlint.companions.lists import labels_at
from irlint.companions.ports import Ports, ServedPort, ports_of
from irlint.companions.report import Report
from irlint.dryrun.dims import show
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.graph import Shape
from irlint.rules.base import Model
from irlint.text.base import Document, Path
from irlint.text.words import count
from irlint.text.yaml.document import YamlDocument
from irlint.tools.names import nearest

_SECTION = re.compile(r"^(cameras|detectors|model|mqtt|go2rtc|ffmpeg):", re.MULTILINE)
_MAIN = ("cameras", "detectors")
# What these have in no other program: a camera's stream or size, a kind of detector
_OWN = re.compile(
    r"^ +(?:(?:ffmpeg|detect|onvif|roles)[ ]*:"
    r"|type:[ ]*[\"']?(?:openvino|onnx|cpu|edgetpu|tensorrt|rknn|hailo8l|memryx|deepstack|zmq|degirum)\b)",
    re.MULTILINE,
)
_KEY = re.compile(r"^ +(?:labelmap_path|input_tensor|input_pixel_format|model_type) *:", re.MULTILINE)
_CONFIG = "/config/"  # where the container has the folder of the file
_FILES = ("path", "labelmap_path")
_ROOT = ("model",)  # the section that has defaults
_DEFAULT, _SIZE = "nhwc", 320
_CHANNELS = (1, 3)
_ENDS = (".onnx", ".xml")


class Frigate(Companion):
    name, title, why = "frigate", "Frigate configuration", "it has the keys of a Frigate configuration"
    comment, quote = "#", ""
    rows, functions = "frigate", {"nearest": nearest}

    def recognize(self, head: Head) -> Recognition | None:
        sections = set(_SECTION.findall(head.text))
        is_ours = len(sections) > 1 and sections & {*_MAIN} and _OWN.search(head.text) and _KEY.search(head.text)
        return Recognition(CERTAIN, self.why) if is_ours else None

    def open(self, text: str, name: str) -> Document:
        return YamlDocument(text, name)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        for at in _models(tree):
            files = {key: name for key in _FILES if (name := _local(at.value.get(key))) is not None}
            missing = {key: name for key, name in files.items() if not is_there(path.parent / name)}
            for key, name in missing.items():
                _missing((*at.path, key), path.parent / name, name, "path" in missing or "path" not in files, report)
            file = files.get("path", "")
            if file.endswith(_ENDS) and "path" not in missing and model.opens is not None:
                found = ports_of(model, path.parent / file)
                _compare(at, found, file, files.get("labelmap_path"), path.parent, report)
                if found is not None:
                    _check_kind(
                        at, {str(one.value) for one in each(tree, _detectors(at))}, found, file, self.table, report
                    )


def _missing(at: Path, path: FilePath, name: str, is_without_model: bool, report: Report) -> None:
    """Report a file that is missing: a configuration in git is often without its model."""
    there = [one for one in file_source().names(path.parent) if one.endswith(_ENDS)] if at[-1] == "path" else []
    severity = Severity.WARNING if there else Severity.PEDANTIC if is_without_model else None
    instead = f"; there is {min(there)}" if there else ""
    report.say(R.missing_file, at, f"missing {name}, the `{at[-1]}` of the configuration{instead}", severity=severity)


def _compare(at: Item, model: Ports | None, file: str, labels: str | None, folder: FilePath, report: Report) -> None:
    """Compare a section with its model, and the labels with the classes."""
    if model is None:
        return
    if model.inputs:
        _input(at, model.inputs[0], file, report)
    if labels is not None and (lines := labels_at(folder, labels)):
        check_labels(lines, model, (*at.path, "labelmap_path"), file, report)


def _detectors(at: Item) -> str:
    """Return the pattern of the kinds of detectors that use a section."""
    return "detectors/*/type" if at.path == _ROOT else f"detectors/{at.path[1]}/type"


def _check_kind(at: Item, kinds: set[Any], model: Ports, file: str, table: Mapping[str, Any], report: Report) -> None:
    """Compare what a detector makes of a model's inputs and outputs with these; keys that are left out have defaults."""
    if not (kinds and kinds <= {*table["runs"]} and model.outputs):
        return
    known = _known(kinds, model)
    for key, default in table["usual"].items() if at.path == _ROOT else ((key, None) for key in table["usual"]):
        value, here = at.value.get(key, default), (*at.path, key if key in at.value else "path")
        for row in table["heads"]:
            if (row["key"], row["value"]) == (key, value) and evaluate(row["that"], known) is False:
                said, has = f"`{key}` {value}{' (the default)' * (key not in at.value)}", evaluate(row["has"], known)
                words = f"{said} is for {row['of']}; {file} has {has}"
                other = ("declared here", (model.inputs if key == "input_dtype" else model.outputs)[0].at)
                report.say(R.contradictory_settings, here, words, other=other, severity=Severity.WARNING)


def _known(kinds: set[Any], model: Ports) -> dict[str, Any]:
    """Return what rows of heads ask of a model."""
    shape = model.outputs[0].type.shape
    return {
        "inputs": len(model.inputs),
        "outputs": len(model.outputs),
        "shown": f"{count(len(model.outputs), 'output')}, the first one {show(shape)}",
        "sizes": shape and [size if isinstance(size, int) else 0 for size in shape],
        "dtypes": {port.type.dtype for port in model.inputs[:1]},
        "kinds": kinds,
    }


def _models(tree: Any) -> Iterator[Item]:
    """Yield the sections about a model: that of all detectors, and those of one."""
    for pattern in ("model", "detectors/*/model"):
        yield from (at for at in each(tree, pattern) if isinstance(at.value, dict))


def _local(path: Any) -> str | None:
    """Return a path in the folder of the file; None for others, which only the container has."""
    if not isinstance(path, str) or not path:
        return None
    inside = path.removeprefix(_CONFIG)
    return None if inside.startswith("/") or "://" in inside or ".." in FilePath(inside).parts else inside


def _input(at: Item, port: ServedPort, file: str, report: Report) -> None:
    """Compare the size and the layout of images with the input of a model."""
    shape, layout = port.type.shape, at.value.get("input_tensor", _DEFAULT)
    if shape is None or len(shape) != len(_DEFAULT) or layout not in ("nchw", "nhwc"):
        return
    name, here = f"input {port.name!r} of {file}", ("declared here", port.at)
    real = _layout(shape)
    if real not in (None, layout):
        key = "input_tensor" if "input_tensor" in at.value else "path"
        words = f"{name} is {show(shape)}, which is {real}, not {layout}{' (the default)' * (key == 'path')}"
        report.say(R.other_shape, (*at.path, key), words, real if key != "path" else None, here)
        return
    for key, letter in (("height", "h"), ("width", "w")):
        said = (*at.path, key if key in at.value else "path")
        claim_size(
            said,
            name,
            at.value.get(key, _SIZE if at.path == _ROOT else None),
            port,
            layout.index(letter),
            report,
            can_write=key in at.value,
        )


def _layout(shape: Shape) -> str | None:
    """Return the layout of images by where their channels are; None if that is not clear."""
    first, last = shape[1] in _CHANNELS, shape[3] in _CHANNELS
    return None if first == last else "nchw" if first else "nhwc"


KIND = Frigate()
