"""Where a configuration contradicts its folder, its model, or the models of an ensemble: `NAME/config.pbtxt`, `NAME/VERSION/model.onnx`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions import demands
from irlint.companions.base import is_there, versions_in
from irlint.companions.demands import Item, Tree, each
from irlint.companions.ports import ports
from irlint.companions.report import Report
from irlint.companions.tensors import Tensors, compare, left_out, of_model
from irlint.companions.triton.model import ModelOfVersion, requested
from irlint.files.side_files import file_source
from irlint.findings import OtherPlace, Severity
from irlint.rules.base import Model
from irlint.text.base import Place

# By backend: the usual name of a model's file
_FILES = {
    "onnxruntime": "model.onnx", "openvino": "model.xml", "tensorrt": "model.plan", "pytorch": "model.pt", "python": "model.py",
}  # fmt: skip
_READ = ("onnxruntime", "openvino")
_COMPLETES, _LONGEST = b"auto_complete_config", 1 << 20  # what completes a configuration, and how far it is looked for


class ServedModel:
    """A configuration and its folder, with the models that the server would load."""

    def __init__(self, tree: Tree, model: Model, path: FilePath, table: Mapping[str, Any], report: Report) -> None:
        self.tree, self.model, self.folder, self.table, self.report = tree, model, path.parent, table, report
        self.names = {**demands.names(tree, table), "table": table}
        self.seen = {**requested(tree, table, "input"), **requested(tree, table, "output")}
        self.versions = versions_in(path.parent)
        # repositories in git are often without models
        self.absent = None if model.missing_weights == "required" else Severity.PEDANTIC

    def check(self) -> None:
        for version in self._served() if self.versions else ("",):
            self._version(version, self.names["backend"])
        for step in each(self.tree, "ensemble_scheduling/step/*"):
            self._step(step)

    def _served(self) -> list[str]:
        """Return the versions that the server loads."""
        policy = self.tree.get("version_policy", {})
        if "specific" in policy:
            return [each for each in self.versions if int(each) in policy["specific"].get("versions", ())]
        latest = policy["latest"].get("num_versions", 0) if "latest" in policy else 1
        return self.versions if "all" in policy else self.versions[-latest:] if latest else []

    def _version(self, version: str, backend: str) -> None:
        folder = self.folder / version
        backend, file = _file(self.tree, folder if version else None, backend)
        if file and not (version and is_there(folder / file)):
            self._missing(version, file, backend)
        elif backend == "python":
            self._completed(folder / file)
        elif backend in _READ and self.model.opens is not None:
            opened = self.model.opens(folder / file)
            if opened is not None and (found := ports(opened)) is not None:
                is_exact, of = backend == _READ[0], f"{version}/{file}"
                ModelOfVersion(self.names, opened, found, of, is_exact, self.report).check()

    def _missing(self, version: str, file: str, backend: str) -> None:
        """Report a model that is not in the folder of its version, or is next to its configuration instead."""
        key = next((key for key in ("default_model_filename", "backend", "platform") if key in self.tree), "name")
        ending = os.path.splitext(file)[1] or "/" * (not version)
        there = sorted(name for name in file_source().names(self.folder / version) if name.endswith(ending))
        severity = None if there else self.absent
        words = f"missing {version}/{file}, the model of backend `{backend}`"
        if not version:
            name = file if file in there else "".join(there[:1])
            words = f"no folder of a version; expected 1/{file}, got {name} next to the configuration"
            severity = None if name == file else Severity.WARNING
        elif there:
            words = f"{words}; there is {version}/{there[0]}, which `default_model_filename` can name"
        if version or there:
            self.report.say(R.missing_file, (key,), words, severity=severity)

    def _completed(self, path: FilePath) -> None:
        """Report types and dimensions that a program in Python does not complete."""
        state, data = file_source().open(path, None)
        if state == "open" and _COMPLETES not in bytes(data[:_LONGEST]):
            demands.check(self.tree, self.table, self.report, {}, "python")

    def _step(self, step: Item) -> None:
        """Compare the tensors of a step's model with those of the ensemble, and of the steps before."""
        name, there = step.value.get("model_name", ""), file_source().names(self.folder.parent)
        if not (name and there and self.model.opens is not None):
            return
        home, is_there = self.folder.parent / name, name in there
        version, versions = str(step.value.get("model_version", -1)), versions_in(home)
        if not is_there or (versions and version not in (*versions, "-1")):
            words = f"missing {f'version {version} of ' * is_there}{name}, a model of the ensemble"
            severity = None if is_there else self.absent if self.names["steps"].isdisjoint(there) else Severity.WARNING
            self.report.say(R.missing_file, (*step.path, "model_name"), words, severity=severity)
        if is_there:
            self._part(step, name, home, versions if version == "-1" else [version])

    def _part(self, step: Item, name: str, home: FilePath, versions: list[str]) -> None:
        """Compare a step with its model; tensors that this does not declare are those of the file from which the server takes them."""
        assert self.model.opens is not None
        found = self.model.opens(home / "config.pbtxt")
        other: Tree = {} if found is None else found.document.value_at(())
        most, own = self.names["most"], other.get("max_batch_size", 0)
        sides = {side: requested(other, self.table, side) for side in ("input", "output")}
        if 0 < own < most and all(sides.values()):
            words = f"model {name} takes batches of up to {own}, the ensemble of {most}"
            self.report.say(R.contradictory_settings, ("max_batch_size",), words)
        backend, file = _file(other, home / "".join(versions[-1:]), demands.names(other, self.table)["backend"])
        is_open = not all(sides.values()) and backend in _READ and versions
        model = ports(self.model.opens(home / versions[-1] / file)) if is_open else None
        for side, known in sides.items():
            if known and found is not None:
                document = found.document
                places = {key: OtherPlace(document, Place(each.fields["name"][:-1])) for key, each in known.items()}
                self._maps(step, side, name, {key: each._replace(place=places[key]) for key, each in known.items()})
            elif model is not None:
                self._maps(step, side, name, of_model(model.inputs if side == "input" else model.outputs, own > 0))

    def _maps(self, step: Item, side: str, name: str, known: Tensors) -> None:
        mapped = set()
        for row in each(step.value, f"{side}_map/*"):
            key, value, path = row.value.get("key", ""), row.value.get("value", ""), (*step.path, *row.path)
            mapped.add(key)
            if self.report.known(key, known, (*path, "key"), f"model {name}"):
                at, first = (*path, "value"), self.seen.setdefault(value, known[key])
                dims = at if first.dims and first.has_batch == known[key].has_batch else None
                compare(f"tensor {value!r} of model {name}", first, known[key], at, dims, self.report)
        if side == "input" and mapped <= known.keys():
            left_out((*step.path, "model_name"), known, mapped, f" of model {name}", self.report)


def _file(tree: Tree, folder: FilePath | None, backend: str) -> tuple[str, str]:
    """Return the backend and the name of a model's file; the server knows the backend by the file where nothing else says it."""
    named = tree.get("default_model_filename")
    backend = backend or next((key for key, file in _FILES.items() if folder and is_there(folder / file)), "")
    return backend, named if named and backend != "python" else _FILES.get(backend, "")
