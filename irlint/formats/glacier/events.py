"""From events to sessions and a graph; what is wrong inside a session."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

from irlint import schema
from irlint.checks.fault import asking
from irlint.checks.problems import duplicate_definition
from irlint.dryrun.dtypes import BITS
from irlint.findings import Fix, Problem, Severity
from irlint.formats.glacier.layout import CONSTANT, CallLayout, WrittenCall, complete, unread
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import Event, GlacierState, Session, state_of
from irlint.formats.glacier.vocabulary import vocabulary
from irlint.graph import UNKNOWN, Node, Source, Type, Value
from irlint.operators import nearest
from irlint.rules.base import Model
from irlint.text.base import Document, Path, Place

SCHEMA = "glacier-events.schema.json"
_DTYPE = re.compile(
    rf"(?:{'|'.join(map(re.escape, BITS))}|u?int(?:[1-9]|[1-5][0-9]|6[0-4])|t?float(?:8_?[a-z0-9_]+|128)|complex(?:64|128)|"
    r"handle|void|str|custom\[[^\]]*\][0-9]*)(?:x[0-9]+)?"
)
_LARGEST = 1 << 63
_KINDS = {
    "nodeID": (int, str),
    "name": (str,),
    "duration": (int, float),
    "inputs": (list,),
    "size": (int,),
    "session": (str, int),
    "dtype": (str,),
    "shape": (list,),
    "node": (str,),
}

_PARTS = {"name": "nodeID", "op": "name", "node": "nodeID", "attrs": "inputs"}


def read(model: Model) -> Iterator[Problem]:
    """Fill model.graph and the sessions of its state; yield the schema's problems."""
    value = getattr(model.document, "value", None)
    wrong = list(_structural(model.document, value))
    yield from wrong
    broken = {problem.at.path for problem in wrong if problem.severity is None and isinstance(problem.at, Place)}
    broken |= getattr(model.document, "damaged", set())
    if value in ([], {"events": []}):
        yield Problem(R.empty_model, Place(()), "the event log is empty")
    sessions: dict[int | str | None, Session] = {}
    for event in events_in(value, broken):
        sessions.setdefault(event.session, Session(event.session)).add(event)
    state = state_of(model)
    state.sessions, state.declared = list(sessions.values()), _declared(value)
    model.operators = vocabulary(
        event.name for session in sessions.values() for event in session.calls.values() if event.name
    )
    _build(model, state)
    for session in state.sessions:
        yield from _repeats(session)
        yield from _undefined(session)
        yield from _unknown_types(session)


def _structural(document: Document, value: Any) -> Iterator[Problem]:
    """Yield the schema's problems, except for values that the JSON reader has reported itself."""
    reported = {document.place_at(trouble.span.start).path for trouble in document.troubles}
    for problem in _together(list(schema.problems(SCHEMA, value)), len(list(events_in(value)))):
        if isinstance(problem.at, Place) and problem.at.path in reported:
            continue
        if problem.rule is R.unknown_key:
            problem.severity = Severity.WARNING
        yield problem


def _together(problems: list[Problem], number: int) -> list[Problem]:
    """Report a key that no event has once."""
    lacking = [problem for problem in problems if problem.rule is R.missing_key and problem.fix is not None]
    if len(lacking) < 2 or len(lacking) != number:
        return problems
    first, fixes = lacking[0], [problem.fix for problem in lacking]

    def fix(document: Document) -> Fix | None:
        found = [one for fix in fixes if fix is not None and (one := fix(document)) is not None]
        edits = tuple(edit for one in found for edit in one.edits)
        return Fix(f"{found[0].title} in all events", edits, found[0].safety) if found else None

    first.addition = f" (in all {number:,} events)"
    first.fix = fix
    told = {id(problem) for problem in lacking[1:]}
    return [problem for problem in problems if id(problem) not in told]


def _unknown_types(session: Session) -> Iterator[Problem]:
    """Report unknown element types."""
    for event in session.events:
        if event.dtype is None or event.is_call or event.broken or _DTYPE.fullmatch(event.dtype):
            continue
        meant = nearest(event.dtype, tuple(BITS))
        message, at = f"unknown type `{event.dtype}` of {event.name!r}", Place((*event.path, "dtype"))
        yield Problem(
            R.value_not_allowed,
            at,
            message,
            str(event.node_id),
            severity=Severity.WARNING,
            meant=meant,
            hint=asking(meant),
        )


