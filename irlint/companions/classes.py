"""How many classes a model tells apart, by the shapes of its outputs; None where they do not show it."""

from __future__ import annotations

from irlint.codes import R
from irlint.companions.ports import ServedPort
from irlint.companions.report import Report
from irlint.dryrun.dims import show
from irlint.findings import Severity
from irlint.graph import Shape
from irlint.text.base import Path
from irlint.text.words import count

LEAST, MOST = 2, 100_000


def of_classifier(shape: Shape | None) -> int | None:
    """Return the number of classes of an output with one score for each; a mask has it before height and width."""
    if shape is None or len(shape) not in (2, 4):
        return None
    size = shape[1]
    return size if isinstance(size, int) and LEAST <= size <= MOST else None


def of_detector(shape: Shape | None, more: int) -> int | None:
    """Return the number of classes of an output with channels for each box: as many more as the box itself needs, and one for each class.
    The channels are the smaller dimension, before that of the boxes or behind it; where both are alike, either gives the number."""
    if shape is None or len(shape) != len("BCA"):
        return None
    _, first, last = shape
    sizes = [size for size in (first, last) if isinstance(size, int)]
    if not sizes or (len(sizes) == 1 and not isinstance(first, int)):
        return None
    found = min(sizes) - more
    return found if found >= 1 else None


def check(said: int, real: int, port: ServedPort, at: Path, what: str, file: str, report: Report) -> None:
    """Report names of classes that are not as many as those of an output."""
    words = f"{what} has {count(said, 'class', 'classes')}, but output {port.name!r} of {file} is {show(port.type.shape)}, for {real}"
    report.hint(at, f"{file} has {count(real, 'class', 'classes')}")
    if said != real:
        severity = None if said < real else Severity.WARNING
        report.say(R.other_class_count, at, words, other=("declared here", port.at), severity=severity)
