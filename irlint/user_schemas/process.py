"""The process in which jsonschema and lxml validate.

Neither of them can be interrupted: a regular expression or a content model may take hours, and a deep document may end the
process. So another process does it, which is ended when it takes too long.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections import Counter
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, Lock, Timer
from typing import Any

from irlint.settings import UserSchema
from irlint.tools.installed import schemas_folder
from irlint.user_schemas.bounds import Mistake

PATIENCE, EACH = 8.0, 4.0  # seconds that a check may take, and more for each megabyte of the document
_START = "import sys; sys.path[:] = {!r}; from irlint.user_schemas.validate import main; main()"


class Failure(Exception):
    """Why there is no answer, in words that follow the name of a schema."""


_FAILURES = {
    "slow": "takes too long",
    "memory": "takes too much memory",
    "deep": "cannot be applied: it, or the file, is nested too deeply or refers to itself without end",
    "ended": "cannot be applied: the process that validates ended",
    "failed": "cannot be applied: {}",
    "missing": "requires {0}, which is not installed: pip install {0}",
}
_PACKAGES = {"lxml": "lxml", "formats": "'jsonschema[format-nongpl]'"}  # by module; all others belong to jsonschema

_SLOW = 2  # files for which a schema may take too long before it is not used any more

_lock = Lock()
_running: tuple[int, Popen[bytes]] | None = None  # with the process that started it, which a fork is not
_slow = Counter[tuple[str, str]]()  # schemas that took too long


def loaded(schema: UserSchema) -> UserSchema:
    """Return a schema with what is known of its files; raise Mistake or Failure if it cannot be used."""
    kind, said = ask(schema.path, schema.base, schema.formats)
    if kind == "mistake":
        raise Mistake(*said)
    digest, is_json, files = said
    return schema._replace(digest=digest, is_json=is_json, files=tuple(files))


def ask(path: str, base: str, formats: bool, document: tuple[Any, ...] = (), digest: str = "") -> tuple[str, Any]:
    """Return what `validate.answer` says of a document, or of the schema itself if there is none."""
    key = path, digest or str(os.stat(path).st_mtime_ns)
    if _slow[key] >= _SLOW:
        raise Failure("took too long for other files, and is not used any more")
    try:
        asked = pickle.dumps(document)
    except RecursionError as error:
        raise Failure("cannot be applied: the file is nested too deeply") from error
    patience = PATIENCE + EACH * (len(asked) if document else os.path.getsize(path)) / 1e6
    request = pickle.dumps((path, base, str(schemas_folder()), formats, patience, asked))
    try:
        with _lock:
            # somebody else may have ended the process
            kind, said = _exchange(request, 2 * patience + 4) or _exchange(request, 2 * patience + 4) or ("ended", None)
    except (OSError, ValueError) as error:
        raise Failure(f"cannot be applied: no process can be started ({error})") from error
    if kind in ("slow", "ended"):
        _slow[key] += 1
    if kind == "mistake" and document:  # it has changed since it was loaded
        raise Failure(f"cannot be used: {said and said[2]}")
    if kind in _FAILURES:
        words = _PACKAGES.get(str(said), "jsonschema") if kind == "missing" else said
        raise Failure(_FAILURES[kind].format(words))
    return kind, said


def _exchange(request: bytes, seconds: float) -> tuple[str, Any] | None:
    """Return the process's answer; None if it ended before."""
    process, is_late = _process(), Event()

    def end() -> None:
        is_late.set()
        process.kill()

    timer = Timer(seconds, end)  # the process counts its own time where the system can
    timer.start()
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(request)
        process.stdin.flush()
        answer: tuple[str, Any] = pickle.load(process.stdout)
    except (OSError, EOFError, pickle.UnpicklingError):
        _end(process)
        return ("slow", None) if is_late.is_set() else None
    except BaseException:  # Ctrl-C: the answer is still to come
        _end(process)
        raise
    finally:
        timer.cancel()
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
