"""Changes that are worth no line of their own, in a line for each kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from irlint.inspection.review.difference import Difference, NodeChange
from irlint.inspection.review.wording import how
from irlint.text import words
from irlint.text.safe import brief, visible

_KEYS = 5  # that are shown
_ALIKE = 3  # changes of one kind that are shown


def counted(found: Difference) -> list[str]:
    """Return a line for each kind of change that is worth no line of its own."""
    others = (found.added, found.removed, found.changed, found.model, found.outputs, found.counted.get("type"))
    kinds = {**_KINDS, "link": _links} if not any(others) else _KINDS
    return [said(of) for role, said in kinds.items() if (of := found.counted.get(role))]


def _names(names: Sequence[NodeChange]) -> str:
    pairs = ", ".join(f"{brief(one.old or '', 60)} -> {brief(one.new or '', 60)}" for one in names[:_ALIKE])
    verb = "differs only in its" if len(names) == 1 else "differ only in their"
    return f"{words.count(len(names), 'name')} {verb} numbers: {visible(pairs)}{_more(names)}"


def _renamed(names: Sequence[NodeChange]) -> str:
    pairs = ", ".join(f"{brief(one.old or '', 60)} -> {brief(one.new or '', 60)}" for one in names[:_ALIKE])
    return f"most nodes have new names ({len(names):,}): {visible(pairs)}{_more(names)}"


def _defaults(changes: Sequence[NodeChange]) -> str:
    what = words.count(len(changes), "attribute is", "attributes are")
    return f"{what} written in one file and the default in the other: {_keys(changes)}"


def _declared(changes: Sequence[NodeChange]) -> str:
    return f"{words.count(len(changes), 'node')} with types that only one file declares"


def _keys(changes: Sequence[NodeChange]) -> str:
    found = sorted({brief((change.key or change.what).rpartition(" ")[2], 60) for change in changes})
    return visible(", ".join([*found[:_KEYS], *(["..."] if len(found) > _KEYS else [])]))


def _data(data: Sequence[NodeChange]) -> str:
    what = words.count(len(data), "entry", "entries")
    return f"{what} of weights with equal values differ: {_keys(data)}"


def _traces(traces: Sequence[NodeChange]) -> str:
    what = words.count(len(traces), "entry", "entries")
    verb = "differs" if len(traces) == 1 else "differ"
    return f"{what} of where nodes come from {verb}: {_keys(traces)}"


def _links(links: Sequence[NodeChange]) -> str:
    keys = visible(", ".join(f"{brief(one.key, 60)}: {how(one)}" for one in links[:_ALIKE]))
    what = words.count(len(links), "entry that connects", "entries that connect")
    return f"the same graph with {what} it: {keys}{_more(links)}"


def _more(changes: Sequence[NodeChange]) -> str:
    return ", ..." if len(changes) > _ALIKE else ""


_KINDS: dict[str, Callable[[Sequence[NodeChange]], str]] = {
    "number": _names, "renamed": _renamed, "data": _data, "default": _defaults, "type": _declared, "trace": _traces,
}  # fmt: skip
