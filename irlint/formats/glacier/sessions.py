"""What the events of a session have to do with each other."""

from __future__ import annotations

from itertools import islice

from irlint.formats.glacier.events import Event, Session
from irlint.records import NamedTuple

Name = int | str | None


class MissingCalls(NamedTuple):
    """Ids of calls without an event, below the last call that has one: their number, and the first few."""

    number: int
    first: list[int]


def missing(session: Session, limit: int | None = None) -> MissingCalls:
    """What a session lacks; at most `limit` ids of it, or as many as the session has events: ids may be any number."""
    limit = len(session.calls) + 5 if limit is None else limit
    top = max(session.calls, default=-1)
    absent = (id_ for id_ in range(top) if id_ not in session.calls)
    return MissingCalls(top + 1 - len(session.calls), list(islice(absent, limit)))


def quoted_calls(session: Session) -> list[Event]:
    """Events that would fill a gap in the ids if their nodeID were a number: it is a number in quotes."""
    top = max(session.calls, default=-1)
    return [
        event
        for event in session.events
        if isinstance(event.node_id, str)
        and event.node_id.isdecimal()
        and len(event.node_id) < 10
        and int(event.node_id) <= top + 1
        and int(event.node_id) not in session.calls
        and event.dtype is None
        and event.shape is None
    ]


def strays(sessions: list[Session]) -> dict[Name, Name]:
    """Sessions that hold only calls that another session lacks, with that other: names written wrong."""
    lacking: dict[int, list[Session]] = {}
    for session in sessions:
        top = max(session.calls, default=-1)
        for id_ in (*missing(session).first, top + 1):
            lacking.setdefault(id_, []).append(session)
    found: dict[Name, Name] = {}
    for session in sessions:
        ids = set(session.calls)
        if not ids or 0 in ids:
            continue
        for other in lacking.get(min(ids), ()):
            more = len(other.calls) > len(ids) or (len(other.calls) == len(ids) and 0 in other.calls)
            if other is not session and more and not ids & other.calls.keys():
                found[session.name] = other.name
                break
    return found
