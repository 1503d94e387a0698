"""Facts of a model by which models are counted and compared: who wrote it, how large it is, hashes of graph and weights.

Neither hash depends on names or on the order of a file. Everything is linear, and no file but the model's own is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b, sha256
from marshal import dumps
from operator import itemgetter
from typing import Any

from irlint.formats.base import by_name
from irlint.formats.identity import DEFAULT, Identity
from irlint.graph import Graph, Node, Type
from irlint.rules.base import Model
from irlint.text.safe import brief, unicode_only

_SIZE = 16  # bytes of a hash
_LONGEST = 200  # characters of a producer
_NOWHERE, _UNSEEN = -2, -1
_PLAIN = 0  # marshal's format in which equal values are equal bytes: no references, nothing of how a string is kept


def facts_of(model: Model, beside: Iterable[tuple[int, str | None]] = ()) -> dict[str, Any]:
    """Return the facts as JSON values. `beside` are the sizes and ETags of the files next to the model that were looked at."""
    format_ = by_name(model.format)
    identity = DEFAULT if format_ is None else format_.identity()
    origin = identity.origin(model)
    side_files = list(beside)
    weights, embedded = _weights(model, identity, side_files)
    side_size = sum(size for size, _ in side_files)
    return {
        "format": model.format,
        "dialect": model.dialect,
        "producer": _line(origin.producer),
        "opset": _line(origin.opset),
        "nodes": sum(node.kind == "call" for graph in model.graph.walk() for node in graph.nodes),
        "side_size": side_size,
        "weights_size": embedded + side_size,
        "graph": structure(model, model.graph),
        "weights": weights,
    }


def _line(text: str | None) -> str | None:
    return None if text is None else unicode_only(brief(text, _LONGEST))


def _weights(model: Model, identity: Identity, beside: Iterable[tuple[int, str | None]]) -> tuple[str | None, int]:
    """Return a hash of all values, and how many bytes of them the file itself has; None if there is not a byte, or a file next
    to it has no ETag. What is empty does not count: all empty files are equal.
    """
    found, total, known = [], 0, True
    for data in filter(len, identity.values(model)):
        found.append(sha256(data).digest())
        total += len(data)
    for size, etag in beside:
        if not size:
            continue
        found.append(sha256(f"{size} {etag}".encode("utf-8", "surrogatepass")).digest())
        known &= etag is not None
    found.sort()
    return (sha256(b"".join(found)).hexdigest()[: 2 * _SIZE] if found and known else None), total


def structure(model: Model, outermost: Graph) -> str | None:
    """Return a hash of operators, attributes, wiring and types of inputs of a graph; None for one without nodes."""
    if not outermost.nodes:
        return None
    format_ = by_name(model.format)
    identity = DEFAULT if format_ is None else format_.identity()
    digests: dict[int, str] = {}  # of nested graphs, by identity
    try:
        for graph in reversed(outermost.walk()):
            written = _written(graph, _Labels(model, identity, digests))
            digests[id(graph)] = blake2b(written, digest_size=_SIZE).hexdigest()
    except (ValueError, RecursionError):  # attributes that are nested too deeply to be written
        return None
    return digests[id(outermost)]


class _Labels:
    """What the nodes of a graph are besides their inputs: numbers for operators with the names of their attributes, and values."""

    def __init__(self, model: Model, identity: Identity, digests: Mapping[int, str]) -> None:
        self._identity, self._model, self._digests = identity, model, digests
        self._forms: dict[tuple[Any, ...], tuple[int, Callable[[dict[str, Any]], Any] | None]] = {}
        self._types: dict[Type, tuple[Any, ...]] = {}
        self._words: dict[tuple[str, ...], int] = {}
        self._values: list[Any] = []

    def add(self, node: Node) -> int:
        """Add a node; return its number, which it shares with others."""
        kind, attrs, values = node.kind, node.attrs, self._values
        key = (kind, node.op, node.version, *attrs)
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = self._form(node)
        number, pick = form
        if pick is not None:
            values.append(pick(attrs))
        if kind != "call" and node.outputs:
            values.append(self._type(node.outputs[0].type))
        if node.graphs and not any(isinstance(value, Graph) for value in attrs.values()):
            values.append([self._digests[id(graph)] for graph in node.graphs])
        return number

    def _form(self, node: Node) -> tuple[int, Callable[[dict[str, Any]], Any] | None]:
        kind, identity = node.kind, self._identity
        operator = self._model.operator(node) if kind == "call" else None
        # a constant is one whether the file has an operator for it or not
        op = "" if kind == "const" else node.op if operator is None else operator.name
        by_type = kind == "const" and identity.constants_have_types
        keys = [] if by_type else sorted(key for key in node.attrs if identity.is_stable(key))
        word = (kind, op, node.version or "", *keys)
        return self._words.setdefault(word, len(self._words)), itemgetter(*keys) if keys else None

    def _type(self, type_: Type) -> tuple[Any, ...]:
        """Return a type without the names of its dimensions."""
        found = self._types.get(type_)
        if found is None:
            dtype, shape = type_
            plain = shape and tuple("?" if isinstance(dim, str) else dim for dim in shape)
            found = self._types[type_] = dtype, plain
        return found

    def written(self, wiring: list[int]) -> bytes:
        """Return everything as bytes, the same in every process."""
        words = list(self._words)
        try:
            return dumps([words, self._values, wiring], _PLAIN)
        except ValueError:  # a value that is not of Python's own types
            return dumps([words, [self._plain(value) for value in self._values], wiring], _PLAIN)

    def _plain(self, value: Any) -> Any:
        return tuple(map(self._plain_attribute, value)) if type(value) is tuple else self._plain_attribute(value)

    def _plain_attribute(self, value: Any) -> Any:
        return self._digests[id(value)] if isinstance(value, Graph) else self._identity.plain(value)


def _written(graph: Graph, labels: _Labels) -> bytes:
    """Return what a graph is. Its nodes are numbered as they are met on the way up from the outputs."""
    nodes, add = graph.nodes, labels.add
    order, numbers = _numbered(graph)
    wiring: list[int] = []
    for index in order:
        node = nodes[index]
        sources = node.inputs
        wiring += (add(node), len(sources))
        for source in sources:
            wiring += (numbers[source[0]], source[1])
    for source in graph.outputs:
        wiring += (numbers[source[0]], source[1])
    wiring.append(len(graph.outputs))
    wiring += [numbers[index] for index in graph.inputs]
    return labels.written(wiring)


def _numbered(graph: Graph) -> tuple[list[int], list[int]]:
    """Return the nodes in the order in which they are met, and their numbers in it; the last number is for no node."""
    nodes = graph.nodes
    numbers = [_UNSEEN] * len(nodes)
    numbers.append(_NOWHERE)
    order: list[int] = []

    def meet(starts: Iterable[int]) -> None:
        for start in starts:
            stack = [start]
            while stack:
                index = stack.pop()
                if numbers[index] == _UNSEEN:
                    numbers[index] = len(order)
                    order.append(index)
                    stack += [source[0] for source in reversed(nodes[index].inputs)]

    meet(source[0] for source in graph.outputs)
    meet(graph.inputs)
    if len(order) < len(nodes):  # what leads to no output: in file order, from the calls that nobody reads
        read = {source[0] for node in nodes for source in node.inputs}
        meet(index for index in range(len(nodes)) if index not in read)
        meet(range(len(nodes)))
    return order, numbers
