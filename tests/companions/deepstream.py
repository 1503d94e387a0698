"""Planted contradictions in configurations of DeepStream."""

from __future__ import annotations

from companions.planted import Planted
from companions.ultralytics import net

CONFIG = """[property]
gpu-id=0
net-scale-factor=0.0039215697906911373
model-color-format=0
onnx-file=yolo.onnx
model-engine-file=yolo.onnx_b1_gpu0_fp16.engine
labelfile-path=labels.txt
batch-size=1
# 0: FP32, 1: INT8, 2: FP16
network-mode=2 # FP16
num-detected-classes=5
interval=0
gie-unique-id=1
process-mode=1
network-type=0
cluster-mode=2
infer-dims=3;160;160
output-blob-names=output0
parse-bbox-func-name=NvDsInferParseYolo
custom-lib-path=nvdsinfer_custom_impl_Yolo/libnvdsinfer_custom_impl_Yolo.so

[class-attrs-all]
nms-iou-threshold=0.45
pre-cluster-threshold=0.25

[class-attrs-2]
topk=20
"""
CUSTOM = "parse-bbox-func-name=NvDsInferParseYolo\n"
AS_YAML = CONFIG.replace("[property]", "property:").replace("=", ": ").replace("\n", "\n  ")
for _group in ("class-attrs-all", "class-attrs-2"):
    AS_YAML = AS_YAML.replace(f"  [{_group}]", f"{_group}:")
LABELS = "cat\ndog\nbird\nfish\nfrog\n"
TABLES = """<ir_version: 8, opset_import: ["" : 17]>
net (float[1,3,160,160] images) => (float[1,3,10,10] output_cov, float[1,12,10,10] output_bbox) {
   [pool] pool = AveragePool <kernel_shape: ints = [16, 16], strides: ints = [16, 16]> (images)
   [cov] output_cov = Sigmoid (pool)
   [bbox] output_bbox = Concat <axis: int = 1> (pool, pool, pool, pool)
}
"""


def files(config: str, model: str, labels: str = LABELS, ending: str = "txt") -> dict[str, str]:
    return {f"video/config_infer_primary.{ending}": config, "video/labels.txt": labels, "video/yolo.onnx": model}


FILES = files(CONFIG, net("1,525,10"))
LISTED = files(CONFIG.replace("classes=5", "classes=80").replace("labelfile-path=labels.txt\n", ""), net("1,525,6"))
YAML = files(AS_YAML.replace("cluster-mode: 2", 'cluster-mode: "2"'), net("1,525,10"), ending="yml")
OPEN = files(CONFIG.replace("batch-size=1", "batch-size=16"), net("1,525,10").replace("[1,3,160,160]", "[N,3,H,W]"))
LAST = files(CONFIG.replace("\ncluster-mode", "\nnetwork-input-order=1\ncluster-mode"), net("1,525,10").replace("1,3,160,160", "1,160,160,3"))  # fmt: skip
OWN = files(
    CONFIG.replace(CUSTOM, "").replace("output0", "output_cov;output_bbox").replace("classes=5", "classes=3"),
    TABLES,
    "cat\ndog\nbird\n",
)
CLASSIFIER = files(
    CONFIG.replace(CUSTOM, "").replace("network-type=0", "network-type=1"), net("1,5"), "cat;dog;bird;fish;frog\n"
)
MINE = files(CONFIG.replace("ParseYolo", "ParseMine"), net("1,9,525"))
RAW = files(CONFIG.replace(CUSTOM, "").replace("network-type=0", "network-type=100"), net("1,9,525"))
AWAY = {"video/config_infer_primary.txt": CONFIG.replace("=labels.txt", "=/opt/labels.txt").replace("=yolo", "=/opt/yolo")}  # fmt: skip
ENGINE = {"video/config_infer_primary.txt": CONFIG.replace("labelfile-path=labels.txt\n", "").replace("onnx-file=yolo.onnx\n", "")}  # fmt: skip
COLORS = files(CONFIG.replace("model-color-format=0", "model-color-format=1\noffsets=1.0;2.0;3.0;"), net("1,525,10"))


