"""Planted contradictions in the description of a data set."""

from __future__ import annotations

from companions.planted import Planted
from companions.ultralytics import net

DATA = """path: ../things
train: images/train
val: images/val
nc: 3
names: [cat, dog, bird]
"""
LISTED = {"net/data.yaml": DATA, "net/net.onnx": net("1,7,525")}
NUMBERED = {
    "net/data.yaml": DATA.replace("nc: 3\n", "").replace("[cat, dog, bird]", "\n  0: cat\n  1: dog\n  2: bird"),
    "net/net.onnx": net("1,7,525"),
}
POINTS = {
    "net/data.yaml": DATA + "kpt_shape: [4, 3]\nflip_idx: [1, 0, 3, 2]\n",
    "net/net.onnx": net("1,19,525"),
}


def planted(files: dict[str, str], old: str, new: str, code: str, token: str, fixed: str = "") -> Planted:
    return Planted(files, "net/data.yaml", old, new, code, token, fixed)


PLANTED = [
    planted(LISTED, "nc: 3", "nc: 4", "F007", "4", "unsafe"),
    planted(LISTED, ", bird]\n", ", bird, fish]\n", "F005", "["),
    planted(NUMBERED, "  2: bird", "  2: bird\n  3: fish", "F005", "names"),
    planted(NUMBERED, "  2: bird", "  4: bird", "T006", "bird"),
    planted(POINTS, ", 3, 2]", ", 3]", "T004", "["),
]
