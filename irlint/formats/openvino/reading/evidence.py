"""Evidence for OpenVINO IR in an XML tree: road networks, Petri nets and others also have a `<net>` root."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from irlint.formats.base import CERTAIN, FOREIGN, LIKELY
from irlint.text.numbers import integer
from irlint.text.xml.tree import Element, Record

_SAMPLE = 50  # as many layers and edges decide
_BESIDE = ("meta_data", "rt_info", "statistics", "pre-process")
_CERTAIN, _LIKELY = 4, 2  # points


def weigh(root: Element) -> int:
    """Return the score of a Recognition, from points for what is there."""
    points = _version(root.get("version")) + any(root.child(tag) is not None for tag in _BESIDE)
    points += _holder(root, "layers", _is_layer) + _holder(root, "edges", _is_edge)
    points += 2 * any(map(_is_layer, root.elements("layer")))  # the tags of <layers> are missing
    if root.tag.lower() != "net":  # a misspelt root needs more
        return CERTAIN if points > _CERTAIN else LIKELY if points == _CERTAIN else FOREIGN
    return CERTAIN if points + 1 >= _CERTAIN else LIKELY if points + 1 >= _LIKELY else FOREIGN


def _version(word: str | None) -> int:
    """Return whether the version is an integer that IR has; those of road networks are not integers."""
    word = (word or "").strip()
    return word.isdecimal() and len(word) < 10 and 1 < integer(word) < 12


def _holder(root: Element, tag: str, fits: Callable[[Element | Record], bool]) -> int:
    """Return two points for children as in IR, one for an empty element."""
    holder = root.child(tag)
    if holder is None:
        return 0
    if any(map(fits, islice(holder.children, _SAMPLE))):
        return 2
    return tag == "layers" and not holder.children and not holder.text


def _is_layer(child: Element | Record) -> bool:
    """Return whether a child is a layer; a record is always one, as only regular layers become records."""
    return not isinstance(child, Element) or (
        child.tag == "layer" and child.get("type") is not None and (child.get("id") or child.get("name")) is not None
    )


def _is_edge(child: Element | Record) -> bool:
    return not isinstance(child, Element) or (
        child.tag == "edge" and child.get("from-layer") is not None and child.get("to-layer") is not None
    )
