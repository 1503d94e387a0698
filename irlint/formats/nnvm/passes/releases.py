"""What the MXNet release named with `--target mxnet=` refuses: what came later, and what it still asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from irlint.findings import Problem
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.operators import OperatorTable
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.tools.installed import load_json

_RELEASE = re.compile(r"v?[0-9]{1,5}(?:\.[0-9]{1,5}){1,2}")
_SUBGRAPHS = (1, 3)  # the release whose loader first knows the key: "Unknown field subgraphs" before


class Release(NamedTuple):
    text: str  # as the user names it
    minor: tuple[int, int]
    version: int  # as mxnet_version has it


def release_of(text: str | None) -> tuple[int, ...] | None:
    """Return a release such as 0.10 or 1.9.1 as numbers; None where the text is not one."""
    return tuple(map(int, text.removeprefix("v").split("."))) if text and _RELEASE.fullmatch(text) else None


@cache
def _facts() -> dict[str, Any]:
    """What the table says, with the release of each operator by name."""
    facts: dict[str, Any] = load_json("operators/mxnet-releases.json")
    return {**facts, "operators": {name: minor for minor, names in facts["operators"].items() for name in names}}


def releases() -> list[str]:
    """Return the releases that the table knows, the oldest first."""
    return list(_facts()["releases"])


def declared(model: Model) -> Release | None:
    """The release of MXNet that the file is for, where the user names one that irlint knows."""
    return _release(model.targets.get("mxnet"))


def _release(text: str | None) -> Release | None:
    numbers = release_of(text)
    last: int | None = _facts()["releases"].get(".".join(map(str, numbers[:2]))) if numbers else None
    if text is None or numbers is None or last is None:
        return None
    major, minor, *patch = numbers
    return Release(text, (major, minor), major * 10000 + minor * 100 + patch[0] if patch else last)


def target_trouble(name: str, version: str) -> str | None:
    """Why a target says nothing that a file could be held against; None where it does."""
    if name == "tvm":
        return None if release_of(version) else f"expected a release of TVM such as 0.10, got {version!r}"
    if name == "mxnet":
        releases = list(_facts()["releases"])
        expected = f"expected a release of MXNet from {releases[0]} to {releases[-1]}"
        return None if _release(version) else f"{expected}, got {version!r}"
    return f"{name} has no releases; use mxnet= or tvm="


def _minor(text: str) -> tuple[int, int]:
    major, _, minor = text.partition(".")
    return int(major), int(minor)


def _is_later(minor: str | None, release: Release) -> bool:
    return minor is not None and _minor(minor) > release.minor


def without_former(problems: Iterable[Problem], view: GraphView, release: Release) -> Iterator[Problem]:
    """All problems but those about operators and attributes that the release has and MXNet 1.9.1 does not have."""
    for problem in problems:
        if not _is_former(problem, view, release):
            yield problem


def _is_former(problem: Problem, view: GraphView, release: Release) -> bool:
    if not isinstance(problem.at, Place) or problem.rule not in (R.unknown_operator, R.unknown_attribute):
        return False
    index = problem.at.path[len(view.path) + 1]  # behind "nodes"
    op = view.ops[index] if isinstance(index, int) else ""
    facts = _facts()
    span = facts["former_operators"].get(op)
    if problem.rule == R.unknown_attribute:
        span = facts["former_attributes"].get(op, {}).get(problem.at.path[-1])
    return span is not None and _minor(span[0]) <= release.minor <= _minor(span[1])


def check(view: GraphView, seen: Sweep, table: OperatorTable, release: Release) -> Iterator[Problem]:
    """Report what the release does not know or still asks for, node by node."""
    later = _facts()["operators"]
    for i, op in enumerate(view.ops):
        if op == "null" or i in view.broken:
            continue
        if _is_later(later.get(op), release):
            yield _refused(view, i, view.place(i, "op"), f"operator `{op}` requires MXNet {later[op]}", release)
            continue
        operator = table.get(op)
        if operator is not None and i in seen.reachable:
            yield from _attributes(view, i, operator.name, release)
        if "subgraphs" in view.originals[i] and release.minor < _SUBGRAPHS:
            at = Place((*view.node_path(i), "subgraphs"), "key")
            yield _refused(view, i, at, "key `subgraphs` requires MXNet 1.3", release)


def _refused(view: GraphView, index: int, at: Place, what: str, release: Release) -> Problem:
    message = f"{what}; MXNet {release.text} refuses the file"
    return Problem(R.target_cannot_read, at, message, view.names[index])


def _attributes(view: GraphView, index: int, op: str, release: Release) -> Iterator[Problem]:
    facts, attrs, name = _facts(), view.attrs[index], view.names[index]
    later, values = facts["attributes"].get(op, {}), facts["values"].get(op, {})
    for key, text in attrs.items():
        part, what, minor = f"attr_key:{key}", f"attribute `{key}` of", later.get(key)
        if not _is_later(minor, release):
            part, what, minor = f"attr:{key}", f"value `{text}` for `{key}` of", values.get(key, {}).get(text)
        if _is_later(minor, release):
            yield _refused(
                view, index, view.place(index, part), f"{what} {op} {name!r} requires MXNet {minor}", release
            )
    for key, minor in facts["required_before"].get(op, {}).items():
        if key not in attrs and _is_later(minor, release):
            message = f"missing attribute `{key}` for {op} {name!r}; MXNet {release.text} requires it"
            yield Problem(R.target_cannot_read, view.place(index, "op"), message, name)
