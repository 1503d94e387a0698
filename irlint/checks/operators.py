"""Checks of a graph against an operator table, for formats without checks of their own.

Unknown operators, numbers of inputs and outputs, argument names, attributes (unknown, missing, duplicate, of the wrong type,
not in an enum, out of range), undefined references and duplicate names. A format adapts them with a Grammar; a rule that it
checks itself goes into `model.settled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from irlint.checks.values import KINDS, flaws, shown
from irlint.codes import R, RuleRow, Severity
from irlint.findings import Fix, Problem
from irlint.graph import Graph, Node, label
from irlint.operators import Attribute, Operator, Port, nearest
from irlint.rules.attributes._check import NO_VALUE, Repair, ValueMismatch, writing
from irlint.rules.base import Model
from irlint.text import words
from irlint.text.base import Document, Edit, Place

COMPARISONS = 100_000  # of names, in one graph: a limit for many undefined references in a long file


class Grammar:
    """The spelling, the terms and the severities of a format. Every method has a default."""

    word = "attribute"  # the format's own term for one
    kinds: Mapping[str, tuple[str, Callable[[Any], Any]]] = KINDS  # a description, and a reader that raises ValueError

    def severity(self, rule: RuleRow, node: Node | None) -> Severity | None:
        """Return how severe a problem is; None for as the rule says."""
        return None

    def repeated(self, model: Model, graph: Graph, node: Node) -> Iterable[tuple[str, Place]]:
        """Yield the duplicate attributes of a node, each with the place of its second name."""
        return ()

    def reference(self, model: Model, place: Place) -> str | None:
        """Return the name that an input or output of the graph refers to; None where it is left out on purpose."""
        start, end = model.document.span(place)
        return model.document.text[start:end].strip("'\" \t") or None

    def insert(self, document: Document, graph: Graph, node: Node, values: Mapping[str, Any]) -> Sequence[Edit]:
        """Return the edits that add attributes to a node; none if that cannot be done."""
        return ()

    def remove(self, document: Document, at: Place) -> Sequence[Edit]:
        """Return the edits that take an attribute out, named by the place of its name; none if that cannot be done."""
        return ()

    def flaws(self, value: Any, attribute: Attribute) -> Iterator[ValueMismatch]:
        """Yield what is wrong with a value, judged by itself."""
        if attribute.kind in self.kinds:
            words, read = self.kinds[attribute.kind]
            yield from flaws(value, read, words, attribute)

    def values(self, attrs: Mapping[str, Any], operator: Operator | None) -> dict[str, Any]:
        """Return what the known attributes without flaws mean: the numbers that words of the file spell."""
        known = operator.attributes if operator else {}
        sound = [key for key, value in attrs.items() if key in known and not any(self.flaws(value, known[key]))]
        return {key: self._read(attrs[key], known[key].kind) for key in sound}

    def _read(self, value: Any, kind: str) -> Any:
        return self.kinds[kind][1](value) if kind in self.kinds else value


PLAIN = Grammar()


def problems(model: Model, grammar: Grammar = PLAIN) -> Iterator[Problem]:
    """Yield what is wrong with every node of every graph; nothing if the model has no operator table."""
    if model.operators is None:
        return
    for graph in model.graph.walk():
        for problem, node in _graph_problems(model, graph, grammar):
            if problem.rule not in model.settled:
                problem.severity = grammar.severity(problem.rule, node)
                yield problem


def _graph_problems(model: Model, graph: Graph, grammar: Grammar) -> Iterator[tuple[Problem, Node | None]]:
    assert model.operators is not None
    check = _NodeCheck(model, graph, grammar)
    for node in graph.nodes:
        if id(node) in model.silent:
            continue
        operator = model.operators.get(node.op)
        if operator is not None:
            yield from ((problem, node) for problem in check.against(node, operator))
        elif node.kind == "call":
            yield check.unknown_operator(node), node
        yield from ((problem, node) for problem in check.references(node))
    yield from ((problem, None) for problem in check.outputs())
    yield from check.definitions()


class _NodeCheck:
    """The checks of one graph's nodes."""

    def __init__(self, model: Model, graph: Graph, grammar: Grammar) -> None:
        self.model, self.graph, self.grammar = model, graph, grammar
        self._names: list[str] | None = None
        self._left = COMPARISONS

    @property
    def names(self) -> list[str]:
        """Return the names that an input can refer to."""
        if self._names is None:
            self._names = [name for node in self.graph.nodes for name in _defined(node)]
        return self._names

    def _meant(self, name: str, node: Node | None) -> str | None:
        """Return the name that was probably meant, while there is time to compare it with all of them."""
        if self._left <= 0:
            return None
        self._left -= len(self.names)
        own = set(_defined(node)) if node else ()
        return nearest(name, [other for other in self.names if other not in own])

    def unknown_operator(self, node: Node) -> Problem:
        assert self.model.operators is not None
        at, meant = self.graph.place(node, "op"), self.model.operators.nearest(node.op)
        return Problem(
            R.unknown_operator,
            at,
            f"unknown operator `{node.op}`{_asking(meant)}" if node.op else "empty operator",
            node.name,
            _writing(at, meant),
        )

    def against(self, node: Node, operator: Operator) -> Iterator[Problem]:
        if node.kind == "call":
            yield from self._counts(node, operator)
            yield from self._arguments(node, operator)
        yield from self._attribute_names(node, operator)
        for name, value in node.attrs.items():
            if (attribute := operator.attributes.get(name)) is not None:
                for fault in self.grammar.flaws(value, attribute):
                    yield self._flawed(node, name, fault)
        for name, at in self.grammar.repeated(self.model, self.graph, node):
            message = f"duplicate {self.grammar.word} `{name}` for {label(node)}"
            related = [("first defined here", self.graph.place(node, f"attr_key:{name}"))]
            yield Problem(R.duplicate_attribute, at, message, node.name, self._removing(at, name), related)

    def _counts(self, node: Node, operator: Operator) -> Iterator[Problem]:
        for rule, word, ports, given in (
            (R.wrong_input_count, "input", operator.inputs, len(node.inputs)),
            (R.wrong_output_count, "output", operator.outputs, len(node.outputs)),
        ):
            least, most = bounds(ports)
            if given < least or (most is not None and given > most):
                part = f"{word}:{most}" if most is not None and given > most else "op"
                message = f"expected {_counted(word, ports)} for {label(node)}, got {given}"
                yield Problem(rule, self.graph.place(node, part), message, node.name)

    def _arguments(self, node: Node, operator: Operator) -> Iterator[Problem]:
        known, seen = [port.name for port in operator.inputs], set[str]()
        free = [name for name in known if name not in (node.input_names or ())]
        for k, name in enumerate(node.input_names or ()):
            at = self.graph.place(node, f"input_name:{k}")
            if name in seen:
                yield Problem(R.duplicate_argument, at, f"duplicate argument `{name}` for {label(node)}", node.name)
            elif name not in known:
                meant = nearest(name, free)
                message = f"unknown argument `{name}` for {label(node)}{_asking(meant)}"
                yield Problem(R.unknown_argument, at, message, node.name, _writing(at, meant))
            seen.add(name)

    def _attribute_names(self, node: Node, operator: Operator) -> Iterator[Problem]:
        """Report unknown and missing attributes. An unknown one that resembles a missing one is one problem, not two."""
        known = operator.attributes
        missing = {name: a for name, a in known.items() if a.required and name not in node.attrs}
        free = [name for name in known if name not in node.attrs]
        for name in [name for name in node.attrs if name not in known]:
            at = self.graph.place(node, f"attr_key:{name}")
            meant = nearest(name, list(missing)) or nearest(name, free)
            message = f"unknown {self.grammar.word} `{name}` for {label(node)}{_asking(meant)}"
            fix: Repair | None = self._removing(at, name)
            if meant is None:
                message += (
                    f"; expected one of {_listed(list(known))}"
                    if known
                    else f"; the operator has no {self.grammar.word}s"
                )
            else:
                missing.pop(meant, None)
                free.remove(meant)
                fix = _writing(at, meant)
            yield Problem(R.unknown_attribute, at, message, node.name, fix)
        for attribute in missing.values():
            message = f"missing required {self.grammar.word} `{attribute.name}` for {label(node)}"
            at = self.graph.place(node, "attrs")
            yield Problem(R.missing_attribute, at, message, node.name, self._inserting(node, attribute))

    def _flawed(self, node: Node, name: str, fault: ValueMismatch) -> Problem:
        at = self.graph.place(node, f"attr:{name}")
        message = f"{fault.message} for `{name}` of {label(node)}{fault.rest}"
        fix = None if fault.better is NO_VALUE else writing(at, fault.better, f"Set `{name}` to {shown(fault.better)}")
        return Problem(fault.rule, at, message, node.name, fix)

    def references(self, node: Node) -> Iterator[Problem]:
        for k, (source, output) in enumerate(node.inputs):
            if source < 0:
                at = self.graph.place(node, f"input:{k}")
                yield from self._undefined(at, f"the inputs of {label(node)}", node)
            elif output >= len(self.graph.nodes[source].outputs):
                producer = self.graph.nodes[source]
                message = (
                    f"{label(node)} uses output {output} of {label(producer)}, which has "
                    f"{words.count(len(producer.outputs), 'output')}"
                )
                yield Problem(R.output_out_of_range, self.graph.place(node, f"input:{k}"), message, node.name)

    def outputs(self) -> Iterator[Problem]:
        for k, source in enumerate(self.graph.outputs):
            if source.node < 0:
                yield from self._undefined(self.graph.locate_output(k), "the outputs of the graph", None)

    def _undefined(self, at: Place, who: str, node: Node | None) -> Iterator[Problem]:
        name = self.grammar.reference(self.model, at)
        if name is not None:
            meant = self._meant(name, node)
            message = f"undefined name {name!r} in {who}" + (f"; did you mean {meant!r}?" if meant else "")
            yield Problem(R.undefined_reference, at, message, node.name if node else None, _replacing(at, meant))

    def definitions(self) -> Iterator[tuple[Problem, Node]]:
        first: dict[str, Place] = {}
        for node in self.graph.nodes:
            for k, name in enumerate(_defined(node)):
                at = self.graph.place(node, "name" if node.outputs[k].name is None else f"output:{k}")
                if name in first:
                    message, related = f"duplicate name {name!r}", [("first defined here", first[name])]
                    yield Problem(R.duplicate_definition, at, message, node.name, related=related), node
                elif name:
                    first[name] = at

    def _inserting(self, node: Node, attribute: Attribute) -> Repair | None:
        """Return a fix that adds the attribute with its usual value, if the table has one."""
        usual = attribute.facts.get("usual", attribute.default)
        if usual is None:
            return None

        def fix(document: Document) -> Fix | None:
            edits = self.grammar.insert(document, self.graph, node, {attribute.name: usual})
            return Fix(f"Insert `{attribute.name}`", tuple(edits), "unsafe") if edits else None

        return fix

    def _removing(self, at: Place, name: str) -> Repair:
        def fix(document: Document) -> Fix | None:
            edits = self.grammar.remove(document, at)
            return Fix(f"Remove `{name}`", tuple(edits), "unsafe") if edits else None

        return fix


