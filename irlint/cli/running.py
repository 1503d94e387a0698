"""What commands that run models say where one cannot be run."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from irlint.cli.options import seed, size_in_bytes
from irlint.cli.status import FOUND, OK, USAGE, UsageError, say
from irlint.text.safe import Command

if TYPE_CHECKING:
    from irlint.dryrun.mapping import Mapping
    from irlint.dryrun.running.memory import TooMuch
    from irlint.proving.running import RuntimeRun
    from irlint.rules.base import Model

UNSUPPORTED = 4


def add_values(parser: argparse.ArgumentParser, of: str, drawn: str) -> None:
    """The options about the values of a run: of the inputs `of` a model, and what is `drawn` besides."""
    parser.add_argument(
        "--input",
        action="append",
        default=[],
        metavar="NAME=FILE.npy|NAME=SHAPE[:DTYPE]|FILE.npz",
        help=f"values of an input{of}, or its shape (1,3,224,224:float32); inputs without values get random ones",
    )
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help=f"seed of random {drawn} (default: 0)")
    parser.add_argument(
        "--memory-limit",
        type=size_in_bytes,
        metavar="SIZE",
        help="memory limit, such as 2GiB (default: half of the free memory)",
    )


class Unrunnable(Exception):
    """The reason why a model cannot be run."""


class Status:
    """How a command ends, and the model that it runs, as messages name it."""

    def __init__(self, name: str, of: str) -> None:
        self.name, self.of, self.value = name, of, OK


@contextmanager
def refusals(name: str, of: str) -> Iterator[Status]:
    """Say why a model of the format `of` cannot be run, and set the exit status for that."""
    from irlint.dryrun.running.memory import TooMuch
    from irlint.dryrun.running.run import Failed, Unsupported, ValuesMissing
    from irlint.formats.runtime import RuntimeFailed

    status = Status(name, of)
    try:
        yield status
    except Unrunnable as refused:
        say(str(refused))
        status.value = UNSUPPORTED
    except RuntimeFailed as failed:
        say(str(failed))
        status.value = UNSUPPORTED
    except Unsupported as refused:
        why = f": {refused.why}" if refused.why else "; irlint infers only its types (irlint run --shapes-only)"
        say(f"cannot run operator `{refused.node.op}` of {status.of} (node {refused.node.name!r}){why}")
        status.value = UNSUPPORTED
    except Failed as failed:
        say(f"{status.name}: {failed}")
        if isinstance(failed, ValuesMissing):
            words = ["irlint", "run", "--weights", "FILE", status.name]
            say(Command("to run it, put its weights file next to it, or name the file: ", shlex.join(words)))
        status.value = FOUND
    except TooMuch as refused:
        say(_too_much(refused))
        status.value = USAGE


def runnable(model: Model) -> Mapping:
    """Return how the dry run sees a model; raise Unrunnable if it does not know its dialect."""
    from irlint.inspection.types import mapping_of

    mapping = mapping_of(model)
    if mapping is None:
        raise Unrunnable(f"cannot run models of {model.format} ({model.dialect})")
    return mapping


def runtime_of(name: str, model: Model) -> RuntimeRun:
    """Return how a model is run by the runtime of its format; raise UsageError if it is not installed."""
    from irlint.formats.base import by_name
    from irlint.formats.runtime import RuntimeMissing
    from irlint.proving.running import RuntimeRun

    format_ = by_name(model.format)
    runtime = None if format_ is None else format_.runtime()
    if format_ is None or runtime is None:
        raise UsageError(f"--runtime: {name}: irlint knows no runtime of {model.format} that it can call")
    if name == "-":
        raise UsageError("--runtime: a runtime reads files, not stdin")
    try:
        title = runtime.title()
    except RuntimeMissing as error:
        raise UsageError(f"--runtime: {error}") from error
    return RuntimeRun(title, lambda inputs: runtime.outputs(name, inputs))


def _too_much(refused: TooMuch) -> str:
    from irlint.dryrun.dims import show
    from irlint.dryrun.running.memory import size_of
    from irlint.text.words import size

    node, tensor = refused.node, refused.tensor
    what = f"{node.op} {node.name!r}"
    own = f"{tensor.dtype or 'unknown type'} {show(tensor.shape)}"
    single = size_of(tensor) or 0
    if not refused.wanted:
        return f"out of memory at {what}, which outputs {own}"
    if single == refused.wanted:
        need = f"{what} outputs {own}, which needs {size(refused.wanted)}"
    else:
        need = f"{what} outputs {own}, with {size(refused.wanted)} in use at once"
    return f"too much memory: {need}; the limit is {size(refused.limit)} (--memory-limit)"
