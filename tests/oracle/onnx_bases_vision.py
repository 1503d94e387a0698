"""Networks of torchvision for all of its tasks, and its detectors; the modules of onnx_bases_torch in other ways and sizes."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

from oracle.onnx_bases import Builder, draws
from oracle.onnx_export import Made, Plain, drawn, image, quiet, tensors

# family -> names of which one is drawn
FAMILIES: dict[str, tuple[str, ...]] = {
    "squeezenet": ("squeezenet1_0", "squeezenet1_1"), "shufflenet": ("shufflenet_v2_x0_5", "shufflenet_v2_x1_0", "shufflenet_v2_x1_5"), "mnasnet": ("mnasnet0_5", "mnasnet0_75", "mnasnet1_0"),
    "mobilenet": ("mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large"), "efficientnet": ("efficientnet_b0", "efficientnet_b1", "efficientnet_b2"), "regnet": ("regnet_x_400mf", "regnet_y_400mf", "regnet_y_800mf"),
    "googlenet": ("googlenet",), "resnet": ("resnet18",), "densenet": ("densenet121",), "segmentation": ("lraspp_mobilenet_v3_large", "deeplabv3_mobilenet_v3_large"),
    "video": ("s3d", "mc3_18"), "flow": ("raft_small",), "detection": ("ssdlite320_mobilenet_v3_large",), "proposals": ("fasterrcnn_mobilenet_v3_large_320_fpn",),
}  # fmt: skip
COUNT = 32  # networks of onnx_bases_torch


class Detector(nn.Module):
    """Takes one image, as an exported detector does."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, image: torch.Tensor) -> Any:
        return tuple(tensors(self.model([image])))


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    quiet()
    from oracle.onnx_bases_torch import NETWORKS

    for family, names in FAMILIES.items():
        yield drawn("vision", family, lambda rng, row=(family, names): (_made(*row, rng), ()), is_half=False)
    for name in draws("vision").sample(list(NETWORKS), COUNT):
        yield drawn("vision", name, lambda rng, make=NETWORKS[name]: (make(), ()))


def _made(family: str, names: tuple[str, ...], rng: random.Random) -> Made:
    models = importlib.import_module("torchvision.models")
    options: dict[str, Any] = {
        "weights": None,
        **({"weights_backbone": None} if family in ("segmentation", "detection", "proposals") else {}),
    }
    options |= {"init_weights": True} if family == "googlenet" else {}
    model = models.get_model(rng.choice(names), **options)
    size = rng.choice((64, 96, 128))
    if family in ("detection", "proposals"):
        return Detector(model), (torch.rand(3, 320, 320),)
    if family == "video":
        return model, (torch.rand(1, 3, 16, 224, 224),)
    if family == "flow":
        return Plain(model, num_flow_updates=2), (torch.rand(1, 3, 128, 128),) * 2
    if family == "segmentation":
        return Plain(model), image(size)
    return model, image(size)
