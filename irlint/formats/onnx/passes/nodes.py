"""The calls of a model against the operator table, and initializers and types of values on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from irlint.checks.fault import Fault, Subject
from irlint.codes import R, Severity
from irlint.findings import Problem
from irlint.formats.onnx import opsets
from irlint.formats.onnx.external import ExternalCheck, overlap_problems, state_of
from irlint.formats.onnx.grammar import OnnxCall, OnnxGrammar, subject_of
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.passes.attributes import (
    BODIES,
    body_problems,
    output_type_problems,
    record_fault,
    tensor_problems,
)
from irlint.formats.onnx.passes.data import (
    data_problems,
    inner_values,
    is_plain,
    is_typed,
    sparse_problems,
    sparse_uses,
    type_problems,
)
from irlint.formats.onnx.passes.other_calls import AbsentOperators, FunctionCalls
from irlint.formats.onnx.trees import calls_in, graphs_of, names_of, repeated
from irlint.formats.onnx.wire import CONSTANT_NAMES
from irlint.records import replace
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.prototext.messages import Tree
from irlint.text.words import count

Opsets = Mapping[str, int]
_OF_SIZES = (R.wrong_length, R.value_out_of_range)  # of a tensor: what its shape says need not be true
# of a Constant: its first attribute may have any name
_NAMED = (R.unknown_attribute, R.missing_attribute, R.duplicate_attribute, R.wrong_attribute_type)
# Attributes that are not worth comparing, or that mean what the function says around them
_BY_IDENTITY = frozenset(("t", "g", "tensors", "graphs", "sparse_tensor", "ref_attr_name"))


class NodeCheck:
    """The checks of one model's calls. Calls that are alike are looked at once."""

    def __init__(self, model: Model, functions: Sequence[Tree], ir_version: int) -> None:
        self.model = model
        self.grammar = OnnxGrammar(model)
        self.functions = FunctionCalls(model, functions, self.grammar)
        self.absent = AbsentOperators(self.functions, self.grammar)
        self.extensions = opsets.declared(model.options)
        self.is_old = ir_version < 2
        self.external = ExternalCheck(model, state_of(model).files)
        self.sound: set[Any] = set()

    def graph(self, tree: Tree, path: Path, known: Opsets) -> Iterator[Problem]:
        """Yield the problems of a graph's calls and initializers, and of the graphs in it."""
        yield from self._initializers(tree, path)
        yield from self._types(tree, path)
        yield from self.calls(tree.get("node", ()), (*path, "node"), known)

    def _initializers(self, tree: Tree, path: Path) -> Iterator[Problem]:
        read: set[str] | None = None  # names that nodes, and the graph's outputs, use
        for k, tensor in enumerate(tree.get("initializer", ())):
            name, at = tensor.get("name", ""), (*path, "initializer", k)
            if not name:
                yield Problem(R.missing_key, Place(at), "an initializer has no name")
            if not is_plain(tensor):
                found = list(data_problems(tensor, at, f"initializer {name!r}", self.external))
                if any(problem.rule in _OF_SIZES for problem in found):
                    state_of(self.model).doubtful.add(at)
                if found and read is None:
                    read = {value.get("name", "") for value in tree.get("output", ())}
                    read.update(*(call.get("input", ()) for call in calls_in(tree.get("node", ()))))
                for problem in found:
                    problem.taken = problem.taken or ("" if name in (read or ()) else "nothing uses it")
                yield from found
        yield from overlap_problems(tree.get("initializer", ()), (*path, "initializer"))
        for k, sparse in enumerate(tree.get("sparse_initializer", ())):
            where = Place((*path, "sparse_initializer", k, "values", "name"))
            yield from sparse_problems(sparse, where, f"initializer {sparse.get('values', {}).get('name', '')!r}")
        yield from sparse_uses(tree, path)

    def _types(self, tree: Tree, path: Path) -> Iterator[Problem]:
        """Yield what is wrong with declared types; checkers and runtimes look up those of values that nodes compute for each other."""
        inner: dict[bool, set[str]] = {}
        for word in ("input", "output", "value_info"):
            for k, value in enumerate(tree.get(word, ())):
                kind, name = value.get("type"), value.get("name", "")
                if kind is None or id(kind) in self.sound:
                    continue
                found = list(type_problems(kind, (*path, word, k, "type"), name))
                if not found:
                    self.sound.add(id(kind))
                    continue
                typed = is_typed(kind)
                if word == "value_info" and typed not in inner:
                    inner[typed] = inner_values(tree, typed)
                if word == "value_info" and name not in inner[typed]:
                    found = [replace(one, severity=min(one.actual_severity, Severity.WARNING)) for one in found]
                yield from found

    def calls(self, calls: Sequence[Tree], path: Path, known: Opsets) -> Iterator[Problem]:
        sound = self.sound
        for k, call in enumerate(calls):
            attributes = call.get("attribute", ())
            inputs, outputs = call.get("input", ()), call.get("output", ())
            key = (
                call.get("op_type"),
                call.get("domain"),
                len(inputs),
                "" in inputs and tuple(map(bool, inputs)),
                len(outputs),
                "" in outputs and tuple(map(bool, outputs)),
                *map(id, attributes),
                id(known),
            )
            if key not in sound:
                is_plain = _BY_IDENTITY.isdisjoint(chain.from_iterable(attributes))
                alike = (*key[:6], repr(attributes), key[-1]) if is_plain else key
                if alike not in sound:
                    found = list(self._call(call, (*path, k), known))
                    if not found:
                        sound.update((key, alike))
                    for problem in found:
                        problem.taken = problem.taken or _taken(call, problem)
                    yield from found
            for steps, graph in graphs_of(call) if attributes else ():
                yield from self.graph(graph, (*path, k, *steps), known)

    def _call(self, call: Tree, path: Path, known: Opsets) -> Iterator[Problem]:
        place = self.functions.place_of(call)
        subject = subject_of(call, path, place or ())
        op, domain = call.get("op_type", ""), domain_of(call.get("domain", ""))
        if not op:
            fault = Fault(R.missing_key, "op", f"node {subject.name or ''!r} has no operator", None)
            yield self.grammar.problem(subject, fault)
            return
        if not (call.get("input") or call.get("output")):
            yield self.grammar.problem(subject, Fault(R.wrong_output_count, "op", "", " has no inputs and no outputs"))
            return
        yield from self._attributes(call, path, subject)
        yield from self._placed(subject, _by_itself(call, path))
        registered = self.extensions.get(domain)
        if place is not None and not opsets.is_hidden(op, domain, known):
            yield from self._placed(subject, self.functions.faults(call))
        elif registered is None or (registered and op not in registered):
            yield from self._of_opset(call, path, subject, opsets.opset_of(domain, known))

    def _attributes(self, call: Tree, path: Path, subject: Subject) -> Iterator[Problem]:
        """Yield what is wrong with the attributes of a call, whatever its operator is."""
        for j, attribute in enumerate(call.get("attribute", ())):
            at = (*path, "attribute", j)
            wrong = record_fault(attribute, at, self.is_old)
            if wrong is not None:
                yield self.grammar.problem(subject, wrong)
                continue
            for problem in tensor_problems(attribute, at, subject.who, self.external):
                problem.node = subject.name or ""
                yield problem

    def _of_opset(self, call: Tree, path: Path, subject: Subject, opset: int | None) -> Iterator[Problem]:
        """Yield what is wrong with a call by its operator in an opset; None: the model imports none."""
        op, domain = call["op_type"], domain_of(call.get("domain", ""))
        operator = None if opset is None else opsets.in_opset(op, domain, opset)
        if opset is None or operator is None or opsets.is_deprecated(operator):
            yield from self._placed(subject, self.absent.faults(call, domain, opset))
            return
        written = OnnxCall(self.grammar, operator, call, opset)
        counts = [*written.counts("input"), *written.counts("output")]
        newer = _newer(written) if counts else None
        yield from self._placed(subject, [newer] if newer is not None else [*counts, *_against(written, call)])
        if domain != DEFAULT:
            return
        if operator.facts.get("only"):
            yield from self._placed(subject, self.absent.only(op, operator, opset))
        if op in BODIES and not counts:
            yield from body_problems(call, path, subject.who, subject.name or "", operator.name)
        if newer is None:
            yield from output_type_problems(call, path, operator, subject.who, subject.name or "")

    def _placed(self, subject: Subject, faults: Iterable[Fault]) -> Iterator[Problem]:
        return (self.grammar.problem(subject, fault) for fault in faults)


