"""Real files: what a loader takes has no error, what it refuses has one."""

from __future__ import annotations

import json
from pathlib import Path

from irlint import lint
from irlint.findings import Severity


def _rows(corpus: Path) -> list[tuple[Path, str]]:
    rows = json.loads((corpus / "nnvm" / "index.json").read_text())
    found = []
    for row in rows:
        verdict = (row.get("mxnet_1_9_1") or {}).get("verdict", "")
        foreign = row["era"].startswith(("tvm", "nnvm"))  # mxnet is no judge of these
        found.append((corpus / row["file"], "ok" if foreign or verdict.startswith("ok") else "bad"))
    return found


def test_real_files(corpus: Path) -> None:
    wrong = []
    for path, verdict in _rows(corpus):
        errors = [f for f in lint(path) if f.severity == Severity.ERROR]
        if bool(errors) != (verdict == "bad"):
            wrong.append((path.name, verdict, [f.message for f in errors[:3]]))
    assert not wrong
