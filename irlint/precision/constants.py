"""Constants that a target's numbers of 16 bits cannot hold, where it matters: --target precision=fp16."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.codes import R
from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.narrow import WIDE, Narrowed, narrow, narrowed_numbers
from irlint.dryrun.running.weights import values
from irlint.findings import Problem, Severity
from irlint.graph import Graph, Node, label
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.types import mapping_of
from irlint.precision import readers
from irlint.precision.spread import HeldNumber, Spoiled, Spread, filled_rows, operands_of
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.targets.precision import FLOATS, TARGET
from irlint.text.words import count

RULES = (R.constant_overflows, R.constant_vanishes, R.integer_clamped)
_LOST = 0.1  # share of a constant's norm that matters where others are multiplied by it
_EPSILONS = ("epsilon", "eps")  # what operators call the number that keeps a divisor from being 0
_INT32 = 2**31


def precision_problems(model: Model) -> Iterator[Problem]:
    """Report the constants that do not survive the precision that is the target."""
    target, mapping = model.targets.get(TARGET), mapping_of(model)
    if target is None or mapping is None:
        return
    names = CanonicalNames(model)
    for graph in model.graph.walk():
        spread = Spread(graph, mapping, names, graph is not model.graph)
        yield from _Constants(graph, mapping, names, spread, FLOATS.get(target)).problems()


class _Numbers(NamedTuple):
    """A constant that a type does not hold."""

    node: Node
    array: Any
    found: Narrowed


class _Constants:
    """The constants of one graph, and what becomes of them in a type (None: only of integers)."""

    def __init__(
        self, graph: Graph, mapping: Mapping, names: CanonicalNames, spread: Spread, dtype: str | None
    ) -> None:
        self.graph, self.mapping, self.names, self.spread, self.dtype = graph, mapping, names, spread, dtype

    def problems(self) -> Iterator[Problem]:
        lost, integers = {}, {}
        for node in self.graph.nodes:
            array = self._array(node)
            if array is None or not array.size:
                continue
            if self.dtype is not None and array.dtype.name in WIDE:
                found = narrowed_numbers(array, self.dtype)
                if found.infinite or found.lost > _LOST or np.isinf(array).any():
                    lost[node.index] = _Numbers(node, array, found)
            elif array.dtype == np.int64 and (array.min() < -_INT32 or array.max() >= _INT32):
                integers[node.index] = array
        yield from self._infinite(lost)
        yield from self._vanishing(lost)
        yield from self._clamped(integers)
        yield from self._epsilons()

    def _array(self, node: Node) -> Any:
        """Return the numbers of a constant, or the one that an operator fills a tensor with."""
        if node.kind == "const":
            return values(self.mapping, node)
        call = self.mapping.sound_call(self.graph, node) if node.kind == "call" and len(node.inputs) < 2 else None
        fill, dtype = (call.attrs.get("fill"), call.attrs.get("dtype")) if call is not None else (None, None)
        is_held = isinstance(fill, int | float) and dtype in (*WIDE, "int64") and -(2.0**63) <= fill < 2.0**63
        is_held = is_held or (isinstance(fill, float) and dtype in WIDE)
        return np.array([fill], dtype) if is_held else None

    def _infinite(self, lost: dict[int, _Numbers]) -> Iterator[Problem]:
        """Report constants that become infinite, once each, with the readers for which that matters."""
        starts = {}
        for index, one in lost.items():
            infinite = np.isinf(one.array if self.dtype is None else narrow(one.array, self.dtype))
            if infinite.any():
                signs = frozenset(int(sign) for sign in np.unique(np.sign(one.array[infinite])))
                starts[index] = HeldNumber(index, signs, filled_rows(one.array, infinite))
        for index, harms in self._by_origin(starts).items():
            one, first = lost[index], harms[0]
            number = one.found.low if -one.found.low > one.found.high else one.found.high
            sign = "-" if (number or min(starts[index].signs)) < 0 else ""
            said = f"holds {number:.3g}, which is {sign}infinity in {self.dtype}" if number else f"holds {sign}infinity"
            yield self._problem(R.constant_overflows, one.node, f"{said}; {_said(first)}", harms)

    def _vanishing(self, lost: dict[int, _Numbers]) -> Iterator[Problem]:
        """Report constants that are 0 or have lost their digits, where others are multiplied or kept from being 0 by them."""
        some = {index: one for index, one in lost.items() if one.found.lost > _LOST}
        starts = {
            index: HeldNumber(index) for index, one in some.items() if one.found.vanished == np.count_nonzero(one.array)
        }
        harmed = self._by_origin(starts)
        for index, node, place in operands_of(self.graph, some):
            if index not in harmed and place in readers.FACTORS.get(self.names.of(node), ()):
                harmed[index] = [Spoiled(index, node, "")]
        for index in sorted(harmed):
            one, first = some[index], harmed[index][0]
            if first.why:
                said = f"holds {_largest(one.array):.3g}, which is 0 in {self.dtype}; {_said(first)}"
            else:
                zeros = f"{one.found.vanished:,} of {count(one.array.size, 'value')} become 0"
                said = f"loses {one.found.lost:.0%} of its norm in {self.dtype}: {zeros}; {_said(first._replace(why='multiplies by it'))}"
            yield self._problem(R.constant_vanishes, one.node, said, harmed[index])

    def _clamped(self, integers: dict[int, Any]) -> Iterator[Problem]:
        """Report integers of more than 32 bits, except those that only say where a slice ends or what bounds others."""
        starts = {index: HeldNumber(index, is_wide=True) for index in integers}
        for index, harms in self._by_origin(starts).items():
            array = integers[index]
            worst = int(array.max()) if array.max() >= _INT32 else int(array.min())
            why = "which does not fit into int32, to which such targets convert int64"
            said = f"holds {worst}, {why}; {_said(harms[0])}"
            yield self._problem(R.integer_clamped, self.graph.nodes[index], said, harms)

    def _epsilons(self) -> Iterator[Problem]:
        """Report epsilons of operators, which runtimes keep in 32 bits."""
        for node in self.graph.nodes if self.dtype is not None else ():
            call = self.mapping.sound_call(self.graph, node) if node.kind == "call" else None
            for keyword in _EPSILONS if call is not None else ():
                value = call.attrs.get(keyword)  # type: ignore[union-attr]
                if not isinstance(value, float) or value == 0 or narrow(np.array(value, np.float32), self.dtype or ""):
                    continue
                key = call.keys.get(keyword, keyword)  # type: ignore[union-attr]
                said = f"`{key}` {value:.3g} is 0 in {self.dtype}; kernels that do not keep it in float32 divide by 0"
                at = self.graph.place(node, f"attr:{key}")
                yield Problem(R.constant_vanishes, at, said, node.name, severity=Severity.PEDANTIC)

    def _by_origin(self, starts: dict[int, HeldNumber]) -> dict[int, list[Spoiled]]:
        found: dict[int, list[Spoiled]] = {}
        for harm in self.spread.harms(starts) if starts else ():
            found.setdefault(harm.origin, []).append(harm)
        often = {origin: [harm for harm in harms if not harm.is_rare] for origin, harms in found.items()}
        return {origin: often[origin] or harms for origin, harms in found.items()}

    def _problem(self, rule: Any, node: Node, said: str, harms: list[Spoiled]) -> Problem:
        related = [(f"{label(one.node)} uses it", self.graph.place(one.node, "name")) for one in harms[1:] if one.node]
        at, severity = self.graph.place(node, "name"), Severity.PEDANTIC if harms[0].is_rare else None
        return Problem(rule, at, f"{label(node)} {said}", node.name, related=related, severity=severity)


def _said(harm: Spoiled) -> str:
    return "the model outputs it" if harm.node is None else f"{label(harm.node)} {harm.why}"


def _largest(array: Any) -> float:
    return float(array.reshape(-1)[np.abs(array).argmax()])
