"""Run ncnn models: python review_ncnn.py FOLDER runs each N.param there with the inputs of a.npz, in a Python with ncnn.

Writes N.0.out.npz (inputs without their batch) and N.1.out.npz (with it, as pnnx sometimes makes an axis of it): the outputs in order.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np


def outputs(path: Path, feeds: list[Any]) -> list[Any]:
    import ncnn

    net = ncnn.Net()
    net.opt.use_vulkan_compute = False
    net.opt.num_threads = 1
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
    if net.load_param(str(path)) or net.load_model(str(path.with_suffix(".bin"))):
        raise ValueError(f"{path.name} does not load")
    extractor = net.create_extractor()
    for name, array in zip(sorted(net.input_names(), key=_number), feeds, strict=True):
        extractor.input(name, ncnn.Mat(np.ascontiguousarray(array)).clone())
    return [np.array(extractor.extract(name)[1]) for name in sorted(net.output_names(), key=_number)]


def _number(name: str) -> int:
    return int(name.lstrip("inout"))


def main(folder: Path) -> None:
    with np.load(folder / "a.npz") as given:
        feeds = list(given.values())
    for path in sorted(folder.glob("*.param")):
        for kept in (0, 1):
            child = os.fork()  # ncnn ends the process where layers do not fit
            if not child:
                try:
                    found = outputs(path, [array if kept else array[0] for array in feeds])
                    np.savez(path.with_suffix(f".{kept}.out.npz"), *found)
                finally:
                    os._exit(0)
            os.waitpid(child, 0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
