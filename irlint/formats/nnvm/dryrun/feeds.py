"""What a run of an NNVM graph is given and gives: which variables are inputs, what outputs are called."""

from __future__ import annotations

from collections.abc import Container
from itertools import chain, repeat

from irlint.dryrun.errors import UNFORESEEN, Undecided
from irlint.dryrun.mapping import Feed, Mapping
from irlint.formats.nnvm.passes import operands
from irlint.formats.nnvm.passes.examine import Examiner
from irlint.formats.nnvm.passes.operands import LoaderBehavior
from irlint.graph import Graph, Node, Source
from irlint.operators import OperatorTable, Port

# Arguments that hold what is learnt, by the names that operators give them
_LEARNT = frozenset((
    "weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters", "min_weight", "max_weight", "min_bias",
    "max_bias",
))  # fmt: skip
_TRAINING = "label"  # an argument that only training looks at, of these operators:
_LOSSES = frozenset(
    ("SoftmaxOutput", "LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput", "SVMOutput")
)


def feeds(graph: Graph, mapping: Mapping, table: OperatorTable, loaded: Container[str]) -> list[Feed]:
    """Return variables without a value in a parameter file that are not parameters, in file order."""
    uses = _Uses(graph, mapping, table)
    return [
        Feed(node.index, (node.name,), node.outputs[0].type, node.index in uses.read or node.index not in uses.trained)
        for node in graph.nodes
        if node.kind == "var" and node.name not in loaded and node.index not in uses.learnt
    ]


class _Uses:
    """Variables that are parameters or states, that are labels, and that are read for anything else; `inside`: also what graphs
    inside of nodes do with them.
    """

    def __init__(self, graph: Graph, mapping: Mapping, table: OperatorTable, inside: bool = True) -> None:
        self.graph, self.mapping, self.table = graph, mapping, table
        self.examiner = Examiner(table, LoaderBehavior())
        self.learnt: set[int] = set()
        self.trained: set[int] = set()
        self.read = {source[0] for source in graph.outputs}
        for node in graph.nodes:
            if node.kind == "call":
                (self._nested if node.graphs and inside else self._call)(node)

    def _call(self, node: Node) -> None:
        examined, operator = self.examiner(node.op, len(node.inputs), node.attrs), self.table.get(node.op)
        names = () if examined is None else examined.arguments
        trained = self.trained if operator is not None and operator.name in _LOSSES else self.read
        for (source, _), name in zip(node.inputs, chain(names, repeat("")), strict=False):
            (self.learnt if name in _LEARNT else trained if name == _TRAINING else self.read).add(source)

    def _nested(self, node: Node) -> None:
        """Take those of a node's inputs for parameters that the graphs inside take for such."""
        try:
            call = self.mapping.call(self.graph, node)
        except (Undecided, *UNFORESEEN):
            call = None
        sources = [source for source, _ in node.inputs]
        inner: set[int] = set()
        for part in call.attrs["parts"] if call is not None else ():
            uses, given = _Uses(part.graph, self.mapping, self.table, inside=False), part.filled(sources)
            inner |= {given[variable] for variable in uses.learnt - uses.read if variable in given}
        self.learnt |= inner
        self.read |= {*sources} - inner


def output_names(graph: Graph, table: OperatorTable) -> list[str]:
    """Return the names that MXNet lists: a variable's own, else the node's with the name of its output."""
    return [_output_name(graph.nodes[source[0]], source, table) if source[0] >= 0 else "" for source in graph.outputs]


def _output_name(node: Node, source: Source, table: OperatorTable) -> str:
    if node.kind == "var":
        return node.name
    operator = table.get(node.op)
    if operator is None:
        return f"{node.name}_output"
    total = operands.outputs(operands.written(operator, node.attrs)).total
    return f"{node.name}_{_port_name(operator.outputs, source[1], total)}"


def _port_name(ports: tuple[Port, ...], k: int, total: int | None) -> str:
    if not ports or (ports[0].kind == "required" and k < len(ports) and ports[k].name != f"output{k}"):
        return ports[k].name if ports else "output"
    return "output" if total == 1 else f"output{k}"
