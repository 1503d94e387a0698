"""Which layer defines each blob, and which layers read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter

from irlint.formats.ncnn.document import Layer
from irlint.graph import NOWHERE, Source
from irlint.records import NamedTuple

_NAMES = attrgetter("inputs", "outputs")


class Wiring(NamedTuple):
    """What the names of blobs say. The last three are whether anything has to be looked at more closely."""

    defined: Mapping[str, Source]  # by name; of equal names the first, which layers that read it get
    outputs: list[Source]  # blobs that no layer reads: those the runtime calls outputs
    is_undefined: bool  # a name that no layer above defines is read
    is_twice: bool  # a name is defined twice
    is_shared: bool  # a blob is read by several layers

    def sources(self, index: int, row: Layer) -> list[Source]:
        """Return what a layer reads: blobs of layers above it."""
        find = self.defined.get
        found = [find(name, NOWHERE) for name in row.inputs]
        return [source if source[0] < index else NOWHERE for source in found] if self.is_undefined else found


def wire(rows: Sequence[Layer]) -> Wiring:
    defined: dict[str, Source] = {}
    reader: dict[str, int] = {}
    read_by = reader.setdefault
    is_undefined = is_twice = is_shared = False
    for index, (inputs, outputs) in enumerate(map(_NAMES, rows)):
        for name in inputs:
            if name not in defined:
                is_undefined = True
            elif read_by(name, index) != index:
                is_shared = True
        for k, name in enumerate(outputs):
            if name in defined:
                is_twice = True
            else:
                defined[name] = Source(index, k)
    results = [source for name, source in defined.items() if name not in reader]
    if is_twice:
        made = [(Source(k, j), name) for k, row in enumerate(rows) for j, name in enumerate(row.outputs)]
        results = sorted([*results, *[source for source, name in made if defined[name] != source]])
    return Wiring(defined, results, is_undefined, is_twice, is_shared)
