"""Ultralytics models from their YAML: detection, segmentation, pose, boxes with an angle, classification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import ultralytics
from cases import Built, Case, converted

MODELS = {
    "yolov8n": "yolov8n.yaml", "yolo11n": "yolo11n.yaml", "yolov5n": "yolov5n.yaml", "yolov9t": "yolov9t.yaml",
    "yolov10n": "yolov10n.yaml", "yolo12n": "yolo12n.yaml", "yolov8n_seg": "yolov8n-seg.yaml", "yolov6n": "yolov6n.yaml",
    "yolo11n_seg": "yolo11n-seg.yaml", "yolov8n_pose": "yolov8n-pose.yaml", "yolo11n_obb": "yolo11n-obb.yaml",
    "yolov8n_cls": "yolov8n-cls.yaml", "yolo11n_cls": "yolo11n-cls.yaml",
}  # fmt: skip


def cases() -> Iterator[Case]:
    for name in MODELS:
        yield Case(name, lambda name=name: made(name))
    yield Case("yolo11n_open", lambda: made("yolo11n", fixed=False))


class First(torch.nn.Module):
    """What a model returns at export: tensors only."""

    def __init__(self, module: torch.nn.Module) -> None:
        super().__init__()
        self.module = module

    def forward(self, image: torch.Tensor) -> Any:
        found = self.module(image)
        return found if isinstance(found, torch.Tensor) else tuple(x for x in found if isinstance(x, torch.Tensor))


def made(name: str, fixed: bool = True) -> Built:
    module = ultralytics.YOLO(MODELS[name]).model.float().eval()
    for part in module.modules():
        if hasattr(part, "export"):
            part.export, part.format = True, "openvino"
    size = 224 if name.endswith("cls") else 320
    image = torch.rand(1, 3, size, size)
    module(image)  # anchors
    return converted(First(module), image, fixed=fixed)
