"""How infinite and vanishing constants spread through a graph: in one pass, each value with what it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from irlint.dryrun.lazy import np
from irlint.dryrun.mapping import Mapping as DryRun
from irlint.dryrun.running.weights import values
from irlint.graph import Graph, Node
from irlint.inspection.canonical import CanonicalNames
from irlint.order import post_order
from irlint.precision import readers
from irlint.records import NamedTuple

_ONE_SIGN = (frozenset((1,)), frozenset((-1,)))
_ENOUGH = 16  # readers of one constant that harm is looked for at


class HeldNumber(NamedTuple):
    """What some elements of a value are, because of a constant."""

    origin: int
    signs: frozenset[int] = frozenset()  # of infinities: 1, -1
    fills_rows: bool = False  # a whole row along the last axis is infinite
    is_wide: bool = (
        False  # an integer of more than 32 bits; else, without signs, a number that vanishes, or keeps others from 0
    )


class Spoiled(NamedTuple):
    """What a reader makes of a constant."""

    origin: int
    node: Node | None  # None: the graph outputs it
    why: str
    is_rare: bool = False  # only for rows that models mostly do not make


class Spread:
    """The values of one graph that hold what its constants hold."""

    def __init__(self, graph: Graph, mapping: DryRun, names: CanonicalNames, is_body: bool = False) -> None:
        self.graph, self.mapping, self.names, self.is_body = graph, mapping, names, is_body
        self._families: dict[int, str] = {}
        self._known: dict[int, frozenset[int]] = {}  # signs of constants

    def harms(self, starts: Mapping[int, HeldNumber]) -> Iterator[Spoiled]:
        """Yield what harm infinite, vanishing and wide constants do."""
        held = dict(starts)
        often = Counter[tuple[int, bool]]()
        for index in post_order(self.graph, strict=False):
            node = self.graph.nodes[index]
            operands = [held.get(source[0]) for source in node.inputs]
            if not any(operands):
                continue
            found = self._of_node(node, operands)
            if isinstance(found, HeldNumber):
                held[index] = found
            elif found is not None and often[found.origin, found.is_rare] < _ENOUGH:
                often[found.origin, found.is_rare] += 1
                yield found
        if self.is_body:
            return  # the graph around it decides what becomes of the outputs
        ends = (held.get(source[0]) for source in self.mapping.outputs(self.graph))
        yield from (Spoiled(one.origin, None, "") for one in ends if one is not None and one.signs)

    def moves(self, node: Node) -> bool:
        """Return whether an operator only moves elements of its operands."""
        return self._family(node) in readers.MOVING

    def _family(self, node: Node) -> str:
        if node.index not in self._families:
            call = self.mapping.sound_call(self.graph, node)
            self._families[node.index] = "" if call is None else call.operator.family
        return self._families[node.index]

    def _of_node(self, node: Node, operands: Sequence[HeldNumber | None]) -> HeldNumber | Spoiled | None:
        name = self.names.of(node)
        infinite = [one for one in operands if one is not None and one.signs]
        if infinite:
            return self._of_infinite(node, name, operands, infinite)
        first = next(one for one in operands if one is not None)
        return (self._of_wide if first.is_wide else self._of_guards)(node, name, operands, first)

    def _of_wide(
        self, node: Node, name: str, operands: Sequence[HeldNumber | None], first: HeldNumber
    ) -> HeldNumber | Spoiled | None:
        """Integers that only bound others or say where a slice ends may be limited to 32 bits."""
        if name in readers.BOUNDING:
            return None
        if name in readers.PASSING or self.moves(node):
            return first if operands[0] is not None or name in ("where", "concatenate") else None
        return Spoiled(first.origin, node, "uses it")

    def _of_infinite(
        self, node: Node, name: str, operands: Sequence[HeldNumber | None], infinite: Sequence[HeldNumber]
    ) -> HeldNumber | Spoiled | None:
        first = infinite[0]
        signs = frozenset(sign for one in infinite for sign in one.signs)
        table = readers.INFINITE if 1 in signs else readers.MINUS_INFINITE
        doing = table.get(name, "passes" if self.moves(node) else "")
        if doing == "shares":
            is_sure = 1 in signs or first.fills_rows
            why = "rows of infinities" if is_sure else "a row that is masked whole"
            return Spoiled(first.origin, node, f"outputs NaN for {why}", is_rare=not is_sure)
        if doing == "passes":
            return HeldNumber(first.origin, signs, first.fills_rows and self._keeps_rows(node, name))
        if doing == "turns":
            return first._replace(signs=frozenset(-sign for sign in signs))
        if doing in ("adds", "multiplies"):
            return (self._of_sum if doing == "adds" else self._of_product)(node, name, operands, infinite)
        return None if doing == "ends" else self._otherwise(node, name, first)

    def _otherwise(self, node: Node, name: str, first: HeldNumber) -> Spoiled | None:
        """Unknown operators are blamed only for what they read themselves."""
        is_known = name != node.op or first.origin in [source[0] for source in node.inputs]
        return Spoiled(first.origin, node, readers.OTHERWISE) if is_known else None

    def _keeps_rows(self, node: Node, name: str) -> bool:
        """Return whether a row that is infinite all over stays one."""
        return name in readers.KEEPING or self._family(node) in readers.KEEPING

    def _of_sum(
        self, node: Node, name: str, operands: Sequence[HeldNumber | None], infinite: Sequence[HeldNumber]
    ) -> HeldNumber | Spoiled | None:
        turned = [
            frozenset(-sign for sign in one.signs) if name == "subtract" and place == 1 else one.signs
            for place, one in enumerate(operands)
            if one is not None
        ]
        signs, first = frozenset().union(*turned), infinite[0]
        if len(infinite) > 1 and len(signs) > 1:
            return Spoiled(first.origin, node, "outputs NaN, as infinity minus infinity is")
        return HeldNumber(first.origin, signs, any(one.fills_rows for one in infinite))

    def _of_product(
        self, node: Node, name: str, operands: Sequence[HeldNumber | None], infinite: Sequence[HeldNumber]
    ) -> HeldNumber | Spoiled | None:
        first = infinite[0]
        if name == "divide" and operands[0] is None:
            return Spoiled(first.origin, node, "outputs 0 where it divides by that")
        others = [source[0] for source, one in zip(node.inputs, operands, strict=True) if one is None]
        factors = [self._signs(index) for index in others]
        if not factors or any(0 in sides or not sides for sides in factors):
            why = "outputs NaN where it multiplies that by 0" if name == "multiply" else readers.OTHERWISE
            return Spoiled(first.origin, node, why)
        turned = frozenset(sign * side for sign in first.signs for sides in factors for side in sides)
        return first._replace(signs=turned)

    def _signs(self, index: int) -> frozenset[int]:
        """Return which signs the numbers of a constant have, 0 if any is 0 or NaN; none if they are not known."""
        if index not in self._known:
            node = self.graph.nodes[index] if index >= 0 else None
            array = values(self.mapping, node) if node is not None and node.kind == "const" else None
            is_number = array is not None and array.dtype.kind in "iuf"
            found = np.nan_to_num(np.unique(np.sign(array))) if is_number else ()
            self._known[index] = frozenset(map(int, found))
        return self._known[index]

    def _of_guards(
        self, node: Node, name: str, operands: Sequence[HeldNumber | None], first: HeldNumber
    ) -> HeldNumber | Spoiled | None:
        place = next(k for k, one in enumerate(operands) if one is not None)
        if name in readers.GUARDING:
            others = (source[0] for source, one in zip(node.inputs, operands, strict=True) if one is None)
            is_more = name in readers.ADDING and any(self._signs(index) in _ONE_SIGN for index in others)
            return None if is_more else HeldNumber(first.origin)
        if name in readers.ROOTS or name in readers.PASSING or self.moves(node):
            return first
        if name == "power" and place == 0:
            return self._of_power(node, first)
        guarded, why = readers.GUARDED.get(name, (-1, ""))
        return Spoiled(first.origin, node, why) if place == guarded else None

    def _of_power(self, node: Node, first: HeldNumber) -> HeldNumber | Spoiled | None:
        signs = self._signs(node.inputs[1][0]) if len(node.inputs) > 1 else frozenset()
        return Spoiled(first.origin, node, "outputs infinity for 0") if -1 in signs else first if signs else None


def filled_rows(array: Any, infinite: Any) -> bool:
    """Return whether a row of an array along its last axis is infinite all over."""
    return bool(infinite.all(axis=-1).any()) if array.ndim else bool(infinite)


def operands_of(graph: Graph, nodes: Iterable[int]) -> Iterator[tuple[int, Node, int]]:
    """Yield the calls that read some nodes: the node, the call, and as which operand."""
    wanted = set(nodes)
    for node in graph.nodes:
        for place, source in enumerate(node.inputs):
            if source[0] in wanted:
                yield source[0], node, place
