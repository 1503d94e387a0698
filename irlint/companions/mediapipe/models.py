"""The models that the options of nodes name: folders of models, and what the server's configuration calls a servable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.base import versions_in
from irlint.companions.claims import check_versions, describe
from irlint.companions.demands import Item, each
from irlint.companions.mediapipe.wiring import NAME
from irlint.companions.ovms.format import MAPPING, READ, REMOTE
from irlint.companions.ports import Ports, find, ports_of
from irlint.companions.report import Report
from irlint.companions.tokenizer import read_json
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.rules.base import Model

_CONFIGS = ("subconfig.json", "config.json", "../config.json")  # which say where servables are
_FOLDERS = "models_path|draft_models_path|*/models_path|*/*/models_path"
_LLM = ("openvino_model.xml", "openvino_language_model.xml")


def check(tree: Any, model: Model, folder: FilePath, report: Report) -> None:
    """Report folders that are missing, and names of tensors that the model of a node does not have."""
    sessions: dict[str, tuple[str, Ports]] = {}  # each with what to call its model
    for node in each(tree, "node/*"):
        for options in _options(node):
            for pattern in _FOLDERS.split("|"):
                for at in each(options.value, pattern):
                    _folder(at._replace(path=(*options.path, *at.path)), folder, model, report)
            if (found := _servable(options, folder, model, report)) is not None:
                of = f"model {options.value['servable_name']!r}"
                sessions |= {name: (of, found) for _, name in _streams(node, "output_side_packet")}
    for node in each(tree, "node/*"):
        served = [sessions[name] for _, name in _streams(node, "input_side_packet") if name in sessions]
        for options in _options(node) if served else ():
            _tensors(options, *served[0], node, report)


def _options(node: Item) -> Iterator[Item]:
    """Yield the options of a node, of both versions of protobuf."""
    for pattern in ("node_options/*/*", "options/*"):
        for at in each(node.value, pattern):
            if isinstance(at.value, dict):
                yield at._replace(path=(*node.path, *at.path))


def _streams(node: Item, side: str) -> Iterator[tuple[str, str]]:
    """Yield the tag, empty without one, and the name of each stream on one side of a node."""
    for at in each(node.value, f"{side}/*"):
        if (match := NAME.fullmatch(at.value)) is not None:
            yield match[1] or "", match[3]


def _folder(at: Item, folder: FilePath, model: Model, report: Report) -> None:
    """Report a folder of models that is not there; in git, models are often left out."""
    if not isinstance(at.value, str) or not at.value or REMOTE.match(at.value) or ".." in FilePath(at.value).parts:
        return
    if not file_source().is_there(folder / at.value):
        is_here = any(name in _LLM for name in file_source().names(folder))
        absent = Severity.WARNING if is_here or model.missing_weights == "required" else Severity.PEDANTIC
        to = f"{report.quote}./{report.quote}" if is_here else None
        report.say(R.missing_file, at.path, f"missing {at.value}, the folder of the model", to, severity=absent)


def _servable(options: Item, folder: FilePath, model: Model, report: Report) -> Ports | None:
    """Return the inputs and outputs of the model that a session opens, if a configuration says where it is."""
    name, version = (options.value.get(f"servable_{key}") for key in ("name", "version"))
    home = _home(name, folder) if isinstance(name, str) else None
    if home is None:
        return None
    versions = versions_in(home)
    check_versions(each(options.value, "servable_version"), options.path, versions, report)
    chosen = str(version) if version in versions else (versions or [""])[-1]
    inside = file_source().names(home / chosen)
    file = next((file for file in sorted(inside) if file.endswith(READ)), None)
    return None if file is None or MAPPING in inside else ports_of(model, home / chosen / file)


def _home(name: str, folder: FilePath) -> FilePath | None:
    """Return the folder of a servable."""
    for config in (folder / file for file in _CONFIGS):
        for at in each(read_json(config).value, "model_config_list/*/config/base_path"):
            is_near = isinstance(at.value, str) and not REMOTE.match(at.value) and ".." not in FilePath(at.value).parts
            if is_near and at.owner.get("name") == name:
                return config.parent / str(at.value)
    return None


def _tensors(options: Item, of: str, served: Ports, node: Item, report: Report) -> None:
    named = dict[str, str]()
    for side, known in (("input", served.inputs), ("output", served.outputs)):
        for pattern in (f"tag_to_{side}_tensor_names/*/value", f"{side}_order_list/*"):
            for at in each(options.value, pattern):
                path, port = (*options.path, *at.path), find(known, str(at.value))
                if port is not None:
                    describe(path, side, port, of, known.shown, report)
                else:
                    report.known(at.value, known.shown, path, of)
                named |= {at.owner["key"]: at.value} if side == "input" and "key" in at.owner else {}
    given = {named.get(tag, tag) for tag, _ in _streams(node, "input_stream")}
    if named and "input_order_list" not in options.value and given <= served.inputs.named.keys():
        left = {port.name: port.at for port in served.inputs if port.is_needed and given.isdisjoint(port.names)}
        report.complete((*node.path, "input_stream"), left, (), f" of {of}")
