"""torchvision's detectors: non-maximum suppression, TopK and data-dependent shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from cases import Built, Case, converted
from torchvision.models import detection

SIZES = {
    "ssdlite320_mobilenet_v3_large": 320,
    "ssd300_vgg16": 300,
    "fasterrcnn_mobilenet_v3_large_320_fpn": 320,
    "fasterrcnn_resnet50_fpn": 224,
    "maskrcnn_resnet50_fpn": 224,
    "keypointrcnn_resnet50_fpn": 224,
    "retinanet_resnet50_fpn": 224,
    "fcos_resnet50_fpn": 224,
}


class Tuple(torch.nn.Module):
    """A detector that returns a tuple of tensors, as converters demand."""

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, image: torch.Tensor) -> tuple[Any, ...]:
        return tuple(self.module([image[0]])[0].values())


def cases() -> Iterator[Case]:
    for name in SIZES:
        yield Case(name, lambda name=name: detector(name))


def detector(name: str) -> Built:
    size = SIZES[name]
    options = {"min_size": size, "max_size": size} if size == 224 else {}
    module = getattr(detection, name)(weights=None, weights_backbone=None, **options)
    return converted(Tuple(module.eval()), torch.rand(1, 3, size, size))
