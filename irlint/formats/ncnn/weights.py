"""The .bin next to a model: what each layer reads of it, in the order of the file. Of the weights only the tags are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import compress

from irlint.checks.signature import evaluate, label_of, named
from irlint.files.side_files import StoredBytes, foreign
from irlint.findings import Problem
from irlint.formats.layers_graph import weights_file
from irlint.formats.ncnn.arguments import STRICT, arguments, oldest, signature, values_of
from irlint.formats.ncnn.parameters import faults, faults_of, odd_layers
from irlint.formats.ncnn.rules import R
from irlint.graph import NOWHERE, Node, label
from irlint.missing_weights import unopened
from irlint.operators import Attribute, table
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.layers.document import LayerDocument
from irlint.text.layers.values import parameters
from irlint.text.words import count

# What a tag of four bytes before weights means: bytes of an element, and of a table before them.
_TAGS = {0: (4, 0), 0x01306B47: (2, 0), 0x01348B83: (2, 0), 0x000D4B38: (1, 0), 0x0002C056: (4, 0), 1: (1, 1024)}
_BFLOAT16, _INT8 = 0x01348B83, 0x000D4B38
_TRIALS = 64  # layers, the nearest above a wrong tag, whose size may explain it
_NAME = re.compile(r"[A-Za-z_]\w*")
Data = StoredBytes | bytes


class StoredWeight(NamedTuple):
    name: str
    size: int  # elements
    storage: str  # float, flag, bytes


class ReadingStop(NamedTuple):
    """Where reading cannot go on."""

    row: int
    weight: StoredWeight
    offset: int
    tag: int | None  # None: the file ends


@lru_cache(maxsize=1 << 16)
def weights_of(op: str, params: str) -> tuple[StoredWeight, ...] | None:
    """Return what a layer reads; None if that cannot be known."""
    operator = table("ncnn").get(op)
    if operator is None:
        return None
    values, found = values_of(op, params), list[StoredWeight]()
    for facts in operator.facts.get("weights", ()):
        if "when" in facts and not evaluate(facts["when"], values):
            continue
        size = evaluate(facts["size"], values)
        if not isinstance(size, int) or size < 0:
            return None
        if size:
            found.append(StoredWeight(facts["name"], size, facts.get("storage", "float")))
    return tuple(found)


def weight_problems(model: Model, document: LayerDocument) -> Iterator[Problem]:
    file = weights_file(model)
    if file is None or model.path is None:
        return
    layers = layers_of(model, document)
    needing = list(compress(model.graph.nodes, layers))
    if not needing:
        return
    at, what = model.graph.place(needing[0], "op"), f"weights file {file.path.name!r}"
    need = f"{count(len(needing), 'layer')} {'reads' if len(needing) == 1 else 'read'} it"
    if (trouble := unopened(model, file, at, need, is_named=False)) is not None:
        yield trouble
    elif (kind := foreign(file.data)) is not None and _tag(file.data, 0) not in _TAGS:
        yield Problem(R.weights_format, at, f"{what} is {kind}; {need}")
    else:
        yield from _read_problems(model, document, _WeightsReader(file.data, layers, oldest(model) >= STRICT), what)


def _read_problems(model: Model, document: LayerDocument, reader: _WeightsReader, file: str) -> Iterator[Problem]:
    stop, end = reader.read(0, 0)
    if stop is None:
        yield from _bytes_for_floats(model, document, reader)
        if end is not None and end < reader.size:
            message = f"the layers use only the first {end} of {reader.size} bytes of {file}"
            yield Problem(R.unused_weights, Place(("layers",)), message)
    elif not any(
        NOWHERE in node.inputs for node in model.graph.nodes
    ):  # else layers are missing, and so are their weights
        yield _stopped(model, document, reader, stop, file)


def layers_of(model: Model, document: LayerDocument) -> list[tuple[StoredWeight, ...] | None]:
    """Return what each layer reads; None of those that are wrong themselves: a wrong size is found there."""
    layers = [weights_of(row.op, row.params) for row in document.rows]
    nodes, target = model.graph.nodes, oldest(model)
    unknown = [
        k for k in odd_layers(model, document) if any(one.is_error for one in faults_of(document.rows[k], target))
    ]
    if model.silent:
        unknown += [node.index for node in nodes if id(node) in model.silent]
    for k in unknown:
        layers[k] = None
    return layers


def _stopped(model: Model, document: LayerDocument, reader: _WeightsReader, stop: ReadingStop, file: str) -> Problem:
    """Return why the file cannot be read further."""
    node, name = model.graph.nodes[stop.row], stop.weight.name
    if stop.tag is None:
        message = f"{file} ends at byte {reader.size}, in {name} of {label(node)}"
        return Problem(R.weights_too_short, model.graph.place(node, "op"), message, node.name)
    if (cause := _cause(reader, model, document, stop.row)) is not None:
        return _mismatch(model, *cause, file)
    message = f"{file} does not fit: expected a tag before {name} of {label(node)} at byte {stop.offset}, got 0x{stop.tag:08X}"
    at, note = (
        model.graph.place(node, "op"),
        "the file belongs to another model, or a layer with weights was changed, added or removed above",
    )
    if None not in reader.layers:
        note = f"the layers read {sum(map(reader.expected, reader.layers))} bytes, the file has {reader.size}: {note}"
    return Problem(R.weights_mismatch, at, message, node.name, related=[(note, at)])


def _bytes_for_floats(model: Model, document: LayerDocument, reader: _WeightsReader) -> Iterator[Problem]:
    """Report layers whose weights are bytes, but which have no scales for them: the runtime crashes."""
    for k in [k for k, tag in reader.first.items() if tag == _INT8]:
        node, known = model.graph.nodes[k], table("ncnn").get(model.graph.nodes[k].op)
        scales = signature(node.op).by_label.get("int8_scale_term") if known else None
        if known is not None and scales is not None and not arguments(known, node.attrs).get("int8_scale_term"):
            part = f"attr:{scales.name}" if scales.name in node.attrs else "op"
            message = f"weights of {label(node)} are stored as int8, which needs {named(scales)}"
            yield Problem(R.weights_mismatch, model.graph.place(node, part), message, node.name)


class _WeightsReader:
    def __init__(self, data: Data, layers: list[tuple[StoredWeight, ...] | None], newest: bool) -> None:
        self.data, self.layers, self.size = data, layers, len(data)
        self.tags = _TAGS if newest else {tag: size for tag, size in _TAGS.items() if tag != _BFLOAT16}
        self.starts: dict[int, int] = {}  # of layers with weights
        self.usual: int | None = None  # the first tag
        self.first: dict[int, int] = {}  # the first tag of layers with weights

    def read(self, row: int, offset: int) -> tuple[ReadingStop | None, int | None]:
        """Read what layers from `row` on read; return where that stops, or the end, None if it is unknown."""
        for k in range(row, len(self.layers)):
            weights = self.layers[k]
            if weights is None:
                return None, None
            if weights:
                self.starts[k] = offset
            for weight in weights:
                tag = _tag(self.data, offset) if weight.storage == "flag" else 0
                if tag not in self.tags and offset + 4 <= self.size:
                    return ReadingStop(k, weight, offset, tag), None
                taken = bytes_of(weight, tag)
                if offset + taken > self.size:
                    return ReadingStop(k, weight, offset, None), None
                if weight.storage == "flag":
                    self.usual = tag if self.usual is None else self.usual
                    self.first.setdefault(k, tag)
                offset += taken
        return None, offset

    def expected(self, weights: tuple[StoredWeight, ...] | None) -> int:
        """Return the bytes of weights that are stored as the first ones are."""
        return sum(bytes_of(weight, self.usual or 0) for weight in weights or ())


def _tag(data: Data, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 4], "little")


def bytes_of(weight: StoredWeight, tag: int) -> int:
    width, before = _TAGS.get(tag, (4, 0)) if weight.storage == "flag" else (4 if weight.storage == "float" else 1, -4)
    return 4 + before + (weight.size * width + 3) // 4 * 4


def _cause(
    reader: _WeightsReader, model: Model, document: LayerDocument, last: int
) -> tuple[Node, Attribute, int] | None:
    """Return the parameter of a layer above with another value of which all weights fit the file, and that value.

    Between two tags many layers may have the wrong size. What says nothing but how much is stored is more likely to be wrong than what
    the next layer depends on, too.
    """
    layers, target = reader.layers.copy(), oldest(model)
    likely, others = list[tuple[Node, Attribute, int]](), list[tuple[Node, Attribute, int]]()
    if None in layers:
        return None
    below = sum(map(reader.expected, layers[last + 1 :]))
    for k in [k for k in range(last, -1, -1) if k in reader.starts][:_TRIALS]:
        row, node, known = document.rows[k], model.graph.nodes[k], layers[k]
        for attribute, value, params in _changes(reader, row.op, row.params, reader.size - reader.starts[k] - below):
            layers[k] = weights_of(row.op, params)
            told = faults(row.op, params, row.counts, target)
            again = _WeightsReader(reader.data, layers, target >= STRICT)
            if again.read(k, reader.starts[k]) == (None, reader.size) and not any(fault.is_error for fault in told):
                is_size = label_of(attribute) == "weight_data_size" or _is_flag(attribute)
                (likely if is_size else others).append((node, attribute, value))
        layers[k] = known
        below += reader.expected(known)
    best = likely or others
    return best[0] if len(best) == 1 else None


def _is_flag(attribute: Attribute) -> bool:
    return attribute.meanings.keys() == {"0", "1"}


def _changes(reader: _WeightsReader, op: str, params: str, wanted: int) -> Iterator[tuple[Attribute, int, str]]:
    """Yield other values of parameters with which a layer reads as many bytes as are wanted."""
    operator = signature(op).operator
    attrs, values = parameters(params), values_of(op, params)
    used = {
        word
        for facts in operator.facts["weights"]
        for word in _NAME.findall(f"{facts['size']} {facts.get('when', '')}")
    }
    for attribute in operator.attributes.values():
        key, value = attribute.name, values.get(label_of(attribute))
        if label_of(attribute) not in used or type(value) is not int or attrs.get(key, value) != value:
            continue
        written = partial(_written, params, key)
        unit = evaluate(attribute.facts.get("multiple_of", "1"), values) or 1
        size, next_size = (reader.expected(weights_of(op, written(n))) for n in (value, value + unit))
        step = next_size - size
        other = 1 - value if _is_flag(attribute) else value + ((wanted - size) // step * unit if step else 0)
        if other != value and other >= 0 and reader.expected(weights_of(op, written(other))) == wanted:
            yield attribute, other, written(other)


def _written(params: str, key: str, value: int) -> str:
    changed, times = re.subn(rf"(?<!\S){key}=\S+", f"{key}={value}", params)
    return changed if times else f"{params} {key}={value}".strip()


def _mismatch(model: Model, node: Node, attribute: Attribute, value: int, file: str) -> Problem:
    from irlint.checks.fault import Fault, Subject
    from irlint.formats.ncnn.grammar import GRAMMAR  # only files with such a layer need it

    key, is_written = attribute.name, attribute.name in node.attrs
    got = node.attrs[key] if is_written else "no such parameter"
    message, rest = f"expected {value} for {named(attribute)} of", f" to match {file}, got {got}"
    better, change = (str(value), "write") if is_written else (f"{key}={value}", "insert")
    part = f"attr:{key}" if is_written else "op"
    fault = Fault(R.weights_mismatch, part, message, rest, better, change=change)
    return GRAMMAR.problem(Subject.of(model.graph, node), fault)
