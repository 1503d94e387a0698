"""python -m fuzz.soak_worker: checks one input after another under limits; `fuzz.soak` names them on stdin and reads the answers.

A line in is JSON, ["harness", name, path] or ["family", form, path]; a line out is JSON, {"seconds": ..., "memory": ..., "error": ...}.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from fuzz.harnesses import harness
from irlint import engine
from irlint.config.build import build
from irlint.config.read_toml import read_toml
from irlint.config.read_yaml import read_yaml
from irlint.config.source import ConfigError

SECONDS = 30  # of CPU time for one input, after which the process is ended
MEMORY = 3 << 30  # bytes of address space


def main() -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a check prints is no answer
    for line in sys.stdin:
        kind, name, path = json.loads(line)
        _limit_time()
        answer = _measured(name, Path(path)) if kind == "family" else _checked(name, Path(path).read_bytes())
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return 0


def _limit_time() -> None:
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS, resource.RLIM_INFINITY))


def _checked(name: str, data: bytes) -> dict[str, Any]:
    """Check one input of a harness."""
    began = time.process_time()
    error = None
    try:
        harness(name).check(data)
    except Exception as wrong:
        error = f"{type(wrong).__name__}: {' '.join(str(wrong).split())[:200]}"
    return {"seconds": time.process_time() - began, "memory": 0, "error": error}


def _measured(form: str, path: Path) -> dict[str, Any]:
    """Measure one text of a family in a process of its own, which begins with everything imported."""
    data = path.read_bytes()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began, error = time.process_time(), None
        _limit_time()
        try:
            _read(form, data)
        except Exception as wrong:
            error = f"{type(wrong).__name__}: {' '.join(str(wrong).split())[:200]}"
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
        answer = {"seconds": time.process_time() - began, "memory": grown, "error": error}
        os.write(writer, json.dumps(answer).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        said = file.read()
    _, status = os.waitpid(child, 0)
    if not said:
        return {"seconds": SECONDS, "memory": 0, "error": f"ended by signal {status & 127}"}
    answer = json.loads(said)
    assert isinstance(answer, dict)
    return answer


def _read(form: str, data: bytes) -> None:
    if form in ("toml", "yaml"):
        with suppress(ConfigError):
            source = (read_toml if form == "toml" else read_yaml)("irlint.yaml", data)
            if source is not None:
                build(source, ".")
    else:
        gc.disable()  # as the command line does
        engine.lint_bytes(data, "model", as_format=form)


if __name__ == "__main__":
    sys.exit(main())
