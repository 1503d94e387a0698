"""Which layer defines each blob, and which layers read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from operator import attrgetter

from irlint.graph import Source
from irlint.records import NamedTuple
from irlint.text.layers import Layer

_INPUTS, _OUTPUTS = attrgetter("inputs"), attrgetter("outputs")


class Wiring(NamedTuple):
    """What the names of blobs say. The last three are whether anything has to be looked at more closely."""

    defined: Mapping[str, Source]  # by name; of equal names the first, which layers that read it get
    outputs: list[Source]  # blobs that no layer reads: those the runtime calls outputs
    is_undefined: bool  # a name that no layer above defines is read
    is_twice: bool  # a name is defined twice
    is_shared: bool  # a blob is read by several layers


def wire(rows: Sequence[Layer]) -> Wiring:
    defined: dict[str, Source] = {}
    read = list(chain.from_iterable(map(_INPUTS, rows)))
    made = [(name, Source(k, j)) for k, names in enumerate(map(_OUTPUTS, rows)) for j, name in enumerate(names)]
    defined = dict(made)
    is_twice = len(defined) < len(made)
    if is_twice:
        defined = dict(reversed(made))
    readers = set(read)
    outputs = [source for name, source in made if name not in readers or defined[name] is not source]
    is_shared = len(readers) < len(read) and _is_shared(rows)
    return Wiring(defined, outputs, _is_undefined(rows, defined), is_twice, is_shared)


def _is_undefined(rows: Sequence[Layer], defined: Mapping[str, Source]) -> bool:
    for index, names in enumerate(map(_INPUTS, rows)):
        for name in names:
            if name not in defined or defined[name][0] >= index:
                return True
    return False


def _is_shared(rows: Sequence[Layer]) -> bool:
    reader: dict[str, int] = {}
    return any(reader.setdefault(name, index) != index for index, row in enumerate(rows) for name in row.inputs)


def copies(rows: Sequence[Layer]) -> set[int]:
    """Return the layers that repeat one above to the letter. Their blobs cannot be asked for, so that they are never computed."""
    seen: set[tuple[object, ...]] = set()
    written = [(row.op, row.inputs, row.outputs, row.params) for row in rows]
    return {k for k, one in enumerate(written) if one in seen or seen.add(one)}  # type: ignore[func-returns-value]
