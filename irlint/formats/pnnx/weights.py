"""The weights of a pnnx graph: a zip archive of stored entries OPERATOR.NAME, next to the graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from irlint.codes import R
from irlint.files.npz import members
from irlint.files.side_files import SideFile, foreign
from irlint.findings import Problem
from irlint.formats.pnnx.values import Facts
from irlint.missing_weights import unopened
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.words import count

_BYTES = {"bool": 1, "complex32": 4}


def weight_problems(model: Model, facts: Sequence[Facts]) -> Iterator[Problem]:
    wanted = [(k, name) for k, one in enumerate(facts) for name in one.weights]
    path = model.weights or (model.path.with_suffix(".bin") if model.path else None)
    if not wanted or path is None:
        return
    first = Place((wanted[0][0], "value", f"@{wanted[0][1]}"))
    file = SideFile(path, None if model.weights else model.path)
    need = f"{count(len(wanted), 'tensor')} {'is' if len(wanted) == 1 else 'are'} read from it"
    if (trouble := unopened(model, file, first, need, is_named=False)) is not None:
        yield trouble
    else:
        yield from _compare(model, facts, wanted, file, first)


def _compare(
    model: Model, facts: Sequence[Facts], wanted: Sequence[tuple[int, str]], file: SideFile, first: Place
) -> Iterator[Problem]:
    name = file.path.name
    entries = _entries(file)
    if entries is None:
        what = foreign(file.data) or "damaged or another kind of file"
        yield Problem(R.weights_format, first, f"expected {name!r} to be a zip archive of stored entries; it is {what}")
        return
    used = set()
    for k, key in wanted:
        node, type_ = model.graph.nodes[k], facts[k].weights[key]
        entry = f"{node.name}.{key}"
        used.add(entry)
        if type_.dtype is None or type_.shape is None or 0 in type_.shape:
            continue
        size = prod(int(str(n)) for n in type_.shape) * _size(type_.dtype)
        at = Place((k, "value", f"@{key}"))
        if (stored := entries.get(entry)) is None:
            yield Problem(R.missing_weights, at, f"{name!r} has no entry {entry!r}", node.name)
        elif stored < 0:
            message = f"entry {entry!r} of {name!r} is compressed or streamed; pnnx reads stored entries only"
            yield Problem(R.weights_format, at, message, node.name)
        elif stored != size:
            rule = R.weights_too_short if stored < size else R.weights_mismatch
            message = f"expected {size:,} bytes of {entry!r} in {name!r}, got {stored:,}"
            yield Problem(rule, at, message, node.name)
    if idle := [entry for entry in entries if entry not in used]:
        more = f" and {len(idle) - 1:,} more" if len(idle) > 1 else ""
        yield Problem(R.unused_weights, first, f"{name!r} has entries that no operator reads: {idle[0]!r}{more}")


def _entries(file: SideFile) -> dict[str, int] | None:
    """Return the sizes of the entries, -1 of those that pnnx cannot read; None if it is not an archive."""
    try:
        found = members(file.data)
    except ValueError:
        return None
    return {one.filename: -1 if one.compress_type or one.flag_bits & 8 else one.file_size for one in found}


def _size(dtype: str) -> int:
    return _BYTES.get(dtype) or int("".join(filter(str.isdigit, dtype))) // 8
