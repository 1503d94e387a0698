"""Report mistakes in single nodes: operators, attributes, number of inputs, variables with inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.examine import ADDED, HIDDEN, MOVED, Examiner
from irlint.formats.nnvm.passes.hidden import VariableCheck
from irlint.formats.nnvm.passes.issue import Issue
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import GraphView, attributes
from irlint.rules.base import Model
from irlint.text.base import Document, Place
from irlint.text.json.document import JsonDocument

Repair = Callable[[Document], Fix | None]


def check(model: Model, view: GraphView, seen: Sweep, examiner: Examiner, variable: VariableCheck) -> Iterator[Problem]:
    @cache
    def several() -> set[int]:
        """Return the nodes of which an output other than the first is used."""
        return {e[0] for entries in (view.heads, *view.inputs) for e in entries if e[1]}

    for index in seen.suspects:
        op = view.ops[index]
        if op == "null":
            if view.inputs[index] or index in view.broken:
                from irlint.formats.nnvm.passes.variable_problems import variable_with_inputs

                yield variable_with_inputs(view, seen, index, index in several())
            found = variable(attributes(view.nodes[index]))
        elif index in view.broken and not op:
            continue
        elif (examined := seen.examined[index]) is None:
            yield _unknown(model, view, index)
            continue
        else:
            found = examined.issues
        yield from _problems(view, seen, index, found, examiner)


def _problems(
    view: GraphView, seen: Sweep, index: int, issues: Iterable[Issue], examiner: Examiner
) -> Iterator[Problem]:
    """Return the issues of one node as problems; at most one of them points at the node's operator."""
    is_variable = named = view.ops[index] == "null"
    for found in issues:
        issue = _in_graph(view, seen, index, found, examiner)
        if issue is None:
            continue
        parsed = not (examiner.era.drops_unused or issue.late or is_variable)
        problem = problem_of(view, index, issue, index in seen.reachable or parsed)
        if issue.rule == R.wrong_input_count and index not in view.broken:
            _rewire(view, index, examiner, issue, problem)
        if not named and (_is_of_the_operator(issue) or _is_elsewhere(view, index, issue, examiner)):
            named = True
            problem.related = [*problem.related, ("operator declared here", view.place(index, "op"))]
        yield problem


def _in_graph(view: GraphView, seen: Sweep, index: int, issue: Issue, examiner: Examiner) -> Issue | None:
    """Return an issue as the rest of the graph makes it, or None if it is not one in this graph."""
    read, is_variable = index in seen.reachable, view.ops[index] == "null"
    if issue.rule == MOVED:
        return _moved_key(view, index, issue.part.partition(":")[2], examiner) if read else None
    if issue.rule == ADDED:
        return _added(view, seen, index, issue.text.split()) if read else None
    if index in view.broken and issue.rule in (R.wrong_input_count, R.missing_attribute):
        return None
    if is_variable and issue.part == "attr:__shape__":
        return _shape(view, index, issue, examiner)
    if is_variable and issue.part == "attr:__storage_type__" and issue.severity == Severity.WARNING:
        return _storage(view, index, issue, examiner)
    if issue.rule == R.unknown_attribute and issue.safety == "safe":
        return _doubted(view, index, issue, examiner)
    return issue


def _is_of_the_operator(issue: Issue) -> bool:
    """Return whether another operator may be meant: this one does not have the attribute or number of inputs, or needs more."""
    if (
        issue.severity is not None
        or issue.part == "op"
        or issue.rule not in (R.unknown_attribute, R.missing_attribute, R.wrong_input_count)
    ):
        return False
    if issue.rule == R.wrong_input_count and issue.part.startswith("attr:"):  # an attribute contradicts the inputs
        return False
    return not issue.misspelled


def _is_elsewhere(view: GraphView, index: int, issue: Issue, examiner: Examiner) -> bool:
    """Return whether another operator accepts the attribute or value."""
    if issue.severity is not None or issue.part == "op" or issue.rule not in (R.unknown_attribute, R.value_not_in_enum):
        return False
    from irlint.formats.nnvm.passes.meant import is_right_elsewhere

    text = view.attrs[index].get(issue.part.partition(":")[2], "")
    return is_right_elsewhere(examiner.table, view.ops[index], issue, text)


