"""Tensors that a file declares, by the rows `tensors` of its table: where it names one more than once, and what else declares it, agree.

`at` is the pattern of what declares a tensor of a `side`; `name`, `data_type` and `dims` are patterns in there, if not those keys. `types`
are the types of values by their keys, `sizes` dimensions that are not written; `made` are tensors that no request has. Types are numbers,
those of `dtypes`. `batch` is the key of the largest batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import prod
from typing import Any

from irlint.codes import R
from irlint.companions.demands import Item, Tree, each
from irlint.companions.ports import PortList, Ports, find
from irlint.companions.report import Other, Report
from irlint.findings import OtherPlace
from irlint.graph import Shape
from irlint.records import NamedTuple
from irlint.text.base import Path


class DeclaredTensor(NamedTuple):
    """A tensor, and where its fields are; without `dims` these are open."""

    name: str
    dtype: str | None
    dims: list[int]
    row: Tree
    fields: Mapping[str, Path]
    has_batch: bool = False
    is_made: bool = False
    place: Path | OtherPlace | None = None

    @property
    def is_needed(self) -> bool:
        return not self.row.get("optional")


Tensors = Mapping[str, DeclaredTensor]


def declared(tree: Tree, table: Mapping[str, Any], side: str) -> Iterator[DeclaredTensor]:
    """Yield the inputs or the outputs that an object declares. A dimension for batches comes before those that are written if it has a size
    for these."""
    batch = (tree.get(table["batch"]) or 0) > 0
    for facts in table["tensors"]:
        for at in each(tree, facts["at"]) if facts["side"] == side else ():
            kind, dims = (_first(at, key, facts) for key in ("data_type", "dims"))
            code = facts.get("types", {}).get(kind.path[-1], kind.value)
            dtype = table["dtypes"][code] if isinstance(code, int) and 0 < code < len(table["dtypes"]) else None
            for name in list(each(at.value, facts.get("name", "name"))) or [Item("", ("name",), at.value)]:
                fields = {"name": (*at.path, *name.path), "data_type": (*at.path, *kind.path)}
                fields["dims"] = fields["name"] if "sizes" in facts else (*at.path, *dims.path)
                sizes = facts.get("sizes", dims.value or [])
                yield DeclaredTensor(
                    str(name.value), dtype, sizes, at.value, fields, batch, facts.get("made", False), at.path
                )


def requested(tree: Tree, table: Mapping[str, Any], side: str) -> dict[str, DeclaredTensor]:
    """Return those that requests and responses have, by name."""
    return {tensor.name: tensor for tensor in declared(tree, table, side) if not tensor.is_made}


def check_requests(
    tree: Tree, pattern: str, table: Mapping[str, Any], inputs: Tensors, of: str, report: Report
) -> None:
    """Compare requests that a program sends to a model by itself, if all inputs of this have names."""
    for sample in each(tree, pattern) if inputs and "" not in inputs else ():
        given = set[str]()
        for mine in declared(sample.value, table, "request"):
            at = {field: (*sample.path, *path) for field, path in mine.fields.items()}
            given.add(mine.name)
            if mine.name and report.known(mine.name, inputs, at["name"], of):
                compare(f"input {mine.name!r}", mine, inputs[mine.name], at["data_type"], at["dims"], report)
        if sample.value.get("batch_size") and given <= inputs.keys():
            left_out(sample.path, inputs, given, "", report)


def _first(at: Item, key: str, facts: Mapping[str, Any]) -> Item:
    return next(each(at.value, facts.get(key, key)), Item(None, (key,), at.value))


def of_model(ports: PortList, batch: bool) -> dict[str, DeclaredTensor]:
    """Return the inputs or outputs of a model, by all names, as a program completes a file with them. Dimensions are left out where it may
    take the first one for that of batches."""

    def sizes(shape: Shape | None) -> list[int]:
        return [size if isinstance(size, int) else -1 for size in (shape or ())[1:]] if batch else []

    found = {
        port.name: DeclaredTensor(
            port.name,
            port.type.dtype,
            sizes(port.type.shape),
            {"optional": not port.is_needed},
            {},
            batch,
            False,
            port.at,
        )
        for port in ports
    }
    return {name: found[port.name] for name, port in ports.named.items()}


def with_batch(
    sides: Iterable[tuple[list[DeclaredTensor], PortList]], at: Path, of: str, report: Report
) -> list[list[DeclaredTensor]]:
    """Return the tensors of each side that a file without batches declares. If all have the dimensions that a model has behind that of a
    batch, this is reported at the size of a batch, and they are compared as such."""
    sides = list(sides)
    pairs = [(mine, find(known, mine.name)) for tensors, known in sides for mine in tensors if not mine.is_made]
    shapes = [(mine.dims, port.type.shape if port is not None else None) for mine, port in pairs]
    if not shapes or not all(shape and _is_behind_batch(dims, shape) for dims, shape in shapes):
        return [tensors for tensors, _ in sides]
    words = f"all `dims` are those of {of} without the batch; expected a `{at[-1]}` of at least 1"
    report.say(R.contradictory_settings, at, words)
    return [[mine._replace(has_batch=True) for mine in tensors] for tensors, _ in sides]


def _is_behind_batch(dims: list[int], shape: Shape) -> bool:
    return bool(dims) and not isinstance(shape[0], int) and len(shape) == len(dims) + 1


def left_out(at: Path, known: Tensors, given: Iterable[str], of: str, report: Report) -> None:
    """Report inputs that are needed, but not given."""
    needed = {tensor.name: tensor.place for tensor in known.values() if tensor.is_needed}
    report.complete(at, needed, {known[name].name for name in given}, of)


def compare(
    of: str, mine: DeclaredTensor, real: DeclaredTensor, dtype: Path, dims: Path | None, report: Report
) -> None:
    """Report where two declarations of a tensor differ, at the paths of both; -1 is any size."""
    here: list[Other] = [] if real.place is None else [("declared here", real.place)]
    here += [("given here", mine.place)] if isinstance(mine.place, OtherPlace) else []
    report.claim(R.other_dtype, dtype, of, mine.dtype, real.dtype, None, here)
    if real.dims and dims is not None:
        said = mine.dims if len(mine.dims) == len(real.dims) else real.dims
        rest = tuple(None if -1 in pair else pair[1] for pair in zip(said, real.dims, strict=True))
        sizes = (*[None] * real.has_batch, *rest)
        report.shape(dims, of, mine.dims, sizes, here, real.has_batch, dims[-1] == "dims", is_right=False)


def as_served(mine: DeclaredTensor, side: str, opened: Callable[[], Ports | None]) -> DeclaredTensor:
    """Return a tensor of a configuration with the type and sizes of its model, which is reported where it is declared otherwise."""
    model = opened()
    port = None if model is None else find(getattr(model, f"{side}s"), mine.name)
    if port is None or "reshape" in mine.row:
        return mine
    sizes = (port.type.shape or ())[mine.has_batch :]
    dims = [own if isinstance(own, int) else size for size, own in zip(mine.dims, sizes, strict=False)]
    return mine._replace(dtype=port.type.dtype or mine.dtype, dims=dims if len(sizes) == len(mine.dims) else [])


def pieces(dims: list[int]) -> list[int]:
    """Return the numbers of elements from one -1 to the next."""
    pieces: list[list[int]] = [[]]
    for size in dims:
        pieces[-1].append(size) if size != -1 else pieces.append([])
    return [prod(piece) for piece in pieces]


def fits(dims: list[int], allowed: list[int]) -> bool:
    return len(dims) == len(allowed) and all(size in (-1, own) for own, size in zip(dims, allowed, strict=True))
