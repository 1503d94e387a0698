"""Other operators, domains and opsets for a call."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches

from irlint.checks.written import bounds
from irlint.findings import Candidate
from irlint.formats.onnx import opsets
from irlint.formats.onnx.candidates.site import Site
from irlint.formats.onnx.opset_guess import better
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.formats.onnx.wire import Tree
from irlint.operators import Operator, table

_NEAR = 5
_FITTING = 24  # operators that take the call as it is


def operator_candidates(site: Site) -> Iterator[Candidate]:
    yield from _imported(site)
    yield from _domains(site)
    op, opset = site.tree.get("op_type", ""), site.opset or opsets.newest_opset(DEFAULT) or 1
    if site.domain != DEFAULT:
        functions = [one.get("name", "") for one in site.document.tree.get("functions", ())]
        for other in get_close_matches(op, functions, _NEAR):
            yield site.candidate(f"Replace with `{other}`", 1, ("op_type", other))
        return
    named = _named(site)
    fitting = _fitting(site.tree, opset)
    counts = Counter(call.get("op_type", "") for call in site.whole.calls)
    fitting.sort(key=lambda other: (other not in named, -counts[other]))
    successor = opsets.successor(op, site.domain)
    near = get_close_matches(op, fitting, _NEAR, 0.6)
    if (
        opsets.in_opset(op, site.domain, opset) is not None
    ):  # that another operator fits, too, does not show that it was meant
        near, fitting = [other for other in near if _is_near(op, other)], [other for other in fitting if other in named]
    for n, other in enumerate(dict.fromkeys((*((successor,) if successor else ()), *near, *fitting[:_FITTING]))):
        likelihood = 0 if other in named or other == successor else 1 if other in near else 4
        if other != op:
            yield site.candidate(f"Replace with `{other}`", likelihood + (n > _FITTING), ("op_type", other))


def _is_near(op: str, other: str) -> bool:
    """Return whether an operator that exists may be meant by the name of another that exists: `ReduceMin`, `ReduceMax`."""
    return SequenceMatcher(None, op, other).ratio() > 0.75


def _named(site: Site) -> set[str]:
    """Return the operators that the names of the call and of its outputs begin or end with: exporters name calls so."""
    words = set[str]()
    for name in (site.tree.get("name", ""), *site.tree.get("output", ())):
        for word in re.split(r"[/.:]+", name):
            words.add(word.rstrip("_0123456789").removesuffix("_output").lower())
    names = table("onnx").raw["versions"]
    return {name for name in names if name.lower() in words and "." not in name}


def _fitting(call: Tree, opset: int) -> list[str]:
    """Return the operators of ai.onnx that have the inputs, outputs and attributes of a call."""
    given = {one.get("name", "") for one in call.get("attribute", ())}
    found = []
    for name in table("onnx").raw["versions"]:
        operator = None if "." in name else opsets.in_opset(name, DEFAULT, opset)
        if operator is not None and not opsets.is_deprecated(operator) and _takes(operator, call, given):
            found.append(name)
    return found


def _takes(operator: Operator, call: Tree, given: set[str]) -> bool:
    required = {name for name, one in operator.attributes.items() if one.required}
    if not required <= given <= set(operator.attributes):
        return False
    for ports, word in ((operator.inputs, "input"), (operator.outputs, "output")):
        least, most = bounds(ports)
        if not least <= len(call.get(word, ())) <= (most if most is not None else 1 << 30):
            return False
    return True


def _domains(site: Site) -> Iterator[Candidate]:
    """Yield the domains that have the operator, or a function of its name."""
    op, own = site.tree.get("op_type", ""), site.domain
    functions = [
        domain_of(one.get("domain", "")) for one in site.document.tree.get("functions", ()) if one.get("name") == op
    ]
    for domain in dict.fromkeys((*functions, *opsets.domains_with(op), *site.imports)):
        if domain != own:
            word = "" if domain == DEFAULT else domain
            likelihood = 0 if domain in site.imports and domain in (*functions, *opsets.domains_with(op)) else 2
            yield site.candidate(f"Replace the domain with {domain}", likelihood, ("domain", word))


def _imported(site: Site) -> Iterator[Candidate]:
    """Yield another opset of the call's domain: the one that its nodes fit."""
    root = site.path[:2] if site.path[0] == "functions" else ()
    tree = site.document.value_at(root)
    rows = tree.get("opset_import", [])
    k = next((k for k, one in enumerate(rows) if domain_of(one.get("domain", "")) == site.domain), None)
    if k is None or opsets.newest_opset(site.domain) is None:
        return
    is_absent = opsets.absence(site.tree.get("op_type", ""), site.domain, rows[k].get("version", 0)) is not None
    best = better(site.document.tree, site.domain, rows[k].get("version", 0), 1 if is_absent else 2)
    if best is not None:
        edits = site.document.changed((*root, "opset_import", k, "version"), best)
        yield Candidate(f"Import opset {best} of {site.domain}", edits, 1)
