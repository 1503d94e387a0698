"""Data that tensors have in other files: each is opened once, only inside the model's folder, and read in pieces."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, cast

from irlint.checks.fault import asking, writing
from irlint.codes import R, RuleRow, Severity
from irlint.files.side_files import SideFile, is_pointer
from irlint.findings import Problem
from irlint.formats.onnx.tensors import bits, elements
from irlint.formats.onnx.wire import DTYPES
from irlint.operators import nearest
from irlint.records import dataclass, field
from irlint.rules.base import Model
from irlint.text.base import Path, Place
from irlint.text.numbers import decimal
from irlint.text.prototext.messages import Tree

if TYPE_CHECKING:
    from irlint.formats.onnx.text.document import OnnxDocument
    from irlint.targets.kernels import AskedNode

_MOST = 1 << 63
_SOUGHT = 8  # missing files that are looked for under other names
# What onnxruntime 1.32 knows, and keys that begin with "prepacked"
_KEYS = ("location", "offset", "length", "checksum")
Wrong = tuple[RuleRow, str, str]  # rule, the key that it is about, and message
_LOCATION = re.compile(rb"\x0a\x08location\x12([\x01-\x7f])")


@dataclass(slots=True)
class OnnxState:
    """What is kept of a file: its other files, and what was found of the data of its initializers."""

    files: ExternalFiles | None = None  # None: the model is in no file
    doubtful: set[Path] = field(default_factory=set)  # initializers whose data does not fit their shape
    told: set[Path] = field(default_factory=set)  # constants in other files that shape something, told of already
    imports: Mapping[str, int] | None = None  # the opsets by which nodes were judged
    batches: set[str] | None = None  # symbols of batch sizes, where a rule asked
    functions: Any = None  # dryrun.functions.Functions, as the dry run follows calls; None: the model has none
    # Nodes for tables of kernels: by whether what is computed from constants counts as one
    asked: dict[bool, list[AskedNode]] = field(default_factory=dict)
    # The same as other opsets have them; None if they do not
    lowered: dict[tuple[str, int], list[AskedNode] | None] = field(default_factory=dict)


def state_of(model: Model) -> OnnxState:
    found: OnnxState = model.state
    return found


def locations(data: bytes) -> list[str]:
    """Return the names of files that hold data of a model, in the order of the model's bytes."""
    found: dict[str, None] = {}
    for match in _LOCATION.finditer(data):
        end = match.end() + match[1][0]
        found[data[match.end() : end].decode("utf-8", "surrogateescape")] = None
    return [name for name in found if name and "\0" not in name and len(name) < 256]


class ExternalFiles:
    """The files that a model names."""

    def __init__(self, model: FilePath) -> None:
        self.model = model
        self._files: dict[str, SideFile] = {}

    def file(self, location: str) -> SideFile:
        if (found := self._files.get(location)) is None:
            found = self._files[location] = SideFile(self.model.parent / location, self.model)
        return found

    def read(self, tensor: Tree) -> bytes:
        """Return the bytes of a tensor; raise LookupError if they are not there."""
        entries = entries_of(tensor)
        location, offset = entries.get("location", ""), _number(entries.get("offset", "0"))
        size = _number(entries.get("length", "")) or size_of(tensor)
        file = None if "\0" in location else self.file(location)
        if file is None or file.state != "open" or is_pointer(file.data) or offset is None:
            raise LookupError(tensor.get("name", ""))
        data = file.data[offset : offset + size]
        if len(data) < size:
            raise LookupError(tensor.get("name", ""))
        return data


def entries_of(tensor: Tree) -> dict[str, str]:
    return {one.get("key", ""): one.get("value", "") for one in tensor.get("external_data", ())}


def size_of(tensor: Tree) -> int:
    """Return how many bytes the elements of a tensor take."""
    return (elements(tensor.get("dims", ())) * bits(DTYPES.get(tensor.get("data_type", 0), "")) + 7) // 8


