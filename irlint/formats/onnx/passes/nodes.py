"""The calls of a model against the operator table, and initializers and types of values on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from irlint.checks.fault import Fault, Subject
from irlint.codes import R, Severity
from irlint.findings import Problem
from irlint.formats.onnx import opsets
from irlint.formats.onnx.external import ExternalCheck, state_of
from irlint.formats.onnx.grammar import OnnxCall, OnnxGrammar, subject_of
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.passes.absent import Absent
from irlint.formats.onnx.passes.attributes import record_fault, tensor_problems
from irlint.formats.onnx.passes.bodies import body_problems
from irlint.formats.onnx.passes.data import data_problems, is_plain
from irlint.formats.onnx.passes.function_calls import FunctionCalls
from irlint.formats.onnx.passes.output_types import output_type_problems
from irlint.formats.onnx.passes.sparse import sparse_problems
from irlint.formats.onnx.passes.types import inner_values, type_problems
from irlint.formats.onnx.wire.reader import Tree
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.words import count

Opsets = Mapping[str, int]
_OF_SIZES = (R.wrong_length, R.value_out_of_range)  # of a tensor: what its shape says need not be true
_COUNTED = (R.wrong_input_count, R.wrong_output_count)
# Attributes that are not worth comparing, or that mean what the function says around them
_BY_IDENTITY = frozenset(("t", "g", "tensors", "graphs", "sparse_tensor", "ref_attr_name"))
_WITH_BODIES = ("If", "Loop", "Scan", "SequenceMap")


class NodeCheck:
    """The checks of one model's calls. Calls that are alike are looked at once."""

    def __init__(self, model: Model, functions: Sequence[Tree], ir_version: int) -> None:
        self.model = model
        self.grammar = OnnxGrammar(model)
        self.functions = FunctionCalls(model, functions, self.grammar)
        self.absent = Absent(self.functions, self.grammar)
        self.extensions: Mapping[str, Any] = model.options.get("extensions", {})
        self.is_old = ir_version < 2
        self.external = ExternalCheck(model, state_of(model).files)
        self.sound: set[Any] = set()

    def graph(self, tree: Tree, path: Path, known: Opsets) -> Iterator[Problem]:
        """Yield the problems of a graph's calls and initializers, and of the graphs in it."""
        for k, tensor in enumerate(tree.get("initializer", ())):
            name = tensor.get("name", "")
            if not name:
                yield Problem(R.missing_key, Place((*path, "initializer", k)), "an initializer has no name")
            if not is_plain(tensor):
                at = (*path, "initializer", k)
                found = list(data_problems(tensor, at, f"initializer {name!r}", self.external))
                if any(problem.rule in _OF_SIZES for problem in found):
                    state_of(self.model).doubtful.add(at)
                yield from found
        for k, sparse in enumerate(tree.get("sparse_initializer", ())):
            where = Place((*path, "sparse_initializer", k, "values", "name"))
            yield from sparse_problems(sparse, where, f"initializer {sparse.get('values', {}).get('name', '')!r}")
        for word in ("input", "output", "value_info"):
            for k, value in enumerate(tree.get(word, ())):
                kind = value.get("type")
                if kind is not None and id(kind) not in self.sound:
                    found = list(type_problems(kind, (*path, word, k, "type"), value.get("name", "")))
                    self.sound.update(() if found else (id(kind),))
                    if found and word == "value_info" and value.get("name", "") not in inner_values(tree):
                        for problem in found:  # checkers and runtimes look up the types of values that they find
                            problem.severity = Severity.WARNING
                    yield from found
        yield from self.calls(tree.get("node", ()), (*path, "node"), known)

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
                    yield from found
            for j, attribute in enumerate(attributes):
                if "g" in attribute:
                    yield from self.graph(attribute["g"], (*path, k, "attribute", j, "g"), known)
                for n, graph in enumerate(attribute.get("graphs", ())):
                    yield from self.graph(graph, (*path, k, "attribute", j, "graphs", n), known)

    def _call(self, call: Tree, path: Path, known: Opsets) -> Iterator[Problem]:
        place = self.functions.place_of(call)
        subject = subject_of(call, path, place or ())
        op, domain, who, name = (
            call.get("op_type", ""),
            domain_of(call.get("domain", "")),
            subject.who,
            subject.name or "",
        )
        if not op or not (call.get("input") or call.get("output")):
            fault = Fault(R.wrong_output_count, "op", "", " has no inputs and no outputs")
            if not op:
                fault = Fault(R.missing_key, "op", f"node {name!r} has no operator", None)
            yield self.grammar.problem(subject, fault)
            return
        for j, attribute in enumerate(call.get("attribute", ())):
            wrong = record_fault(attribute, (*path, "attribute", j), self.is_old)
            if wrong is not None:
                yield self.grammar.problem(subject, wrong)
                continue
            for problem in tensor_problems(attribute, (*path, "attribute", j), who, self.external):
                problem.node = name
                yield problem
        yield from self._placed(subject, _by_itself(call, path))
        if place is not None and not opsets.is_hidden(op, domain, known):
            yield from self._placed(subject, self.functions.faults(call))
            return
        if op in self.extensions.get(domain, {}) or (domain in self.extensions and not self.extensions[domain]):
            return
        opset = opsets.opset_of(domain, known)
        operator = None if opset is None else opsets.in_opset(op, domain, opset)
        if operator is None or opsets.is_deprecated(operator):
            yield from self._placed(subject, self.absent.faults(call, domain, opset))
            return
        written = OnnxCall(self.grammar, operator, call, opset or 1)
        faults = [*written.counts("input"), *written.counts("output")]
        if faults and (newer := _newer(written)) is not None:
            faults, is_counted = [newer], False
        else:
            is_counted = True
            faults += _against(written, call)
        if domain == DEFAULT and operator.facts.get("only"):
            faults += self.absent.only(op, operator, opset or 1)
        yield from self._placed(subject, faults)
        if not is_counted or domain != DEFAULT:
            return
        if op in _WITH_BODIES and not any(fault.rule in _COUNTED for fault in faults):
            yield from body_problems(call, path, who, name, operator.name)
        yield from output_type_problems(call, path, operator, who, name)

    def _placed(self, subject: Subject, faults: Iterator[Fault] | Sequence[Fault]) -> Iterator[Problem]:
        return (self.grammar.problem(subject, fault) for fault in faults)


