"""Mistakes in the structure: what the schema says, in the family's own words where it has better ones, with repairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint import schema
from irlint.checks.fault import Repair
from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.keys.missing import gap, has_run, respelled, restored, restored_entries, value_repair
from irlint.formats.nnvm.keys.repair import repair, takes
from irlint.formats.nnvm.passes.operands import is_hidden
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.json_values import as_dict, as_list, as_text, value_at
from irlint.formats.nnvm.reading.view import HOLDERS, WRAP, GraphView
from irlint.formats.nnvm.rules import R
from irlint.operators import Attribute
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Path, Place
from irlint.text.json.document import JsonDocument
from irlint.text.numbers import integer

# TVM reads leading digits, and 0 where there are none; no function has a name such as `None`
_OF_CALLS: dict[str, Attribute | bool] = {
    "func_name": False,
    **{key: Attribute(key, "uint") for key in ("num_inputs", "num_outputs", "flatten_data")},
}
_INDICES = {1: ("arg_nodes", "node_row_ptr", "control_deps"), 2: ("inputs", "heads")}  # by how deep the lists are


def problems(model: Model, name: str, value: Any) -> Iterator[Problem]:
    """Yield the schema's problems with repairs, except those that the passes on references report better."""
    document = model.document
    assert isinstance(document, JsonDocument)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
        yield _wrapped(document)
    elif value is not None or not document.troubles:
        yield from _of_schema(model, name, value)
        if as_dict(value).get("nodes") == []:
            message = "the graph has no nodes: `nodes` is empty"
            yield Problem(R.empty_model, Place(("nodes",)), message, severity=Severity.ERROR)


def _wrapped(document: JsonDocument) -> Problem:
    """Report a graph that is wrapped in a list."""

    def fix(_: Document) -> Fix:
        outer, inner = document.span(Place(())), document.span(Place((0,)))
        return Fix("Remove the list around the graph", (Edit(outer, document.text[inner.start : inner.end]),))

    return Problem(R.wrong_type, Place(()), "expected an object, got a list that holds the graph", fix=fix)


def _of_schema(model: Model, name: str, value: Any) -> Iterator[Problem]:
    for problem in schema.problems(name, value):
        assert isinstance(problem.at, Place)
        path = problem.at.path
        found = value_at(value, path)
        if _is_negative_index(found, path):
            continue  # read modulo 2**32: reported as out of range, or harmless
        if model.dialect == dialects.TVM and _is_of_input(value, path):
            continue
        if problem.key and (missing_at := gap(value, path, problem.key)) is not None:
            problem.related = [*problem.related, (f"`{problem.key}` usually goes here", missing_at)]
        if problem.fix is None:
            problem.fix = restored(value, path, problem.key) if problem.key else _repair(model, problem, value, found)
        yield _graded(model, problem)


def _graded(model: Model, problem: Problem) -> Problem:
    """Return the problem as a warning if it is about what a classic graph says about itself.

    That may be anything that helps, such as a version. Only NNVM's own loader wants a type next to it; other readers ignore it.
    """
    path = problem.at.path if isinstance(problem.at, Place) else ()
    if model.dialect == dialects.CLASSIC and path[:1] == ("attrs",) and len(path) > 1:
        problem.severity = Severity.WARNING
    return problem


def _is_of_input(value: Any, path: Path) -> bool:
    """Return whether a problem is about the attributes of a TVM graph's input, which has none."""
    is_attribute = path[:1] == ("nodes",) and path[2:3] in (("attrs",), ("attr",))
    return is_attribute and as_dict(value_at(value, path[:2])).get("op") == "null"


def _is_negative_index(found: Any, path: Path) -> bool:
    if type(found) is not int or not -WRAP < found < 0:
        return False
    depth = next((k for k in range(1, len(path)) if not isinstance(path[-k - 1], int)), 0)
    return path[-depth - 1] in _INDICES.get(depth, ())


