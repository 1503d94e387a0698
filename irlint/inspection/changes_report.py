"""The changes between two models as data, as text, and as Markdown for a review comment."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from irlint.inspection.changes import ChangedNode, Difference, NodeChange
from irlint.operators import titled
from irlint.text.safe import brief, visible

_MANY = 50  # nodes that a Markdown list shows
_FEW = 10  # nodes with other types as a consequence that are shown
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def record(found: Difference) -> dict[str, Any]:
    return {
        "added": [{"name": entry.name, "operator": entry.op} for entry in found.added],
        "removed": [{"name": entry.name, "operator": entry.op} for entry in found.removed],
        "changed": [
            {
                "name": entry.name,
                "operator": entry.op,
                "consequence": is_consequence,
                "changes": [_record(change) for change in entry.changes],
            }
            for entries, is_consequence in ((found.changed, False), (found.follows, True))
            for entry in entries
        ],
        "outputs": [_record(change) for change in found.outputs],
        "versions": [_record(change) for change in found.versions],
        "same": found.same,
    }


def _record(change: NodeChange) -> dict[str, Any]:
    found = change._asdict()
    attribute = found.pop("attribute")
    return {**found, "label": attribute.label} if attribute is not None else found


def verdict(found: Difference) -> str:
    if found.is_empty:
        return f"no differences in {found.same:,} nodes"
    counts = f"{len(found.added):,} added, {len(found.removed):,} removed, {len(found.changed):,} changed"
    follows = f", {len(found.follows):,} with other types as a consequence" if found.follows else ""
    return f"{counts}{follows}, {found.same:,} unchanged"


def lines(found: Difference) -> list[str]:
    result = [f"- {_named(entry)}" for entry in found.removed] + [f"+ {_named(entry)}" for entry in found.added]
    for entry in found.changed:
        result.append(f"~ {_named(entry)}")
        result += [f"    {_change(change)}" for change in entry.changes]
    result += [f"~ {_change(change)}" for change in (*found.outputs, *found.versions)]
    if found.follows:
        result.append("as a consequence:")
        result += [f"  {_named(entry)}: {_types(entry)}" for entry in found.follows[:_FEW]]
        if len(found.follows) > _FEW:
            result.append(f"  and {len(found.follows) - _FEW:,} more (--output-format json lists them)")
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
    if found.follows:
        result += ["", "### Other types as a consequence", ""]
        result += [f"- {_plain(f'{_named(entry)}: {_types(entry)}')}" for entry in found.follows[:_FEW]]
        if len(found.follows) > _FEW:
            result.append(f"- and {len(found.follows) - _FEW:,} more")
    for title, changes in (("Outputs", found.outputs), ("Versions", found.versions)):
        if changes:
            result += ["", f"### {title}", "", *(f"- {_plain(_change(change))}" for change in changes)]
    return result


def _named(entry: ChangedNode) -> str:
    return visible(f"{brief(entry.name, 200)} ({entry.op})" if entry.name else entry.op)


def shown(changes: Sequence[NodeChange]) -> list[tuple[str, str]]:
    """Return changes as pairs of what has changed, and how."""
    return [(what, how) for change in changes for what, _, how in (_change(change).partition(": "),)]


def _types(entry: ChangedNode) -> str:
    return ", ".join(_change(change).removeprefix("type: ") for change in entry.changes)


def _change(change: NodeChange) -> str:
    label, meanings = (change.attribute.label, change.attribute.meanings) if change.attribute else ("", {})
    what = f"{change.what} {titled(change.key, label)}" if change.key else change.what
    old, new = (
        None if value is None else visible(titled(brief(value, 200), meanings.get(value, "")))
        for value in (change.old, change.new)
    )
    if old == new:
        return f"{visible(what)}: other values"
    if old is None:
        return f"{visible(what)}: {new} (new)"
    if new is None:
        return f"{visible(what)}: {old} (gone)"
    return f"{visible(what)}: {old} -> {new}"


def _plain(text: str) -> str:
    """Return text escaped for Markdown."""
    return _SPECIAL.sub(r"\\\1", text)
