"""Where a configuration contradicts its folder, its model, or the models of an ensemble: `NAME/config.pbtxt`, `NAME/VERSION/model.onnx`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions import demands
from irlint.companions.base import is_there
from irlint.companions.demands import Item, Tree, each
from irlint.companions.labels.format import labels_at
from irlint.companions.ports import inferred_shapes, ports
from irlint.companions.report import Report
from irlint.companions.triton.model import ModelOfVersion
from irlint.companions.triton.tensors import ConfigTensor, compare, tensors
from irlint.files.side_files import file_source
from irlint.findings import Severity
from irlint.rules.base import Model
from irlint.text.words import count

# By backend: the usual name of a model's file
_FILES = {
    "onnxruntime": "model.onnx", "openvino": "model.xml", "tensorrt": "model.plan", "pytorch": "model.pt", "python": "model.py",
}  # fmt: skip
_COMPLETES, _LONGEST = b"auto_complete_config", 1 << 20  # what completes a configuration, and how far it is looked for
_READ = ("onnxruntime", "openvino")  # backends whose models irlint reads


class ServedModel:
    """A configuration with the files around it, by the rules of Triton's backends for ONNX Runtime and OpenVINO."""

    def __init__(self, tree: Tree, model: Model, path: FilePath, report: Report) -> None:
        self.tree, self.model, self.folder, self.report = tree, model, path.parent, report
        self.versions = sorted((each for each in file_source().names(path.parent) if each.isdecimal()), key=int)
        # repositories in git are often without models
        self.absent = None if model.missing_weights == "required" else Severity.PEDANTIC

    def check(self, table: Mapping[str, Any]) -> None:
        around: dict[str, Any] = {"folder": self.folder.name, "folders": self.versions, "many": count}
        around |= {
            "there": lambda file: is_there(self.folder / file),
            "labels": lambda file: len(labels_at(self.folder, file)),
        }
        demands.check(self.tree, table, self.report, around, "beside")
        backend = demands.names(self.tree, table)["backend"]
        if not self.versions:
            self._unversioned(backend)
        seen = {**tensors(self.tree, "input"), **tensors(self.tree, "output")}
        for step in each(self.tree, "ensemble_scheduling/step/*"):
            self._step(step, seen)
        for version in self._served():
            self._version(version, backend)

    def _unversioned(self, backend: str) -> None:
        """Report a model next to its configuration: the server reads those in folders of versions."""
        file = self._file(backend)
        there = [name for name in file_source().names(self.folder) if name.endswith(os.path.splitext(file)[1] or "/")]
        if file and there:
            name = file if file in there else there[0]
            words = f"no folder of a version; expected 1/{file}, got {name} next to the configuration"
            severity = None if name == file else Severity.WARNING
            self.report.say(R.missing_file, (self._key(),), words, severity=severity)

    def _file(self, backend: str) -> str:
        """Return the name of a model's file; empty if it is not known."""
        return (self.tree.get("default_model_filename") if backend != "python" else None) or _FILES.get(backend, "")

    def _key(self) -> str:
        """Return the field that says what the name of a model's file is."""
        return next((key for key in ("default_model_filename", "backend", "platform") if key in self.tree), "name")

    def _served(self) -> list[str]:
        """Return the versions that the server loads."""
        policy = self.tree.get("version_policy", {})
        wanted = {str(at.value) for at in each(self.tree, "version_policy/specific/versions/*")}
        latest = policy["latest"].get("num_versions", 0) if "latest" in policy else 1
        found = self.versions if "all" in policy else self.versions[-latest:] if latest else []
        return [version for version in self.versions if version in wanted] if "specific" in policy else found

    def _version(self, version: str, backend: str) -> None:
        """Check the model of a version; the server knows the backend by the file where nothing else says it."""
        folder = self.folder / version
        backend = backend or next((key for key, file in _FILES.items() if is_there(folder / file)), "")
        file = self._file(backend)
        if file and not is_there(folder / file):
            there = [name for name in file_source().names(folder) if name.endswith(os.path.splitext(file)[1])]
            words = f"missing {version}/{file}, the model of backend `{backend}`"
            if there:
                words = f"{words}; there is {version}/{there[0]}, which `default_model_filename` can name"
            self.report.say(R.missing_file, (self._key(),), words, severity=None if there else self.absent)
        elif backend == "python":
            self._completed(folder / file)
        elif backend in _READ:
            self._against(folder / file, f"{version}/{file}", backend == "onnxruntime")

    def _against(self, path: FilePath, file: str, is_exact: bool) -> None:
        opened = None if self.model.opens is None else self.model.opens(path)
        found = ports(opened)
        if opened is not None and found is not None:
            inferred = partial(inferred_shapes, opened) if is_exact else None
            ModelOfVersion(self.tree, found, file, inferred, self.report).check()

    def _completed(self, path: FilePath) -> None:
        """Report types and dimensions that a program in Python does not complete."""
        state, data = file_source().open(path, None)
        if state != "open" or _COMPLETES in bytes(data[:_LONGEST]):
            return
        for at in each(self.tree, "input|output/*"):
            for key in {"data_type", "dims"} - {key for key, value in at.value.items() if value}:
                self.report.missing(key, f"{at.path[0]} {at.value.get('name', '')!r}", at.path)

    def _step(self, step: Item, seen: dict[str, ConfigTensor]) -> None:
        """Compare the tensors of a step's model with those of the ensemble, and of the steps before."""
        name, there = step.value.get("model_name", ""), file_source().names(self.folder.parent)
        if not (name and there and self.model.opens):
            return
        home, is_there = self.folder.parent / name, name in there
        version, inside = str(step.value.get("model_version", -1)), file_source().names(home)
        if not is_there or not (version in (*inside, "-1") or not any(map(str.isdecimal, inside))):
            words = f"missing {f'version {version} of ' * is_there}{name}, a model of the ensemble"
            severity = None if is_there else self.absent
            self.report.say(R.missing_file, (*step.path, "model_name"), words, severity=severity)
        found = self.model.opens(home / "config.pbtxt") if is_there else None
        other: Tree = {} if found is None else found.document.value_at(())
        if not (other.get("input") and other.get("output")):
            return  # the server completes it
        most, own = self.tree.get("max_batch_size", 0), other.get("max_batch_size", 0)
        if 0 < own < most:
            words = f"model {name} takes batches of up to {own}, the ensemble of {most}"
            self.report.say(R.contradictory_settings, ("max_batch_size",), words)
        for field in ("input", "output"):
            self._maps(step, field, name, tensors(other, field), seen)

    def _maps(
        self, step: Item, field: str, name: str, known: Mapping[str, ConfigTensor], seen: dict[str, ConfigTensor]
    ) -> None:
        mapped = set()
        for row in each(step.value, f"{field}_map/*"):
            key, value, path = row.value.get("key", ""), row.value.get("value", ""), (*step.path, *row.path)
            mapped.add(key)
            if self.report.known(key, known, (*path, "key"), f"model {name}"):
                first = seen.setdefault(value, known[key]._replace(path=(*path, "value")))
                compare(f"tensor {value!r} of model {name}", first, known[key], (*path, "value"), self.report)
        if field == "input" and mapped <= known.keys():
            needed = {key: None for key, tensor in known.items() if not tensor.row.get("optional")}
            self.report.complete((*step.path, "model_name"), needed, mapped, f" of model {name}")
