"""D010 shape-not-followed."""

from __future__ import annotations

from irlint.findings import Severity
from irlint.rules.base import Rule


class ShapeNotFollowed(Rule):
    """
    What it does
        Names the operators whose results the dry run cannot work out, once per file.

    Why is this bad
        It is not: operators of extension libraries are legal. But shapes behind them are unknown, so that mistakes
        there stay unseen.

    Example
        A layer of an extension library: `<layer type="StringTensorUnpack" version="extension">`.
    """

    code = "D010"
    name = "shape-not-followed"
    severity = Severity.INFO
