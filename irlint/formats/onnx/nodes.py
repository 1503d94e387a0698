"""Calls against the operator table: operators, counts of inputs and outputs, attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from irlint.checks.operators import bounds
from irlint.checks.values import flaws, shown
from irlint.codes import R, Severity
from irlint.findings import Fix, Problem
from irlint.formats.onnx import opsets
from irlint.formats.onnx.attributes import kind_by_value, removing, written_problems
from irlint.formats.onnx.bodies import body_problems
from irlint.formats.onnx.data import data_problems, is_plain
from irlint.formats.onnx.document import OnnxDocument
from irlint.formats.onnx.external import ExternalCheck
from irlint.formats.onnx.functions import (
    Key,
    attribute_kinds,
    formal_attributes,
    function_key,
    needed_inputs,
    required_attributes,
)
from irlint.formats.onnx.messages import ATTRIBUTE_TYPES
from irlint.formats.onnx.opset_guess import better
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.output_types import output_type_problems
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.refusals import is_refused
from irlint.formats.onnx.structure import imports
from irlint.formats.onnx.types import inner_values, type_problems
from irlint.formats.onnx.wire import Tree
from irlint.operators import Attribute, Operator, Port, nearest, table
from irlint.rules.attributes._check import NO_VALUE, Repair, writing
from irlint.rules.base import Model
from irlint.text import words
from irlint.text.base import Document, Path, Place

if TYPE_CHECKING:
    from irlint.tools.names import Lookup

Opsets = Mapping[str, int]
_PHRASES = {
    "int": "an integer", "float": "a number", "string": "a string", "ints": "a list of integers", "floats": "a list of numbers",
    "strings": "a list of strings", "tensor": "a tensor", "graph": "a graph",
}  # fmt: skip


_OF_SIZES = (R.wrong_length, R.value_out_of_range)  # of a tensor: what its shape says need not be true
_FOREIGN = {  # what other frameworks call attributes
    "dilation": "dilations", "dim": "axis", "dims": "axes", "eps": "epsilon", "groups": "group", "kernel": "kernel_shape",
    "kernel_size": "kernel_shape", "negative_slope": "alpha", "num_group": "group", "padding": "pads", "stride": "strides",
    "transpose_a": "transA", "transpose_b": "transB",
}  # fmt: skip

_COMPARISONS = 100_000  # of names of functions with one that is none
_UNCHECKED = ("LayerNormalization",)  # operators whose unknown attributes onnx.checker 1.23.2 and all runtimes ignore


class NodeCheck:
    """The checks of one model's calls. Calls that are alike are looked at once."""

    def __init__(self, model: Model, functions: Sequence[Tree], ir_version: int) -> None:
        self.model = model
        self.functions = {function_key(one): one for one in functions}
        self.domains = {domain_of(one.get("domain", "")) for one in functions}
        self.extensions: Mapping[str, Any] = model.options.get("extensions", {})
        self.is_old = ir_version < 2
        self.external = ExternalCheck(model, model.extra["files"])
        self.sound: set[Any] = set()
        self.told: set[str] = set()  # domains of operators that nobody declares
        self.near: dict[str, Lookup] = {}  # functions, by their domains
        self.better: dict[tuple[str, int], int | None] = {}  # opsets that nodes of a domain ask for
        self.formal: frozenset[str] = frozenset()  # attributes of the function that is looked at

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
                    self.model.extra["sizes in doubt"].add(at)
                yield from found
        for k, sparse in enumerate(tree.get("sparse_initializer", ())):
            from irlint.formats.onnx.sparse import sparse_problems

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
                found = list(self._call(call, (*path, k), known))
                if not found:
                    sound.add(key)
                yield from found
            for j, attribute in enumerate(attributes):
                if "g" in attribute:
                    yield from self.graph(attribute["g"], (*path, k, "attribute", j, "g"), known)
                for n, graph in enumerate(attribute.get("graphs", ())):
                    yield from self.graph(graph, (*path, k, "attribute", j, "graphs", n), known)

    def _call(self, call: Tree, path: Path, known: Opsets) -> Iterator[Problem]:
        op, who, name = call.get("op_type", ""), label(call), name_of(call)
        if not op:
            yield Problem(R.missing_key, Place((*path, "op_type")), f"node {name!r} has no operator", name)
            return
        if not call.get("input") and not call.get("output"):
            yield Problem(R.wrong_output_count, Place((*path, "op_type")), f"{who} has no inputs and no outputs", name)
            return
        for j, attribute in enumerate(call.get("attribute", ())):
            for problem in written_problems(attribute, (*path, "attribute", j), who, self.is_old, self.external):
                problem.node = name
                yield problem
        yield from self._twice(call, path)
        domain = domain_of(call.get("domain", ""))
        if (
            call.get("domain") == DEFAULT
        ):  # onnx.checker 1.23.2 and OpenVINO 2026.4 find no operators there, whatever is imported
            message = f"expected an empty domain for {who}, got `{DEFAULT}`"
            yield Problem(R.value_not_allowed, Place((*path, "domain")), message, name, _undotted(path))
        function = self.functions.get(function_key(call, "op_type"))
        if function is not None and not self._is_hidden(op, domain, known):
            yield from self._of_function(call, path, function)
            return
        if op in self.extensions.get(domain, {}) or (domain in self.extensions and not self.extensions[domain]):
            return
        opset = opsets.opset_of(domain, known)
        operator = None if opset is None else opsets.in_opset(op, domain, opset)
        if operator is None or opsets.is_deprecated(operator):
            yield from self._missing(call, path, domain, opset)
            return
        if domain == DEFAULT and operator.facts.get("only") and operator.name not in self.told:
            self.told.add(operator.name)
            since = next((one for one in opsets.versions(op) if one > (opset or 1)), None)
            later = f" before opset {since}" if since else ""
            message = f"`{op}` is not part of ai.onnx{later}; only onnxruntime has it"
            at = Place((*path, "op_type"))
            yield Problem(R.operator_not_in_version, at, message, name, severity=Severity.WARNING)
        miscounted = list(_counts(call, path, operator))
        if miscounted and (newer := self._newer(call, path, domain, opset or 1)) is not None:
            yield newer
            return
        yield from miscounted
        if op == "Constant" and domain == DEFAULT and len(call.get("attribute", ())) != 1:
            message = f"expected 1 attribute for {who}, such as `value`, got {len(call.get('attribute', ()))}"
            yield Problem(R.missing_attribute, Place((*path, "op_type")), message, name)
        if domain == DEFAULT and op in ("If", "Loop", "Scan", "SequenceMap") and not miscounted:
            yield from body_problems(call, path, who, name, operator.name)
        yield from self._attributes(call, path, operator, domain, opset or 1)
        if domain == DEFAULT:
            yield from output_type_problems(call, path, operator, who, name)
        elif domain == "ai.onnx.ml":
            from irlint.formats.onnx.ml_lists import list_problems

            yield from list_problems(call, path, operator.attributes, who, name)

    @staticmethod
    def _is_hidden(op: str, domain: str, known: Opsets) -> bool:
        """Return whether runtimes look for an operator where the model has a function: onnx.checker 1.23.2 and onnxruntime 1.32
        call no functions of the domains that onnx defines, unless onnx has an operator of that name."""
        opset = opsets.opset_of(domain, known)
        if opset is None or domain.startswith("com.microsoft") or opsets.newest_opset(domain) is None:
            return False
        return opsets.in_opset(op, domain, opset) is None

    def _newer(self, call: Tree, path: Path, domain: str, opset: int) -> Problem | None:
        """Return the problem of a call that has an input which is an attribute in the model's opset."""
        last = len(call.get("input", ())) - 1
        if (found := opsets.still_attributes(call["op_type"], domain, opset).get(last)) is None:
            return None
        attribute, since = found
        message = f"`{attribute}` of {label(call)} is an input since opset {since}; the model imports {opset}"
        at, fix = Place((*path, "input", last)), self._fitting(path, domain, opset, 1)
        return Problem(R.wrong_input_count, at, message, name_of(call), fix)

    def _twice(self, call: Tree, path: Path) -> Iterator[Problem]:
        seen: dict[str, int] = {}
        for j, attribute in enumerate(call.get("attribute", ())):
            name = attribute.get("name", "")
            if name in seen:
                at = Place((*path, "attribute", j, "name"))
                related = [("first defined here", Place((*path, "attribute", seen[name], "name")))]
                message = f"duplicate attribute `{name}` for {label(call)}"
                fix = removing((*path, "attribute", j), name)
                yield Problem(R.duplicate_attribute, at, message, name_of(call), fix, related)
            seen.setdefault(name, j)

    def _missing(self, call: Tree, path: Path, domain: str, opset: int | None) -> Iterator[Problem]:
        """Report an operator that the opset does not have."""
        op, at, name = call["op_type"], Place((*path, "op_type")), name_of(call)
        newest = opsets.newest_opset(domain)
        if newest is None:
            if domain in self.domains:
                from irlint.tools.names import Lookup

                if domain not in self.near:
                    self.near[domain] = Lookup([key[1] for key in self.functions if key[0] == domain], _COMPARISONS)
                meant = self.near[domain].near(op)
                message = f"the model has no function `{op}` of domain {domain}"
                yield Problem(R.unknown_operator, at, f"{message}{_asking(meant)}", name, _renaming(at, meant))
            elif domain not in self.told:
                self.told.add(domain)
                yield self._foreign(call, path, domain)
            return
        if opset is None:
            opset = newest  # the missing import has been reported
            if opsets.in_opset(op, domain, opset) is not None:
                return
        absence = opsets.absence(op, domain, min(opset, newest))
        if absence is not None:
            if absence.since is not None:
                message = f"`{op}` needs opset {absence.since}; the model imports {opset}"
            elif opsets.since_of(op, domain, absence.until or 0) is None:
                later = [n for n in opsets.versions(op, domain) if n > opset]
                instead = f"; opset {later[0]} defines it again" if later else ""
                message = f"`{op}` is deprecated in opset {opset}{instead}"
            else:
                successor = opsets.successor(op, domain)
                instead = f"; use `{successor}`" if successor else ""
                message = f"`{op}` was removed after opset {absence.until}; the model imports {opset}{instead}"
            yield Problem(R.operator_not_in_version, at, message, name, self._fitting(path, domain, opset, 1))
            return
        if elsewhere := [other for other in opsets.domains_with(op) if other != domain]:
            message = f"unknown operator `{op}` of domain {domain}; {elsewhere[0]} has it"
            yield Problem(R.unknown_operator, at, message, name)
            return
        if (function := self.functions.get(function_key(call, "op_type"))) is not None:
            message = f"unknown operator `{op}` of domain {domain}; functions of the model cannot add operators to it"
            related = [("defined here", Place((*self._place(function), "name")))]
            yield Problem(R.unknown_operator, at, message, name, None, related)
            return
        meant = opsets.nearest_operator(op, domain, min(opset, newest))
        message = f"unknown operator `{op}`{'' if domain == DEFAULT else f' of domain {domain}'}{_asking(meant)}"
        yield Problem(R.unknown_operator, at, message, name, _renaming(at, meant))

    def _foreign(self, call: Tree, path: Path, domain: str) -> Problem:
        known = [other for other in table("onnx").raw["opsets"] if other != domain]
        meant = nearest(domain, known)
        at = Place((*path, "domain"))
        if meant is not None:
            message = f"unknown domain `{domain}` of operator `{call['op_type']}`{_asking(meant)}"
            fix = None if meant == DEFAULT else writing(at, meant, f"Replace with `{meant}`")
            return Problem(R.unknown_operator, at, message, name_of(call), fix)
        message = (
            f"unknown domain `{domain}` of operator `{call['op_type']}`; if your program registers it, set "
            f"`extensions: {{{domain}: {{{call['op_type']}: {{}}}}}}` in irlint.yaml"
        )
        return Problem(R.unknown_operator, at, message, name_of(call))

    def _of_function(self, call: Tree, path: Path, function: Tree) -> Iterator[Problem]:
        for word, rule in (("input", R.wrong_input_count), ("output", R.wrong_output_count)):
            most, got = len(function.get(word, ())), len(call.get(word, ()))
            if got > most:
                message = f"expected at most {words.count(most, word)} for {label(call)}, got {got}"
                related = [("defined here", Place((*self._place(function), "name")))]
                yield Problem(rule, Place((*path, word, most)), message, name_of(call), None, related)
        yield from self._left_out(call, path, function)
        known = formal_attributes(function)
        given = {one.get("name", ""): j for j, one in enumerate(call.get("attribute", ()))}
        for name, j in given.items():
            if name not in known:
                meant = nearest(name, [other for other in known if other not in given])
                at = Place((*path, "attribute", j, "name"))
                message = f"unknown attribute `{name}` for {label(call)}{_asking(meant)}"
                fix = _renaming(at, meant) or removing(at.path[:-1], name)
                # onnxruntime 1.32 and onnx's inference ignore it
                severity = Severity.WARNING
                yield Problem(R.unknown_attribute, at, message, name_of(call), fix, severity=severity)
        kinds = attribute_kinds(function)
        for name, j in given.items():
            kind = ATTRIBUTE_TYPES.get(call["attribute"][j].get("type", 0), ("", ""))[0]
            if name in kinds and kind and kind != kinds[name]:
                at = Place((*path, "attribute", j, "type"))
                message = f"expected {_phrase(kinds[name])} for `{name}` of {label(call)}, got type {kind}"
                yield Problem(R.wrong_attribute_type, at, message, name_of(call))
        required = required_attributes(function)
        for name in function.get("attribute", ()):
            if name not in given and not any(nearest(other, [name]) for other in given if other not in known):
                # attributes of the function's nodes that refer to it are left out, too
                severity = Severity.ERROR if name in required else Severity.WARNING
                message = f"missing attribute `{name}` for {label(call)}"
                at = Place((*path, "op_type"))
                yield Problem(R.missing_attribute, at, message, name_of(call), severity=severity)

    def _left_out(self, call: Tree, path: Path, function: Tree) -> Iterator[Problem]:
        """Report inputs that the function needs, and outputs that have no name, not even an empty one: onnxruntime 1.32 refuses both."""
        given, formal = call.get("input", ()), function.get("input", ())
        made, wanted = call.get("output", ()), function.get("output", ())
        if len(given) >= len(formal) and "" not in given and len(made) >= len(wanted):
            return
        related = [("defined here", Place((*self._place(function), "name")))]
        for k, name in enumerate(formal):
            if not any(given[k : k + 1]) and name in self.needed[function_key(function)]:
                message = f"missing required input `{name}` for {label(call)}"
                at = Place((*path, "input", k) if k < len(given) else (*path, "op_type"))
                yield Problem(R.wrong_input_count, at, message, name_of(call), None, related)
        if len(made) < len(wanted):
            expected = f"{words.count(len(wanted), 'output')} ({', '.join(wanted)})"
            message = f"expected {expected} for {label(call)}, got {len(made)}"
            yield Problem(R.wrong_output_count, Place((*path, "op_type")), message, name_of(call), None, related)

    @cached_property
    def needed(self) -> dict[Key, set[str]]:
        """Return the inputs of functions that calls cannot leave out."""
        return needed_inputs(self.functions, imports(self.model.document.value_at(())))

    def _place(self, function: Tree) -> Path:
        return ("functions", list(self.functions.values()).index(function))

    def _attributes(self, call: Tree, path: Path, operator: Operator, domain: str, opset: int) -> Iterator[Problem]:
        known, who, name = operator.attributes, label(call), name_of(call)
        given = {one.get("name", ""): j for j, one in enumerate(call.get("attribute", ()))}
        missing = {key for key, one in known.items() if one.required and key not in given}
        for key, j in given.items():
            if not key:
                continue
            if (attribute := known.get(key)) is not None:
                yield from self._value(call, (*path, "attribute", j), call["attribute"][j], attribute, operator)
                continue
            yield self._unknown(call, path, j, operator, domain, opset, missing)
        yield from _lengths(call, path, operator, given)
        yield from _padded_twice(call, path, given)
        for key in sorted(missing):
            message = f"missing required attribute `{key}` for {who}"
            yield Problem(R.missing_attribute, Place((*path, "op_type")), message, name)

    def _unknown(
        self, call: Tree, path: Path, j: int, operator: Operator, domain: str, opset: int, missing: set[str]
    ) -> Problem:
        op, name = call["op_type"], name_of(call)
        attribute, at = call["attribute"][j], Place((*path, "attribute", j, "name"))
        key = attribute["name"]
        severity = Severity.WARNING if domain == DEFAULT and op in _UNCHECKED else None
        remove = removing((*path, "attribute", j), key)
        if (moved := opsets.moved(op, domain, key, opset)) is not None:
            what = "an input" if moved.input is not None else f"`{moved.name}`"
            return Problem(
                R.unknown_attribute,
                at,
                f"`{key}` of {label(call)} is {what} since opset {moved.since}",
                name,
                self._fitting(path, domain, opset, 2),
            )
        free = [other for other in operator.attributes if other not in {a.get("name") for a in call["attribute"]}]
        foreign = _FOREIGN.get(key)
        meant = nearest(key, sorted(missing)) or nearest(key, free) or (foreign if foreign in free else None)
        if meant is not None:
            missing.discard(meant)
            message = f"unknown attribute `{key}` for {label(call)}{_asking(meant)}"
            return Problem(R.unknown_attribute, at, message, name, _renaming(at, meant), severity=severity)
        message = f"unknown attribute `{key}` for {label(call)}"
        if later := [since for since in opsets.with_attribute(op, domain, key) if since > opset]:
            message = f"{message}; it needs opset {later[0]}, and the model imports {opset}"
        elif earlier := opsets.with_attribute(op, domain, key):
            after = next((since for since in opsets.versions(op, domain) if since > earlier[-1]), None)
            message = f"{message}; opset {after} removed it" if after else message
        is_elsewhere = bool(opsets.with_attribute(op, domain, key))
        fix = self._fitting(path, domain, opset, 2) if is_elsewhere else None
        return Problem(R.unknown_attribute, at, message, name, fix or remove, severity=severity)

    def _fitting(self, path: Path, domain: str, opset: int, least: int) -> Repair | None:
        """Return a fix that imports the opset of a domain that its nodes fit, if at least so many kinds of nodes ask for it."""
        rows = self.model.document.value_at(()).get("opset_import", ())
        k = next((k for k, one in enumerate(rows) if domain_of(one.get("domain", "")) == domain), None)
        if k is None or path[0] == "functions" or rows[k].get("version") != opset:
            return None
        if (domain, least) not in self.better:
            self.better[domain, least] = better(self.model.document.value_at(()), domain, opset, least)
        best = self.better[domain, least]
        at = Place(("opset_import", k, "version"))
        return None if best is None else writing(at, best, f"Import opset {best} of {domain}")

    def _reference(self, call: Tree, path: Path, target: str, attribute: Attribute) -> Problem:
        """Return the problem of an attribute that refers to one of a function where there is none of that name. OpenVINO 2026.4 takes it
        for left out, and onnxruntime 1.32 for 0 or an empty string, which does no harm where that is the default."""
        at, meant = Place((*path, "ref_attr_name")), nearest(target, list(self.formal))
        where = (
            "the function has no such attribute" if path[0] == "functions" else "only nodes of functions can do that"
        )
        message = (
            f"attribute `{attribute.name}` of {label(call)} refers to an attribute `{target}`; {where}{_asking(meant)}"
        )
        fix, severity = _renaming(at, meant), None if _is_harmed(attribute) else Severity.WARNING
        return Problem(R.undefined_reference, at, message, name_of(call), fix, severity=severity)

    def _value(
        self, call: Tree, path: Path, written: Tree, attribute: Attribute, operator: Operator
    ) -> Iterator[Problem]:
        if (target := written.get("ref_attr_name")) is not None and target not in self.formal:
            yield self._reference(call, path, target, attribute)
            return
        kind = ATTRIBUTE_TYPES.get(written.get("type", 0), ("", ""))[0] or kind_by_value(written)
        if kind in ("", attribute.kind):
            if not kind or "ref_attr_name" in written or attribute.kind not in _PHRASES:
                return
            value = value_of(written)
            value = list(value) if isinstance(value, tuple) else value
            if value == [] and "per_axis" in attribute.facts:
                message = f"expected values for `{attribute.name}` of {label(call)}, got none"
                yield Problem(
                    R.wrong_value_length,
                    Place((*path, "value")),
                    message,
                    name_of(call),
                    removing(path, attribute.name),
                )
                return
            for fault in flaws(value, lambda held: held, "", attribute):
                at = Place((*path, "value"))
                message = f"{fault.message} for `{attribute.name}` of {label(call)}{fault.rest}"
                fix = (
                    None
                    if fault.better is NO_VALUE
                    else writing(at, fault.better, f"Set `{attribute.name}` to {shown(fault.better)}")
                )
                is_read = _is_read(call, operator, attribute)
                severity = None if is_read and is_refused(fault.rule, value, attribute) else Severity.WARNING
                yield Problem(fault.rule, at, message, name_of(call), fix, severity=severity)
            return
        if kind_by_value(written) not in ("", kind):
            return  # the type is not that of the value, which has been reported
        at = Place((*path, "type"))
        message = f"expected {_phrase(attribute.kind)} for `{attribute.name}` of {label(call)}, got type {kind}"
        yield Problem(R.wrong_attribute_type, at, message, name_of(call))


