"""The proof: whether two models output the same for the same inputs, and if not, which operator is the first that differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from irlint.dryrun.running.feeds import GivenInput
from irlint.dryrun.running.memory import TooMuch
from irlint.dryrun.running.run import Failed, Unsupported
from irlint.formats.runtime import RuntimeFailed
from irlint.graph import Node
from irlint.inspection.rounding import EXACT, Rounding, coarser
from irlint.proving.chance import by_chance
from irlint.proving.correspondence import Correspondence, FirstDifference, NodeCouple
from irlint.proving.edits import edited
from irlint.proving.feeding import Fed, Incomparable, fed
from irlint.proving.files import FromFiles, from_files
from irlint.proving.layers import Layers, matched, rooted, with_parts
from irlint.proving.origin import suspect
from irlint.proving.outputs import (
    OutputPair,
    by_runtime,
    compared,
    distance_of,
    from_numpy,
    is_flat,
    is_short,
    tells_nothing,
)
from irlint.proving.ranges import ALL, Ranges, clamped
from irlint.proving.running import Partners, Side, kept, led, run
from irlint.proving.states import open_states
from irlint.proving.traces import Traces
from irlint.proving.unseen import seen, unseen
from irlint.records import NamedTuple

# How large inputs are that are drawn as well where the usual ones tell nothing. Larger ones are more than their biases to dead layers,
# but coarse types overflow.
_FURTHER = (1, 16, 256)
# Share of layers whose results tell something or whose weights are the same: of fewer, outputs may agree by chance.
# The second one is for outputs that are nearly constant.
_LEAST, _LEAST_OF_FLAT = 0.5, 0.95
_MOVED = 2  # times the limit: outputs that are further apart for other inputs depend on them


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
    drawn: bool = False  # all outputs, or all that differ, depend on random numbers
    is_telling: bool = True  # False: all of these are nearly one number each, as they are in any model
    in_numpy: bool | None = (
        True  # the models agree in NumPy, whatever their runtimes output; None: NumPy cannot run one of them
    )
    draws: int = 1  # how many inputs were tried until results told something
    incomparable: Incomparable | None = None  # why no inputs fit both models
    requantized: Sequence[Node] = ()  # see FromFiles
    clamped: Ranges = ALL  # of inputs of the first model that one of the two clamps

    @property
    def agrees(self) -> bool:
        return self.incomparable is None and not self.missing and all(pair.agrees for pair in self.outputs)

    @property
    def is_same(self) -> bool | None:
        """Whether nothing differs: neither an output nor, without an effect on these outputs, an operator. None: what agrees would do
        so in other models, too, or what differs is drawn."""
        if self.drawn or (self.incomparable is not None and self.incomparable.is_undecided):
            return None
        return (True if self.is_telling else None) if self.agrees and self.suspect is None else False


def prove(
    a: Side,
    b: Side,
    given: dict[int, GivenInput] | None = None,
    seed: int = 0,
    memory: int | None = None,
    begins: Callable[[Side], None] = lambda side: None,
) -> Proof:
    """Run both models on the same inputs, of which some of the first model's may be given, and compare what they compute; on further
    inputs if all that agrees is nearly constant, or tiny. `begins` is called before each run."""
    runs = _Runs(a, b, given or {}, memory, begins, cache(lambda: from_files(a, b)))
    runs, proof = _with_batch(*_within_ranges(runs, _once(runs, seed, 1), seed), seed)
    first, moved = a.outputs, False
    for k, scale in enumerate(_FURTHER, 1):
        if proof.is_same is not None or proof.drawn or not proof.inputs.is_drawn:
            break
        try:
            found = _once(runs, seed + k, scale if proof.rounding == EXACT else 1)
        except (Failed, TooMuch, RuntimeFailed):  # as inputs out of range do
            break
        if found.incomparable is not None:
            break
        proof = found._replace(draws=k + 1)
        limit = _MOVED * proof.rounding.limit
        moved |= any(
            distance_of(x, y, proof.rounding) > limit for x, y in zip(first, a.outputs, strict=True) if not is_short(x)
        )
    proof = proof._replace(is_telling=proof.is_telling or moved)
    return _with_more_rows(runs, proof, seed)


def _within_ranges(runs: _Runs, proof: Proof, seed: int) -> tuple[_Runs, Proof]:
    """Return a proof; for a quantized model that clamps what was drawn that with numbers in its range."""
    if not proof.clamped or not proof.inputs.is_drawn:
        return runs, proof
    runs = runs._replace(ranges=proof.clamped)
    return runs, _once(runs, seed, 1)


def _with_batch(runs: _Runs, proof: Proof, seed: int) -> tuple[_Runs, Proof]:
    """Return a proof; for one that finds a difference and models of which one has no batches that with the batch as an axis of its own,
    which converters make of it, if more agrees so."""
    a, b = runs.a.mapping.has_batch, runs.b.mapping.has_batch
    is_open = all(feed.type.shape is None for feed in (runs.b if a else runs.a).feeds())
    if proof.is_same is not False or a == b or not is_open:
        return runs, proof
    kept = runs._replace(has_batch=True)
    with suppress(Failed, TooMuch, Unsupported, RuntimeFailed):
        found = _once(kept, seed, 1)
        if found.incomparable is None and (proof.incomparable is not None or found.found > proof.found):
            return kept, found
    return runs, _once(runs, seed, 1)  # both sides hold what the last run showed


def _with_more_rows(runs: _Runs, proof: Proof, seed: int) -> Proof:
    """Return a proof; for models that are the same what a run with larger batches shows, if that is something else: exporters write the
    batch that they saw into a model."""
    has_batches = runs.a.mapping.has_batch and runs.b.mapping.has_batch
    if not (proof.is_same and proof.inputs.shapes and has_batches):
        return proof
    try:
        found = _once(runs, seed, 1, rows=1)
    except (Failed, TooMuch, Unsupported, RuntimeFailed):  # the first model allows no other batch
        return proof
    if found.incomparable is not None:  # perhaps the second one allows none
        return found._replace(incomparable=Incomparable(f"with a larger batch, {found.incomparable}", True))
    return found if found.is_same is False and found.inputs.shapes != proof.inputs.shapes else proof


class _Runs(NamedTuple):
    """What is the same whatever the inputs that are drawn."""

    a: Side
    b: Side
    given: dict[int, GivenInput]
    memory: int | None
    begins: Callable[[Side], None]
    files: Callable[[], FromFiles]
    has_batch: bool = False  # see fed
    ranges: Ranges = ALL


def _once(runs: _Runs, seed: int, scale: int, rows: int = 0) -> Proof:
    """Compare both models on one set of inputs.

    All values of the first run are kept. In the second one, each result that is one of these but for rounding is replaced by it: what is
    left apart differs by more than rounding, however many layers there are.
    """
    a, b, given, memory, begins, files, has_batch, ranges = runs
    rounding = coarser(a.look(b.codes), b.look(a.codes))
    values, now = Fed({}, {}, []), a
    try:
        open_states(a, b)
        values = fed(a, b, given, seed, scale, rows, memory, has_batch, ranges)
        begins(a)
        traces = _kept(a, values, seed, memory)
        now = b
        begins(b)
        partners = _led(a, b, values.b, seed, memory, traces)
    except Incomparable as error:
        return Proof(Fed({}, {}, []), rounding, [], [], Layers(0, 0), None, 0, 0, 0.0, incomparable=error)
    except Unsupported:
        if now.runtime is None:
            raise
        nothing = Proof(values, rounding, [], [], Layers(0, 0), None, 0, 0, 0.0, is_telling=False)
        return _of_runtimes(nothing, a, b, seed, memory, True)
    proof = _judged(a, b, Correspondence(a, b, traces, partners, values.b, rounding), values, files())
    return proof if a.runtime is b.runtime is None else _of_runtimes(proof, a, b, seed, memory)


def _judged(a: Side, b: Side, known: Correspondence, values: Fed, files: FromFiles) -> Proof:
    """Return what both runs tell, together with the files."""
    partners = known.partners
    outputs, missing = compared(a, b, partners)
    wrong = [pair for pair in outputs if not pair.agrees]
    others, is_changed = _others(known, files, bool(wrong))
    first = _first(known, others, wrong)
    layers, is_telling = _layers(known, {node.index for node, _ in others}, files, (wrong or missing, first))
    worst = max((partner.distance for partner in partners.values()), default=0.0)
    counts = len(partners), b.results, worst
    is_telling = not values.a or (is_telling and not all(map(tells_nothing, a.outputs)))
    drawn = not is_changed and layers.are_related and by_chance(a, b, wrong or outputs)
    first = None if drawn else first
    proof = Proof(values, known.rounding_of_all, outputs, missing, layers, first, *counts, drawn, is_telling)
    return proof._replace(requantized=files.requantized, clamped=_clamped(known, values) if wrong else ALL)


def _clamped(known: Correspondence, values: Fed) -> Ranges:
    """Return the ranges of inputs of the first model to which a quantized model clamps them."""
    if not known.rounding_of_all.is_coarse:
        return ALL
    nodes = [{feed.names[0]: feed.node for feed in side.feeds()} for side in (known.a, known.b)]
    own = {nodes[1][theirs]: nodes[0][ours] for ours, theirs in values.names}
    theirs = clamped(known.b, known.b.own, values.b).items()
    return {**clamped(known.a, known.results, values.a), **{own[node]: ends for node, ends in theirs if node in own}}


def _first(known: Correspondence, others: Sequence[NodeCouple], wrong: Sequence[OutputPair]) -> FirstDifference | None:
    """Return where a difference begins; `others`: nodes that differ in the files, `wrong`: outputs that do."""
    first = edited(known) if wrong else None
    return first or suspect(known, others, {pair.a for pair in wrong}, {pair.b for pair in wrong})


def _others(known: Correspondence, files: FromFiles, is_wrong: bool) -> tuple[list[NodeCouple], bool]:
    """Return pairs of nodes that differ by what the files say, and whether some changed there. `is_wrong`: outputs differ, too."""
    changed = [pair for pair in files.changed if pair[0].index not in files.rewired or not known.do_the_same(*pair)]
    changed = [pair for pair in changed if not (known.makes_it_of_others(*pair) or known.shows_all(pair[1]))]
    found = known.counterparts(changed) or known.computing_others(files.replaced)
    return found or [*(seen if is_wrong else unseen)(known, files.both)], bool(changed)


def _layers(
    known: Correspondence, changed: set[int], files: FromFiles, different: tuple[Any, Any]
) -> tuple[Layers, bool]:
    """Return how many layers of the first model the second has, and whether that is unlikely by chance. `different`: whether outputs
    are, and whether an operator is."""
    a, is_plain = known.a, all(is_flat(output, known.rounding_of_all) for output in known.a.outputs)
    share, same = _LEAST_OF_FLAT if is_plain else _LEAST, files.same
    every, told = a.layers, known.told() - changed
    strictly, alike = matched(a, told, every), every & same
    ours, is_telling = rooted(a, strictly), bool(told) and len(strictly) >= share * len(every)
    is_telling = is_telling and (bool(every) or not is_plain)
    told_of = {ours.index for ours, _ in files.both} | files.alone[0]
    same_weights = len(with_parts(a, same, told_of))
    if different[0]:
        return Layers(len(every), len(ours), same_weights), is_telling
    loosely = matched(a, known.found - changed)
    if different[1] is not None:
        found = (ours | (loosely & alike)) - {node.index for node in (different[1].a,) if node is not None}
        return Layers(len(every), len(found), same_weights), is_telling
    is_known = bool(every) and len(strictly | alike) >= share * len(every)
    is_known = (is_telling or is_known) and not (is_plain and known.has_unknown(files.replaced, files.alone))
    return Layers(len(every), len(loosely), same_weights), is_known


def _of_runtimes(proof: Proof, a: Side, b: Side, seed: int, memory: int | None, is_unknown: bool = False) -> Proof:
    """Return a proof with the outputs of the runtimes in place of NumPy's, unless the models agree in NumPy and each runtime does with
    NumPy. `is_unknown`: NumPy cannot run one of the models."""
    for side, values in ((a, proof.inputs.a), (b, proof.inputs.b)):
        if side.runtime is not None:
            side.outputs = by_runtime(side, side.runtime, values)
        elif is_unknown:
            run(side, values, seed, memory, lambda node, operands, outputs: None)
    outputs, missing = compared(a, b, {}, proof.rounding.added_up)
    found = proof._replace(outputs=outputs, missing=missing, in_numpy=None if is_unknown else proof.agrees)
    if found.in_numpy and not found.agrees:  # as where the order of numbers that are nearly equal is another one
        apart = max(
            from_numpy(side, values, seed, memory, proof.rounding.added_up)
            for side, values in ((a, proof.inputs.a), (b, proof.inputs.b))
        )
        if apart <= proof.rounding.added_up.limit:
            return proof
    return found


def _kept(side: Side, values: Fed, seed: int, memory: int | None) -> Traces:
    try:
        return kept(side, values.a, seed, memory)
    except Failed as error:
        if not values.is_sized:
            raise
        raise Incomparable(f"A cannot be run on inputs of the shapes of B: {error}") from error


def _led(a: Side, b: Side, values: dict[int, Any], seed: int, memory: int | None, traces: Traces) -> Partners:
    try:
        return led(a, b, values, seed, memory, traces)
    except Failed as error:
        raise Incomparable(f"B cannot be run on the inputs of A: {error}") from error
