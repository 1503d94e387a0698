"""Map ONNX's operators to the dry run: types of inputs and initializers, and which operator each node is at its opset."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from collections.abc import Mapping as Dictionary
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from irlint.dryrun.entries import Row, call_of
from irlint.dryrun.errors import UNFORESEEN
from irlint.dryrun.mapping import Call, Difference, Feed, Mapping
from irlint.dryrun.tensor import UNKNOWN, Tensor, small
from irlint.findings import Fix, Severity
from irlint.formats.onnx.constant import constant_array, constant_entries, constant_type, raw_bytes
from irlint.formats.onnx.dryrun.calls import NodeAttrs, by_domain, demands
from irlint.formats.onnx.opsets import DEFAULT, domain_of, in_opset
from irlint.graph import Graph, Node, Type
from irlint.operators import Port
from irlint.text.base import Document, Path

if TYPE_CHECKING:
    from irlint.formats.onnx.dryrun.functions import Functions
    from irlint.formats.onnx.text.document import OnnxDocument
    from irlint.rules.base import Model

_DOMAINS = {
    "": ("table", "windows", "numbers", "layers", "lists"),
    "ai.onnx.ml": ("ml",),
    "com.microsoft": ("contrib",),
}
_SHARED = 128  # bytes of a constant that is looked for among others
_FLOATS = frozenset(("float32", "float16", "bfloat16", "float64"))
_OTHER = frozenset(("sequence", "optional", "map", "sparse_tensor", "opaque"))  # kinds of values that are not followed


class OnnxMapping(Mapping):
    """The mapping of one model; `opsets` are the versions of its domains."""

    unforeseen = UNFORESEEN
    counts_outputs = True
    bodies_declare = False
    declares_outputs = True

    def __init__(
        self,
        graph: Graph,
        opsets: Dictionary[str, int],
        functions: Functions | None = None,
        doubtful: Collection[Path] = (),
    ) -> None:
        """`doubtful` are the initializers whose sizes are wrong: what does not fit them follows from that."""
        self.graph, self.opsets, self.functions, self.doubtful = graph, opsets, functions, doubtful
        self._seen: dict[int, float] = {}  # for each graph the first node that onnx does not know
        self._own_opsets: Dictionary[int, Dictionary[str, int]] = {} if functions is None else functions.opsets
        self.contextual_ops = frozenset[str]() if functions is None else frozenset(functions.names)

    def feeds(self, graph: Graph) -> list[Feed]:
        """Return the inputs; sequences and other kinds of values have the kind that the model declares."""
        found = [(feed, graph.nodes[feed.node].outputs[0].type) for feed in super().feeds(graph)]
        return [feed._replace(type=kind) if kind.dtype in _OTHER else feed for feed, kind in found]

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        if node.kind == "var":
            declared = node.outputs[0].type
            return (UNKNOWN if declared.dtype in _OTHER else Tensor(*declared),)
        if self.doubtful and node.path in self.doubtful:
            return (UNKNOWN,)
        kind = constant_type(node)
        if not _is_followed(kind):
            return self._constants.setdefault(kind, (Tensor(*kind),))
        raw = raw_bytes(node)
        found = (Tensor(*kind, None, (lambda: constant_entries(node), ()), True),)
        return found if raw is None or len(raw) > _SHARED else self._constants.setdefault((kind, bytes(raw)), found)

    @cached_property
    def _constants(self) -> dict[Any, tuple[Tensor, ...]]:
        """Return the types of weights, and small constants; layers that are alike share them, and what follows from them."""
        return {}

    def contextual(self, node: Node) -> bool:
        return bool(node.graphs) or node.op in self.contextual_ops

    def kind(self, graph: Graph, node: Node) -> tuple[Any, ...]:
        left_out = tuple([k for k, source in enumerate(node.inputs) if source[0] < 0])
        return node.op, node.version, len(node.inputs), len(node.outputs), left_out, id(self._opsets_of(graph))

    def call(self, graph: Graph, node: Node) -> Call | None:
        domain, opsets = _domain(node), self._opsets_of(graph)
        inlined = None if self.functions is None else self.functions.call(domain, node)
        if inlined is not None:
            return inlined
        row = self._row(domain, node)
        if row is None:
            return None
        values = NodeAttrs(node, domain, opsets.get(domain, 1))
        found = call_of(row, values)
        if not found.operator.nested:
            operator = in_opset(node.op, domain_of(domain), values.opset)
            ports = () if operator is None else operator.inputs
            _leave_out(found, values, ports)
            found.demands = (*demands(node.op, domain, values.opset), *found.demands)
            found.ports = [port.name for port in ports if "variadic" not in port.kind]
        return found

    def demands(self, graph: Graph, node: Node) -> Sequence[tuple[str, Sequence[str]]]:
        if self.contextual(node):
            return ()
        domain = _domain(node)
        return demands(node.op, domain, self._opsets_of(graph).get(domain, 1))

    def _opsets_of(self, graph: Graph) -> Dictionary[str, int]:
        """Return the opsets of a graph: a function has its own."""
        return self._own_opsets.get(id(graph), self.opsets)

    @staticmethod
    def _row(domain: str, node: Node) -> Row | None:
        """Return what a table has for an operator; the tables of rare operators are read only for these."""
        for module in ("bodies",) if node.graphs or node.op == "FlexAttention" else _DOMAINS.get(domain, ()):
            calls: dict[str, Row] = import_module(f"irlint.formats.onnx.dryrun.{module}").CALLS
            if node.op in calls:
                return calls[node.op]
        return None

    def given(self, graph: Graph, node: Node) -> bool:
        return True  # runtimes hold inputs against their declared shapes

    def declared_severity(self, graph: Graph, node: Node, output: int, differs: Difference) -> Severity:
        """Return a severity by what onnx's inference refuses: not what an input of a nested graph declares, as the loop decides that."""
        from irlint.formats.onnx.passes.computed_shapes import is_computed, unknown_to_onnx

        if node.op == "Input":
            return Severity.PEDANTIC
        if id(graph) not in self._seen:
            self._seen[id(graph)] = unknown_to_onnx(graph)
        if self._is_unchecked:
            return Severity.PEDANTIC if node.kind == "const" else Severity.WARNING
        if differs == "bounds" or node.index > self._seen[id(graph)]:
            return Severity.WARNING
        is_unknown = is_computed(graph, node, output, self._opsets_of(graph), differs)
        return Severity.WARNING if is_unknown else Severity.ERROR

    def rewritten(self, node: Node, value: Sequence[Any]) -> Callable[[Document], Fix | None] | None:
        return partial(_rewriting, node, list(value))

    @cached_property
    def _is_unchecked(self) -> bool:
        from irlint.formats.onnx.passes.computed_shapes import is_unchecked

        return is_unchecked(self.graph, self.opsets.get("", 1))

    def array(self, node: Node) -> Any:
        if node.kind != "const":
            raise LookupError(node.name)
        return constant_array(node)

    def output_names(self, graph: Graph) -> list[str]:
        makers = [graph.nodes[node].outputs[output:] if node >= 0 else () for node, output in graph.outputs]
        names = [values[0].name if values else None for values in makers]
        return [name or f"output{k}" for k, name in enumerate(names)]


