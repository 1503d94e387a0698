"""A constant with a wrong element, or an input of a wrong element type: with another one, everything that is wrong fits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from irlint.codes import R
from irlint.dryrun.differing import differing, differs
from irlint.dryrun.infer import Inference, NodeShapeError, infer
from irlint.dryrun.mapping import Mapping
from irlint.dryrun.tensor import Entries, Tensor, small, taken
from irlint.dryrun.trial import tried
from irlint.graph import Graph, Node, above
from irlint.records import NamedTuple

_NODES = 6_000  # limit of the search: nodes inferred in all trials
_ELEMENTS = 8  # of a constant
_SIZES = 24  # numbers that an element may have been
_SHOWN = 3  # errors and declared types that one leaf explains
_FIRST = 4  # values that differ first, of which the sizes are taken


class WrongLeaf(NamedTuple):
    """A constant or an input, and what fits: other elements, or another type."""

    node: Node
    value: Entries | None
    type: Tensor | None
    user: Node
    k: int  # the input of the user


class LeafSearch:
    """The search in one graph; `differ` are the nodes whose declared types differ, the first of which follow from no others."""

    def __init__(
        self, graph: Graph, mapping: Mapping, broken: Collection[int], found: Inference, mistakes: list[NodeShapeError]
    ) -> None:
        self.graph, self.mapping, self.broken, self.found = graph, mapping, broken, found
        self.types = found.types[id(graph)]
        self.mistakes = sorted(mistakes, key=lambda mistake: mistake.node.index)
        self.differ = differing(graph, self.types) if mapping.declares_outputs else set()
        self.firsts = list(self._first())
        self.is_sure = False  # whether there is one, and it is not what the only error is at
        self.tries = _NODES // max(len(graph.nodes), 1)

    def _first(self) -> Iterator[int]:
        """Yield the nodes whose declared types differ though those before them are as declared."""
        wrong = bytearray(len(self.graph.nodes))
        for node in self.graph.nodes if self.differ else ():
            follows = any(0 <= source < node.index and wrong[source] for source, _ in node.inputs)
            wrong[node.index] = follows or node.index in self.differ
            if wrong[node.index] and not follows and node.kind != "var":
                yield node.index

    @cached_property
    def users(self) -> dict[int, list[tuple[Node, int]]]:
        """Return the calls that use each node, and as which of their inputs."""
        found: dict[int, list[tuple[Node, int]]] = {}
        for node in self.graph.nodes:
            for k, source in enumerate(node.inputs):
                found.setdefault(source[0], []).append((node, k))
        return found

    def fits(self, given: dict[int, Tensor]) -> bool:
        """Return whether nothing is wrong with other types of some nodes, as long as there is room for another inference."""
        self.tries -= 1
        if self.tries < 0:
            return False
        again = infer(self.graph, self.mapping, given, self.broken)
        types = again.types[id(self.graph)]
        return not again.all_mistakes() and differing(self.graph, types) <= given.keys()

    def fits_as_declared(self) -> bool:
        """Return whether all that is wrong follows from the nodes whose declared types differ first."""
        return self.fits({k: Tensor(*self.graph.nodes[k].outputs[0].type) for k in self.firsts})

    def leaves(self) -> list[WrongLeaf]:
        """Return the few constants and inputs each of which explains everything; none if there are more, or not all were tried."""
        evidence = {mistake.node.index for mistake in self.mistakes} | self.differ
        if len(evidence) < 2 - bool(self.mistakes) or self.tries < 1:
            return []
        roots = self.firsts or [mistake.node.index for mistake in self.mistakes]
        common = set.intersection(*(above(self.graph, k) for k in roots[:_FIRST]))
        found = list(islice(self._constants(common, roots), _SHOWN + 1))
        if found or self._is_spread() or (len(evidence) > 1 and self._are_of_type()):
            found += islice(self._inputs(common), _SHOWN)
        if len(found) > _SHOWN or self.tries < 0:
            return []
        self.is_sure = len(found) == 1 and not self._is_at_user(found[0], evidence)
        return found

    def _is_at_user(self, leaf: WrongLeaf, evidence: set[int]) -> bool:
        """Return whether an error is at a node that uses a leaf, and the leaf need not be what is wrong: a node between them may be
        missing."""
        is_user = any(user.index in evidence for user, _ in self.users[leaf.node.index])
        return is_user and (leaf.type is not None or len(evidence) == 1)

    def _is_spread(self) -> bool:
        """Return whether several nodes are wrong of which none follows from another."""
        if len(self.firsts) > 1 or not self.mistakes:
            return len(self.firsts) > 1
        return not self.fits_as_declared() if self.firsts else len(self.mistakes) > 1

    def _constants(self, common: set[int], roots: list[int]) -> Iterator[WrongLeaf]:
        """Yield the constants with another value of which everything fits, the nearest first."""
        few = {
            k: tensor for k in sorted(common, reverse=True) if (tensor := self._small(self.graph.nodes[k])) is not None
        }
        unknown = {
            k: Tensor(tensor.dtype, tensor.shape, (None,) * len(tensor.value or ())) for k, tensor in few.items()
        }
        if not few or not (self.firsts or self.fits(unknown)):
            return  # whatever their values are
        for k, tensor in few.items():
            users = self.users.get(k, [])
            is_direct = all(user.index in roots for user, _ in users)
            if users and (is_direct if self.firsts else is_direct or self.fits({k: unknown[k]})):
                value = next(self._values(k, tensor, users, is_direct), None)
                if value is not None:
                    yield WrongLeaf(self.graph.nodes[k], value, None, *users[0])

    def _small(self, node: Node) -> Tensor | None:
        """Return a constant of few integers."""
        tensor = self.types[node.index][0] if node.kind == "const" and self.types[node.index] else None
        value = (
            tensor.value if tensor is not None and tensor.dtype in ("int64", "int32") and small(tensor.shape) else None
        )
        return tensor if value and len(value) <= _ELEMENTS and all(type(entry) is int for entry in value) else None

    def _values(self, at: int, old: Tensor, users: Sequence[tuple[Node, int]], is_direct: bool) -> Iterator[Entries]:
        """Yield other values of a constant with which everything fits: with one other element, or a declared shape."""
        value = old.value or ()

        def is_fitting(entries: Entries) -> bool:
            shape = (len(entries),) if old.rank == 1 else old.shape
            new = Tensor(old.dtype, shape, entries)
            return self._changes(users, new) and self.fits({at: new})

        for n, entry in enumerate(value):
            if is_direct or is_fitting((*value[:n], None, *value[n + 1 :])):
                others = ((*value[:n], number, *value[n + 1 :]) for number in self._numbers(entry, users))
                yield from filter(is_fitting, others)
        if is_direct and old.rank == 1:
            yield from filter(is_fitting, self._declared(value))

    def _changes(self, users: Sequence[tuple[Node, int]], new: Tensor) -> bool:
        """Return whether the users of a constant accept another value, output something else, and what they declare."""
        for user, k in users:
            inputs = taken(self.types, user.inputs)
            inputs[k] = new
            outputs = tried(lambda user=user: self.mapping.call_of(self.graph, user), inputs)  # type: ignore[misc]
            if not outputs or differs(user.outputs[0].type, outputs[0]):
                return False
            before = self.types[user.index][:1]
            if before and before[0].type == outputs[0].type and before[0].value == outputs[0].value:
                return False
        return bool(users)

    def _numbers(self, old: Any, users: Sequence[tuple[Node, int]]) -> Iterator[int]:
        """Yield other numbers for an element: the sizes that are wanted where something is wrong, and those next to it."""
        nodes = [self.graph.nodes[k] for k in self.firsts[:_FIRST]] or [mistake.node for mistake in self.mistakes[:1]]
        values = [value.type for node in (*nodes, *(user for user, _ in users[:1])) for value in node.outputs]
        values += [tensor.type for node in nodes for tensor in taken(self.types, node.inputs)]
        sizes = [size for kind in values for size in kind.shape or () if isinstance(size, int)]
        sizes.sort(key=lambda size: size == 1)  # which broadcasts to any other
        numbers = dict.fromkeys((*_near(old)[:2], *sizes, *_near(old)[2:], *_halves(sizes)))
        yield from islice((number for number in numbers if number != old), _SIZES)

    def _declared(self, old: Entries) -> Iterator[Entries]:
        """Yield the declared shape of what differs first, as the value of a constant that is the shape itself: with what the old one
        leaves open, if that fits."""
        shape = self.graph.nodes[self.firsts[0]].outputs[0].type.shape if self.firsts else None
        if shape is not None:
            sizes = [size if isinstance(size, int) else -1 for size in shape]
            yield tuple([size if k >= len(old) or old[k] > 0 else old[k] for k, size in enumerate(sizes)])
            yield tuple(sizes)

    def _inputs(self, common: set[int]) -> Iterator[WrongLeaf]:
        """Yield the inputs with another type of which everything fits."""
        inputs = (self.graph.nodes[k] for k in sorted(common) if self.graph.nodes[k].kind == "var")
        yield from filter(None, map(self._of_input, inputs))

    def _of_input(self, node: Node) -> WrongLeaf | None:
        """Return an input that should be of another element type, or of another shape."""
        own, users = self.types[node.index][:1], self.users.get(node.index, [])
        if not own or not users:
            return None
        tensors = self._of_other_types(own[0]) if self._are_of_type() else self._of_other_shapes(own[0], users)
        new = next((tensor for tensor in tensors if self.fits({node.index: tensor})), None)
        return None if new is None else WrongLeaf(node, None, new, *users[0])

    def _of_other_types(self, own: Tensor) -> Iterator[Tensor]:
        """Yield an input with the element types that are wanted where something is wrong."""
        wrong = [self.graph.nodes[k] for k in self.firsts[:_FIRST]] or [one.node for one in self.mistakes[:_FIRST]]
        dtypes = [tensor.dtype for user in wrong for tensor in taken(self.types, user.inputs)]
        dtypes += [value.type.dtype for user in wrong for value in user.outputs]
        yield from (Tensor(dtype, own.shape) for dtype in dict.fromkeys(dtypes) if dtype not in (None, own.dtype))

    def _of_other_shapes(self, own: Tensor, users: Sequence[tuple[Node, int]]) -> Iterator[Tensor]:
        """Yield an input with another size, or one more or less, where it fits with any."""
        shape = own.shape or ()
        index = users[0][0].inputs[users[0][1]][0]
        cuts = [(n, n + 1) for n, old in enumerate(shape) if type(old) is int] + [(n, n) for n in range(len(shape) + 1)]
        for start, end in cuts if len(shape) < _ELEMENTS else ():
            head, tail = shape[:start], shape[end:]
            if start < end:
                yield Tensor(own.dtype, (*head, *tail))
            if self.fits({index: Tensor(own.dtype, (*head, None, *tail))}):
                sizes = self._numbers(shape[start] if start < end else None, users)
                yield from (Tensor(own.dtype, (*head, size, *tail)) for size in sizes if size > 0)

    def _are_of_type(self) -> bool:
        """Return whether all that is wrong is about element types."""
        nodes = self.graph.nodes
        about = [bool(self.types[k]) and nodes[k].outputs[0].type.dtype != self.types[k][0].dtype for k in self.differ]
        return all(about) and all(mistake.error.rule == R.dtype_mismatch for mistake in self.mistakes)


def _near(old: Any) -> tuple[int, ...]:
    return (old - 1, old + 1, -1, 0) if type(old) is int else ()


def _halves(sizes: list[int]) -> Iterator[int]:
    for size in sizes:
        yield from (2 * size, size // 2)
