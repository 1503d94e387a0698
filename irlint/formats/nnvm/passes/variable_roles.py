"""What variables are for, and how they are stored, by the operators that take them; variables that are named for another input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.examine import Examination, Examiner, LoaderBehavior
from irlint.formats.nnvm.passes.wording import label
from irlint.formats.nnvm.reading.view import Entry, GraphView
from irlint.operators import OperatorTable
from irlint.records import NamedTuple

if TYPE_CHECKING:
    from irlint.formats.nnvm.reading.sweep import Sweep

ROLES = frozenset(("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters"))
_VECTORS = ROLES - {"weight", "parameters"}
# Operators whose data has two dimensions or more: mxnet 1.9.1 refuses a vector, or a variable whose shape it has to infer
_WIDE = frozenset((
    "BatchNorm", "BatchNorm_v1", "_contrib_SyncBatchNorm", "_contrib_BatchNormWithReLU", "InstanceNorm", "GroupNorm",
    "Convolution", "Convolution_v1", "Deconvolution",
))  # fmt: skip


class VariableRoles(NamedTuple):
    """Indices of variables, and names."""

    parameters: set[int]  # surely: some operator takes them as its weight, bias, ...
    states: set[int]  # what a run changes: MXNet keeps them apart from the arguments
    added: set[str]  # variables that the loader makes by itself


def roles_of(table: OperatorTable, view: GraphView) -> VariableRoles:
    """Return what each variable is for, as far as operators tell."""
    examiner = Examiner(table, LoaderBehavior())
    roles = VariableRoles(set(), set(), set())
    for i, op in enumerate(view.ops):
        examined, operator = examiner(op, len(view.inputs[i]), view.attrs[i]), table.get(op)
        if examined is None or examined.inputs is None or operator is None:
            continue
        ports, given = examined.inputs.names, view.inputs[i]
        states = {port.name for port in operator.inputs if port.facts.get("state")}
        roles.added.update(f"{view.names[i]}_{port}" for port in ports[len(given) :])
        for port, (source, *_) in zip(ports, given, strict=False):
            if 0 <= source < len(view.ops) and view.ops[source] == "null":
                roles.parameters.update([source] if port in ROLES else ())
                roles.states.update([source] if port in states else ())
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
    takers = [op for op, entries in zip(view.ops, view.inputs, strict=True) if any(e[0] == index for e in entries)]
    operators = [table.get(op) for op in takers if op != "null"]
    is_taken = bool(operators) or any(entry[0] == index for entry in view.heads)
    return is_taken and all(operator is not None and operator.name in _ASKING for operator in operators)


def swapped(view: GraphView, seen: Sweep) -> Iterator[Problem]:
    """Report of each node the first variable that is named for another input; set `seen.doubled` where a node takes one value twice."""
    seen.doubled = False
    for index, examined in enumerate(seen.examined):
        ports = () if examined is None else _ports(examined)
        if not ports:
            continue
        entries: list[Entry] = view.nodes[index]["inputs"]
        sources = [entry[0] for entry in entries]
        distinct = set(sources)
        if sources == sorted(distinct):
            continue  # in the order of front ends; swapped or duplicate inputs are not in file order
        yield from _swapped(view, index, sources, ports)
        if len(distinct) < len(sources):
            seen.doubled = True


def _ports(examined: Examination) -> tuple[str, ...]:
    """Return the names of the inputs of an operator that has parameters."""
    ports = () if examined.inputs is None else examined.inputs.names
    return ports if len(ports) > 1 and ports[1] in ROLES else ()


def _swapped(view: GraphView, index: int, sources: list[int], ports: tuple[str, ...]) -> Iterator[Problem]:
    for k, (port, source) in enumerate(zip(ports, sources, strict=False)):
        is_variable = 0 <= source < len(view.nodes) and view.nodes[source]["op"] == "null"
        if not is_variable or view.nodes[source]["name"].endswith(port) or (k and sources.count(source) > 1):
            continue
        role = view.nodes[source]["name"].removeprefix(f"{view.nodes[index]['name']}_")
        if role != view.nodes[source]["name"] and role in ports[:k] + ports[k + 1 :]:
            yield _swapped_problem(view, index, k, ports.index(role), ports)
            return


def _swapped_problem(view: GraphView, index: int, k: int, meant: int, ports: tuple[str, ...]) -> Problem:
    op, name, source = view.ops[index], view.names[index], view.inputs[index][k][0]
    is_vector = ports[meant] in _VECTORS and not view.attrs[source].get("__shape__")
    is_refused = not k and is_vector and op in _WIDE
    message = f"{label(op, name)} takes {view.names[source]!r} as `{ports[k]}`, but its name suggests `{ports[meant]}`"
    if is_refused:
        message += "; MXNet refuses a vector there"
    related = [("defined here", view.place(source, "name"))]
    if meant < len(view.inputs[index]):
        related.append((f"`{ports[meant]}` declared here", view.place(index, f"input:{meant}")))
    severity = Severity.ERROR if is_refused else None
    return Problem(R.swapped_inputs, view.place(index, f"input:{k}"), message, name, None, related, severity)
