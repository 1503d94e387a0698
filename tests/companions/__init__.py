"""Companions of models: planted contradictions of each kind."""

from __future__ import annotations

from companions import (
    dataset,
    deepstream,
    diffusers,
    frigate,
    genai,
    huggingface,
    labels,
    mediapipe,
    ovms,
    sherpa,
    triton,
    ultralytics,
)

TABLES = {
    module.__name__.rpartition(".")[2]: module
    for module in (
        *(dataset, deepstream, diffusers, frigate, genai, huggingface),
        *(labels, mediapipe, ovms, sherpa, triton, ultralytics),
    )
}
