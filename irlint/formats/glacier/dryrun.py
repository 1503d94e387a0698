"""How Relay's operators map to the dry run, as far as a listing shows: it has no attributes."""

from __future__ import annotations

from irlint.dryrun.entries import Entry, plain
from irlint.dryrun.errors import UNFORESEEN
from irlint.dryrun.mapping import Call, Mapping
from irlint.dryrun.tensor import Tensor
from irlint.graph import Graph, Node
from irlint.rules.base import Model

_FUNCTIONS = {
    "abs": "abs", "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
    "atanh": "arctanh", "bitwise_not": "invert", "ceil": "ceil", "cos": "cos", "cosh": "cosh", "exp": "exp",
    "fast_exp": "exp", "fast_tanh": "tanh", "floor": "floor", "log": "log", "log10": "log10", "log2": "log2",
    "negative": "negative", "sign": "sign", "sin": "sin", "sinh": "sinh", "sqrt": "sqrt", "tan": "tan", "tanh": "tanh",
    "trunc": "trunc",
    "erf": "erf", "fast_erf": "erf", "nn.relu": "relu", "round": "round_away", "rsqrt": "rsqrt", "sigmoid": "sigmoid",
}  # fmt: skip
_BINARY = {
    "add": "Add", "subtract": "Subtract", "multiply": "Multiply", "divide": "Divide", "power": "Power",
    "maximum": "Maximum", "minimum": "Minimum", "floor_mod": "FloorMod", "equal": "Equal", "not_equal": "NotEqual",
    "greater": "Greater", "greater_equal": "GreaterEqual", "less": "Less", "less_equal": "LessEqual",
    "logical_and": "LogicalAnd", "logical_or": "LogicalOr", "logical_xor": "LogicalXor", "bitwise_and": "BitwiseAnd",
    "bitwise_or": "BitwiseOr", "bitwise_xor": "BitwiseXor", "left_shift": "BitwiseLeftShift",
    "right_shift": "BitwiseRightShift",
}  # fmt: skip
# Attributes decide what these compute, but not the shape of the result, which is that of the first input
_ALIKE = (
    "clip nn.bias_add nn.leaky_relu nn.prelu nn.softmax nn.log_softmax nn.fast_softmax nn.dropout nn.lrn nn.l2_normalize "
    "nn.batch_norm nn.layer_norm nn.instance_norm nn.group_norm reverse cumsum cumprod"
)

OPERATORS: dict[str, Entry] = {name: plain("shared/unary.Formula", function=word) for name, word in _FUNCTIONS.items()}
OPERATORS |= {name: plain(f"shared/elementwise.{word}") for name, word in _BINARY.items()}
OPERATORS |= {name: plain("mxnet/rare.ShapedLikeFirst") for name in _ALIKE.split()}
OPERATORS |= {
    "copy": plain("shared/unary.Identity"),
    "annotation.stop_fusion": plain("shared/unary.Identity"),
    "logical_not": plain("shared/unary.Tested", function="logical_not"),
    "isfinite": plain("shared/unary.Tested", function="isfinite"),
    "isinf": plain("shared/unary.Tested", function="isinf"),
    "isnan": plain("shared/unary.Tested", function="isnan"),
    "zeros_like": plain("shared/unary.FullLike", fill=0),
    "ones_like": plain("shared/unary.FullLike", fill=1),
    "where": plain("shared/selection.WhereBroadcast"),
    "nn.batch_flatten": plain("mxnet/layout.Flatten"),
    "nn.dense": plain("shared/products.TensorDot", axes=((-1,), (-1,))),
}


class ListingMapping(Mapping):
    """Calls by their names; variables by what is given of them."""

    unforeseen = UNFORESEEN
    blind = True  # a listing that has no types has no wrong ones
    usual = "float32"

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        return (Tensor(*node.outputs[0].type),)

    def call(self, graph: Graph, node: Node) -> Call | None:
        entry = OPERATORS.get(node.op)
        if entry is None:
            return None
        call = entry.call(node.attrs)
        found, count = call.operator, len(node.inputs)
        if count < found.least or (found.most is not None and count > found.most):
            return None  # constants may be left out of the listing
        return call

    def output_names(self, graph: Graph) -> list[str]:
        return [graph.nodes[source[0]].name for source in self.outputs(graph)]


def mapping_of(model: Model) -> ListingMapping | None:
    return ListingMapping() if model.graph.nodes else None
