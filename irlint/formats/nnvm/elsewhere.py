"""What other operators than a node's own take: an attribute that is right for them tells that the operator may be the wrong one."""

from __future__ import annotations

from functools import cache

from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.issue import Issue
from irlint.operators import OperatorTable


@cache
def _takers(table: OperatorTable) -> dict[str, dict[str, frozenset[str]]]:
    """The operators that take an attribute, by their names, and the words that they know for it."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for name in table.names:
        operator = table.get(name)
        for attribute in operator.attributes.values() if operator is not None else ():
            found.setdefault(attribute.name, {})[name] = frozenset(attribute.values)
    return found


def are_known(table: OperatorTable, names: list[str]) -> bool:
    """Whether some operator takes each of the attributes: none of them is misspelt."""
    return all(name in _takers(table) for name in names)


def is_right_elsewhere(table: OperatorTable, op: str, issue: Issue, text: str) -> bool:
    """Whether the attribute that an issue is about, or its word, is one that another operator takes."""
    key = issue.part.partition(":")[2]
    takers = _takers(table).get(key, {})
    if issue.rule == R.unknown_attribute:
        return bool(takers)
    return issue.rule == R.value_not_in_enum and any(text in words for other, words in takers.items() if other != op)


def is_named_for_another(table: OperatorTable, op: str, name: str, issue: Issue) -> bool:
    """Whether a node is named, as front ends do, for an operator that takes the attribute that its own does not know: transpose0."""
    plain = name.rstrip("0123456789").lower()
    takers = _takers(table).get(issue.part.partition(":")[2], {}) if issue.rule == R.unknown_attribute else {}
    return plain != op.lower() and any(plain == other.lower() for other in takers)
