"""Where a constant's bytes may be: sizes that its shape and type require, and gaps between other constants."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import SURE
from irlint.formats.openvino.passes.sizes import byte_count
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES, IrLayer
from irlint.formats.openvino.reading.reader import IrSection
from irlint.text.numbers import decimal

_DIGITS = 18  # of an offset or a size


def storage_values(section: IrSection, index: int, name: str) -> Iterator[tuple[str, int]]:
    """Yield values for the attributes that declare where a constant's bytes are."""
    data = section.layers[index].attributes
    need = byte_count(data.get("element_type", ""), data.get("shape", ""))
    if name == "size" and need is not None:
        yield str(need), SURE if _is_declared(section.layers[index]) else 0
    elif name == "offset":
        length = need if need is not None else _number(data.get("size"))
        if length is not None:
            yield from ((str(start), rank) for start, rank in _gaps(section, index, length))
    elif name == "shape":
        yield from _shapes(section, index)


def is_shape(text: str) -> bool:
    """Return whether a shape can be read."""
    return byte_count("u8", text) is not None


def fits_size(layer: IrLayer, type_: str | None = None, shape: str | None = None) -> bool:
    """Return whether a constant's size matches its type and shape, one of which may be replaced."""
    data = layer.attributes
    if layer.type != "Const":
        return False
    type_, shape = type_ or data.get("element_type", ""), data.get("shape", "") if shape is None else shape
    return str(byte_count(type_, shape)) == data.get("size")


def _is_declared(layer: IrLayer) -> bool:
    """Return whether a constant's port declares the type and shape of its attributes."""
    data, declared = layer.attributes, [value.type for value in layer.outputs.values[:1]]
    dims = [piece.strip() for piece in data.get("shape", "").split(",") if piece.strip()]
    dtype = ELEMENT_TYPES.get(data.get("element_type", ""))
    return dtype is not None and any(
        type_.dtype == dtype and type_.shape is not None and dims == [*map(str, type_.shape)] for type_ in declared
    )


def _ranges(section: IrSection, index: int) -> list[tuple[int, int]]:
    others = [layer.attributes for k, layer in enumerate(section.layers) if layer.type == "Const" and k != index]
    found = [(_number(data.get("offset")), _number(data.get("size"))) for data in others]
    return sorted((offset, offset + size) for offset, size in found if offset is not None and size is not None)


def _number(text: str | None) -> int | None:
    """Return a number of bytes; None if the text is not a valid one."""
    return decimal(text, _DIGITS) if text else None


def _gaps(section: IrSection, index: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield offsets of gaps between other constants: those of exactly the right length first."""
    end, loose = 0, []
    for start, stop in _ranges(section, index):
        if start - end == length:
            yield end, 0
        elif start - end > length:
            loose.append(end)
        end = max(end, stop)
    loose.append(end)
    yield from ((start, 1) for start in loose[:8])


def _shapes(section: IrSection, index: int) -> Iterator[tuple[str, int]]:
    """Yield shapes with one dimension that match the size."""
    data = section.layers[index].attributes
    size, one = _number(data.get("size")), byte_count(data.get("element_type", ""), "1")
    if one and size is not None and size % one == 0:
        yield str(size // one), 1
        if size == one:
            yield "", 1