def _number(text: str) -> int | None:
    found = decimal(text)
    return found if found is not None and found < _MOST else None


class ExternalCheck:
    """Finds what is wrong with external data; what is wrong with a file is reported once."""

    def __init__(self, model: Model, files: ExternalFiles | None) -> None:
        self.model, self.files = model, files
        self._told: set[str] = set()

    def problems(self, tensor: Tree, path: Path, name: str) -> Iterator[Problem]:
        """Yield the first thing that is wrong with the entries of external data, or with the file that they name."""
        rows, entries = tensor.get("external_data", ()), entries_of(tensor)
        places = {one.get("key", ""): Place((*path, "external_data", k, "value")) for k, one in enumerate(rows)}
        named = [k for k, one in enumerate(rows) if one.get("key") == "location"]
        if len(named) > 1:  # onnxruntime 1.32 refuses that; of others the last counts everywhere
            first, second = (Place((*path, "external_data", k, "key")) for k in named[:2])
            message = f"duplicate `location` in the external data of {name}"
            yield Problem(R.duplicate_definition, second, message, None, None, [("first defined here", first)])
        elif not entries.get("location"):
            yield Problem(R.missing_key, Place((*path, "data")), f"external data of {name} has no location")
        elif (found := wrong_location(entries["location"], name) or _of_entries(entries, tensor, name)) is not None:
            rule, key, message = found
            if key == "location" and entries[key] in self._told:
                return
            at = places[key]
            self._told |= {entries[key]} if key == "location" else set()
            yield Problem(rule, at, message) if rule is not R.unknown_key else _unknown(key, at, message, entries)
        elif self.files is not None and entries["location"] not in self._told:
            yield from self._of_file(self.files, entries, places["location"], size_of(tensor), name)

    def _of_file(
        self, files: ExternalFiles, entries: Mapping[str, str], at: Place, wanted: int, name: str
    ) -> Iterator[Problem]:
        from irlint.missing_weights import unopened

        location = entries["location"]
        file = files.file(location)
        size = None
        if file.state == "missing":  # one of no bytes is not looked for under other names
            size = self._sizes.get(location) if len(self._told) < _SOUGHT else 0
        problem = unopened(self.model, file, at, f"{name} has its data there", name=location, size=size)
        if problem is not None:
            self._told.add(location)
            yield problem
            return
        if os.path.islink(file.path) and not os.path.islink(files.model):  # caches of downloads link all files
            self._told.add(location)
            message = f"{location!r} is a symbolic link; onnx.checker refuses it, runtimes do not"
            yield Problem(R.unsafe_path, at, message, severity=Severity.WARNING)
        end = (_number(entries.get("offset", "0")) or 0) + wanted
        if end > len(file.data):
            self._told.add(location)
            message = f"data of {name} ends at byte {end:,} of {location!r}, which has {len(file.data):,} bytes"
            yield Problem(R.weights_too_short, at, message)

    @cached_property
    def _sizes(self) -> dict[str, int]:
        """How many bytes of each file the initializers of the model read."""
        ends = ends_by_file(cast("OnnxDocument", self.model.document).tree)
        return {location: max(found.values()) for location, found in ends.items()}


def ends_by_file(tree: Tree) -> dict[str, dict[int, int]]:
    """Return where the data of the initializers ends in the files that they name, by their numbers."""
    found: dict[str, dict[int, int]] = {}
    for k, tensor in enumerate(tree.get("graph", {}).get("initializer", ())):
        if "external_data" in tensor:
            entries = entries_of(tensor)
            end = (_number(entries.get("offset", "0")) or 0) + size_of(tensor)
            found.setdefault(entries.get("location", ""), {})[k] = end
    return found


