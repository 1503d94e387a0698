"""Make schemas/kernels/NAME.json of what the documentation of releases says: python -m oracle.kernels.published NAME CLONE [RELEASE=PAGE...]

CLONE is a clone of the repository that has the documentation. Pages that none of its branches has are files.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import onnx

from oracle.kernels.provider_pages import KERNELS, PROVIDERS, expanded
from oracle.kernels.tables import FOLDER, _text
from oracle.kernels.tensorrt_pages import Release

NOTE = (
    "What the documentation of releases says; `urls` has the pages. Keys as in the measured tables, but an operator without a version stands for all its"
    " versions; {\"not\": [...]}: all values but these, and zero N: `other` if a constant input has a number that is not zero."
    " narrowed: from which release on INT64 is `refused` or `clamped` where INT32 has no such number, or `kept`."
    " dynamic: whether any length of an input is no number. lengths: `profile` if inputs with open lengths need one, `fixed` if they are not taken. whole: domains with all operators that the runtime has."
)  # fmt: skip
ONNX_TENSORRT = {
    "7.0": "7.0", "7.1": "7.1", "7.2": "7.2.1", "8.0": "8.0-GA", "8.2": "8.2-GA", "8.4": "8.4-GA", "8.5": "8.5-GA", "8.6": "8.6-GA",
    "9.0": "9.0-GA", "9.1": "9.1", "9.2": "9.2", "9.3": "9.3", "10.0": "10.0-GA", "10.1": "10.1-GA", "10.15": "10.15-GA",
}  # fmt: skip

# The last commit before the one that names the next release: release branches begin there.
ONNXRUNTIME = {
    "1.15": "1fb2f2605b83fe29f047934cea9b33bd9f3c3e76", "1.16": "e6301eee6aa3f22f31bdcf431d0ed0ca828d20be",
    "1.17": "bd9d8fb2a545a59d87a4c23308ec543ba6e4c41d", "1.18": "b2481e36029c2bb4a8fe08a40a899c5bb9dd0549",
    "1.19": "134f47743ed4d20713f131dbccfdd692443e9252", "1.20": "e5c2e5084948cacc1d58d6d9b38ae4da85d4ce92",
    "1.21": "7864192c9c5ff37be69aa3e8a16e217de22eb74a", "1.22": "6c8cb6a6d1993f84fcf4008f468a071c0b73aad3",
    "1.23": "bb7c295a738c29f09c01893cdb57d520ab6e165e", "1.24": "62e8ba93388eb0a6854b815a0d532df7ebc861f9",
}  # fmt: skip


class Rules:
    """The rules of a table, each once, and from which release on an operator has them."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.operators: dict[str, dict[str, int]] = {}

    def add(self, release: str, rules: Iterable[tuple[str, Any]]) -> None:
        for name, rule in rules:
            self._set(name, release, rule)

    def add_whole(self, release: str, rules: dict[str, Any]) -> None:
        """Add a list of all operators: those of older releases that it does not have are gone."""
        self.add(release, rules.items())
        self.add(release, [(name, None) for name in self.operators if name not in rules])

    def _set(self, name: str, release: str, rule: Any) -> None:
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


def provider(name: str, clone: str) -> None:
    title, path, read, lengths = PROVIDERS[name]
    rules, urls = Rules(), dict[str, str]()
    for release, commit in ONNXRUNTIME.items():
        before = _revision(clone, f"{commit}^")
        found = dict(read(partial(_shown, clone, before)))
        if found:
            rules.add_whole(release, {**dict(expanded(_shown(clone, before, KERNELS))), **found})
            urls[release] = f"https://github.com/microsoft/onnxruntime/blob/{before}/{path}"
            print(f"{release}: {len(found):,} versions of operators")
    header = {
        "title": title,
        "releases": {one: one for one in urls},
        "urls": urls,
        "whole": ["", "ai.onnx.ml", "com.microsoft"],
    }
    rules.write(f"onnxruntime-{name}", {**header, **({"lengths": lengths} if lengths else {})})


def _revision(clone: str, name: str) -> str:
    return subprocess.run(
        ["git", "-C", clone, "rev-parse", name], capture_output=True, text=True, check=True
    ).stdout.strip()


def _shown(clone: str, revision: str, path: str) -> str:
    """Return a file of a revision; "" if it does not have it."""
    return subprocess.run(["git", "-C", clone, "show", f"{revision}:{path}"], capture_output=True, text=True).stdout


def shown(clone: str, revision: str, *paths: str) -> str:
    """Return the first of several files that a revision has."""
    for path in paths:
        if text := _shown(clone, revision, path):
            return text
    raise SystemExit(f"{revision} has none of {', '.join(paths)}")


def main(name: str, clone: str, pages: list[str]) -> None:
    if name == "tensorrt":
        tensorrt(clone, dict(one.split("=", 1) for one in pages))
    for one in PROVIDERS if name == "onnxruntime" else ():
        provider(one, clone)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
