"""Parameter files: the arrays that they hold, with their types, shapes and offsets, without reading values."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import prod

from irlint.files import npz
from irlint.files.side_files import StoredBytes
from irlint.records import NamedTuple
from irlint.text.numbers import decimal

MXNET_MAGIC, TVM_MAGIC = 0x112, 0xF7E58D4F05049CB7
_V1, _V2, _V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA
_TVM_TENSOR = 0xDD5E40F096B4A13F
_MAX_RANK = 64

_DTYPES = {
    0: ("float32", 4), 1: ("float64", 8), 2: ("float16", 2), 3: ("uint8", 1), 4: ("int32", 4), 5: ("int8", 1),
    6: ("int64", 8), 7: ("bool", 1), 8: ("int16", 2), 9: ("uint16", 2), 10: ("uint32", 4), 11: ("uint64", 8),
    12: ("bfloat16", 2),
}  # fmt: skip
_TVM_CODES = {0: "int", 1: "uint", 2: "float", 3: "handle", 4: "bfloat", 6: "bool"}


class Sparse(NamedTuple):
    """The layout of a sparse array: the shape of its values, and type, shape and offset of its indices."""

    shape: tuple[int, ...]
    indices: tuple[tuple[str, tuple[int, ...], int], ...]  # rows; for a compressed matrix, row ends and columns


class Array(NamedTuple):
    """One array; `offset` and `size` of its values are in bytes. An empty array has no dtype and no shape."""

    name: str
    dtype: str | None
    shape: tuple[int, ...] | None
    offset: int
    size: int
    sparse: Sparse | None = None


class ParamsDefect(Exception):
    """A defect of a file and its offset; `short`: the file ends too early."""

    def __init__(self, reason: str, offset: int, short: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.offset, self.short = reason, offset, short


class ParamsIndex(NamedTuple):
    kind: str  # "mxnet", "tvm" or "npz"
    arrays: list[Array]
    version: int  # of the newest record: 0 to 3


def read_index(data: StoredBytes | bytes) -> ParamsIndex:
    """Return what a parameter file holds; raise ParamsDefect."""
    cursor = _Cursor(data)
    if npz.is_archive(data):
        return _archive(data)
    magic = cursor.take("<Q", "the magic number")[0]
    if (read := {TVM_MAGIC: _tvm, MXNET_MAGIC: _mxnet}.get(magic)) is None:
        raise ParamsDefect(f"expected the magic number of MXNet or TVM, got {magic:#x}", 0)
    return read(cursor)


def _archive(data: StoredBytes | bytes) -> ParamsIndex:
    """Read a NumPy archive; the Python APIs of both runtimes accept these."""
    try:
        return ParamsIndex("npz", [Array(e.name, _numpy_name(e.dtype), e.shape, 0, 0) for e in npz.entries(data)], 0)
    except ValueError as error:
        raise ParamsDefect(f"invalid NumPy archive: {error}", 0) from error


def _numpy_name(code: str) -> str:
    """Return the name of an element type from its code, such as <f4."""
    kinds = {"f": "float", "i": "int", "u": "uint"}
    kind, size = code.lstrip("<>|=")[:1], code.lstrip("<>|=")[1:]
    if kind == "b":
        return "bool"
    bytes_each = decimal(size)
    return f"{kinds[kind]}{8 * bytes_each}" if kind in kinds and bytes_each else code


class _Cursor:
    def __init__(self, data: StoredBytes | bytes) -> None:
        self.data, self.at, self.size = data, 0, len(data)

    def take(self, form: str, what: str) -> tuple[int, ...]:
        length = struct.calcsize(form)
        piece = self.data[self.at : self.at + length]
        if len(piece) < length:
            raise ParamsDefect(f"the file ends in {what}", self.at, short=True)
        found = struct.unpack(form, piece)
        self.at += length
        return found

    def skip(self, length: int, what: str) -> int:
        """Skip bytes; return where they begin."""
        start = self.at
        if length > self.size - start:
            raise ParamsDefect(f"expected {length} bytes for {what}, got {self.size - start}", start, short=True)
        self.at += length
        return start

    def count(self, what: str, least: int) -> int:
        """Return a number of items that take at least `least` bytes each."""
        start = self.at
        number = self.take("<Q", what)[0]
        if number * least > self.size - self.at:
            raise ParamsDefect(f"{what} is {number}; the file is too small for it", start, short=True)
        return number

    def text(self, what: str) -> str:
        length = self.count(what, 1)
        start = self.skip(length, what)
        return self.data[start : start + length].decode("utf-8", "surrogateescape")

    def shape(self, form: str, rank: int, what: str) -> tuple[int, ...]:
        if not 0 <= rank <= _MAX_RANK:
            raise ParamsDefect(f"expected 0 to {_MAX_RANK} dimensions for {what}, got {rank}", self.at)
        return self.take(f"<{rank}{form}", f"the shape of {what}") if rank else ()


def _mxnet(cursor: _Cursor) -> ParamsIndex:
    cursor.take("<Q", "the header")
    count = cursor.count("the number of arrays", 8)
    found = [_record(cursor, f"array {k}") for k in range(count)]
    records = [record for _, record in found]
    named = cursor.count("the number of names", 8)
    if named not in (0, count):
        raise ParamsDefect(f"expected {count} names for as many arrays, got {named}", cursor.at)
    if named:
        records = [record._replace(name=cursor.text(f"name {k}")) for k, record in enumerate(records)]
    return ParamsIndex("mxnet", records, max((version for version, _ in found), default=0))


def _record(cursor: _Cursor, what: str) -> tuple[int, Array]:
    start = cursor.at
    first = cursor.take("<I", what)[0]
    version = {_V1: 1, _V2: 2, _V3: 3}.get(first, 0)
    aux, stored = _storage(cursor, version, what) if version >= 2 else (0, ())
    shape = _shape(cursor, version, first, start, what)
    if not shape and version < 2:
        raise ParamsDefect(
            f"{what} is empty, which this version of the file cannot express; readers take what follows as its values",
            start,
        )
    if shape is None or (version == 2 and not shape) or (version == 3 and -1 in shape):
        return version, Array("", None, None, cursor.at, 0)
    if any(n < 0 for n in shape):
        raise ParamsDefect(f"invalid shape {shape} of {what}", start)
    cursor.take("<ii", f"the device of {what}")
    dtype, width = _dtype(cursor, what)
    parts = []
    for _ in range(aux):
        kind, aux_width = _dtype(cursor, what)
        parts.append((kind, aux_width, cursor.shape("q", cursor.take("<i", what)[0], what)))
    size = width * prod(stored if aux else shape)
    offset = cursor.skip(size, what)
    places = tuple((kind, lengths, cursor.skip(each * prod(lengths), what)) for kind, each, lengths in parts)
    return version, Array("", dtype, shape, offset, size, Sparse(stored, places) if aux else None)


def _storage(cursor: _Cursor, version: int, what: str) -> tuple[int, tuple[int, ...]]:
    """Return how many arrays of indices a sparse array has, and the shape of its values as they are stored."""
    storage = cursor.take("<i", f"the storage type of {what}")[0]
    if storage not in (0, 1, 2) or (version == 3 and storage):
        raise ParamsDefect(f"unknown storage type {storage} of {what}", cursor.at - 4)
    return storage, cursor.shape("q", cursor.take("<i", what)[0], what) if storage else ()


def _shape(cursor: _Cursor, version: int, first: int, start: int, what: str) -> tuple[int, ...] | None:
    """Return the shape of an array, or None if it has no rank."""
    if version == 0:
        if first > _MAX_RANK:
            raise ParamsDefect(f"unknown kind of record {first:#x} of {what}", start)
        return cursor.shape("I", first, what)
    rank = cursor.take("<i", f"the rank of {what}")[0]
    return None if version == 3 and rank == -1 else cursor.shape("q", rank, what)


def _dtype(cursor: _Cursor, what: str) -> tuple[str, int]:
    number = cursor.take("<i", f"the type of {what}")[0]
    if number not in _DTYPES:
        raise ParamsDefect(f"unknown type number {number} of {what}", cursor.at - 4)
    return _DTYPES[number]


def _tvm(cursor: _Cursor) -> ParamsIndex:
    cursor.take("<Q", "the header")
    names = [cursor.text(f"name {k}") for k in range(cursor.count("the number of names", 8))]
    count = cursor.count("the number of arrays", 8)
    if count != len(names):
        raise ParamsDefect(f"expected {len(names)} arrays for as many names, got {count}", cursor.at - 8)
    return ParamsIndex("tvm", [_tensor(cursor, name) for name in names], 0)


def _tensor(cursor: _Cursor, name: str) -> Array:
    what, start = f"array {name!r}", cursor.at
    magic, _ = cursor.take("<QQ", what)
    if magic != _TVM_TENSOR:
        raise ParamsDefect(f"expected the magic number of a TVM array for {what}, got {magic:#x}", start)
    cursor.take("<ii", what)
    rank = cursor.take("<i", what)[0]
    code, bits, lanes = cursor.take("<BBH", what)
    shape = cursor.shape("q", rank, what)
    size = cursor.take("<q", what)[0]
    if any(n < 0 for n in shape) or size != prod(shape) * ((bits + 7) // 8):
        raise ParamsDefect(f"shape {shape} of {what} does not match its size of {size} bytes", start)
    word = _TVM_CODES.get(code)
    if word is None:
        raise ParamsDefect(f"unknown type code {code} of {what}", start)
    dtype = (
        "bool" if (word, bits) in (("uint", 1), ("bool", 8)) else f"{word}{bits}" + (f"x{lanes}" if lanes != 1 else "")
    )
    return Array(name, dtype, shape, cursor.skip(size, what), size)


def by_name(index: ParamsIndex) -> Iterator[tuple[str, Array]]:
    """Yield arrays with their names in the graph, without arg: and aux:."""
    is_prefixed = prefixed(index)
    for array in index.arrays:
        yield array.name.split(":", 1)[1] if is_prefixed and ":" in array.name else array.name, array


def prefixed(index: ParamsIndex) -> bool:
    """Return whether the names distinguish arguments from auxiliary states, as those of model files do."""
    return index.kind == "mxnet" and any(array.name.startswith(("arg:", "aux:")) for array in index.arrays)
