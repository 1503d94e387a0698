"""A mistake in one node, reported for every node that makes it."""

from __future__ import annotations

from irlint.codes import RuleRow
from irlint.findings import Safety, Severity
from irlint.records import NamedTuple


class Issue(NamedTuple):
    """One mistake in a node: the message is `text`, the node, `rest`. `part` is a part of a node as View.place takes it."""

    rule: RuleRow  # the rule's code
    part: str
    text: str  # what precedes the node
    better: str | None = None  # the text to write there
    safety: Safety = "unsafe"
    severity: Severity | None = None
    remove: bool = False  # the fix removes the attribute
    port: str | None = None  # the input that only the attribute at `part` allows, or forbids
    late: bool = False  # not found when the attributes are parsed
    deciding: tuple[str, ...] = ()  # attributes that the number of inputs depends on
    missing: str | None = None  # the missing attribute
    rest: str = ""  # what follows the node
    hint: str = ""  # the question whether `better` was meant
    misspelled: bool = False  # `better` is known by its likeness to the name that the file has
