"""The changes between two models as data, as text, and as Markdown for a review comment."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from irlint.inspection.review import network_report
from irlint.inspection.review.counted import counted
from irlint.inspection.review.difference import ChangedNode, Difference, NodeChange
from irlint.inspection.review.requantized import requantized
from irlint.inspection.review.wording import said
from irlint.text import words
from irlint.text.safe import brief, visible
from irlint.text.words import more_than

Groups = list[list[ChangedNode]]

_MANY = 50  # nodes that a Markdown list shows
_FEW = 10  # nodes with other types as a consequence that are shown
_ALIKE = 3  # nodes that changed in the same way and are shown one by one
_COUNTED = {
    "number": "names", "renamed": "new_names", "link": "links", "data": "storage", "trace": "traces", "default": "defaults",
    "carried": "attributes_as_inputs", "type": "declared_types",
}  # fmt: skip
_NUMBER = re.compile("[0-9]+")
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
        "model": [_record(change) for change in found.model],
        "counted": {key: len(found.counted.get(role, ())) for role, key in _COUNTED.items()},
        "same": found.same,
        "not_compared": found.unread,
        **({} if found.network is None else {"network": network_report.record(found.network)}),
    }


def _record(change: NodeChange) -> dict[str, Any]:
    return {
        "what": change.what,
        "key": change.key,
        "old": change.old,
        "new": change.new,
        **({"label": change.attribute.label} if change.attribute is not None else {}),
        **({"distance": change.distance} if change.distance is not None else {}),
    }


def verdict(found: Difference) -> str:
    if found.is_foreign and found.network is not None:
        return network_report.verdict(found.network)
    if found.is_empty:
        unread = (
            f"; the values of {words.count(found.unread, 'node')} are missing, and not compared" if found.unread else ""
        )
        return f"no differences in {found.same:,} nodes{unread}"
    weights, left = requantized(found)
    often = Counter(pair.status for pair in left)
    counts = f"{often['added']:,} added, {often['removed']:,} removed, {often['changed']:,} changed"
    typed = sum(len(one.pairs) for one in weights)
    stored = f"; {words.count(typed, 'weight')} of another type" if typed else ""
    follows = f", {len(found.follows):,} with other types as a consequence" if found.follows else ""
    others = len(found.outputs) + len(found.versions) + len(found.model)
    model = f"; {words.count(others, 'change')} of the model itself" if others else ""
    return f"{counts}{follows}, {found.same:,} unchanged{stored}{model}"


def lines(found: Difference) -> list[str]:
    rewritten = _rewritten(found)
    if found.is_empty:
        return [verdict(found), *rewritten]
    weights, by_title = _grouped(found)
    result = [f"~ {each}" for each in weights]
    for sign, (_, of) in zip("-+~", by_title, strict=True):
        for group in of:
            result.append(f"{sign} {_title(group)}")
            result += [f"    {said(change)}" for change in _of_all(group)]
    result += [f"~ {said(change)}" for change in (*found.outputs, *found.versions, *found.model)[:_MANY]]
    result += more_than(_MANY, (*found.outputs, *found.versions, *found.model), "  ")
    result += [*rewritten, *(f"= {text}" for text in counted(found))]
    if found.follows:
        result.append("as a consequence:")
        result += [f"  {_named(entry)}: {_types(entry)}" for entry in found.follows[:_FEW]]
        if len(found.follows) > _FEW:
            result.append(f"  and {len(found.follows) - _FEW:,} more (--output-format json lists them)")
    return [*_common(found), verdict(found), *result, *([verdict(found)] if len(result) > _MANY else [])]


def _rewritten(found: Difference) -> list[str]:
    return network_report.rewritten_lines(found.network) if found.is_foreign and found.network is not None else []


def _common(found: Difference) -> list[str]:
    """Return what two models of one format have in common, if these are two forms of one network, and layers with other weights."""
    network = None if found.is_foreign else found.network
    if network is None or not network.layers or not (network.has_same_layers or network.only_weights_differ):
        return []
    return [network_report.verdict(network), *network_report.apart_lines(network)]


def _grouped(found: Difference) -> tuple[list[str], list[tuple[str, Groups]]]:
    """Return lines for weights that were quantized, and removed, added and changed nodes but for those in groups, each with its title."""
    weights, left = requantized(found)
    shown = set(map(id, left))

    def others(entries: list[ChangedNode], status: str) -> Groups:
        pairs = (pair for pair in found.pairs if pair.status == status)
        return groups([entry for entry, pair in zip(entries, pairs, strict=True) if id(pair) in shown])

    lists = (("Removed", found.removed), ("Added", found.added), ("Changed", found.changed))
    return [*map(str, weights)], [(title, others(entries, title.lower())) for title, entries in lists]


def groups(entries: Sequence[ChangedNode]) -> Groups:
    """Return nodes that changed in the same way together where there are many, in the order of the first of each group."""
    found: dict[Any, list[ChangedNode]] = {}
    for k, entry in enumerate(entries):
        found.setdefault(_way(entry) if len(entries) > _FEW else k, []).append(entry)
    return [part for group in found.values() for part in ([group] if len(group) > _ALIKE else [[one] for one in group])]


def _way(entry: ChangedNode) -> Any:
    """Return how a node changed, whatever nodes it is connected to now."""
    by_name = ("input", "name", "entry")
    return entry.op, *(
        (change.what, _NUMBER.sub("0", change.key), change.old is None, change.new is None)
        if change.what in by_name
        else change[:4]
        for change in entry.changes
    )


def _of_all(group: list[ChangedNode]) -> list[NodeChange]:
    """Return the changes of nodes that changed in the same way, with the largest distance of weights."""
    known = [one.distance for entry in group for one in entry.changes if one.what == "weights"]
    most = None if None in known else max(filter(None, known), default=None)
    return [change._replace(distance=most) if change.what == "weights" else change for change in group[0].changes]


def _title(group: list[ChangedNode]) -> str:
    first = group[0]
    if len(group) == 1:
        return _named(first)
    such = f", such as {visible(brief(first.name, 200))}" if first.name else ""
    return f"{words.count(len(group), 'node')} ({visible(first.op)}){such}{':' if first.changes else ''}"


def markdown(found: Difference, old: str, new: str) -> list[str]:
    result = [f"**{_plain(visible(old))} → {_plain(visible(new))}**: {verdict(found)}"]
    weights, by_title = _grouped(found)
    result += ["", "### Weights", "", *(f"- {_plain(text)}" for text in weights)] if weights else []
    for title, shown_groups in by_title:
        result += _listed(title, shown_groups)
    if found.follows:
        result += ["", "### Other types as a consequence", ""]
        result += [f"- {_plain(f'{_named(entry)}: {_types(entry)}')}" for entry in found.follows[:_FEW]]
        if len(found.follows) > _FEW:
            result.append(f"- and {len(found.follows) - _FEW:,} more")
    for title, changes in (("Outputs", found.outputs), ("Versions", found.versions), ("Model", found.model)):
        if changes:
            result += ["", f"### {title}", "", *(f"- {_plain(said(change))}" for change in changes[:_MANY])]
            result += [f"- {line}" for line in more_than(_MANY, changes, "")]
    for title, texts in (("Other operators", _rewritten(found)), ("Counted", counted(found))):
        if texts:
            result += ["", f"### {title}", "", *(f"- {_plain(text.removeprefix('= '))}" for text in texts)]
    return result


def _listed(title: str, shown_groups: Groups) -> list[str]:
    result = ["", f"### {title}", ""] if shown_groups else []
    for group in shown_groups[:_MANY]:
        result.append(f"- {_plain(_title(group))}")
        result += [f"  - {_plain(said(change))}" for change in _of_all(group)]
    if len(shown_groups) > _MANY:
        result.append(f"- and {sum(map(len, shown_groups[_MANY:])):,} more")
    return result


def _named(entry: ChangedNode) -> str:
    return visible(f"{brief(entry.name, 200)} ({entry.op})" if entry.name else entry.op)


def shown(changes: Sequence[NodeChange]) -> list[tuple[str, str]]:
    """Return changes as pairs of what has changed, and how."""
    return [(what, how) for change in changes for what, _, how in (said(change).partition(": "),)]


def _types(entry: ChangedNode) -> str:
    return ", ".join(said(change).removeprefix("type: ") for change in entry.changes)


def _plain(text: str) -> str:
    """Return text escaped for Markdown."""
    return _SPECIAL.sub(r"\\\1", text)
