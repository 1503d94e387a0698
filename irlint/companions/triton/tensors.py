"""Tensors of a configuration: where it names them more than once, all of these agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irlint.codes import R
from irlint.companions.demands import Tree, each
from irlint.companions.report import Report
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


def tensors(tree: Tree, field: str) -> dict[str, ConfigTensor]:
    """Return the inputs or the outputs by name."""
    batch = (tree.get("max_batch_size") or 0) > 0
    return {at.value.get("name", ""): ConfigTensor(at.value, at.path, batch) for at in each(tree, f"{field}/*")}


def needed(inputs: Mapping[str, ConfigTensor]) -> dict[str, Path]:
    return {name: tensor.path for name, tensor in inputs.items() if not tensor.row.get("optional")}


def check_warmup(tree: Tree, report: Report) -> None:
    """Warm-up requests are run as the model is loaded."""
    inputs = tensors(tree, "input")
    for sample in each(tree, "model_warmup/*") if "" not in inputs else ():
        given = set[str]()
        for at in each(sample.value, "inputs/*"):
            name, path = at.value.get("key", ""), (*sample.path, *at.path, "value")
            given.add(name)
            if name in inputs:
                mine = ConfigTensor(at.value.get("value", {}), path)
                compare(f"input {name!r}", mine, inputs[name], (*path, "data_type"), (*path, "dims"), report)
        if sample.value.get("batch_size") and given <= inputs.keys():
            report.complete(sample.path, needed(inputs), given, "")


def compare(of: str, mine: ConfigTensor, real: ConfigTensor, dtype: Path, dims: Path | None, report: Report) -> None:
    """Report where two declarations of a tensor differ, at the paths of both; -1 is any size."""
    here = ("declared here", real.path)
    report.claim(R.other_dtype, dtype, of, mine.dtype, real.dtype, None, here)
    if real.dims and dims is not None:
        said = mine.dims if len(mine.dims) == len(real.dims) else real.dims
        rest = tuple(None if -1 in pair else pair[1] for pair in zip(said, real.dims, strict=True))
        report.shape(dims, of, mine.dims, (*[None] * real.has_batch, *rest), here, real.has_batch, False)
