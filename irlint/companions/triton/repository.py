"""Where a configuration contradicts its folder, its model, or the models of an ensemble: `NAME/config.pbtxt`, `NAME/VERSION/model.onnx`.

The rules for tensors are those of Triton's backends for ONNX Runtime and OpenVINO.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path as FilePath

from irlint.codes import R
from irlint.companions.base import Port, Signature, find, signature
from irlint.companions.report import Report, sizes
from irlint.companions.triton.checks import backend_of, is_ensemble, rows
from irlint.dryrun.dims import show
from irlint.files.side_files import DISK
from irlint.findings import Severity
from irlint.graph import Shape
from irlint.rules.base import Model
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree

# By backend: the usual name of a model's file
_FILES = {
    "onnxruntime": "model.onnx",
    "openvino": "model.xml",
    "tensorrt": "model.plan",
    "pytorch": "model.pt",
    "python": "model.py",
}
_READ = ("onnxruntime", "openvino")  # backends whose models irlint reads
_TYPES = {
    1: "bool", 2: "uint8", 3: "uint16", 4: "uint32", 5: "uint64", 6: "int8", 7: "int16", 8: "int32", 9: "int64", 10: "float16",
    11: "float32", 12: "float64", 13: "string", 14: "bfloat16",
}  # fmt: skip
_NAMES = {dtype: f"TYPE_{dtype.upper().replace('FLOAT', 'FP').replace('BFP', 'BF')}" for dtype in _TYPES.values()}


def check(model: Model, path: FilePath, report: Report) -> None:
    tree: Tree = model.document.value_at(())
    folder, name = path.parent, tree.get("name")
    versions = sorted((each for each in DISK.names(folder) if each.isdecimal()), key=int)
    if versions and name and name != folder.name:  # else it is not in a repository
        report.say(
            R.contradictory_settings,
            ("name",),
            f"expected the name of the folder, {folder.name!r}, got {name!r}",
            f'"{folder.name}"',
        )
    if is_ensemble(tree):
        _ensemble(tree, model, folder.parent, report)
        return
    served, backend = _served(tree, versions, report), backend_of(tree)
    given = tree.get("default_model_filename") if backend != "python" else None
    file = given or _FILES.get(backend, "")
    for version in served if file else ():
        if file not in DISK.names(folder / version):
            key = next((key for key in ("default_model_filename", "backend", "platform") if key in tree), "name")
            words = f"missing {version}/{file}, the model of backend `{backend}`"
            report.say(R.missing_file, (key,), words, severity=_absent(model))
            continue
        _labels(tree, folder, report)
        if backend in _READ and model.opens is not None:
            found = signature(model.opens(folder / version / file))
            if found is not None:
                _against(tree, found, f"{version}/{file}", report)


def _absent(model: Model) -> Severity | None:
    """Return how severe it is that a model is not there: repositories in git are often without."""
    return None if model.missing_weights == "required" else Severity.PEDANTIC


def _labels(tree: Tree, folder: FilePath, report: Report) -> None:
    for row, at in rows(tree, "output"):
        labels = row.get("label_filename")
        if labels and labels not in DISK.names(folder):
            words = f"missing {labels}, the labels of output {row.get('name', '')!r}"
            report.say(R.missing_file, (*at, "label_filename"), words)


def _served(tree: Tree, versions: list[str], report: Report) -> list[str]:
    """Return the versions that the server loads."""
    policy = tree.get("version_policy", {})
    if "specific" in policy:
        wanted = [str(version) for version in policy["specific"].get("versions", [])]
        for k, version in enumerate(wanted):
            if versions and version not in versions:
                at = ("version_policy", "specific", "versions", k)
                report.say(
                    R.missing_file,
                    at,
                    f"missing version {version}; there {'are' if len(versions) > 1 else 'is'} {', '.join(versions)}",
                )
        return [version for version in versions if version in wanted]
    if "all" in policy:
        return versions
    count = policy.get("latest", {}).get("num_versions", 1)
    if versions and count == 0:
        report.say(R.value_not_allowed, ("version_policy", "latest"), "no version is served; expected at least 1")
    return versions[-count:] if count else []


def _against(tree: Tree, model: Signature, file: str, report: Report) -> None:
    """Report what the model contradicts: a configuration has all inputs, and some of the outputs."""
    for field, ports in (("input", model.inputs), ("output", model.outputs)):
        known = [row.get("name", "") for row, _ in rows(tree, field)]
        for row, path in rows(tree, field):
            if row.get("name"):
                _tensor(tree, row, path, ports, file, report)
        left = [port for port in ports if port.is_needed and not set(port.names) & set(known)]
        if field == "input" and known and left and all(find(ports, name) for name in known):
            report.say(R.tensor_left_out, ("input", 0), f"input {left[0].names[0]!r} of {file} is left out")


def _tensor(tree: Tree, row: Tree, path: Path, ports: Sequence[Port], file: str, report: Report) -> None:
    name, field = row["name"], path[0]
    if (port := find(ports, name)) is None:
        report.unknown(name, (port.names[0] for port in ports), (*path, "name"), file)
        return
    dtype, right = _TYPES.get(row.get("data_type", 0)), port.type.dtype
    if dtype and right and dtype != right:
        report.say(
            R.other_dtype,
            (*path, "data_type"),
            f"{field} {name!r} of {file} is {right}, not {dtype}",
            _NAMES.get(right),
            safe=True,
        )
    if port.shape is not None and row.get("dims"):
        _shape(tree, row, path, port.shape, file, report)


def _shape(tree: Tree, row: Tree, path: Path, shape: Shape, file: str, report: Report) -> None:
    batch, reshape = tree.get("max_batch_size", 0) > 0, row.get("reshape")
    dims = row["dims"] if reshape is None else reshape.get("shape", [])
    at, of = (*path, "dims" if reshape is None else "reshape"), f"{path[0]} {row['name']!r} of {file} is {show(shape)}"
    if batch and (not shape or isinstance(shape[0], int)):
        words = (
            f"{of}, so that batches have one size; expected max_batch_size 0, or a model with a free first dimension"
        )
        report.say(R.contradictory_settings, ("max_batch_size",), words)
        return
    rest = shape[1:] if batch else shape
    if len(rest) != len(dims):
        report.say(R.other_shape, at, f"{of}, but the server takes it as {sizes([-1, *dims] if batch else dims)}")
        return
    for k, (size, own) in enumerate(zip(rest, dims, strict=True)):
        if isinstance(size, int) and size != own:
            place, to = ((*at, k), str(size)) if reshape is None else (at, None)
            report.say(R.other_shape, place, f"{of}: dimension {k + batch} is {size}, not {own}", to, safe=True)


def _ensemble(tree: Tree, model: Model, repository: FilePath, report: Report) -> None:
    """Compare the tensors of the steps' models with each other and with those of the ensemble."""
    known: dict[str, tuple[Tree, bool, Path]] = {
        row["name"]: (row, tree.get("max_batch_size", 0) > 0, path)
        for f in ("input", "output")
        for row, path in rows(tree, f)
        if row.get("name")
    }
    for step, path in rows(tree, "ensemble_scheduling", "step"):
        name = step.get("model_name", "")
        other = _configuration(model, repository, name)
        if other is None:
            continue
        if not other:
            words = f"missing {name}, a model of the ensemble, in {repository.name or '.'}"
            report.say(R.missing_file, (*path, "model_name"), words, severity=_absent(model))
            continue
        if 0 < other.get("max_batch_size", 0) < tree.get("max_batch_size", 0):
            words = f"model {name} takes batches of up to {other['max_batch_size']}, the ensemble of {tree['max_batch_size']}"
            report.say(R.contradictory_settings, ("max_batch_size",), words)
        for field in ("input", "output"):
            _step(step, path, field, name, other, known, report)


