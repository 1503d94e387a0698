"""Events, their sessions, and what the events of a session have to do with each other; what is kept of a file."""

from __future__ import annotations

from itertools import islice
from typing import Any

from irlint.graph import Node
from irlint.records import NamedTuple, dataclass, field
from irlint.rules.base import Model
from irlint.text.base import Path

Name = int | str | None


@dataclass(slots=True)
class Event:
    """One event as far as it can be read: what has another type than it must have is None."""

    path: Path
    node_id: int | str | None
    name: str
    inputs: list[int | str | None]
    session: int | str | None
    duration: float | None = None
    size: int | None = None
    dtype: str | None = None
    shape: list[Any] | None = None
    node: str | None = None
    value: Any = None
    broken: bool = False  # it has a problem already; what it lacks may only be unreadable

    @property
    def is_call(self) -> bool:
        return isinstance(self.node_id, int)


@dataclass
class Session:
    """The events of one model, in file order; `calls` by id, the first of each."""

    name: int | str | None
    events: list[Event] = field(default_factory=list)
    calls: dict[int, Event] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event.node_id, int):
            self.calls.setdefault(event.node_id, event)


@dataclass(slots=True)
class GlacierState:
    """What is kept of a file: of events their sessions, of both dialects what a listing would show."""

    sessions: list[Session] = field(default_factory=list)
    declared: list[int | str] | None = None  # sessions that events may name; None: the file names none for all
    kinds: set[str] = field(default_factory=set)  # of nodes that lists of inputs show
    sinks: list[int] = field(default_factory=list)  # outputs that no node uses
    faulty: bool = False  # something is wrong with numbers or lines: what follows from it is not told
    quoted: set[str] = field(default_factory=set)  # names that look like ids
    lacking: list[int] = field(default_factory=list)  # calls with fewer inputs than they take
    by_row: dict[Path, list[Node]] | None = None  # nodes by line, where an editor asked


def state_of(model: Model) -> GlacierState:
    found: GlacierState = model.state
    return found


def sessions_of(model: Model) -> list[Session] | None:
    """Return the sessions of a file of events; None for any other file."""
    return state_of(model).sessions if model.dialect == "events" else None


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
