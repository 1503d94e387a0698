"""The model's own functions: defined once, not recursive, in a domain that is imported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irlint.codes import R, Severity
from irlint.findings import Problem
from irlint.formats.onnx.opset_guess import calls_in
from irlint.formats.onnx.opsets import domain_of, in_opset
from irlint.formats.onnx.wire import Tree
from irlint.text.base import Path, Place

Key = tuple[str, str, str]


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
    imported = {domain_of(one.get("domain", "")): one.get("version", 0) for one in function.get("opset_import", ())}
    found = set()
    for call in calls_in(function.get("node", ())):
        domain = domain_of(call.get("domain", ""))
        operator = in_opset(call.get("op_type", ""), domain, imported.get(domain, 0))
        attributes = operator.attributes if operator is not None else {}
        for attribute in call.get("attribute", ()):
            known = attributes.get(attribute.get("name", ""))
            if known is not None and known.required and "ref_attr_name" in attribute:
                found.add(attribute["ref_attr_name"])
    return frozenset(found)


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
    if functions and model.get("ir_version", 0) < 8:
        message = f"functions need IR version 8; the model has {model.get('ir_version', 0)}"
        yield Problem(R.value_not_allowed, Place(("ir_version",)), message, severity=Severity.WARNING)
    yield from _recursive(functions, first)


def _twice(names: Sequence[Any], path: Path, word: str, function: str) -> Iterator[Problem]:
    for k, name in enumerate(names):
        if name in names[:k]:
            message = f"duplicate {word} {name!r} of function {function!r}"
            yield Problem(R.duplicate_definition, Place((*path, k)), message, function)


def _recursive(functions: Sequence[Tree], known: dict[Key, Path]) -> Iterator[Problem]:
    """Report the first call of each cycle of functions that call each other."""
    done: set[Key] = set()
    trees = {function_key(function): function for function in functions}
    for root in trees:
        if root in done:
            continue
        way: list[Key] = []
        work = [(root, False)]
        while work:
            key, is_left = work.pop()
            if is_left:
                way.pop()
                done.add(key)
                continue
            if key in done:
                continue
            way.append(key)
            work.append((key, True))
            for call in calls_in(trees[key].get("node", ())):
                callee = function_key(call, "op_type")
                if callee in way:
                    names = " -> ".join(repr(one[1]) for one in (*way[way.index(callee) :], callee))
                    yield Problem(
                        R.cycle, Place((*known[callee], "name")), f"functions call each other: {names}", callee[1]
                    )
                    return
                if callee in trees and callee not in done:
                    work.append((callee, False))