def overlap_problems(tensors: Sequence[Tree], path: Path) -> Iterator[Problem]:
    """Report initializers whose data begins inside that of another one and ends after it. Tied weights are equal parts of a file, and
    a part of another one may be a slice of it."""
    ranges: dict[str, list[tuple[int, int, int]]] = {}
    for k, tensor in enumerate(tensors):
        if tensor.get("data_location") == 1 and "external_data" in tensor:
            entries = entries_of(tensor)
            start = _number(entries.get("offset", "0")) or 0
            ranges.setdefault(entries.get("location", ""), []).append((start, start + size_of(tensor), k))
    for pieces in ranges.values():
        low, high, holder = 0, 0, 0
        for start, end, k in sorted(pieces):
            if low < start < high < end:
                yield _overlap(tensors, path, (low, high, holder), (start, end, k))
            if end > high:
                low, high, holder = start, end, k


def _overlap(tensors: Sequence[Tree], path: Path, one: tuple[int, int, int], other: tuple[int, int, int]) -> Problem:
    names = [tensors[k].get("name", "") for _, _, k in (one, other)]
    message = (
        f"bytes {other[0]:,} to {other[1]:,} of initializer {names[1]!r} overlap bytes {one[0]:,} to {one[1]:,} of {names[0]!r}; "
        "one of their offsets is wrong"
    )
    here, there = (_offset(tensors[k], (*path, k, "external_data")) for k in (other[2], one[2]))
    return Problem(
        R.weights_mismatch, here, message, None, None, [("overlapping initializer", there)], Severity.WARNING
    )


def _offset(tensor: Tree, path: Path) -> Place:
    keys = [one.get("key") for one in tensor["external_data"]]
    return Place((*path, keys.index("offset"), "value") if "offset" in keys else path)


def _unknown(key: str, at: Place, message: str, entries: Mapping[str, str]) -> Problem:
    """Return the problem of an unknown key, the value of which is at a place."""
    place, free = Place((*at.path[:-1], "key")), [one for one in _KEYS if one not in entries]
    meant = nearest(key, free) or next((one for one in free if one.startswith(key)), None)
    fix = writing(place, meant, f"Replace with {meant!r}") if meant else None
    return Problem(R.unknown_key, place, message, fix=fix, meant=meant, hint=asking(meant))


def wrong_location(location: str, name: str) -> Wrong | None:
    """Return what is wrong with the path of a file."""
    whose, what = f"the external data of {name}", f"external data of {name}"
    if "\0" in location:
        return R.value_not_allowed, "location", f"expected a path for {whose}, got {location!r}"
    if os.path.isabs(location) or location.startswith("\\") or location[1:2] == ":":
        message = f"{what} is at the absolute path {location!r}; expected a path in the model's folder"
        return R.unsafe_path, "location", message
    if os.path.normpath(location.replace("\\", "/")).startswith(".."):
        return R.unsafe_path, "location", f"{what} is outside the model's folder: {location!r}"
    if location.endswith("/"):
        return R.value_not_allowed, "location", f"expected a file for {whose}, got the folder {location!r}"
    return None


def _of_entries(entries: Mapping[str, str], tensor: Tree, name: str) -> Wrong | None:
    """Return what is wrong with the keys, or with the numbers."""
    for key in entries:
        if key not in _KEYS and not key.startswith("prepacked"):
            message = f"unknown key `{key}` in the external data of {name}; onnxruntime refuses it"
            return R.unknown_key, key, message
    for key in ("offset", "length"):
        if key in entries and _number(entries[key]) is None:
            message = f"expected an integer of at least 0 for `{key}` of {name}, got {entries[key]!r}"
            return R.value_not_allowed, key, message
    wanted, length = size_of(tensor), _number(entries.get("length", ""))
    if not length or length == wanted:  # 0 is as if there were none: onnx 1.23, onnxruntime 1.32 and OpenVINO 2026.4
        return None
    shape = list(tensor.get("dims", ()))
    return R.wrong_length, "length", f"expected {wanted:,} bytes for shape {shape} of {name}, got `length` {length:,}"
