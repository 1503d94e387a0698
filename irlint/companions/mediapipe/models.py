"""The models that the options of nodes name: folders of models, and what the server's configuration calls a servable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.base import versions_in
from irlint.companions.claims import check_versions, describe
from irlint.companions.demands import Item, each
from irlint.companions.mediapipe.wiring import NAME
from irlint.companions.ovms.format import MAPPING, READ, REMOTE, instead
from irlint.companions.ports import Ports, find, ports_of
from irlint.companions.report import Report
from irlint.companions.tokenizer import read_json
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.rules.base import Model
from irlint.tools.names import nearest

_CONFIGS = ("subconfig.json", "config.json", "../config.json")  # which say where servables are
_FOLDERS = "models_path|draft_models_path|*/models_path|*/*/models_path"
_SEVERAL = re.compile(r"TENSORS\d*$")  # tags of streams that have all tensors
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
        hint, severity = ("", absent) if is_here else instead(folder / at.value, absent)
        report.say(R.missing_file, at.path, f"missing {at.value}, the folder of the model{hint}", to, severity=severity)


def _servable(options: Item, folder: FilePath, model: Model, report: Report) -> Ports | None:
    """Return the inputs and outputs of the model that a session opens, if a configuration says where it is."""
    name, version = (options.value.get(f"servable_{key}") for key in ("name", "version"))
    homes = _homes(folder)
    home = homes.get(name) if isinstance(name, str) else None
    if home is None:
        _unknown(options, homes, report)
        return None
    versions = versions_in(home)
    check_versions(each(options.value, "servable_version"), options.path, versions, report)
    chosen = str(version) if version in versions else (versions or [""])[-1]
    inside = file_source().names(home / chosen)
    file = next((file for file in sorted(inside) if file.endswith(READ)), None)
    return None if file is None or MAPPING in inside else ports_of(model, home / chosen / file)


def _homes(folder: FilePath) -> dict[str, FilePath | None]:
    """Return the folders of servables by name; None for those that are elsewhere."""
    found: dict[str, FilePath | None] = {}
    for config in (folder / file for file in _CONFIGS):
        for at in each(read_json(config).value, "model_config_list/*/config/name"):
            base = at.owner.get("base_path")
            is_near = isinstance(base, str) and not REMOTE.match(base) and ".." not in FilePath(base).parts
            found.setdefault(str(at.value), config.parent / str(base) if is_near else None)
    return found


def _unknown(options: Item, homes: Mapping[str, FilePath | None], report: Report) -> None:
    """Report a servable that no configuration has under its name, but one under a similar name: there may be others elsewhere."""
    name = options.value.get("servable_name")
    if isinstance(name, str) and name not in homes and nearest(name, list(homes)) is not None:
        report.known(name, homes, (*options.path, "servable_name"), "the server's configuration", what="servable")


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
        _tags(options, side, node, report)
    given = {named.get(tag, tag) for tag, _ in _streams(node, "input_stream")}
    if named and "input_order_list" not in options.value and given <= served.inputs.named.keys():
        left = {port.name: port.at for port in served.inputs if port.is_needed and given.isdisjoint(port.names)}
        report.complete((*node.path, "input_stream"), left, (), f" of {of}")


def _tags(options: Item, side: str, node: Item, report: Report) -> None:
    """Report names of tensors for tags that the node does not have, if one of its tags has no name: that is then the name of a tensor."""
    tags = dict.fromkeys(tag for tag, _ in _streams(node, f"{side}_stream"))
    rows = list(each(options.value, f"tag_to_{side}_tensor_names/*/key"))
    left = {tag for tag in tags.keys() - {at.value for at in rows} if tag and not _SEVERAL.search(tag)}
    for at in rows if left and f"{side}_order_list" not in options.value else ():
        path = (*options.path, *at.path)
        report.known(str(at.value), tags, path, "the node", what=f"tag of `{side}_stream`")
