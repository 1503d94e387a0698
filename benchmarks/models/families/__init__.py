"""Families of models: each module has `cases()`, which yields them; importing it needs the family's library."""

from __future__ import annotations

NAMES = (
    "torchvision",
    "detection",
    "timm",
    "transformers",
    "decoders",
    "optimum",
    "compressed",
    "ultralytics",
    "keras",
    "onnx",
    "control",
    "recurrent",
)
