"""onnx's backend node tests through `irlint run`: outputs as expected, types as onnx's shape inference has them, or finer.
Needs IRLINT_ONNX_PYTHON, a Python with onnx.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from irlint import load
from irlint.api import run
from irlint.dryrun.dims import compatible
from irlint.dryrun.infer import infer
from irlint.formats.onnx.wire import DTYPES

PYTHON = os.environ.get("IRLINT_ONNX_PYTHON", "")
SCRIPT = Path(__file__).with_name("onnx_node_cases.py")
READY = os.environ.get("IRLINT_ONNX_CASES", "")  # a folder that the script has filled already

pytestmark = [
    pytest.mark.skipif(not PYTHON, reason="IRLINT_ONNX_PYTHON names no Python with onnx"),
    pytest.mark.timeout(1800),
]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = Path(READY) if READY else tmp_path_factory.mktemp("onnx")
    if not READY:
        subprocess.run([PYTHON, str(SCRIPT), str(folder)], capture_output=True, timeout=900, check=True)
    return sorted(path.parent for path in folder.glob("*/types.json"))


def arrays(path: Path) -> dict[str, Any]:
    with np.load(path, allow_pickle=True) as archive:
        return {name: archive[name] for name in archive.files}


def difference(a: Any, b: Any, coarse: bool) -> str:
    """In what two arrays differ, if they do; `coarse` numbers have seven bits."""
    if a.shape != b.shape:
        return f"shape {list(a.shape)} for {list(b.shape)}"
    if b.dtype.kind in "OUS":
        return "" if list(map(str, a.ravel())) == list(map(str, b.ravel())) else "strings"
    if a.dtype != b.dtype:
        return f"dtype {a.dtype} for {b.dtype}"
    far, near = (2e-2, 2e-2) if coarse else (1e-3, 2e-3 if a.dtype == np.float16 else 1e-4)
    kind: Any = complex if a.dtype.kind == "c" else float
    return "" if np.allclose(a.astype(kind), b.astype(kind), rtol=far, atol=near, equal_nan=True) else "values"


def verdict(case: Path) -> str:
    """Nothing, or why the outputs are not equal."""
    try:
        found = list(run(case / "model.onnx", arrays(case / "inputs.npz")).values())
    except NotImplementedError as error:
        return f"not supported: {error}"
    except ValueError as error:
        return f"does not run: {error}"
    wanted = list(arrays(case / "expected.npz").values())
    coarse = any(word in case.name.lower() for word in ("bf16", "bfloat16"))
    if len(found) != len(wanted):
        return f"{len(found)} outputs for {len(wanted)}"
    return next((text for a, b in zip(found, wanted, strict=True) if (text := difference(a, b, coarse))), "")


def test_outputs_are_those_that_onnx_expects(cases: list[Path]) -> None:
    verdicts = {case.name: verdict(case) for case in cases}
    rest = "\n".join(f"{name}: {text}" for name, text in verdicts.items() if text)
    equal = sum(not text for text in verdicts.values())
    print(f"{equal} of {len(cases)} are equal\n{rest}")
    assert len(cases) > 1800
    assert equal >= 0.99 * len(cases), rest


def test_types_are_those_of_shape_inference_or_finer(cases: list[Path]) -> None:
    counts: Counter[str] = Counter()
    wrong = []
    for case in cases:
        graph = load(case / "model.onnx").graph
        types = infer(graph, graph.mapping)
        assert not types.all_mistakes(), (case.name, types.all_mistakes()[0].error.message)
        real = json.loads((case / "types.json").read_text())
        for node in graph.nodes:
            ours = types.outputs(graph, node)
            for k, value in enumerate(node.outputs if node.kind == "call" else ()):
                if value.name not in real:
                    continue
                number, theirs = real[value.name]
                dtype, shape = ours[k].type if k < len(ours) else (None, None)
                word = judged(dtype, shape, DTYPES.get(number), theirs)
                counts[word] += 1
                if word in ("differs", "coarser"):
                    wrong.append(f"{case.name}: {node.op} {value.name!r}: {dtype} {shape}, not {real[value.name]}")
    print(dict(counts), "\n".join(wrong))
    assert not counts["differs"], "\n".join(wrong)
    assert counts["coarser"] <= 0.001 * sum(counts.values()), "\n".join(wrong)


def judged(dtype: str | None, shape: Any, their_dtype: str | None, theirs: Any) -> str:
    if dtype is not None and their_dtype is not None and dtype != their_dtype:
        return "differs"
    if theirs is None:
        return "finer" if shape is not None else "same"
    if shape is None or dtype is None:
        return "coarser"
    if len(shape) != len(theirs) or not all(map(compatible, shape, theirs)):
        return "differs"
    if any(isinstance(b, int) and not isinstance(a, int) for a, b in zip(shape, theirs, strict=True)):
        return "coarser"
    return "same" if list(shape) == theirs else "finer"