def _reader(model: Model, value: Any, path: Path) -> Attribute | bool:
    """Return the attribute of an operator at a path; True where any text is allowed, False where none is."""
    key = str(path[-1])
    if path[-4:-3] != ("nodes",):
        return True
    if model.dialect == dialects.TVM:
        return _OF_CALLS.get(key, True)
    assert model.operators is not None
    operator = model.operators.get(str(value_at(value, (*path[:-2], "op"))))
    if operator is None or operator.facts.get("ignores_attributes"):
        return True
    return operator.attributes.get(key) or is_hidden(key) or bool(operator.facts.get("free_attributes"))


def _repair(model: Model, problem: Problem, value: Any, found: Any) -> Repair | None:
    """Return a repair: attribute values become strings that the operator accepts; bare numbers become entries."""
    path = problem.at.path if isinstance(problem.at, Place) else ()
    if problem.rule is not R.wrong_type or not path:
        return None
    if path[0] == "attrs":
        return _tagging(path, found) if len(path) == 2 and model.dialect != dialects.TVM else None
    if len(path) > 1 and path[-2] in HOLDERS and not isinstance(found, str):
        return _as_string(path, found, _reader(model, value, path))
    return _of_entry(value, path, found)


def _of_entry(value: Any, path: Path, found: Any) -> Repair | None:
    """Return the repair of a number in quotes, of entries without brackets, and of other values of a wrong type."""
    if _is_index(path) and isinstance(found, str) and found.strip().isdecimal():
        return value_repair(path, integer(found))
    siblings = as_list(value_at(value, path[:-1]))
    if type(found) is int and path[-2:-1] in (("inputs",), ("heads",)) and has_run(siblings):
        return _with_brackets(path[:-1], siblings)
    return respelled(value, path, found)


def _with_brackets(path: Path, items: list[Any]) -> Repair | None:
    entries = restored_entries(items)
    return None if entries is None else value_repair(path, entries, title="Insert the missing brackets")


def _as_string(path: Path, found: Any, attribute: Attribute | bool) -> Repair | None:
    """Return the repair of an attribute that is not a string."""
    text, is_optional = as_text(found), False
    if isinstance(attribute, Attribute):
        is_optional = bool(attribute.facts.get("nullable"))
        if text is not None and not takes(attribute, text):
            better = repair(attribute, text)
            text = better.text if better and better.safety == "safe" else None
    if text is None or not attribute:
        return None
    # MXNet 1.9.1: a tuple may be `None`, but then 20 attributes of 263 are refused by their operators, and two end the process
    return value_repair(path, text, found is not None or is_optional)


def _tagging(path: Path, found: Any) -> Repair | None:
    """Return the repair of a graph attribute that lacks its type."""
    if isinstance(found, (bool, int)) and -(1 << 31) <= found < 1 << 31:
        return value_repair(path, ["int", int(found)])
    return None


def _is_index(path: Path) -> bool:
    return isinstance(path[-1], int) and not {"inputs", "heads", "arg_nodes"}.isdisjoint(path)


def fractions(model: Model, view: GraphView) -> Iterator[Problem]:
    """Report numbers such as 3.0, which are integers to JSON Schema but not to the readers of these files."""
    for problem in _fractions_in(view.raw.get("attrs"), (*view.path, "attrs"), None):
        yield _graded(model, problem)
    for key in ("arg_nodes", "heads", "node_row_ptr"):
        yield from _fractions_in(view.raw.get(key), (*view.path, key), None)
    for i, node in enumerate(view.nodes):
        for key in ("inputs", "control_deps", "backward_source_id"):
            yield from _fractions_in(node.get(key), (*view.node_path(i), key), node["name"])


def _fractions_in(value: Any, path: Path, node: str | None) -> Iterator[Problem]:
    if isinstance(value, float):
        message = f"expected an integer without a fraction or exponent, got `{value!r}`"
        fix = value_repair(path, int(value)) if value.is_integer() else None
        yield Problem(R.wrong_type, Place(path), message, node, fix)
    elif isinstance(value, (list, dict)):
        for step, inner in enumerate(value) if isinstance(value, list) else value.items():
            if isinstance(inner, (float, list, dict)):
                yield from _fractions_in(inner, (*path, step), node)
