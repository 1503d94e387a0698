"""Many models of many operations, and mutants of them, before irlint and before the real reader. Needs IRLINT_OPENVINO_PYTHON."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from irlint import engine

from .blind import blind
from .mutate import mutants

PYTHON = os.environ.get("IRLINT_OPENVINO_PYTHON", "")
HERE = Path(__file__).parent
pytestmark = [
    pytest.mark.skipif(not PYTHON, reason="IRLINT_OPENVINO_PYTHON names no Python with openvino"),
    pytest.mark.timeout(3600),
]

# The writer's own odd moments, of which irlint rightly speaks: Broadcast-1 in the mode "none", a constant that nothing reads, an If whose condition is its data.
SPOKEN_OF = {"A005", "G001", "R304"}


def run(script: str, *arguments: str, lines: list[str] | None = None) -> list[str]:
    done = subprocess.run(
        [PYTHON, str(HERE / script), *arguments],
        input="\n".join(lines or []),
        capture_output=True,
        text=True,
        timeout=1700,
    )
    return done.stdout.splitlines()


def verdicts(files: list[Path]) -> dict[str, dict[str, str]]:
    found = (json.loads(line) for line in run("oracle.py", lines=[str(f) for f in files]))
    return {record["file"]: record for record in found}


def sound(record: dict[str, str]) -> bool:
    return all(record.get(step) == "ok" for step in ("read", "compile", "infer"))


def findings(path: Path) -> list[tuple[str, str, int]]:
    result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
    place = result.lines.position
    return [(f.code, str(f.severity), place(f.span.start).line) for f in result.findings]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("built")
    count, seed = os.environ.get("IRLINT_MODELS", "200"), os.environ.get("IRLINT_SEED", "2")
    return [Path(line) for line in run("build.py", str(folder), count, seed)]


def test_what_the_wheel_saves_is_clean(built: list[Path]) -> None:
    types = {t for path in built for t in re.findall(r' type="(\w+)" version=', path.read_text())}
    assert len(types) >= min(150, 2 * len(built))
    read = verdicts(built)
    for path in built:
        found = findings(path)
        wrong = any(severity == "error" for _, severity, _ in found)
        refused = read[str(path)]["read"] != "ok"
        assert wrong or not refused, path
        assert not wrong or read[str(path)].get("compile") != "ok", path  # AvgPool-16 saved without dilations crashes
        if not refused:
            assert {code for code, severity, _ in found if severity == "warning"} <= SPOKEN_OF, path


def test_mutants(built: list[Path], tmp_path: Path) -> None:
    seed = int(os.environ.get("IRLINT_SEED", "2"))
    rng = random.Random(seed)
    base = verdicts(built)
    planted: dict[Path, Any] = {}
    for path in (p for p in rng.sample(built, min(60, len(built) // 3)) if sound(base[str(p)])):
        text, weights = path.read_text(), path.with_suffix(".bin").read_bytes()
        known = list(mutants(text, weights, seed))
        for k, mutant in enumerate([*blind(text, weights, seed, 15), *rng.sample(known, min(15, len(known)))]):
            file = tmp_path / f"{path.stem}_{k}.xml"
            file.write_bytes(mutant.text.encode("utf-8", "surrogateescape"))
            if mutant.weights is not None:
                file.with_suffix(".bin").write_bytes(mutant.weights)
            planted[file] = mutant
    said = verdicts(list(planted))
    counts = dict.fromkeys(("refused", "found", "taken", "false"), 0)
    for file in planted:
        record, wrong = said[str(file)], any(severity == "error" for _, severity, _ in findings(file))
        if record.get("read") != "ok":
            counts["refused"] += 1
            counts["found"] += wrong
        elif sound(record):
            counts["taken"] += 1
            counts["false"] += wrong
    print(counts)
    assert counts["refused"] > 100
    assert counts["taken"] > 100
    assert counts["found"] >= 0.97 * counts["refused"]
    assert counts["false"] <= 0.02 * counts["taken"]  # sub-graphs that are folded away, for the most part
