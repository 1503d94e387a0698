"""A mistake in one node, said once for all nodes that make it."""

from __future__ import annotations

from irlint.codes import RuleRow
from irlint.findings import Safety, Severity
from irlint.records import NamedTuple


class Issue(NamedTuple):
    """One mistake in a node, said without its name. `part` is a part of a node as Graph.place knows them."""

    rule: RuleRow  # the rule's code
    part: str
    text: str
    better: str | None = None  # the text to write there
    safety: Safety = "unsafe"
    severity: Severity | None = None
    remove: bool = False  # repaired by taking the attribute out
    port: str | None = None  # the input that only the attribute at `part` allows, or forbids
    late: bool = False  # nothing that the reading of the attributes would find
    deciding: tuple[str, ...] = ()  # attributes that the number of inputs depends on
    missing: str | None = None  # the attribute that is lacking
