"""How many classes a model tells apart, by the shapes of its outputs; None where they do not show it."""

from __future__ import annotations

from irlint.codes import R
from irlint.companions.ports import Ports, ServedPort
from irlint.companions.report import Report
from irlint.dryrun.dims import show
from irlint.findings import Severity
from irlint.graph import Shape
from irlint.text.base import Path
from irlint.text.words import count

LEAST, MOST = 2, 100_000
BOX = 4  # channels of a box
_STRIDES, _ANCHORS = (8, 16, 32, 64), 3
# Operators of a head with boxes that are turned; some formats do not tell them apart
_ANGLES = frozenset(("cos", "sin", "unaryop"))


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


def cells(model: Ports) -> list[int]:
    """Return how many cells a head has for the images of a model, with the usual strides."""
    image = model.inputs[0].type.shape or ()
    if len(image) != len("BCHW"):
        return []
    height, width = (size if isinstance(size, int) else 0 for size in image[-2:])
    strides = (_STRIDES[: k + 1] for k in range(2, len(_STRIDES)))
    found = (sum((height // stride) * (width // stride) for stride in some) for some in strides)
    return [number for number in found if number]


def before_scores(model: Ports, shape: Shape) -> tuple[int, ...]:
    """Return how many channels of a box may come before those of the classes: four, and one more for a score of the box or its angle. Heads
    with anchors, which have three boxes for each cell of an image, always have that score; so do most heads with the boxes in rows."""
    sizes = [size for size in shape[1:] if isinstance(size, int)]
    if sizes and max(sizes) in [_ANCHORS * each for each in cells(model)]:
        return (BOX + 1,)
    is_in_rows = isinstance(shape[2], int) and shape[2] == min(sizes)
    ops = (
        {node.op.lower() for node in model.model.graph.nodes} if model.model is not None and not is_in_rows else _ANGLES
    )
    return (BOX,) if ops.isdisjoint(_ANGLES) else (BOX, BOX + 1)


def check(said: int, real: int, port: ServedPort, at: Path, what: str, file: str, report: Report) -> None:
    """Report names of classes that are not as many as those of an output."""
    words = f"{what} has {count(said, 'class', 'classes')}, but output {port.name!r} of {file} is {show(port.type.shape)}, for {real}"
    report.hint(at, f"{file} has {count(real, 'class', 'classes')}")
    if said != real:
        severity = None if said < real else Severity.WARNING
        report.say(R.other_class_count, at, words, other=("declared here", port.at), severity=severity)
