"""Small models, and irlint run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent

CREATE = """\
{"name": "c", "optype": "create", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "image"}], "params": [
  {"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2]}, {"arg_name": "ran", "value": [0, 0]},
  {"arg_name": "data", "value": [1, 2]}, {"arg_name": "from_file", "value": false}]}"""
PRINT = """\
{"name": "p", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "image"}], "tensors_out": [],
 "params": [{"arg_name": "msg", "value": ""}]}"""

CLEAN = f'{{"ops": [\n{CREATE},\n{PRINT}\n]}}\n'
COMMA = CLEAN.replace("\n]}\n", ",\n]}\n")  # an error with a safe fix: deleting it gives CLEAN
MISSPELT = CLEAN.replace('"src", "name": "image"', '"src", "name": "imgae"')  # an error with a proven one
GUESSED = (
    Path(__file__).parents[2] / "docs" / "samples" / "number-of-inputs-symbol.json"
).read_text()  # with an unsafe one
FOREIGN = '{"compilerOptions": {"strict": true}}\n'


class Done(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def findings(self) -> list[dict[str, Any]]:
        found = json.loads(self.out)
        assert isinstance(found, list)
        return found

    @property
    def codes(self) -> list[str]:
        return [finding["code"] for finding in self.findings]


Irlint = Callable[..., Done]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "irlint", *arguments]


def environment(**more: str) -> dict[str, str]:
    """For processes that run in another folder: irlint is found all the same."""
    paths = [str(ROOT), str(ROOT / "lsp"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


def spawn(*arguments: str, input: bytes | None = None, env: dict[str, str] | None = None) -> Done:
    """Runs irlint in a process of its own."""
    done = subprocess.run(
        command(*arguments), input=input, capture_output=True, timeout=60, env=env or environment(), check=False
    )
    return Done(done.returncode, *(text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr)))


@contextmanager
def running(*args: Any, **kwargs: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A process that does not outlive the block, however the block ends."""
    process = subprocess.Popen(*args, **kwargs)
    try:
        with process:
            try:
                yield process
            except BaseException:
                process.kill()
                raise
    finally:
        process.kill()