def _configuration(model: Model, repository: FilePath, name: str) -> Tree | None:
    """Return the configuration of another model; an empty one if there is no such model, None if it says nothing of its tensors."""
    if not name or model.opens is None:
        return None
    if name not in DISK.names(repository):
        return {} if DISK.names(repository) else None
    found = model.opens(repository / name / "config.pbtxt")
    tree: Tree = {} if found is None else found.document.value_at(())
    return tree if tree.get("input") and tree.get("output") else None


def _step(
    step: Tree,
    path: Path,
    field: str,
    name: str,
    other: Tree,
    known: dict[str, tuple[Tree, bool, Path]],
    report: Report,
) -> None:
    ports, mapped = {row.get("name", ""): row for row, _ in rows(other, field)}, set[str]()
    for k, entry in enumerate(step.get(f"{field}_map", [])):
        at, key, value = (*path, f"{field}_map", k), entry.get("key", ""), entry.get("value", "")
        mapped.add(key)
        if key not in ports:
            report.unknown(key, ports, (*at, "key"), f"model {name}")
            continue
        row, batch = ports[key], other.get("max_batch_size", 0) > 0
        mine, has_batch, where = known.setdefault(value, (row, batch, (*at, "value")))
        if mine.get("data_type") != row.get("data_type"):
            types = (_TYPES.get(each.get("data_type", 0), "?") for each in (row, mine))
            words = f"tensor {value!r} is {next(types)} in model {name}, but {next(types)} elsewhere"
            report.say(R.other_dtype, (*at, "value"), words, other=("the other place", where))
        both = row.get("dims", []), mine.get("dims", [])
        if batch == has_batch and (
            len(both[0]) != len(both[1]) or any(x != y and -1 not in (x, y) for x, y in zip(*both, strict=True))
        ):
            words = f"tensor {value!r} is {sizes(both[0])} in model {name}, but {sizes(both[1])} elsewhere"
            report.say(R.other_shape, (*at, "value"), words, other=("the other place", where))
    for key, row in ports.items() if field == "input" and mapped <= ports.keys() else ():
        if key not in mapped and not row.get("optional"):
            report.say(R.tensor_left_out, (*path, "model_name"), f"input {key!r} of model {name} is left out")
