"""Companions of models: planted contradictions of each kind."""

from __future__ import annotations

from companions import deepstream, frigate, genai, huggingface, labels, mediapipe, ovms, sherpa, triton, ultralytics

TABLES = {
    module.__name__.rpartition(".")[2]: module
    for module in (deepstream, frigate, genai, huggingface, labels, mediapipe, ovms, sherpa, triton, ultralytics)
}
