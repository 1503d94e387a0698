"""60 random operators of a format, at their edges, before the runtime and before irlint. Needs IRLINT_ONNX_PYTHON, IRLINT_OPENVINO_PYTHON and so on.

IRLINT_SAMPLES and IRLINT_SEED say how many and which; `python tests/oracle/sampling.py` judges others.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oracle import sampling

COUNT = int(os.environ.get("IRLINT_SAMPLES", "60"))
SEED = int(os.environ.get("IRLINT_SEED", "4"))


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("format_", sorted(sampling.PYTHONS))
def test_random_operators(format_: str, tmp_path: Path) -> None:
    if not os.environ.get(sampling.PYTHONS[format_]):
        pytest.skip(f"{sampling.PYTHONS[format_]} names no Python with the runtime")
    rows = list(sampling.judged(format_, COUNT, SEED, tmp_path))
    said = "\n".join(sampling.report(rows))
    print(said)
    assert not [row for row in rows if row.difference and not row.reason], said
    assert sum(row.answer.outputs is not None for row in rows) > COUNT / 2