def _doubted(view: GraphView, index: int, issue: Issue, examiner: Examiner) -> Issue:
    """Make the renaming of an attribute unsafe where the operator is probably the wrong one."""
    from irlint.formats.nnvm.passes.meant import is_named_for_another

    is_doubtful = is_named_for_another(examiner.table, view.ops[index], view.names[index], issue)
    return issue._replace(safety="unsafe") if is_doubtful else issue


def _shape(view: GraphView, index: int, issue: Issue, examiner: Examiner) -> Issue:
    """Downgrade an unreadable shape of an input: mxnet 1.9.1 fails on it only if the caller passes no shape.

    Not where the text is nearly a tuple: a tuple that lost a character was readable before, so nothing shows that
    callers pass a shape.
    """
    from irlint.formats.nnvm.passes.roles import roles_of

    is_tuple = (
        re.fullmatch("[^A-Za-z0-9]*[0-9][^A-Za-z]*", attributes(view.nodes[index]).get("__shape__", "")) is not None
    )
    if is_tuple or index in roles_of(examiner.table, view).parameters:
        return issue
    rest = f"{issue.rest}; MXNet fails on it unless the caller passes a shape"
    return issue._replace(rest=rest, severity=Severity.WARNING)


def _rewire(view: GraphView, index: int, examiner: Examiner, issue: Issue, problem: Problem) -> None:
    """Add the repair of a wrong number of inputs that the nodes' names suggest."""
    from irlint.formats.nnvm.passes import wiring

    examined = examiner(view.ops[index], len(view.inputs[index]), view.attrs[index])
    if examined is None or examined.inputs is None or examined.inputs.open:
        return
    found = wiring.rewired(view, index, examined.inputs.names)
    if found is not None:
        optional = issue.port is not None or examined.inputs.counted_by is not None  # an attribute may be wrong instead
        problem.fix = wiring.fix(view, index, found, "safe" if found.surely and not optional else "unsafe")


def _storage(view: GraphView, index: int, issue: Issue, examiner: Examiner) -> Issue:
    from irlint.formats.nnvm.passes.roles import is_never_told

    return issue._replace(severity=None) if is_never_told(examiner.table, view, index) else issue


def problem_of(view: GraphView, index: int, issue: Issue, read: bool = True) -> Problem:
    """Return an issue as a problem of one node: a warning if the loader never reads it."""
    name, op = view.names[index], view.ops[index]
    label = f"variable {name!r}" if op == "null" else f"{op} {name!r}"
    severity = issue.severity
    if severity is None and not read:
        severity = Severity.WARNING
    part = issue.part
    related: list[tuple[str, Place]] = []
    if issue.port is not None:
        part, related = _culprit(view, index, issue)
    elif issue.rule == R.wrong_input_count and part.startswith("attr:"):
        related = [("inputs declared here", view.place(index, "inputs"))]
    related += [("the number of inputs depends on this", view.place(index, f"attr:{name}")) for name in issue.deciding]
    if issue.rule == R.missing_attribute and (neighbour := _in_order(view.attrs[index], issue.missing)) is not None:
        related.append(("next attribute in alphabetical order", view.place(index, f"attr_key:{neighbour}")))
    at = view.place(index, part)
    fix = _repair(at, issue) if part == issue.part else _adding(view, index, issue) if part == "attrs" else None
    message = f"{issue.text} {label}{issue.rest}"
    return Problem(issue.rule, at, message, name, fix, related, severity, meant=issue.better, hint=issue.hint)


def _in_order(attrs: dict[str, str], missing: str | None) -> str | None:
    """Return the attribute that a missing one precedes, or else follows, if they are in alphabetical order."""
    names = list(attrs)
    if missing is None or len(names) < 2 or names != sorted(names):
        return None
    return next((name for name in names if name > missing), names[-1])


