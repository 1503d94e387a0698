"""One process per model, with limits: a model that crashes, hangs or takes too much memory ends alone."""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path


def quiet_imports() -> None:
    """Keep libraries from the network, from telemetry and from more than one thread."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "YOLO_OFFLINE", "DO_NOT_TRACK"):
        os.environ[name] = "1"
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]


def in_child(work: Callable[[], None], seconds: int, memory: int | None) -> str:
    """Run `work` in a fork of this process; return why it failed, or an empty text."""
    sys.stdout.flush()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reader)
            if memory is not None:
                _limit(seconds, memory)
            work()
            status = 0
        except BaseException as error:
            os.write(writer, f"{type(error).__name__}: {error}"[-600:].encode("utf-8", "replace"))
        finally:
            sys.stdout.flush()
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        message = pipe.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return f"timeout of {seconds} s" if number == signal.SIGALRM else f"ended by {signal.Signals(number).name}"
    return message or ("" if status == 0 else f"status {status}")


def _limit(seconds: int, memory: int) -> None:
    signal.alarm(seconds)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)


def wanted(name: str, chosen: Sequence[str]) -> bool:
    """Return whether a model is among those chosen by family or by name; all are, if nothing is chosen."""
    return not chosen or name in chosen or name.split("/")[0] in chosen


def models(folder: Path, chosen: Sequence[str]) -> list[Path]:
    """Return the models of a folder, family by family."""
    return [path for path in sorted(folder.glob("*/*.xml")) if wanted(f"{path.parent.name}/{path.stem}", chosen)]
