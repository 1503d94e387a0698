"""The proof: whether two models output the same for the same inputs, and if not, which operator is the first that differs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.running.feeds import GivenInput
from irlint.dryrun.running.run import Failed
from irlint.dryrun.running.sequences import plain
from irlint.inspection.rounding import Rounding, coarser
from irlint.proving.feeding import Fed, Incomparable, fed, paired
from irlint.proving.layers import Layers, layers
from irlint.proving.nearness import apart, as_numbers, bare
from irlint.proving.origin import Correspondence, FirstDifference, rewritten, suspect
from irlint.proving.running import Partners, Side, kept, led
from irlint.proving.traces import Traces
from irlint.records import NamedTuple


class OutputPair(NamedTuple):
    """An output of both models; `distance` is infinite if their shapes do not correspond. Where what an output is computed from agrees, it
    is the distance that the last operators make."""

    a: str
    b: str
    distance: float
    agrees: bool


class Proof(NamedTuple):
    inputs: Fed
    rounding: Rounding  # the coarsest of both models
    outputs: list[OutputPair]
    missing: list[tuple[str, str]]  # outputs of only one model: which one, and their names
    layers: Layers
    suspect: FirstDifference | None
    found: int  # results of B that are one of A, of all of B
    results: int
    worst: float  # the largest distance of these
    is_telling: bool = True  # False: all of these are nearly one number each, as they are in any model
    incomparable: str = ""  # why no inputs fit both models

    @property
    def agrees(self) -> bool:
        return not self.incomparable and not self.missing and all(pair.agrees for pair in self.outputs)

    @property
    def is_same(self) -> bool:
        """Whether nothing differs: neither an output nor, without an effect on these outputs, an operator."""
        return self.agrees and self.suspect is None


def prove(
    a: Side,
    b: Side,
    given: dict[int, GivenInput] | None = None,
    seed: int = 0,
    memory: int | None = None,
    begins: Callable[[Side], None] = lambda side: None,
) -> Proof:
    """Run both models on the same inputs, of which some of the first model's may be given, and compare what they compute. `begins` is
    called before each run.

    All values of the first run are kept. In the second one, each result that is one of these but for rounding is replaced by it: what is
    left apart differs by more than rounding, however many layers there are.
    """
    rounding = coarser(a.look(), b.look())
    try:
        values = fed(a, b, given or {}, seed)
        begins(a)
        traces = kept(a, values.a, seed, memory)
        begins(b)
        partners = _led(b, values.b, seed, memory, traces)
    except Incomparable as error:
        return Proof(Fed({}, {}, []), rounding, [], [], Layers(0, 0), None, 0, 0, 0.0, incomparable=str(error))
    outputs, missing = _outputs(a, b, partners)
    known = Correspondence(a, b, traces, partners, values.b, rounding)
    wrong = [pair for pair in outputs if not pair.agrees]
    others = rewritten(known)
    agrees = not wrong and not missing
    found = (known.found if agrees else known.told()) - {node.index for alike, _ in others for node in alike}
    return Proof(
        values,
        rounding,
        outputs,
        missing,
        layers(a, found, agrees),
        suspect(known, others, {pair.a for pair in wrong}, {pair.b for pair in wrong}),
        len(partners),
        b.results,
        max((partner.distance for partner in partners.values()), default=0.0),
        bool(known.told()),
    )


def _led(side: Side, values: dict[int, Any], seed: int, memory: int | None, traces: Traces) -> Partners:
    try:
        return led(side, values, seed, memory, traces)
    except Failed as error:
        raise Incomparable(f"B cannot be run on the inputs of A: {error}") from error


def _outputs(a: Side, b: Side, partners: Partners) -> tuple[list[OutputPair], list[tuple[str, str]]]:
    """Return the outputs of both, and those of only one."""
    first, second = a.named_outputs(), b.named_outputs()
    pairs = paired([names for names, _ in first], [names for names, _ in second])
    known = set(pairs.values())
    missing = [("A", names[0]) for k, (names, _) in enumerate(first) if k not in pairs]
    missing += [("B", names[0]) for k, (names, _) in enumerate(second) if k not in known]
    outputs, makers, theirs = [], a.mapping.outputs(a.graph), b.mapping.outputs(b.graph)
    for k, j in sorted(pairs.items()):
        rounding = coarser(a.roundings[makers[k][0]], b.roundings[theirs[j][0]])
        distance = _distance(first[k][1], second[j][1], rounding)
        partner = partners.get((theirs[j][0], theirs[j][1]))
        if partner is not None and distance <= rounding.limit:
            distance = max(distance, partner.distance)
        outputs.append(OutputPair(first[k][0][0], second[j][0][0], distance, distance <= rounding.limit))
    return outputs, missing


def _distance(a: Any, b: Any, rounding: Rounding) -> float:
    """Return how far two outputs are apart. Their axes are in one order; only lengths of one may be missing."""
    ours, theirs = ([array for _, array in plain("", one)] for one in (a, b))
    if len(ours) != len(theirs):
        return math.inf
    return max((_apart(x, y, rounding) for x, y in zip(ours, theirs, strict=True)), default=0.0)


def _apart(a: Any, b: Any, rounding: Rounding) -> float:
    if bare(a.shape) != bare(b.shape):
        return math.inf
    a = a.reshape(b.shape)
    if any(array.dtype.kind != "f" for array in (a, b)):
        return 0.0 if np.array_equal(a, b) else math.inf
    return apart(as_numbers(a), as_numbers(b), rounding)
