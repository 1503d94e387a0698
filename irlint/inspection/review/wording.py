"""How a change reads, in one line."""

from __future__ import annotations

from irlint.inspection.review.difference import NodeChange
from irlint.operators import titled
from irlint.text.safe import brief, visible

_WORDS = {"entry": "", "results": "other results for the same input"}


def said(change: NodeChange) -> str:
    label = change.attribute.label if change.attribute else ""
    word = _WORDS.get(change.what, change.what)
    if change.what == "results" and change.old == change.new:
        return word
    key = titled(change.key, label) if change.key else ""
    return f"{visible(f'{word} {key}'.strip())}: {how(change)}"


def how(change: NodeChange) -> str:
    meanings = change.attribute.meanings if change.attribute else {}
    old, new = (
        None if value is None else visible(titled(brief(value, 200), meanings.get(value, "")))
        for value in (change.old, change.new)
    )
    if old == new:
        apart = "" if change.distance is None else f", at most {_percent(change.distance)} apart"
        return f"another node of that name, {new}" if change.what == "input" else f"other values{apart}"
    if change.what == "weights" and None in (old, new):
        return f"their values are missing in the {'old' if old is None else 'new'} version"
    if old is None:
        return f"{new} (new)"
    return f"{old} (gone)" if new is None else f"{old} -> {new}"


def _percent(distance: float) -> str:
    percent = 100 * distance
    return "0.001 %" if percent <= 0.001 else f"{percent:.2g} %" if percent < 99.5 else f"{percent:,.0f} %"
