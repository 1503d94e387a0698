"""Small IRs of one operation: the record of formats/openvino/operations.json with other types, attributes, constants, ranks and open lengths.

Most are not valid: kernels.ir asks the newest runtime which of them it reads.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any

from formats.openvino import models

Record = dict[str, Any]
PRECISIONS = {
    "f32": "FP32", "f16": "FP16", "bf16": "BF16", "f64": "FP64", "boolean": "BOOL", "string": "STRING", **{f"{sign}{bits}": f"{sign}{bits}".upper() for sign in "iu" for bits in (4, 8, 16, 32, 64)},
    "u1": "U1", "u2": "U2", "u3": "U3", "u6": "U6", "nf4": "NF4", "f8e4m3": "F8E4M3", "f8e5m2": "F8E5M2", "f8e8m0": "F8E8M0", "f4e2m1": "F4E2M1",
}  # fmt: skip
models.TYPES.update({precision: type_ for type_, precision in PRECISIONS.items()})
_USUAL = [PRECISIONS[one] for one in ("f32", "f16", "bf16", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "boolean")]  # fmt: skip
_PACKED = {"f32": "f", "f64": "d", "f16": "e", "i8": "b", "u8": "B", "i16": "h", "u16": "H", "i32": "i", "u32": "I", "i64": "q", "u64": "Q", "boolean": "?"}  # fmt: skip
_BITS = {"bf16": 16, "i4": 4, "u4": 4, "nf4": 4, "f4e2m1": 4, "u1": 1, "u2": 2, "u3": 3, "u6": 6, "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8}  # fmt: skip
_FEW = ("f16", "i32", "u8")  # types that each value of an attribute is tried with
_PAIRS = 15  # combinations of types of two groups of inputs
_SEVERAL = 15  # variants with several changes
_MANY = 1 << 14  # elements of a constant
Values = dict[str, list[str]]  # of attributes that have few


def values_of(row: dict[str, Any]) -> Values:
    """Return the values that attributes may have, where these are few."""
    found: Values = {}
    for one in row.get("attributes", ()):
        if one["kind"] == "boolean":
            found[one["name"]] = ["true", "false"]
        elif one["kind"] == "element_type":
            found[one["name"]] = one.get("values", list(PRECISIONS))
        elif one["kind"] == "enum" and "values" in one:
            found[one["name"]] = one["values"]
    return found


def variants(base: Record, values: Values) -> Iterator[Record]:
    """Yield the records with one change, then with two, then with several."""
    yield from _forms(base)
    for name, some in values.items():
        for changed in (_with_attribute(base, name, value) for value in [None, *some]):
            yield changed
            yield from (_with_group(changed, 0, PRECISIONS[one]) for one in _FEW)
    yield from _typed(base)
    for form in (base, _with_constants(base)):
        yield from _opened(form)
    for ranked in _ranked(base):
        yield ranked
        yield from list(_opened(ranked))[:1]
    chance = Random(0)
    yield from (drawn(base, values, chance) for _ in range(_SEVERAL))


def drawn(base: Record, values: Values, chance: Random) -> Record:
    """Return a record with several changes."""
    made = base
    for name in chance.sample(sorted(values), min(len(values), chance.randrange(3))):
        made = _with_attribute(made, name, chance.choice(values[name]))
    if chance.random() < 0.4:
        made = chance.choice([made, *_ranked(made)])
    for k in range(len(_groups(base))):
        if chance.random() < 0.5:
            made = _with_group(made, k, chance.choice(_USUAL))
    if made["inputs"] and chance.random() < 0.2:
        made = _retyped(made, (chance.randrange(len(made["inputs"])),), chance.choice(_USUAL))
    made = chance.choice([made, *_forms(made)])
    return chance.choice([*_opened(made), made]) if chance.random() < 0.3 else made


def _groups(base: Record) -> list[tuple[int, ...]]:
    """Return the inputs that have one type, which mostly depend on each other."""
    found: dict[str, list[int]] = {}
    for k, (precision, _) in enumerate(base["inputs"]):
        found.setdefault(precision, []).append(k)
    return [tuple(some) for some in found.values()]


def _typed(base: Record) -> Iterator[Record]:
    """Yield the record with each type of each group of inputs, of each input, and with some of two groups. Types of fewer bits are left out:
    layers have them as constants only, behind a Convert."""
    groups = _groups(base)
    for group in groups:
        yield from (_retyped(base, group, precision) for precision in (*_USUAL, "STRING"))
        yield from (_with_constants(_retyped(base, group, precision)) for precision in _USUAL)
    for k in range(len(base["inputs"])):
        yield from (_retyped(base, (k,), precision) for precision in _USUAL)
    chance = Random(1)
    for k, first in enumerate(groups):
        for second in groups[k + 1 :]:
            for one, other in chance.sample(list(product(_USUAL, _USUAL)), _PAIRS):
                yield _retyped(_retyped(base, first, one), second, other)


def _with_group(base: Record, k: int, precision: str) -> Record:
    groups = _groups(base)
    return _retyped(base, groups[k], precision) if k < len(groups) else base


def _retyped(base: Record, places: Sequence[int], precision: str) -> Record:
    inputs = [[precision, dims] if k in places else [was, dims] for k, (was, dims) in enumerate(base["inputs"])]
    return {**base, "inputs": inputs}


def _with_attribute(base: Record, name: str, value: str | None) -> Record:
    data = {key: was for key, was in base["data"].items() if key != name}
    return {**base, "data": data if value is None else {**data, name: value}}


def _forms(base: Record) -> Iterator[Record]:
    """Yield a record with other inputs that are constants: its own, none, one less, all but the first."""
    own = base.get("constants", {})
    yield base
    for gone in own if len(own) > 1 else ():
        yield {**base, "constants": {key: value for key, value in own.items() if key != gone}}
    if own:
        yield {**base, "constants": {}}
    for k in range(1, len(base["inputs"])):
        if str(k) not in own:
            yield _with_constants(base, (k,))
    yield _with_constants(base)


def _with_constants(base: Record, places: Sequence[int] = ()) -> Record:
    """Return a record with constants at some inputs, or at all but the first."""
    own = dict(base.get("constants", {}))
    for k, (_, dims) in enumerate(base["inputs"]):
        if (k in places or (k and not places)) and str(k) not in own and 0 <= _size(dims) < _MANY:
            own[str(k)] = [1] * _size(dims)
    return {**base, "constants": own}


def _opened(base: Record) -> Iterator[Record]:
    """Yield a record with open lengths: of all inputs, of each alone; all of them, the first, the last."""
    given = [k for k, (_, dims) in enumerate(base["inputs"]) if str(k) not in base.get("constants", {}) and dims]
    for places in {tuple(given), *((k,) for k in given)} if given else ():
        for where in (slice(None), slice(0, 1), slice(-1, None)):
            inputs = [list(one) for one in base["inputs"]]
            for k in places:
                dims = list(inputs[k][1])
                dims[where] = [-1] * len(dims[where])
                inputs[k] = [inputs[k][0], dims]
            yield {**base, "inputs": inputs}


def _ranked(base: Record) -> Iterator[Record]:
    """Yield a record with more or fewer dimensions: in front, and behind, where attributes have a number for each."""
    rank = max((len(dims) for _, dims in base["inputs"]), default=0)
    for count in (-2, -1, 1, 2, 3):
        yield _resized(base, rank, count, front=True)
        if rank + count > 0:
            yield _resized(base, rank, count, front=False)


def _resized(base: Record, rank: int, count: int, *, front: bool) -> Record:
    def of(items: Sequence[Any], fill: Any) -> list[Any]:
        if count < 0:
            return list(items[-count:] if front else items[:count])
        return [*[fill] * count, *items] if front else [*items, *[fill] * count]

    own = base.get("constants", {})
    inputs = [
        [precision, of(dims, 1 if front else dims[-1]) if len(dims) == rank and rank else dims]
        for precision, dims in base["inputs"]
    ]
    constants = {}
    for key, value in own.items():
        precision, dims = inputs[int(key)]
        if not front and len(dims) == 1 and len(value) in (rank, rank - 2):
            value, dims = of(value, value[-1]), [len(value) + count]
            inputs[int(key)] = [precision, dims]
        size = min(_size(dims), _MANY)
        constants[key] = [*value, *[1] * size][:size]
    data = dict(base["data"])
    for name, text in data.items() if not front else ():
        words = [word.strip() for word in str(text).split(",")]
        if len(words) == rank - 2 and all(word.lstrip("-").isdecimal() for word in words) and "," in str(text):
            data[name] = ",".join(of(words, words[-1]))
    return {**base, "inputs": inputs, "constants": constants, "data": data}


def _size(dims: Sequence[int]) -> int:
    """Return the number of elements; -1 if a length is open."""
    return -1 if min(dims, default=0) < 0 else prod(dims)


def model_of(record: Record) -> tuple[bytes, bytes] | None:
    """Return the text of a model and its constants; None if these cannot be written."""
    packed = {}
    for key, value in record.get("constants", {}).items():
        if (data := _bytes(value, models.TYPES[record["inputs"][int(key)][0]])) is None:
            return None
        packed[key] = data
    made = models.model("", record, packed)
    return made.text.encode(), made.weights


def _bytes(values: Sequence[float], type_: str) -> bytes | None:
    if type_ in _BITS:
        return b"\0" * -(-len(values) * _BITS[type_] // 8)
    if type_ not in _PACKED:
        return None
    try:
        code = _PACKED[type_]
        return struct.pack(f"<{len(values)}{code}", *(one if code in "efd?" else int(one) for one in values))
    except (struct.error, OverflowError, ValueError):
        return None
