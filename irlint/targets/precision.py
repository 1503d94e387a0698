"""Precisions that a target computes with: `--target precision=fp16`."""

from __future__ import annotations

TARGET = "precision"  # the name of the target
FLOATS = {"fp16": "float16", "bf16": "bfloat16"}  # the element types that numbers are rounded to
PRECISIONS = (*FLOATS, "int8")


def precision_trouble(name: str) -> str | None:
    """Return why a precision cannot be meant; None if it can."""
    return None if name in PRECISIONS else f"expected one of {', '.join(PRECISIONS)}, got `{name}`"
