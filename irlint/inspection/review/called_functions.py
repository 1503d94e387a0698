"""What calls of a file's own functions compute: a hash of the function's body with the attributes of the call, whatever it is called."""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b
from typing import Any

from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.weights import values
from irlint.graph import Graph, Node
from irlint.inspection.identity import structure
from irlint.rules.base import Model

_MOST = 1000  # bodies that one call leads to
_SIZE = 16  # bytes of a hash


class CalledFunctions:
    """The functions of one model."""

    def __init__(self, model: Model, mapping: Mapping | None) -> None:
        self._model, self._nesting = model, mapping
        self._mapping = mapping if model.functions else None
        self._known: dict[int, str | None] = {}

    def digest(self, graph: Graph, node: Node) -> str | None:
        """Return a hash of the function that a node calls; None if it calls none, or one that leads to too many others."""
        body = self._body(graph, node)
        if body is None:
            return None
        if id(body) not in self._known:
            self._known[id(body)] = self._hash(body)
        return self._known[id(body)]

    def wiring(self, graph: Graph, node: Node) -> Hashable:
        """Return how a node is connected with its graphs, where the file says that apart from their order."""
        call = self._nesting.sound_call(graph, node) if node.graphs and self._nesting is not None else None
        return None if call is None else tuple(body.wiring() for body in call.attrs.get("bodies", ()))

    def number(self, graph: Graph, node: Node) -> int | None:
        """Return which of the file's functions a node calls."""
        body = self._body(graph, node)
        own = (k for k, one in enumerate(self._model.functions) if body is not None and one.locate is body.locate)
        return next(own, None)

    def _body(self, graph: Graph, node: Node) -> Graph | None:
        if self._mapping is None or node.kind != "call" or node.graphs:
            return None
        call = self._mapping.sound_call(graph, node)
        parts: Any = call.attrs.get("parts", ()) if call is not None and call.operator.nested else ()
        return next((part.graph for part in parts if part is not None), None)

    def _hash(self, body: Graph) -> str | None:
        found, seen, left = blake2b(digest_size=_SIZE), {id(body)}, [body]
        while left:
            outermost = left.pop()
            found.update(str(structure(self._model, outermost)).encode())
            for graph in outermost.walk():
                for node in graph.nodes:
                    if node.kind == "const" and (array := values(self._mapping, node)) is not None:
                        found.update(f"{array.dtype}{array.shape}".encode() + array.tobytes())
                    inner = self._body(graph, node)
                    if inner is not None and id(inner) not in seen:
                        seen.add(id(inner))
                        left.append(inner)
            if len(seen) > _MOST:
                return None
        return found.hexdigest()
