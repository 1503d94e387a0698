"""How long the calls of a run took, by its events: the slowest of them, and which nodes of a model they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from irlint.formats.glacier.sessions import Event, Session, sessions_of
from irlint.graph import Node
from irlint.inspection import Flat
from irlint.inspection.canonical import CanonicalNames
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.safe import visible
from irlint.text.words import share, times
from irlint.text.wrap import table

_SHOWN = 20


class MatchedEvents(NamedTuple):
    """Events of one session by the calls of a model: their durations by id, and how many of how many events fit."""

    seconds: Sequence[float | None]
    fitting: int
    events: int


def matched(model: Model, events: Model) -> MatchedEvents | None:
    """Return the durations of a model's calls from the session that fits it best; None if no event has a duration."""
    calls, names = Flat(model.graph).calls, CanonicalNames(model)
    words = [{node.op, names.of(node)} for node in calls]
    found = [_matched(session, calls, words) for session in sessions_of(events) or () if _timed(session)]
    return max(found, key=lambda one: one.fitting, default=None)


def _matched(session: Session, calls: Sequence[Node], words: Sequence[set[str]]) -> MatchedEvents:
    """Pair events by their ids if all operators are those of the model, else also by the names of nodes."""
    often = Counter(node.name for node in calls)
    by_name = {node.name: k for k, node in enumerate(calls) if node.name and often[node.name] == 1}
    fits = {id_: id_ < len(calls) and event.name in words[id_] for id_, event in session.calls.items()}
    is_same = all(fits.values())
    seconds: list[float | None] = [None] * len(calls)
    fitting = 0
    for id_, event in session.calls.items():
        is_here = fits[id_] and (is_same or event.node in (None, calls[id_].name))
        at = id_ if is_here else by_name.get(event.node) if event.node else None
        if at is not None:
            seconds[at], fitting = event.duration, fitting + 1
    return MatchedEvents(seconds, fitting, len(session.calls))


def _timed(session: Session) -> list[Event]:
    return [event for event in session.calls.values() if event.duration is not None]


def durations(events: Model) -> list[tuple[Event, float]]:
    """Return the events of all calls that have a duration, the slowest first."""
    found = [(event, event.duration or 0.0) for session in sessions_of(events) or () for event in _timed(session)]
    return sorted(found, key=lambda row: -row[1])


def record(events: Model) -> dict[str, Any]:
    rows = durations(events)
    told = [
        {"name": event.node, "operator": event.name, "id": event.node_id, "session": event.session, "seconds": seconds}
        for event, seconds in rows
    ]
    return {"seconds": sum(seconds for _, seconds in rows), "durations": told} if rows else {}


def lines(events: Model, columns: int | None) -> list[str]:
    """Return a table of the slowest calls."""
    rows = durations(events)
    if not rows:
        return []
    total, shown = sum(seconds for _, seconds in rows), rows[:_SHOWN]
    took = times(seconds for _, seconds in shown)
    head = f"time: {times([total])[0]} in total" + (f", the {len(shown)} slowest:" if len(rows) > _SHOWN else "")
    cells = [
        (text, share(seconds, total), visible(event.name), visible(event.node or str(event.node_id)))
        for text, (event, seconds) in zip(took, shown, strict=True)
    ]
    return ["", head, *table([("time", "share", "operator", "node"), *cells], columns, right=(0, 1))]
