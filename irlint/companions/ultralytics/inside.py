"""Metadata in a model: the same keys as in metadata.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from irlint.companions.ports import Ports
from irlint.companions.report import Report
from irlint.companions.ultralytics.heads import check as check_heads


def check(tree: Mapping[str, Any], model: Ports, report: Report) -> None:
    check_heads(tree, model, "the model", report)