def _is_harmed(attribute: Attribute) -> bool:
    """Return whether it matters that an attribute is 0 or an empty string in onnxruntime."""
    if attribute.required or attribute.kind.endswith("s"):
        return True
    if attribute.kind == "string":
        return any(is_refused(fault.rule, "", attribute) for fault in flaws("", lambda held: held, "", attribute))
    return attribute.kind == "int" and attribute.default not in (0, None)


def _is_read(call: Tree, operator: Operator, attribute: Attribute) -> bool:
    """Return whether an attribute matters with the others that a node has."""
    where = attribute.facts.get("where")
    if where is None:
        return True
    other, word = where
    given = [value_of(one) for one in call.get("attribute", ()) if one.get("name") == other]
    return word in (given or [operator.attributes[other].default])


def _phrase(kind: str) -> str:
    return _PHRASES.get(kind, f"a value of type {kind}")


def _lengths(call: Tree, path: Path, operator: Operator, given: Mapping[str, int]) -> Iterator[Problem]:
    """Report lists of numbers for each axis that disagree on how many axes there are."""
    axes: dict[str, float] = {}
    for key, j in given.items():
        attribute = operator.attributes.get(key)
        if attribute is None or "per_axis" not in attribute.facts:
            continue
        if isinstance(value := value_of(call["attribute"][j]), tuple) and value:
            axes[key] = len(value) / attribute.facts["per_axis"]
    if len(set(axes.values())) < 2:
        return
    judge = "kernel_shape" if "kernel_shape" in axes else Counter(axes.values()).most_common(1)[0][0]
    number = axes[judge] if isinstance(judge, str) else judge
    for key, got in axes.items():
        if got != number:
            attribute = operator.attributes[key]
            wanted = int(number * attribute.facts["per_axis"])
            message = f"expected {words.count(wanted, 'value')} for `{key}` of {label(call)}, got {int(got * attribute.facts['per_axis'])}"
            yield Problem(
                R.wrong_value_length, Place((*path, "attribute", given[key], "value")), message, name_of(call)
            )