def _against(written: OnnxCall, call: Tree) -> Iterator[Fault]:
    attributes = call.get("attribute", ())
    if written.op == "Constant" and written.domain == DEFAULT and len(attributes) != 1:
        rest = f", such as `value`, got {len(attributes)}"
        if len(set(names_of(attributes))) != 1:  # else it is a duplicate, which is reported
            yield Fault(R.missing_attribute, "op", "expected 1 attribute for", rest)
        return
    yield from written.attributes()
    yield from written.lengths("kernel_shape")
    if not any("ref_attr_name" in one for one in attributes):
        yield from written.equals()
        yield from written.demands()
        if "keys_strings" in written.operator.attributes:
            yield from _pairs(written)


def _taken(call: Tree, problem: Problem) -> str:
    """Return what onnxruntime 1.32, which takes a call despite a problem, makes of it."""
    attributes = call.get("attribute", ())
    if call.get("op_type") == "Constant" and attributes and attributes[0].get("type") in CONSTANT_NAMES:
        return "onnxruntime takes the first attribute" if problem.rule in _NAMED else ""
    is_domain = isinstance(problem.at, Place) and problem.at.path[-1:] == ("domain",)
    is_default = problem.rule is R.value_not_allowed and is_domain and call.get("domain") == DEFAULT
    return "onnxruntime takes it for the empty one" if is_default else ""


