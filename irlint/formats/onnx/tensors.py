"""The data of tensors, in the many fields that may hold it."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from math import inf
from typing import Any, Protocol

from irlint.checks.weight_numbers import floats, is_finite
from irlint.formats.onnx.trees import numbers_of
from irlint.formats.onnx.wire import DTYPES
from irlint.text.prototext.messages import Tree
from irlint.tools.same_bytes import same_bytes

SHOWN = 16  # numbers of a tensor that are shown
MOST = 1 << 63  # elements, and more than any tensor has
MOST_AXES = 64  # that an array may have; shapes of more are not repaired
SMALL = 1024  # elements that are looked at when shapes are followed
_CODES = {
    "float32": "f", "float64": "d", "int64": "q", "int32": "i", "int16": "h", "int8": "b", "uint64": "Q", "uint32": "I",
    "uint16": "H", "uint8": "B", "bool": "?", "float16": "e",
}  # fmt: skip
# Bits of an element; 8 in all other types. What is narrower than a byte is packed.
_NARROW = {
    "int4": 4, "uint4": 4, "float4_e2m1fn": 4, "int2": 2, "uint2": 2, "float6_e2m3fn": 6, "float6_e3m2fn": 6,
}  # fmt: skip
_BITS = {
    **{dtype: 8 * struct.calcsize(f"<{code}") for dtype, code in _CODES.items()},
    **_NARROW, "bfloat16": 16, "complex64": 64, "complex128": 128, "string": 0,
}  # fmt: skip
# Letters of `struct` for types that it does not have, or that are held as the bits of others
_SHOWN_AS = {"float16": "H", "bfloat16": "H", "bool": "B"}
_STORED_AS = {**_SHOWN_AS, "complex64": "f", "complex128": "d"}
HALVES = ("float16", "bfloat16")  # whose numbers are held as bits
# The field that holds the elements of a tensor without raw data
FIELDS = {
    "float32": "float_data", "complex64": "float_data", "int64": "int64_data", "float64": "double_data",
    "complex128": "double_data", "uint64": "uint64_data", "uint32": "uint64_data", "string": "string_data",
}  # fmt: skip


def elements(dims: Iterable[int]) -> int:
    """Return how many elements a tensor has; of more than 2^63 it is some number that is larger."""
    count = 1
    for dim in dims:
        if not dim:
            return 0
        if abs(count) < MOST:
            count *= dim
    return count


def bits(dtype: str) -> int:
    """Return how many bits an element has; 0 for strings."""
    return _BITS.get(dtype, 8)


def half_numbers(bits: Iterable[int], dtype: str) -> list[float]:
    """Return the numbers that bits of a float16 or bfloat16 mean."""
    halves = [int(n) & 0xFFFF for n in bits]
    if dtype == "float16":
        return list(struct.unpack(f"<{len(halves)}e", struct.pack(f"<{len(halves)}H", *halves)))
    return list(struct.unpack(f"<{len(halves)}f", struct.pack(f"<{len(halves)}I", *(n << 16 for n in halves))))


def half_bits(value: float, dtype: str) -> int:
    """Return the bits of the float16 or bfloat16 that is nearest to a number, the even one of two."""
    try:
        if dtype == "float16":
            return int.from_bytes(struct.pack("<e", value), "little")
        whole = int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return half_bits(inf if value > 0 else -inf, dtype)
    return whole >> 16 | 0x40 if value != value else whole + 0x7FFF + (whole >> 16 & 1) >> 16


def _same(a: Tree, b: Tree) -> bool:
    ours, theirs = a.get("raw_data"), b.get("raw_data")
    if ours is None or theirs is None:
        return a == b
    return same_bytes(ours, theirs) and {**a, "raw_data": None} == {**b, "raw_data": None}


class Elsewhere(Protocol):
    """The files that hold the data of tensors."""

    def read(self, tensor: Tree) -> bytes: ...


class TensorData:
    """A tensor of the file; `files` are where its external data is."""

    __slots__ = ("_entries", "files", "tree")

    def __init__(self, tree: Tree, files: Elsewhere | None = None) -> None:
        self.tree, self.files = tree, files
        self._entries: tuple[Any, ...] | bool | None = False  # False: not computed yet

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorData) and (self.tree is other.tree or _same(self.tree, other.tree))

    def __hash__(self) -> int:
        return hash((self.tree.get("data_type"), tuple(self.tree.get("dims", ()))))

    def __repr__(self) -> str:
        return f"{self.dtype}{list(self.shape)}"

    @property
    def dtype(self) -> str | None:
        return DTYPES.get(self.tree.get("data_type", 0))

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.tree.get("dims", ()))

    @property
    def is_external(self) -> bool:
        return bool(self.tree.get("data_location") == 1)

    @property
    def is_cut(self) -> bool:
        """Whether the data is not in the text from which the tensor was read."""
        return "cut" in self.tree

    @property
    def _own(self) -> str:
        """The field that holds the elements if there is no raw data."""
        return FIELDS.get(self.dtype or "", "int32_data")

    @property
    def field(self) -> str:
        """The field that runtimes read if the file itself has the data."""
        return "raw_data" if "raw_data" in self.tree else self._own

    def first(self, most: int) -> tuple[list[Any], bool]:
        """Return the first elements as the textual form has them, and whether there are more."""
        raw, dtype = self.tree.get("raw_data"), self.dtype or ""
        if raw is not None:
            if dtype in _NARROW or dtype.startswith("complex"):
                return [], bool(len(raw))
            code = _SHOWN_AS.get(dtype) or _CODES.get(dtype, "B")
            size = struct.calcsize(f"<{code}")
            values: Sequence[Any] = struct.unpack_from(f"<{min(len(raw) // size, most)}{code}", raw)
            more = len(raw) > size * len(values)
        else:
            known = numbers_of(self.tree.get(self._own, ()))
            values, more = known[:most], self.is_cut or len(known) > most
        if dtype in HALVES:
            return half_numbers(values, dtype), more
        return [v.decode("utf-8", "surrogateescape") if isinstance(v, bytes) else v for v in values], more

    def entries(self) -> tuple[Any, ...] | None:
        """Return the elements if they are few and known."""
        if self._entries is False:
            self._entries = self.entries_up_to(SMALL)
        return self._entries  # type: ignore[return-value]

    def entries_up_to(self, most: int) -> tuple[Any, ...] | None:
        """Return the elements if they are known, and no more than `most`."""
        dtype, count = self.dtype, elements(self.shape)
        if dtype is None or count > most or self.is_cut or min(self.shape, default=0) < 0:
            return None
        try:
            if dtype in _CODES and not self.is_external:
                return self._plain(dtype, count)
            return tuple(self.array().ravel().tolist())
        except (LookupError, ValueError, AttributeError):
            return None

    def _plain(self, dtype: str, count: int) -> tuple[Any, ...] | None:
        raw = self.tree.get("raw_data")
        if raw is not None:
            layout = struct.Struct(f"<{count}{_CODES[dtype]}")
            return layout.unpack_from(raw) if len(raw) >= layout.size else None
        numbers = numbers_of(self.tree.get(self._own, ()))
        if len(numbers) != count:
            return None
        if dtype == "float16":
            return tuple(half_numbers(numbers, dtype))
        return tuple(map(bool, numbers)) if dtype == "bool" else tuple(numbers)

    @property
    def raw_size(self) -> int | None:
        """How many bytes the file itself has of the data; None if they are elsewhere."""
        raw = self.tree.get("raw_data")
        return len(raw) if raw is not None else None if self.is_external or self.is_cut else 0

    def floats(self) -> Sequence[float] | None:
        """Return numbers of a float type that Python's arrays have, as many as there are; None for others."""
        dtype, raw = self.dtype or "", self.tree.get("raw_data")
        found = floats(raw or b"", dtype)
        if raw is not None or found is None:
            return found
        is_here = not (self.is_external or self.is_cut or dtype == "float16")
        return numbers_of(self.tree.get(self._own, ())) if is_here else None

    def is_finite(self) -> bool:
        """Return whether the highest bytes of the numbers show that none is NaN or infinite."""
        raw = self.tree.get("raw_data")
        return raw is not None and is_finite(raw, self.dtype or "")

    def stored(self) -> bytes:
        """Return the bytes as raw data has them; raise LookupError if there are none, ValueError if they cannot be read."""
        if self.is_external and self.files is not None:  # onnxruntime 1.32 reads it even next to raw data
            return self.files.read(self.tree)
        raw = self.tree.get("raw_data")
        if raw is not None:
            return bytes(raw)
        dtype = self.dtype or "string"
        numbers = numbers_of(self.tree.get(self._own, () if elements(self.shape) <= 0 else None))
        if self.is_external or self.is_cut or dtype == "string" or numbers is None:
            raise LookupError(self.tree.get("name", ""))
        code = _STORED_AS.get(dtype) or _CODES.get(dtype, "B")
        mask = (1 << max(bits(dtype), 8)) - 1  # narrower ones are packed already
        try:
            if code in "HB":
                numbers = [int(n) & mask for n in numbers]
            return struct.pack(f"<{len(numbers)}{code}", *numbers)
        except (struct.error, OverflowError) as error:  # texts can hold any number
            raise ValueError(f"a number is not in the range of {dtype}") from error

    def array(self) -> Any:
        """Return the data as an array; raise what `stored` does."""
        from irlint.dryrun.lazy import np
        from irlint.dryrun.running.arrays import from_bytes

        dtype, shape = self.dtype, self.shape
        if dtype is None:
            raise LookupError(self.tree.get("name", ""))
        if dtype == "string":
            words = [w.decode("utf-8", "surrogateescape") for w in self.tree.get("string_data", ())]
            if len(words) != elements(shape):
                raise ValueError(f"{len(words)} strings for shape {list(shape)}")
            return np.array(words, object).reshape(shape)
        if dtype in ("complex64", "complex128"):
            return np.frombuffer(self.stored(), dtype).reshape(shape)
        raw = None if self.is_external else self.tree.get("raw_data")
        return from_bytes(self.stored() if raw is None else raw, dtype, shape)  # a view, which takes no memory
