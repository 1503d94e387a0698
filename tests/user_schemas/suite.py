"""The official tests of JSON Schema, from the source package of jsonschema, which ships them."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DRAFTS = ("draft4", "draft6", "draft7", "draft2019-09", "draft2020-12")
HOST = "http://localhost:1234"  # where the tests expect the schemas that others refer to


def unpacked(folder: Path) -> Path:
    """Return the folder of the tests; skip where the package cannot be had."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "jsonschema"]
    done = subprocess.run([*command, "--dest", str(folder)], capture_output=True, text=True, timeout=300, check=False)
    packages = sorted(folder.glob("jsonschema-*.tar.gz"))
    if not packages:
        pytest.skip(f"the source package of jsonschema cannot be downloaded: {done.stderr[-200:]}")
    with tarfile.open(packages[-1]) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.glob("jsonschema-*/json"))


def cases(folder: Path, draft: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the required tests of a draft, each with its name."""
    for path in sorted((folder / "tests" / draft).glob("*.json")):
        for case in json.loads(path.read_text("utf-8")):
            yield f"{path.stem}: {case['description']}", case