def _by_itself(call: Tree, path: Path) -> Iterator[Fault]:
    """Yield what is wrong with a call whatever its operator is."""
    names = names_of(call.get("attribute", ()))
    for j, first in repeated(names):
        at, before = (Place((*path, "attribute", k, "name")) for k in (j, first))
        message, related = f"duplicate attribute `{names[j]}` for", [("first defined here", before)]
        yield Fault(R.duplicate_attribute, f"attr_key:{names[j]}", message, change="remove", related=related, at=at)
    if call.get("domain") == DEFAULT:
        # onnx.checker 1.23.2 and OpenVINO 2026.4 find no operators there, whatever is imported
        rest = f", got `{DEFAULT}`"
        yield Fault(R.value_not_allowed, "domain", "expected an empty domain for", rest, None, change="set")


def _newer(written: OnnxCall) -> Fault | None:
    """Return the problem of a call that has an input which is an attribute in the model's opset."""
    last = len(written.sides["input"]) - 1
    found = opsets.still_attributes(written.op, written.domain, written.opset).get(last)
    if found is None:
        return None
    rest = f" is an input since opset {found[1]}; the model imports {written.opset}"
    how = written.grammar.importing(written.domain, written.opset, 1)
    return Fault(R.wrong_input_count, f"input:{last}", f"`{found[0]}` of", rest, **how)


def _pairs(written: OnnxCall) -> Iterator[Fault]:
    """Report keys or values of a LabelEncoder that are missing, of more than one type, or not as many: onnxruntime 1.32 refuses them."""
    lists: list[str] = []
    there = [name for name in written.attrs if written.values.get(name) is not None]
    for side in ("keys_", "values_"):
        names = [name for name in there if name.startswith(side)]
        given = [name for name in names if written.values[name]]
        lists += names[:1]
        message, rest = f"expected one list of {side[:-1]} for", f", such as `{side}strings`, got"
        if len(given) > 1:
            both = f"{rest} both `{given[0]}` and `{given[1]}`"
            yield Fault(R.wrong_value_length, f"attr:{given[-1]}", message, both)
        elif not given:
            yield Fault(R.missing_attribute, "op", message, f"{rest} none")
    if len(lists) == 2 and not any(name.endswith("tensor") for name in lists):
        keys, values = (len(written.values[name]) for name in lists)
        if keys != values:
            message = f"expected {count(keys, 'value')} for `{lists[1]}` of"
            yield Fault(R.wrong_value_length, f"attr:{lists[1]}", message, f", one per key, got {values}")
