"""Tensors of a configuration: where it names them more than once, all of these agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irlint.codes import R
from irlint.companions.demands import Tree, each
from irlint.companions.report import Report
from irlint.graph import Shape
from irlint.records import NamedTuple
from irlint.text.base import Path

TYPES: dict[Any, str] = {
    1: "bool", 2: "uint8", 3: "uint16", 4: "uint32", 5: "uint64", 6: "int8", 7: "int16", 8: "int32", 9: "int64", 10: "float16",
    11: "float32", 12: "float64", 13: "string", 14: "bfloat16",
}  # fmt: skip


class ConfigTensor(NamedTuple):
    """A tensor as a configuration declares it."""

    row: Tree
    path: Path
    has_batch: bool = False

    @property
    def dtype(self) -> str | None:
        return TYPES.get(self.row.get("data_type"))

    @property
    def dims(self) -> list[int]:
        """Return the dimensions; none where the server completes them."""
        found: list[int] = self.row.get("dims", [])
        return found

    @property
    def shape(self) -> Shape:
        """Return the dimensions with that of the batch."""
        return (*[None] * self.has_batch, *(None if size == -1 else size for size in self.dims))


def tensors(tree: Tree, field: str) -> dict[str, ConfigTensor]:
    """Return the inputs or the outputs by name."""
    batch = tree.get("max_batch_size", 0) > 0
    return {at.value.get("name", ""): ConfigTensor(at.value, at.path, batch) for at in each(tree, f"{field}/*")}


def check(tree: Tree, report: Report) -> None:
    inputs, outputs = tensors(tree, "input"), tensors(tree, "output")
    for at in each(tree, "model_warmup/*") if inputs and "" not in inputs else ():
        _warmup(at.value, at.path, inputs, report)
    if inputs and outputs and "ensemble_scheduling" in tree:
        _flow(tree, inputs, outputs, report)


def _warmup(sample: Tree, path: Path, inputs: Mapping[str, ConfigTensor], report: Report) -> None:
    """Warm-up requests are run as the model is loaded."""
    given = [entry.get("key", "") for entry in sample.get("inputs", [])]
    for k, entry in enumerate(sample.get("inputs", [])):
        at = (*path, "inputs", k)
        if report.known(given[k], inputs, (*at, "key"), "the configuration"):
            mine, real = ConfigTensor(entry.get("value", {}), (*at, "value")), inputs[given[k]]
            of, here = f"input {given[k]!r}", ("declared here", real.path)
            report.claim(R.other_dtype, (*mine.path, "data_type"), of, mine.dtype, real.dtype, None, here)
            if real.dims and -1 not in mine.dims:
                report.shape((*mine.path, "dims"), of, mine.dims, real.shape, here, real.has_batch, False)
    if sample.get("batch_size") and inputs.keys() >= set(given):
        needed = {name: real.path for name, real in inputs.items() if not real.row.get("optional")}
        report.complete(path, needed, given, "")


def _flow(tree: Tree, inputs: Mapping[str, ConfigTensor], outputs: Mapping[str, ConfigTensor], report: Report) -> None:
    """Report tensors of an ensemble that no step writes or uses, and that are written twice."""
    written: dict[str, Path] = {name: row.path for name, row in inputs.items()}
    wanted: dict[str, Path] = {name: (*row.path, "name") for name, row in outputs.items()}
    for at in each(tree, "ensemble_scheduling/step/*/output_map/*/value"):
        report.once(at.value, f"tensor {at.value!r} is written twice", at.path, written)
    wanted |= {at.value: at.path for at in each(tree, "ensemble_scheduling/step/*/input_map/*/value")}
    for name, place in wanted.items():
        if name:
            report.known(name, written, place, "the ensemble")
    for name in written.keys() - wanted.keys() if wanted.keys() <= written.keys() else ():  # else it may be misspelt
        report.say(R.tensor_left_out, written[name], f"no step uses tensor {name!r} of the ensemble")


def compare(of: str, mine: ConfigTensor, real: ConfigTensor, at: Path, report: Report) -> None:
    """Report where two declarations of a tensor differ; -1 is any size."""
    other: tuple[str, Path] | None = ("declared here", real.path)
    report.claim(R.other_dtype, at, of, mine.dtype, real.dtype, None, other)
    if mine.dims and real.dims and mine.has_batch == real.has_batch:
        pairs = zip(mine.dims, real.shape[real.has_batch :], strict=False)
        known = [size if own != -1 else None for own, size in pairs] if len(mine.dims) == len(real.dims) else real.dims
        report.shape(at, of, mine.dims, (*[None] * mine.has_batch, *known), other, mine.has_batch, False)
