"""torchvision's operators in Python, where its compiled ones cannot be loaded: they are built for another PyTorch.

Converters translate them by name, so that their results only matter while a model is traced.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import torch

KEPT = 50  # boxes; more would only make tracing slow
_DEFINED = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "roi_align(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width, "
    "int sampling_ratio, bool aligned) -> Tensor",
    "deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, int stride_h, int stride_w, "
    "int pad_h, int pad_w, int dil_h, int dil_w, int groups, int offset_groups, bool use_mask) -> Tensor",
)


def nms(boxes: torch.Tensor, scores: torch.Tensor, threshold: float) -> torch.Tensor:
    order = scores.sort(descending=True, stable=True).indices
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept = []
    while order.numel() and len(kept) < KEPT:
        first, order = order[0], order[1:]
        kept.append(first)
        low = torch.maximum(boxes[first, :2], boxes[order, :2])
        high = torch.minimum(boxes[first, 2:], boxes[order, 2:])
        common = (high - low).clamp(min=0).prod(1)
        order = order[common / (area[first] + area[order] - common) <= threshold]
    return torch.stack(kept) if kept else order


def roi_align(data: torch.Tensor, rois: torch.Tensor, scale: float, height: int, width: int, *_: Any) -> torch.Tensor:
    return data.new_zeros(rois.shape[0], data.shape[1], height, width)


def deform_conv2d(data: torch.Tensor, weight: torch.Tensor, offset: torch.Tensor, *_: Any) -> torch.Tensor:
    return data.new_zeros(data.shape[0], weight.shape[0], *offset.shape[2:])


def _has_ops() -> bool:  # no lambda: TorchScript compiles it
    return True


def ensure() -> None:
    """Import torchvision, which timm, transformers and others import, with these operators if its own are missing."""
    try:
        importlib.import_module("torchvision")
        return
    except ImportError:
        return
    except RuntimeError:
        pass  # operator torchvision::nms does not exist
    library = torch.library.Library("torchvision", "DEF")
    for signature in _DEFINED:
        library.define(signature)
    for name, function in (("nms", nms), ("roi_align", roi_align), ("deform_conv2d", deform_conv2d)):
        library.impl(name, function, "CPU")
    _keep.append(library)
    importlib.import_module("torchvision")

    for name in ("torchvision.extension", "torchvision.ops.roi_align"):  # the second has imported it by name
        sys.modules[name]._has_ops = _has_ops  # type: ignore[attr-defined]


_keep: list[Any] = []
