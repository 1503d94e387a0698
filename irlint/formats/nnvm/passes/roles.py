"""What variables are for, and how they are stored, by the operators that take them."""

from __future__ import annotations

from irlint.formats.nnvm.passes.examine import Examiner, LoaderBehavior
from irlint.formats.nnvm.reading.view import GraphView
from irlint.operators import OperatorTable
from irlint.records import NamedTuple

ROLES = frozenset(("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters"))


class Roles(NamedTuple):
    """Indices of variables, and names."""

    parameters: set[int]  # surely: some operator takes them as its weight, bias, ...
    states: set[int]  # what a run changes: MXNet keeps them apart from the arguments
    added: set[str]  # variables that the loader makes by itself


def roles_of(table: OperatorTable, view: GraphView) -> Roles:
    """Return what each variable is for, as far as operators tell."""
    examiner = Examiner(table, LoaderBehavior())
    roles = Roles(set(), set(), set())
    for i, op in enumerate(view.ops):
        if op == "null":
            continue
        examined = examiner(op, len(view.inputs[i]), view.attrs[i])
        operator = table.get(op)
        if examined is None or examined.inputs is None or operator is None:
            continue
        state_names = {port.name for port in operator.inputs if port.facts.get("state")}
        for k, port in enumerate(examined.inputs.names):
            if k >= len(view.inputs[i]):
                roles.added.add(f"{view.names[i]}_{port}")
                continue
            source = view.inputs[i][k][0]
            if not 0 <= source < len(view.ops) or view.ops[source] != "null":
                continue
            if port in ROLES:
                roles.parameters.add(source)
            if port in state_names:
                roles.states.add(source)
    return roles


# Operators that have to be told how their inputs are stored: mxnet 1.9.1 does not bind them to a variable of storage type -1.
# Measured with every input of every operator of the dry run's cases; all others take such a variable for a dense one
_ASKING = frozenset((
    "BlockGrad", "CTCLoss", "Concat", "Embedding", "FullyConnected", "LinearRegressionOutput", "LogisticRegressionOutput",
    "_contrib_SparseEmbedding", "_contrib_quadratic", "_contrib_quantize", "_contrib_quantize_v2", "_contrib_quantized_act",
    "_contrib_quantized_pooling", "_copy", "_div_scalar", "_equal_scalar", "_foreach", "_greater_equal_scalar", "_greater_scalar",
    "_hypot", "_lesser_equal_scalar", "_lesser_scalar", "_maximum", "_minimum", "_minus_scalar", "_mul_scalar", "_not_equal_scalar",
    "_plus_scalar", "_power", "_random_exponential_like", "_random_gamma_like", "_random_normal_like", "_random_poisson_like",
    "_random_uniform_like", "abs", "add_n", "arcsin", "arcsinh", "arctan", "arctanh", "broadcast_add", "broadcast_div",
    "broadcast_mul", "broadcast_sub", "cast_storage", "cbrt", "ceil", "clip", "degrees", "dot", "elemwise_add", "elemwise_div",
    "elemwise_mul", "elemwise_sub", "expm1", "fix", "floor", "log1p", "make_loss", "mean", "negative", "norm", "radians", "relu",
    "rint", "round", "sign", "sin", "sinh", "slice", "sqrt", "square", "sum", "take", "tan", "tanh", "trunc", "where", "zeros_like",
))  # fmt: skip


def is_never_told(table: OperatorTable, view: GraphView, index: int) -> bool:
    """Return whether nothing that takes a variable, which something does, tells its storage type."""
    asked = any(entry[0] == index for entry in view.heads)
    for op, entries in zip(view.ops, view.inputs, strict=True):
        if op != "null" and any(entry[0] == index for entry in entries):
            operator = table.get(op)
            if operator is None or operator.name not in _ASKING:
                return False
            asked = True
    return asked
