"""MXNet 1.9.1 in a process of its own, asked case by case; a case that kills it is an answer too."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any

_WORKER = Path(__file__).with_name("mxnet_worker.py")


class Oracle:
    """`python` is an interpreter that has mxnet."""

    def __init__(self, python: str, patience: float = 120) -> None:
        self.python, self.patience = python, patience
        self.process: subprocess.Popen[str] | None = None
        self.lines: queue.Queue[str] = queue.Queue()

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [self.python, str(_WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        lines: queue.Queue[str] = queue.Queue()

        def read() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                lines.put(line)
            lines.put("")

        threading.Thread(target=read, daemon=True).start()
        self.process, self.lines = process, lines
        return process

    def ask(self, case: dict[str, Any]) -> dict[str, Any]:
        process = self.process or self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps({"id": 0, **case}) + "\n")
            process.stdin.flush()
            line = self.lines.get(timeout=self.patience)
        except (BrokenPipeError, queue.Empty):
            line = ""
        if not line:
            self.close()
            return {"crash": True}
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(timeout=30)
            self.process = None
