"""Names of operators and tensors: what is defined twice, and what nothing defines."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import cached_property

from irlint.checks.fault import writing
from irlint.checks.problems import duplicate_definition, undefined_reference
from irlint.findings import Problem
from irlint.formats.lightnet.codes import R
from irlint.graph import Graph, Source, label
from irlint.operators import nearest
from irlint.tools.names import FreeNames

_PLAIN = re.compile(r"[\w.:/-]*\w")

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
        self.incomplete = False  # some input reads nothing that there is

    def problems(self) -> Iterator[Problem]:
        twins = set(self.twins)
        for index in self.twins:
            yield self._operator_twice(index)
        undefined = self._resolve()
        orphans = deque(undefined)  # in the order in which they are first read
        for index, output, name in self.repeated:
            first = self.defined[name]
            if index in twins and self.graph.nodes[first.node].name == self.graph.nodes[index].name:
                continue  # the whole operator is there twice
            early = []  # what is read before this definition
            while orphans and undefined[orphans[0]][0][0] <= index:
                early.append(orphans.popleft())
            if len(early) == 1 and self._is_first_misnamed(first, index, undefined[early[0]]):
                yield self._first_misnamed(Source(index, output), first, early[0])
                self._adopt(self._readers.get(first, []), Source(index, output))
                self._adopt(undefined.pop(early[0]), first)
                self.defined[name] = Source(index, output)
                continue
            meant = orphans.popleft() if orphans else None  # the definition that is missing may be this one
            yield self._tensor_twice(index, output, first, meant)
            if meant is not None:
                self._adopt(undefined.pop(meant), Source(index, output))
        self.incomplete = bool(self.unresolved or self.repeated)
        if undefined and not self.tolerant:
            unread = self._unread()
            for number, (name, readers) in enumerate(undefined.items()):
                guess = number < GUESSES
                yield self._undefined(name, readers, unread if guess else {}, guess, len(undefined) == 1)

    def _resolve(self) -> dict[str, list[tuple[int, int]]]:
        """Inputs that an operator further down defines get their source; the rest is given back, by name."""
        undefined: dict[str, list[tuple[int, int]]] = {}
        for index, k, name in self.unresolved:
            if (source := self.defined.get(name)) is not None:
                self._adopt([(index, k)], source)
            else:
                undefined.setdefault(name, []).append((index, k))
        return undefined

    @cached_property
    def _readers(self) -> dict[Source, list[tuple[int, int]]]:
        """Who reads what, as the file has it."""
        found: dict[Source, list[tuple[int, int]]] = {}
        for node in self.graph.nodes:
            for k, source in enumerate(node.inputs):
                found.setdefault(Source(*source), []).append((node.index, k))
        return found

    def _is_first_misnamed(self, first: Source, second: int, orphan: list[tuple[int, int]]) -> bool:
        """Return whether the first of two definitions of a name is the one meant for an undefined name."""
        readers = self._readers.get(first, [])
        return first.node < min(second, orphan[0][0]) and all(reader > second for reader, _ in readers)

    def _adopt(self, readers: list[tuple[int, int]], source: Source) -> None:
        for index, k in readers:
            node = self.graph.nodes[index]
            node.inputs = [*node.inputs[:k], source, *node.inputs[k + 1 :]]

    def _operator_twice(self, index: int) -> Problem:
        node = self.graph.nodes[index]
        first = self.graph.nodes[self.operators[node.name]]
        message = f"duplicate operator name {node.name!r} ({first.op} and {node.op}); LightNet aborts"
        place = self.graph.place(node, "name")
        new = self._free_operators.like(node.name)
        return duplicate_definition(place, message, self.graph.place(first, "name"), node.name, writing(place, new))

    def _tensor_twice(self, index: int, output: int, first: Source, meant: str | None) -> Problem:
        node, place = self.graph.nodes[index], self.graph.place(index, f"output:{output}")
        name = node.outputs[output].name
        assert name is not None
        writer = self.graph.nodes[first.node]
        if first.node == index:
            message = f"duplicate output tensor {name!r} of {label(node)}"
        else:
            message = f"duplicate tensor name {name!r} for outputs of {label(writer)} and {label(node)}"
        if meant is not None:
            message += f"; did you mean {meant!r}, which is undefined?"
        fix = writing(place, meant or self._free_tensors.like(name))
        return duplicate_definition(place, message, self.graph.place(writer, f"output:{first.output}"), node.name, fix)

    def _first_misnamed(self, second: Source, first: Source, meant: str) -> Problem:
        node, other = self.graph.nodes[first.node], self.graph.nodes[second.node]
        place = self.graph.place(node, f"output:{first.output}")
        name = node.outputs[first.output].name
        message = (
            f"duplicate tensor name {name!r} for outputs of {label(node)} and {label(other)}; "
            f"did you mean {meant!r}, which is undefined?"
        )
        related = [("also defined here", self.graph.place(other, f"output:{second.output}"))]
        return Problem(R.duplicate_definition, place, message, node.name, writing(place, meant), related)

    def _undefined(
        self, name: str, readers: list[tuple[int, int]], unread: dict[str, Source], guess: bool, alone: bool
    ) -> Problem:
        index, k = readers[0]
        node = self.graph.nodes[index]
        place = self.graph.place(node, f"input:{k}")
        unread = {tensor: source for tensor, source in unread.items() if source.node < index}
        misnamed = nearest(name, list(unread))
        if misnamed is None and alone and len(unread) == 1 and not _PLAIN.fullmatch(next(iter(unread))):
            misnamed = next(iter(unread))
        if misnamed is not None and self._is_definition_wrong(name, misnamed, len(readers)):
            return self._misnamed(name, misnamed, unread[misnamed], readers)
        if misnamed is None and guess and len(self.defined) <= MANY:
            known = [tensor for tensor, source in self.defined.items() if source.node < index]
        else:
            known = [misnamed] if misnamed is not None else []
        problem = undefined_reference(place, label(node), "tensor", name, known, node.name)
        meant = misnamed or (next(iter(unread)) if alone and len(unread) == 1 else None)
        problem.related = [
            (f"also used by {label(self.graph.nodes[at])}", self.graph.place(at, f"input:{i}"))
            for at, i in readers[1:9]
        ]
        if meant is not None:
            writer = self.graph.nodes[unread[meant].node]
            said = f"unused output {meant!r} of {label(writer)}"
            problem.related = [*problem.related, (said, self.graph.place(writer, f"output:{unread[meant].output}"))]
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

    def _regularity(self, name: str, words: list[str]) -> tuple[int, int, int]:
        """Return how well a name fits the others in the file, by characters, letter case and where it is mentioned."""
        capitals = sum(other != other.lower() for other in self.defined if other != name)
        usual = name == name.lower() or capitals * 2 > len(self.defined)
        return int(_PLAIN.fullmatch(name) is not None), int(usual), _mentions(words, name)

    def _misnamed(self, read: str, written: str, source: Source, readers: list[tuple[int, int]]) -> Problem:
        writer = self.graph.nodes[source.node]
        place = self.graph.place(writer, f"output:{source.output}")
        number = len(readers)
        who = f"{number} inputs" if number > 1 else f"the inputs of {label(self.graph.nodes[readers[0][0]])}"
        message = (
            f"unused output {written!r} of {label(writer)}, but undefined {read!r} in {who}; did you mean {read!r}?"
        )
        related = [(f"{read!r} used here", self.graph.place(at, f"input:{k}")) for at, k in readers[:8]]
        return Problem(R.undefined_reference, place, message, writer.name, writing(place, read), related)


def _mentions(words: list[str], name: str) -> int:
    """Return how many of these words contain a name as a separate part."""
    count = 0
    for word in words:
        at = word.find(name)
        while at >= 0 and name:
            if not word[:at][-1:].isalnum() and not word[at + len(name) :][:1].isalnum():
                count += 1
                break
            at = word.find(name, at + 1)
    return count
