"""What a run of an NNVM graph is given and gives: which variables are inputs, what outputs are called."""

from __future__ import annotations

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Feed
from irlint.formats.nnvm.dryrun.calls import Attrs
from irlint.formats.nnvm.dryrun.nested import call_of
from irlint.formats.nnvm.passes import counts
from irlint.formats.nnvm.passes.examine import Examiner, LoaderBehavior
from irlint.graph import Graph, Node, Source
from irlint.operators import OperatorTable, Port

# Arguments that hold what is learnt, by the names that operators give them
_LEARNT = frozenset((
    "weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters", "min_weight", "max_weight", "min_bias",
    "max_bias",
))  # fmt: skip
_TRAINING = frozenset(("label",))  # arguments that only training looks at
_LOSSES = frozenset(
    ("SoftmaxOutput", "LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput", "SVMOutput")
)


def feeds(graph: Graph, table: OperatorTable, loaded: set[str]) -> list[Feed]:
    """Return variables without a value in a parameter file that are not parameters, in file order."""
    learnt, trained, read = _uses(graph, table)
    found = []
    for node in graph.nodes:
        if node.kind != "var" or node.name in loaded or node.index in learnt:
            continue
        only_trained = node.index in trained and node.index not in read
        found.append(Feed(node.index, (node.name,), node.outputs[0].type, not only_trained))
    return found


def _uses(graph: Graph, table: OperatorTable, inside: bool = True) -> tuple[set[int], set[int], set[int]]:
    """Variables that are parameters or states, that are labels, and that are read for anything else; `inside`: also what
    graphs inside of nodes do with them.
    """
    examiner = Examiner(table, LoaderBehavior())
    learnt: set[int] = set()
    trained: set[int] = set()
    read = {source[0] for source in graph.outputs}
    for node in graph.nodes:
        if node.kind != "call":
            continue
        if node.graphs and inside:
            inner = _learnt_inside(node, table)
            learnt |= inner
            read.update(source[0] for source in node.inputs if source[0] not in inner)
            continue
        examined = examiner(node.op, len(node.inputs), node.attrs)
        names = examined.inputs.names if examined is not None and examined.inputs is not None else ()
        operator = table.get(node.op)
        loss = operator is not None and operator.name in _LOSSES
        for k, source in enumerate(node.inputs):
            name = names[k] if k < len(names) else ""
            if name in _LEARNT:
                learnt.add(source[0])
            elif loss and name in _TRAINING:
                trained.add(source[0])
            else:
                read.add(source[0])
    return learnt, trained, read


def _learnt_inside(node: Node, table: OperatorTable) -> set[int]:
    """Those of a node's inputs that the graphs inside take for parameters."""
    operator = table.get(node.op)
    try:
        call = call_of(node, Attrs(operator, node.attrs, len(node.inputs))) if operator is not None else None
    except Undecided:
        call = None
    found: set[int] = set()
    for part in call.attrs["parts"] if call is not None else ():
        learnt, _, read = _uses(part.graph, table, inside=False)
        pairs = zip(part.variables, part.sources, strict=False)
        found.update(node.inputs[k][0] for variable, k in pairs if variable in learnt - read and k < len(node.inputs))
    return found


def output_names(graph: Graph, table: OperatorTable) -> list[str]:
    """The names that MXNet lists: a variable's own, else the node's with the name of its output."""
    return [_output_name(graph.nodes[source[0]], source, table) if source[0] >= 0 else "" for source in graph.outputs]


def _output_name(node: Node, source: Source, table: OperatorTable) -> str:
    if node.kind == "var":
        return node.name
    operator = table.get(node.op)
    if operator is None:
        return f"{node.name}_output"
    total = counts.outputs(operator, Attrs(operator, node.attrs, len(node.inputs)).__getitem__).total
    return f"{node.name}_{_port_name(operator.outputs, source[1], total)}"


def _port_name(ports: tuple[Port, ...], k: int, total: int | None) -> str:
    if not ports or (ports[0].kind == "required" and k < len(ports) and ports[k].name != f"output{k}"):
        return ports[k].name if ports else "output"
    return "output" if total == 1 else f"output{k}"