def _domain(node: Node) -> str:
    """Return the domain of a node as tables of the dry run call it."""
    return "" if node.version == DEFAULT else node.version or ""


def _is_followed(kind: Type) -> bool:
    """Return whether shapes may depend on the elements of a constant."""
    return small(kind.shape) and (kind.dtype not in _FLOATS or len(kind.shape or ()) < 2)


def _leave_out(call: Call, values: NodeAttrs, ports: Sequence[Port]) -> None:
    """Say which optional operands are absent."""
    if len(values.present) >= (values.inputs if call.inputs is None else len(ports)):
        return
    kinds = call.operator.marks if call.inputs is None else [port.kind for port in ports]
    absent = {k for k, kind in enumerate(kinds) if kind in ("?", "optional")} - values.present
    origins = range(values.inputs) if call.inputs is None else call.inputs
    found = [None if origin in absent else origin for origin in origins]
    while found and found[-1] is None:
        found.pop()
    call.inputs = found


def _rewriting(node: Node, value: list[Any], document: Document) -> Fix | None:
    """Return the fix that gives an initializer or the tensor of a Constant other elements."""
    from irlint.formats.onnx.candidates.tensors import retyped
    from irlint.formats.onnx.tensors import TensorData
    from irlint.formats.onnx.text.document import OnnxDocument

    data = node.attrs.get("value")
    tensor = data.tree if isinstance(data, TensorData) and not data.is_external else {}
    shape = [len(value)] if len(tensor.get("dims", ())) == 1 else None
    new = retyped(tensor, value, tensor.get("data_type", 0), shape)
    if not isinstance(document, OnnxDocument) or new is None:
        return None
    steps = () if node.op == "Initializer" else ("attribute", list(node.attrs).index("value"), "t")
    edits = document.changed((*node.path, *steps), new)
    return Fix(f"Set the elements to {value}", edits, "unsafe") if edits else None


def mapping_of(model: Model, document: OnnxDocument) -> OnnxMapping:
    """Return the mapping of a model that has been read."""
    from irlint.formats.onnx.external import state_of
    from irlint.formats.onnx.passes.structure import usable_imports

    state, functions = state_of(model), None
    imports = usable_imports(document.tree) if state.imports is None else state.imports
    if model.functions:
        from irlint.formats.onnx.dryrun.functions import Functions

        functions = state.functions = Functions(document.tree, model.functions)
    return OnnxMapping(model.graph, by_domain(imports), functions, state.doubtful)
