"""Other places of external data: files next to the model, offsets and lengths that fit the tensor."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.files.side_files import file_source
from irlint.findings import Candidate
from irlint.formats.onnx.candidates.site import Site
from irlint.formats.onnx.external import entries_of, size_of, state_of
from irlint.text.numbers import decimal

_FILES = 8
_SUFFIXES = (".data", ".bin", ".weights", ".onnx_data")


def external_candidates(site: Site) -> Iterator[Candidate]:
    """Yield other locations, offsets and lengths for an initializer."""
    tree, files = site.tree, state_of(site.whole.model).files
    if tree.get("data_location") != 1 or files is None:
        return
    entries, wanted = entries_of(tree), size_of(tree)
    folder = files.model.parent
    there = sorted(name for name in file_source().names(folder) if name.endswith(_SUFFIXES))[:_FILES]
    offsets = ["0", *_ends(site)]
    for location in (entries.get("location", ""), *there):
        for offset in dict.fromkeys((entries.get("offset", "0"), *offsets)):
            new = {**entries, "location": location, "offset": offset, "length": str(wanted)}
            if offset == "0" and "offset" not in entries:
                del new["offset"]
            rows = [{"key": key, "value": value} for key, value in new.items()]
            edits = site.document.changed((*site.path, "external_data"), rows)
            far = (location != entries.get("location")) + (offset != entries.get("offset", "0"))
            yield Candidate(f"Read {wanted:,} bytes at {offset} of {location!r}", edits, far)


def _ends(site: Site) -> list[str]:
    """Return where the data of other initializers ends."""
    found = []
    for tree in site.document.tree.get("graph", {}).get("initializer", ()):
        entries = entries_of(tree)
        if tree is not site.tree and tree.get("data_location") == 1:
            offset = decimal(entries.get("offset", "0"))
            found += [] if offset is None else [str(offset + size_of(tree))]
    return found[:24]
