"""What calls of a file's own functions compute: a hash of the function's body with the attributes of the call, whatever it is called."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from hashlib import blake2b
from typing import Any

from irlint.dryrun.mapping import Mapping
from irlint.dryrun.running.weights import values
from irlint.graph import Graph, Node
from irlint.inspection.identity import structure
from irlint.rules.base import Model

_MOST, _MOST_IN_ALL = 1000, 100_000  # bodies that one call leads to, and all do
_SIZE = 16  # bytes of a hash
_ENDLESS = 1 << 40  # operators


class CalledFunctions:
    """The functions of one model."""

    def __init__(self, model: Model, mapping: Mapping | None) -> None:
        self._model, self._nesting = model, mapping
        self._mapping = mapping if model.functions else None
        self._known: dict[int, str | None] = {}
        self._own: dict[int, tuple[bytes, list[Graph]]] = {}
        self._operators: dict[int, int] = {}
        self._left = _MOST_IN_ALL

    def digest(self, graph: Graph, node: Node) -> str | None:
        """Return a hash of the function that a node calls; None if it calls none, or one that leads to too many others."""
        body = self._body(graph, node)
        if body is None:
            return None
        if id(body) not in self._known:
            self._known[id(body)] = self._hash(body)
        return self._known[id(body)]

    def operators(self, graph: Graph, node: Node) -> int:
        """Return about how many operators run for a node: those of the function that it calls, and of those that are called there."""
        body = self._body(graph, node)
        stack = [] if body is None or id(body) in self._operators else [(body, iter(self._own_hash(body)[1]))]
        while stack:
            last, left = stack[-1]
            self._operators.setdefault(id(last), 1)  # of a function that calls itself
            if (inner := next((one for one in left if id(one) not in self._operators), None)) is not None:
                stack.append((inner, iter(self._own_hash(inner)[1])))
                continue
            stack.pop()
            count = len(last.nodes) + sum(self._operators[id(one)] for one in self._own_hash(last)[1])
            self._operators[id(last)] = min(count, _ENDLESS)
        return 1 if body is None else self._operators[id(body)]

    def wiring(self, graph: Graph, node: Node) -> Hashable:
        """Return how a node is connected with its graphs, where the file says that apart from their order."""
        call = self._nesting.sound_call(graph, node) if node.graphs and self._nesting is not None else None
        return None if call is None else tuple(body.wiring() for body in call.attrs.get("bodies", ()))

    def number(self, graph: Graph, node: Node) -> int | None:
        """Return which of the file's functions a node calls."""
        body = self._body(graph, node)
        return None if body is None else self._numbers.get(id(body.locate))

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(one.locate): k for k, one in enumerate(self._model.functions)}  # a body has that of its function

    def _body(self, graph: Graph, node: Node) -> Graph | None:
        if self._mapping is None or node.kind != "call" or node.graphs:
            return None
        call = self._mapping.sound_call(graph, node)
        parts: Any = call.attrs.get("parts", ()) if call is not None and call.operator.nested else ()
        return next((part.graph for part in parts if part is not None), None)

    def _hash(self, body: Graph) -> str | None:
        """Return a hash of a body and of all that it leads to."""
        found, seen, left = blake2b(digest_size=_SIZE), {id(body)}, [body]
        while left and len(seen) <= _MOST and self._left > 0:
            self._left -= 1
            digest, inner = self._own_hash(left.pop())
            found.update(digest)
            new = {id(one): one for one in inner if id(one) not in seen}
            seen.update(new)
            left += new.values()
        return None if left else found.hexdigest()

    def _own_hash(self, body: Graph) -> tuple[bytes, list[Graph]]:
        """Return a hash of a body by itself, and the bodies that its nodes call."""
        if (known := self._own.get(id(body))) is None:
            found, inner = blake2b(str(structure(self._model, body)).encode(), digest_size=_SIZE), list[Graph]()
            for graph in body.walk():
                for node in graph.nodes:
                    if node.kind == "const" and (array := values(self._mapping, node)) is not None:
                        found.update(f"{array.dtype}{array.shape}".encode() + array.tobytes())
                    if (called := self._body(graph, node)) is not None:
                        inner.append(called)
            known = self._own[id(body)] = found.digest(), inner
        return known
