"""What an IR adds to the one operator check: XML attributes, how its reader and the CPU plug-in take them, and how they are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from irlint.checks.fault import Fault, Side, Subject
from irlint.checks.grammar import Grammar
from irlint.checks.operator_check import OperatorCheck
from irlint.checks.written import WrittenOperator
from irlint.findings import Severity
from irlint.formats.openvino.passes.flaws import taken_without
from irlint.formats.openvino.passes.refusals import in_place, is_fed, is_read, is_same, matters, needs_hidden_size
from irlint.formats.openvino.passes.values import faults
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import NOWHERE, Graph, Node
from irlint.operators import Attribute, Operator, nearest
from irlint.text.base import Document, Edit, Place, Span
from irlint.text.words import count
from irlint.text.xml.tree import escape

_ALIKE = 0.88  # of difflib's ratio
HINTS = ("PrimitivesPriority", "alt_width")  # what plug-ins leave on any layer, and take from any


class OpenVinoGrammar(Grammar):
    runtime = "OpenVINO"
    count_part = "node"
    common = {name: Attribute(name, "hint") for name in HINTS}

    def __init__(self, section: IrSection) -> None:
        self.section = section

    def flaws(self, value: Any, attribute: Attribute) -> Iterator[Fault]:
        return faults(value, attribute)

    def judged(self, written: WrittenOperator, attribute: Attribute, value: Any) -> Iterator[Fault]:
        assert isinstance(written, OpenVinoOperator)
        for fault in self.flaws(value, attribute):
            if (placed := in_place(self.section, written.node, attribute, fault)) is not None:
                yield placed

    def takes(self, attribute: Attribute, text: str) -> bool:
        return not any(fault.is_error for fault in self.flaws(text, attribute))

    def meant(self, name: str, written: WrittenOperator, absent: Mapping[str, Attribute]) -> str | None:
        """Return the attribute with a similar name, or with a name of which one is a prefix: kernel_size for kernel.

        Prefers attributes that accept the value.
        """
        fitting = [one for one in absent.values() if self.takes(one, written.attrs[name])]
        likely = [
            one.name for one in fitting if one.required and (name.startswith(one.name) or one.name.startswith(name))
        ]
        found = nearest(name, [one.name for one in fitting]) or nearest(name, list(absent))
        return found or (likely[0] if len(likely) == 1 else None)

    def unknown(self, written: WrittenOperator, name: str, rest: str, **how: Any) -> Fault:
        if "better" not in how:
            return super().unknown(written, name, rest, **how)
        assert isinstance(written, OpenVinoOperator)
        meant, value = how["better"], written.attrs[name]
        attribute = written.operator.attributes[meant]
        is_refused = written.refusal(attribute) is not None and is_read(self.section, written.node, attribute)
        severity = Severity.ERROR if is_refused else Severity.WARNING
        is_sure = is_refused and self.takes(attribute, value)
        taken = None if is_refused or taken_without(attribute) == value else taken_without(attribute)
        how.update(severity=severity, safety="safe" if is_sure else "unsafe", taken=taken, meant=meant)
        return super().unknown(written, name, rest, **how)

    def unlike(self, written: WrittenOperator, name: str) -> Fault:
        """Return what is wrong with an attribute that is ignored: what was meant takes its default (all 237 operations of 2026.4.1)."""
        assert isinstance(written, OpenVinoOperator)
        known, node = written.operator.attributes, written.node
        twin = next((other for other in known if _alike(other, name)), None)
        rest, notes = "; OpenVINO ignores it", []
        severity = Severity.WARNING if twin is not None or matters(node, name) else Severity.PEDANTIC
        if twin is not None:
            rest = f"; did you mean `{twin}`, which is also present?"
        elif severity == Severity.WARNING:
            names = ", ".join(f"`{allowed}`" for allowed in list(known)[:12])
            notes.append((f"{node.op} allows {names or 'no attributes'}", "op"))
        return super().unknown(
            written, name, rest, severity=severity, safety="safe", change="remove", related=notes, meant=twin
        )

    def missing(self, written: WrittenOperator, attribute: Attribute) -> Fault | None:
        """Return what is wrong with a missing attribute, unless the reader uses the specified default."""
        assert isinstance(written, OpenVinoOperator)
        facts = attribute.facts
        if facts.get("absent") == "open" or written.is_replaced(attribute):
            return None  # bodies/variable_types.py knows the first
        how, better, rest = _without(written, attribute)
        if rest is None:
            return None
        usual = None if better is None or better == "dynamic" or not self.takes(attribute, str(better)) else str(better)
        severity = Severity.ERROR if is_read(self.section, written.node, attribute) else Severity.PEDANTIC
        kind = "required attribute" if attribute.required else "attribute"
        return Fault(
            R.missing_attribute, "attrs", f"missing {kind} `{attribute.name}` for", rest and f"; {rest}",
            (attribute, usual), Severity.WARNING if how is None else severity,
            "unsafe" if how is None else "safe", "insert", taken=facts.get("fallback", attribute.default),
        )  # fmt: skip

    # How the document is changed

    def settled(self, subject: Subject, fault: Fault) -> Fault:
        """Return a missing attribute with its value, which takes a trial of the operation.

        A value that the reader does not take by itself makes another model of a file that it takes.
        """
        if fault.change != "insert":
            return fault
        from irlint.formats.openvino.passes.missing_values import proven_value

        assert subject.node is not None
        attribute, usual = fault.better
        value = proven_value(self.section, subject.node, attribute, usual)
        is_safe = fault.safety == "safe" or value == str(fault.taken)
        taken = None if is_safe else fault.taken
        return fault._replace(better={attribute.name: value}, safety="safe" if is_safe else "unsafe", taken=taken)

    def insert(self, document: Document, graph: Graph, node: Node, values: Mapping[str, Any]) -> Sequence[Edit]:
        ((name, value),) = values.items()
        start, end = document.span(graph.place(node, "attrs"))
        tag = document.text[start:end]
        if value is None or not tag.startswith("<data"):
            return ()
        at = start + len(tag.removesuffix(">").removesuffix("/").rstrip(" \t\r\n"))
        return (Edit(Span(at, at), f' {name}="{escape(value)}"'),)

    def remove(self, document: Document, at: Place) -> Sequence[Edit]:
        start, end = document.span(Place(at.path, f"{at.part.removesuffix('.name')}.member"))
        start = len(document.text[:start].rstrip(" \t\r\n"))
        return (Edit(Span(start, end), ""),)

    def title(self, fault: Fault) -> str:
        """Return the title, with what changes for those who run the model as it is."""
        if fault.change == "remove":
            return super().title(fault)
        value = better = fault.better
        title = super().title(fault)
        if fault.change == "insert":
            ((name, value),) = better.items()
            title = f'Insert `{name}="{value}"`'
        elif fault.part.startswith("attr:"):
            title = f"Set `{fault.name}` to `{value}`"
        return title if fault.taken in (None, "", value) else f"{title} (OpenVINO now uses `{fault.taken}`)"


class OpenVinoOperator(OperatorCheck):
    """A layer, with the conditions on its operation."""

    grammar: OpenVinoGrammar

    def __init__(self, grammar: OpenVinoGrammar, operator: Operator, node: Node, version: int) -> None:
        outputs = grammar.section.layers[node.index].outputs.ports
        super().__init__(grammar, operator, node.attrs, node.inputs, outputs)
        self.node, self.version = node, version

    def number_faults(self) -> Iterator[Fault]:
        if NOWHERE not in self.node.inputs:
            yield from self.counts("input")
        given, ports = len(self.sides["output"]), self.operator.outputs
        if given > len(ports) and self.node.op != "Result" and all(port.kind == "required" for port in ports):
            severity = Severity.WARNING if self.version == 10 else Severity.ERROR
            message, rest = f"expected {count(len(ports), 'output')} for", f" of `{self.node.version}`, got {given}"
            yield Fault(R.wrong_output_count, f"output:{len(ports)}", message, rest, severity=severity)

    def counts(self, side: Side) -> Iterator[Fault]:
        facts, given, (_, most) = self.operator.facts, len(self.sides[side]), self.bounds(side)
        is_taken = given <= facts.get("takes", 0) or (self.version == 10 and facts.get("spare"))
        severity = Severity.WARNING if most is not None and given > most and is_taken else Severity.ERROR
        crash = "; OpenVINO crashes on it" if given in facts.get("crashes", ()) else ""
        for fault in super().counts(side):
            yield fault._replace(rest=f"{fault.rest}{crash}", severity=severity)

    def wanted(self, side: Side, least: int, most: int | None) -> str:
        facts = self.operator.facts
        if counts := facts.get("counts"):
            return f"{', '.join(map(str, counts[:-1]))} or {counts[-1]} {side}s"
        if groups := facts.get("groups"):
            return f"{least}, {least + groups}, {least + 2 * groups}, ... {side}s"
        return super().wanted(side, least, most)

    def is_replaced(self, attribute: Attribute) -> bool:
        """Return whether another attribute says the same, or stands for it."""
        known = self.operator.attributes
        excluded = any(name in known and known[name].facts.get("excludes") == attribute.name for name in self.attrs)
        return excluded or attribute.facts.get("instead") in self.attrs

    def refusal(self, attribute: Attribute) -> str | None:
        """Return "refused" or "crash" for what a missing attribute causes; None if the reader accepts the file without it."""
        facts, name, section = attribute.facts, attribute.name, self.grammar.section
        how: str | None = facts.get("absent")
        if facts.get("instead") in self.attrs:
            return None
        if how == "open":
            from irlint.formats.openvino.bodies.variable_types import is_refused

            return "refused" if is_refused(self.node) else None
        if name == "hidden_size" and needs_hidden_size(section, self.node):
            return "refused"
        is_alone = "with" in facts and facts["with"] not in self.attrs  # both may be missing, one alone may not
        return None if is_alone or (name == "element_type" and is_fed(section, self.node)) else how


def _without(written: OpenVinoOperator, attribute: Attribute) -> tuple[str | None, str | None, str | None]:
    """Return how a missing attribute is refused, what should be written instead, and the text about it, or None."""
    facts, default, taken = (
        attribute.facts,
        _repeated(attribute, written),
        attribute.facts.get("fallback", attribute.default),
    )
    how = written.refusal(attribute)
    although = f", although the specification defaults to `{default}`"
    uses = f"OpenVINO uses {'no value' if taken in (None, '') else f'`{taken}`'}"
    if attribute.default in facts.get("refused", ()):
        how, default = "refused", next(value for value in attribute.values if value not in facts["refused"])
    if how is not None:
        rest = "OpenVINO crashes without it" if how == "crash" else "OpenVINO refuses the model"
        return how, default, rest if attribute.required else rest + although
    if attribute.required:
        return how, taken, "" if taken is None else uses
    if attribute.default is not None and "fallback" in facts and not is_same(taken, attribute.default):
        return how, None, uses + although
    return how, None, None


def _repeated(attribute: Attribute, written: WrittenOperator) -> Any:
    """Return a default as it is written at a node: a single number is repeated to the length of another attribute."""
    like = written.attrs.get(attribute.facts.get("repeated", ""))
    return attribute.default if like is None else ",".join([attribute.default] * (like.count(",") + 1))


@lru_cache(maxsize=4096)
def _alike(name: str, other: str) -> bool:
    """Return whether two names differ only in what is easily mistyped, or in a letter of a long name: `flip` is not `clip`."""
    from difflib import SequenceMatcher

    one, two = _bare(name), _bare(other)
    return one == two or SequenceMatcher(None, one, two).ratio() > _ALIKE


@lru_cache(maxsize=4096)
def _bare(name: str) -> str:
    """Return a name without what is easily mistyped: letter case, separators, the plural."""
    return name.casefold().replace("_", "").replace("-", "").removesuffix("s")
