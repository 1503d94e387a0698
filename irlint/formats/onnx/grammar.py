"""What the operator check has to know of ONNX: attributes are records with types, and versions of operators differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault, Subject, asking
from irlint.checks.grammar import Grammar
from irlint.checks.operator_check import OperatorCheck
from irlint.checks.values import flaws
from irlint.checks.written import WrittenOperator
from irlint.codes import R, Severity
from irlint.formats.onnx import opsets
from irlint.formats.onnx.opset_guess import better
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.tensors import MOST, TensorData, elements
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.wire import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES
from irlint.operators import Attribute, Operator, nearest
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Path, Place
from irlint.text.prototext.messages import Tree

_JUDGED = frozenset(
    ("int", "float", "string", "ints", "floats", "strings", "tensor", "graph")
)  # types whose values are looked at
FIELDS = {field: name for name, field in ATTRIBUTE_TYPES.values()}
_EVERYWHERE = ("onnx", "onnxruntime")  # who reads a model wherever it goes
_MEASURED = ("values", "length")  # facts of which what was not measured is taken to be refused


class OnnxCall(OperatorCheck):
    """A call of an operator of an opset."""

    grammar: OnnxGrammar

    def __init__(self, grammar: OnnxGrammar, operator: Operator, call: Tree, opset: int) -> None:
        attributes = {one["name"]: one for one in call.get("attribute", ()) if one.get("name")}
        super().__init__(grammar, operator, attributes, call.get("input", ()), call.get("output", ()))
        self.op, self.domain, self.opset = call.get("op_type", ""), domain_of(call.get("domain", "")), opset


class OnnxGrammar(Grammar):
    positional = True
    foreign = {
        "dilation": "dilations", "dim": "axis", "dims": "axes", "eps": "epsilon", "groups": "group", "kernel": "kernel_shape",
        "kernel_size": "kernel_shape", "negative_slope": "alpha", "num_group": "group", "padding": "pads", "stride": "strides",
        "transpose_a": "transA", "transpose_b": "transB",
    }  # fmt: skip

    def __init__(self, model: Model) -> None:
        self.model = model
        self.formal: frozenset[str] | None = None  # attributes of the function that is looked at
        self._better: dict[tuple[str, int], int | None] = {}  # opsets that nodes of a domain ask for

    def values(self, attrs: Mapping[str, Tree], operator: Operator | None) -> dict[str, Any]:
        known = operator.attributes if operator else {}
        return {name: _held(attrs[name], one) if name in attrs else one.default for name, one in known.items()}

    def judged(self, written: WrittenOperator, attribute: Attribute, value: Tree) -> Iterator[Fault]:
        name, target = attribute.name, value.get("ref_attr_name")
        if target is not None and target not in (self.formal or ()):
            yield self._reference(attribute, target)
            return
        kind, shown = ATTRIBUTE_TYPES.get(value.get("type", 0), ("", ""))[0], kind_by_value(value)
        kind = kind or shown
        if kind in ("", attribute.kind):
            if kind in _JUDGED and target is None:
                yield from self._value_flaws(written, attribute, _listed(value_of(value)))
        elif shown in ("", kind):  # else the type is not that of the value, which has been reported
            message = f"expected type {attribute.kind} for `{name}` of"
            yield Fault(R.wrong_attribute_type, f"attr_type:{name}", message, f", got type {kind}")

    def _value_flaws(self, written: WrittenOperator, attribute: Attribute, held: Any) -> Iterator[Fault]:
        if held == [] and "per_axis" in attribute.facts:
            message = f"expected values for `{attribute.name}` of"
            yield Fault(R.wrong_value_length, f"attr:{attribute.name}", message, ", got none", change="remove")
            return
        for fault in flaws(held, _listed, "", attribute):
            is_refused = written.applies(attribute.facts) and refused(fault.fact, held, attribute, self.model.targets)
            is_of_other_opset = held != "" and _is_taken(held, attribute)
            milder = Severity.PEDANTIC if is_of_other_opset else Severity.WARNING
            yield fault if is_refused else fault._replace(severity=milder)

    def _reference(self, attribute: Attribute, target: str) -> Fault:
        """Return the problem of an attribute that refers to a function's attribute that does not exist. OpenVINO 2026.4 ignores the
        attribute, and onnxruntime 1.32 uses 0 or an empty string, which does no harm if that is the default."""
        meant = nearest(target, list(self.formal or ()))
        where = "only nodes of functions can do that" if self.formal is None else "the function has no such attribute"
        return Fault(
            R.undefined_reference, f"attr_ref:{attribute.name}", f"attribute `{attribute.name}` of",
            f" refers to an attribute `{target}`; {where}", NO_VALUE if meant is None else meant,
            None if _is_harmed(attribute) else Severity.WARNING, hint=asking(meant),
        )  # fmt: skip

    def unknown(self, written: WrittenOperator, name: str, rest: str, **how: Any) -> Fault:
        severity = Severity.WARNING if written.operator.facts.get("ignores_unknown") else None
        return super().unknown(written, name, rest, severity=severity, **how)

    def moved(self, written: WrittenOperator, name: str) -> Fault | None:
        assert isinstance(written, OnnxCall)
        found = opsets.moved(written.op, written.domain, name, written.opset)
        if found is None:
            return None
        what = "an input" if found.input is not None else f"`{found.name}`"
        rest = f" is {what} since opset {found.since}"
        return Fault(
            R.unknown_attribute,
            f"attr_key:{name}",
            f"`{name}` of",
            rest,
            **self.importing(written.domain, written.opset, 2),
        )

    def unlike(self, written: WrittenOperator, name: str) -> Fault:
        assert isinstance(written, OnnxCall)
        op, domain, opset, rest = written.op, written.domain, written.opset, ""
        having = opsets.with_attribute(op, domain, name)
        if later := next((since for since in having if since > opset), None):
            rest = f"; it needs opset {later}, and the model imports {opset}"
        elif having:
            after = next((since for since in opsets.versions(op, domain) if since > having[-1]), None)
            rest = f"; opset {after} removed it" if after else ""
        how = self.importing(domain, opset, 2) if having else {}
        return self.unknown(written, name, rest, **(how or {"change": "remove"}))

    def importing(self, domain: str, opset: int, least: int) -> dict[str, Any]:
        """Return the change that imports the opset of a domain that its nodes fit, if at least so many nodes ask for it."""
        tree = self.model.document.value_at(())
        rows = tree.get("opset_import", ())
        k = next((k for k, one in enumerate(rows) if domain_of(one.get("domain", "")) == domain), None)
        if k is None or self.formal is not None or rows[k].get("version") != opset:
            return {}
        if (domain, least) not in self._better:
            self._better[domain, least] = better(tree, domain, opset, least)
        best = self._better[domain, least]
        return {} if best is None else {"better": (k, best, domain), "change": "import"}

    def edits(self, document: Document, subject: Subject, fault: Fault) -> Sequence[Edit]:
        assert isinstance(document, OnnxDocument)
        if fault.change == "import":
            return document.write(Place(("opset_import", fault.better[0], "version")), fault.better[1])
        if fault.change == "set":
            return document.changed(subject.find(fault).path, fault.better)
        return super().edits(document, subject, fault)

    def remove(self, document: Document, at: Place) -> Sequence[Edit]:
        assert isinstance(document, OnnxDocument)
        return document.removed(at.path[:-1])

    def title(self, fault: Fault) -> str:
        if fault.change == "import":
            _, opset, domain = fault.better
            return f"Import opset {opset} of {domain}"
        if fault.change == "set":
            return (
                f"Remove `{DEFAULT}.`" if fault.better is None else f"Replace with `{FIELDS_BY_NUMBER[fault.better]}`"
            )
        if fault.part == "domain":
            return f"Replace with `{fault.better}`"
        if fault.part.startswith("attr_ref"):
            return f"Rename to `{fault.better}`"
        return super().title(fault)


FIELDS_BY_NUMBER = {number: kind for kind, number in ATTRIBUTE_NUMBERS.items()}


def subject_of(call: Tree, path: Path, function: Path = ()) -> Subject:
    """Return a call and where its parts are; `function` is where the function is defined that it calls."""
    name = name_of(call)
    places = {
        "attrs": (*path, "op_type"),
        "op": (*path, "op_type"),
        "function": (*function, "name"),
        "domain": (*path, "domain"),
    }

    attributes: dict[str, int] = {}  # the last of each name, once one is asked for

    def place(part: str) -> Place:
        word, _, rest = part.partition(":")
        if word in ("input", "output"):
            return Place((*path, word, int(rest)))
        if word not in _FIELDS_OF_PARTS:
            return Place(places[word])
        if not attributes:
            attributes.update({one.get("name", ""): j for j, one in enumerate(call["attribute"])})
        return Place((*path, "attribute", attributes[rest], _FIELDS_OF_PARTS[word]))

    return Subject(
        f"{call.get('op_type', '')} {name!r}" if name else f"{call.get('op_type', '')} without a name", name, place
    )


_FIELDS_OF_PARTS = {"attr": "value", "attr_key": "name", "attr_type": "type", "attr_ref": "ref_attr_name"}


def name_of(call: Tree) -> str:
    return call.get("name") or next(filter(None, call.get("output", ())), "")


def kind_by_value(attribute: Tree) -> str:
    """Return the type that an attribute's value shows; empty if it has none."""
    return next((name for field, name in FIELDS.items() if field in attribute), "")


