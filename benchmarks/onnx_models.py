"""Linting ONNX models, against what checks and loads them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import inputs
from measure import CHECK, Runner, turns
from tables import PEERS, Table, peer

ROUNDS = 5
LAYERS = (6, 24, 96)  # of encoders
DEEP = (166, 1667, 8334)  # blocks of networks as ONNX
MOST_LINTED = 3_000_000  # bytes of a file for polygraphy, which takes longer than a minute for others
CHECK_ONNX = "import sys, onnx; onnx.checker.check_model(sys.argv[1])"
CHECK_ONNX_FULLY = "import sys, onnx; onnx.checker.check_model(sys.argv[1], full_check=True)"
MAKE_SESSION = (
    "import sys, onnxruntime as ort; options = ort.SessionOptions(); options.log_severity_level = 4; "
    "options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL; "
    "ort.InferenceSession(sys.argv[1], options, providers=['CPUExecutionProvider'])"
)


def tables() -> Iterator[Table]:
    text = (
        "Networks as exporters write them; all are whole processes. `onnxruntime` makes a session without optimizing it; "
        "`polygraphy` is `polygraphy check lint`, which asks onnxruntime about each node. "
        "The checker, in C++, spends most of its time on starting Python; beyond some 15,000 nodes it is faster."
    )
    files = {
        "MobileNetV2": inputs.network("mobilenetv2").with_suffix(".onnx"),
        "ResNet-18": inputs.network("resnet18").with_suffix(".onnx"),
        **{f"an encoder of {count} layers": inputs.encoder(count) for count in LAYERS},
        **{
            f"{8 * blocks + 2:,} convolutions and the like": inputs.layers(blocks).with_suffix(".onnx")
            for blocks in DEEP
        },
    }
    rows = []
    for title, path in files.items():
        size = path.stat().st_size
        runners: dict[str, Runner] = {
            "irlint": (*CHECK, str(path)),
            "onnx.checker": (sys.executable, "-c", CHECK_ONNX, str(path)),
            "full_check": (sys.executable, "-c", CHECK_ONNX_FULLY, str(path)),
            "onnxruntime": (sys.executable, "-c", MAKE_SESSION, str(path)),
            "polygraphy": (str(Path(sys.executable).with_name("polygraphy")), "check", "lint", str(path)),
        }
        found = turns(runners, ROUNDS, {"polygraphy": 1 if size < MOST_LINTED else 0, "onnxruntime": 3})
        rows += [
            peer(
                f"{name}, {title}, {size / 1e6:.1f} MB", found["irlint"], theirs, "1" if name == "onnx.checker" else ""
            )
            for name, theirs in found.items()
            if name != "irlint" and theirs
        ]
    yield Table("ONNX", text, PEERS, rows)
