"""What a format adds to the one operator check: its words, how severe things are, how it writes a change. Every part has a default."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault, Side, Subject, asking, shown
from irlint.checks.signature import named
from irlint.checks.values import KINDS, expected, flaws
from irlint.checks.written import WrittenOperator
from irlint.codes import R, RuleRow, Severity
from irlint.findings import Fix, Problem
from irlint.graph import Graph, Node
from irlint.operators import Attribute, Operator, nearest
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Place

_RENAMED = ("op", "attr_key", "input_name")  # parts that are names


class Grammar:
    """The spelling, the terms and the severities of a format."""

    word = "attribute"  # the format's own term for one
    runtime = "the runtime"
    kinds: Mapping[str, tuple[str, Callable[[Any], Any]]] = KINDS  # a description, and a reader that raises ValueError
    foreign: Mapping[str, str] = {}  # what other frameworks call attributes
    has_names = True  # False: nodes are referred to by numbers, and a wrong one is like any other
    positional = False  # an input is left out by an empty name: those before a required one are written
    unlisted: Collection[str] = ()  # kinds of ports that a message does not list
    common: Mapping[str, Attribute] = {}  # attributes that every operator may have
    count_part = "op"  # where too few inputs or outputs are reported; {} is the side

    # What the table says

    def severity(self, rule: RuleRow, node: Node | None) -> Severity | None:
        """Return how severe a problem is whose fault does not say it; None for as the rule says."""
        return None

    def graded(self, written: WrittenOperator, attribute: Attribute, fault: Fault) -> Fault:
        """Return a fault with the severity of the fact that does not hold."""
        return fault

    def flaws(self, value: Any, attribute: Attribute) -> Iterator[Fault]:
        """Yield what is wrong with a value, judged by itself."""
        if attribute.kind in self.kinds:
            words, read = self.kinds[attribute.kind]
            yield from flaws(value, read, words, attribute)

    def values(self, attrs: Mapping[str, Any], operator: Operator | None) -> dict[str, Any]:
        """Return what the known attributes without flaws mean: the numbers that words of the file spell."""
        known = operator.attributes if operator else {}
        sound = [key for key, value in attrs.items() if key in known and not any(self.flaws(value, known[key]))]
        return {key: self.read(attrs[key], known[key].kind) for key in sound}

    def read(self, value: Any, kind: str) -> Any:
        """Return what a written value means; raise ValueError if it is not of its kind."""
        return self.kinds[kind][1](value) if kind in self.kinds else value

    def judged(self, written: WrittenOperator, attribute: Attribute, value: Any) -> Iterator[Fault]:
        """Yield what is wrong with the value of an attribute that the operator has."""
        for fault in self.flaws(value, attribute):
            yield self.graded(written, attribute, fault)

    def strange(self, written: WrittenOperator, name: str, lacking: dict[str, Attribute]) -> Fault | None:
        """Return what is wrong with an attribute that the operator does not have. The one that was meant is taken out of those that
        are lacking."""
        if (moved := self.moved(written, name)) is not None:
            return moved
        if (meant := self.meant(name, written, lacking)) is None:
            return self.unlike(written, name)
        lacking.pop(meant, None)
        return self.unknown(written, name, "", better=meant, hint=asking(meant))

    def unlike(self, written: WrittenOperator, name: str) -> Fault | None:
        """Return what is wrong with an attribute whose name is like none that the operator has; None if it may have any."""
        known = list(written.operator.attributes)
        words = ", ".join(f"`{one}`" for one in known[:12]) + (", ..." if len(known) > 12 else "")
        rest = f"; expected one of {words}" if known else f"; the operator has no {self.word}s"
        return self.unknown(written, name, rest, change="remove")

    def moved(self, written: WrittenOperator, name: str) -> Fault | None:
        """Return what is wrong with an attribute that another version of the operator has, if something took its place."""
        return None

    def unknown(self, written: WrittenOperator, name: str, rest: str, **how: Any) -> Fault:
        """Return what is wrong with an attribute that the operator does not have."""
        return Fault(R.unknown_attribute, f"attr_key:{name}", f"unknown {self.word} `{name}` for", rest, **how)

    def meant(self, name: str, written: WrittenOperator, absent: Mapping[str, Attribute]) -> str | None:
        """Return the attribute that was probably meant by a name: sooner one that is missing than one that may be."""
        free = [other for other in written.operator.attributes if other not in written.attrs]
        other = self.foreign.get(name)
        missing = [other for other, attribute in absent.items() if attribute.required]
        return nearest(name, missing) or nearest(name, free) or (other if other in free else None)

    def missing(self, written: WrittenOperator, attribute: Attribute) -> Fault | None:
        """Return what is wrong with an attribute that is not there."""
        if not attribute.required:
            return None
        usual = attribute.facts.get("usual", attribute.default)
        better = NO_VALUE if usual is None else {attribute.name: usual}
        message = f"missing required {self.word} {named(attribute)} for"
        return Fault(R.missing_attribute, "attrs", message, "", better, change="insert")

    def strict(self, written: WrittenOperator, side: Side) -> bool:
        """Return whether what is too many is refused, not ignored."""
        return True

    def reads(self, written: WrittenOperator, attribute: Attribute) -> bool:
        """Return whether the release that is asked for reads an attribute."""
        return True

    def example(self, written: WrittenOperator, attribute: Attribute) -> str:
        """Return how a missing attribute is written, if the spelling is not obvious."""
        return ""

    def expected(self, rule: RuleRow, attribute: Attribute, told: str, got: Any, **how: Any) -> Fault:
        """Return what is wrong with a value instead of which another was expected."""
        return expected(rule, attribute, told, shown(got), **how)

    # How the document is read and changed

    def problem(self, subject: Subject, fault: Fault) -> Problem:
        """Return the problem of one operator, with its fix."""

        def fix(document: Document) -> Fix | None:
            settled = self.settled(subject, fault)
            edits = self.edits(document, subject, settled)
            return Fix(self.title(settled), tuple(edits), settled.safety) if edits else None

        message = fault.message
        if fault.rest is not None:
            message = f"{message}{' ' * bool(message)}{subject.who}{fault.rest}"
        related = [(text, subject.place(at) if isinstance(at, str) else at) for text, at in fault.related]
        repair = fix if fault.has_fix else None
        meant = str(fault.better) if fault.hint and fault.meant is None else fault.meant
        return Problem(
            fault.rule, subject.find(fault), message, subject.name, repair, related, fault.severity, meant=meant,
            hint=fault.hint,
        )  # fmt: skip

    def settled(self, subject: Subject, fault: Fault) -> Fault:
        """Return a fault with what only a fix has to know of it."""
        return fault

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

    def edits(self, document: Document, subject: Subject, fault: Fault) -> Sequence[Edit]:
        """Return the edits that make the change of a fault."""
        if fault.change == "remove":
            return self.remove(document, subject.find(fault))
        if fault.change == "insert":
            assert subject.graph is not None
            assert subject.node is not None
            return self.insert(document, subject.graph, subject.node, fault.better)
        return document.write(subject.find(fault), fault.better)

    def title(self, fault: Fault) -> str:
        if fault.change == "remove":
            return f"Remove `{fault.name}`"
        if fault.change == "insert":
            return f"Insert {' and '.join(f'`{name}`' for name in fault.better)}"
        if fault.part.partition(":")[0] in _RENAMED:
            return f"Rename to `{fault.better}`"
        index = "" if fault.element is None else f"[{fault.element}]"
        return f"Set `{fault.name}{index}` to {shown(fault.better)}"


PLAIN = Grammar()
