"""Releases that a model must run on: which opsets and IR versions they load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from irlint.checks.fault import Repair
from irlint.codes import R
from irlint.findings import Fix, Problem, Severity
from irlint.formats.onnx.opsets import DEFAULT, domain_of
from irlint.operators import table
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.targets.kernels import PROVIDERS
from irlint.text.base import Document, Place
from irlint.text.numbers import integer
from irlint.text.prototext.messages import Tree
from irlint.text.words import joined

RUNTIMES = ("onnxruntime", "opset", "tensorrt")  # as OnnxFormat lists them


_NEXT = 10  # minor releases after the newest one of the table, which are taken to load what that loads


class Limits(NamedTuple):
    """The newest of each that a target loads; None: any."""

    who: str
    opset: int | None = None
    ml: int | None = None
    ir: int | None = None
    oldest: int | None = None  # opset that it promises to load


class Asked(NamedTuple):
    """A release, and the execution provider that is asked for, as in `1.17,provider=cuda`."""

    release: str
    provider: str | None


def asked(name: str, version: str) -> Asked:
    release, _, provider = version.partition(",provider=") if name == "onnxruntime" else (version, "", "")
    return Asked(release, None if provider in ("", "cpu") else provider)


def target_trouble(name: str, version: str) -> str | None:
    """Return why a target cannot be meant; None if it can."""
    version, provider = asked(name, version)
    if provider not in (None, *PROVIDERS):
        return f"unknown provider `{provider}`; expected cpu, {', '.join(PROVIDERS)}"
    if name == "opset":
        newest = table("onnx").raw["opsets"][DEFAULT]
        is_known = version.isdecimal() and 1 <= integer(version) <= newest
        return None if is_known else f"expected an opset from 1 to {newest}, got `{version}`"
    if name not in ("onnx", *RUNTIMES):
        return f"unknown target `{name}`; expected onnx, {', '.join(RUNTIMES)}"
    if _release(version) is None:
        return f"expected a release such as 1.17, got `{version}`"
    newest = max(_release(one) or (0, 0) for one in _releases(name))
    major, minor = _release(version) or newest
    if limits(name, version) is None or not (major, minor) <= (newest[0], newest[1] + _NEXT):
        return (
            f"irlint does not know {name} {version}; the newest release that it knows is {'.'.join(map(str, newest))}"
        )
    return None


def _releases(name: str) -> Iterator[str]:
    raw = table("onnx").raw
    yield from raw["releases"].values() if name == "onnx" else raw["runtimes"][name]


def limits(name: str, version: str) -> Limits | None:
    """Return what a target loads; None if irlint does not know it."""
    version = asked(name, version).release
    raw, release, who = table("onnx").raw, _release(version), f"{name} {version}"
    if name == "opset":
        return Limits(who, integer(version)) if version.isdecimal() else None
    if release is None:
        return None
    if name == "onnx":
        opsets = [int(opset) for opset, first in raw["releases"].items() if _is_until(first, release)]
        versions = [int(ir) for ir, row in raw["ir"].items() if _is_until(row["onnx"], release)]
        return Limits(who, max(opsets), None, max(versions, default=None)) if opsets else None
    rows = [row for first, row in raw["runtimes"].get(name, {}).items() if _is_until(first, release)]
    return Limits(who, *map(rows[-1].get, ("opset", "ml", "ir", "oldest"))) if rows else None


def _is_until(known: str, release: tuple[int, int]) -> bool:
    """Return whether a release of the table is not newer than another, or is none."""
    return (_release(known) or release) <= release


def _release(text: str) -> tuple[int, int] | None:
    """Return the first two numbers of a release; None for other texts."""
    parts = text.strip().split(".")
    if len(parts) > 4 or not all(part.isdecimal() and len(part) < 6 for part in parts):
        return None
    major, minor = (*parts, "0")[:2]
    return int(major), int(minor)


class Excess(NamedTuple):
    """A version that is newer than a target loads."""

    at: Place
    what: str  # it is, in the plural
    got: str
    most: int
    lowered: str


def target_problems(model: Model, tree: Tree) -> Iterator[Problem]:
    """Report what each target cannot load: once, as opset and IR version are chosen together when a model is exported."""
    for name, version in model.targets.items():
        limit = limits(name, version) if name in ("onnx", *RUNTIMES) else None
        if limit is None:
            continue
        yield from _too_old(limit, tree)
        if not (found := list(_excesses(limit, tree))):
            continue
        most = joined(f"{one.what} up to {one.most}" for one in found)
        message = f"{limit.who} loads {most}; the model has {joined(one.got for one in found)}"
        if name == "opset":
            message = f"expected {found[0].lowered} or older, got {found[0].got.removeprefix('opset ')}"
        yield Problem(R.target_cannot_read, found[0].at, message, None, _lowering(found))


def _too_old(limit: Limits, tree: Tree) -> Iterator[Problem]:
    """Report an opset that a target may load, but does not promise to."""
    for k, one in enumerate(tree.get("opset_import", ()) if limit.oldest is not None else ()):
        domain, opset = domain_of(one.get("domain", "")), one.get("version", 0)
        if domain == DEFAULT and 0 < opset < (limit.oldest or 0):
            message = f"{limit.who} guarantees opsets from {limit.oldest} on; the model has opset {opset}"
            at = Place(("opset_import", k, "version"))
            yield Problem(R.target_cannot_read, at, message, severity=Severity.WARNING)


def _excesses(limit: Limits, tree: Tree) -> Iterator[Excess]:
    for k, one in enumerate(tree.get("opset_import", ())):
        domain, opset = domain_of(one.get("domain", "")), one.get("version", 0)
        most = {DEFAULT: limit.opset, "ai.onnx.ml": limit.ml}.get(domain)
        if most is not None and opset > most:
            of = "" if domain == DEFAULT else f" of {domain}"
            at = Place(("opset_import", k, "version"))
            yield Excess(at, f"opsets{of}", f"opset {opset}{of}", most, f"opset {most}{of}")
    if limit.ir is not None and (got := tree.get("ir_version", 0)) > limit.ir:
        yield Excess(Place(("ir_version",)), "IR versions", f"IR version {got}", limit.ir, f"IR version {limit.ir}")


def _lowering(found: Sequence[Excess]) -> Repair:
    """Return a fix that lowers versions. Unsafe: operators may mean something else in them."""

    def fix(document: Document) -> Fix:
        edits = tuple(sorted(edit for one in found for edit in document.write(one.at, one.most)))
        return Fix(f"Lower to {joined(one.lowered for one in found)}", edits, "unsafe")

    return fix
