"""Recognizes the configuration of a server, and compares it with the folders of its models and with the models."""

from __future__ import annotations

import os
import re
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.base import Companion, versions_in
from irlint.companions.claims import check_versions, describe
from irlint.companions.demands import Item, each
from irlint.companions.ovms.pipelines import check as check_pipelines
from irlint.companions.ovms.pipelines import check_nodes
from irlint.companions.ports import PortList, Ports, find, ports_at, ports_of
from irlint.companions.report import Report
from irlint.dryrun.dims import show
from irlint.files.side_files import file_source
from irlint.findings import OtherPlace, Severity
from irlint.formats.base import CERTAIN, Head, Recognition
from irlint.rules.base import Model
from irlint.text.base import Document, Path
from irlint.text.json.document import JsonDocument
from irlint.tools.names import nearest

_KEYS = re.compile(r'"(?:model_config_list|mediapipe_config_list|pipeline_config_list)"\s*:')
_SIZE = r"-?\d+(?::\d+)?"
_SHAPE = re.compile(rf"\((?:{_SIZE}(?:,{_SIZE})*,?)?\)")  # without spaces
_SPACES = re.compile(r"\s+")
_LAYOUT = re.compile(r"[A-Za-z?]+(?::[A-Za-z?]+)?")
READ = (".xml", ".onnx")  # models that irlint reads
_MODELS = (*READ, ".pdmodel", ".pb", ".tflite", ".pbtxt", ".gguf")
REMOTE = re.compile(r"[a-z0-9]+://|[\\/]|[A-Za-z]:[\\/]|\$")  # paths that are not in the folder of the file
_FOLDERS = 64  # that are compared with a missing one
MAPPING = "mapping_config.json"  # gives inputs and outputs other names


def is_shape(value: Any) -> bool:
    """Return whether a text is a shape; an object has one for each input."""
    return (
        not isinstance(value, str)
        or value in ("", "auto")
        or value[0] == "{"
        or bool(_SHAPE.fullmatch(_SPACES.sub("", value)))
    )


class ModelServer(Companion):
    name, title, why = "ovms", "OpenVINO Model Server configuration", "it has the keys of a server's configuration"
    rows, functions = "ovms", {"is_shape": is_shape}

    def recognize(self, head: Head) -> Recognition | None:
        return Recognition(CERTAIN, self.why) if _KEYS.search(head.text) else None

    def open(self, text: str, name: str) -> Document:
        return JsonDocument.parse(text, name)

    def alone(self, tree: Any, report: Report) -> None:
        check_pipelines(tree, report)

    def beside(self, tree: Any, model: Model, path: FilePath, report: Report) -> None:
        folder, entries = path.parent, [at for at in each(tree, "model_config_list/*/config") if _is_near(at)]
        known = [at for at in entries if _is_there(folder / at.value["base_path"])]
        # a repository without its models is not complete: nothing is missing from it
        models: dict[str, Ports] = {}
        absent = None if known or model.missing_weights == "required" else Severity.PEDANTIC
        for at in entries:
            if at not in known:
                words = f"missing {at.value['base_path']}, the folder of model {at.value.get('name')!r}"
                hint, severity = instead(folder / at.value["base_path"], absent)
                report.say(R.missing_file, (*at.path, "base_path"), words + hint, severity=severity)
            elif (found := _model(at, folder, model, report)) is not None:
                models[str(at.value.get("name"))] = found
        check_nodes(tree, models, report)
        _graphs(tree, folder, absent, report)


def _graphs(tree: Any, folder: FilePath, absent: Severity | None, report: Report) -> None:
    """Report graphs that are not there."""
    for at in each(tree, "mediapipe_config_list/*"):
        file = os.path.join(
            str(at.value.get("base_path", at.value.get("name"))), str(at.value.get("graph_path", "graph.pbtxt"))
        )
        if "name" in at.value and not REMOTE.match(file) and not _is_there(folder / file):
            key = next((key for key in ("graph_path", "base_path") if key in at.value), "name")
            words = f"missing {os.path.normpath(file)}, the graph"
            hint, severity = instead((folder / file).parent, absent)
            report.say(R.missing_file, (*at.path, key), words + hint, severity=severity)


def instead(home: FilePath, absent: Severity | None) -> tuple[str, Severity | None]:
    """Return which folder there may be meant by one that is missing, and how severe that is."""
    source = file_source()
    if source.is_folder(home) or ".." in home.parts:
        return "", absent
    there = [name for name in sorted(source.names(home.parent))[:_FOLDERS] if source.is_folder(home.parent / name)]
    close = nearest(home.name, there) or (there[0] if len(there) == 1 else None)
    return (f"; did you mean `{close}`?", Severity.WARNING) if close else ("", absent)


