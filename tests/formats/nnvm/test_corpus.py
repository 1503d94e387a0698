"""Real files: what a loader takes has no error, what it refuses has one; and every single finding, as it was looked at."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from irlint import engine
from irlint.findings import Severity

# file, line, column, code, severity, message; `python -m tests.formats.nnvm.test_corpus CORPUS` writes it anew
LISTING = Path(__file__).parent / "corpus_findings.txt"


def _rows(corpus: Path) -> list[tuple[Path, str]]:
    rows = json.loads((corpus / "nnvm" / "index.json").read_text())
    found = []
    for row in rows:
        verdict = (row.get("mxnet_1_9_1") or {}).get("verdict", "")
        foreign = row["era"].startswith(("tvm", "nnvm"))  # mxnet is no judge of these
        found.append((corpus / row["file"], "ok" if foreign or verdict.startswith("ok") else "bad"))
    return found


def listing(path: Path) -> list[str]:
    """A line for each finding of a file."""
    result = engine.lint_bytes(path.read_bytes(), path.name)
    lines = []
    for finding in result.findings:
        assert result.document is not None
        at = result.document.lines.position(finding.span.start)
        lines.append(f"{path.name}:{at.line}:{at.column}: {finding.code} {finding.severity}: {finding.message}")
    return lines


@pytest.fixture(scope="module")
def listings(corpus: Path) -> dict[str, list[str]]:
    return {path.name: listing(path) for path, _ in sorted(_rows(corpus))}


def test_real_files(corpus: Path, listings: dict[str, list[str]]) -> None:
    wrong = []
    for path, verdict in _rows(corpus):
        errors = [line for line in listings[path.name] if f" {Severity.ERROR}: " in line]
        if bool(errors) != (verdict == "bad"):
            wrong.append((path.name, verdict, errors[:3]))
    assert not wrong


def test_findings_of_real_files(listings: dict[str, list[str]]) -> None:
    """A change here changes what people see on their own files: look at each line before the listing is written anew."""
    expected = LISTING.read_text(encoding="utf-8").splitlines()
    assert [line for name in sorted(listings) for line in listings[name]] == expected


if __name__ == "__main__":
    found = [line for path, _ in sorted(_rows(Path(sys.argv[1]))) for line in listing(path)]
    LISTING.write_text("".join(line + "\n" for line in found), encoding="utf-8")
