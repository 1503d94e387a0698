"""Other operators for a node: those that take its inputs, outputs and attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from irlint.findings import EVIDENT, Candidate
from irlint.operators import Operator, Port, bounds
from irlint.repairs.site import Site
from irlint.tools.names import is_typo

_MOST = 40  # operators that are tried
_LONGEST = 100  # characters of a name that may be misspelt
_LIKE, _NEARLY = 0.6, 0.75  # how alike an operator is to one that does not exist, and to one that does
_UNLIKE = 3  # the likelihood of an operator for which nothing speaks but that it fits
_WORDS = re.compile(r"[/.:]+")


def operator_candidates(site: Site, used: frozenset[str] = frozenset()) -> Iterator[Candidate]:
    """Yield operators that take the node as it is. `used` are those of nodes that are like it.

    That another operator fits, too, does not show that it was meant where the node's own does: then only similar names count.
    """
    called = names_in(site.name)
    is_sound = site.operator is not None and (takes(site, site.operator) or not site.attributes)
    found = []
    meant = _misspelt(site)
    for name, operator in site.operators():
        if name != site.op and takes(site, operator):
            likelihood = EVIDENT if name == meant else _likelihood(site, name, called)
            if likelihood < _UNLIKE or not (is_sound or _takes_any(site, operator)):
                found.append((min(likelihood, 0) if name in used else likelihood, len(operator.attributes), name))
    is_guess = not site.attributes or len(found) > _MOST  # any operator of the kind will do
    guessed = range(0 if is_guess else _UNLIKE, _UNLIKE + (is_guess or site.operator is not None))
    for likelihood, _, name in sorted(found)[:_MOST]:
        yield Candidate(site.replacing.format(name), site.with_operator(name), likelihood, likelihood in guessed)


def _misspelt(site: Site) -> str | None:
    """Return the name that is nearly that of an operator that does not exist."""
    if site.is_known or len(site.op) > _LONGEST:
        return None
    near = [name for name, _ in site.operators() if is_typo(site.op, name)]
    return near[0] if len(near) == 1 else None


def _likelihood(site: Site, name: str, called: set[str]) -> int:
    """Return how likely another operator is by its name; `called` are words in the name of the node."""
    if is_named(called, name, site.short_names):
        return 0
    return 1 if _are_alike(site.op, name, _NEARLY if site.operator is not None else _LIKE) else _UNLIKE


def _takes_any(site: Site, operator: Operator) -> bool:
    """Return whether an operator takes any node, so that it shows nothing that it takes this one."""
    return not site.attributes and bounds(operator.inputs)[1] is None


def takes(site: Site, operator: Operator) -> bool:
    """Return whether an operator takes all that a node has, and lacks nothing."""
    given = set(site.attributes)
    needed = {name for name, attribute in operator.attributes.items() if attribute.required}
    if not needed <= given or not given <= set(operator.attributes):
        return False
    inputs = [port for port in operator.inputs if not (port.facts.get("when") or port.facts.get("state"))]
    return _has_room(inputs, operator.inputs, len(site.inputs)) and _has_outputs(site, operator)


def _has_room(needed: list[Port], ports: tuple[Port, ...], count: int) -> bool:
    most = bounds(ports)[1]
    return bounds(needed)[0] <= count and (most is None or count <= most)


def _has_outputs(site: Site, operator: Operator) -> bool:
    least, most = bounds(operator.outputs)
    return not site.outputs or (least <= len(site.outputs) and (most is None or len(site.outputs) <= most))


def _are_alike(one: str, other: str, least: float) -> bool:
    if not 1 < len(one) <= _LONGEST:
        return False
    matcher = SequenceMatcher(None, other.lower(), one.lower())
    return matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least and matcher.ratio() >= least


def names_in(name: str) -> set[str]:
    """Return the words that a node's name begins or ends with, without numbers: exporters name nodes for operators."""
    found = set[str]()
    for part in (name, *_WORDS.split(name)):
        plain = part.rstrip("_0123456789").lower()
        found |= {plain, plain.removesuffix("_output"), plain.removesuffix("_fwd").rstrip("_0123456789")}
    return found


def is_named(words: set[str], operator: str, short_names: object = None) -> bool:
    """Return whether a node seems to be named for an operator: conv0, fc1_fwd, relu0."""
    plain = operator.rpartition(".")[2].lower().strip("_")
    short = short_names.get(operator, plain) if isinstance(short_names, dict) else plain
    return len(plain) > 1 and (plain in words or short in words)