def _is_near(at: Item) -> bool:
    """Return whether the models of an entry are in the folder of the file."""
    base = at.value.get("base_path") if isinstance(at.value, dict) else None
    return isinstance(base, str) and bool(base) and not REMOTE.match(base) and ".." not in FilePath(base).parts


def _is_there(path: FilePath) -> bool:
    return file_source().is_there(path)


def _model(at: Item, folder: FilePath, model: Model, report: Report) -> Ports | None:
    """Compare an entry with its folder, or its file. Return the inputs and outputs of its model."""
    base = folder / at.value["base_path"]
    names = file_source().names(base)
    versions = [name for name in versions_in(base) if int(name)]
    if not file_source().is_folder(base):
        return _version(at, base, model, report)
    if versions:
        return _versions(at, base, versions, model, report)
    if not at.value.get("graph_path") and not any(name.endswith((".pbtxt", "config.json")) for name in names):
        words = f"no version of model {at.value.get('name')!r} in {at.value['base_path']}; expected a folder with a number, as `1`"
        report.say(R.missing_file, (*at.path, "base_path"), words, severity=Severity.WARNING)
    return None


def _versions(at: Item, base: FilePath, versions: list[str], model: Model, report: Report) -> Ports | None:
    """Look for the versions that an entry wants, and compare it with the model of the last one."""
    check_versions(each(at.value, "model_version_policy/specific/versions/*"), at.path, versions, report)
    inside = file_source().names(base / versions[-1])
    file = next((name for name in sorted(inside) if name.endswith(READ)), None)
    if file is not None and MAPPING not in inside:
        return _version(at, base / versions[-1] / file, model, report)
    if file is None and inside and not any(name.endswith(_MODELS) for name in inside):
        words = f"no model in version {versions[-1]} of {at.value['base_path']}"
        report.say(R.missing_file, (*at.path, "base_path"), words)
    return None


def _version(at: Item, path: FilePath, model: Model, report: Report) -> Ports | None:
    found = ports_of(model, path) if path.name.endswith(READ) else None
    if found is not None:
        for key, known in (("shape", found.inputs), ("layout", PortList([*found.inputs, *found.outputs]))):
            _by_name(at, key, known, found, path.name, report)
    return found


def _by_name(at: Item, key: str, known: PortList, model: Ports, file: str, report: Report) -> None:
    """Check what an entry says of inputs, by name or for the only one."""
    said, path = at.value.get(key), (*at.path, key)
    if isinstance(said, dict):
        for name, text in said.items():
            if report.known(
                name, known.shown if find(known, name) is None else (name,), (*path, name), file, part="key"
            ):
                port = find(known, name)
                side = "input" if port in model.inputs else "output"
                if port is not None:
                    describe((*path, name), side, port, file, (), report)
                _shape(text, port, (*path, name), key, model, file, report)
    elif isinstance(said, str) and said.startswith("(") and len(model.inputs) > 1:
        words = f"expected a shape for each of the {len(model.inputs)} inputs of {file}, by name"
        report.say(R.value_not_allowed, path, words)
    elif isinstance(said, str) and said[:1] != "{" and len(model.inputs) == 1:
        _shape(said, model.inputs[0], path, key, model, file, report)


def _shape(text: Any, port: Any, path: Path, key: str, model: Ports, file: str, report: Report) -> None:
    """Report a shape or a layout with another number of dimensions than a tensor, and a shape that the nodes of a model do not take."""
    pattern, plain = _SHAPE if key == "shape" else _LAYOUT, _SPACES.sub("", str(text))
    if port is None or port.type.shape is None or not pattern.fullmatch(plain):
        return
    sizes = re.findall(_SIZE, plain)
    given = len(sizes) if key == "shape" else len(plain.split(":")[-1])
    if given != len(port.type.shape):
        words = f"{port.name!r} of {file} is {show(port.type.shape)}, but `{text}` has {given} dimensions"
        report.say(R.other_shape, path, words, other=("declared here", port.at), severity=Severity.WARNING)
    elif key == "shape" and model.model is not None and all(size.isdecimal() for size in sizes):
        _, wrong = ports_at(model.model, tuple(map(int, sizes)))
        if wrong is not None:
            here = "node that does not take it", OtherPlace(model.model.document, wrong.graph.place(wrong.node))
            words = f"{file} does not take the shape `{text}`: {wrong.error.message}"
            report.say(R.other_shape, path, words, other=here, severity=Severity.WARNING)


KIND = ModelServer()