def _against(written: OnnxCall, call: Tree) -> Iterator[Fault]:
    attributes = call.get("attribute", ())
    if written.op == "Constant" and written.domain == DEFAULT and len(attributes) != 1:
        rest = f", such as `value`, got {len(attributes)}"
        yield Fault(R.missing_attribute, "op", "expected 1 attribute for", rest)
    yield from written.attributes()
    yield from written.lengths("kernel_shape")
    if not any("ref_attr_name" in one for one in attributes):
        yield from written.equals()
        yield from written.demands()
        if "keys_strings" in written.operator.attributes:
            yield from _pairs(written)


def _by_itself(call: Tree, path: Path) -> Iterator[Fault]:
    """Yield what is wrong with a call whatever its operator is."""
    seen: dict[str, Place] = {}
    for j, attribute in enumerate(call.get("attribute", ())):
        name, at = attribute.get("name", ""), Place((*path, "attribute", j, "name"))
        if name in seen:
            message, related = f"duplicate attribute `{name}` for", [("first defined here", seen[name])]
            yield Fault(R.duplicate_attribute, f"attr_key:{name}", message, change="remove", related=related, at=at)
        seen.setdefault(name, at)
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
    for side in ("keys_", "values_"):
        names = [name for name in written.attrs if name.startswith(side) and written.values.get(name) is not None]
        given = [name for name in names if written.values[name]]
        lists += [name for name in names[:1] if not name.endswith("tensor")]
        if len(given) != 1:
            got = f"both {' and '.join(f'`{name}`' for name in given[:2])}" if given else "none"
            rule, part = (R.wrong_value_length, f"attr:{given[-1]}") if given else (R.missing_attribute, "op")
            message = f"expected one list of {side[:-1]} for"
            yield Fault(rule, part, message, f", such as `{side}strings`, got {got}")
    keys, values = (len(written.values[name]) for name in lists) if len(lists) == 2 else (0, 0)
    if keys != values:
        message = f"expected {count(keys, 'value')} for `{lists[1]}` of"
        yield Fault(R.wrong_value_length, f"attr:{lists[1]}", message, f", one per key, got {values}")
