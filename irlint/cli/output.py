"""Destination, width and colors of reports."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, TextIO

from irlint.cli.status import UsageError
from irlint.files.read import Unreadable, plainly
from irlint.text.safe import columns, put, put_json, visible


@contextmanager
def output(path: str | None, standard: TextIO | None = None) -> Iterator[TextIO]:
    """Return the stream for a report: stdout, or a file that is replaced once the report is complete."""
    if path is None:
        yield standard or sys.stdout
        return
    with _written(path) as file:
        text = io.TextIOWrapper(file, "utf-8", "backslashreplace", "\n")
        yield text
        text.detach()


def save(path: str, data: bytes) -> None:
    """Write a file; it is replaced once the new content is complete."""
    with _written(path) as file:
        file.write(data)


@contextmanager
def _written(path: str) -> Iterator[BinaryIO]:
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # /dev/null, a pipe
            with open(path, "wb") as file:
                yield file
        else:
            from irlint.files.replace import replacing

            with replacing(path) as file:
                yield file
    except OSError as error:
        raise UsageError(f"cannot write {visible(path)}: {plainly(error)}") from error
    except Unreadable as error:
        raise UsageError(f"cannot write {visible(path)}: {error}") from error


def show(lines: Iterable[str]) -> None:
    """Print lines that are safe to show, wrapping those that do not fit the terminal."""
    from irlint.text.wrap import fitted

    put(sys.stdout, "".join(f"{line}\n" for line in fitted(lines, columns(sys.stdout))))


def show_json(value: Any) -> None:
    """Print a value as JSON."""
    import json

    put_json(sys.stdout, json.dumps(value, indent=2) + "\n")


def write_exactly(data: bytes, stream: TextIO | None = None) -> None:
    """Write data for programs, byte for byte, to stdout or to the stream of a file."""
    stream = stream or sys.stdout
    stream.flush()
    stream.buffer.write(data)
    stream.buffer.flush()


color_choice = "auto"  # of --color, which every command takes


def has_color(stream: TextIO) -> bool:
    """Return whether to use colors on a stream, according to --color, NO_COLOR, FORCE_COLOR and the terminal."""
    if color_choice != "auto":
        return color_choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return can_draw(stream)


def can_draw(stream: TextIO) -> bool:
    """Return whether a stream is a terminal that obeys escape sequences."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def look(file: str | None, stream: TextIO) -> dict[str, Any]:
    """Return the color and the width of a report on a stream; one in a file has neither."""
    return {"color": file is None and has_color(stream), "columns": None if file else columns(stream)}
