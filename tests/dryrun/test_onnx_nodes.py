"""onnx's backend node tests, as OpenVINO converts them, through `irlint run`: outputs as expected, shapes as the runtime's reader
has them. Needs IRLINT_OPENVINO_PYTHON, a Python with openvino and onnx.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from irlint import load
from irlint.api import run
from irlint.dryrun.infer import infer
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES

from .onnx_rest import reason

PYTHON = os.environ.get("IRLINT_OPENVINO_PYTHON", "")
SCRIPT = Path(__file__).with_name("onnx_nodes.py")
READY = os.environ.get("IRLINT_ONNX_NODES", "")  # a folder that the script has filled already
NAMES = {name: word for word, name in ELEMENT_TYPES.items() if name}

pytestmark = [
    pytest.mark.skipif(not PYTHON, reason="IRLINT_OPENVINO_PYTHON names no Python with openvino and onnx"),
    pytest.mark.timeout(1800),
]


class Verdict(NamedTuple):
    """How one test ended: "equal", "as the runtime" where OpenVINO itself gives something else than onnx expects, or why not."""

    word: str
    reason: str = ""
    faithful: bool = True  # the runtime gives what onnx expects, or nothing


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = Path(READY) if READY else tmp_path_factory.mktemp("onnx")
    if not READY:
        if subprocess.run([PYTHON, "-c", "import onnx"], capture_output=True, timeout=60, check=False).returncode:
            pytest.skip("IRLINT_OPENVINO_PYTHON has no onnx")
        subprocess.run([PYTHON, str(SCRIPT), str(folder)], capture_output=True, timeout=1500, check=True)
    return sorted(path.parent for path in folder.glob("*/types.json"))


def arrays(path: Path) -> list[Any]:
    with np.load(path, allow_pickle=True) as archive:
        return [archive[name] for name in archive.files]


def difference(a: Any, b: Any, coarse: bool) -> str:
    """In what two arrays differ, if they do; `coarse` numbers have seven bits."""
    if a.shape != b.shape:
        return f"shape {list(a.shape)} for {list(b.shape)}"
    if b.dtype.kind in "OUS":
        return "" if list(map(str, a.ravel())) == list(map(str, b.ravel())) else "strings"
    if a.dtype != b.dtype:
        return f"dtype {a.dtype} for {b.dtype}"
    far, near = (2e-2, 2e-2) if coarse else (1e-3, 2e-3 if a.dtype == np.float16 else 1e-4)
    return "" if np.allclose(a.astype(float), b.astype(float), rtol=far, atol=near, equal_nan=True) else "values"


def differences(found: list[Any], wanted: list[Any], coarse: bool = False) -> str:
    if len(found) != len(wanted):
        return f"{len(found)} outputs for {len(wanted)}"
    return next((text for a, b in zip(found, wanted, strict=True) if (text := difference(a, b, coarse))), "")


def judged(case: Path) -> Verdict:
    with np.load(case / "inputs.npz", allow_pickle=True) as archive:
        given = {name: archive[name] for name in archive.files}
    graph = load(case / "model.xml").graph
    feeds = graph.mapping.feeds(graph)
    inputs = {feed.names[0]: given[name] for feed in feeds for name in feed.names if name in given}
    if not inputs:  # an output's name has taken the input's place
        inputs = {feed.names[0]: array for feed, array in zip(feeds, given.values(), strict=False)}
    try:
        found = list(run(case / "model.xml", inputs).values())
    except (ValueError, NotImplementedError) as error:
        return Verdict("does not run", str(error)[:120])
    coarse = '"bf16"' in (case / "types.json").read_text()
    text = differences(found, arrays(case / "expected.npz"), coarse)
    runtime = arrays(case / "runtime.npz")
    faithful = not runtime or not differences(runtime, arrays(case / "expected.npz"), coarse)
    if not text:
        return Verdict("equal", "", faithful)
    if runtime and not differences(found, runtime, coarse):
        return Verdict("as the runtime", text, False)
    if any(node.op == "RandomUniform" for each in graph.walk() for node in each.nodes):
        return Verdict("drawn at random", text, faithful)
    return Verdict("differs", text, faithful)


def test_outputs_are_those_that_onnx_expects(cases: list[Path]) -> None:
    verdicts = {case.name: judged(case) for case in cases}
    counts = Counter(verdict.word for verdict in verdicts.values())
    rest = "\n".join(f"{name}: {v.word}: {v.reason}" for name, v in verdicts.items() if v.word != "equal")
    whole = [verdict.word == "equal" for verdict in verdicts.values() if verdict.faithful]
    print(
        f"{dict(counts)} of {len(cases)}; {sum(whole)} of {len(whole)} that the runtime does not give otherwise\n{rest}"
    )
    assert len(cases) > 1000
    assert counts["equal"] + counts["as the runtime"] >= 0.97 * len(cases), rest
    assert counts["equal"] >= 0.955 * len(cases), rest
    assert sum(whole) >= 0.99 * len(whole), rest
    assert counts["differs"] + counts["does not run"] <= 0.005 * len(cases), rest
    unexplained = [name for name, verdict in verdicts.items() if verdict.word != "equal" and reason(name) is None]
    assert not unexplained, unexplained


def written(shape: Any) -> str:
    """A shape as the runtime prints it."""
    if shape is None:
        return "[...]"
    return "[" + ",".join(dim_text(dim) for dim in shape) + "]"


def dim_text(dim: Any) -> str:
    if isinstance(dim, tuple):
        low, high = dim
        return f"{low}..{'' if high is None else high}"
    return str(dim) if isinstance(dim, int) else "?"


def test_inferred_types_are_the_readers(cases: list[Path]) -> None:
    """Where irlint knows more than the reader (it follows values further), what it knows must fit."""
    from irlint.dryrun.differing import fits
    from irlint.formats.openvino.dryrun import partial_shape

    wrong, same, finer = [], 0, 0
    for case in cases:
        graph = load(case / "model.xml").graph
        types = infer(graph, graph.mapping)
        real = json.loads((case / "types.json").read_text())
        for node in graph.nodes:
            for tensor, (word, text) in zip(types.outputs(graph, node), real.get(node.name, ()), strict=False):
                if node.op == "Result":
                    continue
                theirs = partial_shape(text)
                if (NAMES.get(tensor.dtype or ""), written(tensor.shape)) == (word, text):
                    same += 1
                elif (
                    fits(theirs, tensor.shape)
                    and tensor.shape is not None
                    and word in (NAMES.get(tensor.dtype or ""), "dynamic")
                ):
                    finer += 1
                else:
                    wrong.append(f"{case.name}: {node.op} {node.name!r}: {word} {text}, not {tensor}")
    print(f"{same} types are the reader's, {finer} say more, {len(wrong)} differ")
    assert not wrong, "\n".join(wrong)
    assert finer < 0.01 * same
