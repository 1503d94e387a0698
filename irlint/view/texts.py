"""What a box says: its title, key attributes and weights; everything else goes to the side panel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from irlint.dryrun.costs import completed, flops_of, is_heavy_node
from irlint.dryrun.dims import is_known, show_dim
from irlint.dryrun.dtypes import size
from irlint.dryrun.infer import Inference
from irlint.dryrun.known import DeclaredType
from irlint.dryrun.mapping import Call, Mapping
from irlint.dryrun.running.weights import Statistics, histogram, statistics, values
from irlint.dryrun.tensor import Tensor
from irlint.formats import by_name
from irlint.formats.remarks import Remarks, SourceModule
from irlint.graph import Graph, Node, Shape
from irlint.inspection.canonical import CanonicalNames
from irlint.inspection.types import type_lookup, type_text
from irlint.operators import Operator, titled
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.text.floats import spelled
from irlint.text.safe import visible, width
from irlint.text.words import size as as_bytes
from irlint.view import Box, Histogram, Line, Part, Section

TITLE, LETTER = 12 * 0.602, 11 * 0.602  # widths of a letter
TITLE_HEIGHT, NAME_HEIGHT, LINE_HEIGHT, BOTTOM = 20.0, 15.0, 15.0, 4.0
TIMES = "\N{MULTIPLICATION SIGN}"
_LONGEST = 30  # letters of a line
_ATTRIBUTES = 3
_PARTS, _FOUND = 100, 200  # parts of a box that a search finds, letters of each
_LONGEST_TEXT = 4000  # letters of documentation or of an entry of metadata
_USUAL = {"0", "false", "none", "null", "explicit", "()", "[]", "", "valid", "notset", "undefined"}
_TOLD_BY_TYPE = {"shape", "element_type", "output_type", "offset", "size", "variable_type", "variable_shape"}
_NAME = re.compile(r"[\w./:@-]{,80}")  # an attribute that is a name, which is shown even if it is long
_CATEGORIES = {
    "conv": ("convolution", "biased", "interleaved"),
    "matrix": ("matrix", "dense", "attention", "embedding", "linear", "products", "recurrent", "fused_rnn"),
    "norm": ("normalisation", "channel_norm", "losses"),
    "activation": ("activation",),
    "pool": ("pooling", "pool_convention", "resize", "sampling", "regions"),
    "reduce": ("reduction", "sequence"),
    "shape": (
        *("reshaping", "layout", "layouts", "slicing", "splitting", "joining", "stacking", "tiling", "broadcasting"),
        *("gathering", "scattering", "padding", "cropping", "indexing", "blocks", "flipping", "patches"),
        *("inserting", "diagonals", "casting"),
    ),
    "elementwise": ("elementwise", "unary", "mixed", "elements"),
    "state": ("control.ReadValue", "control.Assign"),
    "text": ("strings", "text", "sequence.StringTensorPack", "sequence.StringTensorUnpack"),
    "control": ("control", "nesting"),
    "quantize": ("quantisation", "quantised"),
    "data": ("creation", "generation", "priors", "boxes", "detection", "detectron", "nms", "drawing"),
}
_WORDS = (  # of operators that the dry run does not know, or whose module tells nothing
    ("text", r"string|token|vocab|regex|utf8|ragged"),
    ("conv", r"conv"),
    ("matrix", r"dense|matmul|linear|fully|attention|lstm|gru|rnn|embedding"),
    ("norm", r"norm|softmax"),
    ("activation", r"relu|sigmoid|tanh|clip|elu|swish|silu|mish|activation"),
    ("pool", r"pool|resize|upsampl|interpolate"),
    ("reduce", r"^(?:reduce_?)?(?:sum|mean|max|min|prod|arg\w+|topk)$"),
    (
        "shape",
        r"shape|transpose|concat|split|slice|pad|squeeze|expand|tile|gather|scatter|take|flatten|stack|cast|copy|layout",
    ),
    ("quantize", r"quantize"),
    ("elementwise", r"add|mul|sub|div|exp|log|sqrt|pow|abs|neg|maximum|minimum|greater|less|equal|where|select"),
)
_CATEGORY_OF = {family: category for category, families in _CATEGORIES.items() for family in families}


def cut(text: str, longest: int = _LONGEST) -> str:
    """Return a text that may be shown in a box, without its middle if it is long."""
    text = visible(text)
    if width(text) <= longest:
        return text
    head = longest // 3
    return f"{text[:head]}…{text[head + 1 - longest :]}"


def written(shape: Shape | None) -> str:
    if shape is None:
        return "?"
    shown = (show_dim(dim) for dim in shape)
    return TIMES.join("?" if one == "1.." else one for one in shown) or "scalar"  # at least 1 is any length


def measure(box: Box, label: str = "") -> None:
    """Give a box the size of its texts; `label` is printed at the right below its middle."""
    widest = max((width(line.text) for line in box.lines), default=0)
    room = max(width(box.title) * TITLE + 30, width(box.name) * LETTER + 16, widest * LETTER + 16, 70.0)
    box.width = max(room, 2 * (width(label) * LETTER + 10)) if label else room
    box.height = TITLE_HEIGHT + (NAME_HEIGHT if box.name else 0) + LINE_HEIGHT * len(box.lines) + BOTTOM


class WeightView(NamedTuple):
    """What the side panel says of a weight: a row, a histogram, and the values where they were read."""

    name: str
    row: tuple[str, str]
    histogram: Sequence[Histogram] = ()
    array: Any = None
    dtype: str | None = None
    bytes: int = 0


class Texts:
    """Makes the texts of one model's boxes."""

    def __init__(self, model: Model, mapping: Mapping | None) -> None:
        self.model, self.mapping = model, mapping
        types = model.types
        self.types = types if isinstance(types, Inference) else None
        self._completed = completed(model.graph, self.types) if self.types else None
        self.type_of = type_lookup(model)
        self.names = CanonicalNames(model)
        format_ = by_name(model.format)
        self._navigation = None if format_ is None else format_.navigation()
        self.remarks = Remarks(model) if format_ is None else format_.remarks(model)
        self._operators: dict[tuple[str, str | None], Operator | None] = {}

    def model_of(self, node: Node) -> Model:
        """Return the model that a node is from."""
        return self.model

    def modules(self, graph: Graph, node: Node) -> Sequence[SourceModule] | None:
        return self.remarks.modules(graph, node)

    def remarked(self, graph: Graph, node: Node, weights: Sequence[str] = ()) -> list[Section]:
        """Return what the file says of a node, its inputs and outputs beside what they compute."""
        modules = self.modules(graph, node) or ()
        values = [*(value.name or "" for value in node.outputs), *weights]
        found = [
            ("Modules", [(module.name, module.kind) for module in modules]),
            ("Metadata", self.remarks.of_node(graph, node)),
            *((f"Metadata of {cut(name)!r}", self.remarks.of_value(graph, name)) for name in dict.fromkeys(values)),
        ]
        return [(title, said(rows)) for title, rows in found if rows]

    def operator(self, node: Node) -> Operator | None:
        key = (node.op, node.version)
        if key not in self._operators:
            known = None if self._navigation is None else self._navigation.operator(self.model, node)
            self._operators[key] = known
        return self._operators[key]

    def call(self, graph: Graph, node: Node) -> Call | None:
        return None if self.mapping is None else self.mapping.sound_call(graph, node)

    def category(self, graph: Graph, node: Node) -> str:
        call = self.call(graph, node)
        family = "" if call is None else call.operator.family.rpartition(".")[2]
        own = f"{family}.{type(call.operator).__name__}" if call else ""
        if own in _CATEGORY_OF or family in _CATEGORY_OF:
            return _CATEGORY_OF.get(own) or _CATEGORY_OF[family]
        name = self.names.of(node).lower()
        found = next((category for category, words in _WORDS if re.search(words, name)), "other")
        return "control" if node.graphs else found

    def key_attributes(self, node: Node) -> list[Line]:
        """Return the attributes that tell one operator from another of its kind."""
        operator = self.operator(node)
        found = []
        for key, value in _plain(node):
            text = spelled(value).strip()
            attribute = operator.attributes.get(key) if operator else None
            usual = attribute is not None and str(attribute.default).lower() == text.lower()
            if usual or key in _TOLD_BY_TYPE or key.startswith("__") or _is_usual(text):
                continue
            is_name = _NAME.fullmatch(text) is not None
            if len(text) > _LONGEST and not is_name:
                continue
            if attribute is not None:
                key, text = attribute.label or key, attribute.meanings.get(text, text)
            found.append(Line("attr", f"{cut(key)} = {cut(text)}" if is_name else cut(f"{key} = {text}")))
        return found[:_ATTRIBUTES]

    def port(self, node: Node, position: int) -> str:
        """Return the name of an input."""
        if node.input_names and position < len(node.input_names) and node.input_names[position]:
            return str(node.input_names[position])
        operator = self.operator(node)
        ports = operator.inputs if operator else ()
        return ports[position].name if position < len(ports) else f"input {position}"

    def weight(self, graph: Graph, node: Node, position: int) -> Line:
        """Return the line of an input that is known before the model runs."""
        source = graph.nodes[node.inputs[position][0]]
        tensor = self.tensor(graph, source, node.inputs[position][1])
        value = tensor.value if tensor is not None and is_known(tensor.shape) else None
        if (
            tensor is not None
            and value is not None
            and len(value) <= 6
            and all(isinstance(entry, int) for entry in value)
        ):
            shown = str(value[0]) if not tensor.shape and len(value) == 1 else f"[{', '.join(map(str, value))}]"
        else:
            shape = self.type_of(graph, source, node.inputs[position][1]).shape
            shown = visible(source.name) if shape is None else written(shape)
        return Line("weight", cut(f"{self.port(node, position)}  {shown}"))

    def tensor(self, graph: Graph, node: Node, output: int) -> Tensor | None:
        outputs = self.types.outputs(graph, node) if self.types else ()
        return outputs[output] if output < len(outputs) else None

    def type_text(self, graph: Graph, node: Node, output: int) -> str:
        return type_text(self.type_of(graph, node, output)) or "unknown"

    def label(self, graph: Graph, node: Node, output: int) -> str:
        type_ = self.type_of(graph, node, output)
        declared = " (declared)" if isinstance(type_, DeclaredType) else ""
        return "" if type_.shape is None else cut(written(type_.shape) + declared, 24)

    def flops(self, graph: Graph, node: Node) -> int | None:
        if self.mapping is None or self._completed is None or node.graphs:
            return None
        return flops_of(graph, node, self.mapping, self._completed)

    def is_heavy(self, graph: Graph, node: Node) -> bool:
        return self.mapping is not None and is_heavy_node(graph, node, self.mapping)

    def bytes(self, graph: Graph, node: Node) -> int | None:
        """Return the size of a node's outputs."""
        sizes = [size(*self.type_of(graph, node, k)) for k in range(len(node.outputs))]
        return None if not sizes or None in sizes else sum(filter(None, sizes))

    def details(self, graph: Graph, node: Node) -> list[Section]:
        """Return the side panel of a node."""
        head = [("operator", node.op), ("name", node.name)]
        if node.version:
            head.append(("version", node.version))
        found: list[Section] = [("", _visible(head))]
        if plain := _plain(node):
            found.append(("Attributes", _visible([self._attribute(node, *attr) for attr in plain])))
        found.append(("Inputs", _visible([self._input(graph, node, k) for k in range(len(node.inputs))])))
        found.append(("Outputs", _visible(self._outputs(graph, node))))
        cost = [("FLOPs", f"{count:,}") for count in (self.flops(graph, node),) if count is not None]
        stored = self.bytes(graph, node)
        if stored is not None:
            cost.append(("bytes of outputs", as_bytes(stored)))
        found.append(("Cost", cost))
        return [section for section in found if section[1]]

    def parts(self, graph: Graph, node: Node) -> list[Part]:
        """Return what a search finds of a node beside its operator and its name."""
        modules = self.modules(graph, node) or ()
        found: list[Part] = [("module", module.name, module.kind) for module in modules[-1:]]
        found += [("attribute", *self._attribute(node, key, value)) for key, value in _plain(node)]
        shapes = [written(self.type_of(graph, node, k).shape) for k in range(len(node.outputs))]
        found += [("tensor", value.name or node.name, shapes[k]) for k, value in enumerate(node.outputs)]
        return [(kind, cut(name, _FOUND), cut(value, _FOUND)) for kind, name, value in found[:_PARTS]]

    def weight_part(self, graph: Graph, node: Node) -> Part:
        name = node.name or (node.outputs[0].name if node.outputs else "") or node.op
        return "weight", cut(name, _FOUND), cut(written(self.type_of(graph, node, 0).shape), _FOUND)

    def values(self, graph: Graph, node: Node, budget: int) -> WeightView:
        """Return what is known of a weight; its values are read if the budget of bytes allows that."""
        type_ = self.type_of(graph, node, 0)
        stored = size(*type_)
        full = node.name or (node.outputs[0].name if node.outputs else "") or node.op
        name = visible(full)
        said = [self.type_text(graph, node, 0), *([] if stored is None else [as_bytes(stored)])]
        array = None if stored is None or stored > budget else values(self.mapping, node)
        if stored is None or array is None:
            return WeightView(full, (name, ", ".join(said)))
        found = statistics(array, type_.dtype)
        counts = histogram(array, found) if array.size > 1 else []
        bars: list[Histogram] = [(name, counts, float(found.low or 0), float(found.high or 0))] if counts else []
        return WeightView(full, (name, ", ".join([*said, *_spread(found)])), bars, array, type_.dtype, stored)

    def _attribute(self, node: Node, key: str, value: Any) -> tuple[str, str]:
        operator, text = self.operator(node), spelled(value)
        if operator is None or (attribute := operator.attributes.get(key)) is None:
            return key, text
        return titled(key, attribute.label), titled(text, attribute.meanings.get(text, ""))

    def _input(self, graph: Graph, node: Node, position: int) -> tuple[str, str]:
        index, output = node.inputs[position]
        if index < 0:
            return self.port(node, position), "not connected"
        source = graph.nodes[index]
        type_ = self.type_text(graph, source, output)
        return self.port(node, position), f"{type_}, from {source.op} {source.name!r}"

    def _outputs(self, graph: Graph, node: Node) -> list[tuple[str, str]]:
        found = []
        for k, value in enumerate(node.outputs):
            type_ = self.type_of(graph, node, k)
            text = self.type_text(graph, node, k)
            if value.type.shape is not None and type_.shape is not None and value.type.shape != type_.shape:
                text += f" (the file declares {type_text(value.type)})"
            found.append((value.name or f"output {k}", text))
        return found


