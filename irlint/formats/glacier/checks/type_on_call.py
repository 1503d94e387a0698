"""T402 type-on-call: a dtype or shape on a call."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import state_of
from irlint.rules.base import Model, Rule
from irlint.text.base import Place


class TypeOnCall(Rule):
    """What it does
    Checks for a dtype or a shape on a call: after the input list of a line, or in an event whose nodeID is a number.

    Why is this bad
    Only variables and constants have a type in the flat view. No tool reads a line with more than an id, an operator
    and a list of inputs, and the size of such an event cannot be checked.

    Fix safety
    Unsafe: the fix removes the type from the line.
    """

    row = R.type_on_call
    formats = ("glacier",)
    fixable = "unsafe"

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        """Check events; the reader reports lines of a listing."""
        for session in state_of(model).sessions:
            for event in session.events:
                for key in ("dtype", "shape"):
                    if event.is_call and getattr(event, key) is not None:
                        call = f"call {event.node_id} ({event.name})"
                        message = f"unexpected key `{key}` on {call}; only variables and constants have it"
                        yield Problem(R.type_on_call, Place((*event.path, key), "key"), message, str(event.node_id))
                        break
