"""mxnet 1.9.1 as a judge, where IRLINT_MXNET_PYTHON names a Python that has it (`make oracle` makes one)."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
from pathlib import Path
from typing import Any

STAGES = ("load", "infer", "bind", "forward")
PATIENCE = 60  # seconds for one file, at most
FAILURES = ("load", "infer", "bind", "forward", "save")


def available() -> bool:
    return bool(os.environ.get("IRLINT_MXNET_PYTHON"))


class Oracle:
    """Answers for one file after another; every file runs in a process of its own."""

    def __init__(self) -> None:
        command = [os.environ["IRLINT_MXNET_PYTHON"], str(Path(__file__).parent / "mxnet_oracle.py")]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def __call__(self, text: str, **more: Any) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        raw = text.encode("utf-8", "surrogateescape").decode("latin-1")
        self._process.stdin.write(json.dumps({"id": 0, "text": raw, "seconds": 10, **more}) + "\n")
        self._process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(PATIENCE):
                self._process.kill()
                raise TimeoutError("mxnet does not answer")
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()


def outcome(verdict: dict[str, Any], base: dict[str, Any]) -> str:
    """The stage that fails, or "same" or "differs" for numbers compared with those of the file without the defect."""
    if verdict.get("load") != "ok":
        return "load"
    for stage in STAGES[1:]:
        said = verdict.get(stage)
        if said not in ("ok", "partial") and not (stage == "infer" and verdict.get("forward") == "ok"):
            return stage
    if str(verdict.get("save")).startswith("crash"):
        return "save"
    return "same" if verdict.get("numbers") == base.get("numbers") else "differs"