def bounds(ports: Sequence[Port]) -> tuple[int, int | None]:
    """Return how many there are at least and at most (None: any number)."""
    least = sum(port.kind in ("required", "variadic") for port in ports)
    return least, None if any(port.kind.startswith("variadic") for port in ports) else len(ports)


def _defined(node: Node) -> list[str]:
    """Return the names by which a node's values are referred to."""
    return [node.name if value.name is None else value.name for value in node.outputs[: 1 if _unnamed(node) else None]]


def _unnamed(node: Node) -> bool:
    return all(value.name is None for value in node.outputs)


def _counted(word: str, ports: Sequence[Port]) -> str:
    least, most = bounds(ports)
    number = words.count(least if most is None or least == most else most, word)
    number = f"at least {number}" if most is None else number if least == most else f"{least} to {number}"
    names = f" ({', '.join(port.name for port in ports)})" if ports else ""
    return f"{number}{names}"


def _asking(meant: str | None) -> str:
    return "" if meant is None else f"; did you mean `{meant}`?"


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:12]) + (", ..." if len(names) > 12 else "")


def _writing(at: Place, meant: str | None) -> Repair | None:
    return None if meant is None else writing(at, meant, f"Rename to `{meant}`")


def _replacing(at: Place, meant: str | None) -> Repair | None:
    return None if meant is None else writing(at, meant, f"Replace with {meant!r}")
