"""The model's own functions: defined once, not recursive, in a domain that is imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from irlint.checks.fault import writing
from irlint.codes import R, Severity
from irlint.findings import Problem
from irlint.formats.onnx.opsets import DEFAULT, domain_of, in_opset, newest_opset, resolve
from irlint.formats.onnx.passes.structure import imports
from irlint.formats.onnx.trees import calls_in
from irlint.formats.onnx.wire.messages import ATTRIBUTE_TYPES
from irlint.formats.onnx.wire.reader import Tree
from irlint.operators import Attribute
from irlint.text.base import Path, Place

Key = tuple[str, str, str]
_JUDGED = (DEFAULT, "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview.training")  # domains of onnx.checker's operators


def function_key(tree: Tree, name: str = "name") -> Key:
    """Return what identifies a function; of a call with `name` "op_type", the function that it calls."""
    return domain_of(tree.get("domain", "")), tree.get(name, ""), tree.get("overload", "")


def formal_attributes(function: Tree) -> frozenset[str]:
    """Return the attributes that calls of a function have."""
    return frozenset(
        (*function.get("attribute", ()), *(one.get("name", "") for one in function.get("attribute_proto", ())))
    )


def required_attributes(function: Tree) -> frozenset[str]:
    """Return the attributes of a function that its nodes pass on to required attributes."""
    return frozenset(name for name, attribute in _passed_on(function) if attribute.required)


def attribute_kinds(function: Tree) -> dict[str, str]:
    """Return the types of a function's attributes that its nodes pass on to operators: onnxruntime 1.32 refuses others."""
    return {name: attribute.kind for name, attribute in _passed_on(function)}


def _passed_on(function: Tree) -> Iterator[tuple[str, Attribute]]:
    """Yield the attributes of a function to which those of operators refer."""
    imported = {domain_of(one.get("domain", "")): one.get("version", 0) for one in function.get("opset_import", ())}
    for call in calls_in(function.get("node", ())):
        domain = domain_of(call.get("domain", ""))
        operator = in_opset(call.get("op_type", ""), domain, imported.get(domain, 0))
        attributes = operator.attributes if operator is not None else {}
        for attribute in call.get("attribute", ()):
            known = attributes.get(attribute.get("name", ""))
            if known is not None and "ref_attr_name" in attribute:
                yield attribute["ref_attr_name"], known


def function_problems(model: Tree) -> Iterator[Problem]:
    functions: Sequence[Tree] = model.get("functions", ())
    first: dict[Key, Path] = {}
    for k, function in enumerate(functions):
        path: Path = ("functions", k)
        name = function.get("name", "")
        if not name:
            yield Problem(R.missing_key, Place((*path, "name")), "a function has no name")
        key = function_key(function)
        if key in first:
            related = [("first defined here", Place((*first[key], "name")))]
            message = f"duplicate function {name!r} of domain {key[0]}"
            yield Problem(R.duplicate_definition, Place((*path, "name")), message, name, None, related)
        first.setdefault(key, path)
        for word in ("input", "output", "attribute"):
            yield from _twice(function.get(word, ()), (*path, word), word, name)
        yield from _defaults(function, path, name)
        yield from _other_opsets(function, path, imports(model))
    if functions and model.get("ir_version", 0) < 8:
        message = f"functions need IR version 8; the model has {model.get('ir_version', 0)}"
        yield Problem(R.value_not_allowed, Place(("ir_version",)), message, severity=Severity.WARNING)
    yield from _recursive(functions, first)


def _defaults(function: Tree, path: Path, name: str) -> Iterator[Problem]:
    """Report defaults of attributes that are of another type than the operators to which the function passes them on."""
    given = function.get("attribute_proto", ())
    kinds = attribute_kinds(function) if given else {}
    for j, one in enumerate(given):
        word = one.get("name", "")
        kind = ATTRIBUTE_TYPES.get(one.get("type", 0), ("", ""))[0]
        if kind and kind != kinds.get(word, kind):
            at = Place((*path, "attribute_proto", j))
            message = f"expected a default of type {kinds[word]} for `{word}` of function {name!r}, got {kind}"
            yield Problem(R.wrong_attribute_type, at, message, name)