def planted(
    old: str, new: str, code: str, token: str, fixed: str = "", files: dict[str, str] = FILES, edited: str = ""
) -> Planted:
    return Planted(files, next(iter(files)), old, new, code, token, fixed, edited and f"video/{edited}")


PLANTED = [
    planted("classes=5", "classes=4", "F005", "4"),
    planted("classes=5", "classes=4", "F005", "4", "unsafe", MINE),
    planted("classes=5", "classes=80", "F005", "80"),
    planted("batch-size", "net-scale-factor=1/255\nbatch-size", "T006", "1/255"),
    planted("bird\n", "", "F005", "5", edited="labels.txt"),
    planted("labels.txt", "names.txt", "F006", "names.txt"),
    planted("=labels.txt", "=labels.txt # COCO", "F006", "labels.txt # COCO"),
    planted("file=yolo.onnx", "file=yolov8.onnx", "F006", "yolov8.onnx"),
    planted("3;160;160", "3;640;640", "F004", "3;640;640", "safe"),
    planted("3;160;160", "160;160;3", "F004", "160;160;3", "safe"),
    planted("3;160;160", "160;160", "T004", "160;160"),
    planted("1,3,160,160", "1,3,160,192", "F004", "3;160;160", "safe", edited="yolo.onnx"),
    planted("3;160;160", "3;192;160", "F004", "3;192;160", "safe", LAST),
    planted("3;160;160", "1;160;160", "F004", "1;160;160", "safe", OPEN),
    planted("output0", "output", "F001", "output", "unsafe"),
    planted("batch-size=1", "batch-size=4", "F004", "4", "unsafe"),
    planted("batch-size=1", "batch-size=0", "T006", "0"),
    planted("batch-size=1", "batch-size=one", "T001", "one"),
    planted("gpu-id=0", "model-color-format=2", "F004", "2", files=files(CONFIG.replace("model-color-format=0\n", ""), net("1,525,10"))),
    planted("gpu-id=0", "offsets=1;2;3;4", "F004", "1;2;3;4"),
    planted("network-mode=2", "network-mode=7", "T006", "7"),
    planted("network-type=0", "network-type=9", "T006", "9"),
    planted("cluster-mode=2", "cluster-mode=5", "T006", "5"),
    planted("process-mode=1", "process-mode=0", "T006", "0"),
    planted("color-format=0", "color-format=3", "T006", "3"),
    planted("unique-id=1", "unique-id=0", "T006", "0"),
    planted("threshold=0.45", "threshold=45", "T006", "45"),
    planted("num-detected-classes", "num-detected-class", "T003", "num-detected-class", "unsafe"),
    planted("pre-cluster-threshold", "pre-cluster-treshold", "T003", "pre-cluster-treshold", "unsafe"),
    planted("attrs-2", "attrs-5", "F007", "class-attrs-5"),
    planted(CUSTOM, "", "T002", "0"),
    planted("output_cov", "output_conf", "T002", "0", files=OWN, edited="yolo.onnx"),
    planted("classes=3", "classes=4", "F005", "4", "unsafe", OWN),
    planted("1,525,10", "1,9,525", "F004", "NvDsInferParseYolo", edited="yolo.onnx"),
    planted("cat;dog;bird;fish;frog", "cat\ndog\nbird\nfish\nfrog", "F005", "labels.txt", files=CLASSIFIER, edited="labels.txt"),
    planted("cat;dog;bird", "cat;dog", "F005", "labels.txt", files=CLASSIFIER, edited="labels.txt"),
    planted("# 0: FP32", "; 0: FP32", "S001", "; 0: FP32, 1: INT8, 2: FP16"),
    planted("[property]", "[property] # the model", "S001", "[property] # the model"),
    planted("interval=0", "interval: 0", "S001", "interval: 0"),
    planted("classes: 5", "classes: 4", "F005", "4", files=YAML),
    planted("3;160;160", "3;640;640", "F004", "3;640;640", "safe", YAML),
    planted("network-type: 0", "network-type: 9", "T006", "9", files=YAML),
    planted("num-detected-classes", "num-detected-class", "T003", "num-detected-class", "unsafe", YAML),
]  # fmt: skip
SILENT = [LISTED, OPEN, LAST, OWN, CLASSIFIER, RAW, AWAY, ENGINE, COLORS]
