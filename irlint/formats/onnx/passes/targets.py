"""Releases that a model must run on: which opsets and IR versions they load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from irlint.codes import R
from irlint.findings import Fix, Problem, Severity
from irlint.formats.onnx.excess import Excess
from irlint.formats.onnx.opsets import DEFAULT, domain_of, newest_opset
from irlint.operators import table
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.targets.base import ComparedTarget
from irlint.targets.kernels import Kernels, kernels
from irlint.text.base import Document, Place
from irlint.text.numbers import integer
from irlint.text.prototext.messages import Tree
from irlint.text.words import joined

NAMES = (
    "onnx",
    "onnxruntime",
    "opencv",
    "opset",
    "tensorrt",
)  # as OnnxFormat lists them, next to those of other formats


PROVIDERS = ("coreml", "cuda", "directml", "nnapi", "qnn", "webgpu", "webnn", "xnnpack")  # of onnxruntime


class Asked(NamedTuple):
    """A release, and the execution provider that is asked for, as in `1.17,provider=cuda`."""

    release: str
    provider: str | None


def asked(name: str, version: str) -> Asked:
    release, _, provider = version.partition(",provider=") if name == "onnxruntime" else (version, "", "")
    return Asked(release, None if provider in ("", "cpu") else provider)


class _Runtime(NamedTuple):
    title: str
    table: str  # of its kernels


_COMPARED = {
    "onnxruntime": _Runtime("onnxruntime CPU", "onnxruntime"),
    "openvino": _Runtime("OpenVINO CPU", "openvino-onnx"),
    "opencv": _Runtime("OpenCV DNN", "opencv"),
    "tensorrt": _Runtime("TensorRT", "tensorrt"),
}
_NEXT = 10  # minor releases after the newest one of the table, which are taken to load what that loads


class Limits(NamedTuple):
    """The newest of each that a target loads; None: any."""

    who: str
    opset: int | None = None
    ml: int | None = None
    ir: int | None = None
    oldest: int | None = None  # opset that it promises to load


def target_trouble(name: str, version: str) -> str | None:
    """Return why a target cannot be meant; None if it can."""
    version, provider = asked(name, version)
    if provider not in (None, *PROVIDERS):
        return f"unknown provider `{provider}`; expected cpu, {', '.join(PROVIDERS)}"
    if name == "opset":
        newest = table("onnx").raw["opsets"][DEFAULT]
        is_known = version.isdecimal() and 1 <= integer(version) <= newest
        return None if is_known else f"expected an opset from 1 to {newest}, got `{version}`"
    if name not in NAMES:
        return f"unknown target `{name}`; expected {', '.join(sorted(NAMES))}"
    if _release(version) is None:
        return f"expected a release such as 1.17, got `{version}`"
    known = [_release(one) or (0, 0) for one in _releases(name)]
    oldest, newest, release = min(known), max(known), _release(version) or (0, 0)
    if not oldest <= release <= (newest[0], newest[1] + _NEXT):
        what = f"newest release that it knows is {_text(newest)}" if release > newest else f"oldest is {_text(oldest)}"
        return f"irlint does not know {name} {version}; the {what}"
    return None


def _text(release: tuple[int, int]) -> str:
    return ".".join(map(str, release))


def _releases(name: str) -> Iterator[str]:
    raw = table("onnx").raw
    if name == "onnx":
        yield from raw["releases"].values()
    else:
        yield from raw["runtimes"][name] if name in raw["runtimes"] else kernels(_COMPARED[name].table).releases


def compared() -> list[ComparedTarget]:
    """Return the runtimes that irlint compares, and the providers of onnxruntime."""
    found = [_target(name, "", row.title, kernels(row.table)) for name, row in _COMPARED.items()]
    for provider in PROVIDERS:
        of_provider = kernels(f"onnxruntime-{provider}")
        found.append(_target("onnxruntime", f",provider={provider}", f"onnxruntime {of_provider.title}", of_provider))
    return found


def _target(name: str, provider: str, title: str, of: Kernels) -> ComparedTarget:
    return ComparedTarget(name, title, of.releases, "published" if of.is_published else "measured", provider)


def table_of(name: str, version: str) -> Kernels | None:
    """Return the table of a runtime's kernels, or of those of a provider; None if there is none."""
    row, provider = _COMPARED.get(name), asked(name, version).provider
    return None if row is None else kernels(row.table if provider is None else f"{name}-{provider}")


def title_of(name: str) -> str:
    """Return what messages call a target."""
    return _COMPARED[name].title.partition(" ")[0] if name in _COMPARED else name


def limits(name: str, version: str) -> Limits | None:
    """Return what a target loads; None if irlint does not know it."""
    version = asked(name, version).release
    raw, release, who = table("onnx").raw, _release(version), f"{title_of(name)} {version}"
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


def target_problems(model: Model, tree: Tree, targets: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Report what each target cannot load: once, as opset and IR version are chosen together when a model is exported."""
    for name, version in targets:
        limit = limits(name, version) if name in NAMES else None
        if limit is None:
            continue
        yield from _too_old(limit, tree)
        if not (found := list(_excesses(limit, tree))):
            continue
        most = joined(f"{one.what} up to {one.most}" for one in found)
        message = f"{limit.who} loads {most}; the model has {joined(one.got for one in found)}"
        if name == "opset":
            message = f"expected {found[0].lowered} or older, got {found[0].got.removeprefix('opset ')}"
        yield Problem(
            R.target_cannot_read, found[0].at, message, None, partial(_lowered, model, tree, name, version, found)
        )


def _lowered(
    model: Model, tree: Tree, name: str, version: str, found: Sequence[Excess], document: Document
) -> Fix | None:
    from irlint.formats.onnx.passes.lowering import lowered

    release = asked(name, version).release
    table = table_of(name, release)  # of the CPU: a provider leaves to it what it lacks
    known = None if table is None or table.is_published else table.release(release)
    return lowered(model, tree, found, None if table is None or known is None else (table, known), document)


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
        if most is not None and most < opset <= (newest_opset(domain) or opset):  # others are unknown to everybody
            of = "" if domain == DEFAULT else f" of {domain}"
            at = Place(("opset_import", k, "version"))
            yield Excess(at, domain, f"opsets{of}", opset, most, f"opset {{}}{of}")
    if limit.ir is not None and (got := tree.get("ir_version", 0)) > limit.ir:
        yield Excess(Place(("ir_version",)), None, "IR versions", got, limit.ir, "IR version {}")
