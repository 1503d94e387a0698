"""Imports of opsets that are missing or unknown: those of the model for its functions, and for the model the opset that its nodes show."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import EVIDENT, Candidate
from irlint.formats.onnx.candidates.model import WholeModel
from irlint.formats.onnx.opset_guess import guessed, is_certain
from irlint.formats.onnx.opsets import DEFAULT, domain_of, newest_opset
from irlint.formats.onnx.passes.structure import imports
from irlint.formats.onnx.trees import calls_in
from irlint.formats.onnx.wire.reader import Tree
from irlint.text.base import Path

_PARTS = (("graph",), ("node",), ("input",), ("output",))  # whose problems are not those of imports


def import_candidates(whole: WholeModel, path: Path) -> Iterator[Candidate]:
    """Yield the imports that a model or a function lacks, and usable versions for those that are unknown."""
    root = path[:2] if path[:1] == ("functions",) else ()
    if path[len(root) : len(root) + 1] in _PARTS:
        return
    document, owner = whole.document, whole.document.value_at(root)
    rows: list[Tree] = owner.get("opset_import", [])
    known = {domain_of(row.get("domain", "")): row.get("version", 0) for row in rows}
    used = {domain_of(call.get("domain", "")) for call in calls_in(_body(owner))}
    there = imports(document.tree) if root else {}
    versions = {domain: there.get(domain) or _shown(document.tree, domain, bool(root)) for domain in sorted(used)}
    lost = [{"domain": "" if one == DEFAULT else one, "version": versions[one]} for one in versions if one not in known]
    if lost and all(row["version"] for row in lost):
        new = [row if row["domain"] else {"version": row["version"]} for row in lost]
        words = " and ".join(f"opset {versions[one]} of {one}" for one in versions if one not in known)
        yield Candidate(f"Import {words}", document.changed((*root, "opset_import"), [*rows, *new]), EVIDENT)
    for k, row in enumerate(rows):
        domain = domain_of(row.get("domain", ""))
        version, newest = versions.get(domain), newest_opset(domain)
        if version and newest is not None and not 1 <= known[domain] <= newest:
            edits = document.changed((*root, "opset_import", k, "version"), version)
            yield Candidate(f"Replace with `{version}`", edits, EVIDENT)


def _body(owner: Tree) -> list[Tree]:
    found: list[Tree] = (owner.get("graph") or owner).get("node", [])
    return found


def _shown(tree: Tree, domain: str, is_function: bool) -> int:
    """Return the opset that the model's nodes show; 0 if some that mean different things fit them as well."""
    version = 0 if is_function else guessed(tree, domain)
    return version if version and is_certain(tree, domain, version) else 0
