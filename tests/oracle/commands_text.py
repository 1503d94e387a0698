"""Mistakes of IRs and ncnn models for commands.py, and whether their runtimes load what is left of them."""

from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path
from typing import Any

from oracle import ncnn_mutants, repair_ir, text_defects
from oracle.ncnn_lines import model
from oracle.ncnn_worker import PYTHON, Ncnn
from oracle.onnx_sites import Side

IR: dict[str, Any] = {**repair_ir.WAYS, **{way.__name__: way for way in text_defects.MARKUP}}
NCNN: dict[str, Any] = {way.__name__: way for way in ncnn_mutants.WAYS}
FAMILIES = {".xml": IR, ".param": NCNN}


def mutant(kind: str, base: Path, rng: random.Random) -> tuple[bytes, str, list[Side]] | None:
    text, beside = base.read_text(encoding="utf-8"), base.with_suffix(".bin")
    weights = beside.read_bytes() if beside.exists() else None
    way = FAMILIES[base.suffix][kind]
    if kind in repair_ir.WAYS and base.suffix == ".xml":
        legal = way(text, weights, rng)
        made = None if legal is None else (legal.what, legal.text)
        weights = weights if legal is None else legal.weights
    elif base.suffix == ".xml":
        change = way(text, rng)
        made = None if change is None else (change.what, text[: change.start] + change.new + text[change.end :])
    else:
        planted = way(model(text), rng)
        made = None if planted is None else (planted.what, planted.text)
    if made is None or made[1] == text:
        return None
    return made[1].encode(), made[0], [] if weights is None else [Side("model.bin", weights)]


def judged(path: Path) -> tuple[bool, bool]:
    """Return whether the runtime loads a model, and whether it runs it, which OpenVINO is not asked."""
    if path.suffix == ".xml":
        from oracle.onnx_judge import ask

        return ask("openvino", path.resolve(), None)["stage"] in (None, "infer"), False
    weights = path.with_suffix(".bin")
    job = {"param": path, **({"bin": weights} if weights.exists() else {})}
    stage = _ncnn()(**job)["stage"] if PYTHON in os.environ else "load_param"
    return stage not in ("load_param", "load_model"), stage is None


@cache
def _ncnn() -> Ncnn:
    return Ncnn()
