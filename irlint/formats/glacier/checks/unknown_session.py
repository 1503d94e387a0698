"""R403 unknown-session: events that belong to no session of the file."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import state_of, strays
from irlint.rules.base import Model, Rule
from irlint.text.base import Place


class UnknownSession(Rule):
    """What it does
    Checks for events whose session the file does not declare, that have no session although others have one, or whose
    session holds only the events that another session lacks.

    Why is this bad
    The session connects the events of a model. An event in the wrong session is lost to its model, and the other
    model gets a node that it does not have.
    """

    row = R.unknown_session
    formats = ("glacier",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        if model.dialect != "events":
            return
        state = state_of(model)
        declared, sessions = state.declared, state.sessions
        meant = strays(sessions)
        named = [session.name for session in sessions if session.name is not None]
        for session in sessions:
            if session.name is None and all(event.broken for event in session.events):
                continue
            if declared is not None and session.name is not None and session.name not in declared:
                message = f"undefined session {session.name!r}; the file declares {', '.join(map(repr, declared))}"
            elif session.name is None and named:
                message = f"missing `session` of this event; all others belong to {named[0]!r}"
            elif session.name in meant:
                message = (
                    f"session {session.name!r} has exactly the events missing from session {meant[session.name]!r}"
                )
            else:
                continue
            if len(session.events) > 1:
                message += f" ({len(session.events)} events)"
            event = session.events[0]
            yield Problem(R.unknown_session, Place((*event.path, "session")), message, str(event.node_id))
