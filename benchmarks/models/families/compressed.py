"""NNCF: weights of 8 to 4 bits, and models quantised after training."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import nncf
import numpy as np
import torch
from cases import Built, Case, converted
from nncf import CompressWeightsMode as Mode
from torchvision import models

from families.decoders import LARGER, causal
from families.transformers import ENCODERS, VISION, Wrapped, from_config, ones, tokens

WEIGHTS: dict[str, dict[str, Any]] = {
    "int8_asym": {"mode": Mode.INT8_ASYM},
    "int8_sym": {"mode": Mode.INT8_SYM},
    "int4_sym": {"mode": Mode.INT4_SYM, "group_size": 64},
    "int4_asym": {"mode": Mode.INT4_ASYM, "group_size": 64},
    "int4_channel": {"mode": Mode.INT4_SYM, "group_size": -1},
    "int4_ratio": {"mode": Mode.INT4_ASYM, "group_size": 32, "ratio": 0.6},
    "nf4": {"mode": Mode.NF4, "group_size": 64},
    "mxfp4": {"mode": Mode.MXFP4, "group_size": 32},
    "mxfp8": {"mode": Mode.MXFP8_E4M3, "group_size": 32},
    "fp8": {"mode": Mode.FP8_E4M3, "group_size": 64},
    "fp4": {"mode": Mode.FP4, "group_size": 32},
    "nvfp4": {"mode": Mode.NVFP4, "group_size": 16},
    "cb4": {"mode": Mode.CB4, "group_size": 64},
    "int3": {"mode": Mode.INT3_SYM, "group_size": 64},
    "int2": {"mode": Mode.INT2_SYM, "group_size": 64},
}
QUANTISED = ("resnet18", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "shufflenet_v2_x0_5")


def cases() -> Iterator[Case]:
    for name in WEIGHTS:
        yield Case(f"llama_{name}", lambda name=name: weights(name))
    yield Case("llama_int4_open", lambda: weights("int4_asym", fixed=False))
    yield Case("bert_int8", bert)
    for name in QUANTISED:
        yield Case(f"ptq_{name}", lambda name=name: quantised(name))
    yield Case("ptq_vit", lambda: transformer_ptq("vit"))
    yield Case("ptq_bert", lambda: transformer_ptq("bert"))
    yield Case("ptq_fp8", lambda: quantised("resnet18", mode=nncf.QuantizationMode.FP8_E4M3))


def weights(name: str, fixed: bool = True) -> Built:
    built = converted(causal("llama", LARGER), tokens(32), ones(32), fixed=fixed)
    return built._replace(model=nncf.compress_weights(built.model, **WEIGHTS[name]))


def bert() -> Built:
    module = Wrapped(from_config("bert", ENCODERS["bert"]), "input_ids", "attention_mask")
    built = converted(module, tokens(), ones())
    return built._replace(model=nncf.compress_weights(built.model))


def quantised(name: str, **options: Any) -> Built:
    built = converted(getattr(models, name)(weights=None), torch.rand(1, 3, 224, 224))
    random = np.random.default_rng(0)
    data = nncf.Dataset([random.random((1, 3, 224, 224), np.float32) for _ in range(3)])
    return built._replace(model=nncf.quantize(built.model, data, subset_size=3, **options))


def transformer_ptq(name: str) -> Built:
    if name == "vit":
        built = converted(Wrapped(from_config("vit", VISION["vit"]), "pixel_values"), torch.rand(1, 3, 64, 64))
        samples: list[Any] = [torch.rand(1, 3, 64, 64).numpy() for _ in range(3)]
    else:
        module = Wrapped(from_config("bert", ENCODERS["bert"]), "input_ids", "attention_mask")
        built = converted(module, tokens(), ones())
        samples = [[tokens().numpy(), np.ones((1, 32), np.int64)] for _ in range(3)]
    quantised = nncf.quantize(built.model, nncf.Dataset(samples), subset_size=3, model_type=nncf.ModelType.TRANSFORMER)
    return built._replace(model=quantised)
