"""What a first run on real models prints: accepted files are silent, and whatever is printed tells its reader what to do."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from irlint import engine, offers, report
from irlint.findings import Severity
from irlint.report.alike import Sentences
from irlint.report.base import FileReport, locate
from irlint.settings import Settings

GOLDEN = Path(__file__).parent / "golden" / "real-files.txt"
SETTINGS = Settings(missing_weights="optional")  # the corpus holds few of the weights


@cache
def _report(path: Path) -> FileReport:
    data = path.read_bytes()
    result = engine.lint_bytes(data, str(path), SETTINGS, path=path)
    offers.confirm(result)
    return locate(result)


def _accepted(corpus: Path) -> Iterator[Path]:
    """The files that the formats' own loaders take, weights apart."""
    for name, row in json.loads((corpus / "lightnet" / "status.json").read_text()).items():
        if row["load"].startswith("ok") and "not-ir" not in name:
            yield corpus / "lightnet" / name
    for family, oracle in (("nnvm", "mxnet_1_9_1"), ("openvino", "openvino_2026_4_1")):
        for row in json.loads((corpus / family / "index.json").read_text()):
            verdict = (row.get(oracle) or {}).get("verdict", "")
            classic = family == "nnvm" and str(row.get("era", "")).lower().startswith(("tvm", "nnvm", "classic"))
            if classic or verdict.startswith("ok") or "weights" in verdict:
                yield corpus / row["file"]


def test_accepted_files_are_silent(corpus: Path) -> None:
    files = [path for path in _accepted(corpus) if path.exists()]
    silent = [path for path in files if not _report(path).entries]
    assert len(files) > 200
    assert len(silent) >= 0.9 * len(files)


def test_the_report_of_all_openvino_files_can_be_read(corpus: Path) -> None:
    """It had 21,305 lines when each attribute that a converter leaves behind was a warning of its own."""
    files = sorted((corpus / "openvino").glob("*.xml"))
    stream = io.StringIO()
    report.write(map(_report, files), "full", stream)
    assert stream.getvalue().count("\n") <= 700


def test_every_warning_on_an_accepted_file_says_what_to_do(corpus: Path) -> None:
    """A new one needs its line of advice in golden/real-files.txt, or should not be a warning."""
    counts: Counter[tuple[str, str, str]] = Counter()
    files: dict[tuple[str, str, str], set[str]] = {}
    sentence = Sentences().of
    for path in _accepted(corpus):
        if not path.exists():
            continue
        found = _report(path)
        for finding in (entry.finding for entry in found.entries):
            assert finding.severity < Severity.ERROR, (path, finding.message)
            if finding.severity == Severity.WARNING:
                kind = (found.format or "", finding.code, sentence(finding))
                counts[kind] += 1
                files.setdefault(kind, set()).add(path.name)
    listed = [line for line in GOLDEN.read_text(encoding="utf-8").splitlines() if not line.startswith(("#", "  "))]
    present = [
        f"{format_} {code} {count}x in {len(files[format_, code, words])}: {words}"
        for (format_, code, words), count in sorted(counts.items())
    ]
    assert present == listed


def test_every_kind_of_warning_has_its_advice() -> None:
    lines = [line for line in GOLDEN.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    kinds, advice = lines[::2], lines[1::2]
    assert len(kinds) == len(advice)
    assert not any(line.startswith("  ") for line in kinds)
    assert all(line.startswith("  ") and len(line) > 20 for line in advice)
