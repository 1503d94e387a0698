"""The outermost graph of one version of a model without nodes that do nothing, and with the values of its constants."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from typing import Any

from irlint.dryrun.infer import Inference
from irlint.dryrun.lazy import np
from irlint.graph import Node, Source
from irlint.inspection.review.constant_values import ConstantValues
from irlint.inspection.review.form import Form, FormGraph
from irlint.inspection.review.reduced import Body
from irlint.inspection.review.roles import SAME
from irlint.inspection.types import type_lookup
from irlint.rules.base import Model

_LARGE = 1 << 16  # elements of constants of which only a digest is kept
_CASTS = ("cast", "cast_like")


class FoldedGraph(FormGraph):
    """The outermost graph of one version."""

    def __init__(self, model: Model) -> None:
        super().__init__(Form(model, weights=True), Body(model.graph))
        self.model, self.type_of = model, type_lookup(model)
        self.parts: dict[
            int, int
        ] = {}  # nodes that scale the result of a layer, which is all of them in the other version
        self.values: dict[Source, Any] = {}
        self.numbers: dict[int, int] = {}
        self._origins: dict[Source, Source] = {}

    def has(self, other: FoldedGraph, index: int) -> bool:
        """Return whether a node of the other version is computed here, too, whatever its name."""
        return other.numbers.get(index) in self._numbers

    @cached_property
    def _numbers(self) -> set[int]:
        return set(self.numbers.values())

    def origin(self, source: Source) -> Source:
        """Return where a value comes from, before nodes that do not change it."""
        way: dict[Source, None] = {}
        while source not in self._origins:
            way[source] = None
            before = self._before(source)
            if before is None or before in way:  # nodes on a cycle
                self._origins[source] = source
            else:
                source = before
        found = self._origins[source]
        self._origins.update(dict.fromkeys(way, found))
        return found

    def _before(self, source: Source) -> Source | None:
        """Return the same value, as a node before has it; None if there is none."""
        if source[0] < 0:
            return None
        if (layer := self.parts.get(source[0])) is not None:
            return Source(layer)
        return Source(*self.graph.nodes[source[0]].inputs[0]) if self.is_idle(source[0]) and not source[1] else None

    def is_idle(self, index: int) -> bool:
        """Return whether a node outputs what it reads."""
        node = self.graph.nodes[index]
        op = self.form.names.of(node) if node.kind == "call" else ""
        if op not in SAME or not node.inputs or node.inputs[0][0] < 0 or len(node.inputs) > 2:
            return False
        return (
            op not in _CASTS or self.type(Source(*node.inputs[0])).dtype == self.type(Source(index)).dtype is not None
        )

    def type(self, source: Source) -> Any:
        return self.type_of(self.graph, self.graph.nodes[source[0]], source[1])

    @cached_property
    def fed(self) -> set[int]:
        """The nodes that depend on an input."""
        users, stack = self.graph.consumers(), list(self.reduced.inputs)
        found = set(stack)
        while stack:
            new = [user for user in users[stack.pop()] if user not in found]
            found.update(new)
            stack += new
        return found

    def absorb(self, layers: Iterable[int]) -> None:
        """Take what scales the results of layers for a part of them."""
        self.parts = {node: layer for layer in layers for node in self.reduced.chains.get(layer, ())}

    def sources(self, node: Node, is_layer: bool) -> list[Source]:
        """Return where what a node reads comes from; `is_layer`: without its weights."""
        found = [self.origin(Source(*source)) for source in node.inputs]
        return [source for source in found if source[0] in self.fed] if is_layer else found

    def read_all(self) -> None:
        """Compute what nodes read that depend on an input."""
        nodes = (self.graph.nodes[index] for index in self.fed)
        self._read({source for node in nodes for source in self.sources(node, False) if source[0] >= 0})

    def _read(self, wanted: Iterable[Source]) -> None:
        """Compute constants, and take what inference knows of values that depend on inputs."""
        types = self.model.types
        constants = set()
        for source in wanted:
            if source[0] not in self.fed:
                constants.add(source)
            elif isinstance(types, Inference):
                outputs = types.outputs(self.graph, self.graph.nodes[source[0]])
                value = outputs[source[1]].value if source[1] < len(outputs) else None
                if value is not None and all(isinstance(one, int) for one in value):
                    shape = outputs[source[1]].shape or ()
                    self.values[source] = np.asarray(value, np.int64).reshape(() if shape == () else -1)
        if constants and self.form.mapping is not None:
            with suppress(RecursionError):
                ConstantValues(self.model, self.reduced, self.form.mapping).show(constants, self._keep)

    def _keep(self, source: Source, array: Any) -> None:
        known = array.dtype.kind in "biuf" and array.size <= _LARGE
        self.values[source] = array if known else (array.shape, blake2b(array.tobytes()).digest())

    def value(self, source: Source) -> Hashable:
        """Return the numbers of a constant, or what stands for them; None if they are not known."""
        found = self.values.get(source)
        if found is None or isinstance(found, tuple):
            return found
        whole = found.astype(np.int64) if found.dtype.kind in "biu" else found
        return whole.shape, whole.dtype.name, whole.tobytes()
