"""Companions of models: planted contradictions of each kind."""

from __future__ import annotations

from companions import triton, ultralytics

TABLES = {"triton": triton, "ultralytics": ultralytics}