def _visible(rows: Sequence[tuple[str, Any]]) -> list[tuple[str, str]]:
    return [(visible(key), shortened(visible(str(text)))) for key, text in rows]


def _plain(node: Node) -> list[tuple[str, Any]]:
    """Return the attributes that are not graphs: the boxes of those are in the picture."""
    first = ((value[0] if isinstance(value, tuple) and value else value) for value in node.attrs.values())
    return [attribute for attribute, one in zip(node.attrs.items(), first, strict=True) if not isinstance(one, Graph)]


def said(rows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return rows of texts that may have several lines."""
    found = []
    for key, text in rows:
        lines = [visible(line) for line in text[:_LONGEST_TEXT].splitlines()]
        found.append((shortened(visible(key)), "\n".join(lines) + ("\n…" if len(text) > _LONGEST_TEXT else "")))
    return found


def shortened(text: str, longest: int = 300) -> str:
    return text if len(text) <= longest else f"{text[:longest]}…"


def _is_usual(text: str) -> bool:
    lowered = text.lower()
    return lowered in _USUAL or (
        set(lowered) <= set("01,()[] ") and len(set(lowered) & set("01")) == 1 and len(lowered) > 1
    )


def _spread(found: Statistics) -> list[str]:
    """Return what the values of a weight are like."""
    said = [f"{number:,} {word}" for number, word in ((found.nan, "NaN"), (found.infinite, "infinite")) if number]
    if found.low is None or found.high is None:
        return said
    return [f"{found.low:.4g} to {found.high:.4g}, mean {found.mean:.4g}", *said]
