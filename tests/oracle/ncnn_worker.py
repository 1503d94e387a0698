"""The judge of ncnn, from any Python: one long-lived process, which forks for each file."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

JUDGE = Path(__file__).with_name("ncnn_judge.py")
PYTHON = "IRLINT_NCNN_PYTHON"


class Ncnn:
    """`ncnn(param=path, ...)` gives the verdict of a job; ncnn_judge.py says what a job and a verdict hold."""

    def __init__(self, **environ: str) -> None:
        command = [os.environ[PYTHON], str(JUDGE)]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", **environ}
        self._worker = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def __call__(self, **job: Any) -> dict[str, Any]:
        assert self._worker.stdin
        assert self._worker.stdout
        self._worker.stdin.write(f"{json.dumps(job, default=str)}\n")
        self._worker.stdin.flush()
        said: dict[str, Any] = json.loads(self._worker.stdout.readline())
        return said

    def __enter__(self) -> Ncnn:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._worker.kill()
        self._worker.communicate()
