"""Make schemas/kernels/NAME.json of what the documentation of releases says: python -m oracle.kernels.published NAME CLONE [RELEASE=PAGE...]

CLONE is a clone of the repository that has the documentation. Pages that none of its branches has are files.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import onnx

from oracle.kernels.tables import FOLDER, _text
from oracle.kernels.tensorrt_pages import Release

NOTE = (
    "What the documentation of releases says; `urls` has the pages. Keys as in the measured tables, but an operator without a version stands for all its"
    " versions; {\"not\": [...]}: all values but these, and zero N: `other` if a constant input has a number that is not zero."
    " narrowed: from which release on INT64 is `refused` or `clamped` where INT32 has no such number, or `kept`."
    " lengths: `profile` if inputs with open lengths need one."
)  # fmt: skip
ONNX_TENSORRT = {
    "7.0": "7.0", "7.1": "7.1", "7.2": "7.2.1", "8.0": "8.0-GA", "8.2": "8.2-GA", "8.4": "8.4-GA", "8.5": "8.5-GA", "8.6": "8.6-GA",
    "9.0": "9.0-GA", "9.1": "9.1", "9.2": "9.2", "9.3": "9.3", "10.0": "10.0-GA", "10.1": "10.1-GA", "10.15": "10.15-GA",
}  # fmt: skip


class Rules:
    """The rules of a table, each once, and from which release on an operator has them."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.operators: dict[str, dict[str, int]] = {}

    def add(self, release: str, rules: Iterable[tuple[str, Any]]) -> None:
        for name, rule in rules:
            number = self.numbers.setdefault(json.dumps(rule), len(self.numbers))
            found = self.operators.setdefault(name, {})
            if not found or [*found.values()][-1] != number:
                found[release] = number

    def write(self, name: str, header: dict[str, Any]) -> None:
        table = {
            "runtime": name,
            "known": "published",
            "note": NOTE,
            **header,
            "rules": [json.loads(rule) for rule in self.numbers],
            "operators": dict(sorted(self.operators.items())),
        }
        (FOLDER / f"{name}.json").write_text(_text(table))
        print(f"{name}: {len(self.operators):,} operators, {len(self.numbers):,} rules")


def tensorrt(clone: str, pages: dict[str, str]) -> None:
    inputs = {schema.name: [one.name for one in schema.inputs] for schema in onnx.defs.get_all_schemas()}
    since = dict[str, int]()
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "":
            since[schema.name] = min(schema.since_version, since.get(schema.name, schema.since_version))
    rules, narrowed, urls, source = Rules(), dict[str, str](), dict[str, str](), ""
    for name, branch in ONNX_TENSORRT.items():
        path = "operators.md" if name in ("7.0", "7.1") else "docs/operators.md"
        page = Path(pages[name]).read_text() if name in pages else shown(clone, branch, path)
        if name not in pages:  # else that of the newest release before it
            source = shown(clone, branch, "onnxOpImporters.cpp", "builtin_op_importers.cpp")
        release = Release(name, page, source, inputs, since)
        rules.add(name, release.rules())
        urls[name] = f"https://github.com/onnx/onnx-tensorrt/blob/{branch}/{path}"
        state = "clamped" if release.clamps else "refused" if release.narrowed else "kept"
        if not narrowed or [*narrowed.values()][-1] != state:
            narrowed[name] = state
        print(f"{name}: not read: {dict(release.unread)}\n  contradicted by the parser: {release.contradicted}")
    header = {"title": "TensorRT", "releases": {name: name for name in ONNX_TENSORRT}, "urls": urls}
    rules.write("tensorrt", {**header, "narrowed": narrowed, "lengths": "profile"})


def shown(clone: str, revision: str, *paths: str) -> str:
    """Return the first of several files that a revision has."""
    for path in paths:
        found = subprocess.run(["git", "-C", clone, "show", f"{revision}:{path}"], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout
    raise SystemExit(f"{revision} has none of {', '.join(paths)}")


def main(name: str, clone: str, pages: list[str]) -> None:
    {"tensorrt": tensorrt}[name](clone, dict(one.split("=", 1) for one in pages))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
