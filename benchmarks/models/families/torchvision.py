"""torchvision: classification, segmentation and video."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from cases import Built, Case, converted
from torchvision import models

CLASSIFIERS = (
    "alexnet", "convnext_tiny", "densenet121", "efficientnet_b0", "efficientnet_v2_s", "googlenet", "inception_v3", "maxvit_t",
    "mnasnet0_5", "mobilenet_v2", "mobilenet_v3_large", "mobilenet_v3_small", "regnet_x_400mf", "regnet_y_400mf", "resnet18",
    "resnet50", "resnext50_32x4d", "shufflenet_v2_x0_5", "shufflenet_v2_x2_0", "squeezenet1_0", "squeezenet1_1", "swin_t",
    "swin_v2_t", "vgg11_bn", "vit_b_16", "wide_resnet50_2",
)  # fmt: skip
OPEN = ("shufflenet_v2_x0_5", "resnet18", "swin_t", "mobilenet_v3_small")  # converted again with open shapes
SEGMENTERS = ("deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large", "fcn_resnet50")
VIDEO = ("r3d_18", "mc3_18", "r2plus1d_18", "s3d")


def cases() -> Iterator[Case]:
    for name in CLASSIFIERS:
        yield Case(name, lambda name=name: classifier(name))
    for name in OPEN:
        yield Case(f"{name}_open", lambda name=name: classifier(name, fixed=False))
    yield Case("resnet18_f32", lambda: classifier("resnet18", half=False))
    for name in SEGMENTERS:
        yield Case(name, lambda name=name: segmenter(name))
    for name in VIDEO:
        yield Case(name, lambda name=name: video(name))
    yield Case("raft_small", raft)


def classifier(name: str, fixed: bool = True, half: bool = True) -> Built:
    options = {"init_weights": False} if name in ("googlenet", "inception_v3") else {}
    size = 299 if name == "inception_v3" else 224
    return converted(
        getattr(models, name)(weights=None, **options), torch.rand(1, 3, size, size), fixed=fixed, half=half
    )


class First(torch.nn.Module):
    """The main output of a model that returns several."""

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.module(x)["out"]


def segmenter(name: str) -> Built:
    module = getattr(models.segmentation, name)(weights=None, weights_backbone=None)
    return converted(First(module), torch.rand(1, 3, 160, 160))


def video(name: str) -> Built:
    frames, size = (16, 224) if name == "s3d" else (8, 64)
    return converted(getattr(models.video, name)(weights=None), torch.rand(1, 3, frames, size, size))


def raft() -> Built:
    return converted(
        models.optical_flow.raft_small(weights=None), torch.rand(1, 3, 128, 128), torch.rand(1, 3, 128, 128)
    )
