"""irlint before ncnn: mutants, shapes and outputs of networks, files that others have made. Needs IRLINT_NCNN_PYTHON (make oracle).

IRLINT_MUTANTS, IRLINT_TEXTS and IRLINT_NETWORKS say how many, for figures that count: 1,000, 5,000 and 200; IRLINT_SWEEP, which share of the sweep over all
parameters: 0.25. IRLINT_NCNN_PNNX is a folder that ncnn_pnnx.py has made,
IRLINT_NCNN_MODELS one of .param files of any origin, with or without weights.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from irlint import engine
from irlint.findings import Severity
from oracle import figures, judges, mutants, ncnn_agreement, ncnn_networks, ncnn_sweep, ncnn_text
from oracle.cases import store
from oracle.ncnn_worker import PYTHON, Ncnn
from oracle.plant import plant
from oracle.rows import Row
from oracle.sources import ROOT

pytestmark = [
    pytest.mark.skipif(PYTHON not in os.environ, reason=f"{PYTHON} names no Python with ncnn: make oracle"),
    pytest.mark.timeout(3600),
]

MUTANTS = int(os.environ.get("IRLINT_MUTANTS", "200"))
TEXTS = int(os.environ.get("IRLINT_TEXTS", "300"))
NETWORKS = int(os.environ.get("IRLINT_NETWORKS", "28"))
SWEEP = float(os.environ.get("IRLINT_SWEEP", "0.02"))  # of all cases
SEED = int(os.environ.get("IRLINT_SEED", "4"))


def _folder(variable: str) -> Path:
    if variable not in os.environ:
        pytest.skip(f"{variable} names no folder")
    return Path(os.environ[variable])


@pytest.fixture(scope="module")
def ncnn() -> Iterator[Ncnn]:
    with Ncnn() as worker:
        yield worker


@pytest.fixture(scope="module")
def networks() -> list[tuple[Path, dict[str, Any]]]:
    found = list(ncnn_agreement.rows(ncnn_networks.kept(NETWORKS, SEED)))
    assert len(found) == NETWORKS
    assert len({type_ for _, row in found for type_ in row["types"]}) >= min(60, NETWORKS)
    return found


def test_mutants(tmp_path: Path) -> None:
    ask = judges.judge("ncnn")
    sound = mutants.running(ask, plant("ncnn", 0, SEED), tmp_path / "bases")
    store(plant("ncnn", MUTANTS, SEED, only=sound), tmp_path / "cases")
    found = list(mutants.rows(ask, tmp_path / "cases", ROOT, tmp_path / "fixed"))
    print(figures.table(found))
    measured = figures.figures([row for row in found if row.case.family])
    assert measured["rejected"] > MUTANTS / 3
    assert measured["recall %"] >= 99
    assert measured["line %"] >= 97
    assert not [
        (row.case.path, row.case.change, row.errors)
        for row in found
        if row.is_false and row.is_same and not _is_true(row)
    ]
    assert measured["safe: harmed"] <= MUTANTS / 500  # a Split that is inserted can leave an output that nobody reads


def _is_true(row: Row) -> bool:
    """Whether an error holds though the outputs are the base's: the last lines are not read, or a default that is used happens to be right."""
    return any(code in ("T501", "A003") for _, code, *_ in row.errors)


def test_text(ncnn: Ncnn, tmp_path: Path) -> None:
    """White space, signs, quotes, digits, long words: what ncnn refuses is an error, and nothing else is."""
    found = list(ncnn_text.verdicts(ncnn, tmp_path, TEXTS, SEED))
    assert [(verdict.mutant.text, verdict.errors) for verdict in found if verdict.is_false] == []
    missed = [(verdict.mutant.text, verdict.said) for verdict in found if verdict.is_missed]
    assert len(missed) <= TEXTS / 200, missed


def test_every_parameter(tmp_path: Path) -> None:
    """Values around bounds, typical slips, other shapes: what is refused has an error, what runs has none."""
    with ExitStack() as stack:
        found = list(ncnn_sweep.swept(ncnn_sweep.judges(stack), tmp_path, SWEEP, seed=SEED))
    refused = [row for row in found if row.stage is not None]
    missed = [row for row in refused if not row.errors]
    wrong = [row for row in found if ncnn_sweep.is_false(row)]
    print(f"{len(found)} cases, {len(refused)} refused, {len(missed)} missed, {len(wrong)} false")
    assert len({row.case.type for row in found}) > 100
    assert len(missed) <= 0.01 * len(refused)
    assert len(wrong) <= 0.002 * len(found)


def test_shapes(networks: list[tuple[Path, dict[str, Any]]]) -> None:
    assert [str(far) for path, row in networks for far in ncnn_agreement.shapes(path, row)] == []


def test_outputs(networks: list[tuple[Path, dict[str, Any]]]) -> None:
    """Three of four: some layers have no kernel."""
    wrong = {path: list(map(str, ncnn_agreement.outputs(path, row))) for path, row in networks}
    assert [text for texts in wrong.values() for text in texts if "NotImplementedError" not in text] == []
    assert sum(not texts for texts in wrong.values()) >= 0.75 * len(networks)


def test_pnnx(ncnn: Ncnn) -> None:
    folder = _folder("IRLINT_NCNN_PNNX")
    for row in ncnn_networks.judged(ncnn, folder):
        path = folder / row["path"]
        assert _errors(path) == []
        assert [str(far) for far in ncnn_agreement.shapes(path, row)] == []


def test_files_of_others(ncnn: Ncnn, tmp_path: Path) -> None:
    """No error where the runtime loads a file; weights of the sizes that it asks for stand in for those that are missing."""
    wrong = {}
    for path in sorted(_folder("IRLINT_NCNN_MODELS").rglob("*.param")):
        if (
            not path.name.endswith(".pnnx.param")
            and _loads(ncnn, path, tmp_path / "weights.bin")
            and (errors := _errors(path))
        ):
            wrong[path] = errors
    assert wrong == {}


def _loads(ncnn: Ncnn, path: Path, weights: Path) -> bool:
    own = path.with_suffix(".bin")
    said = ncnn(param=path, bin=own) if own.exists() else ncnn(param=path, weights=weights)
    return said["stage"] in (None, "input", "extract")


def _errors(path: Path) -> list[str]:
    found = engine.lint_bytes(path.read_bytes(), path.name, path=path).findings
    return [f"{finding.code} {finding.message}" for finding in found if finding.severity == Severity.ERROR]
