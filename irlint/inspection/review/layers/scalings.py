"""What scales and shifts the results of layers, as two runs of these nodes alone show: for zeros and for ones."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.graph import Source
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.layers.weight_marks import Mark, mark, vectors_apart
from irlint.inspection.review.reduced import ReducedGraph
from irlint.records import NamedTuple

LEAST_MASK = 9_999  # converters to float16 write -10,000 for what is larger
LONGEST = 1 << 20  # elements of vectors: scales and offsets


class Across(NamedTuple):
    """A factor and an offset along another axis of a result than that of its channels, which counts from the end."""

    axis: int
    scale: Any
    offset: Any

    def distance(self, other: Across | None) -> float | None:
        """Return how far both are apart; None if that cannot be seen."""
        if other is None or self.axis != other.axis:
            return 1.0
        gaps = vectors_apart(self.scale, other.scale), vectors_apart(self.offset, other.offset)
        return None if None in gaps else max(gap for gap in gaps if gap is not None)


class Scaling(NamedTuple):
    """What a result is multiplied by, and what is added: None where that is not known, or more than a number for each channel."""

    scale: Any
    offset: Any
    factors: tuple[Mark, Mark] | None = None
    across: Across | None = None


NEUTRAL, UNKNOWN = Scaling(1.0, 0.0), Scaling(None, None)


class _Probe(NamedTuple):
    """A chain that is computed for given values: which node's, in which shape, and the last node of the chain."""

    start: int
    shape: tuple[int, ...]
    end: Source


def scalings(reduced: ReducedGraph, constants: ConstantValues) -> dict[int, Scaling]:
    """Return what the chains of nodes do, as two runs of them show: for zeros and for ones."""
    found = dict.fromkeys(reduced.chains, UNKNOWN)
    for probes in _probes(reduced):
        zeros, ones = (_results(probes, constants, number) for number in (0, 1))
        for index in zeros.keys() & ones.keys():
            zero, one = (each[index].astype(np.float64) for each in (zeros, ones))
            if zero.size > LONGEST:
                continue
            factor = np.where(np.abs(zero) < LEAST_MASK, one - zero, 1)  # next to the numbers of masks a one is nothing
            factor = factor.astype(np.float32)  # the last digits are those that the difference lost
            found[index] = _scaling(factor, zero, reduced.result_axis(index, zero.ndim))
    return found


def _scaling(factor: Any, zero: Any, channels: int | None) -> Scaling:
    """Return what a chain does. `channels`: the axis of channels, if that is known."""
    long = [axis for axis, length in enumerate(zero.shape) if length != 1]
    if len(long) > 1:
        masked = np.where(np.abs(zero) < LEAST_MASK, zero, np.sign(zero))
        return Scaling(None, None, (mark(factor), mark(masked)))
    vectors = factor.reshape(-1), zero.reshape(-1)
    if long and channels is not None and long[0] != channels:
        return Scaling(None, None, None, Across(long[0] - zero.ndim, *vectors))
    return Scaling(*vectors)


def _probes(reduced: ReducedGraph) -> tuple[dict[int, _Probe], dict[int, _Probe]]:
    """Return probes of the chains, by their nodes. What is given for one chain may be what another computes: these are apart. A chain that
    scales by a length has another one in a probe."""
    found: tuple[dict[int, _Probe], dict[int, _Probe]] = ({}, {})
    sides: dict[int, int] = {}
    shapes: dict[int, tuple[int, ...]] = {}
    for index, chain in reduced.chains.items():
        start = reduced.data_of(index) if index in reduced.affine else index
        shape = None if index in reduced.moved or start is None else reduced.probe_shape(start, chain)
        read = (source[0] for k in chain for source in reduced.graph.nodes[k].inputs)
        if (
            start is None
            or shape is None
            or not reduced.shaped.isdisjoint(read)
            or shapes.setdefault(start, shape) != shape
        ):
            continue
        side = sides[index] = 0 if start == index else 1 - sides.get(reduced.maker_of(index), 1)
        found[side][index] = _Probe(start, shape, Source(chain[-1]))
    return found


def _results(probes: dict[int, _Probe], constants: ConstantValues, number: int) -> dict[int, Any]:
    ends = {probe.end: index for index, probe in probes.items()}
    feeds = {probe.start: np.full(probe.shape, number, np.float64) for probe in probes.values()}
    found: dict[int, Any] = {}

    def visit(source: Source, array: Any) -> None:
        found[ends[source]] = array

    constants.run(ends, feeds, visit, rounds=False)  # a factor is small next to an offset
    return found
