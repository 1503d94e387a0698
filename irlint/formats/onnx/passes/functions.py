"""The model's own functions: defined once, not recursive, in a domain that is imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from irlint.checks.fault import writing
from irlint.codes import R, Severity
from irlint.findings import Problem
from irlint.formats.onnx.opsets import DEFAULT, domain_of, in_opset, newest_opset, port_at, resolve
from irlint.formats.onnx.passes.structure import imports
from irlint.formats.onnx.trees import calls_in, names_of, repeated
from irlint.formats.onnx.wire import ATTRIBUTE_TYPES
from irlint.operators import Attribute, Port
from irlint.text.base import Path, Place
from irlint.text.prototext.messages import Tree

Key = tuple[str, str, str]
_JUDGED = (DEFAULT, "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview.training")  # domains of onnx.checker's operators


def function_key(tree: Tree, name: str = "name") -> Key:
    """Return what identifies a function; of a call with `name` "op_type", the function that it calls."""
    return domain_of(tree.get("domain", "")), tree.get(name, ""), tree.get("overload", "")


def formal_attributes(function: Tree) -> frozenset[str]:
    """Return the attributes that calls of a function have."""
    return frozenset(names_of((*function.get("attribute", ()), *function.get("attribute_proto", ()))))


def passed_attributes(function: Tree) -> dict[str, list[Attribute]]:
    """Return the attributes of operators to which nodes pass each attribute of a function on: onnxruntime 1.32 refuses other types."""
    found: dict[str, list[Attribute]] = {}
    for name, attribute in _passed_on(function):
        found.setdefault(name, []).append(attribute)
    return found


def _passed_on(function: Tree) -> Iterator[tuple[str, Attribute]]:
    """Yield the attributes of a function to which those of operators refer."""
    imported = imports(function)
    for call in calls_in(function.get("node", ())):
        domain = domain_of(call.get("domain", ""))
        operator = in_opset(call.get("op_type", ""), domain, imported.get(domain, 0))
        attributes = operator.attributes if operator is not None else {}
        for attribute in call.get("attribute", ()):
            if "ref_attr_name" in attribute and attribute.get("name", "") in attributes:
                yield attribute["ref_attr_name"], attributes[attribute.get("name", "")]


def function_problems(model: Tree) -> Iterator[Problem]:
    functions: Sequence[Tree] = model.get("functions", ())
    keys = [function_key(function) for function in functions]
    before = dict(repeated(keys))
    for k, function in enumerate(functions):
        path: Path = ("functions", k)
        name, at = function.get("name", ""), Place((*path, "name"))
        if not name:
            yield Problem(R.missing_key, at, "a function has no name")
        if k in before:
            message = f"duplicate function {name!r} of domain {keys[k][0]}"
            yield _twice(message, at, name, Place(("functions", before[k], "name")))
        for word in ("input", "output", "attribute"):
            names = function.get(word, ())
            for j, _ in repeated(names):
                message = f"duplicate {word} {names[j]!r} of function {name!r}"
                yield _twice(message, Place((*path, word, j)), name)
        yield from _defaults(function, path, name)
        yield from _other_opsets(function, path, imports(model))
    if functions and model.get("ir_version", 0) < 8:
        message = f"functions need IR version 8; the model has {model.get('ir_version', 0)}"
        yield Problem(R.value_not_allowed, Place(("ir_version",)), message, severity=Severity.WARNING)
    cycle = _cycle({key: _callees(function) for key, function in zip(keys, functions, strict=True)})
    if cycle:
        names = " -> ".join(repr(name) for _, name, _ in cycle)
        at = Place(("functions", keys.index(cycle[-1]), "name"))
        yield Problem(R.cycle, at, f"functions call each other: {names}", cycle[-1][1])


def _twice(message: str, at: Place, name: str, first: Place | None = None) -> Problem:
    related = [] if first is None else [("first defined here", first)]
    return Problem(R.duplicate_definition, at, message, name, None, related)


def _callees(function: Tree) -> list[Key]:
    """Return the keys of what the nodes of a function call."""
    return [function_key(call, "op_type") for call in calls_in(function.get("node", ()))]


def _defaults(function: Tree, path: Path, name: str) -> Iterator[Problem]:
    """Report defaults of attributes that are of another type than the operators to which the function passes them on."""
    given = function.get("attribute_proto", ())
    passed = passed_attributes(function) if given else {}
    for j, one in enumerate(given):
        word = one.get("name", "")
        kind = ATTRIBUTE_TYPES.get(one.get("type", 0), ("", ""))[0]
        wanted = passed[word][-1].kind if word in passed else kind
        if kind and kind != wanted:
            at = Place((*path, "attribute_proto", j))
            message = f"expected a default of type {wanted} for `{word}` of function {name!r}, got {kind}"
            yield Problem(R.wrong_attribute_type, at, message, name)


def _other_opsets(function: Tree, path: Path, known: Mapping[str, int]) -> Iterator[Problem]:
    """Report opsets that differ from the model's where an operator does, too: onnx.checker 1.23.2 refuses that, also in functions that
    nobody calls. It looks at the nodes of the function itself, not at those of nested graphs."""
    differing: dict[tuple[str, int], str | None] = {}  # an operator by domain and version: files may repeat an import
    for k, one in enumerate(function.get("opset_import", ())):
        domain, version = domain_of(one.get("domain", "")), one.get("version", 0)
        other, newest = known.get(domain, version), newest_opset(domain) or 0
        if domain not in _JUDGED or not 1 <= min(version, other) < max(version, other) <= newest:
            continue
        if (domain, version) not in differing:
            differing[domain, version] = _differing(function, domain, version, other)
        if (op := differing[domain, version]) is not None:
            name, at = function.get("name", ""), Place((*path, "opset_import", k, "version"))
            what = f"function {name!r} imports opset {version} of {domain}, the model {other}"
            message = f"{what}; `{op}` differs between them"
            yield Problem(R.value_not_allowed, at, message, function.get("name"), writing(at, other))


def _differing(function: Tree, domain: str, version: int, other: int) -> str | None:
    """Return the first operator of a function's own nodes that differs between two opsets."""
    calls = [call for call in function.get("node", ()) if domain_of(call.get("domain", "")) == domain]
    ops = dict.fromkeys(call.get("op_type", "") for call in calls)
    return next((op for op in ops if in_opset(op, domain, version) is not in_opset(op, domain, other)), None)


