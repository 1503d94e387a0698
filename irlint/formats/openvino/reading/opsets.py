"""The versioned operation that a type in an opset denotes, and the release of OpenVINO that first reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from irlint.operators import Operator, OperatorTable, nearest, table
from irlint.records import NamedTuple
from irlint.text.numbers import integer
from irlint.tools.installed import load_json

_TIMES = 2  # the last opset
Release = tuple[int, int]

LIBRARY_DOMAINS = ("extension", "openvino_tokenizers")  # of the operations of openvino_tokenizers


class Meaning(NamedTuple):
    """What a layer's type and version denote. `operation` is a key of the operator table, None if there is none."""

    operation: str | None
    type: str  # as the opset spells it
    opset: str | None = None  # the opset that is looked into


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = load_json("openvino-opsets.json")
    return data


def library() -> OperatorTable:
    """Return the operations of openvino_tokenizers, by domain and type."""
    return table("openvino-tokenizers")


@cache
def opset_names() -> tuple[str, ...]:
    return tuple(_data()["releases"])


@cache
def aliases() -> dict[str, str]:
    """Return class names that the reader accepts as types. Constant is not one of them: it crashes the reader."""
    return {alias: name for alias, name in _data()["aliases"].items() if alias != "Constant"}


@cache
def _spellings() -> dict[str, str]:
    """Return a map from lower-case types and aliases to the types."""
    found = {name.lower(): name for name in _data()["types"]}
    found.update({alias.lower(): name for alias, name in aliases().items()})
    del found["const"]
    return found


def exact_type(type_: str) -> str | None:
    """Return the type that the reader understands; only Const is case-sensitive."""
    if type_ in _data()["types"]:
        return type_
    return _spellings().get(type_.lower()) if type_.isascii() else None


def type_named(name: str) -> str | None:
    """Return the type in a layer's name: converters name layers like MatMul_12."""
    return exact_type(name.rpartition("/")[2].partition("_")[0])


@cache
def meaning(type_: str, version: str | None) -> Meaning:
    data = _data()
    if version in LIBRARY_DOMAINS and (key := f"{version}.{type_}") in library():
        return Meaning(key, type_)
    name = exact_type(type_)
    if name is None:
        return Meaning(None, type_)
    opset = version
    if version in ("extension", "experimental") and name in data["experimental"]:
        opset = "opset6"
    elif version == "opset1" and name in data["opset1_too"]:
        opset = "opset2"
    if opset is None or opset not in data["releases"]:
        return Meaning(None, name)
    number = int(opset[5:])
    for first, last, origin in data["types"][name]:
        if first <= number <= last:
            return Meaning(f"opset{origin}.{name}", name, opset)
    return Meaning(None, name)


def operator_of(type_: str, version: str | None) -> Operator | None:
    operation = meaning(type_, version).operation
    if operation is None:
        return None
    return (table("openvino") if operation.startswith("opset") else library()).get(operation)


def known_operator(type_: str, version: str | None) -> Operator:
    """Return the operation that a type denotes; one without attributes and ports if it denotes none."""
    return operator_of(type_, version) or _NO_OPERATOR


_NO_OPERATOR = Operator("", (), (), {})


def opsets_with(name: str) -> list[str]:
    """Return the opsets that have a type, oldest first."""
    runs = _data()["types"].get(name, ())
    return [f"opset{k}" for first, last, _ in runs for k in range(first, last + 1)]


def is_near(number: int) -> bool:
    """Return whether a number is near those of opsets, so that the nearest of these may be meant."""
    return number <= _TIMES * len(opset_names())


def usual(versions: Iterable[str | None], homes: Sequence[str]) -> str | None:
    """Return the one of some opsets that most layers of a file have, or the first of them."""
    often = Counter(version for version in versions if version in homes)
    return often.most_common(1)[0][0] if often else next(iter(homes), None)


def nearest_type(type_: str) -> str | None:
    return nearest(type_, sorted(_data()["types"]))


def release_of(type_: str, version: str | None) -> Release | None:
    """Return the first release whose reader has the type in that opset."""
    found = meaning(type_, version)
    if found.opset is None:
        return None
    data = _data()
    release = data["since"].get(found.opset, {}).get(found.type)
    if release is None:
        release = data["releases"][found.opset]["complete"] or data["releases"][found.opset]["first"]
    return parse_release(release)


def release_of_element_type(name: str) -> Release | None:
    """Return the first release that reads an element type; None for those that all releases read."""
    release = _data()["element_types"].get(name.lower())
    return None if release is None else parse_release(release)


def parse_release(text: str) -> Release | None:
    """Parse 2024.6, 2024.6.0 or 2024 into numbers that can be compared."""
    parts = text.strip().split(".")
    if not parts[0].isdecimal() or any(not p.isdecimal() for p in parts[1:]):
        return None
    return integer(parts[0]), integer(parts[1]) if len(parts) > 1 else 0


def release_name(release: Release) -> str:
    return f"{release[0]}.{release[1]}"


_FIRST_YEAR = 2017  # releases are named by the year


@cache
def _newest() -> Release:
    """Return the newest release of which something is known."""
    found = (parse_release(name) for names in _data()["since"].values() for name in names.values())
    return max(release for release in found if release)


def target_trouble(name: str, version: str) -> str | None:
    """Return why a target is not a release of OpenVINO; None if it is."""
    if name != "openvino":
        return f"unknown target `{name}`; expected `openvino`"
    release = parse_release(version)
    if release is not None and _FIRST_YEAR <= release[0] <= _newest()[0] + 1:  # the next ones are taken, too
        return None
    if release is not None and release > _newest():
        return f"the newest OpenVINO release that irlint knows is {release_name(_newest())}, got `{version}`"
    return f"expected an OpenVINO release from 2018.1 on (such as 2024.6), got `{version}`"


def types_known() -> list[str]:
    """Return every type of every opset, in its exact spelling."""
    return sorted(_data()["types"])
