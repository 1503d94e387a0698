"""Where the reader or the CPU plug-in refuses or ignores an attribute because of the rest of its operation (2026.4.1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import zip_longest

from irlint.checks.fault import Fault
from irlint.codes import RuleRow
from irlint.findings import Severity
from irlint.formats.openvino.passes.numbers import INTEGER
from irlint.formats.openvino.reading import opsets
from irlint.formats.openvino.reading.layers import ELEMENT_TYPES
from irlint.formats.openvino.reading.reader import IrSection
from irlint.formats.openvino.rules import R
from irlint.graph import Graph, Node
from irlint.operators import Attribute
from irlint.records import NamedTuple
from irlint.text.numbers import integer

_WEIGHTS = {  # which inputs are W and R
    "GRUCell": (2, 3), "LSTMCell": (3, 4), "RNNCell": (2, 3), "GRUSequence": (3, 4), "LSTMSequence": (4, 5), "RNNSequence": (3, 4),
}  # fmt: skip
_OWN_PADS = ("valid", "same_upper", "same_lower")  # words of auto_pad with which the pads are worked out
_PADS = ("pads_begin", "pads_end")
_TRANSPOSED = "BackpropData"  # Model Optimizer writes the attributes of both kinds of convolution on either
_WORDS = {"false": "0", "true": "1"}


def needs_hidden_size(section: IrSection, node: Node) -> bool:
    """Return whether the plug-in refuses a wrong or missing hidden_size: the reader uses the tensors, the plug-in the attribute if
    the weights are constant."""
    makers = [node.inputs[k][0] for k in _WEIGHTS.get(node.op, ()) if k < len(node.inputs)]
    return len(makers) == 2 and all(_constant(section.graph, maker) for maker in makers)


def _constant(graph: Graph, index: int) -> bool:
    """Return whether a value is a constant, possibly converted from another type."""
    if index < 0:
        return False
    node = graph.nodes[index]
    if node.op == "Convert" and len(node.inputs) == 1 and node.inputs[0][0] >= 0:
        node = graph.nodes[node.inputs[0][0]]
    return node.kind == "const"


def is_read(section: IrSection, node: Node, attribute: Attribute) -> bool:
    """Return whether the operation uses an attribute: some matter only for one output or for one value of another attribute."""
    output = attribute.facts.get("used")
    if output is None or (node.index, output) in section.read_outputs:
        return True
    return any(node.attrs.get(name) == word for name, word in attribute.facts.get("used_with", {}).items())


def is_fed(section: IrSection, node: Node) -> bool:
    """Return whether a Parameter takes its type from an If; the plug-in refuses this in a TensorIterator."""
    parent = section.graph.parent
    return node.kind == "var" and parent is not None and parent.op == "If"


def _stays_open(section: IrSection, node: Node) -> bool:
    return node.attrs["element_type"] in ("dynamic", "undefined") and is_fed(section, node)


def _is_open_in_body(section: IrSection, node: Node) -> bool:
    """Return whether a body's Parameter is as what feeds it."""
    return _is_in_body(section, node) and node.attrs["shape"].strip("[] ") == "..."


def _is_in_body(section: IrSection, node: Node) -> bool:
    return section.graph.parent is not None


def _pads_itself(section: IrSection, node: Node) -> bool:
    return str(node.attrs.get("auto_pad", "")).lower() in _OWN_PADS


def _takes_away(section: IrSection, node: Node) -> bool:
    """Return whether the pads of an axis of a convolution have a negative sum."""
    if node.op not in ("Convolution", "GroupConvolution"):
        return False
    texts = (str(node.attrs.get(name, "")).split(",") for name in _PADS)
    begin, end = ([integer(m[1]) if (m := INTEGER.match(text)) else 0 for text in words] for words in texts)
    return any(first + last < 0 for first, last in zip_longest(begin, end, fillvalue=0))


def _takes_indices(section: IrSection, node: Node) -> bool:
    """Return whether OpenVINO 2026.4 takes a type for the indices of a MaxPool: any if no layer uses them, which are not computed then."""
    type_ = str(node.attrs.get("index_element_type", "")).lower()
    is_unread = type_ in ELEMENT_TYPES and (node.index, 1) not in section.read_outputs
    return node.op == "MaxPool" and (is_unread or type_ in ("i16", "u16", "u32", "u64"))


class Circumstance(NamedTuple):
    """Where a wrong value is more or less severe than the operator table says."""

    attribute: str
    rule: RuleRow | None  # None: any
    holds: Callable[[IrSection, Node], bool]
    severity: Severity | None  # None: it is right


_CIRCUMSTANCES = (
    Circumstance("pads_begin", R.value_out_of_range, _pads_itself, Severity.WARNING),
    Circumstance("pads_end", R.value_out_of_range, _pads_itself, Severity.WARNING),
    Circumstance("pads_end", R.value_out_of_range, _takes_away, Severity.ERROR),
    Circumstance("hidden_size", R.value_out_of_range, needs_hidden_size, Severity.ERROR),
    Circumstance("element_type", None, _stays_open, Severity.WARNING),
    Circumstance("index_element_type", R.value_not_in_enum, _takes_indices, Severity.WARNING),
    Circumstance("shape", R.value_out_of_range, _is_open_in_body, None),
    Circumstance("shape", R.value_out_of_range, _is_in_body, Severity.WARNING),
)


def in_place(section: IrSection, node: Node, attribute: Attribute, fault: Fault) -> Fault | None:
    """Return what is wrong with a value as severe as it is in its node; None if nothing is."""
    if fault.is_error and node.attrs[attribute.name] == "" and not is_read(section, node, attribute):
        fault = fault._replace(severity=Severity.WARNING)
    for name, rule, holds, severity in _CIRCUMSTANCES:
        if name == attribute.name and rule in (None, fault.rule) and holds(section, node):
            return None if severity is None else fault._replace(severity=severity)
    return fault


def matters(node: Node, name: str) -> bool:
    """Return whether an unknown attribute, which a converter may have left, would have an effect in another version of the operation."""
    attribute = _elsewhere(node.op, name)
    return attribute is not None and not _is_neutral(str(node.attrs[name]), attribute)


@lru_cache(maxsize=4096)
def _elsewhere(op: str, name: str) -> Attribute | None:
    """Return the attribute in the newest other version of an operation, or in the transposed operation."""
    for type_ in (op, op + _TRANSPOSED, op.removesuffix(_TRANSPOSED)):
        for opset in reversed(opsets.opsets_with(type_)):
            known = opsets.known_operator(type_, opset).attributes
            if name in known:
                return known[name]
    return None


def _is_neutral(value: str, attribute: Attribute) -> bool:
    """Return whether a value is the default, in any spelling."""
    return attribute.default is not None and is_same(value, str(attribute.default))


def is_same(one: str, other: str) -> bool:
    """Return whether two values say the same; a single number is repeated, and nothing is zero: no padding."""
    a, b = (_spelled(text) or ["0"] for text in (one, other))
    return a == b or len({*a, *b}) == 1


def _spelled(text: str) -> list[str]:
    words = [word.strip().lower() for word in text.split(",")]
    return [_WORDS.get(word, word.rstrip("0").rstrip(".") if "." in word else word) for word in words if word]
