"""The version that a file is stamped with, and what the loader does with a file of that age."""

from __future__ import annotations

from typing import Any

from irlint.formats.nnvm.passes.operands import LoaderBehavior
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.rules.base import Model

VERSION = 10901  # the newest MXNet that loads symbols of this kind
UNSTAMPED = 800  # mxnet 1.9.1 treats a file without a version as one of 0.8


def version_of(value: dict[str, Any]) -> int | None:
    """The mxnet_version that a file carries."""
    attrs = value.get("attrs")
    entry = attrs.get("mxnet_version") if isinstance(attrs, dict) else None
    number = entry[1] if isinstance(entry, list) and len(entry) == 2 else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def era_of(model: Model, value: dict[str, Any]) -> LoaderBehavior:
    """What the loader does with a file of this age: UpgradeJSON_* in MXNet's legacy_json_util.cc."""
    if model.dialect == dialects.CLASSIC:
        return LoaderBehavior()
    version = version_of(value)
    effective = UNSTAMPED if version is None else version
    reader = VERSION
    if model.targets:
        from irlint.formats.nnvm.passes.releases import declared

        release = declared(model)
        reader = VERSION if release is None else release.version
    # mxnet 1.9.1: lr_mult and its kin are moved in any older file, lost auxiliary inputs are added before 0.9, argmax loses axis=-1 before
    # 0.9.5, and from 1000000 on attributes are not parsed, so that shape inference fails
    return LoaderBehavior(effective < reader, effective < 900, effective < 1_000_000, True, effective < 905)
