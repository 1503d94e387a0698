"""Sizes that variables declare and the runtime does not use: with which others is nothing wrong?"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import chain, product
from math import isqrt, prod

from irlint.dryrun.dims import is_known, numel
from irlint.dryrun.infer import Inference, infer
from irlint.dryrun.mapping import FromAttr, Mapping
from irlint.dryrun.tensor import Tensor
from irlint.graph import NOWHERE, Graph, Node
from irlint.records import NamedTuple

_NODES = 40_000  # limit of the search: nodes inferred in all trials
_IMAGES = (1, 3)  # channels
_USUAL = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64)
_SHORTEST = 4  # in such a short axis, windows of any step look alike
_STEP, _WIDE = (
    16,
    2,
)  # images of other sides than squares: lengths are multiples, the longer side has so many times the shorter
_PIXELS = 1 << 26  # of the largest image
_TIMES = 8  # what an image may be larger or smaller than is declared
Sizes = tuple[int, ...]


class Explained(NamedTuple):
    """Declared and other sizes of variables, by index, and the nodes that are wrong with those declared, but not with the others."""

    sizes: dict[int, tuple[Sizes, Sizes]]
    nodes: Collection[int]


def explained(graph: Graph, mapping: Mapping, wrong: Collection[int], broken: Collection[int] = ()) -> Explained | None:
    """Return sizes with which only those nodes are wrong that are so with any; None if there are none."""
    declared = {k: mapping.leaf(graph, graph.nodes[k])[0] for k in graph.inputs}
    given = {k: Tensor(tensor.dtype) for k, tensor in declared.items()}

    def fails(types: dict[int, Tensor]) -> set[int]:
        return _failing(infer(graph, mapping, types, broken))

    always, tries = fails(given), _NODES // max(len(graph.nodes), 1)
    found: dict[int, tuple[Sizes, Sizes]] = {}
    if set(wrong) <= always:
        return None
    for k, tensor in declared.items():
        if not is_known(tensor.shape):
            continue
        sizes: Sizes = tensor.shape  # type: ignore[assignment]
        as_declared = infer(graph, mapping, {**given, k: tensor}, broken)
        failing = _failing(as_declared) - always
        if not failing:
            given[k] = tensor
            continue
        ratios = _ratios(graph, mapping, as_declared, min(failing))
        for other in _others(sizes, _numbers(graph, mapping, graph.nodes[k]), ratios):
            tries -= 1
            if tries < 0:
                return None
            if fails({**given, k: Tensor(tensor.dtype, other)}) <= always:
                given[k], found[k] = Tensor(tensor.dtype, other), (sizes, other)
                break
        else:
            return None
    return Explained(found, set(wrong) - always) if found else None


def _failing(found: Inference) -> set[int]:
    return {mistake.node.index for mistake in found.mistakes[id(found.graph)] if mistake.error.outputs is None}


def _ratios(graph: Graph, mapping: Mapping, found: Inference, wrong: int) -> list[Fraction]:
    """Return how many times the elements that a wrong node gets its weights may be for."""
    node, ratios = graph.nodes[wrong], dict[Fraction, None]()
    call, (source, output) = mapping.sound_call(graph, node), node.inputs[0] if node.inputs else NOWHERE
    outputs = found.outputs(graph, graph.nodes[source]) if source >= 0 else ()
    count = (numel(outputs[output].shape) if output < len(outputs) else None) or 0
    for origin in (call.inputs or ()) if call is not None and count else ():
        if isinstance(origin, FromAttr):
            lengths = [n for n in origin.tensor.shape or () if isinstance(n, int)]
            ratios.update({Fraction(n, count): None for n in lengths if count <= n * _TIMES <= count * _TIMES**2})
    return list(ratios)


def _of_area(space: Sizes, ratios: list[Fraction]) -> Iterator[Sizes]:
    """Yield the sides of images whose areas have a ratio to that of another: first where one side is the same."""
    areas = [prod(space) * ratio for ratio in ratios] if len(space) == 2 else []
    for area in [area for area in areas if area <= _PIXELS]:
        sides = range(_SHORTEST, isqrt(int(area * _WIDE)) + 1, _SHORTEST)
        likely = [side for side in sides if side * side * _WIDE >= area]
        for side in (*space, *sorted(likely, key=lambda side: -(side & -side))):
            other = area / side
            if other.denominator == 1 and not other % _SHORTEST:
                yield side, int(other)
                yield int(other), side


def _squares(space: Sizes) -> list[Sizes]:
    """Return round squares around another, unless it is too large for an image."""
    if len(set(space)) > 1 or prod(space) > _PIXELS:
        return []
    return [(n,) * len(space) for n in range(space[0] // 32 * 16, 2 * space[0] + 1, 16)]


def _others(sizes: Sizes, numbers: list[int], ratios: list[Fraction]) -> Iterator[Sizes]:
    """Yield other sizes, the most likely first: with the channels where they belong, as many as weights are for, of equal sides, round
    ones, of an area that weights are for, with an axis more or less.
    """
    seen = {sizes}

    def new(other: Sizes) -> bool:
        return bool(other) and min(other) > 0 and not (other in seen or seen.add(other))  # type: ignore[func-returns-value]

    if sizes[-1] in _IMAGES:
        yield from filter(new, [(sizes[-1], *sizes[:-1])])
    lead, space = sizes[:-2], sizes[-2:]
    channels: list[Sizes] = [sizes[:1], *((n,) for n in numbers)] if len(sizes) > 2 else [()]
    sides: list[Sizes] = [space, *((n,) * len(space) for n in space)]
    sides += [tuple((n + up * step) // step * step for n in space) for step in (2, 4, 8, 16, 32) for up in (0, 1)]
    sides += _squares(space)
    pairs = chain(product(sides, channels[:2]), product(_of_area(space, ratios), channels[:1]))
    yield from filter(new, ((*first, *lead[1:], *side) for side, first in pairs))
    for side in sides[:3]:
        yield from filter(new, ((*first, *lead[1:], *side) for first in channels[2:]))
    for k in range(len(sizes)):
        yield from filter(
            new, ((*sizes[:k], n, *sizes[k + 1 :]) for n in (*numbers, *_USUAL) if n >= _SHORTEST or k == 0)
        )
    if len(sizes) < 4:
        for place in range(len(sizes), -1, -1):
            yield from filter(new, ((*sizes[:place], n, *sizes[place:]) for n in (*numbers, *sizes, *_USUAL)))
    for more in range(2, 5 - len(sizes)):
        yield from filter(new, ((n,) * more + sizes for n in (*_IMAGES, *numbers)))
    yield from filter(new, [sizes[::-1]])
    for place in range(len(sizes)):
        yield from filter(new, [(*sizes[:place], *sizes[place + 1 :])])
        yield from filter(new, ((n, *sizes[:place], *sizes[place + 1 :]) for n in numbers))


def _numbers(graph: Graph, mapping: Mapping, variable: Node) -> list[int]:
    """Return lengths of weights and constants, first those of the readers of a variable, and what these write as numbers."""
    readers = [node for node in graph.nodes if any(source[0] == variable.index for source in node.inputs)]
    found: dict[int, None] = {}
    for node in (*readers, *graph.nodes):
        if node.kind == "const":
            found.update(dict.fromkeys(n for n in mapping.leaf(graph, node)[0].shape or () if isinstance(n, int)))
        call = mapping.sound_call(graph, node)
        for origin in (call.inputs or ()) if call is not None else ():
            if isinstance(origin, FromAttr) and origin.tensor.shape is not None:
                groups = call.attrs.get("groups", 1) if call is not None else 1
                lengths = [n for n in origin.tensor.shape if isinstance(n, int)]
                found.update(dict.fromkeys([*(n * groups for n in lengths[1:2]), *lengths]))
    written = {value: None for node in readers for value in node.attrs.values() if type(value) is int and value > 0}
    return [*list(found)[:40], *written]
