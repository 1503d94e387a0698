"""The changes between two models as data, as text, and as Markdown for a review comment."""

from __future__ import annotations

import re
from typing import Any

from irlint.flat.changes import ChangedNode, Difference, NodeChange
from irlint.text.safe import brief, visible

_MANY = 50  # nodes that a Markdown list shows
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def record(found: Difference) -> dict[str, Any]:
    return {
        "added": [{"name": entry.name, "operator": entry.op} for entry in found.added],
        "removed": [{"name": entry.name, "operator": entry.op} for entry in found.removed],
        "changed": [
            {"name": entry.name, "operator": entry.op, "changes": [change._asdict() for change in entry.changes]}
            for entry in found.changed
        ],
        "outputs": [change._asdict() for change in found.outputs],
        "same": found.same,
    }


def verdict(found: Difference) -> str:
    if found.is_empty:
        return f"no differences in {found.same:,} nodes"
    counts = f"{len(found.added):,} added, {len(found.removed):,} removed, {len(found.changed):,} changed"
    return f"{counts}, {found.same:,} unchanged"


def lines(found: Difference) -> list[str]:
    result = [f"- {_named(entry)}" for entry in found.removed] + [f"+ {_named(entry)}" for entry in found.added]
    for entry in found.changed:
        result.append(f"~ {_named(entry)}")
        result += [f"    {_change(change)}" for change in entry.changes]
    result += [f"~ {_change(change)}" for change in found.outputs]
    return [*result, verdict(found)]


def markdown(found: Difference, old: str, new: str) -> list[str]:
    result = [f"**{_plain(visible(old))} → {_plain(visible(new))}**: {verdict(found)}"]
    for title, entries in (("Removed", found.removed), ("Added", found.added), ("Changed", found.changed)):
        if not entries:
            continue
        result += ["", f"### {title}", ""]
        for entry in entries[:_MANY]:
            result.append(f"- {_plain(_named(entry))}")
            result += [f"  - {_plain(_change(change))}" for change in entry.changes]
        if len(entries) > _MANY:
            result.append(f"- and {len(entries) - _MANY:,} more")
    if found.outputs:
        result += ["", "### Outputs", "", *(f"- {_plain(_change(change))}" for change in found.outputs)]
    return result


def _named(entry: ChangedNode) -> str:
    return visible(f"{brief(entry.name, 200)} ({entry.op})" if entry.name else entry.op)


def _change(change: NodeChange) -> str:
    what = f"{change.what} {change.key}" if change.key else change.what
    old, new = (None if value is None else visible(brief(value, 200)) for value in (change.old, change.new))
    if old is None:
        return f"{visible(what)}: {new} (new)"
    if new is None:
        return f"{visible(what)}: {old} (gone)"
    return f"{visible(what)}: {old} -> {new}"


def _plain(text: str) -> str:
    """Return text escaped for Markdown."""
    return _SPECIAL.sub(r"\\\1", text)
