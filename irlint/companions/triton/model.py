"""Where a configuration contradicts its model, by the rules of Triton's backends for ONNX Runtime and OpenVINO."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from irlint.codes import R
from irlint.companions.claims import describe
from irlint.companions.ports import PortList, Ports, ServedPort, completed_shapes, find
from irlint.companions.report import Report
from irlint.companions.triton.tensors import TYPES, ConfigTensor, tensors
from irlint.dryrun.dims import show
from irlint.graph import Shape
from irlint.rules.base import Model

_NAMES = {dtype: f"TYPE_{dtype.upper().replace('FLOAT', 'FP').replace('BFP', 'BF')}" for dtype in TYPES.values()}


class ModelOfVersion:
    """A configuration and the model of one version. The backend for ONNX Runtime is exact, with shapes of outputs that this infers;
    OpenVINO's sets the batch of a model, and takes -1 for a size of an input with batches that the model fixes."""

    def __init__(self, names: Mapping[str, Any], model: Model, found: Ports, file: str, is_exact: bool, report: Report):
        self.names, self.model, self.file, self.is_exact, self.report = names, found, file, is_exact, report
        self._inferred = cache(partial(completed_shapes, model))

    def check(self) -> None:
        """Report what the model contradicts: a configuration has all inputs, and some of the outputs."""
        inputs, outputs = (tensors(self.names["root"], side) for side in ("input", "output"))
        self._tensors(inputs, self.model.inputs)
        self._tensors(outputs, self.model.outputs)
        needed = [port for port in self.model.inputs if port.is_needed]
        if inputs and inputs.keys() <= self.model.inputs.named.keys():
            given = self.names["made"].keys() | inputs.keys()
            left = {port.name: port.at for port in needed if given.isdisjoint(port.names)}
            self.report.complete(("input", 0), left, (), f" of {self.file}")
        if self.is_exact and not (inputs and outputs):  # the server completes the configuration
            of = [*(("input", port) for port in needed), *(("output", port) for port in self.model.outputs)]
            any(self._is_without_batch(f"{side} {port.name!r} of {self.file}", port) for side, port in of)

    def _tensors(self, found: Mapping[str, ConfigTensor], known: PortList) -> None:
        for name, mine in found.items():
            if name not in self.names["made"]:
                self._tensor(name, mine, known)

    def _is_without_batch(self, of: str, port: ServedPort) -> bool:
        """Report a tensor without a free dimension for batches."""
        shape = port.type.shape
        is_wrong = self.names["most"] > 0 and shape is not None and (not shape or isinstance(shape[0], int))
        if is_wrong:
            words = f"{of} is {show(shape)}, without a free dimension for batches; expected max_batch_size 0"
            self.report.say(R.contradictory_settings, ("max_batch_size",), words, other=("declared here", port.at))
        return is_wrong

    def _tensor(self, name: str, mine: ConfigTensor, known: PortList) -> None:
        if (port := find(known, name)) is None:
            only = known[0].at if len(known) == 1 else None
            self.report.known(name, known.shown, (*mine.path, "name"), self.file, only)
            return
        of = describe((*mine.path, "name"), str(mine.path[0]), port, self.file, known.shown, self.report)
        here, dtype = ("declared here", port.at), port.type.dtype
        if self.is_exact or "string" in (mine.dtype, dtype):  # OpenVINO's backend converts numbers
            at, to = (*mine.path, "data_type"), _NAMES.get(dtype or "")
            self.report.claim(R.other_dtype, at, of, mine.dtype, dtype, to, here)
        if self.is_exact and mine.has_batch and mine.row.get("optional"):
            words = f"{of} is optional, which models with batches cannot have; expected max_batch_size 0"
            self.report.say(R.contradictory_settings, (*mine.path, "optional"), words)
        if port.type.shape is not None and mine.dims and (self.is_exact or not self.names["is_reshaped"]):
            self._shape(of, mine, port, port.type.shape)

    def _shape(self, of: str, mine: ConfigTensor, port: ServedPort, shape: Shape) -> None:
        here, is_plain = ("declared here", port.at), "reshape" not in mine.row
        dims = mine.dims if is_plain else mine.row["reshape"].get("shape", [])
        at = (*mine.path, "dims" if is_plain else "reshape")
        if mine.row.get("allow_ragged_batch"):
            if len(shape) != 1:
                words = f"{of} is {show(shape)}; expected a single free dimension for a ragged batch"
                self.report.say(R.other_shape, (*mine.path, "allow_ragged_batch"), words, other=here)
        elif self.is_exact and not shape:  # of which a configuration has any number of ones
            if any(size != 1 for size in dims):
                self.report.say(
                    R.other_shape, at, f"{of} is a scalar; expected dimensions of 1, got {dims}", other=here
                )
        elif not (self.is_exact and mine.has_batch and self._is_without_batch(of, port)):
            shape = self._as_run(mine, port, shape, dims)
            self.report.shape(at, of, dims, shape, here, mine.has_batch, is_plain)

    def _as_run(self, mine: ConfigTensor, port: ServedPort, shape: Shape, dims: list[int]) -> Shape:
        """Return the shape with which a backend compares a tensor of a configuration."""
        own = (*[None] * mine.has_batch, *dims)
        if len(own) != len(shape) or mine.path[0] != ("output" if self.is_exact else "input"):
            return shape
        if not self.is_exact:
            return tuple(None if size == -1 and mine.has_batch else real for size, real in zip(own, shape, strict=True))
        declared = [size if isinstance(size, int) else -1 for size in shape]
        if declared[mine.has_batch :] == dims or (real := self._inferred().get(port.name)) is None:
            return shape
        triples = zip(own[mine.has_batch :], declared[mine.has_batch :], real[mine.has_batch :], strict=True)
        rest = (-1 if said == size == -1 else found for said, size, found in triples)
        return (*shape[: mine.has_batch], *rest)
