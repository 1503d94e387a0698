"""mxnet_version: what the loader makes of a file depends on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.passes.operands import LoaderBehavior
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.json_values import as_dict
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.rules.base import Model
from irlint.text.base import Place

VERSION = 10901  # the newest MXNet that loads symbols of this kind
_UNDECLARED = 800  # mxnet 1.9.1 treats a file without a version as one of 0.8
_UNPARSED = 1_000_000
_CUT = frozenset((R.truncated_file, R.trailing_text))  # by rules: the graph ends before the file, or the file too early


def version_of(value: dict[str, Any]) -> int | None:
    """Return the mxnet_version that a file carries."""
    entry = as_dict(value.get("attrs")).get("mxnet_version")
    number = entry[1] if isinstance(entry, list) and len(entry) == 2 else None
    return number if type(number) is int else None


def behavior_of(model: Model, value: dict[str, Any]) -> LoaderBehavior:
    """Return what the loader does with a file of this age: UpgradeJSON_* in MXNet's legacy_json_util.cc."""
    if model.dialect == dialects.CLASSIC:
        return LoaderBehavior()
    version = version_of(value)
    effective = _UNDECLARED if version is None else version
    last, _ = _last(model)
    # mxnet 1.9.1: lr_mult and its kin are moved in any older file, lost auxiliary inputs are added before 0.9, argmax loses axis=-1 before
    # 0.9.5
    return LoaderBehavior(effective < last, effective < 900, True, effective < 905)


def _last(model: Model) -> tuple[int, str]:
    """Return the version of the MXNet that the file is for, and how messages name it."""
    if model.targets:
        from irlint.formats.nnvm.passes.releases import declared

        if (release := declared(model)) is not None:
            return release.version, f"the target MXNet {release.text}"
    return VERSION, "the last MXNet release, 1.9.1"


def check(model: Model, view: GraphView) -> Iterator[Problem]:
    """Report a version that is missing or not one of the releases up to the last."""
    version = version_of(view.raw)
    last, name = _last(model)
    at = Place(("attrs", "mxnet_version", 1))
    if version is None:
        is_cut = any(trouble.rule in _CUT for trouble in model.document.troubles)
        if model.dialect == dialects.MXNET and "mxnet_version" not in as_dict(view.raw.get("attrs")) and not is_cut:
            message = "missing `mxnet_version` in the graph's `attrs`; MXNet converts the file as one of MXNet 0.8"
            yield Problem(R.mxnet_version, Place((), "value"), message, severity=Severity.INFO)
    elif version >= _UNPARSED:
        yield _unparsed(model, view, version, at)
    elif version > last:
        message = f"`mxnet_version` {version} is newer than {name} ({last})"
        yield Problem(R.mxnet_version, at, message, severity=Severity.INFO)
    elif version <= 0:
        message = f"expected MAJOR * 10000 + MINOR * 100 + PATCH for `mxnet_version`, such as {VERSION}, got {version}"
        yield Problem(R.mxnet_version, at, message, severity=Severity.WARNING)


def _unparsed(model: Model, view: GraphView, version: int, at: Place) -> Problem:
    """Return what is wrong with a version from which on MXNet reads no attributes."""
    message = f"expected less than {_UNPARSED} for `mxnet_version`, got {version}; MXNet ignores all attributes"
    assert model.operators is not None
    found = [operator for op in set(view.ops) if (operator := model.operators.get(op)) is not None]
    is_needed = any(one.attributes and not one.facts.get("ignores_attributes") for one in found)
    rest = " and cannot run this graph" if is_needed else ""
    severity = Severity.ERROR if is_needed else Severity.WARNING
    return Problem(R.mxnet_version, at, message + rest, severity=severity)
