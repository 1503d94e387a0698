"""What the events of a session have to do with each other."""

from __future__ import annotations

from irlint.formats.glacier.events import Session

Name = int | str | None


def missing(session: Session) -> list[int]:
    """Ids of calls without an event, up to the last call that has one."""
    return [id_ for id_ in range(max(session.calls, default=-1)) if id_ not in session.calls]


def strays(sessions: list[Session]) -> dict[Name, Name]:
    """Sessions that hold only calls that another session lacks, with that other: names written wrong."""
    lacking: dict[int, list[Session]] = {}
    for session in sessions:
        top = max(session.calls, default=-1)
        for id_ in (*missing(session), top + 1):
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
