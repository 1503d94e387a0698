"""X101 output-path."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from irlint.files.side_files import file_source
from irlint.findings import Problem
from irlint.formats.lightnet.reading.graph import state_of
from irlint.formats.lightnet.rules import R
from irlint.graph import label
from irlint.rules.base import Model, Rule

_OUTSIDE = re.compile(r"[/\\~]|[A-Za-z]:|\.\.(?:[/\\]|$)|.*[/\\]\.\.(?:[/\\]|$)", re.DOTALL)


class OutputPath(Rule):
    """
    What it does
        Checks for `fprint` operators that write outside the folder in which LightNet runs, or into a folder that does
        not exist.

    Why is this bad
        Running someone else's model must not overwrite files elsewhere: `fprint` truncates its file first. If the
        folder does not exist, LightNet prints a warning and writes nothing.
    """

    row = R.output_path
    formats = ("lightnet",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        for node in state_of(model).of_operators("fprint"):
            file = node.attrs.get("file")
            if isinstance(file, str) and (why := _why(file, model.path)) is not None:
                place = model.graph.place(node, "attr:file")
                yield Problem(R.output_path, place, f"{why} of {label(node)}", node.name)


def _why(file: str, model: Path | None) -> str | None:
    if not file:
        return "empty file name for `file`"
    if _OUTSIDE.match(file):
        return f"expected a path in the folder in which the model runs, got {file!r}, for `file`"
    folder = re.split(r"[/\\]", file)[:-1]
    if folder and "\0" not in file and (model is None or not file_source().is_folder(model.parent.joinpath(*folder))):
        return f"missing folder {'/'.join(folder)!r} for `file`"
    return None
