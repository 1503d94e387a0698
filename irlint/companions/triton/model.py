"""Where a configuration contradicts its model, by the rules of Triton's backends for ONNX Runtime and OpenVINO."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from irlint.codes import R
from irlint.companions.claims import describe
from irlint.companions.demands import Tree, each
from irlint.companions.ports import PortList, Ports, ServedPort, find
from irlint.companions.report import Other, Report
from irlint.companions.triton.tensors import TYPES, ConfigTensor, tensors
from irlint.dryrun.dims import show
from irlint.graph import Shape

# Inputs and outputs that the server makes, beside those that requests have
_MADE = (
    "batch_input|batch_output/*/target_name/*", "sequence_batching/control_input/*/name", "sequence_batching/state/*/input_name",
)  # fmt: skip
_NAMES = {dtype: f"TYPE_{dtype.upper().replace('FLOAT', 'FP').replace('BFP', 'BF')}" for dtype in TYPES.values()}
_UNCERTAIN = 0  # a dimension that the model and its inference disagree about

Shapes = Mapping[str, "Shape | None"]


class ModelOfVersion:
    """A configuration and the model of one version. `inferred` returns the shapes of outputs as ONNX Runtime has them; OpenVINO's backend,
    for which it is None, sets the batch of a model, and takes -1 for a size of an input with batches that the model fixes."""

    def __init__(
        self, tree: Tree, model: Ports, file: str, inferred: Callable[[], Shapes] | None, report: Report
    ) -> None:
        self.tree, self.model, self.file, self.report = tree, model, file, report
        self._infer, self.is_exact = inferred, inferred is not None

    @cached_property
    def _inferred(self) -> Shapes:
        return {} if self._infer is None else self._infer()

    @cached_property
    def _is_reshaped(self) -> bool:
        """Return whether OpenVINO's backend gives inputs the shapes of the configuration."""
        keys = [at.value for at in each(self.tree, "parameters/*/key")]
        return not self.is_exact and "RESHAPE_IO_LAYERS" in keys

    def check(self) -> None:
        """Report what the model contradicts: a configuration has all inputs, and some of the outputs."""
        made = {at.value for pattern in _MADE for at in each(self.tree, pattern)}
        inputs, outputs = tensors(self.tree, "input"), tensors(self.tree, "output")
        for found, known in ((inputs, self.model.inputs), (outputs, self.model.outputs)):
            for name, tensor in found.items():
                if name and name not in made:
                    self._tensor(name, tensor, known)
        if inputs and all(find(self.model.inputs, name) for name in inputs):
            self._all_inputs(made | inputs.keys())
        if self.is_exact and not (inputs and outputs):
            self._completed()

    def _all_inputs(self, given: set[Any]) -> None:
        left = {port.name: port.at for port in self.model.inputs if port.is_needed and not given & set(port.names)}
        self.report.complete(("input", 0), left, (), f" of {self.file}")

    def _completed(self) -> None:
        """Report batches that the model does not take, where the server completes the configuration."""
        ports = (("input", port) for port in self.model.inputs if port.is_needed)
        for side, port in (*ports, *(("output", port) for port in self.model.outputs)):
            if self.tree.get("max_batch_size", 0) > 0 and _is_fixed(port.type.shape):
                self._batch(f"{side} {port.name!r} of {self.file}", port)
                return

    def _batch(self, of: str, port: ServedPort) -> None:
        words = f"{of} is {show(port.type.shape)}, without a free dimension for batches; expected max_batch_size 0"
        here = ("declared here", port.at)
        self.report.say(R.contradictory_settings, ("max_batch_size",), words, other=here)

    def _tensor(self, name: str, mine: ConfigTensor, known: PortList) -> None:
        if (port := find(known, name)) is None:
            first = known[0].at if len(known) == 1 else None
            self.report.known(name, known.shown, (*mine.path, "name"), self.file, first)
            return
        here, (dtype, shape) = ("declared here", port.at), port.type
        of = describe((*mine.path, "name"), str(mine.path[0]), port, self.file, known.shown, self.report)
        to = _NAMES.get(dtype or "")
        if self.is_exact or "string" in (mine.dtype, dtype):  # OpenVINO's backend converts numbers
            self.report.claim(R.other_dtype, (*mine.path, "data_type"), of, mine.dtype, dtype, to, here)
        if self.is_exact and mine.has_batch and mine.row.get("optional"):
            words = f"{of} is optional, which models with batches cannot have; expected max_batch_size 0"
            self.report.say(R.contradictory_settings, (*mine.path, "optional"), words)
        if shape is not None and mine.dims and not self._is_reshaped:
            self._shape(of, mine, port, shape)

    def _shape(self, of: str, mine: ConfigTensor, port: ServedPort, shape: Shape) -> None:
        reshape, here = mine.row.get("reshape"), ("declared here", port.at)
        at, dims = ("dims", mine.dims) if reshape is None else ("reshape", reshape.get("shape", []))
        if mine.row.get("allow_ragged_batch"):
            if len(shape) != 1:
                words = f"{of} is {show(shape)}; expected a single free dimension for a ragged batch"
                self.report.say(R.other_shape, (*mine.path, "allow_ragged_batch"), words, other=here)
        elif self.is_exact and not shape:
            self._scalar(of, dims, (*mine.path, at), here)
        elif self.is_exact and mine.has_batch and _is_fixed(shape):
            self._batch(of, port)
        else:
            shape = self._as_run(mine, port, shape, dims)
            self.report.shape((*mine.path, at), of, dims, shape, here, mine.has_batch, reshape is None)

    def _scalar(self, of: str, dims: list[int], at: tuple[str | int, ...], here: Other) -> None:
        """Report sizes of a scalar, of which a configuration has any number of ones."""
        if any(size != 1 for size in dims):
            self.report.say(R.other_shape, at, f"{of} is a scalar; expected dimensions of 1, got {dims}", other=here)

    def _as_run(self, mine: ConfigTensor, port: ServedPort, shape: Shape, dims: list[int]) -> Shape:
        """Return the shape with which a backend compares a tensor of a configuration."""
        if len(dims) != len(shape) - mine.has_batch:
            return shape
        if not self.is_exact:
            if mine.path[0] != "input" or not mine.has_batch:
                return shape
            pairs = zip(dims, shape[mine.has_batch :], strict=True)
            return (*shape[: mine.has_batch], *(None if own == -1 else size for own, size in pairs))
        rest = [size if isinstance(size, int) else -1 for size in shape[mine.has_batch :]]
        if mine.path[0] != "output" or rest == dims:
            return shape
        inferred = self._inferred.get(port.name)
        if inferred is None:
            return shape
        triples = zip(dims, rest, inferred[mine.has_batch :], strict=True)
        return (*shape[: mine.has_batch], *(_as_inferred(*triple) for triple in triples))


def _as_inferred(own: int, declared: int, inferred: Any) -> int | None:
    """Return the size with which ONNX Runtime compares that of an output, -1 if it is open; None if it is not known. Where a model
    leaves a size open that can be inferred, the runtime may infer it, or not."""
    if inferred == _UNCERTAIN:
        return None
    if not isinstance(inferred, int):
        return -1
    return own if declared == own == -1 else inferred


def _is_fixed(shape: Shape | None) -> bool:
    """Return whether a tensor has a size for the batch, or none at all."""
    return shape is not None and (not shape or isinstance(shape[0], int))
