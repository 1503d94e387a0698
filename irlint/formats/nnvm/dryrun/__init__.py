"""How the operators of MXNet symbols and classic NNVM graphs map to the dry run."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from irlint.codes import RuleRow
from irlint.dryrun.entries import call_of
from irlint.dryrun.errors import UNFORESEEN
from irlint.dryrun.mapping import Call, Feed, FromAttr, Mapping
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm.dryrun.calls import SymbolAttrs
from irlint.formats.nnvm.passes.operands import signatures
from irlint.formats.nnvm.reading import dialect as dialects
from irlint.formats.nnvm.reading.json_values import as_dict
from irlint.formats.nnvm.rules import R
from irlint.formats.nnvm.state import state_of
from irlint.graph import Graph, Node, above
from irlint.operators import OperatorTable
from irlint.rules.base import Model

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from irlint.dryrun.entries import Row
    from irlint.files.side_files import SideFile
    from irlint.formats.nnvm.reading.param_values import Values
    from irlint.formats.nnvm.reading.params import Array, ParamsIndex
    from irlint.text.base import Path


_NESTED = ("nested",)
_CLASSIC = ("classic",)
_MXNET = ("mxnet", "images", "rare", "numpy", "quantized", "signed")


class NnvmMapping(Mapping):
    """Operators by the names of the dialect's table; variables by what they declare."""

    unforeseen = UNFORESEEN
    bodies_declare = False
    usual = "float32"

    def __init__(
        self,
        dialect: str,
        table: OperatorTable,
        params: tuple[SideFile, ParamsIndex] | None = None,
        drops_last_axis: bool = False,
    ) -> None:
        """`params`: the parameter file, with what is in it; `drops_last_axis`: see LoaderBehavior."""
        self.dialect, self.table, self.params, self.drops_last_axis = dialect, table, params, drops_last_axis
        self.arrays: dict[str, Array] = {}
        if params is not None:
            from irlint.formats.nnvm.reading.params import by_name

            self.arrays = {name: array for name, array in by_name(params[1]) if array.shape is not None}

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        """A variable by what the file declares; where that leaves its shape open, by the array of its name."""
        dtype, shape = node.outputs[0].type
        return (Tensor(dtype, self.arrays[node.name].shape if self.given(graph, node) else shape),)

    def given(self, graph: Graph, node: Node) -> bool:
        return node.name in self.arrays and graph.parent is None and node.outputs[0].type.shape is None

    @cached_property
    def _values(self) -> Values:
        from irlint.formats.nnvm.reading.param_values import Values

        assert self.params is not None
        return Values(self.params[0].data, self.params[1].kind)

    def declaring(self, variable: Node, rule: RuleRow, reader: Node, place: int) -> str | None:
        """What it declares, unless it is the wrong variable: data where a weight belongs."""
        from irlint.formats.nnvm.passes.variables import ROLES

        role = self._input_name(reader.op, place)
        key = "__dtype__" if rule == R.dtype_mismatch else "__shape__"
        return f"attr:{key}" if key in variable.attrs and (role not in ROLES or variable.name.endswith(role)) else None

    def array(self, node: Node) -> Any:
        array = self.arrays[node.name]
        return self._values[array]

    def added(self, node: Node, place: int) -> tuple[str, Any]:
        """As MXNet names what files of before 0.9 leave out."""
        name = f"{node.name}_{self._input_name(node.op, place)}"
        return name, self._values[self.arrays[name]] if name in self.arrays else None

    def _input_name(self, op: str, place: int) -> str:
        operator = self.table.get(op)
        return operator.inputs[place].name if operator is not None and place < len(operator.inputs) else ""

    def feeds(self, graph: Graph) -> list[Feed]:
        from irlint.formats.nnvm.dryrun.feeds import feeds

        return feeds(graph, self, self.table, self.arrays)

    def shown(self, graph: Graph, types: Sequence[tuple[Tensor, ...]]) -> Sequence[tuple[Tensor, ...]]:
        from irlint.formats.nnvm.dryrun.shown_types import completed

        return completed(self, graph, types, self.table, self.arrays)

    def output_names(self, graph: Graph) -> list[str]:
        from irlint.formats.nnvm.dryrun.feeds import output_names

        return output_names(graph, self.table)

    def dead(self, graph: Graph) -> list[int]:
        """Nodes that no output depends on: MXNet drops them when it loads."""
        if self.dialect == dialects.CLASSIC or graph.parent is not None or not graph.outputs:
            return []
        heads = {source for source, _ in graph.outputs}
        live = heads | above(graph, *heads)
        return [k for k in range(len(graph.nodes)) if k not in live]

    def call(self, graph: Graph, node: Node) -> Call | None:
        return self.call_by(node.op, node.attrs, len(node.inputs), node.graphs)

    def call_by(self, op: str, attrs: dict[str, str], count: int, graphs: Sequence[Graph] = ()) -> Call | None:
        """The call of a node, with the graphs inside it."""
        if (operator := self.table.get(op)) is None or (row := self._row(operator.name, bool(graphs))) is None:
            return None
        if self.drops_last_axis and op in ("argmax", "argmin") and attrs.get("axis") == "-1":
            attrs = attrs.copy()
            del attrs["axis"]
        call = call_of(row, SymbolAttrs(operator, attrs, count, graphs))
        call.demands = signatures(operator)
        return _filled_up(call, count)

    def sound(self, model: Model, broken: Collection[Path]) -> bool:
        """Whether a quick look finds nothing wrong."""
        seen = state_of(model).sweep
        if seen is None or seen.view.broken or seen.doubled:
            return False
        from irlint.formats.nnvm.dryrun.shape_gate import ShapeGate

        passed = frozenset(path[1] for path in broken if path[:1] == ("nodes",) and len(path) > 1)
        return ShapeGate(self, seen, passed).lets_through()

    def _row(self, name: str, has_graphs: bool) -> Row | None:
        """Return how calls of an operator are put together; tables of rare operators are read only for these."""
        for module in _NESTED if has_graphs else _CLASSIC if self.dialect == dialects.CLASSIC else _MXNET:
            rows: dict[str, Row] = import_module(f"irlint.formats.nnvm.dryrun.{module}").CALLS
            if name in rows:
                return rows[name]
        return None


def _filled_up(call: Call, count: int) -> Call | None:
    """Operands that old files leave out (the loader makes variables for them) count as unknown."""
    if call.inputs is not None:
        places = [k for k in call.inputs if isinstance(k, int)]
        return call if max(places, default=-1) < count else None
    operator = call.operator
    if operator.most is not None and count > operator.most:
        return None
    if count < operator.least:
        call.inputs = [*range(count), *[FromAttr("", Tensor())] * (operator.least - count)]
    return call


def mapping_of(model: Model) -> NnvmMapping:
    """Return the mapping of a model that has been read and has operators."""
    from irlint.formats.nnvm.reading.versions import behavior_of

    assert model.operators is not None
    drops = behavior_of(model, as_dict(getattr(model.document, "value", None))).drops_last_axis
    return NnvmMapping(model.dialect, model.operators, state_of(model).params, drops)
