"""Real runtimes as judges: one long-lived process each, which reads files and survives those that crash it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from formats.nnvm import oracle as mxnet

WORKERS = Path(__file__).resolve().parents[1] / "formats"
PYTHONS = {"openvino": "IRLINT_OPENVINO_PYTHON", "mxnet": "IRLINT_MXNET_PYTHON"}
STAGES = {"openvino": ("read", "compile", "infer"), "mxnet": ("load", "infer", "bind", "forward")}

# Inputs tried for symbols that declare no shape of `data`; the first with which the symbol runs is kept.
FEEDS: tuple[dict[str, list[int]], ...] = (
    {}, {"data": [1, 3, 64, 64]}, {"data": [1, 3, 224, 224]}, {"data": [1, 1, 28, 28]}, {"data": [2, 784]}, {"data": [2, 10]},
    {"data": [1, 8, 10], "state": [1, 1, 8]}, {"data": [5, 3, 10]},
)  # fmt: skip


UNKNOWN = "unknown"  # the stage of a symbol that fails with shapes that its file does not hold
# Parts of messages that say nothing against a file; the last is of an operator that looks at a shape that nobody gave.
UNDECIDED = ("timeout", "cannot decide shapes", "must be in range [0, -1)")


class Verdict(NamedTuple):
    """What a runtime made of a file. `stage` is the first that fails, None if it runs; `numbers` are its outputs."""

    stage: str | None
    message: str = ""
    model: Any = None  # equal for models that the runtime takes for the same, names apart
    numbers: Any = None

    @property
    def loads(self) -> bool:
        return self.stage not in ("read", "load")

    @property
    def is_unknown(self) -> bool:
        return self.stage == UNKNOWN or (self.stage is not None and any(words in self.message for words in UNDECIDED))


class Judge(Protocol):
    """Verdicts of files and the names of their bases, in order. `feeds`: what each base needs as inputs."""

    feeds: dict[str, dict[str, Any]]

    def __call__(self, files: Iterable[tuple[Path, str]]) -> Iterator[Verdict]: ...


def available(runtime: str) -> bool:
    return bool(os.environ.get(PYTHONS[runtime]))


class OpenVINO:
    """Inputs follow from the models themselves."""

    def __init__(self) -> None:
        self.feeds: dict[str, dict[str, Any]] = {}

    def __call__(self, files: Iterable[tuple[Path, str]]) -> Iterator[Verdict]:
        command = [os.environ[PYTHONS["openvino"]], str(WORKERS / "openvino" / "oracle.py"), "--model"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as worker:
            assert worker.stdin
            assert worker.stdout
            for path, _ in files:
                worker.stdin.write(f"{path}\n")
                worker.stdin.flush()
                said = json.loads(worker.stdout.readline())
                failed = next((stage for stage in STAGES["openvino"] if said.get(stage) != "ok"), None)
                message = "crash" if failed and said.get(failed) == "crash" else said.get("message", "")
                yield Verdict(failed, message, said.get("model"), said.get("numbers"))
            worker.stdin.close()


class MXNet:
    """Verdicts of symbols; what a base needs as inputs is found out with its first file."""

    def __init__(self) -> None:
        self.feeds: dict[str, dict[str, Any]] = {}

    def __call__(self, files: Iterable[tuple[Path, str]]) -> Iterator[Verdict]:
        judge = mxnet.Oracle()
        try:
            for path, base in files:
                try:
                    yield self._verdict(judge, path.read_bytes().decode("utf-8", "surrogateescape"), base)
                except (TimeoutError, json.JSONDecodeError) as error:
                    judge.close()
                    judge = mxnet.Oracle()
                    yield Verdict("load", str(error))
        finally:
            judge.close()

    def _verdict(self, judge: mxnet.Oracle, text: str, base: str) -> Verdict:
        if base not in self.feeds:
            self.feeds[base] = self._feed(judge, text)
        said = judge(text, **self.feeds[base])
        failed: str | None = mxnet.outcome(said, said)
        if failed == "same":
            failed = None
        elif failed != "load" and (self.feeds[base].get("shapes") or said.get("infer") == "partial"):
            failed = UNKNOWN
        return Verdict(failed, str(said.get(failed or "", "")), said.get("model"), said.get("numbers"))

    def _feed(self, judge: mxnet.Oracle, text: str) -> dict[str, Any]:
        for shapes in FEEDS:
            if judge(text, shapes=shapes).get("forward") == "ok":
                return {"shapes": shapes}
        return {"only": "load"}


def judge(runtime: str) -> Judge:
    return OpenVINO() if runtime == "openvino" else MXNet()
