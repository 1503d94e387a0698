"""Operations whose output has an unknown rank, which the CPU plug-in refuses to compile.

OpenVINO 2026.4.1: "CPU plug-in doesn't support Squeeze operation with dynamic rank", whatever uses the output. A Parameter of
unknown rank is reported with its attribute.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from irlint.dryrun.dims import show
from irlint.findings import Problem
from irlint.formats.openvino.blame import Blame
from irlint.formats.openvino.codes import R
from irlint.formats.openvino.reading.binfile import BinFile
from irlint.formats.openvino.reading.reader import Section
from irlint.graph import Node, label

# The input whose elements or number of elements decide the rank.
DECIDING = {"Squeeze": 1, "Unsqueeze": 1, "Reshape": 1, "Tile": 1, "Broadcast": 1, "RandomUniform": 0, "Eye": 3}
_ELSEWHERE = ("If", "Loop", "TensorIterator", "ReadValue")  # what they output is known less precisely


def rank_problems(
    section: Section, blame: Blame, binary: BinFile | None, reported: Collection[tuple[int, int]]
) -> Iterator[Problem]:
    """Report where the rank gets lost; `reported` are inputs that have a problem already."""
    for node in section.graph.nodes:
        place = DECIDING.get(node.op)
        if place is None or not section.live[node.index] or (node.index, place) in reported:
            continue
        if _loses_rank(section, node, blame) and is_open(section, node.index, binary):
            yield _problem(section, node, min(place, len(node.inputs) - 1), blame)


def _loses_rank(section: Section, node: Node, blame: Blame) -> bool:
    made = blame.real(section, node.index, 0)
    if made is None or made.shape is not None or not node.inputs:
        return False
    given = [blame.real(section, *source) if source[0] >= 0 else None for source in node.inputs]
    return all(type_ is not None and type_.shape is not None for type_ in given)


def is_open(section: Section, index: int, binary: BinFile | None) -> bool:
    """Return whether open shapes of Parameters make that of a layer open, and not what irlint cannot know: constants that
    cannot be read, or layers of which less is known.
    """
    nodes = section.graph.nodes
    stack, seen, found = [index], {index}, False
    while stack:
        at = nodes[stack.pop()]
        if at.op in _ELSEWHERE or (at.kind == "const" and not _is_readable(at, binary)):
            return False
        found = found or at.op == "Parameter"
        makers = {maker for maker, _ in at.inputs} - seen
        if -1 in makers:
            return False
        seen |= makers
        stack += makers
    return found


def _is_readable(node: Node, binary: BinFile | None) -> bool:
    try:
        return binary is not None and binary.holds(int(node.attrs["offset"]), int(node.attrs["size"]))
    except (KeyError, ValueError):
        return False


def _problem(section: Section, node: Node, place: int, blame: Blame) -> Problem:
    given = blame.real(section, *node.inputs[place])
    assert given is not None
    at = section.graph.place(node, f"input:{place}")
    if node.op == "Squeeze" and place == 0:
        message = f"missing `axes` of {label(node)}: the rank of its output depends on which dimensions of {show(given.shape)} are 1"
    else:
        maker = section.graph.nodes[node.inputs[place][0]]
        message = f"unknown rank of the output of {label(node)}, which depends on {label(maker)}"
        if given.shape and not isinstance(given.shape[0], int):
            message += f" of shape {show(given.shape)}"
    message += "; the CPU plug-in refuses an unknown rank"
    return Problem(R.computed_input, at, message, node.name)
