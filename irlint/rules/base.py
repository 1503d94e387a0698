"""Rule, Model and Context: the base of rules, and their input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from irlint.codes import RuleRow, Severity
from irlint.findings import Fixable, Problem
from irlint.graph import Graph, Node, Type
from irlint.records import dataclass, field
from irlint.text.base import Document

if TYPE_CHECKING:
    from irlint.operators import Operator, OperatorTable
    from irlint.order import BackwardEdge
    from irlint.text.base import Path

Weights = Literal["auto", "required", "optional"]  # whether missing weights are an error


class Rule:
    """One kind of mistake; one subclass per file. Its docstring is its page, with the headings

    What it does / Why is this bad / Example / Use instead / Fix safety / References.

    The examples of irlint's own rules are in `pages.md` of each format (irlint/rules/examples.py), not here.
    A rule brings its own `visit` or `check`, or is reported by a pass that sees several mistakes at once (a reader, a walk
    over attributes).
    """

    row: ClassVar[RuleRow]  # in a table of rules; of a rule that is in none it is made of these three:
    code: ClassVar[str] = ""
    name: ClassVar[str] = ""
    severity: ClassVar[Severity] = Severity.ERROR
    formats: ClassVar[
        tuple[str, ...]
    ] = ()  # the only ones in which it occurs; of a rule for any, each format says (`SHARED` in its `rules`)
    operators: ClassVar[tuple[str, ...]] = ()  # what `visit` is shown, names or globs; empty: all
    kinds: ClassVar[tuple[str, ...]] = ("call",)  # of nodes that `visit` is shown
    fixable: ClassVar[Fixable | None] = None  # None: no finding has a fix
    visits: ClassVar[bool] = False  # whether it has a `visit`

    def __init_subclass__(cls) -> None:
        cls.visits = cls.visits or "visit" in vars(cls)
        if "row" in vars(cls):
            cls.code, cls.name, cls.severity = cls.row
        else:
            cls.row = RuleRow(cls.code, cls.name, cls.severity)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        """Find problems of this kind in one model, in time linear in its size, before types are known."""
        return iter(())

    @classmethod
    def visit(cls, node: Node, context: Context) -> Iterable[Problem]:
        """Find problems of this kind at one node. All rules run in one walk, after types are inferred."""
        return ()


@dataclass
class Model:
    """One file under lint, as far as it could be read."""

    document: Document
    format: str
    dialect: str
    graph: Graph = field(default_factory=Graph)
    functions: list[Graph] = field(default_factory=list)  # bodies of the file's own functions, which nodes call
    operators: OperatorTable | None = None
    path: FilePath | None = None  # where the file is on disk, if it is
    weights: FilePath | None = None  # the weights file that the user gives, if any
    missing_weights: Weights = "auto"  # whether missing weights are an error
    in_commit: bool = False  # whether git must track the files next to it
    opens: Callable[[FilePath], Model | None] | None = None  # reads another file, for companions of models
    reads: set[str] = field(default_factory=set)  # paths of the files that were read so
    targets: Mapping[str, str] = field(default_factory=dict)  # --target openvino=2024.6
    options: Mapping[str, Any] = field(default_factory=dict)  # the format's own section of the configuration
    state: Any = None  # what the format itself keeps of the file: `Format.state`
    types: Any = None  # what the dry run inferred (dryrun.infer.Inference), once it was requested
    backward: list[BackwardEdge] | None = None  # edges against the order of the file, where a rule asked
    by_path: dict[Path, tuple[Graph, int]] | None = None  # nodes, where an editor asked
    consumers: dict[int, list[list[int]]] = field(default_factory=dict)  # by id() of a graph, where an editor asked
    settled: set[RuleRow] = field(default_factory=set)  # rules that the format checks itself
    silent: set[int] = field(default_factory=set)  # id() of nodes with errors: consequences are not reported
    times: dict[str, float] | None = None  # seconds by rule or step, if requested

    def take_apart(self) -> None:
        """Break the reference cycle between model and graph after use, so that they are freed at once."""
        vars(self.graph).clear()
        vars(self).clear()

    def operator(self, node: Node) -> Operator | None:
        """Return the row of a node's operator in the model's table."""
        return self.operators.get(node.op) if self.operators is not None else None

    def graphs(self) -> list[Graph]:
        """Return the graph, the bodies of functions, and the graphs nested in them."""
        return [graph for root in (self.graph, *self.functions) for graph in root.walk()]

    def calls(self) -> Iterator[tuple[Graph, Node]]:
        """Yield every valid operator node of every graph, nested ones and bodies of functions included."""
        silent = self.silent
        for graph in self.graphs():
            for node in graph.nodes:
                if node.kind == "call" and not (silent and id(node) in silent):
                    yield graph, node


class Context:
    """The context of a node: its graph, and inferred facts that the file does not declare."""

    __slots__ = ("_follow", "graph", "model")

    def __init__(self, model: Model, follow: Callable[[], None]) -> None:
        self.model, self.graph = model, model.graph
        self._follow = follow  # infers types, if that was skipped

    def problem(self, rule: Any, node: Node, part: str, message: str) -> Problem:
        """Return a problem at a part of the node: "op", "name", "attr:KEY", "input:K" and others that `Graph` defines."""
        return Problem(rule, self.graph.place(node, part), message, node.name)

    def types(self, node: Node) -> Sequence[Type]:
        """Return the inferred types of the node's outputs, or the declared ones where inference fails."""
        self._follow()
        inferred = getattr(self.model.types, "outputs", None)
        found: Sequence[Type] = inferred(self.graph, node) if inferred is not None else ()
        return found or [value.type for value in node.outputs]
