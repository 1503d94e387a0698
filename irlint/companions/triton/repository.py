"""Where a configuration contradicts its folder, its model, or the models of an ensemble: `NAME/config.pbtxt`, `NAME/VERSION/model.onnx`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions import demands
from irlint.companions.base import is_there, versions_in
from irlint.companions.demands import Item, Tree, each
from irlint.companions.order import check_steps
from irlint.companions.ports import Ports, ports, ports_of
from irlint.companions.report import Report
from irlint.companions.tensors import DeclaredTensor, Tensors, as_served, compare, left_out, of_model, requested
from irlint.companions.triton.model import ModelOfVersion
from irlint.files.side_files import file_source
from irlint.findings import OtherPlace, Severity
from irlint.rules.base import Model
from irlint.text.base import Place

_FILES = {  # by backend: the usual name of a model's file
    "onnxruntime": "model.onnx", "openvino": "model.xml", "tensorrt": "model.plan", "pytorch": "model.pt", "python": "model.py",
}  # fmt: skip
_READ = ("onnxruntime", "openvino")
_LIKE_VERSION = re.compile(r"v(?:er(?:sion)?)?[._-]?0*(\d{1,9})", re.IGNORECASE)
_STEPS = "ensemble_scheduling/step/*"
_MOST = 64  # names of a folder that are looked at


class ServedModel:
    """A configuration and its folder, with the models that the server would load."""

    def __init__(self, tree: Tree, model: Model, path: FilePath, table: Mapping[str, Any], report: Report) -> None:
        self.tree, self.model, self.folder, self.table, self.report = tree, model, path.parent, table, report
        self.names = {**demands.names(tree, table), "table": table}
        self.own = {**requested(tree, table, "input"), **requested(tree, table, "output")}
        self.seen, self.served = dict(self.own), dict[str, Callable[[], DeclaredTensor]]()
        self.versions = versions_in(path.parent)
        # repositories in git are often without models
        self.absent = None if model.missing_weights == "required" else Severity.PEDANTIC

    def check(self) -> None:
        for version in self._served() if self.versions else ("",):
            self._version(version, self.names["backend"])
        for step in each(self.tree, _STEPS) if check_steps(self.tree, _STEPS, self.report) else ():
            self._step(step)

    def _served(self) -> list[str]:
        """Return the versions that the server loads."""
        if "specific" in (policy := self.tree.get("version_policy", {})):
            return [each for each in self.versions if int(each) in policy["specific"].get("versions", ())]
        latest = policy["latest"].get("num_versions", 0) if "latest" in policy else 1
        return self.versions if "all" in policy else self.versions[-latest:] if latest else []

    def _version(self, version: str, backend: str) -> None:
        folder = self.folder / version
        backend, file = _file(self.tree, folder if version else None, backend)
        if file and not (version and is_there(folder / file)):
            self._missing(version, file, backend)
        elif backend in _READ and self.model.opens is not None:
            opened = self.model.opens(folder / file)
            if opened is not None and (found := ports(opened)) is not None:
                is_exact, of = backend == _READ[0], f"{version}/{file}"
                ModelOfVersion(self.names, opened, found, of, is_exact, self.report).check()

    def _missing(self, version: str, file: str, backend: str) -> None:
        """Report a model that is not in the folder of its version, or is next to its configuration instead."""
        names, ending = file_source().names(self.folder / version), os.path.splitext(file)[1] or "/" * (not version)
        there = sorted((name for name in names if name.endswith(ending)), key=lambda name: (name != file, name))
        if not version:
            self._without_version(names, there, file)
            return
        other = next((key for key, own in _FILES.items() if key not in (backend, "python") and own in names), "")
        severity, to, more = None, None, ""
        if there:
            more = f"; there is {version}/{there[0]}, which `default_model_filename` can name"
        elif is_there(self.folder / file):
            more = f"; {file} is next to the configuration"
        elif other:
            more = f"; there is {version}/{_FILES[other]}, a model of backend `{other}`"
            severity, to = Severity.WARNING, f'"{other}"' if "backend" in self.tree else None
        else:
            severity = self.absent
        words = f"missing {version}/{file}, the model of backend `{backend}`{more}"
        self.report.say(R.missing_file, (self._key(),), words, to, severity=severity)

    def _without_version(self, names: list[str], there: list[str], file: str) -> None:
        like = next(filter(_LIKE_VERSION.fullmatch, sorted(names)[:_MOST]), "")
        is_like = like and is_there(self.folder / like / file)
        if is_like or there:
            found = f"{like}/{file}" if is_like else f"{there[0]} next to the configuration"
            severity = None if is_like or there[0] == file else Severity.WARNING
            words = f"no folder of a version; expected 1/{file}, got {found}"
            self.report.say(R.missing_file, (self._key(),), words, severity=severity)

    def _key(self) -> str:
        return next((key for key in ("default_model_filename", "backend", "platform") if key in self.tree), "name")

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
            key = "model_version" if is_there else "model_name"
            self.report.say(R.missing_file, (*step.path, key), words, severity=severity)
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
        served = home / "".join(versions[-1:]) / file if backend in _READ and versions else None
        opened = cache(lambda: None if served is None else ports_of(self.model, served))
        model = None if all(sides.values()) else opened()
        for side, known in sides.items():
            if known and found is not None:
                document = found.document
                places = {key: OtherPlace(document, Place(each.fields["name"][:-1])) for key, each in known.items()}
                known = {key: each._replace(place=places[key]) for key, each in known.items()}
                self._maps(step, side, name, known, opened)
            elif model is not None:
                self._maps(step, side, name, of_model(getattr(model, f"{side}s"), own > 0), opened)

    def _maps(self, step: Item, side: str, name: str, known: Tensors, opened: Callable[[], Ports | None]) -> None:
        """Compare the maps of a step. Names of a configuration that its model does not have are reported there: they are not suggested."""
        mapped = set()
        for row in each(step.value, f"{side}_map/*"):
            key, value, path = row.value.get("key", ""), row.value.get("value", ""), (*step.path, *row.path)
            mapped.add(key)
            is_sure = (
                key in known or (model := opened()) is None or known.keys() <= getattr(model, f"{side}s").named.keys()
            )
            if self.report.known(key, known, (*path, "key"), f"model {name}", is_sure=is_sure):
                mine, served = known[key], partial(as_served, known[key], side, opened)
                first, maker = self.seen.setdefault(value, mine), self.served.setdefault(value, served)
                if (first.dtype, first.dims) != (mine.dtype, mine.dims):  # one may contradict its own model
                    first, mine = first if value in self.own else maker(), served()
                at = first.fields if value in self.own else dict.fromkeys(("data_type", "dims"), (*path, "value"))
                dims = at["dims"] if first.dims and first.has_batch == mine.has_batch else None
                compare(f"tensor {value!r} of model {name}", first, mine, at["data_type"], dims, self.report)
        if side == "input" and mapped <= known.keys():
            left_out((*step.path, "model_name"), known, mapped, f" of model {name}", self.report)


def _file(tree: Tree, folder: FilePath | None, backend: str) -> tuple[str, str]:
    """Return the backend and the name of a model's file; the server knows the backend by the file where nothing else says it."""
    named = tree.get("default_model_filename")
    backend = backend or next((key for key, file in _FILES.items() if folder and is_there(folder / file)), "")
    return backend, named if named and backend != "python" else _FILES.get(backend, "")
