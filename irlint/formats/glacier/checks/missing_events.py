"""R404 missing-events: calls of a session without an event."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import MissingCalls, Session, missing, quoted_calls, state_of, strays
from irlint.rules.base import Model, Rule
from irlint.text.base import Place


class MissingEvents(Rule):
    """What it does
    Checks for sessions with missing ids of calls: nodeIDs count from 0, with one event each.

    Why is this bad
    Times and sizes add up to less than those of the model, and sequences of operators are broken. If another event
    uses the missing call (an error; otherwise a warning), the graph is incomplete.
    """

    row = R.missing_events
    formats = ("glacier",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        if model.dialect != "events":
            return
        sessions = state_of(model).sessions
        meant = strays(sessions)
        for session in sessions:
            lost = missing(session)
            repeats = sum(event.is_call for event in session.events) - len(session.calls)
            unread = sum(event.node_id is None for event in session.events) + len(quoted_calls(session))
            is_stray = session.name in {*meant, *meant.values()}
            if lost.number > repeats + unread and not is_stray:
                yield _problem(session, lost)


def _problem(session: Session, lost: MissingCalls) -> Problem:
    calls, top = session.calls, max(session.calls)
    read = {item for event in calls.values() for item in event.inputs if isinstance(item, int)}
    needed = sorted(item for item in read - calls.keys() if item < top)
    after = calls[min(id_ for id_ in calls if id_ > lost.first[0])]
    of = "" if session.name is None else f" of session {session.name!r}"
    message = f"missing {'event' if lost.number == 1 else 'events'} for {_ids(lost.first, lost.number)}{of}"
    if needed:
        message += f"; other events use {_ids(needed, len(needed))}"
    at, severity = Place((*after.path, "nodeID")), Severity.ERROR if needed else Severity.WARNING
    return Problem(R.missing_events, at, message, str(after.node_id), severity=severity)


def _ids(ids: list[int], count: int) -> str:
    shown = ", ".join(map(str, ids[:5])) + (f" and {count - len(ids[:5]):,} more" if count > len(ids[:5]) else "")
    return f"node {shown}" if count == 1 else f"nodes {shown}"
