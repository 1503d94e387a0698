"""What Triton refuses in a configuration by itself, as the server 2.51 (24.10) says."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from irlint.codes import R
from irlint.companions.report import Report, sizes
from irlint.findings import Severity
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree
from irlint.tools.names import nearest

# By the platform of a configuration without a backend: the backend that the server takes
PLATFORMS = {
    "tensorrt_plan": "tensorrt", "tensorflow_graphdef": "tensorflow", "tensorflow_savedmodel": "tensorflow",
    "onnxruntime_onnx": "onnxruntime", "pytorch_libtorch": "pytorch", "ensemble": "",
}  # fmt: skip
_IMAGES = (1, 2)  # FORMAT_NHWC, FORMAT_NCHW
_KIND_CPU = 2
_CORRELATION_ID, _CORRELATION_TYPES = 3, (4, 5, 8, 9, 13)
_CONTROLS = ("CONTROL_SEQUENCE_START", "CONTROL_SEQUENCE_READY", "CONTROL_SEQUENCE_END", "CONTROL_SEQUENCE_CORRID")
_PAIRS = ("int32_false_true", "fp32_false_true", "bool_false_true")
_COUNT_TYPES = (8, 11)  # TYPE_INT32, TYPE_FP32
_SOURCES = ("zero_data", "random_data", "input_data_file")


def backend_of(tree: Tree) -> str:
    return str(tree.get("backend") or PLATFORMS.get(tree.get("platform", ""), ""))


def is_ensemble(tree: Tree) -> bool:
    return tree.get("platform") == "ensemble" or "ensemble_scheduling" in tree


def rows(tree: Tree, *path: str) -> Iterator[tuple[Tree, Path]]:
    """Yield messages of a repeated field, with their paths."""
    for key in path[:-1]:
        tree = tree.get(key, {})
    return ((row, (*path, k)) for k, row in enumerate(tree.get(path[-1], [])))


def check(tree: Tree, report: Report) -> None:
    _header(tree, report)
    for field in ("input", "output"):
        for row, path in rows(tree, field):
            _tensor(tree, row, path, report)
    _batching(tree, report)
    _sequences(tree, report)
    _warmup(tree, report)
    _batch_tensors(tree, report)
    for group, path in rows(tree, "instance_group"):
        if group.get("kind") == _KIND_CPU and group.get("gpus"):
            report.say(
                R.contradictory_settings,
                (*path, "gpus"),
                "an instance group of KIND_CPU has no GPUs",
                other=("its kind", (*path, "kind")),
            )
    if tree.get("response_cache", {}).get("enable") and tree.get("model_transaction_policy", {}).get("decoupled"):
        words = "the responses of a decoupled model cannot be cached"
        report.say(
            R.contradictory_settings,
            ("response_cache", "enable"),
            words,
            other=("decoupled", ("model_transaction_policy", "decoupled")),
        )
    if is_ensemble(tree):
        _ensemble(tree, report)


def _header(tree: Tree, report: Report) -> None:
    _at_least(0, tree.get("max_batch_size", 0), ("max_batch_size",), report)
    platform, backend = tree.get("platform", ""), tree.get("backend", "")
    if platform and not backend and platform not in PLATFORMS:
        close = nearest(platform, list(PLATFORMS))
        words = f"did you mean `{close}`?" if close else f"expected one of {', '.join(PLATFORMS)}, or `backend` instead"
        report.say(
            R.value_not_allowed, ("platform",), f"unknown platform `{platform}`; {words}", close and f'"{close}"'
        )
    expected = PLATFORMS.get(platform)
    if (
        backend
        and platform in PLATFORMS
        and backend != expected
        and (platform == "ensemble" or backend in PLATFORMS.values())
    ):
        own = f"is run by the backend `{expected}`, not by `{backend}`" if expected else "has no backend"
        report.say(
            R.contradictory_settings,
            ("backend",),
            f"platform `{platform}` {own}",
            other=("the platform", ("platform",)),
        )


def _at_least(least: int, value: int, at: Path, report: Report, extra: str = "") -> bool:
    if value < least and not (extra and value == -1):
        report.say(R.value_not_allowed, at, f"expected a size of at least {least}{extra}, got {value}")
        return False
    return True


def _tensor(tree: Tree, row: Tree, path: Path, report: Report) -> None:
    dims, of = row.get("dims", []), f"{path[0]} {row['name']!r}" if row.get("name") else f"an {path[0]}"
    for key in ("name", "data_type", "dims"):
        if not row.get(key):
            # most backends complete a configuration with what the model says
            report.missing(key, of, (*path, key), path, severity=None if key == "name" else Severity.PEDANTIC)
    for k, size in enumerate(dims):
        _at_least(1, size, (*path, "dims", k), report, ", or -1 for any")
    if row.get("format") in _IMAGES and len(dims) != len("CHW"):
        report.say(
            R.wrong_length,
            (*path, "format"),
            f"images have 3 dims, but these are {len(dims)}",
            other=("the dims", (*path, "dims")),
        )
    if row.get("is_shape_tensor") and backend_of(tree) != "tensorrt":
        report.say(R.value_not_allowed, (*path, "is_shape_tensor"), "only models of TensorRT have shape tensors")
    if "reshape" not in row or not dims:
        return
    shape, at = row["reshape"].get("shape", []), (*path, "reshape")
    right = [_at_least(1, size, (*at, "shape", k), report, ", or -1 for any") for k, size in enumerate(shape)]
    if not shape and not tree.get("max_batch_size"):
        report.say(R.value_not_allowed, at, "a model without batches has no scalars: the new shape cannot be empty")
    elif all(right) and _pieces(dims) != _pieces(shape):  # compared from one -1 to the next
        words = f"dims {sizes(dims)} and shape {sizes(shape)} have other numbers of elements"
        report.say(R.other_shape, (*at, "shape") if shape else at, words, other=("the dims", (*path, "dims")))


def _pieces(dims: list[int]) -> list[int]:
    pieces: list[list[int]] = [[]]
    for size in dims:
        pieces[-1].append(size) if size != -1 else pieces.append([])
    return [prod(piece) for piece in pieces]


def _batching(tree: Tree, report: Report) -> None:
    batching, here = tree.get("dynamic_batching", {}), ("dynamic_batching",)
    _preferred(tree, batching, here, report)
    levels, usual = batching.get("priority_levels", 0), batching.get("default_priority_level", 0)
    if levels and not 1 <= usual <= levels:
        at = (*here, "default_priority_level" if "default_priority_level" in batching else "priority_levels")
        report.say(R.value_not_allowed, at, f"expected a default priority level from 1 to {levels}, got {usual}")
    for row, path in rows(tree, *here, "priority_queue_policy"):
        if levels and not 1 <= row.get("key", 0) <= levels:
            report.say(
                R.value_not_allowed,
                (*path, "key"),
                f"expected a priority level from 1 to {levels}, got {row.get('key', 0)}",
            )


def _preferred(tree: Tree, batching: Tree, here: Path, report: Report) -> None:
    most = tree.get("max_batch_size", 0)
    for k, size in enumerate(batching.get("preferred_batch_size", [])):
        at = (*here, "preferred_batch_size", k)
        if _at_least(1, size, at, report) and size > most:
            other = ("the largest size", ("max_batch_size",)) if "max_batch_size" in tree else None
            report.say(
                R.contradictory_settings,
                at,
                f"preferred batch size {size} is larger than max_batch_size {most}",
                other=other,
            )


def _sequences(tree: Tree, report: Report) -> None:
    batching, here = tree.get("sequence_batching", {}), ("sequence_batching",)
    _preferred(tree, batching.get("oldest", {}), (*here, "oldest"), report)
    share = batching.get("direct", {}).get("minimum_slot_utilization", 1)
    if not 0 <= share <= 1:
        report.say(
            R.value_not_allowed,
            (*here, "direct", "minimum_slot_utilization"),
            f"expected a share from 0 to 1, got {share:g}",
        )
    seen: dict[int, Path] = {}
    for control, path in rows(tree, *here, "control_input"):
        if not control.get("name"):
            report.missing("name", "a control input", (*path, "name"), path)
        for k, row in enumerate(control.get("control", [])):
            at, kind = (*path, "control", k), row.get("kind", 0)
            if kind in seen:
                report.say(
                    R.duplicate_definition, at, f"{_CONTROLS[kind]} is given twice", other=("first here", seen[kind])
                )
            seen.setdefault(kind, at)
            _control(row, kind, at, report)


def _control(row: Tree, kind: int, at: Path, report: Report) -> None:
    if kind == _CORRELATION_ID:
        if row.get("data_type") not in _CORRELATION_TYPES:
            words = "the type of CONTROL_SEQUENCE_CORRID must be TYPE_UINT64, TYPE_INT64, TYPE_UINT32, TYPE_INT32 or TYPE_STRING"
            report.say(R.value_not_allowed, (*at, "data_type") if "data_type" in row else at, words)
        return
    given = [key for key in _PAIRS if row.get(key)]
    if not given:
        report.missing("int32_false_true", f"{_CONTROLS[kind]} (or `fp32_false_true`, `bool_false_true`)", at)
    for key in given[1:]:
        report.say(
            R.contradictory_settings,
            (*at, key),
            f"`{key}` is set in addition to `{given[0]}`; a control has only one of them",
        )
    for key in given[:1]:
        if len(row[key]) != len(("false", "true")):
            report.say(R.wrong_length, (*at, key), f"expected 2 values, for false and true, got {len(row[key])}")


def _warmup(tree: Tree, report: Report) -> None:
    """Warm-up requests are run as the model is loaded."""
    inputs, most = {row.get("name"): row for row in tree.get("input", [])}, tree.get("max_batch_size", 0)
    for sample, path in rows(tree, "model_warmup"):
        size, given = sample.get("batch_size", 0), [entry.get("key", "") for entry in sample.get("inputs", [])]
        if most and size > most:
            report.say(
                R.contradictory_settings,
                (*path, "batch_size"),
                f"batch size {size} is larger than max_batch_size {most}",
                other=("the largest size", ("max_batch_size",)),
            )
        for k, entry in enumerate(sample.get("inputs", [])):
            _sample(entry.get("key", ""), entry.get("value", {}), inputs, (*path, "inputs", k), report)
        for name, row in inputs.items() if inputs.keys() >= set(given) and size else ():
            if name not in given and not row.get("optional"):
                report.say(R.tensor_left_out, path, f"input {name!r} is left out")


def _sample(name: str, value: Tree, inputs: dict[Any, Tree], at: Path, report: Report) -> None:
    if inputs and name not in inputs:
        report.unknown(name, inputs, (*at, "key"), "the configuration")
        return
    row = inputs.get(name, {})
    if not any(value.get(key) for key in _SOURCES):
        report.missing("zero_data", "a sample (or `random_data`, `input_data_file`)", (*at, "value"), at)
    if row.get("data_type") and value.get("data_type") != row["data_type"]:
        report.say(
            R.other_dtype,
            (*at, "value", "data_type"),
            f"input {name!r} has another type",
            other=("its type", ("input", list(inputs).index(name), "data_type")),
        )
    own, dims = value.get("dims", []), row.get("dims", [])
    if dims and (len(own) != len(dims) or any(size not in (-1, mine) for mine, size in zip(own, dims, strict=True))):
        report.say(
            R.other_shape,
            (*at, "value", "dims"),
            f"input {name!r} is {sizes(dims)}, but the sample is {sizes(own)}",
            other=("its dims", ("input", list(inputs).index(name), "dims")),
        )


def _batch_tensors(tree: Tree, report: Report) -> None:
    names = {field: [row.get("name", "") for row in tree.get(field, [])] for field in ("input", "output")}
    for field in ("batch_input", "batch_output"):
        for row, path in rows(tree, field):
            for key, known in (
                ("source_input", names["input"]),
                ("target_name", names["output"] if field == "batch_output" else None),
            ):
                for k, name in enumerate(row.get(key, [])):
                    if known is not None and name not in known:
                        report.unknown(name, known, (*path, key, k), "the configuration")
            if field == "batch_input" and row.get("data_type") not in _COUNT_TYPES:
                report.say(
                    R.value_not_allowed,
                    (*path, "data_type"),
                    "the type of a batch input must be TYPE_INT32 or TYPE_FP32",
                )


def _ensemble(tree: Tree, report: Report) -> None:
    here = ("ensemble_scheduling",)
    for key in ("instance_group", "optimization", "model_warmup"):
        if key in tree:
            report.say(R.contradictory_settings, (key,), f"an ensemble has no `{key}`")
    if not tree.get("ensemble_scheduling", {}).get("step"):
        missing = "step" if "ensemble_scheduling" in tree else "ensemble_scheduling"
        report.missing(missing, "an ensemble", here, ("platform",))
        return
    for step, path in rows(tree, *here, "step"):
        for key in ("model_name", "input_map", "output_map"):
            if not step.get(key):
                report.missing(key, "a step", path)
    _flow(tree, report)


def _flow(tree: Tree, report: Report) -> None:
    """Report tensors of an ensemble that nothing writes, that nothing reads, and that are written twice."""
    written: dict[str, Path] = {row.get("name", ""): path for row, path in rows(tree, "input")}
    wanted: dict[str, Path] = {row.get("name", ""): (*path, "name") for row, path in rows(tree, "output")}
    for step, path in rows(tree, "ensemble_scheduling", "step"):
        for k, entry in enumerate(step.get("output_map", [])):
            name, at = entry.get("value", ""), (*path, "output_map", k, "value")
            if name in written:
                report.say(
                    R.duplicate_definition, at, f"tensor {name!r} is written twice", other=("first here", written[name])
                )
            written.setdefault(name, at)
        wanted |= {
            entry.get("value", ""): (*path, "input_map", k, "value")
            for k, entry in enumerate(step.get("input_map", []))
        }
    for name, at in wanted.items():
        if name and name not in written:
            report.unknown(name, written, at, "the ensemble")
    if wanted.keys() <= written.keys():  # else it may only be misspelt
        for name in written.keys() - wanted.keys():
            report.say(R.tensor_left_out, written[name], f"tensor {name!r} of the ensemble is read by nothing")
