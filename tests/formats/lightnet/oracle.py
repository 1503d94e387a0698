"""The real LightNet as a judge, where the environment variable IRLINT_LIGHTNET names its binary."""

from __future__ import annotations

import os
import re
import resource
import subprocess
from pathlib import Path

BINARY = os.environ.get("IRLINT_LIGHTNET")
COMPILED = "compiled.json"  # what it makes of a file for the cpu


def _limits() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def verdict(data: bytes, folder: Path, run: bool) -> tuple[str, str]:
    """ "ok", "error" or "crash", and the message; of loading alone, or of compiling and running for the cpu."""
    return asked(data, folder, run)[:2]


def asked(data: bytes, folder: Path, run: bool) -> tuple[str, str, str]:
    """What `verdict` gives, and what was printed."""
    assert BINARY
    path = folder / "model.json"
    path.write_bytes(data)
    arguments = ["-o", COMPILED] if run else ["-c", "-t", "none", "-o", "!"]
    try:
        done = subprocess.run(
            [BINARY, *arguments, str(path)], cwd=folder, capture_output=True, timeout=20, preexec_fn=_limits
        )
    except subprocess.TimeoutExpired:
        return "crash", "timeout", ""
    word = "ok" if done.returncode == 0 else "error" if done.returncode > 0 else "crash"
    printed = re.sub(r"[^\n]*run time: [^\n]*", "", done.stdout.decode("latin-1"))
    return word, done.stderr.decode("latin-1")[:300], printed[:20000]
