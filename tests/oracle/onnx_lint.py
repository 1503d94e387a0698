"""python onnx_lint.py CASES [--no-fixes]: lint and repair every case of CASES/cases.jsonl with the irlint that PYTHONPATH names; a JSON object per case.

Repaired models are written next to the case, where its external data is: safe.onnx and unsafe.onnx.
"""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import made_fixes

from irlint import engine, jobs
from irlint.findings import Severity
from irlint.jobs import one_file
from irlint.settings import Settings

PATIENCE = 60  # seconds for one file
MODES: dict[str, one_file.JobOptions] = (
    {}
    if "--no-fixes" in sys.argv
    else {"safe": one_file.JobOptions(fix=True), "unsafe": one_file.JobOptions(fix=True, unsafe=True)}
)
OFFERED = {"safe": {"safe"}, "unsafe": {"safe", "unsafe"}}

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,=()<>{}\[\]]+')
_NODE = re.compile(r'^(?:\[(?:"(?:[^"\\]|\\.)*"|[^\]]*)\]\s*)?(?P<outputs>[^=(]*?)\s*=\s*[^\s={\[(]+\s*[(<:]')
_FUNCTION = re.compile(r"^(?P<name>\S+) (?:<[^>]*>\s*)?\(.*\) => \(")
_ATTRIBUTE = re.compile(r'^("(?:[^"\\]|\\.)*"|[^\s:]+): \w+ = ')


def defined(lines: list[str], number: int) -> list[str]:
    """What a line of the textual form defines: outputs of a node, the name of a value, a graph or a function. A node may have many lines: a line for each attribute."""
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    text = line.strip()
    if text.startswith(">") or _ATTRIBUTE.match(text):
        most = _indent(line) - (not text.startswith(">"))
        above = (before for before in reversed(lines[: number - 1]) if before.strip() and _indent(before) <= most)
        text = next(above, "").strip()
    text = text.rstrip(",")
    if found := _FUNCTION.match(text):
        return [_plain(found["name"])]
    if found := _NODE.match(text):
        return [_plain(word) for word in _WORD.findall(found["outputs"])]
    words = _WORD.findall(text.partition(" = ")[0])
    return [_plain(words[-1])] if words else []


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _plain(word: str) -> str:
    return word[1:-1] if word.startswith('"') else word


def head(lines: list[str]) -> int:
    """The line of the graph's name: what belongs to the whole model is above it."""
    return next((k for k, line in enumerate(lines, 1) if line.startswith(">")), 0) + 1


def repaired(path: Path, data: bytes, mode: str) -> str | None:
    """The name of the file that --fix makes of it; None if it changes nothing."""
    made_fixes.taken()
    outcome = one_file.check(one_file.Job(str(path), Settings(), data=data), MODES[mode])
    if outcome.failure:
        raise RuntimeError(outcome.failure)
    if outcome.data is None or outcome.data == data:
        return None
    path.with_name(f"{mode}.onnx").write_bytes(outcome.data)
    return f"{mode}.onnx"


def judged(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    start = time.perf_counter()
    result = engine.lint_bytes(data, path.name, path=path)
    seconds = time.perf_counter() - start
    place = result.lines.position
    lines = result.document.text.splitlines() if result.document else []
    top = head(lines)

    def where(offset: int) -> list[Any]:
        line = place(offset).line
        return [line, line <= top, defined(lines, line)]

    found = [
        {
            "severity": str(f.severity), "code": f.code, "message": f.message, "fix": [f.fix.safety, f.fix.title] if f.fix else None,
            "places": [where(f.span.start), *(where(related.span.start) for related in f.related)],
        }
        for f in result.findings
    ]  # fmt: skip
    offers = {f.fix.safety for f in result.findings if f.fix and f.fix.edits}
    is_broken = any(f.severity == Severity.ERROR for f in result.findings)  # for which repairs are searched
    row: dict[str, Any] = {"path": str(path), "findings": found, "seconds": seconds}
    for mode in MODES:
        row[mode] = repaired(path, data, mode) if is_broken or offers & OFFERED[mode] else None
        row[f"{mode} fixes"] = made_fixes.taken() if row[mode] else []
    return row


def _late(*_: object) -> None:
    raise TimeoutError(f"irlint takes more than {PATIENCE} seconds")


def main() -> None:
    folder = Path(sys.argv[1])
    made_fixes.record()
    signal.signal(signal.SIGALRM, _late)
    for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        path = folder / json.loads(line)["path"]
        for mode in OFFERED:
            path.with_name(f"{mode}.onnx").unlink(missing_ok=True)
        signal.alarm(PATIENCE)
        try:
            row = judged(path)
        except Exception as error:
            row = {"path": str(path), "findings": [], "failure": jobs.describe(error)}
        signal.alarm(0)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
