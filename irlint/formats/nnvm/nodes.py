"""Report mistakes in single nodes: operators, attributes, number of inputs, variables with inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.examine import ADDED, HIDDEN, MOVED, Examiner
from irlint.formats.nnvm.hidden import VariableCheck
from irlint.formats.nnvm.issue import Issue
from irlint.formats.nnvm.sweep import Sweep
from irlint.formats.nnvm.view import GraphView, attributes
from irlint.rules.base import Model
from irlint.text.base import Document, Place
from irlint.text.json import JsonDocument

Repair = Callable[[Document], Fix | None]


def check(model: Model, view: GraphView, seen: Sweep, examiner: Examiner, variable: VariableCheck) -> Iterator[Problem]:
    reachable = seen.reachable
    several: set[int] | None = None  # nodes of which an output other than the first is used
    for index in seen.suspects:
        op, read = view.ops[index], index in reachable
        if op == "null":
            if view.inputs[index] or index in view.broken:
                from irlint.formats.nnvm.variable_problems import variable_with_inputs

                if several is None:
                    several = {e[0] for entries in (view.heads, *view.inputs) for e in entries if e[1]}
                yield variable_with_inputs(view, seen, index, index in several)
            found = variable(attributes(view.nodes[index]))
        elif index in view.broken and not op:
            continue
        else:
            examined = seen.examined[index]
            if examined is None:
                yield _unknown(model, view, index)
                continue
            found = examined.issues
        named = op == "null"  # at most one finding per node points at its operator
        for issue in found:
            if issue.rule == MOVED:
                refused = _moved_key(view, index, issue.part.partition(":")[2], examiner) if read else None
                if refused is None:
                    continue
                issue = refused
            elif issue.rule == ADDED:
                clash = _added(view, seen, index, issue.text.split()) if read else None
                if clash is None:
                    continue
                issue = clash
            elif index in view.broken and issue.rule in (R.wrong_input_count, R.missing_attribute):
                continue
            elif op == "null" and issue.part == "attr:__shape__":
                issue = _shape(view, index, issue, examiner)
            elif op == "null" and issue.part == "attr:__storage_type__" and issue.severity == Severity.WARNING:
                issue = _storage(view, index, issue, examiner)
            elif issue.rule == R.unknown_attribute and issue.safety == "safe":
                issue = _doubted(view, index, issue, examiner)
            parsed = not (examiner.era.drops_unused or issue.late or op == "null")
            problem = problem_of(view, index, issue, read or parsed)
            if issue.rule == R.wrong_input_count and index not in view.broken:
                _rewire(view, index, examiner, issue, problem)
            if not named and (_is_of_the_operator(issue) or _is_elsewhere(view, index, issue, examiner)):
                named = True
                problem.related = [*problem.related, ("operator declared here", view.place(index, "op"))]
            yield problem


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
    from irlint.formats.nnvm.elsewhere import is_right_elsewhere

    text = view.attrs[index].get(issue.part.partition(":")[2], "")
    return is_right_elsewhere(examiner.table, view.ops[index], issue, text)


def _doubted(view: GraphView, index: int, issue: Issue, examiner: Examiner) -> Issue:
    """Make the renaming of an attribute unsafe where the operator is probably the wrong one."""
    from irlint.formats.nnvm.elsewhere import is_named_for_another

    is_doubtful = is_named_for_another(examiner.table, view.ops[index], view.names[index], issue)
    return issue._replace(safety="unsafe") if is_doubtful else issue


def _shape(view: GraphView, index: int, issue: Issue, examiner: Examiner) -> Issue:
    """Downgrade an unreadable shape of an input: mxnet 1.9.1 fails on it only if the caller passes no shape.

    Not where the text is nearly a tuple: a tuple that lost a character was readable before, so nothing shows that
    callers pass a shape.
    """
    from irlint.formats.nnvm.roles import roles_of

    is_tuple = (
        re.fullmatch("[^A-Za-z0-9]*[0-9][^A-Za-z]*", attributes(view.nodes[index]).get("__shape__", "")) is not None
    )
    if is_tuple or index in roles_of(examiner.table, view).parameters:
        return issue
    rest = f"{issue.rest}; MXNet fails on it unless the caller passes a shape"
    return issue._replace(rest=rest, severity=Severity.WARNING)


def _rewire(view: GraphView, index: int, examiner: Examiner, issue: Issue, problem: Problem) -> None:
    """Add the repair of a wrong number of inputs that the nodes' names suggest."""
    from irlint.formats.nnvm import wiring

    examined = examiner(view.ops[index], len(view.inputs[index]), view.attrs[index])
    if examined is None or examined.inputs is None or examined.inputs.open:
        return
    found = wiring.rewired(view, index, examined.inputs.names)
    if found is not None:
        optional = issue.port is not None or examined.inputs.counted_by is not None  # an attribute may be wrong instead
        problem.fix = wiring.fix(view, index, found, "safe" if found.surely and not optional else "unsafe")


def _storage(view: GraphView, index: int, issue: Issue, examiner: Examiner) -> Issue:
    from irlint.formats.nnvm.storage_types import is_never_told

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
    return Problem(issue.rule, at, f"{issue.text} {label}{issue.rest}", name, fix, related, severity)


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
    from irlint.formats.nnvm.unknown import unknown

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
    bare = next(h for h in HIDDEN if key.endswith(h))
    port = key[: -len(bare) - 1]
    part = f"attr_key:{key}"
    examined = examiner(view.ops[index], len(view.inputs[index]), attributes(view.nodes[index]))
    names = examined.inputs.names if examined and examined.inputs else ()
    operator = examiner.table.get(view.ops[index])
    if operator is not None and operator.facts.get("anonymous_inputs"):
        names = ()
    if operator is not None and operator.facts.get("keeps_hidden") and port not in names:
        return None
    if key[-len(bare) - 1] != "_" or port not in names:
        return Issue(
            R.unknown_attribute,
            part,
            f"unknown attribute `{key}` for",
            remove=True,
            rest=f", which has no input `{port}`",
        )
    entries = view.inputs[index]
    if (at := names.index(port)) >= len(entries):
        return Issue(
            R.unknown_attribute, part, f"unknown attribute `{key}` for", rest=f", whose input `{port}` is missing"
        )
    source = entries[at][0]
    if not 0 <= source < len(view.ops) or view.ops[source] != "null":
        rest = f"; its input `{port}` is not a variable"
        return Issue(R.unknown_attribute, part, f"unknown attribute `{key}` for", rest=rest)
    return None
