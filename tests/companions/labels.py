"""Planted contradictions in lists of labels."""

from __future__ import annotations

from companions.planted import Planted
from companions.ultralytics import net

LABELS = "cat\ndog\nbird\nfish\nfrog\n"
CLASSIFIER = {"net/labels.txt": LABELS, "net/net.onnx": net("1,5")}
BACKGROUND = {"net/labels.txt": f"background\n{LABELS}", "net/net.onnx": net("1,6")}
DETECTOR = {"net/labels.txt": LABELS, "net/net.onnx": net("1,9,525")}
OLD_DETECTOR = {"net/labels.txt": LABELS, "net/net.onnx": net("1,525,10")}
LISTED = {"net/class_names.json": '["cat", "dog", "bird", "fish", "frog"]\n', "net/net.onnx": net("1,5")}
NUMBERED = {
    "net/labels.json": '{"0": ["n1", "cat"], "1": ["n2", "dog"], "2": ["n3", "bird"], "3": ["n4", "fish"]}\n',
    "net/net.onnx": net("1,4"),
}
PLAIN = {
    "net/id2label.json": '{"0": "cat", "1": "dog", "2": "bird", "3": "fish", "4": "frog"}\n',
    "net/net.onnx": net("1,5"),
}
SEGMENTED = {"net/labels.txt": LABELS, "net/net.onnx": net("1,5,160,160")}
SMALL = {
    "net/labels.txt": LABELS,
    "net/net.onnx": net("1,9,84").replace("160,160", "64,64"),
}  # boxes of the usual strides
NOTES = {**CLASSIFIER, "net/annotations.xml": "<annotation/>\n", "net/notes.json": '{"nodes": 3}\n'}  # are no models
TEXT = {"net/labels.txt": LABELS, "net/net.onnxtxt": net("1,5")}
MASK = {"net/labels.txt": "".join(f"thing {k}\n" for k in range(150)), "net/net.onnx": net("1,160,160")}
FACES = {"net/labels.txt": LABELS, "net/net.onnx": net("1,128")}
FOUND = {"net/labels.txt": LABELS, "net/net.onnx": net("1,300,7")}
READ = {"net/labels.txt": LABELS, "net/net.onnx": net("1,40,11")}
ANCHORED = {"net/labels.txt": LABELS, "net/net.onnx": net("1,1575,10")}  # three boxes for each cell
TURNED = {  # boxes with angles
    "net/labels.txt": LABELS.removesuffix("frog\n"),
    "net/net.onnx": net("1,9,525").replace("[grown]", "[turned] turned = Cos (mean)\n   [grown]"),
}
NAMED = {
    "net/labels.txt": LABELS,
    "net/net.onnx": net("1,525,9").replace(
        "17]>", "17], metadata_props: [\"names\": \"{0: 'a', 1: 'b', 2: 'c', 3: 'd', 4: 'e'}\"]>"
    ),
}


def planted(files: dict[str, str], old: str, new: str, code: str, token: str, edited: str = "") -> Planted:
    return Planted(files, "net/labels.txt", old, new, code, token, "", edited and f"net/{edited}")


PLANTED = [
    planted(CLASSIFIER, "dog\nbird\n", "", "F005", "frog"),
    planted(CLASSIFIER, "dog\n", "", "F005", "cat"),
    planted(CLASSIFIER, "dog\n", "dog\ncow\npig\n", "F005", "fish"),
    planted(CLASSIFIER, "cat\n", "background\ncat\n", "F005", "background"),
    planted(CLASSIFIER, "1,5] output0", "1,7] output0", "F005", "frog", "net.onnx"),
    planted(NOTES, "dog\nbird\n", "", "F005", "frog"),
    planted(TEXT, "dog\nbird\n", "", "F005", "frog"),
    planted(BACKGROUND, "background\n", "", "F005", "cat"),
    planted(DETECTOR, "dog\nbird\n", "", "F005", "frog"),
    planted(DETECTOR, "dog\n", "dog\ncow\npig\n", "F005", "fish"),
    planted(OLD_DETECTOR, "dog\nbird\n", "", "F005", "frog"),
    planted(DETECTOR, "dog\n", "", "F005", "cat"),
    planted(ANCHORED, "dog\n", "dog\ncow\n", "F005", "frog"),
    planted(ANCHORED, "dog\n", "", "F005", "cat"),
    planted(NAMED, "dog\n", "", "F005", "cat"),
    Planted(LISTED, "net/class_names.json", '"dog", "bird", ', "", "F005", '"frog"'),
    Planted(NUMBERED, "net/labels.json", "}", ', "4": ["n5", "frog"], "5": ["n6", "cow"]}', "F005", '["n5", "frog"]'),
]
PLANTED += [
    Planted(PLAIN, "net/id2label.json", '"4"', '"5"', "T006", '"5"'),
    planted(SEGMENTED, "dog\n", "dog\ncow\n", "F005", "frog"),
    planted(SMALL, "dog\n", "dog\ncow\n", "F005", "frog"),
]
SILENT = [FACES, MASK, FOUND, READ, TURNED]
