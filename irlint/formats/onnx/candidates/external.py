"""Other places for a tensor's data in files next to the model."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from pathlib import PureWindowsPath

from irlint.files.side_files import file_source
from irlint.findings import EVIDENT, Candidate
from irlint.formats.onnx.candidates.site import OnnxSite
from irlint.formats.onnx.external import ExternalFiles, ends_by_file, entries_of, size_of, state_of, wrong_location
from irlint.missing_weights import neighbours
from irlint.records import NamedTuple
from irlint.text.numbers import decimal

_FILES = 8
_STARTS = 24  # places in a file
_ALIGNED = (1, 64, 4096, 65536)  # what exporters align tensors to
_SUFFIXES = (".data", ".bin", ".weights", ".onnx_data")


class _Room(NamedTuple):
    """Where a file has room for a tensor between those of other initializers."""

    offset: str
    is_exact: bool  # nothing else fits there


def external_candidates(site: OnnxSite) -> Iterator[Candidate]:
    """Yield other places of external data: files next to the model, offsets and lengths that fit the tensor.

    The only place with room for exactly this tensor is evident.
    """
    files = state_of(site.whole.model).files
    if site.tree.get("data_location") != 1 or files is None:
        return
    renamed = [*_renamed_files(site, files, entries_of(site.tree).get("location", ""))]
    yield from renamed
    if not any(one.likelihood == EVIDENT for one in renamed):
        yield from _other_rooms(site, files)


def _other_rooms(site: OnnxSite, files: ExternalFiles) -> Iterator[Candidate]:
    entries, wanted = entries_of(site.tree), size_of(site.tree)
    there = sorted(name for name in file_source().names(files.model.parent) if name.endswith(_SUFFIXES))[:_FILES]
    here, start = entries.get("location", ""), entries.get("offset", "0")
    rooms = {location: [*_rooms(site, files, location, wanted)] for location in dict.fromkeys((here, *there))}
    exact = [(location, room.offset) for location, found in rooms.items() for room in found if room.is_exact]
    for location, found in rooms.items():
        for offset in dict.fromkeys((start, *(room.offset for room in found[:_STARTS]))):
            title = f"Read {wanted:,} bytes at {offset} of {location!r}"
            edits = site.document.changed((*site.path, "external_data"), _rows(entries, location, offset, wanted))
            if exact == [(location, offset)]:
                yield Candidate(title, edits, EVIDENT)
            else:
                likelihood = (location != here) + (offset != start)
                yield Candidate(title, edits, likelihood, offset != start or start == "0")


def _renamed_files(site: OnnxSite, files: ExternalFiles, lost: str) -> Iterator[Candidate]:
    """Yield the files that may be a missing one, or one outside the model's folder, for all tensors in it. One of its name, or of the
    model's, is evident."""
    if not lost or "\0" in lost or (wrong_location(lost, "") is None and files.file(lost).state != "missing"):
        return
    ends = ends_by_file(site.document.tree).get(lost, {})
    name = PureWindowsPath(lost).name  # which knows both separators
    for other in neighbours(site.whole.model, name, max(ends.values(), default=None)):
        edits = [
            edit
            for k in ends
            for row, one in enumerate(site.document.tree["graph"]["initializer"][k]["external_data"])
            if one.get("key") == "location"
            for edit in site.document.changed(("graph", "initializer", k, "external_data", row, "value"), other.name)
        ]
        title = f"Read the data from {other.name!r}"
        is_evident = other.is_own or other.name == name
        yield Candidate(title, tuple(edits), EVIDENT if is_evident else 0, not is_evident)


def _rows(entries: dict[str, str], location: str, offset: str, length: int) -> list[dict[str, str]]:
    new = {**entries, "location": location, "offset": offset, "length": str(length)}
    if offset == "0" and "offset" not in entries:
        del new["offset"]
    return [{"key": key, "value": value} for key, value in new.items()]


def _rooms(site: OnnxSite, files: ExternalFiles, location: str, wanted: int) -> Iterator[_Room]:
    """Yield the rooms of a file. None is exact if another tensor has no place there: the room may be that one's."""
    taken = _taken(site, location)
    known = sorted((start, start + size) for start, size in taken if start is not None)
    step = gcd(*(start for start, _ in known))
    aligned = [size for size in _ALIGNED if size == 1 or (step and step % size == 0)]
    end, whole = 0, _size(files, location)
    for begin, after in [*known, (whole, whole)]:
        for offset, size in {-(-end // size) * size: size for size in aligned}.items():
            if 0 < wanted <= begin - offset:
                yield _Room(str(offset), begin - offset - wanted < size and len(known) == len(taken))
        end = max(end, after)


def _taken(site: OnnxSite, location: str) -> list[tuple[int | None, int]]:
    """Return where the data of other initializers begins in a file, None if that is not a number, and its size."""
    others = (one for one in site.document.tree.get("graph", {}).get("initializer", ()) if one is not site.tree)
    places = ((entries_of(one), one) for one in others if one.get("data_location") == 1)
    return [(decimal(at.get("offset", "0")), size_of(one)) for at, one in places if at.get("location") == location]


def _size(files: ExternalFiles, location: str) -> int:
    file = files.file(location) if location and "\0" not in location else None
    return len(file.data) if file is not None and file.state == "open" else 0
