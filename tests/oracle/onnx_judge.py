"""Asks onnx's checker, its shape inference (full_check), onnxruntime and OpenVINO about a file, a forked process for each: python -m oracle.onnx_judge < JOBS.

Runs in the oracle's Python. A job is a JSON object: `path`, `feeds`, the .npz of the base's inputs (none: they are drawn), and `judges`, if not ALL are asked:
"plain" is onnxruntime without optimizations. A line of JSON answers it:

    {"checker": {...}, "full": {...}, "ort": {...}, "openvino": {...}}, each with
    stage      null if everything went well, or the first that failed: check; load, run; read, compile, infer
    message    the words of the refusal; "signal N" of a crash, "timeout"
    outputs    of ort and openvino, as onnx_feeds.told writes them

Answers are kept in IRLINT_ONNX_VERDICTS (a file of lines), by what the model's folder holds. `python -m oracle.onnx_judge FILE...` asks about files.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

PATIENCE = 20  # seconds of one judge with one file
MEMORY = 8 << 30
WORDS = 400
ALL = ("checker", "full", "ort", "openvino")
KEPT = "IRLINT_ONNX_VERDICTS"
VERSION = "1"  # of this file: verdicts of another are asked for again

Say = Callable[[str], None]
Job = tuple[Path, "Path | None", tuple[str, ...]]


def checker(path: Path, feeds: Path | None, say: Say) -> Any:
    import onnx

    say("check")
    onnx.checker.check_model(str(path))
    return None


def full(path: Path, feeds: Path | None, say: Say) -> Any:
    import onnx

    say("check")
    onnx.checker.check_model(str(path), full_check=True)
    return None


def ort(path: Path, feeds: Path | None, say: Say, *, is_plain: bool = False) -> Any:
    import onnxruntime

    from oracle.onnx_feeds import told

    say("load")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    if is_plain:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    say("run")
    inputs = _inputs(path, feeds)
    if inputs is None:
        return None
    return [told(value) for value in session.run(None, inputs)]


def openvino(path: Path, feeds: Path | None, say: Say) -> Any:
    import numpy as np
    import openvino as ov

    from oracle.onnx_feeds import told

    say("read")
    core = ov.Core()
    core.set_property("CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"})
    model = core.read_model(path)
    say("compile")
    compiled = core.compile_model(model, "CPU")
    say("infer")
    inputs = _inputs(path, feeds)
    if inputs is None:
        return None
    given = {}
    for port in compiled.inputs:
        name = next((name for name in inputs if name in port.get_names()), None)
        if name is None:
            raise KeyError(f"no input for {port.get_names()}")
        given[port] = inputs[name]
    found = compiled(given)
    return [told(np.asarray(found[port])) for port in compiled.outputs]


def _inputs(path: Path, feeds: Path | None) -> dict[str, Any] | None:
    import numpy as np
    import onnx

    from oracle import onnx_feeds

    model = onnx.load(path, load_external_data=False)
    if feeds is None or not feeds.exists():
        return onnx_feeds.feeds(model)
    with np.load(feeds, allow_pickle=False) as kept:
        return onnx_feeds.fitting(model, dict(kept))


JUDGES: dict[str, Callable[[Path, Path | None, Say], Any]] = {
    "checker": checker, "full": full, "ort": ort, "openvino": openvino, "plain": functools.partial(ort, is_plain=True),
}  # fmt: skip


def _child(judge: str, path: Path, feeds: Path | None, pipe: int, errors: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(PATIENCE)
    os.dup2(errors, 1)
    os.dup2(errors, 2)
    os.chdir(path.parent)
    with os.fdopen(pipe, "w") as said:

        def say(value: Any) -> None:
            print(json.dumps(value), file=said, flush=True)

        try:
            outputs = JUDGES[judge](path, feeds, say)
            say({"stage": None, "outputs": outputs})
        except BaseException as error:
            say({"message": f"{type(error).__name__}: {error}"[:WORDS]})


def ask(judge: str, path: Path, feeds: Path | None) -> dict[str, Any]:
    with tempfile.TemporaryFile() as errors:
        said, pipe = os.pipe()
        child = os.fork()
        if not child:
            os.close(said)
            try:
                _child(judge, path, feeds, pipe, errors.fileno())
            finally:
                os._exit(0)
        os.close(pipe)
        with os.fdopen(said) as stream:
            lines = [json.loads(line) for line in stream if line.endswith("\n")]
        status = os.waitpid(child, 0)[1]
    result: dict[str, Any] = next((line for line in lines if isinstance(line, dict)), {})
    if "stage" in result:
        return result
    stage = next((line for line in reversed(lines) if isinstance(line, str)), "start")
    killed = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    crash = "timeout" if killed == signal.SIGALRM else f"signal {killed}"
    return {"stage": stage, "message": result.get("message", crash)}


def key(path: Path, feeds: Path | None) -> str:
    """The digest of the model, of what lies next to it in a folder of its own, and of its inputs."""
    digest = hashlib.sha1(VERSION.encode())
    data = path.read_bytes()
    digest.update(data)
    if b"external_data" in data or b"location" in data:
        for side in sorted(path.parent.iterdir()):
            if side.is_file() and side.suffix in (".data", ".bin", ".weights"):
                digest.update(side.name.encode() + b"\0" + side.read_bytes()[:1_000_000])
    if feeds is not None and feeds.exists():
        digest.update(feeds.read_bytes())
    return digest.hexdigest()


def preload() -> None:
    """Import what the children need, once; OpenVINO without its telemetry, which waits for a network."""
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
    import numpy  # noqa: F401
    import onnxruntime
    import openvino  # noqa: F401

    from oracle import onnx_feeds  # noqa: F401

    onnxruntime.set_default_logger_severity(4)


def verdicts(jobs: Iterable[Job]) -> Iterator[dict[str, Any]]:
    store = Path(os.environ.get(KEPT) or Path(tempfile.gettempdir()) / "irlint-onnx-verdicts.jsonl")
    known: dict[str, dict[str, Any]] = {}
    if store.exists():
        rows = (json.loads(line) for line in store.read_text(encoding="utf-8").splitlines())
        known = {row["key"]: row["verdict"] for row in rows}
    preload()
    for path, feeds, judges in jobs:
        name = key(path, feeds) + ("" if judges == ALL else f" {judges}")
        if name not in known:
            known[name] = {judge: ask(judge, path.resolve(), feeds and feeds.resolve()) for judge in judges}
            if any(said.get("message") == "timeout" for said in known[name].values()):
                late = known.pop(name)  # on a busy machine: not to be kept
                yield late
                continue
            with store.open("a", encoding="utf-8") as stream:
                print(json.dumps({"key": name, "verdict": known[name]}), file=stream)
        yield known[name]


def _jobs() -> Iterator[Job]:
    for line in sys.stdin:
        job = json.loads(line)
        yield Path(job["path"]), Path(job["feeds"]) if job.get("feeds") else None, tuple(job.get("judges") or ALL)


def main() -> None:
    if len(sys.argv) > 1:
        files = [Path(name) for name in sys.argv[1:]]
        for path, verdict in zip(files, verdicts((path, path.with_suffix(".npz"), ALL) for path in files), strict=True):
            print(
                path,
                json.dumps(
                    {judge: {**said, "outputs": ...} if "outputs" in said else said for judge, said in verdict.items()},
                    default=str,
                    indent=1,
                ),
            )
        return
    for verdict in verdicts(_jobs()):
        print(json.dumps(verdict), flush=True)


if __name__ == "__main__":
    main()