def _other_opsets(function: Tree, path: Path, known: Mapping[str, int]) -> Iterator[Problem]:
    """Report opsets that differ from the model's where an operator does, too: onnx.checker 1.23.2 refuses that, also in functions that
    nobody calls. It looks at the nodes of the function itself, not at those of nested graphs."""
    differing: dict[tuple[str, int], str | None] = {}  # an operator by domain and version
    for k, one in enumerate(function.get("opset_import", ())):
        domain, version = domain_of(one.get("domain", "")), one.get("version", 0)
        other, newest = known.get(domain, version), newest_opset(domain) or 0
        if version == other or domain not in _JUDGED or not 1 <= min(version, other) <= max(version, other) <= newest:
            continue
        key = domain, version
        if key not in differing:
            ops = dict.fromkeys(_calls_of(function, domain))
            changed = (op for op in ops if in_opset(op, domain, version) is not in_opset(op, domain, other))
            differing[key] = next(changed, None)
        if (op := differing[key]) is not None:
            at = Place((*path, "opset_import", k, "version"))
            message = (
                f"function {function.get('name', '')!r} imports opset {version} of {domain}, the model {other}; "
                f"`{op}` differs between them"
            )
            yield Problem(R.value_not_allowed, at, message, function.get("name"), writing(at, other))


def _calls_of(function: Tree, domain: str) -> Iterator[str]:
    for call in function.get("node", ()):
        if domain_of(call.get("domain", "")) == domain:
            yield call.get("op_type", "")


def needed_inputs(functions: Mapping[Key, Tree], known: Mapping[str, int]) -> dict[Key, set[str]]:
    """Return the inputs of functions that calls cannot leave out, as operators in the function require them."""
    found: dict[Key, set[str]] = {key: set() for key in functions}
    passed: dict[tuple[Key, str], list[tuple[Key, str]]] = {}  # inputs of functions that call others with them
    work: list[tuple[Key, str]] = []
    formal = {key: {*function.get("input", ())} for key, function in functions.items()}
    for key, function in functions.items():
        own, opsets = formal[key], imports(function) or known
        for call in calls_in(function.get("node", ())):
            names, callee = call.get("input", ()), function_key(call, "op_type")
            if callee in functions:
                for name, formal in zip(names, functions[callee].get("input", ()), strict=False):
                    passed.setdefault((callee, formal), []).append((key, name))
            elif (operator := resolve(call.get("op_type", ""), call.get("domain", ""), opsets)) is not None:
                ports = operator.inputs
                for k, name in enumerate(names):
                    if name in own and ports and ports[min(k, len(ports) - 1)].kind != "optional":
                        work.append((key, name))
    while work:
        key, name = work.pop()
        if name in formal[key] and name not in found[key]:
            found[key].add(name)
            work += passed.get((key, name), ())
    return found


def _twice(names: Sequence[Any], path: Path, word: str, function: str) -> Iterator[Problem]:
    seen: set[Any] = set()
    for k, name in enumerate(names):
        if name in seen:
            message = f"duplicate {word} {name!r} of function {function!r}"
            yield Problem(R.duplicate_definition, Place((*path, k)), message, function)
        seen.add(name)


def _recursive(functions: Sequence[Tree], known: dict[Key, Path]) -> Iterator[Problem]:
    """Report the first call of each cycle of functions that call each other."""
    done: set[Key] = set()
    trees = {function_key(function): function for function in functions}
    for root in trees:
        if root in done:
            continue
        way: dict[Key, None] = {}  # in order
        work = [(root, False)]
        while work:
            key, is_left = work.pop()
            if is_left:
                way.popitem()
                done.add(key)
                continue
            if key in done:
                continue
            way[key] = None
            work.append((key, True))
            for call in calls_in(trees[key].get("node", ())):
                callee = function_key(call, "op_type")
                if callee in way:
                    keys = [*way, callee]
                    names = " -> ".join(repr(one[1]) for one in keys[keys.index(callee) :])
                    yield Problem(
                        R.cycle, Place((*known[callee], "name")), f"functions call each other: {names}", callee[1]
                    )
                    return
                if callee in trees and callee not in done:
                    work.append((callee, False))
