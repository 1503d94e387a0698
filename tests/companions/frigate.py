"""Planted contradictions in configurations of Frigate."""

from __future__ import annotations

from companions.labels import LABELS
from companions.planted import Planted
from companions.ultralytics import net

CONFIG = """mqtt:
  enabled: false
detectors:
  ov:
    type: openvino
    device: GPU
model:
  model_type: yolo-generic
  path: /config/model_cache/yolo.onnx
  labelmap_path: /config/model_cache/labels.txt
  width: 160
  height: 160
  input_tensor: nchw
  input_pixel_format: bgr
  input_dtype: float
cameras:
  door:
    ffmpeg:
      inputs:
        - path: rtsp://10.0.10.10:554/rtsp
    detect: {width: 1280, height: 720}
"""
NESTED = (
    CONFIG.replace("model:\n  model_type", "    model:\n      model_type")
    .replace("\n  path", "\n      path")
    .replace("\n  width", "\n      width")
)
for _key in ("labelmap_path", "height", "input_tensor", "input_pixel_format", "input_dtype"):
    NESTED = NESTED.replace(f"\n  {_key}", f"\n      {_key}")
MODEL = {"frigate/model_cache/yolo.onnx": net("1,9,525"), "frigate/model_cache/labels.txt": LABELS}
FILES = {"frigate/config.yml": CONFIG, **MODEL}
INSIDE = {"frigate/config.yml": NESTED, **MODEL}
AWAY = {"frigate/config.yml": CONFIG.replace("/config/model_cache", "/openvino-model")}
WITH_ONNX = {**FILES, "frigate/config.yml": CONFIG.replace("type: openvino", "type: onnx")}
SCALED = {  # YOLOX takes images as they are, and OpenVINO converts them
    "frigate/config.yml": CONFIG.replace("yolo-generic", "yolox").replace("  input_dtype: float\n", ""),
    "frigate/model_cache/yolo.onnx": net("1,525,10"), "frigate/model_cache/labels.txt": LABELS,
}  # fmt: skip
CORAL = {**FILES, "frigate/config.yml": CONFIG.replace("yolo-generic", "ssd").replace("openvino", "edgetpu")}


def planted(
    old: str, new: str, code: str, token: str, fixed: str = "", files: dict[str, str] = FILES, edited: str = ""
) -> Planted:
    return Planted(
        files, "frigate/config.yml", old, new, code, token, fixed, edited and f"frigate/model_cache/{edited}"
    )


PLANTED = [
    planted("width: 160", "width: 320", "F004", "320", "safe"),
    planted("height: 160", "height: 320", "F004", "320", "safe"),
    planted("height: 160", "height: 160px", "T006", "160px"),
    planted("nchw", "nhwc", "F004", "nhwc", "unsafe"),
    planted("  input_tensor: nchw\n", "", "F004", "/config/model_cache/yolo.onnx"),
    planted("nchw", "nchv", "T006", "nchv", "unsafe"),
    planted("bgr", "brg", "T006", "brg"),
    planted("input_dtype: float", "input_dtype: f32", "T006", "f32"),
    planted("input_pixel_format", "input_pixel_fromat", "T003", "input_pixel_fromat", "unsafe"),
    planted("input_pixel_format", "colors", "T003", "colors"),
    planted("labels.txt", "label.txt", "F006", "/config/model_cache/label.txt"),
    planted("dog\nbird\n", "", "F005", "/config/model_cache/labels.txt", edited="labels.txt"),
    planted("1,3,160,160", "1,3,160,192", "F004", "160", "safe", edited="yolo.onnx"),
    planted("width: 160", "width: 320", "F004", "320", "safe", INSIDE),
    planted("  width: 160\n", "", "F004", "/config/model_cache/yolo.onnx"),
    *(planted("yolo-generic", kind, "F007", kind) for kind in ("ssd", "yolox", "yolonas", "rfdetr", "dfine")),
    planted("  model_type: yolo-generic\n", "", "F007", "/config/model_cache/yolo.onnx"),
    planted("dtype: float", "dtype: int", "F007", "int", files=WITH_ONNX),
    planted("  input_dtype: float\n", "", "F007", "/config/model_cache/yolo.onnx", files=WITH_ONNX),
]  # fmt: skip
SILENT = [AWAY, SCALED, CORAL]
