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
from irlint.companions.triton.model import ModelOfVersion
from irlint.companions.triton.tensors import ConfigTensor, compare, needed, tensors
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.rules.base import Model

# By backend: the usual name of a model's file
_FILES = {
    "onnxruntime": "model.onnx", "openvino": "model.xml", "tensorrt": "model.plan", "pytorch": "model.pt", "python": "model.py",
}  # fmt: skip
_COMPLETES, _LONGEST = b"auto_complete_config", 1 << 20  # what completes a configuration, and how far it is looked for


class ServedModel:
    """A configuration and its folder, with the models that the server would load."""

    def __init__(self, tree: Tree, model: Model, path: FilePath, table: Mapping[str, Any], report: Report) -> None:
        self.tree, self.model, self.folder, self.table, self.report = tree, model, path.parent, table, report
        self.names, self.seen = demands.names(tree, table), {**tensors(tree, "input"), **tensors(tree, "output")}
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
        """Check the model of a version; the server knows the backend by the file where nothing else says it."""
        folder, named = self.folder / version, self.tree.get("default_model_filename")
        backend = backend or next((key for key, file in _FILES.items() if version and is_there(folder / file)), "")
        file = named if named and backend != "python" else _FILES.get(backend, "")
        if file and not (version and is_there(folder / file)):
            self._missing(version, file, backend)
        elif backend == "python":
            self._completed(folder / file)
        elif backend in ("onnxruntime", "openvino") and self.model.opens is not None:
            opened = self.model.opens(folder / file)
            if opened is not None and (found := ports(opened)) is not None:
                ModelOfVersion(
                    self.names, opened, found, f"{version}/{file}", backend == "onnxruntime", self.report
                ).check()

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
        if not (name and there and self.model.opens):
            return
        home, is_there = self.folder.parent / name, name in there
        version, versions = str(step.value.get("model_version", -1)), versions_in(home)
        if not is_there or (versions and version not in (*versions, "-1")):
            words = f"missing {f'version {version} of ' * is_there}{name}, a model of the ensemble"
            severity = None if is_there else self.absent if self.names["steps"].isdisjoint(there) else Severity.WARNING
            self.report.say(R.missing_file, (*step.path, "model_name"), words, severity=severity)
        found = self.model.opens(home / "config.pbtxt") if is_there else None
        other: Tree = {} if found is None else found.document.value_at(())
        if not (other.get("input") and other.get("output")):
            return  # the server completes it
        most, own = self.names["most"], other.get("max_batch_size", 0)
        if 0 < own < most:
            words = f"model {name} takes batches of up to {own}, the ensemble of {most}"
            self.report.say(R.contradictory_settings, ("max_batch_size",), words)
        for field in ("input", "output"):
            self._maps(step, field, name, tensors(other, field))

    def _maps(self, step: Item, field: str, name: str, known: Mapping[str, ConfigTensor]) -> None:
        mapped = set()
        for row in each(step.value, f"{field}_map/*"):
            key, value, path = row.value.get("key", ""), row.value.get("value", ""), (*step.path, *row.path)
            mapped.add(key)
            if self.report.known(key, known, (*path, "key"), f"model {name}"):
                at = (*path, "value")
                first = self.seen.setdefault(value, known[key]._replace(path=at))
                dims = at if first.dims and first.has_batch == known[key].has_batch else None
                compare(f"tensor {value!r} of model {name}", first, known[key], at, dims, self.report)
        if field == "input" and mapped <= known.keys():
            self.report.complete((*step.path, "model_name"), needed(known), mapped, f" of model {name}")