def needed_inputs(functions: Mapping[Key, Tree], known: Mapping[str, int]) -> dict[Key, set[str]]:
    """Return the inputs of functions that calls cannot leave out, as operators in the function require them."""
    found: dict[Key, set[str]] = {key: set() for key in functions}
    passed: dict[tuple[Key, str], list[tuple[Key, str]]] = {}  # inputs of functions that call others with them
    waiting: list[tuple[Key, str]] = []
    inputs = {key: set(function.get("input", ())) for key, function in functions.items()}
    for key, function in functions.items():
        opsets = imports(function) or known
        for call in calls_in(function.get("node", ())):
            names, callee = call.get("input", ()), function_key(call, "op_type")
            if callee in functions:
                for name, formal in zip(names, functions[callee].get("input", ()), strict=False):
                    passed.setdefault((callee, formal), []).append((key, name))
            else:
                operator = resolve(call.get("op_type", ""), call.get("domain", ""), opsets)
                waiting += [(key, name) for name in _needed(names, operator.inputs if operator is not None else ())]
    while waiting:
        key, name = waiting.pop()
        if name in inputs[key] and name not in found[key]:
            found[key].add(name)
            waiting += passed.get((key, name), ())
    return found


def _needed(names: Sequence[str], ports: Sequence[Port]) -> list[str]:
    """Return the inputs that an operator requires."""
    return [name for k, name in enumerate(names) if ports and port_at(ports, k).kind != "optional"]


def called_functions(model: Tree) -> set[Key]:
    """Return the keys of what the graph of a model calls, and of what those functions call."""
    bodies: dict[Key, Tree] = {}
    for function in model.get("functions", ()):
        bodies.setdefault(function_key(function), function)
    waiting = _callees(model.get("graph", {})) if bodies else []
    found: set[Key] = set()
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting += _callees(bodies[key]) if key in bodies else []
    return found


def _cycle(callees: Mapping[Key, Sequence[Key]]) -> list[Key]:
    """Return the first functions that call each other, the last of which is the first again."""
    done: set[Key] = set()
    for root in callees:
        way: dict[Key, None] = {}  # in order
        waiting = [(root, False)]
        while waiting:
            key, is_left = waiting.pop()
            if is_left:
                way.popitem()
                done.add(key)
            elif key not in done:
                way[key] = None
                waiting.append((key, True))
                again = next((callee for callee in callees[key] if callee in way), None)
                if again is not None:
                    keys = [*way, again]
                    return keys[keys.index(again) :]
                waiting += [(callee, False) for callee in callees[key] if callee in callees]
    return []
