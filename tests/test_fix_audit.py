"""Fixes that are offered are made, leave fewer errors, and leave files alone that may be none of ours: see fix_audit.py."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from fix_audit import KINDS, Failure, audit
from oracle.cases import store
from oracle.plant import corpus, plant
from oracle.sources import FORMATS

COUNT = int(
    os.environ.get("IRLINT_FIX_AUDIT", "0")
)  # mutants of each format, of the corpus, too; 0: a small sample without it
SEED = int(os.environ.get("IRLINT_SEED", "5"))
SAMPLE = 150


@pytest.mark.timeout(3600 if COUNT else 180)
@pytest.mark.parametrize("format_", FORMATS)
def test_fixes_are_honest(format_: str, tmp_path: Path) -> None:
    cases = plant(format_, COUNT or SAMPLE, SEED, corpus() if COUNT else ())
    kept = (case for case in cases if case.family or COUNT)
    failures = [failure for case in store(kept, tmp_path) for failure in audit(case.path).failures]
    found = Counter(failure.kind for failure in failures)
    assert not {kind: found[kind] for kind in KINDS if found[kind]}, _told(failures)


def _told(failures: list[Failure]) -> str:
    return "\n".join(f"{f.kind} ({f.safety}): {f.code} {f.message} -> {f.title} -> {f.after}" for f in failures)
