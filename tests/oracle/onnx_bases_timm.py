"""Networks of families of timm that are drawn, each among its smallest, with random weights."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import torch

from oracle.onnx_bases import Builder, draws
from oracle.onnx_export import Made, drawn, image, quiet, size_of

COUNT = 40  # families
LARGEST = 14_000_000  # numbers
SMALL = re.compile(
    "test|atto|femto|pico|nano|tiny|xxs|_xs|xtra|small|mini|0[2-7]5|_0[2-9]|18|_s\\b|_t\\b|_b0|_n\\b|lite"
)
MOST = 6  # of a family are looked at


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    quiet()
    import timm

    for family in draws("timm").sample(timm.list_modules(), COUNT):
        yield drawn("timm", family, lambda rng, family=family: (_made(family, rng), ()))


def _made(family: str, rng: random.Random) -> Made:
    import timm

    names = timm.list_models(module=family)
    small = [name for name in names if SMALL.search(name)] or names
    for name in rng.sample(small, min(MOST, len(small))):
        with torch.device("meta"):
            size = size_of(timm.create_model(name))
        if size <= LARGEST:
            model = timm.create_model(name, num_classes=rng.choice((2, 10, 37)))
            _, width, _ = model.default_cfg["input_size"]
            is_fixed = model.default_cfg.get("fixed_input_size")
            least = (model.default_cfg.get("min_input_size") or (3, 64, 64))[1]
            return model, image(width if is_fixed else max(least, rng.choice((64, 96, 128))))
    raise ValueError(f"no small network among {len(names)} of {family}")
