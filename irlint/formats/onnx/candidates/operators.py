"""What only ONNX has of operators: domains, opsets, functions, successors."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from irlint.findings import Candidate
from irlint.formats.onnx import opsets
from irlint.formats.onnx.candidates.site import Site
from irlint.formats.onnx.opset_guess import better
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.repairs.operators import operator_candidates as common

_NEAR = 5


def operator_candidates(site: Site) -> Iterator[Candidate]:
    yield from _imported(site)
    yield from _domains(site)
    functions = [one.get("name", "") for one in site.document.tree.get("functions", ())]
    for other in get_close_matches(site.op, functions, _NEAR) if site.domain != DEFAULT else ():
        yield site.candidate(f"Replace with `{other}`", 1, ("op_type", other))
    if (successor := opsets.successor(site.op, site.domain)) is not None:
        yield site.candidate(f"Replace with `{successor}`", 0, ("op_type", successor))
    yield from common(site)


def _domains(site: Site) -> Iterator[Candidate]:
    """Yield the domains that have the operator, or a function of its name."""
    op, own = site.op, site.domain
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
    is_absent = opsets.absence(site.op, site.domain, rows[k].get("version", 0)) is not None
    best = better(site.document.tree, site.domain, rows[k].get("version", 0), 1 if is_absent else 2)
    if best is not None:
        edits = site.document.changed((*root, "opset_import", k, "version"), best)
        yield Candidate(f"Import opset {best} of {site.domain}", edits, 1)
