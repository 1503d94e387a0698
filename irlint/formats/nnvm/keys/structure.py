"""Mistakes in the structure: what the schema says, in the family's own words where it has better ones, with repairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from irlint import schema
from irlint.findings import Fix, Problem, Safety, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.keys.lost import gap, has_run, restored_entries
from irlint.formats.nnvm.keys.missing import respelled, restored
from irlint.formats.nnvm.keys.repair import repair, takes
from irlint.formats.nnvm.passes.operands import is_hidden
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.view import GraphView, as_text
from irlint.operators import Attribute, table
from irlint.rules.base import Model
from irlint.text.base import Document, Edit, Path, Place
from irlint.text.json.document import JsonDocument
from irlint.text.numbers import integer

_ATTRIBUTES = ("attrs", "attr", "param")
_UNSIGNED = 1 << 32
# TVM reads leading digits, and 0 where there are none; no function has a name such as `None`
_OF_CALLS: dict[str, Attribute | bool] = {
    "func_name": False,
    **{key: Attribute(key, "uint") for key in ("num_inputs", "num_outputs", "flatten_data")},
}
_INDICES = {1: ("arg_nodes", "node_row_ptr", "control_deps"), 2: ("inputs", "heads")}  # by how deep the lists are


def problems(model: Model, name: str, value: Any) -> Iterator[Problem]:
    """Yield the schema's problems with repairs, except those that the passes on references report better."""
    for problem in schema.problems(name, value):
        if not isinstance(problem.at, Place):
            yield problem
            continue
        found = _value(value, problem.at.path)
        if _is_negative_index(found, problem.at.path):
            continue  # read modulo 2**32: reported as out of range, or harmless
        if model.dialect == dialects.TVM and _of_input(value, problem.at.path):
            continue
        if problem.key and (missing_at := gap(value, problem.at.path, problem.key)) is not None:
            problem.related = [*problem.related, (f"`{problem.key}` usually goes here", missing_at)]
        if problem.fix is None:
            problem.fix = _repair(
                problem, value, found, lambda path: _reader(model, value, path), model.dialect != dialects.TVM
            )
        yield _graded(model, problem)


def _graded(model: Model, problem: Problem) -> Problem:
    """Return the problem as a warning if it is about what a classic graph says about itself.

    That may be anything that helps, such as a version. Only NNVM's own loader wants a type next to it; other readers ignore it.
    """
    path = problem.at.path if isinstance(problem.at, Place) else ()
    if model.dialect == dialects.CLASSIC and path[:1] == ("attrs",) and len(path) > 1:
        problem.severity = Severity.WARNING
    return problem


def _of_input(value: Any, path: Path) -> bool:
    """Return whether a problem is about the attributes of a TVM graph's input, which has none."""
    return (
        len(path) >= 3
        and path[0] == "nodes"
        and path[2] in ("attrs", "attr")
        and _value(value, path[:2]).get("op") == "null"
    )


def _value(value: Any, path: Path) -> Any:
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value


def _is_negative_index(found: Any, path: Path) -> bool:
    if not isinstance(found, int) or isinstance(found, bool) or not -_UNSIGNED < found < 0:
        return False
    depth = next((k for k in range(1, len(path)) if not isinstance(path[-k - 1], int)), 0)
    return depth > 0 and path[-depth - 1] in _INDICES.get(depth, ())


def _reader(model: Model, value: Any, path: Path) -> Attribute | bool:
    """Return the attribute of an operator at a path; True where any text is allowed, False where none is."""
    if len(path) < 4 or path[-4] != "nodes":
        return True
    if model.dialect == dialects.TVM:
        return _OF_CALLS.get(str(path[-1]), True)
    node = _value(value, path[:-2])
    operator = table("nnvm" if model.dialect == dialects.CLASSIC else "mxnet").get(str(node.get("op")))
    if operator is None or operator.facts.get("ignores_attributes"):
        return True
    key = str(path[-1])
    return operator.attributes.get(key) or is_hidden(key) or bool(operator.facts.get("free_attributes"))


