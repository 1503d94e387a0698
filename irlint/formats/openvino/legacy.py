"""IR versions 1 to 7, of the time before opsets: which releases read them, and their structure."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem
from irlint.formats.openvino.rules.legacy_ir import LegacyIr
from irlint.text.base import Place
from irlint.text.xml_tree import Element


def is_legacy(root: Element) -> bool:
    """Versions 1 to 9 by number; without a number by what only those have."""
    version = root.get("version")
    if version is not None and version.strip().isdigit():
        return 1 <= int(version) <= 9 and not _has_opsets(root)
    return False


def _has_opsets(root: Element) -> bool:
    layers = root.child("layers")
    if layers is None:
        return False
    for child in layers.children[:50]:
        version = child.get("version") if isinstance(child, Element) else child[4]
        if version is not None and str(version).startswith("opset"):
            return True
    return False


def age(root: Element) -> Iterator[Problem]:
    number = (root.get("version") or "").strip()
    message = (
        f"IR version {number} is of the time before 2020: Inference Engine releases up to 2019 R3 were made for it,"
        " and current releases read only versions 10 and 11; convert the original model anew"
    )
    yield Problem(LegacyIr, Place((), "@version"), message)
