"""A real S3 server on this machine: rclone, from its wheel."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from irlint.records import NamedTuple

KEY, SECRET = "zoo-access-key", "zoo-secret-of-the-tests"


class S3Server(NamedTuple):
    """A server that shows each folder in `folder` as a bucket."""

    folder: Path
    environment: dict[str, str]


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    program = shutil.which("rclone", path=str(Path(sys.executable).parent)) or shutil.which("rclone")
    if program is None:
        pytest.skip("rclone is not installed")
    folder = tmp_path_factory.mktemp("s3")
    (folder / "models").mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "serve", "s3", "--addr", f"127.0.0.1:{port}", "--auth-key", f"{KEY},{SECRET}", str(folder)]
    more = ["--config", str(folder.parent / "none.conf"), "--dir-cache-time", "0s", "--vfs-cache-mode", "off"]
    with subprocess.Popen([*command, *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _await(port)
            yield S3Server(folder, environment(f"http://127.0.0.1:{port}"))
        finally:
            server.terminate()


def environment(url: str) -> dict[str, str]:
    return {
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": "us-east-1",
    }


def _await(port: int) -> None:
    until = monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if monotonic() > until:
                raise
            sleep(0.05)