def _adding(view: GraphView, index: int, issue: Issue) -> Repair:
    """Return the fix that adds the attribute with which the inputs are right."""
    key, value = issue.part.partition(":")[2], issue.better

    def add(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        at = view.place(index, "attrs").path
        if at[-1] == "op":  # it has no attributes
            edits = document.insert_member(view.node_path(index), "attrs", document.dump({key: value}))
        else:
            edits = document.insert_member(at, key, document.dump(value))
        return Fix(f"Add `{key}` with `{value}`", edits, "unsafe")

    return add


def _culprit(view: GraphView, index: int, issue: Issue) -> tuple[str, list[tuple[str, Place]]]:
    """Return the part to blame, the attribute or the inputs: an input with the name of the port is probably right."""
    assert issue.port is not None
    named = f"{view.names[index]}_{issue.port}"
    stands = any(
        0 <= e[0] < len(view.names) and view.names[e[0]].endswith(f"_{issue.port}") for e in view.inputs[index]
    )
    if issue.part.startswith("attr:"):
        key = issue.part.partition(":")[2]
        forbids = issue.better == "False" if key.startswith("no_") else issue.better == "True"
        guilty = stands if forbids else named not in view.names
        if guilty:
            return issue.part, [("inputs declared here", view.place(index, "inputs"))]
        return "inputs", [("the number of inputs depends on this", view.place(index, issue.part))]
    return ("attrs" if named not in view.names and not stands else "inputs"), []


def _repair(at: Place, issue: Issue) -> Repair | None:
    if issue.remove:

        def remove(document: Document) -> Fix:
            assert isinstance(document, JsonDocument)
            key = issue.part.partition(":")[2]
            return Fix(f"Remove attribute `{key}`" if key else "Remove attribute", document.remove(at.path), "unsafe")

        return remove
    if issue.better is None:
        return None
    better = issue.better

    def write(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        edits = document.rename_key(at.path, better) if at.part == "key" else document.write(at, better)
        key = issue.part.partition(":")[2]
        title = f"Set `{key}` to `{better}`" if at.part != "key" else f"Rename to `{better}`"
        return Fix(title, edits, issue.safety)

    return write


def _unknown(model: Model, view: GraphView, index: int) -> Problem:
    from irlint.formats.nnvm.passes.meant import unknown

    return unknown(model, view.place(index, "op"), view.ops[index], view.names[index])


def _added(view: GraphView, seen: Sweep, index: int, missing: list[str]) -> Issue | None:
    """Report a variable that the loader would create for a missing input, but that already exists."""
    for port in missing:
        name = f"{view.names[index]}_{port}"
        if name in seen.names_in_use:
            rest = f"; variable {name!r} exists but is not one of its inputs"
            return Issue(R.wrong_input_count, "inputs", f"missing input `{port}` for", rest=rest)
    return None


def _moved_key(view: GraphView, index: int, key: str, examiner: Examiner) -> Issue | None:
    """Report a key that the loader moves to an input, unless the node has that input and it is a variable."""
    bare = next(h for h in HIDDEN if key.endswith(h))
    port = key[: -len(bare) - 1]
    examined = examiner(view.ops[index], len(view.inputs[index]), attributes(view.nodes[index]))
    names = examined.inputs.names if examined and examined.inputs else ()
    operator = examiner.table.get(view.ops[index])
    facts = operator.facts if operator is not None else {}
    if facts.get("anonymous_inputs"):
        names = ()
    if facts.get("keeps_hidden") and port not in names:
        return None
    is_unknown = key[-len(bare) - 1] != "_" or port not in names
    if is_unknown:
        rest = f", which has no input `{port}`"
    elif (at := names.index(port)) >= len(view.inputs[index]):
        rest = f", whose input `{port}` is missing"
    elif _is_variable(view, view.inputs[index][at][0]):
        return None
    else:
        rest = f"; its input `{port}` is not a variable"
    text = f"unknown attribute `{key}` for"
    return Issue(R.unknown_attribute, f"attr_key:{key}", text, remove=is_unknown, rest=rest)


def _is_variable(view: GraphView, index: int) -> bool:
    return 0 <= index < len(view.ops) and view.ops[index] == "null"
