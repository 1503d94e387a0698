"""The .bin next to a model: what each layer reads of it, in the order of the file. Of the weights only the tags are read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import compress
from operator import attrgetter

from irlint.findings import Problem
from irlint.formats.ncnn.arguments import arguments, evaluate
from irlint.formats.ncnn.codes import R
from irlint.formats.ncnn.parameters import Fault, faults, problem_of
from irlint.formats.ncnn.releases import STRICT, oldest
from irlint.graph import Node, label
from irlint.operators import Attribute, table
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.side_file import SideFile, StoredBytes, foreign, is_pointer
from irlint.text.base import Place
from irlint.text.layers import LayerDocument
from irlint.text.layers_values import parameters
from irlint.text.words import count

# What a tag of four bytes before weights means: bytes of an element, and of a table before them.
_TAGS = {0: (4, 0), 0x01306B47: (2, 0), 0x01348B83: (2, 0), 0x000D4B38: (1, 0), 0x0002C056: (4, 0), 1: (1, 1024)}
_BFLOAT16, _INT8 = 0x01348B83, 0x000D4B38
_TRIALS = 64  # layers, the nearest above a wrong tag, whose size may explain it
_NAME = re.compile(r"[A-Za-z_]\w*")
_WRITTEN = attrgetter("op", "params")
Data = StoredBytes | bytes


class Weight(NamedTuple):
    name: str
    size: int  # elements
    storage: str  # float, flag, bytes


class Stop(NamedTuple):
    """Where reading cannot go on."""

    row: int
    weight: Weight
    offset: int
    tag: int | None  # None: the file ends


@lru_cache(maxsize=1 << 16)
def weights_of(op: str, params: str) -> tuple[Weight, ...] | None:
    """Return what a layer reads; None if that cannot be known."""
    operator = table("ncnn").get(op)
    if operator is None:
        return None
    values, found = arguments(operator, parameters(params)), list[Weight]()
    for facts in operator.facts.get("weights", ()):
        if "when" in facts and not evaluate(facts["when"], values):
            continue
        size = evaluate(facts["size"], values)
        if not isinstance(size, int) or size < 0:
            return None
        if size:
            found.append(Weight(facts["name"], size, facts.get("storage", "float")))
    return tuple(found)


def weight_problems(model: Model, document: LayerDocument) -> Iterator[Problem]:
    rows, nodes = document.rows, model.graph.nodes
    layers = model.memory.each("weights", rows, None, lambda _, row: weights_of(*_WRITTEN(row)))
    if model.silent:
        layers = [None if id(node) in model.silent else layer for node, layer in zip(nodes, layers, strict=True)]
    needing = list(compress(nodes, layers))
    if model.path is None or not needing:
        return
    path = model.weights or model.path.with_suffix(".bin")
    file = SideFile(path, None if model.weights else model.path)
    if (trouble := _trouble(model, file, needing)) is not None:
        yield trouble
        return
    reader = _Reader(file.data, layers, oldest(model) >= STRICT)
    found = os.stat(file.path)
    given = (file.path, found.st_mtime_ns, found.st_size, layers)
    stop, end = model.memory.once("weights file", given, lambda: reader.read(0, 0))
    if stop is None:
        yield from _bytes_for_floats(model, document, reader)
        if end is not None and end < reader.size:
            message = f"the layers use only the first {end} of {reader.size} bytes of weights file {path.name!r}"
            yield Problem(R.unused_weights, Place(("layers",)), message)
        return
    node, name = nodes[stop.row], stop.weight.name
    if stop.tag is None:
        reach = f"expects {name} from byte {stop.offset} of weights file {path.name!r}"
        message = f"{label(node)} {reach}, past the end ({count(reader.size, 'byte')})"
        yield Problem(R.weights_too_short, _size_place(model, node), message, node.name)
    elif (cause := _cause(reader, model, document, stop.row)) is not None:
        yield _mismatch(model, *cause, path.name)
    else:
        message = f"unknown tag 0x{stop.tag:08X} before {name} of {label(node)} at byte {stop.offset} of weights file {path.name!r}"
        note = "sizes of the layers up to here do not fit the file, or the file belongs to another model"
        at = _size_place(model, node)
        yield Problem(R.weights_mismatch, at, message, node.name, related=[(note, at)])


def _bytes_for_floats(model: Model, document: LayerDocument, reader: _Reader) -> Iterator[Problem]:
    """Report layers whose weights are bytes, but which have no scales for them: the runtime crashes."""
    for k in [k for k, tag in reader.first.items() if tag == _INT8]:
        node, known = model.graph.nodes[k], table("ncnn").get(model.graph.nodes[k].op)
        scales = {a.facts["label"]: a.name for a in known.attributes.values()}.get("int8_scale_term") if known else None
        if known is not None and scales is not None and not arguments(known, node.attrs).get("int8_scale_term"):
            part = f"attr:{scales}" if scales in node.attrs else "op"
            message = f"weights of {label(node)} are stored as int8, which needs `{scales}` (int8_scale_term)"
            yield Problem(R.weights_mismatch, model.graph.place(node, part), message, node.name)


def _trouble(model: Model, file: SideFile, needing: list[Node]) -> Problem | None:
    """Report a .bin that is not there or is something else."""
    at, name = model.graph.place(needing[0], "op"), f"weights file {file.path.name!r}"
    need = f"{count(len(needing), 'layer')} {'reads' if len(needing) == 1 else 'read'} weights"
    if file.state == "missing":
        from irlint.missing_weights import missing

        message = f"{name} not found next to the model; {need}"
        return missing(model, R.missing_weights, at, message, file.path, is_named=False)
    if file.state == "outside":
        return Problem(
            R.unsafe_path, at, f"{name} is a link to a file outside the model's folder; irlint does not open it"
        )
    if file.state != "open":
        what = "is not a regular file" if file.state == "odd" else "cannot be read"
        return Problem(R.weights_format, at, f"{name} {what}; {need}")
    if is_pointer(file.data):
        from irlint.missing_weights import pointer

        return pointer(model, R.weights_format, at, f"{name} is {foreign(file.data)}")
    if (kind := foreign(file.data)) is not None and int.from_bytes(file.data[:4], "little") not in _TAGS:
        return Problem(R.weights_format, at, f"{name} is {kind}; {need}")
    return None


class _Reader:
    def __init__(self, data: Data, layers: list[tuple[Weight, ...] | None], newest: bool) -> None:
        self.data, self.layers, self.size = data, layers, len(data)
        self.tags = _TAGS if newest else {tag: size for tag, size in _TAGS.items() if tag != _BFLOAT16}
        self.starts: dict[int, int] = {}  # of layers with weights
        self.usual: int | None = None  # the first tag
        self.first: dict[int, int] = {}  # the first tag of layers with weights

    def read(self, row: int, offset: int) -> tuple[Stop | None, int | None]:
        """Read what layers from `row` on read; return where that stops, or the end, None if it is unknown."""
        for k in range(row, len(self.layers)):
            weights = self.layers[k]
            if weights is None:
                return None, None
            if weights:
                self.starts[k] = offset
            for weight in weights:
                tag = int.from_bytes(self.data[offset : offset + 4], "little") if weight.storage == "flag" else 0
                if tag not in self.tags and offset + 4 <= self.size:
                    return Stop(k, weight, offset, tag), None
                taken = bytes_of(weight, tag)
                if offset + taken > self.size:
                    return Stop(k, weight, offset, None), None
                if weight.storage == "flag":
                    self.usual = tag if self.usual is None else self.usual
                    self.first.setdefault(k, tag)
                offset += taken
        return None, offset

    def expected(self, weights: tuple[Weight, ...] | None) -> int:
        """Return the bytes of weights that are stored as the first ones are."""
        return sum(bytes_of(weight, self.usual or 0) for weight in weights or ())


def bytes_of(weight: Weight, tag: int) -> int:
    width, before = _TAGS.get(tag, (4, 0)) if weight.storage == "flag" else (4 if weight.storage == "float" else 1, -4)
    return 4 + before + (weight.size * width + 3) // 4 * 4


def _cause(reader: _Reader, model: Model, document: LayerDocument, last: int) -> tuple[Node, str, int] | None:
    """Return the parameter of a layer above with another value of which all weights fit the file, and that value.

    Between two tags many layers may have the wrong size. What says nothing but how much is stored is likelier to be wrong than what
    the next layer depends on, too.
    """
    layers, starts = reader.layers, reader.starts.copy()
    likely, others = list[tuple[Node, str, int]](), list[tuple[Node, str, int]]()
    if None in layers:
        return None
    below = sum(map(reader.expected, layers[last + 1 :]))
    for k in [k for k in range(last, -1, -1) if k in starts][:_TRIALS]:
        node, known = model.graph.nodes[k], layers[k]
        for attribute, value, params in _changes(
            reader, node, document.rows[k].params, reader.size - starts[k] - below
        ):
            layers[k] = weights_of(node.op, params)
            told = faults(node.op, params, (len(node.inputs), len(node.outputs)), oldest(model))
            if reader.read(k, starts[k]) == (None, reader.size) and not any(fault.is_error for fault in told):
                is_size = attribute.facts["label"] == "weight_data_size" or _is_flag(attribute)
                (likely if is_size else others).append((node, attribute.name, value))
        layers[k] = known
        below += reader.expected(known)
    best = likely or others
    return best[0] if len(best) == 1 else None


def _is_flag(attribute: Attribute) -> bool:
    return bool(attribute.facts.get("words", {}).keys() == {"0", "1"})


def _changes(reader: _Reader, node: Node, params: str, wanted: int) -> Iterator[tuple[Attribute, int, str]]:
    """Yield other values of parameters with which a layer reads as many bytes as are wanted."""
    operator = table("ncnn").get(node.op)
    assert operator is not None
    values = arguments(operator, parameters(params))
    used = {
        word
        for facts in operator.facts["weights"]
        for word in _NAME.findall(f"{facts['size']} {facts.get('when', '')}")
    }
    for attribute in operator.attributes.values():
        key, value = attribute.name, values.get(attribute.facts["label"])
        if attribute.facts["label"] not in used or type(value) is not int or node.attrs.get(key, value) != value:
            continue
        written = partial(_written, params, key)
        unit = evaluate(attribute.facts.get("multiple_of", "1"), values) or 1
        size, next_size = (reader.expected(weights_of(node.op, written(n))) for n in (value, value + unit))
        step = next_size - size
        other = 1 - value if _is_flag(attribute) else value + ((wanted - size) // step * unit if step else 0)
        if other != value and other >= 0 and reader.expected(weights_of(node.op, written(other))) == wanted:
            yield attribute, other, written(other)


def _written(params: str, key: str, value: int) -> str:
    changed, times = re.subn(rf"(?<!\S){key}=\S+", f"{key}={value}", params)
    return changed if times else f"{params} {key}={value}".strip()


def _mismatch(model: Model, node: Node, key: str, value: int, name: str) -> Problem:
    operator, is_written = table("ncnn").get(node.op), key in node.attrs
    assert operator is not None
    said = f"`{key}` ({operator.attributes[key].facts['label']}) of {{}}"
    got = node.attrs[key] if is_written else "no such parameter"
    message = f"expected {value} for {said} to match weights file {name!r}, got {got}"
    part, better = (f"attr:{key}", str(value)) if is_written else ("op", f"+{key}={value}")
    return problem_of(model.graph, node, Fault(R.weights_mismatch, part, message, better=better))


def _size_place(model: Model, node: Node) -> Place:
    """Return the place of the parameter that says how many weights a layer has."""
    operator = table("ncnn").get(node.op)
    sizes = {facts["size"] for facts in operator.facts["weights"]} if operator is not None else set()
    keys = [a.name for a in operator.attributes.values() if a.facts["label"] in sizes] if operator is not None else []
    key = next((key for key in reversed(keys) if key in node.attrs), None)
    return model.graph.place(node, "op" if key is None else f"attr:{key}")
