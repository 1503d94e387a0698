"""D401 size-mismatch: the size of an event against its dtype and shape."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.checks.fault import writing
from irlint.dryrun.dtypes import size
from irlint.findings import Problem
from irlint.formats.glacier.rules import R
from irlint.formats.glacier.sessions import state_of
from irlint.rules.base import Model, Rule
from irlint.text.base import Place

_MOST = 1 << 63  # bytes; events have no larger sizes


class SizeMismatch(Rule):
    """What it does
    Checks for events whose size differs from what their dtype and shape require: the number of elements times the
    bytes per element.

    Why is this bad
    One of the three is wrong, and memory is planned with one of them.

    Fix safety
    Unsafe: the fix assumes that dtype and shape are right.
    """

    row = R.size_mismatch
    formats = ("glacier",)
    fixable = "unsafe"

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        for session in state_of(model).sessions:
            for event in session.events:
                expected = None if event.is_call else size(event.dtype, event.shape)
                if expected is None or expected >= _MOST or event.size is None or event.size == expected:
                    continue
                dims = "x".join(map(str, event.shape or ())) or "1"
                values = f"{dims} elements of {event.dtype}"
                message = f"expected {expected} for `size` of {event.name!r} ({values}), got {event.size}"
                at = Place((*event.path, "size"))
                fix = writing(at, expected, f"Set `size` to `{expected}`")
                yield Problem(R.size_mismatch, at, message, str(event.node_id), fix)
