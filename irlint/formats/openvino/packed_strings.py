"""Constants of strings: how OpenVINO's reader finds the strings in the bytes of the .bin (2026.4.1)."""

from __future__ import annotations

import struct

from irlint.text.words import count

_WIDTH = 4  # bytes of each number: how many strings there are, where each begins, and where the last ends


def packed_fault(data: bytes, wanted: int) -> str | None:
    """Return what is wrong with the bytes of a tensor of strings; None if the reader takes them."""
    if len(data) < _WIDTH:
        return f"expected the number of strings in the first {_WIDTH} bytes, got {count(len(data), 'byte')}"
    (number,) = struct.unpack_from("<i", data)
    if number < wanted:  # the reader makes all that the shape names, and crashes on those that are not there
        return f"expected {count(wanted, 'string')}, got {number}"
    header = _WIDTH * (number + 2)
    if header > len(data):
        return f"expected {count(header, 'byte')} for the offsets of {count(number, 'string')}, got {len(data)}"
    offsets = struct.unpack_from(f"<{number + 1}i", data, _WIDTH)
    at = next((k for k in range(number) if offsets[k] > offsets[k + 1]), None)
    if at is not None:
        return f"string {at} begins at {offsets[at]} and ends at {offsets[at + 1]}"
    if offsets[0] < 0 or header + offsets[-1] > len(data):
        return f"expected offsets from 0 to {len(data) - header}, got {offsets[0]} to {offsets[-1]}"
    return None
