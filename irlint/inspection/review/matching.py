"""Pairing of the nodes of two graphs by name, then by structure. Every pass is linear."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from math import prod

from irlint.graph import Graph, Node, Source
from irlint.order import post_order

_COUNTED = re.compile(r"_[0-9]{3,}(?:_[a-z_]+)?$|^[0-9]+$")
_PARTS = 2  # that may be at the end of a name and not of another one of the same constant

Key = Callable[[Node], Hashable]
Found = list[tuple[Hashable, int]]  # keys, and the nodes that have them


class GraphSide:
    """One of the two graphs: what a node is (`same`), what it is but for its attributes (`alike`), its name if it has one
    that means something."""

    def __init__(
        self,
        graph: Graph,
        same: Key,
        alike: Key,
        name: Callable[[Node], str],
        sources: Mapping[int, Sequence[Source]] | None = None,
    ) -> None:
        """`sources`: the nodes that count, each with what it reads of the others, if not all do."""
        self.graph, self.same, self.alike = graph, same, alike
        self.any: Key = lambda node: node.kind
        self.inputs = {node.index: node.inputs for node in graph.nodes} if sources is None else sources
        self.names = {index: name(graph.nodes[index]) for index in self.inputs}
        leaves = [index for index in self.names if graph.nodes[index].kind != "call"]
        calls = [index for index in post_order(graph, strict=False) if index in self.names]
        self.order = [*leaves, *calls]
        self.readers: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
        for index in self.order:
            for position, source in enumerate(self.inputs[index]):
                if source[0] >= 0:
                    self.readers[source[0]].append((index, position))


def match(old: GraphSide, new: GraphSide) -> dict[int, int]:
    """Indices of old nodes with those of the new nodes that they are."""
    pairs = _decoded(old, new) | {i: j for j, i in _decoded(new, old).items()}
    left, right = _unique(old, pairs), _unique(new, pairs.values())
    _pair(pairs, _unnumbered(old, left), _unnumbered(new, right))
    _by_weights(pairs, old, new)
    meant: dict[int, int] = {}
    _pair(meant, *_meant(_unique(old, pairs), _unique(new, pairs.values()), old, new))
    for index in old.order:
        if index in meant and _fits(pairs, old.inputs[index], new.inputs[meant[index]]):
            pairs[index] = meant[index]
    _by_beginnings(pairs, old, new)
    _by_structure(pairs, old, new)
    for i, j in [*pairs.items()]:
        if _decodes(old, i) != _decodes(new, j):
            del pairs[i]
    _pair(pairs, _uncounted(_unique(old, pairs)), _uncounted(_unique(new, pairs.values())))
    return pairs


def match_reduced(old: GraphSide, new: GraphSide, layers: Mapping[int, int]) -> dict[int, int]:
    """Indices of nodes of one form of a network with those of another form; `layers` have the same weights. Next come nodes of which
    all that they depend on is the same, then those with the same name, then structure."""
    pairs = dict(layers)
    _by_place(pairs, old, new, "alike", _above, only_unique=True)
    left, right = (
        [((name, side.alike(side.graph.nodes[index])), index) for name, index in _unique(side, done)]
        for side, done in ((old, pairs), (new, pairs.values()))
    )
    _pair(pairs, left, right)
    _by_structure(pairs, old, new, ("alike",))
    return pairs


def _unnumbered(side: GraphSide, named: Found) -> Found:
    """Return named nodes without those that a program counted: all, or those of one operator."""
    nodes = side.graph.nodes
    return [one for one in _uncounted(named) if not _is_numbered(str(one[0]), nodes[one[1]].op)]


def _is_numbered(name: str, op: str) -> bool:
    """Return whether a name ends with an operator and a number, as `node_relu_9` does."""
    head, _, number = name.rpartition("_")
    if not (op and number.isdecimal() and head[-len(op) :].casefold() == op.casefold()):
        return False
    return not head[: -len(op)][-1:].isalpha()


def _fits(pairs: Mapping[int, int], ours: Sequence[Source], theirs: Sequence[Source]) -> bool:
    """Return whether a node reads what another one reads: else a node may have been inserted before them, and their names, which have
    numbers, mean nothing."""
    return all(a[0] < 0 or pairs.get(a[0]) == b[0] for a, b in zip(ours, theirs, strict=False))


def _by_weights(pairs: dict[int, int], old: GraphSide, new: GraphSide) -> None:
    """Pair calls that read the same named constants."""
    numbers = {index: number for number, index in enumerate(pairs)}
    theirs = {pairs[index]: number for index, number in numbers.items()}
    there = dict(_singles(_readers(new, theirs)))
    found = {
        i: there[key]
        for key, i in _singles(_readers(old, numbers))
        if key in there and i not in pairs and there[key] not in theirs
    }
    pairs.update(found)


def _readers(side: GraphSide, numbers: Mapping[int, int]) -> Found:
    """Return the calls that read constants with numbers, by what they are and by these."""
    nodes, found = side.graph.nodes, list[tuple[Hashable, int]]()
    for index in side.names:
        if nodes[index].kind == "call":
            makers = (source[0] for source in side.inputs[index])
            read = tuple(numbers.get(k, -1) if k >= 0 and nodes[k].kind == "const" else -2 for k in makers)
            if max(read, default=-1) >= 0:
                found.append(((side.alike(nodes[index]), read), index))
    return found


def _decoded(plain: GraphSide, other: GraphSide) -> dict[int, int]:
    """Return constants of one graph with those of another one that are stored in another type there, as w_compressed: what decodes them
    has the name that the constant has here."""
    nodes, found = other.graph.nodes, dict[int, int]()
    there = {str(name): index for name, index in _unique(other, ()) if nodes[index].kind == "call"}
    for name, index in _unique(plain, ()):
        call = there.get(str(name))
        if plain.graph.nodes[index].kind == "const" and call is not None:
            read = [source[0] for source in other.inputs[call] if source[0] >= 0]
            stored = [k for k in read if nodes[k].kind == "const" and other.names[k].startswith(str(name))]
            if len(stored) == 1 and _elements(plain, index) == _elements(other, stored[0]):
                found[index] = stored[0]
    return found


def _decodes(side: GraphSide, index: int) -> bool:
    """Return whether a constant is only a scale or a zero point by which others are decoded."""
    nodes = side.graph.nodes
    reading = side.readers[index] if nodes[index].kind == "const" else []
    first = [side.inputs[reader][0][0] for reader, position in reading if position]
    return bool(reading) and len(first) == len(reading) and all(k >= 0 and nodes[k].kind == "const" for k in first)


def _by_beginnings(pairs: dict[int, int], old: GraphSide, new: GraphSide) -> None:
    """Pair constants of which the name of one is how that of the other begins: w, and w_compressed or w/scaled."""
    a, b = (
        {name: index for name, index in _unique(side, done) if _is_meant(side, name, index)}
        for side, done in ((old, pairs), (new, pairs.values()))
    )
    paired = set(pairs.values())
    for longer, shorter, is_old in ((a, b, True), (b, a, False)):
        for name, index in longer.items():
            found = next((shorter[one] for one in _beginnings(str(name)) if one in shorter), None)
            if found is not None:
                i, j = (index, found) if is_old else (found, index)
                if i not in pairs and j not in paired and _elements(old, i) == _elements(new, j):
                    pairs[i] = j
                    paired.add(j)


def _elements(side: GraphSide, index: int) -> int | None:
    """Return how many elements a constant has; None if that is not known."""
    shape = next((value.type.shape for value in side.graph.nodes[index].outputs), None)
    return None if shape is None else prod(dim for dim in shape if isinstance(dim, int))


def _is_meant(side: GraphSide, name: Hashable, index: int) -> bool:
    return side.graph.nodes[index].kind == "const" and not _COUNTED.search(str(name))


def _beginnings(name: str) -> Iterator[str]:
    at = len(name)
    for _ in range(_PARTS):
        at = max(name.rfind(sign, 0, at) for sign in "_/.")
        if at <= 0:
            return
        yield name[:at]


def _meant(a: Found, b: Found, old: GraphSide, new: GraphSide) -> tuple[Found, Found]:
    """Return named nodes without those whose names end with a number that a program counted, unless both files were counted alike:
    then most of these names are in both, and mean nodes that are alike."""
    there = dict(b)
    counted = [(name, index) for name, index in a if _COUNTED.search(str(name))]
    common = [(index, there[name]) for name, index in counted if name in there]
    alike = sum(old.alike(old.graph.nodes[i]) == new.alike(new.graph.nodes[j]) for i, j in common)
    fewer = min(len(counted), sum(_COUNTED.search(str(name)) is not None for name in there))
    kinds = {name: old.graph.nodes[index].kind for name, index in a}
    b = [(name, index) for name, index in b if kinds.get(name) == new.graph.nodes[index].kind]
    if 2 * alike >= fewer and 10 * alike >= 9 * len(common):
        return a, b
    return _uncounted(a), _uncounted(b)


def _uncounted(named: Found) -> Found:
    return [one for one in named if not _COUNTED.search(str(one[0]))]


def _by_structure(
    pairs: dict[int, int], old: GraphSide, new: GraphSide, keys: Sequence[str] = ("same", "alike", "any")
) -> None:
    around = (_above, _below, _beside, _above, _below)
    for key in keys:
        for only_unique in (True, False):
            for towards in around if key != "any" else () if only_unique else (_beside,):
                _by_place(pairs, old, new, key, towards, only_unique)


def _by_place(
    pairs: dict[int, int], old: GraphSide, new: GraphSide, key: str, towards: Callable[..., Found], only_unique: bool
) -> None:
    """Pair nodes that are the same by `key` in the same places, seen in one direction."""
    tokens: dict[Hashable, int] = {}
    known = {index: number for number, index in enumerate(pairs)}
    known_new = {pairs[index]: number for index, number in known.items()}
    calls = key == "same" and towards is _above
    a = towards(old, known, getattr(old, key), tokens, calls)
    b = towards(new, known_new, getattr(new, key), tokens, calls)
    if only_unique:
        a, b = _singles(a), _singles(b)
    _pair(pairs, a, b)


def _singles(found: Found) -> Found:
    often = Counter(key for key, _ in found)
    return [(key, index) for key, index in found if often[key] == 1]


def _unique(side: GraphSide, paired: Iterable[int]) -> Found:
    often, done = Counter(side.names.values()), set(paired)
    return [(name, index) for index, name in side.names.items() if name and often[name] == 1 and index not in done]


def _pair(pairs: dict[int, int], old: Iterable[tuple[Hashable, int]], new: Iterable[tuple[Hashable, int]]) -> None:
    """Pair nodes with equal keys in order."""
    waiting: dict[Hashable, deque[int]] = {}
    for key, index in old:
        waiting.setdefault(key, deque()).append(index)
    for key, index in new:
        if waiting.get(key):
            pairs[waiting[key].popleft()] = index


def _number(tokens: dict[Hashable, int], key: Hashable) -> int:
    """One number for equal keys; pairs made before have numbers from 0, these count down from -2."""
    return tokens.setdefault(key, -2 - len(tokens))


def _above(side: GraphSide, known: dict[int, int], key: Key, tokens: dict[Hashable, int], calls: bool) -> Found:
    """Return keys of nodes by their operators and inputs, recursively."""
    nodes, token = side.graph.nodes, dict(known)
    found: Found = []
    for index in side.order:
        if index not in known:
            node = nodes[index]
            sources = tuple((token.get(source[0], -1), source[1]) for source in side.inputs[index])
            token[index] = _number(tokens, (key(node), sources))
            if not calls or node.kind == "call":
                found.append((token[index], index))
    return found


def _below(side: GraphSide, known: dict[int, int], key: Key, tokens: dict[Hashable, int], calls: bool) -> Found:
    """Return keys of nodes by their operators and users, recursively from the end."""
    token = dict(known)
    found: Found = []
    for index in reversed(side.order):
        if index not in known:
            readers = tuple(sorted((token.get(reader, -1), position) for reader, position in side.readers[index]))
            token[index] = _number(tokens, (key(side.graph.nodes[index]), readers))
            found.append((token[index], index))
    return found


def _beside(side: GraphSide, known: dict[int, int], key: Key, tokens: dict[Hashable, int], calls: bool) -> Found:
    """Return keys of nodes by their operators and paired neighbors."""
    found: Found = []
    for index in side.order:
        if index not in known:
            inputs: Sequence[tuple[int, int]] = side.inputs[index]
            around = (
                tuple((known[s[0]], k) for k, s in enumerate(inputs) if s[0] in known),
                tuple(sorted((known[reader], k) for reader, k in side.readers[index] if reader in known)),
            )
            if any(around):
                found.append((_number(tokens, (key(side.graph.nodes[index]), around)), index))
    return found