def _repair(
    problem: Problem, value: Any, found: Any, reader: Callable[[Path], Attribute | bool], tagged: bool
) -> Callable[[Document], Fix | None] | None:
    """Return a repair: attribute values become strings that the operator accepts; bare numbers become entries."""
    assert isinstance(problem.at, Place)
    path = problem.at.path
    if problem.key:
        return restored(value, path, problem.key)
    if problem.rule is not R.wrong_type or not path:
        return None
    if path[0] == "attrs":
        return _tagging(problem.at, found) if len(path) == 2 and tagged else None
    if len(path) >= 2 and path[-2] in _ATTRIBUTES and isinstance(path[-1], str) and not isinstance(found, str):
        return _as_string(problem.at, found, reader(path))
    if _is_index(path) and isinstance(found, str) and found.strip().isdecimal():
        return _writing(problem.at, integer(found), f"Replace with `{integer(found)}`")
    if (
        type(found) is int
        and path[-2:-1] in (("inputs",), ("heads",))
        and has_run(siblings := _value(value, path[:-1]))
    ):
        entries = restored_entries(siblings)
        return _writing(Place(path[:-1]), entries, "Insert the missing brackets") if entries is not None else None
    return respelled(value, path, found)


def _as_string(at: Place, found: Any, attribute: Attribute | bool) -> Callable[[Document], Fix | None] | None:
    """Return the repair of an attribute that is not a string."""
    text = as_text(found)
    if text is not None and isinstance(attribute, Attribute):
        better = repair(attribute, text)
        text = text if takes(attribute, text) else better.text if better and better.safety == "safe" else None
    if text is None or not attribute:
        return None
    # MXNet 1.9.1: a tuple may be `None`, but then 20 attributes of 263 are refused by their operators, and two end the process
    sure = found is not None or (isinstance(attribute, Attribute) and bool(attribute.facts.get("nullable")))
    return _writing(at, text, f"Replace with `{JsonDocument.dump(text)}`", "safe" if sure else "unsafe")


def _tagging(at: Place, found: Any) -> Callable[[Document], Fix | None] | None:
    """Return the repair of a graph attribute that lacks its type."""
    if isinstance(found, (bool, int)) and -(1 << 31) <= found < 1 << 31:
        return _writing(at, ["int", int(found)], f'Replace with `["int", {int(found)}]`')
    return None


def _is_index(path: Path) -> bool:
    return bool(path) and isinstance(path[-1], int) and any(k in path for k in ("inputs", "heads", "arg_nodes"))


def _writing(at: Place, value: Any, title: str, safety: Safety = "safe") -> Callable[[Document], Fix | None]:
    return lambda document: Fix(title, document.write(at, value), safety)


def wrapped(document: JsonDocument) -> Problem:
    """Report a graph that is wrapped in a list."""

    def fix(_: Document) -> Fix:
        outer, inner = document.span(Place(())), document.span(Place((0,)))
        text = document.text
        return Fix("Remove the list around the graph", (Edit(outer, text[inner.start : inner.end]),))

    return Problem(R.wrong_type, Place(()), "expected an object, got a list that holds the graph", fix=fix)


def without_nodes() -> Problem:

    return Problem(
        R.empty_model, Place(("nodes",)), "the graph has no nodes: `nodes` is empty", severity=Severity.ERROR
    )


def fractions(model: Model, view: GraphView) -> Iterator[Problem]:
    """Report numbers such as 3.0, which are integers to JSON Schema but not to the readers of these files."""
    for problem in _in(view.raw.get("attrs"), (*view.path, "attrs"), None):
        yield _graded(model, problem)
    for key in ("arg_nodes", "heads", "node_row_ptr"):
        yield from _in(view.raw.get(key), (*view.path, key), None)
    for i, node in enumerate(view.nodes):
        for key in ("inputs", "control_deps", "backward_source_id"):
            if (found := node.get(key)) is not None:
                yield from _in(found, (*view.node_path(i), key), node["name"])


def _in(value: Any, path: Path, node: str | None) -> Iterator[Problem]:
    if isinstance(value, float):
        text = str(int(value)) if value.is_integer() else None
        message = f"expected an integer without a fraction or exponent, got `{value!r}`"
        fix = None if text is None else _writing(Place(path), int(value), f"Replace with `{text}`")
        yield Problem(R.wrong_type, Place(path), message, node, fix)
    elif isinstance(value, (list, dict)):
        for step, inner in enumerate(value) if isinstance(value, list) else value.items():
            if isinstance(inner, (float, list, dict)):
                yield from _in(inner, (*path, step), node)
