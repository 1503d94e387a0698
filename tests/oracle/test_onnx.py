"""irlint before onnx's checker, onnxruntime and OpenVINO: mutants, planted defects, node tests, files of others, time. Needs IRLINT_ONNX_PYTHON (make oracle-onnx).

IRLINT_ONNX_BASES is a folder of base models that onnx_bases.py has made or is to make; IRLINT_MUTANTS, how many mutants of them: 1,500 for figures that count.
IRLINT_ONNX_MODELS is a folder of .onnx files of any origin.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from irlint import engine
from irlint.findings import Severity
from oracle import onnx_measure, onnx_rivals
from oracle.onnx_measure import PYTHON, Row, figures

pytestmark = [
    pytest.mark.skipif(
        PYTHON not in os.environ, reason=f"{PYTHON} names no Python with onnx and onnxruntime: make oracle-onnx"
    ),
    pytest.mark.timeout(7200),
]

MUTANTS = int(os.environ.get("IRLINT_MUTANTS", "236"))  # two of each family
SEED = int(os.environ.get("IRLINT_SEED", "7"))
GROUPS = ("own", "plain", "nodes")  # bases that need no exporter


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    work = tmp_path_factory.mktemp("mutants")
    if "IRLINT_ONNX_BASES" not in os.environ:
        os.environ["IRLINT_ONNX_BASES"] = str(work / "bases")
        onnx_measure.oracle("oracle.onnx_bases", *GROUPS)
    onnx_measure.oracle("oracle.onnx_mutants", str(work / "cases"), str(MUTANTS), str(SEED))
    rows = list(onnx_measure.rows(work / "cases", work))
    print(onnx_measure.table(rows), onnx_measure.families([row for row in rows if row.case["family"]]), sep="\n\n")
    return rows


def _told(rows: list[Row]) -> list[tuple[str, str, list[str]]]:
    return [(row.case["path"], row.case["what"], [error["message"] for error in row.errors]) for row in rows]


def test_bases(found: list[Row]) -> None:
    """No error in what runs."""
    assert _told([row for row in found if not row.case["family"] and row.is_same and row.errors]) == []


def test_mutants(found: list[Row]) -> None:
    mutants = [row for row in found if row.case["family"]]
    measured = figures(mutants)
    assert measured["refused"] > len(mutants) / 2
    assert measured["irlint fails"] == 0
    assert measured["recall %"] >= 99
    assert measured["at node %"] >= 97
    assert _told([row for row in mutants if row.is_false]) == []


def test_repairs(found: list[Row]) -> None:
    mutants = [row for row in found if row.case["family"]]
    measured = figures(mutants)
    assert measured["unsafe: original %"] >= 60
    assert _told([row for row in mutants if row.is_harmed("safe")]) == []


def test_planted_defects(tmp_path: Path) -> None:
    names = onnx_rivals.planted(tmp_path)
    assert len(names) == 54
    assert [name for name in names if not onnx_rivals.told(tmp_path, name)] == []
    refused = onnx_rivals.refusals(tmp_path, names)
    print(Counter(judge for judges in refused.values() for judge in judges))
    assert any(not judges for judges in refused.values())


def test_node_tests_load_clean(tmp_path: Path) -> None:
    onnx_measure.oracle("oracle.onnx_nodes", str(tmp_path))
    files = sorted(tmp_path.glob("*.onnx"))
    assert len(files) > 1800
    assert {path.name: errors for path in files if (errors := _errors(path))} == {}


def test_files_of_others(tmp_path: Path) -> None:
    """No error where onnxruntime loads and runs a file and onnx's checker has nothing against it. (Of nodes out of order, for one, they think differently.)"""
    if "IRLINT_ONNX_MODELS" not in os.environ:
        pytest.skip("IRLINT_ONNX_MODELS names no folder")
    files = sorted(path for path in Path(os.environ["IRLINT_ONNX_MODELS"]).rglob("*.onnx") if path.is_file())
    verdicts = onnx_measure.verdicts([{"path": str(path), "feeds": None} for path in files], tmp_path)
    judges = ("checker", "full", "ort")
    running = [
        path
        for path, verdict in zip(files, verdicts, strict=True)
        if not any(verdict[judge]["stage"] for judge in judges)
    ]
    print(f"{len(files)} files, {len(running)} run")
    assert {str(path): errors for path in running if (errors := _errors(path))} == {}


def test_faster_than_the_checker(tmp_path: Path) -> None:
    """As processes: what a user waits for. The checker's interpreter has its byte code, as irlint's has."""
    onnx_measure.oracle("oracle.onnx_planted", str(tmp_path))
    for path in (tmp_path / "K-of-Gemm" / "sound.onnx", tmp_path / "branches-types" / "sound.onnx"):
        ours = min(_seconds(sys.executable, "-m", "irlint", str(path)) for _ in range(3))
        code = f"import onnx; onnx.checker.check_model({str(path)!r})"
        assert ours < min(_seconds(os.environ[PYTHON], "-c", code) for _ in range(3))


def _seconds(*command: str) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
    return time.perf_counter() - start


PEAK = """
import resource, sys
from irlint.__main__ import main
try:
    main([sys.argv[1]])
except SystemExit:
    pass
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def test_external_data_is_not_read(tmp_path: Path) -> None:
    """A model of 2 GB in an external file takes the time and memory of its graph."""
    onnx_measure.oracle("oracle.onnx_large", str(tmp_path))
    assert (tmp_path / "weights.data").stat().st_size > 2 * 10**9
    assert _errors(tmp_path / "model.onnx") == []
    (tmp_path / "small.onnx").write_bytes((tmp_path / "model.onnx").read_bytes()[:0])
    assert _seconds(sys.executable, "-m", "irlint", str(tmp_path / "model.onnx")) < 3
    assert _peak(tmp_path / "model.onnx") < _peak(tmp_path / "small.onnx") + 20_000  # kB


def _peak(path: Path) -> int:
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(done.stderr.split()[-1])


def _errors(path: Path) -> list[str]:
    result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
    return [f"{finding.code} {finding.message}" for finding in result.findings if finding.severity == Severity.ERROR]
