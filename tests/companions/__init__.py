"""Companions of models: planted contradictions of each kind."""

from __future__ import annotations

from companions import genai, triton, ultralytics

TABLES = {"genai": genai, "triton": triton, "ultralytics": ultralytics}