def _repeats(session: Session) -> Iterator[Problem]:
    """Report duplicate events of a node."""
    of = "" if session.name is None else f" in session {session.name!r}"
    first: dict[int | str, Event] = {}
    for event in session.events:
        if event.node_id is None or event.broken:
            continue
        if (before := first.setdefault(event.node_id, event)) is not event:
            message = f"duplicate event of node {event.node_id} ({event.name}){of}"
            at, earlier = Place((*event.path, "nodeID")), Place((*before.path, "nodeID"))
            yield duplicate_definition(at, message, earlier, str(event.node_id))


def _undefined(session: Session) -> Iterator[Problem]:
    """Report inputs past the last call; missing events are reported once for the session."""
    last = max(session.calls, default=-1)
    for id_, event in session.calls.items():
        for position, item in enumerate(event.inputs):
            if isinstance(item, int) and item > last:
                message = f"undefined node {item} in the inputs of node {id_} ({event.name}); the session's last node is {last}"
                at = Place((*event.path, "inputs", position))
                yield Problem(R.undefined_reference, at, message, str(id_))


def events_in(value: Any, broken: AbstractSet[Path] = frozenset()) -> Iterator[Event]:
    """The events of a file's value: a list of them, or an object that holds the list and perhaps the session. `broken`
    are paths of what is wrong in it.
    """
    before: Path = ()
    default = None
    if isinstance(value, dict):
        default = _typed("session", value.get("session"))
        value, before = value.get("events"), ("events",)
    depth = len(before) + 1
    marked = {path[:depth] for path in broken}
    for index, record in enumerate(value if isinstance(value, list) else ()):
        if isinstance(record, dict):
            path = (*before, index)
            yield _event(record, path, default, path in marked)


def _typed(key: str, value: Any) -> Any:
    """Return the value of a key; None if it has another type than it must have. 2.0 is a whole number in JSON, and -2 no id, duration
    or size."""
    if key != "session":
        value = _whole(value)
    return value if isinstance(value, _KINDS[key]) and not isinstance(value, bool) else None


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and value < _LARGEST:
        value = int(value)
    return None if isinstance(value, int | float) and not 0 <= value < _LARGEST else value


def _event(record: dict[str, Any], path: Path, session: int | str | None, broken: bool) -> Event:
    given = {key: _typed(key, record.get(key)) for key in _KINDS}
    node_id, own, inputs, shape = (given.pop(key) for key in ("nodeID", "session", "inputs", "shape"))
    return Event(
        path,
        node_id,
        given.pop("name") or "",
        [_typed("nodeID", item) for item in inputs or ()],
        session if own is None else own,
        shape=None if shape is None else list(map(_whole, shape)),
        value=record.get("value"),
        broken=broken,
        **given,
    )


def _declared(value: Any) -> list[int | str] | None:
    """The sessions that events may name; None if the file names none for all."""
    found = value if isinstance(value, dict) else {}
    listed = found.get("sessions")
    words = [*(listed if isinstance(listed, list) else ()), found.get("session")]
    return [word for word in words if isinstance(word, int | str)] or None


def _build(model: Model, state: GlacierState) -> None:
    """One graph of all sessions, side by side; calls in the order of their ids."""
    graph, sessions, calls = model.graph, state.sessions, list[WrittenCall]()
    for session in sessions:
        own = [(id_, one.name, one.inputs, one.path) for id_, one in sorted(session.calls.items())]
        CallLayout(graph.nodes, own, _leaf(session))
        calls += own
    complete(model, calls, {one.path for session in sessions for one in session.events if one.broken}, _PARTS, "name")
    state.sinks = unread(graph, [node.index for node in graph.nodes if node.kind == "call"])
    graph.outputs = list(map(Source, state.sinks))


def _leaf(session: Session) -> Callable[[int, str, Path, int], Node]:
    """Return what makes the node of a variable or constant, with the type that the session has for it."""
    types = {e.node_id: Type(e.dtype, tuple(e.shape or ()) if e.shape is not None else None) for e in session.events}

    def leaf(index: int, name: str, path: Path, position: int) -> Node:
        kind = "const" if name == CONSTANT else "var"
        return Node(index, name, kind, path, outputs=(Value(name, types.get(name, UNKNOWN)),), kind=kind)

    return leaf
