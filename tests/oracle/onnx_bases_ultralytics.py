"""Networks of Ultralytics for each of its tasks, built from its own descriptions at a width that is drawn, exported by its exporter."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from oracle.onnx_bases import Builder, draws

os.environ.update({"YOLO_OFFLINE": "true", "YOLO_AUTOINSTALL": "false", "YOLO_VERBOSE": "false"})

NETWORKS = (
    "11/yolo11", "11/yolo11-seg", "11/yolo11-pose", "11/yolo11-obb", "11/yolo11-cls", "v8/yolov8", "v8/yolov8-seg", "v8/yolov8-pose", "v8/yolov8-obb", "v8/yolov8-cls", "v8/yolov8-p2", "v8/yolov8-ghost",
    "v10/yolov10n", "12/yolo12", "12/yolo12-seg", "26/yolo26", "26/yolo26-seg", "26/yolo26-pose", "26/yolo26-obb", "26/yolo26-cls", "26/yolo26-depth", "26/yolo26-sem", "v5/yolov5", "v6/yolov6", "v3/yolov3-tiny", "v9/yolov9t",
    "v8/yolov8-rtdetr",
)  # fmt: skip
WAYS: dict[str, tuple[Any, ...]] = {
    "dynamic": (False, True), "simplify": (True, True, False), "opset": (None, 12, 13, 17, 19, 20), "nms": (False, False, False, True), "quantize": (None, None, None, 16),
}  # fmt: skip


def builders(root: Path) -> Iterator[tuple[str, Builder]]:
    from oracle.onnx_export import quiet

    quiet()
    import ultralytics

    ultralytics.settings.update({"sync": False})
    for name in NETWORKS:
        yield name.partition("/")[2], lambda path, name=name: _exported(path, name, draws(f"ultralytics/{name}"))


def _exported(path: Path, name: str, rng: random.Random) -> dict[str, Any]:
    import torch
    import ultralytics
    from ultralytics.nn.tasks import yaml_model_load
    from ultralytics.utils import YAML

    known = yaml_model_load(Path(ultralytics.__file__).parent / "cfg" / "models" / f"{name}.yaml")
    known["scales"] = {"n": [0.33, 0.25 if name.startswith("12/") else rng.choice((0.0625, 0.125)), 512]}
    known["nc"] = rng.choice((2, 5, 80))
    stem = path.parent / "described"
    stem.mkdir(exist_ok=True)
    file = stem / f"{path.stem}n.yaml"
    YAML.save(file, {key: value for key, value in known.items() if key not in ("yaml_file", "scale")})
    torch.manual_seed(rng.randrange(1 << 30))
    way = {option: rng.choice(values) for option, values in WAYS.items()}
    task = {"rtdetr": "RTDETR"}.get(name.rpartition("-")[2], "YOLO")
    if task == "RTDETR" or name.endswith(("cls", "depth", "sem")) or "v10" in name or "26" in name:
        way["nms"] = False
    if task == "RTDETR":
        way["opset"] = 17
    size = rng.choice((64, 96, 160))
    made = getattr(ultralytics, task)(str(file)).export(format="onnx", imgsz=size, device="cpu", verbose=False, **way)
    Path(made).replace(path)
    return {"images": np.random.default_rng(1).random((1, 3, size, size), dtype=np.float32)}