def _undotted(path: Path) -> Repair:
    """Return a fix that removes the domain of a call."""

    def fix(document: Document) -> Fix | None:
        assert isinstance(document, OnnxDocument)
        edits = document.changed((*path, "domain"), None)
        return Fix(f"Remove `{DEFAULT}.`", edits, "unsafe") if edits else None

    return fix


def _padded_twice(call: Tree, path: Path, given: Mapping[str, int]) -> Iterator[Problem]:
    """Report pads of convolutions that find their own: onnxruntime 1.32 refuses even zeros. Pooling ignores them."""
    if "Conv" not in call["op_type"] or not {"pads", "auto_pad"} <= given.keys():
        return
    word = value_of(call["attribute"][given["auto_pad"]])
    pads = value_of(call["attribute"][given["pads"]])
    if pads and word in ("SAME_UPPER", "SAME_LOWER", "VALID"):
        at = (*path, "attribute", given["pads"])
        message = f"`pads` of {label(call)} cannot be combined with `auto_pad` {word}"
        yield Problem(R.value_not_allowed, Place((*at, "name")), message, name_of(call), removing(at, "pads"))


def _counts(call: Tree, path: Path, operator: Operator) -> Iterator[Problem]:
    for rule, word, ports in (
        (R.wrong_input_count, "input", operator.inputs),
        (R.wrong_output_count, "output", operator.outputs),
    ):
        names = call.get(word, ())
        least, most = bounds(ports)
        least = max(operator.facts.get(f"least_{word}s", 0), _least(ports), 0)
        got = len(names)  # empty names at the end count, too: onnx 1.23.2 and onnxruntime 1.32 refuse more than `most`
        if got < least or (most is not None and got > most):
            part = (*path, word, most) if most is not None and got > most else (*path, "op_type")
            allowed = (
                words.count(least, word)
                if least == most
                else f"at least {words.count(least, word)}"
                if most is None
                else f"{least} to {words.count(most, word)}"
            )
            listed = f" ({', '.join(port.name for port in ports)})" if ports else ""
            message = f"expected {allowed}{listed} for {label(call)}, got {len(names)}"
            yield Problem(rule, Place(part), message, name_of(call))
            continue
        more = [ports[-1]] * (got - len(ports)) if ports and ports[-1].kind == "variadic" else []
        for k, (port, given) in enumerate(zip((*ports, *more), names, strict=False)):
            if not given and (port.kind in ("required", "variadic") or operator.facts.get(f"named_{word}s")):
                message = f"missing required {word} `{port.name}` for {label(call)}"
                yield Problem(rule, Place((*path, word, k)), message, name_of(call))


def _least(ports: Sequence[Port]) -> int:
    """Return how many have to be written: up to the last one that is required."""
    needed = [k for k, port in enumerate(ports, 1) if port.kind in ("required", "variadic")]
    last = ports[-1].facts.get("least", 1) - 1 if ports and ports[-1].kind.startswith("variadic") else 0
    return (needed[-1] if needed else 0) + last


def label(call: Tree) -> str:
    """Return a call as messages name it."""
    name = name_of(call)
    return f"{call.get('op_type', '')} {name!r}" if name else f"{call.get('op_type', '')} without a name"


def name_of(call: Tree) -> str:
    return call.get("name") or next(filter(None, call.get("output", ())), "")


def _asking(meant: str | None) -> str:
    return "" if meant is None else f"; did you mean `{meant}`?"


def _renaming(at: Place, meant: str | None) -> Repair | None:
    return None if meant is None else writing(at, meant, f"Rename to `{meant}`")