def refused(fact: str, value: Any, attribute: Attribute, targets: Collection[str] = ()) -> bool:
    """Return whether onnx's checker, onnxruntime or a target refuses a value by which a fact does not hold; numbers out of range are
    taken to run where that was not measured."""
    facts = attribute.facts
    if _is_taken(value, attribute):
        return False
    found = facts.get(f"refused_{fact}", fact in _MEASURED)
    who = facts.get("refused_case", found) if fact == "values" and _is_other_case(value, attribute) else found
    return who if isinstance(who, bool) else not {*_EVERYWHERE, *targets}.isdisjoint(who)


def _is_taken(value: Any, attribute: Attribute) -> bool:
    """Return whether a value is a word of another opset, or none, that all runtimes take."""
    return isinstance(value, str) and value in attribute.facts.get("taken", ())


def _is_other_case(value: Any, attribute: Attribute) -> bool:
    known = {str(word).casefold() for word in attribute.values}
    return {str(item).casefold() for item in (value if isinstance(value, list) else [value])} <= known


def _is_harmed(attribute: Attribute) -> bool:
    """Return whether it matters that an attribute is 0 or an empty string in onnxruntime."""
    if attribute.required or attribute.kind.endswith("s"):
        return True
    if attribute.kind == "string":
        return any(refused(fault.fact, "", attribute) for fault in flaws("", _listed, "", attribute))
    return attribute.kind == "int" and attribute.default not in (0, None)


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _held(attribute: Tree, known: Attribute) -> Any:
    """Return the value of an attribute, or as many numbers as its tensor has; None if it is of another kind."""
    value, kind = value_of(attribute), ATTRIBUTE_TYPES.get(attribute.get("type", 0), ("",))[0]
    if kind not in ("", known.kind):
        return None
    if isinstance(value, TensorData):
        return range(min(max(elements(value.shape), 0), MOST))
    return value if known.kind != "tensor" and isinstance(value, tuple) == known.kind.endswith("s") else None
