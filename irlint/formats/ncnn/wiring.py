"""Which layer defines each blob, and which layers read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from operator import attrgetter, lt

from irlint.graph import Source
from irlint.records import NamedTuple
from irlint.text.layers import Layer

_INPUTS, _OUTPUTS = attrgetter("inputs"), attrgetter("outputs")
_source: Callable[[tuple[int, int]], Source] = partial(tuple.__new__, Source)


class Wiring(NamedTuple):
    """What the names of blobs say. The last three are whether anything has to be looked at more closely."""

    defined: Mapping[str, Source]  # by name; of equal names the first, which layers that read it get
    outputs: list[Source]  # blobs that no layer reads: those the runtime calls outputs
    is_undefined: bool  # a name that no layer above defines is read
    is_twice: bool  # a name is defined twice
    is_shared: bool  # a blob is read by several layers


def wire(rows: Sequence[Layer]) -> Wiring:
    inputs, outputs = list(map(_INPUTS, rows)), list(map(_OUTPUTS, rows))
    read, made = list(chain.from_iterable(inputs)), list(chain.from_iterable(outputs))
    sources = list(map(_source, zip(_layers(outputs), chain.from_iterable(map(range, map(len, outputs))), strict=True)))
    defined = dict(zip(made, sources, strict=True))
    is_twice = len(defined) < len(made)
    if is_twice:
        defined = dict(zip(reversed(made), reversed(sources), strict=True))
    readers = set(read)
    unread = [
        source
        for name, source in zip(made, sources, strict=True)
        if name not in readers or (is_twice and defined[name] is not source)
    ]
    found = list(map(defined.get, read))
    is_undefined = not all(found) or not all(map(lt, found, zip(_layers(inputs), strict=True)))
    return Wiring(defined, unread, is_undefined, is_twice, len(readers) < len(read) and _is_shared(rows))


def _layers(names: Sequence[tuple[str, ...]]) -> Iterator[int]:
    """Yield the layer of each name."""
    return chain.from_iterable(map(repeat, range(len(names)), map(len, names)))


def _is_shared(rows: Sequence[Layer]) -> bool:
    reader: dict[str, int] = {}
    return any(reader.setdefault(name, index) != index for index, row in enumerate(rows) for name in row.inputs)


def copies(rows: Sequence[Layer]) -> set[int]:
    """Return the layers that repeat one above to the letter. Their blobs cannot be asked for, so that they are never computed."""
    seen: set[tuple[object, ...]] = set()
    written = [(row.op, row.inputs, row.outputs, row.params) for row in rows]
    return {k for k, one in enumerate(written) if one in seen or seen.add(one)}  # type: ignore[func-returns-value]
