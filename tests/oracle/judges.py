"""Real runtimes as judges: one long-lived process each, which reads files and survives those that crash it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Protocol

from formats.lightnet import oracle as lightnet
from formats.nnvm import oracle as mxnet

from oracle import ncnn_worker

WORKERS = Path(__file__).resolve().parents[1] / "formats"
PYTHONS = {
    "openvino": "IRLINT_OPENVINO_PYTHON",
    "mxnet": "IRLINT_MXNET_PYTHON",
    "lightnet": "IRLINT_LIGHTNET",
    "ncnn": ncnn_worker.PYTHON,
}
STAGES = {
    "openvino": ("read", "compile", "infer"),
    "mxnet": ("load", "infer", "bind", "forward"),
    "lightnet": ("load", "run"),
    "ncnn": ("load_param", "load_model", "input", "extract"),
}

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
        return self.stage not in ("read", "load", "load_param", "load_model")

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
        worker = _openvino()
        try:
            for path, _ in files:
                said = _asked(worker, path)
                if said is None:  # the worker itself has died
                    _end(worker)
                    worker = _openvino()
                    said = _asked(worker, path) or {"read": "crash"}
                failed = next((stage for stage in STAGES["openvino"] if said.get(stage) != "ok"), None)
                message = said.get("message", "crash" if failed and said.get(failed) == "crash" else "")
                yield Verdict(failed, message, said.get("model"), said.get("numbers"))
        finally:
            _end(worker)


def _openvino() -> subprocess.Popen[str]:
    command = [os.environ[PYTHONS["openvino"]], str(WORKERS / "openvino" / "oracle.py"), "--model"]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def _asked(worker: subprocess.Popen[str], path: Path) -> dict[str, Any] | None:
    assert worker.stdin
    assert worker.stdout
    try:
        worker.stdin.write(f"{path}\n")
        worker.stdin.flush()
        said: dict[str, Any] = json.loads(worker.stdout.readline())
    except (OSError, ValueError):
        return None
    return said


def _end(worker: subprocess.Popen[str]) -> None:
    worker.kill()
    worker.communicate()


class LightNet:
    """Files are compiled and run for the cpu. The outputs are what is printed; the compiled program is the model, as few operators run."""

    def __init__(self) -> None:
        self.feeds: dict[str, dict[str, Any]] = {}

    def __call__(self, files: Iterable[tuple[Path, str]]) -> Iterator[Verdict]:
        with TemporaryDirectory() as folder:
            for path, _ in files:
                yield self._verdict(path.read_bytes(), Path(folder))

    def _verdict(self, data: bytes, folder: Path) -> Verdict:
        outcome, message, _ = lightnet.asked(data, folder, run=False)
        if outcome != "ok":
            return Verdict("load", message)
        outcome, message, printed = lightnet.asked(data, folder, run=True)
        if outcome != "ok":
            return Verdict("run", message)
        program = (folder / lightnet.COMPILED).read_bytes()
        return Verdict(None, message, None, [printed, hashlib.sha1(program).hexdigest()])


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


class Ncnn:
    """Outputs are compared by name, bit by bit. A base whose outputs are not finite has no numbers."""

    FEEDS = ([3, 64, 64], [3, 224, 224], [3, 320, 320], [3, 640, 640], [1, 32, 100], [16], [8, 16])

    def __init__(self) -> None:
        self.feeds: dict[str, dict[str, Any]] = {}

    def __call__(self, files: Iterable[tuple[Path, str]]) -> Iterator[Verdict]:
        with ncnn_worker.Ncnn() as ask:
            for path, base in files:
                weights = path.with_suffix(".bin")
                job = {"param": path, "bin": weights if weights.exists() else None}
                is_base = base not in self.feeds
                said = self._tried(ask, job) if is_base else ask(**job, **self.feeds[base])
                if is_base:
                    self.feeds[base] = {"inputs": said.get("inputs", [])}
                if said["stage"] is None:
                    numbers = said["digests"] if said["finite"] or not is_base else None
                    yield Verdict(None, said["message"], None, numbers)
                else:
                    yield Verdict(said["stage"], f"{said['signal'] or ''} {said['message']}".strip())

    def _tried(self, ask: ncnn_worker.Ncnn, job: dict[str, Any]) -> dict[str, Any]:
        """With the first shape that runs, for inputs that declare none."""
        for shape in self.FEEDS:
            said = ask(**job, fallback=shape)
            if said["stage"] not in ("input", "extract"):
                break
        return said


class Kept:
    """A judge whose verdicts are kept in a file, line by line: a run that was cut off goes on, and equal files are asked once."""

    def __init__(self, ask: Judge, path: Path) -> None:
        self._ask, self._path = ask, path
        self._known: dict[str, Verdict] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._read(line)
        path.parent.mkdir(parents=True, exist_ok=True)

    @property
    def feeds(self) -> dict[str, dict[str, Any]]:
        return self._ask.feeds

    def _read(self, line: str) -> None:
        try:
            row = json.loads(line)
        except ValueError:  # cut off
            return
        self._known[row["key"]] = Verdict(*row["verdict"])
        if row["feed"] is not None:
            self.feeds[row["base"]] = row["feed"]

    def __call__(self, files: Iterable[tuple[Path, str]]) -> Iterator[Verdict]:
        listed = [(path, base, _key(path, base)) for path, base in files]
        fresh = {key: (path, base) for path, base, key in reversed(listed) if key not in self._known}
        wanted = dict(reversed(fresh.items()))
        with self._path.open("a", encoding="utf-8") as kept:
            for (key, (_, base)), verdict in zip(wanted.items(), self._ask(wanted.values()), strict=True):
                self._known[key] = verdict
                row = {"key": key, "base": base, "verdict": verdict, "feed": self.feeds.get(base)}
                kept.write(f"{json.dumps(row)}\n")
                kept.flush()
        return (self._known[key] for _, _, key in listed)


def _key(path: Path, base: str) -> str:
    weights = path.with_suffix(".bin")
    parts = [base.encode(), path.read_bytes(), weights.read_bytes() if weights.exists() else b""]
    return hashlib.sha1(b"\0".join(parts)).hexdigest()


JUDGES: dict[str, Callable[[], Judge]] = {"openvino": OpenVINO, "mxnet": MXNet, "lightnet": LightNet, "ncnn": Ncnn}


def judge(runtime: str, kept: Path | None = None) -> Judge:
    ask = JUDGES[runtime]()
    return Kept(ask, kept) if kept else ask
