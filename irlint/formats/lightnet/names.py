"""Names of operators and tensors: what is defined twice, and what nothing defines."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import cached_property

from irlint.checks.fault import writing
from irlint.checks.problems import duplicate_definition, undefined_reference
from irlint.findings import Problem
from irlint.formats.lightnet.rules import R
from irlint.graph import Graph, Node, Source, label
from irlint.operators import nearest
from irlint.text.base import Place
from irlint.tools.names import FreeNames

_PLAIN = re.compile(r"[\w.:/-]*\w")

Readers = list[tuple[int, int]]  # operators that read a tensor, and which of their inputs

GUESSES = 20  # names for which a likely one is looked for
MANY = 2000  # tensors from which on only unread ones are proposed


class TensorNames:
    """Filled by the reader, operator by operator; what is open until then is resolved in the end."""

    def __init__(self, graph: Graph, tolerant: bool) -> None:
        self.graph = graph
        self.tolerant = tolerant  # definitions may be missing because the file cannot be read in full
        self.defined: dict[str, Source] = {}  # tensors by name; of equal ones the first
        self.operators: dict[str, int] = {}  # operators by name; of equal ones the first
        self.unresolved: list[tuple[int, int, str]] = []  # (operator, input, name) that nothing above defines
        self.repeated: list[tuple[int, int, str]] = []  # (operator, output, name) that is defined already
        self.twins: list[int] = []  # operators whose name another one has
        self._free_operators = FreeNames(others=self.operators)
        self._free_tensors = FreeNames(others=self.defined)
        self.incomplete = False  # some input reads a name that does not exist

    def problems(self) -> Iterator[Problem]:
        twins = set(self.twins)
        for index in self.twins:
            yield self._operator_twice(index)
        undefined = self._resolve()
        orphans = deque(undefined)  # in the order in which they are first read
        for index, output, name in self.repeated:
            first, second = self.defined[name], Source(index, output)
            if index in twins and self.graph.nodes[first.node].name == self.graph.nodes[index].name:
                continue  # the whole operator is a duplicate
            early = []  # what is read before this definition
            while orphans and undefined[orphans[0]][0][0] <= index:
                early.append(orphans.popleft())
            if len(early) == 1 and self._is_first_misnamed(first, index, undefined[early[0]]):
                yield self._first_misnamed(second, first, early[0])
                self._adopt(self._readers.get(first, []), second)
                self._adopt(undefined.pop(early[0]), first)
                self.defined[name] = second
                continue
            meant = orphans.popleft() if orphans else None  # the definition that is missing may be this one
            yield self._tensor_twice(second, first, meant)
            if meant is not None:
                self._adopt(undefined.pop(meant), second)
        self.incomplete = bool(self.unresolved or self.repeated)
        if not self.tolerant:
            yield from self._undefined(undefined)

    def _resolve(self) -> dict[str, Readers]:
        """Inputs that an operator further down defines get their source; the rest is given back, by name."""
        undefined: dict[str, Readers] = {}
        for index, k, name in self.unresolved:
            if (source := self.defined.get(name)) is not None:
                self._adopt([(index, k)], source)
            else:
                undefined.setdefault(name, []).append((index, k))
        return undefined

    @cached_property
    def _readers(self) -> dict[Source, Readers]:
        """Who reads what, as the file has it."""
        found: dict[Source, Readers] = {}
        for node in self.graph.nodes:
            for k, source in enumerate(node.inputs):
                found.setdefault(Source(*source), []).append((node.index, k))
        return found

    def _is_first_misnamed(self, first: Source, second: int, orphan: Readers) -> bool:
        """Return whether the first of two definitions of a name is the one meant for an undefined name."""
        readers = self._readers.get(first, [])
        return first.node < min(second, orphan[0][0]) and all(reader > second for reader, _ in readers)

    def _adopt(self, readers: Readers, source: Source) -> None:
        for index, k in readers:
            node = self.graph.nodes[index]
            node.inputs = [*node.inputs[:k], source, *node.inputs[k + 1 :]]

    def _writer(self, source: Source) -> tuple[Node, Place, str]:
        """Return the operator that defines a tensor, where, and the tensor's name."""
        node = self.graph.nodes[source.node]
        return node, self.graph.place(node, f"output:{source.output}"), node.outputs[source.output].name or ""

    def _inputs(self, readers: Readers) -> list[tuple[Node, Place]]:
        """Return the first of some readers, each with the place of the input."""
        return [(self.graph.nodes[at], self.graph.place(at, f"input:{k}")) for at, k in readers[:8]]

    def _operator_twice(self, index: int) -> Problem:
        node = self.graph.nodes[index]
        first = self.graph.nodes[self.operators[node.name]]
        message = f"duplicate operator name {node.name!r} ({first.op} and {node.op}); LightNet aborts"
        place = self.graph.place(node, "name")
        new = self._free_operators.like(node.name)
        return duplicate_definition(place, message, self.graph.place(first, "name"), node.name, writing(place, new))

    def _tensor_twice(self, second: Source, first: Source, meant: str | None) -> Problem:
        node, place, name = self._writer(second)
        writer, at, _ = self._writer(first)
        message = f"duplicate tensor name {name!r} for outputs of {label(writer)} and {label(node)}"
        if writer is node:
            message = f"duplicate output tensor {name!r} of {label(node)}"
        message += _hint(meant)
        fix = writing(place, meant or self._free_tensors.like(name))
        return duplicate_definition(place, message, at, node.name, fix)

    def _first_misnamed(self, second: Source, first: Source, meant: str) -> Problem:
        node, place, name = self._writer(first)
        other, at, _ = self._writer(second)
        message = f"duplicate tensor name {name!r} for outputs of {label(node)} and {label(other)}{_hint(meant)}"
        related = [("also defined here", at)]
        return Problem(R.duplicate_definition, place, message, node.name, writing(place, meant), related)

    def _undefined(self, undefined: dict[str, Readers]) -> Iterator[Problem]:
        """Report names that nothing defines; of very many, only the first get a suggestion."""
        unread = self._unread() if undefined else {}
        for number, (name, readers) in enumerate(undefined.items()):
            if number < GUESSES:
                above = {tensor: source for tensor, source in unread.items() if source.node < readers[0][0]}
                only = next(iter(above)) if len(undefined) == len(above) == 1 else None
                yield self._explained(name, readers, above, only)
            else:
                yield self._undefined_tensor(name, readers, None, [])

    def _explained(self, name: str, readers: Readers, unread: dict[str, Source], only: str | None) -> Problem:
        """Return the problem of an undefined name. `only`: the one tensor without a reader, if no other name is undefined."""
        misnamed = nearest(name, list(unread))
        if misnamed is None and only is not None and not _PLAIN.fullmatch(only):
            misnamed = only
        if misnamed is None:
            known = self.defined.items() if len(self.defined) <= MANY else ()
            likely = [tensor for tensor, source in known if source.node < readers[0][0]]
            return self._undefined_tensor(name, readers, None if only is None else unread[only], likely)
        if self._is_definition_wrong(name, misnamed, len(readers)):
            return self._misnamed_output(name, unread[misnamed], readers)
        return self._undefined_tensor(name, readers, unread[misnamed], [misnamed])

    def _undefined_tensor(self, name: str, readers: Readers, unread: Source | None, known: list[str]) -> Problem:
        """Return the problem of an undefined name. `unread`: what may be meant; `known`: names among which the meant one is looked for."""
        index, k = readers[0]
        node = self.graph.nodes[index]
        place = self.graph.place(node, f"input:{k}")
        problem = undefined_reference(place, label(node), "tensor", name, known, node.name)
        problem.related = [(f"also used by {label(other)}", at) for other, at in self._inputs(readers[1:])]
        if unread is not None:
            writer, at, tensor = self._writer(unread)
            problem.related = [*problem.related, (f"unused output {tensor!r} of {label(writer)}", at)]
        return problem

    def _unread(self) -> dict[str, Source]:
        """Return tensors that nothing uses."""
        read = {source for node in self.graph.nodes for source in node.inputs}
        return {name: source for name, source in self.defined.items() if source not in read}

    def _is_definition_wrong(self, read: str, written: str, readers: int) -> bool:
        """Return whether the name of the output, not that of the input, is misspelled."""
        if readers > 1:
            return True
        words = [node.name for node in self.graph.nodes]
        words += [value for node in self.graph.nodes for value in node.attrs.values() if isinstance(value, str)]
        return self._regularity(read, words) > self._regularity(written, words)

    def _regularity(self, name: str, words: list[str]) -> tuple[bool, bool, int]:
        """Return how well a name fits the others in the file, by characters, letter case and where it is mentioned."""
        capitals = sum(other != other.lower() for other in self.defined if other != name)
        usual = name == name.lower() or capitals * 2 > len(self.defined)
        part = re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])")
        return _PLAIN.fullmatch(name) is not None, usual, sum(part.search(word) is not None for word in words)

    def _misnamed_output(self, read: str, source: Source, readers: Readers) -> Problem:
        writer, place, written = self._writer(source)
        who = (
            f"{len(readers)} inputs" if len(readers) > 1 else f"the inputs of {label(self.graph.nodes[readers[0][0]])}"
        )
        message = (
            f"unused output {written!r} of {label(writer)}, but undefined {read!r} in {who}; did you mean {read!r}?"
        )
        related = [(f"{read!r} used here", at) for _, at in self._inputs(readers)]
        return Problem(R.undefined_reference, place, message, writer.name, writing(place, read), related)


def _hint(meant: str | None) -> str:
    return f"; did you mean {meant!r}, which is undefined?" if meant is not None else ""
