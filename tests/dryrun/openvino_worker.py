"""Run by a Python with openvino: infers IRs. python openvino_worker.py FOLDER: each N.xml with N.npz gives N.out.npz."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import openvino as ov

core = ov.Core()
for path in sorted(Path(sys.argv[1]).glob("*.xml")):
    compiled = core.compile_model(str(path), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    given = np.load(path.with_suffix(".npz"))
    found = compiled({port: given[port.get_node().get_friendly_name()] for port in compiled.inputs})
    np.savez(path.with_suffix(".out.npz"), *(np.array(found[port]) for port in compiled.outputs))
