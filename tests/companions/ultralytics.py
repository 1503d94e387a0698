"""Planted contradictions in exports of Ultralytics."""

from __future__ import annotations

from companions.planted import Planted

METADATA = """description: 'Ultralytics YOLO11n model '
author: Ultralytics
stride: 32
task: detect
batch: 1
imgsz:
- 160
- 160
names:
  0: person
  1: bicycle
  2: car
args:
  batch: 1
  nms: false
channels: 3
end2end: false
"""


def net(output: str) -> str:
    return f"""<ir_version: 8, opset_import: ["" : 17]>
net (float[1,3,160,160] images) => (float[{output}] output0) {{
   [mean] mean = ReduceMean <keepdims: int = 0> (images)
   [size] size = Constant <value: tensor = int64[{output.count(",") + 1}] {{{output}}}> ()
   [grown] output0 = Expand (mean, size)
}}
"""


DETECT = {"yolo/metadata.yaml": METADATA, "yolo/yolo.onnx": net("1,7,525")}
POSE = {
    "yolo/metadata.yaml": METADATA.replace("detect", "pose") + "kpt_shape:\n- 17\n- 3\n",
    "yolo/yolo.onnx": net("1,58,525"),
}
CLASSIFY = {"yolo/metadata.yaml": METADATA.replace("detect", "classify"), "yolo/yolo.onnx": net("1,3")}
OBB = {"yolo/metadata.yaml": METADATA.replace("detect", "obb"), "yolo/yolo.onnx": net("1,8,525")}
LISTED = {"yolo/metadata.yaml": METADATA.replace("nms: false", "nms: true"), "yolo/yolo.onnx": net("1,300,6")}
ROWS = {
    "yolo/metadata.yaml": METADATA,
    "yolo/yolo.onnx": net("1,1575,8"),
}  # as YOLOv5 has them, with a score for each box
NCNN = """7767517
3 3
Input                    in0                      0 1 in0
Convolution              conv_0                   1 1 in0 1 0=7 1=16 3=16 5=1 6=5376
Reshape                  reshape_0                1 1 1 out0 0=100 1=7
"""
PHONE = {"yolo/metadata.yaml": METADATA, "yolo/model.ncnn.param": NCNN}


def planted(
    old: str, new: str, code: str, token: str, fixed: str = "", files: dict[str, str] = DETECT, edited: str = ""
) -> Planted:
    return Planted(files, "yolo/metadata.yaml", old, new, code, token, fixed, edited and f"yolo/{edited}")


PLANTED = [
    planted("  2: car\n", "", "F005", "names"),
    planted("  2: car\n", "  2: car\n  3: bus\n", "F005", "names"),
    planted("  2: car\n", "  3: car\n", "T006", "car"),
    planted("  2: car\n", "", "F005", "names", files=CLASSIFY),
    planted("  2: car\n", "", "F005", "names", files=OBB),
    planted("  2: car\n", "", "F005", "names", files=POSE),
    planted("- 17", "- 16", "F004", "16", "unsafe", POSE),
    planted("kpt_shape:\n- 17\n- 3\n", "", "T002", "pose", files=POSE),
    planted("- 160\n- 160", "- 160\n- 640", "F004", "640", "safe"),
    planted("- 160", "- 640", "F004", "640", "safe"),
    planted("batch: 1\nimgsz", "batch: 8\nimgsz", "F004", "8", "safe"),
    planted("channels: 3", "channels: 1", "F004", "1", "safe"),
    planted("names:\n", "nmaes:\n", "T002", "nmaes"),
    planted("stride: 32\n", "", "T002", "description: 'Ultralytics YOLO11n model '"),
    planted("stride: 32", "stride: 16", "F008", "16", "unsafe"),
    planted("task: detect", "task: classify", "F007", "classify"),
    planted("task: detect", "task: segment", "F007", "segment"),
    planted("end2end: false", "end2end: true", "F007", "true"),
    planted("1,7,525", "1,300,6", "F007", "false", edited="yolo.onnx"),
    planted("task: detect\nbatch", "task: detect\nhead: OBB\nbatch", "F007", "detect"),
    planted("- 160\n- 160", "- 160\n- 320", "F004", "-", files=PHONE),
    planted("channels: 3", "channels: 1", "F004", "1", files=PHONE),
    planted("stride: 32", "stride: 0", "T006", "0"),
    planted("stride: 32", "stride: none", "T001", "none"),
    planted("task: detect", "task: detct", "T006", "detct"),
    planted("1,3,160,160", "1,3,160,192", "F004", "160", "safe", edited="yolo.onnx"),
    planted("1,7,525", "1,9,525", "F005", "names", edited="yolo.onnx"),
    planted("  2: car\n", "", "F005", "names", files={**DETECT, "yolo/yolo.onnx": net("1,7,7")}),
    planted("names:\n", "names:\n  9: bus\n", "T006", "bus"),
    planted("  2: car\n", "", "F005", "names", files=PHONE),
    planted("  2: car\n", "", "F005", "names", files=ROWS),
    planted("  2: car\n", "  2: car\n  3: bus\n", "F005", "names", files=ROWS),
    planted("0=7 1=16 3=16 5=1 6=5376", "0=9 1=16 3=16 5=1 6=6912", "F005", "names", files={**PHONE, "yolo/model.ncnn.param": NCNN.replace("1=7\n", "1=-1\n")}, edited="model.ncnn.param"),
]  # fmt: skip
SILENT = [LISTED, ROWS]
