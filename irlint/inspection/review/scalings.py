"""What scales and shifts the results of layers, as two runs of these nodes alone show: for zeros and for ones."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.lazy import np
from irlint.graph import Source
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.reduced import ReducedGraph
from irlint.inspection.review.weight_marks import HUGE, Mark, mark
from irlint.records import NamedTuple

LONGEST = 1 << 20  # elements of vectors: scales and offsets


class Scaling(NamedTuple):
    """What a result is multiplied by, and what is added: None where that is not known, or more than a number for each channel."""

    scale: Any
    offset: Any
    factors: tuple[Mark, Mark] | None = None


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
            factor = np.where(np.abs(zero) < HUGE, one - zero, 1)  # next to the numbers of masks a one is nothing
            if sum(length != 1 for length in zero.shape) <= 1:
                found[index] = Scaling(factor.reshape(-1), zero.reshape(-1))
            else:
                found[index] = Scaling(None, None, (mark(factor), mark(zero)))
    return found


def _probes(reduced: ReducedGraph) -> tuple[dict[int, _Probe], dict[int, _Probe]]:
    """Return probes of the chains, by their nodes. What is given for one chain may be what another computes: these are apart."""
    found: tuple[dict[int, _Probe], dict[int, _Probe]] = ({}, {})
    sides: dict[int, int] = {}
    shapes: dict[int, tuple[int, ...]] = {}
    for index, chain in reduced.chains.items():
        start = reduced.data_of(index) if index in reduced.affine else index
        shape = None if index in reduced.moved or start is None else reduced.probe_shape(start, chain)
        if start is None or shape is None or shapes.setdefault(start, shape) != shape:
            continue
        side = sides[index] = 0 if start == index else 1 - sides.get(reduced.maker_of(index), 1)
        found[side][index] = _Probe(start, shape, Source(chain[-1]))
    return found


def _results(probes: dict[int, _Probe], constants: ConstantValues, number: int) -> dict[int, Any]:
    ends = {probe.end: index for index, probe in probes.items()}
    feeds = {probe.start: np.full(probe.shape, number, np.float32) for probe in probes.values()}
    found: dict[int, Any] = {}

    def visit(source: Source, array: Any) -> None:
        found[ends[source]] = array

    constants.run(ends, feeds, visit)
    return found
