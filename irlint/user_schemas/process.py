"""The process in which jsonschema and lxml validate.

Neither of them can be interrupted: a regular expression or a content model may take hours, and a deep document may end the
process. So another process does it, which is ended when it takes too long.
"""

from __future__ import annotations

import os
import pickle
import sys
from subprocess import DEVNULL, PIPE, Popen
from threading import Lock, Timer
from typing import Any

from irlint.tools.installed import schemas_folder

PATIENCE, EACH = 8.0, 4.0  # seconds that a check may take, and more for each megabyte of the document
_START = "import sys; sys.path[:] = {!r}; from irlint.user_schemas.validate import main; main()"


class Failure(Exception):
    """Why there is no answer, in words that follow the name of a schema."""


_FAILURES = {
    "slow": "takes too long",
    "memory": "takes too much memory",
    "deep": "cannot be applied: it, or the file, is nested too deeply or refers to itself without end",
    "failed": "cannot be applied: {}",
    "missing": "requires {0}, which is not installed: pip install {0}",
}
_PACKAGES = {"lxml": "lxml"}  # by module; all others belong to jsonschema

_lock = Lock()
_running: tuple[int, Popen[bytes]] | None = None  # with the process that started it, which a fork is not
_given_up: set[tuple[str, str]] = set()  # schemas that had to be ended


def ask(path: str, base: str, formats: bool, document: tuple[Any, ...] = (), digest: str = "") -> tuple[str, Any]:
    """Return what `validate.answer` says of a document, or of the schema itself if there is none."""
    key = path, digest or str(os.stat(path).st_mtime_ns)
    if key in _given_up:
        raise Failure("took too long for another file, and is not used any more")
    with _lock:
        try:
            asked = pickle.dumps(document)
        except RecursionError as error:
            raise Failure("cannot be applied: the file is nested too deeply") from error
        patience = PATIENCE + EACH * len(asked) / 1e6
        request = pickle.dumps((path, base, str(schemas_folder()), formats, patience, asked))
        try:
            process = _process()
        except (OSError, ValueError) as error:
            raise Failure(f"cannot be applied: no process can be started ({error})") from error
        timer = Timer(2 * patience + 4, process.kill)  # the process counts its own time where the system can
        timer.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(request)
            process.stdin.flush()
            answer: tuple[str, Any] = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            _end(process)
            _given_up.add(key)
            raise Failure("took too long, or too much memory") from error
        except BaseException:  # Ctrl-C: the answer is still to come
            _end(process)
            raise
        finally:
            timer.cancel()
    kind, said = answer
    if kind in _FAILURES:
        raise Failure(_FAILURES[kind].format(_PACKAGES.get(said, "jsonschema") if kind == "missing" else said))
    return answer


def _process() -> Popen[bytes]:
    global _running
    if _running is None or _running[0] != os.getpid() or _running[1].poll() is not None:
        package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        start = _START.format([*filter(None, sys.path), package])
        _running = os.getpid(), Popen([sys.executable, "-I", "-c", start], stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    return _running[1]


def _end(process: Popen[bytes]) -> None:
    global _running
    _running = None
    process.kill()
    process.wait()
