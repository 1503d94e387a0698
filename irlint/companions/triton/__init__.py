"""Triton Inference Server's `config.pbtxt`: how the server runs a model of its repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from irlint.companions.base import Companion

PATTERNS = ("*.pbtxt",)


def companion() -> Companion:
    from irlint.companions.triton.companion import Triton

    return Triton()
