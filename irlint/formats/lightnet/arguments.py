"""Holds an operator's inputs, outputs and parameters, by name, against the operator table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from irlint.codes import RuleRow
from irlint.findings import Fix, Problem
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.grammar import GRAMMAR
from irlint.formats.lightnet.signature import OptypeSignature, signature
from irlint.graph import Graph, Node, label
from irlint.operators import nearest
from irlint.records import dataclass, field
from irlint.rules.attributes._check import writing
from irlint.text.base import Document, Place
from irlint.text.json import JsonDocument

# key in the file: what an entry is called, and the rules for an unknown name, a repeated one and a missing one
SIDES: dict[str, tuple[str, RuleRow, RuleRow, RuleRow]] = {
    "tensors_in": ("input", R.unknown_argument, R.duplicate_argument, R.wrong_input_count),
    "tensors_out": ("output", R.unknown_argument, R.duplicate_argument, R.wrong_output_count),
    "params": ("parameter", R.unknown_attribute, R.duplicate_attribute, R.missing_attribute),
}


@dataclass
class ArgumentMatch:
    """Names of one list of an operator, as they are and as they were probably meant to be."""

    names: list[str]
    expected: Sequence[str]
    renamed: dict[int, str] = field(default_factory=dict)  # where another name was meant
    guessed: set[int] = field(
        default_factory=set
    )  # renamed only because no other name is left: the value is none for it
    surplus: list[int] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def positions(self) -> list[int]:
        """Where each expected name stands, the probable renamings made; -1 if nowhere."""
        where: dict[str, int] = {}
        surplus = set(self.surplus)
        for k, name in enumerate(self.names):
            if k not in surplus and k not in self.guessed:
                where.setdefault(self.renamed.get(k, name), k)
        return [where.get(name, -1) for name in self.expected]


def match(names: Sequence[str], expected: Sequence[str], fits: Callable[[int, str], int]) -> ArgumentMatch:
    """`fits(k, name)` says how well the k-th entry would do under a name; the more the better, below 0 not at all."""
    found = ArgumentMatch(list(names), expected, missing=[name for name in expected if name not in names])
    unknown = [k for k, name in enumerate(names) if name not in expected]
    for k in unknown:
        if (meant := nearest(names[k], found.missing)) is not None:
            _rename(found, k, meant)
    for name in dict.fromkeys(n for n in names if n in expected):
        again = [k for k, other in enumerate(names) if other == name]
        while len(again) > 1:
            if found.missing:
                _, k, meant = max((fits(k, meant) - fits(k, name), k, meant) for k in again for meant in found.missing)
                _rename(found, k, meant)
                if fits(k, meant) < 0:
                    found.guessed.add(k)
                again.remove(k)
            else:
                found.surplus.append(again.pop())
    for k in unknown:
        if k in found.renamed:
            continue
        if len(found.missing) == 1:
            _rename(found, k, found.missing[0])
            found.guessed.add(k)
        else:
            found.surplus.append(k)
    return found


def _rename(found: ArgumentMatch, k: int, meant: str) -> None:
    found.renamed[k] = meant
    found.missing.remove(meant)


def match_tensors(names: Sequence[str], expected: Sequence[str]) -> ArgumentMatch:
    return match(names, expected, lambda k, name: expected.index(name) == k if name in expected else 0)


def match_parameters(entries: Sequence[dict[str, Any]], known: OptypeSignature) -> ArgumentMatch:
    """Match parameters: of two with the same name, the one whose value fits a missing name is misnamed."""
    attributes = known.operator.attributes
    expected = list(attributes)

    def fits(k: int, name: str) -> int:
        if name not in attributes:
            return 0
        faults = any(True for _ in GRAMMAR.faults(entries[k]["value"], attributes[name]))
        return (-2 if faults else 2) + (expected.index(name) == k)

    return match([entry["arg_name"] for entry in entries], expected, fits)


def problems(graph: Graph, node: Node, key: str, found: ArgumentMatch) -> Iterator[Problem]:
    """Report what is wrong with the names in one list."""
    what, unknown, repeated, missing = SIDES[key]
    names, expected = found.names, found.expected
    places: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        places.setdefault(name, []).append(k)
    for k in sorted({*found.renamed, *found.surplus}):
        place = Place((*node.path, key, k, "arg_name"))
        name, meant = names[k], found.renamed.get(k)
        other = next((i for i in places[name] if i != k), None)
        is_repeated = name in expected and other is not None
        message = f"{'duplicate' if is_repeated else 'unknown'} {what} `{name}` for {label(node)}"
        if meant is not None:
            message += f"; did you mean {'the missing ' if is_repeated else ''}`{meant}`?"
        elif not is_repeated:
            one_of = "one of " * (len(expected) > 1)
            message += f"; expected {one_of}{_listed(expected)}" if expected else f"; it takes no {what}s"
        related = (
            [("also declared here", Place((*node.path, key, other, "arg_name")))]
            if is_repeated and other is not None
            else []
        )
        fix = writing(place, meant) if meant is not None else removing(place, f"{what} `{name}`")
        yield Problem(repeated if is_repeated else unknown, place, message, node.name, fix, related)
    if found.missing:
        yield _lacking(missing, graph, node, key, found)


def _lacking(rule: RuleRow, graph: Graph, node: Node, key: str, found: ArgumentMatch) -> Problem:
    what = SIDES[key][0]
    place = Place((*node.path, key), "key")
    lacks = " and ".join(f"`{name}`" for name in found.missing)
    message = f"missing {what}{'s' * (len(found.missing) > 1)} {lacks} for {label(node)}"
    if key != "params":
        if len(found.expected) > len(found.missing):
            message += f"; expected {_listed(found.expected)}"
        return Problem(rule, place, message, node.name)
    known = signature(node.op)
    assert known is not None
    missing = [known.operator.attributes[name] for name in found.missing]
    return Problem(rule, place, message, node.name, GRAMMAR.adding(graph, node, missing))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def removing(place: Place, what: str) -> Callable[[Document], Fix]:
    """Return the fix that removes the entry to which an argument's name belongs."""

    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Remove {what}", document.remove(place.path[:-1]), "unsafe")

    return fix
