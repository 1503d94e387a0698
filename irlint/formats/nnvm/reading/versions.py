"""mxnet_version: what the loader makes of a file depends on it."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.stamp import VERSION, version_of
from irlint.formats.nnvm.reading.view import GraphView
from irlint.rules.base import Model
from irlint.text.base import Document, Place

_UNPARSED = 1_000_000


_CUT = frozenset((R.truncated_file, R.trailing_text))  # by rules: the graph ends before the file, or the file too early


def _is_part_lost(document: Document) -> bool:
    return any(trouble.rule in _CUT for trouble in document.troubles)


def check(model: Model, view: GraphView) -> Iterator[Problem]:
    version = version_of(view.raw)
    last, name = VERSION, "the last MXNet release, 1.9.1"
    if model.targets:
        from irlint.formats.nnvm.passes.releases import declared

        if (release := declared(model)) is not None:
            last, name = release.version, f"the target MXNet {release.text}"
    if version is None:
        attrs = view.raw.get("attrs")
        is_there = isinstance(attrs, dict) and "mxnet_version" in attrs
        if model.dialect == dialects.MXNET and not is_there and not _is_part_lost(model.document):
            message = "missing `mxnet_version` in the graph's `attrs`; MXNet converts the file as one of MXNet 0.8"
            yield Problem(R.mxnet_version, Place((), "value"), message, severity=Severity.INFO)
    elif not 0 < version <= last:
        yield _odd(model, view, version, last, name)


def _odd(model: Model, view: GraphView, version: int, last: int, name: str) -> Problem:
    """Return what is wrong with a version that is not one of the releases up to the last."""
    at = Place(("attrs", "mxnet_version", 1))
    if version >= _UNPARSED:
        message = f"expected less than {_UNPARSED} for `mxnet_version`, got {version}; MXNet ignores all attributes"
        table = model.operators
        found = (table.get(op) for op in set(view.ops)) if table else ()
        needed = any(
            operator and operator.attributes and not operator.facts.get("ignores_attributes") for operator in found
        )
        if needed:
            message += " and cannot run this graph"
        return Problem(R.mxnet_version, at, message, severity=Severity.ERROR if needed else Severity.WARNING)
    if version > last:
        message = f"`mxnet_version` {version} is newer than {name} ({last})"
        return Problem(R.mxnet_version, at, message, severity=Severity.INFO)
    message = f"expected MAJOR * 10000 + MINOR * 100 + PATCH for `mxnet_version`, such as {VERSION}, got {version}"
    return Problem(R.mxnet_version, at, message, severity=Severity.WARNING)
