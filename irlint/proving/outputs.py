"""The outputs of both models: which correspond, and how far they are apart."""

from __future__ import annotations

import math
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.sequences import plain
from irlint.formats.runtime import NamedArray, RuntimeFailed
from irlint.inspection.rounding import Rounding, coarser
from irlint.proving.feeding import paired
from irlint.proving.nearness import FEW, apart, as_numbers, bare, tells
from irlint.proving.running import Partners, RuntimeRun, Side, run
from irlint.records import NamedTuple
from irlint.text.safe import brief
from irlint.text.words import count


class OutputPair(NamedTuple):
    """An output of both models; `distance` is infinite if their shapes do not correspond. Where what an output is computed from agrees, it
    is the distance that the last operators make."""

    a: str
    b: str
    distance: float
    agrees: bool


def compared(
    a: Side, b: Side, partners: Partners, whole: Rounding | None = None
) -> tuple[list[OutputPair], list[tuple[str, str]]]:
    """Return the outputs of both, and those of only one; `whole` is the rounding of all if they are those of runtimes."""
    first, second = a.named_outputs(), b.named_outputs()
    pairs = paired([names for names, _ in first], [names for names, _ in second])
    known = set(pairs.values())
    missing = [("A", names[0]) for k, (names, _) in enumerate(first) if k not in pairs]
    missing += [("B", names[0]) for k, (names, _) in enumerate(second) if k not in known]
    outputs, makers, theirs = [], a.output_sources(), b.output_sources()
    for k, j in sorted(pairs.items()):
        rounding = whole or coarser(a.roundings[makers[k][0]], b.roundings[theirs[j][0]])
        distance = distance_of(first[k][1], second[j][1], rounding)
        partner = partners.get((theirs[j][0], theirs[j][1]))
        if partner is not None and distance <= rounding.limit:
            distance = max(distance, partner.distance)
        outputs.append(OutputPair(first[k][0][0], second[j][0][0], distance, distance <= rounding.limit))
    return outputs, missing


def from_numpy(side: Side, values: dict[int, Any], seed: int, memory: int | None, rounding: Rounding) -> float:
    """Return how far the outputs of a model's runtime are from those of NumPy for the same model."""
    if side.runtime is None:
        return 0.0
    theirs = side.outputs
    run(side, values, seed, memory, lambda node, operands, outputs: None)
    return max((distance_of(*each, rounding) for each in zip(theirs, side.outputs, strict=True)), default=0.0)


def distance_of(a: Any, b: Any, rounding: Rounding) -> float:
    """Return how far two outputs are apart. Their axes are in one order; only lengths of one may be missing."""
    ours, theirs = ([array for _, array in plain("", one)] for one in (a, b))
    if len(ours) != len(theirs):
        return math.inf
    return max((_apart(x, y, rounding) for x, y in zip(ours, theirs, strict=True)), default=0.0)


def tells_nothing(output: Any) -> bool:
    """Return whether an output is empty, or infinite or not a number all over: so are those of other models."""
    arrays = [array for _, array in plain("", output) if array.size]
    return not any(array.dtype.kind != "f" or np.isfinite(array).any() for array in arrays)


def is_flat(output: Any, rounding: Rounding) -> bool:
    """Return whether an output is nearly one number all over, as that of a model with dead layers is, or of whole numbers, as those of
    another model may be."""
    arrays = [array for _, array in plain("", output) if array.dtype.kind == "f"]
    return not any(tells(array, rounding) or (array.size <= FEW and array.any()) for array in arrays)


def is_short(output: Any) -> bool:
    """Return whether an output is a few whole numbers, such as a class: those of another model are the same by chance."""
    return all(array.dtype.kind != "f" and array.size <= FEW for _, array in plain("", output))


def _apart(a: Any, b: Any, rounding: Rounding) -> float:
    if bare(a.shape) != bare(b.shape) or (a.ndim == b.ndim and a.shape != b.shape):
        return math.inf
    a = a.reshape(b.shape)
    if any(array.dtype.kind != "f" for array in (a, b)):
        return 0.0 if np.array_equal(a, b) else math.inf
    return apart(as_numbers(a), as_numbers(b), rounding)


def by_runtime(side: Side, by: RuntimeRun, values: dict[int, Any]) -> list[Any]:
    """Return the outputs of a model by its runtime, in the order of the model's; raise RuntimeFailed."""
    if side.opened:
        raise RuntimeFailed(f"{by.title} starts {side.model.document.name} with its own states; omit --runtime")
    inputs = [NamedArray(feed.names, values[feed.node]) for feed in side.feeds() if feed.node in values]
    try:
        found = by.outputs(inputs)
    except Exception as error:  # runtimes have their own
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise RuntimeFailed(f"{by.title} does not run {side.model.document.name}: {brief(reason, 300)}") from error
    names = side.mapping.aliases(side.graph)
    of = {j: k for k, j in paired([one.names for one in found], names).items()}
    if len(of) < len(names):
        raise RuntimeFailed(f"{by.title} returns {count(len(found), 'output')}, of {len(names)} that the file has")
    return [np.asarray(found[of[j]].array) for j in range(len(names))]
