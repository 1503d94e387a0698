"""Imports of opsets that are missing or unknown: those of the model for its functions, and for the model the opset that its nodes show."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import EVIDENT, Candidate
from irlint.formats.onnx.candidates.model import WholeModel
from irlint.formats.onnx.opset_guess import guessed, is_certain
from irlint.formats.onnx.opsets import DEFAULT, domain_of, newest_opset
from irlint.formats.onnx.passes.structure import imports
from irlint.formats.onnx.trees import calls_in
from irlint.text.base import Path
from irlint.text.prototext.messages import Tree

_PARTS = (("graph",), ("node",), ("input",), ("output",))  # whose problems are not those of imports


def import_candidates(whole: WholeModel, path: Path) -> Iterator[Candidate]:
    """Yield the imports that a model or a function lacks, and usable versions for those that are unknown."""
    root = path[:2] if path[:1] == ("functions",) else ()
    if path[len(root) : len(root) + 1] not in _PARTS:
        owner = whole.document.value_at(root)
        versions = _versions(whole.document.tree, owner, bool(root))
        at, rows = (*root, "opset_import"), owner.get("opset_import", [])
        yield from _lost(whole, at, rows, versions)
        yield from _unknown(whole, at, rows, versions)


def _versions(tree: Tree, owner: Tree, is_function: bool) -> dict[str, int]:
    """Return the opset of each domain that nodes use; 0 where nothing shows it."""
    used = {domain_of(call.get("domain", "")) for call in calls_in(_body(owner))}
    there = imports(tree) if is_function else {}
    return {one: there.get(one) or (0 if is_function else _shown(tree, one)) for one in sorted(used)}


def _lost(whole: WholeModel, at: Path, rows: list[Tree], versions: dict[str, int]) -> Iterator[Candidate]:
    """Yield all imports that are missing, if each is known."""
    known = {domain_of(row.get("domain", "")) for row in rows}
    lost = {one: version for one, version in versions.items() if one not in known}
    if lost and all(lost.values()):
        new = [{"domain": one, "version": lost[one]} if one != DEFAULT else {"version": lost[one]} for one in lost]
        words = " and ".join(f"opset {version} of {one}" for one, version in lost.items())
        yield Candidate(f"Import {words}", whole.document.changed(at, [*rows, *new]), EVIDENT)


def _unknown(whole: WholeModel, at: Path, rows: list[Tree], versions: dict[str, int]) -> Iterator[Candidate]:
    for k, row in enumerate(rows):
        domain = domain_of(row.get("domain", ""))
        version, newest = versions.get(domain), newest_opset(domain)
        if version and newest is not None and not 1 <= row.get("version", 0) <= newest:
            edits = whole.document.changed((*at, k, "version"), version)
            yield Candidate(f"Replace with `{version}`", edits, EVIDENT)


def _body(owner: Tree) -> list[Tree]:
    found: list[Tree] = (owner.get("graph") or owner).get("node", [])
    return found


def _shown(tree: Tree, domain: str) -> int:
    """Return the opset that the model's nodes show; 0 if some that mean different things fit them as well."""
    version = guessed(tree, domain)
    return version if is_certain(tree, domain, version) else 0
