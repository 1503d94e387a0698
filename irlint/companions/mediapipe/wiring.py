"""The wires of a graph: tags of nodes, and in which order nodes can run."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from irlint.codes import R
from irlint.companions.demands import Item, each
from irlint.companions.order import waiting
from irlint.companions.report import Report
from irlint.text.base import Path
from irlint.text.numbers import decimal

NAME = re.compile(r"(?:([A-Z_][A-Z0-9_]*):(?:(0|[1-9]\d*):)?)?([a-z_][a-z0-9_]*)")  # TAG:index:name
_TAG = re.compile(r"([A-Z_][A-Z0-9_]*)?(?::(0|[1-9]\d*))?")  # TAG:index, which is unique on one side of a node
_SIDES = ("input_stream", "output_stream", "input_side_packet", "output_side_packet")
_DIGITS = 6

# What names a stream of a node by its tag and number
_INDEXES = ("input_stream_info/*/tag_index", "input_stream_handler/options/*/sync_set/*/tag_index/*")

Tag = tuple[str, int]


def _tags(node: Any, side: str) -> dict[Path, Tag]:
    """Return the tags of one side of a node, by the places of its streams; those without a tag are counted."""
    found: dict[Path, Tag] = {}
    untagged = count()
    for at in each(node, f"{side}/*"):
        match = NAME.fullmatch(at.value)
        if match is not None:
            number = decimal(match[2] or "0", _DIGITS) if match[1] else next(untagged)
            found[at.path] = match[1] or "", number or 0
    return found


def check_tags(node: Item, report: Report) -> None:
    """Report tags of one side of a node that are given twice, numbers that are left out, and streams that are described but not there."""
    for side in _SIDES:
        seen: dict[Any, Path] = {}
        numbers = defaultdict[str, list[int]](list)
        for path, (word, number) in _tags(node.value, side).items():
            if word:
                numbers[word].append(number)
                report.once((word, number), f"`{word}:{number}` is given twice", (*node.path, *path), seen)
        for word, given in numbers.items():
            if max(given) >= len(given) and len(set(given)) == len(given):
                words = f"expected numbers from 0 to {len(given) - 1} of `{word}`, got {max(given)}"
                report.say(R.value_not_allowed, seen[word, max(given)], words)
    known = {_shown(tag): tag for tag in _tags(node.value, "input_stream").values()}
    for pattern in _INDEXES:
        twice: dict[Any, Path] = {}
        for at in each(node.value, pattern):
            if isinstance(at.value, str):
                _index(at, node, known, twice, report)


def _index(at: Item, node: Item, known: Mapping[str, Tag], twice: dict[Any, Path], report: Report) -> None:
    """Compare what names an input stream of a node with these, of which it names each once."""
    path, tag = (*node.path, *at.path), _tag_of(at.value)
    if tag is not None and tag in known.values():
        report.once(tag, f"`{_shown(tag)}` is described twice", path, twice)
    elif node.path:
        report.known(at.value, known, path, "the node", what="input stream")


def _tag_of(text: str) -> Tag | None:
    """Return the tag and the number in a `tag_index`."""
    match = _TAG.fullmatch(text)
    return None if match is None else (match[1] or "", decimal(match[2] or "0", _DIGITS) or 0)


def _shown(tag: Tag) -> str:
    return f"{tag[0]}:{tag[1]}"


def check_order(tree: Any, made: Mapping[str, Path], used: Iterable[Item], report: Report) -> None:
    """Report a cycle: nodes that wait for each other, where no stream is declared to lead back. In a node that stands for another graph,
    which is not called a calculator, that may be declared."""
    back = _back_edges(tree)
    plain = {at.path[1] for at in each(tree, "node/*/calculator") if at.value.endswith("Calculator")}
    waits = defaultdict[Any, list[Item]](list)  # by node
    readers = defaultdict[Any, list[Any]](list)
    for at in used:
        source = made.get(at.value, ())
        if at.path[0] == "node" and source[:1] == ("node",) and at.path[1] in plain and at.path not in back:
            waits[at.path[1]].append(at)
            readers[source[1]].append(at.path[1])
    left = waiting({node: len(inputs) for node, inputs in waits.items()}, readers)
    for at in (at for node in sorted(left) for at in waits[node] if made[at.value][1] in left):
        words = f"stream {at.value!r} is part of a cycle of nodes; expected `input_stream_info` with `back_edge` for one of them"
        report.say(R.cycle, at.path, words, other=("written here", made[at.value]))
        return


def _back_edges(tree: Any) -> set[Path]:
    """Return the places of the streams that lead back."""
    found = set[Path]()
    for node in each(tree, "node/*"):
        infos = [at.value for at in each(node.value, "input_stream_info/*") if at.value.get("back_edge")]
        tags = {_tag_of(info.get("tag_index", "")) for info in infos}
        found |= {(*node.path, *path) for path, tag in _tags(node.value, "input_stream").items() if tag in tags}
    return found
