"""Where a configuration contradicts its model, by the rules of Triton's backends for ONNX Runtime and OpenVINO."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from irlint.codes import R
from irlint.companions.claims import describe
from irlint.companions.ports import PortList, Ports, ServedPort, completed_shapes, find
from irlint.companions.report import Other, Report
from irlint.companions.tensors import DeclaredTensor, check_requests, declared, of_model, with_batch
from irlint.dryrun.dims import show
from irlint.graph import Shape
from irlint.rules.base import Model
from irlint.text.base import Path

WARMUP = "model_warmup/*"  # requests that are run as the model is loaded


class ModelOfVersion:
    """A configuration and the model of one version. The backend for ONNX Runtime is exact, with shapes of outputs that this infers;
    OpenVINO's sets the batch of a model, and takes -1 for a size of an input with batches that the model fixes."""

    def __init__(self, names: Mapping[str, Any], model: Model, found: Ports, file: str, is_exact: bool, report: Report):
        self.names, self.file, self.is_exact, self.report = names, file, is_exact, report
        self.model = found._replace(inputs=PortList((*found.inputs, *found.defaults)))
        self.table = names["table"]
        self._inferred = cache(partial(completed_shapes, model))

    def check(self) -> None:
        """Report what the model contradicts: a configuration has all inputs, and some of the outputs."""
        if self.names["most"] < 0:
            return  # shapes have the batch or not
        inputs, outputs = self._declared()
        needed, there = [port for port in self.model.inputs if port.is_needed], {mine.name for mine in inputs}
        for mine in inputs:
            self._tensor(mine, "input", self.model.inputs)
        for mine in outputs:
            self._tensor(mine, "output", self.model.outputs)
        if all(mine.is_made for mine in inputs):
            known = of_model(self.model.inputs, self.names["most"] > 0)
            check_requests(self.names["root"], WARMUP, self.table, known, self.file, self.report)
        elif there - {""} <= self.model.inputs.named.keys():
            left = {port.name: port.at for port in needed if there.isdisjoint(port.names)}
            self.report.complete(("input",), left, (), f" of {self.file}")
        if any(all(mine.is_made for mine in side) for side in (inputs, outputs)):
            self._completed(needed)

    def _declared(self) -> list[list[DeclaredTensor]]:
        sides = [[*declared(self.names["root"], self.table, side)] for side in ("input", "output")]
        if self.names["root"].get("max_batch_size") != 0:
            return sides
        return with_batch(zip(sides, self.model[:2], strict=True), ("max_batch_size",), self.file, self.report)

    def _completed(self, needed: list[ServedPort]) -> None:
        """Report batches of a configuration that the server for ONNX Runtime completes, if a tensor has none."""
        of = [*(("input", port) for port in needed), *(("output", port) for port in self.model.outputs)]
        any(self._is_without_batch(f"{side} {port.name!r} of {self.file}", port) for side, port in of if self.is_exact)

    def _is_without_batch(self, of: str, port: ServedPort) -> bool:
        """Report a tensor without a free dimension for batches."""
        shape = port.type.shape
        is_wrong = self.names["most"] > 0 and shape is not None and (not shape or isinstance(shape[0], int))
        if is_wrong:
            words = f"{of} is {show(shape)}, without a free dimension for batches; expected max_batch_size 0"
            self.report.say(R.contradictory_settings, ("max_batch_size",), words, other=("declared here", port.at))
        return is_wrong

    def _tensor(self, mine: DeclaredTensor, side: str, known: PortList) -> None:
        if not mine.name:
            self.report.hint(mine.fields["name"], "", self.report.quoted(known.shown))
            return
        if (port := find(known, mine.name)) is None:
            only = known[0].at if len(known) == 1 else None
            self.report.known(mine.name, known.shown, mine.fields["name"], self.file, only)
            return
        of = describe(mine.fields["name"], side, port, self.file, known.shown, self.report)
        here, dtype = ("declared here", port.at), port.type.dtype
        if self.is_exact or "string" in (mine.dtype, dtype):  # OpenVINO's backend converts numbers
            at, to = mine.fields["data_type"], f"TYPE_{dtype}".upper().replace("FLOAT", "FP").replace("BFP", "BF")
            is_written = at[-1] == "data_type"
            self.report.claim(R.other_dtype, at, of, mine.dtype, dtype, to if is_written else None, here)
        if self.is_exact and mine.has_batch and mine.row.get("optional"):
            words = f"{of} is optional, which models with batches cannot have; expected max_batch_size 0"
            self.report.say(R.contradictory_settings, (*mine.fields["name"][:-1], "optional"), words)
        is_free = not self.is_exact and self.names["is_reshaped"]
        if port.type.shape is not None and mine.dims and not is_free and mine.name not in self.names["scattered"]:
            self._shape(of, side, mine, port, port.type.shape)

    def _shape(self, of: str, side: str, mine: DeclaredTensor, port: ServedPort, shape: Shape) -> None:
        here, is_plain = ("declared here", port.at), "reshape" not in mine.row
        dims = mine.dims if is_plain else mine.row["reshape"].get("shape", [])
        item = mine.fields["name"][:-1]
        at = mine.fields["dims"] if is_plain else (*item, "reshape", *["shape"] * bool(dims))
        if mine.is_made:  # states may have any size
            own = (*[None] * mine.has_batch, *dims, *[None] * len(shape))
            rest = tuple(None if size == -1 else real for size, real in zip(own, shape, strict=False))
            self.report.shape(at, of, dims, rest, here, mine.has_batch, at[-1] == "dims")
        elif mine.row.get("allow_ragged_batch"):
            if len(shape) != 1:
                words = f"{of} is {show(shape)}; expected a single free dimension for a ragged batch"
                self.report.say(R.other_shape, (*item, "allow_ragged_batch"), words, other=here)
        elif self.is_exact and not shape:  # of which a configuration has any number of ones
            self._scalar(at, of, dims, is_plain, here)
        elif not (self.is_exact and mine.has_batch and self._is_without_batch(of, port)):
            shape = self._as_run(side, mine, port, shape, dims)
            self.report.shape(at, of, dims, shape, here, mine.has_batch, bool(dims))

    def _scalar(self, at: Path, of: str, dims: list[int], is_plain: bool, here: Other) -> None:
        if (wrong := next((k for k, size in enumerate(dims) if size != 1), None)) is not None:
            words = f"{of} is a scalar; expected dimensions of 1, got {dims[wrong]}"
            self.report.say(R.other_shape, (*at, wrong) if is_plain else at, words, other=here)

    def _as_run(self, side: str, mine: DeclaredTensor, port: ServedPort, shape: Shape, dims: list[int]) -> Shape:
        """Return the shape with which a backend compares a tensor of a configuration."""
        own = (*[None] * mine.has_batch, *dims)
        if len(own) != len(shape) or side != ("output" if self.is_exact else "input"):
            return shape
        if not self.is_exact:
            return tuple(None if size == -1 and mine.has_batch else real for size, real in zip(own, shape, strict=True))
        declared = [size if isinstance(size, int) else -1 for size in shape]
        if declared[mine.has_batch :] == dims or (real := self._inferred().get(port.name)) is None:
            return shape
        triples = zip(own[mine.has_batch :], declared[mine.has_batch :], real[mine.has_batch :], strict=True)
        rest = (-1 if said == size == -1 else found for said, size, found in triples)
        return (*shape[: mine.has_batch], *rest)
