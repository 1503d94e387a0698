"""How the operators of MXNet symbols and classic NNVM graphs map to the dry run."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from irlint.dryrun.errors import Undecided
from irlint.dryrun.mapping import Call, FromAttr, Mapping
from irlint.dryrun.tensor import Tensor
from irlint.formats.nnvm import dialect as dialects
from irlint.formats.nnvm.values import Bad, read
from irlint.graph import Graph, Node
from irlint.operators import Operator, OperatorTable
from irlint.rules.base import Model

if TYPE_CHECKING:
    from irlint.formats.nnvm.dryrun_calls import Make


class Attrs:
    """The attributes of one node as its operator reads them."""

    def __init__(self, operator: Operator, texts: dict[str, str], count: int) -> None:
        self.operator = operator
        self.texts = texts
        self.count = count  # of inputs

    def __getitem__(self, name: str) -> Any:
        attribute = self.operator.attributes[name]
        text = self.texts.get(name, attribute.default)
        if text is None:
            if attribute.required:
                raise Undecided
            return None
        try:
            return read(attribute, str(text))
        except Bad:
            raise Undecided from None

    def all(self) -> dict[str, Any]:
        return {name: self[name] for name in self.operator.attributes if name not in _NEEDLESS}


_NEEDLESS = {"workspace", "cudnn_tune", "cudnn_off", "ctx", "num_args", "forward_stype", "is_int"}


_CLASSIC = ("classic",)
_MXNET = ("mxnet", "images", "rare", "linear", "numpy", "quantized")


class NnvmMapping(Mapping):
    """Operators by the names of the dialect's table; variables by what they declare."""

    bodies_declare = False

    def __init__(self, dialect: str, table: OperatorTable) -> None:
        self.dialect = dialect
        self.table = table

    def leaf(self, graph: Graph, node: Node) -> tuple[Tensor, ...]:
        declared = node.outputs[0].type
        return (Tensor(declared.dtype, declared.shape),)

    def call(self, graph: Graph, node: Node) -> Call | None:
        operator = self.table.get(node.op)
        if operator is None:
            return None
        attrs = Attrs(operator, node.attrs, len(node.inputs))
        if node.graphs:
            from irlint.formats.nnvm.dryrun_nested import call_of

            return call_of(node, attrs)
        make = self._makers(operator.name)
        return None if make is None else _filled_up(make(attrs), len(node.inputs))

    def _makers(self, name: str) -> Make | None:
        """How calls of an operator are put together; tables of rare operators are read only for these."""
        for module in _CLASSIC if self.dialect == dialects.CLASSIC else _MXNET:
            calls: dict[str, Make] = import_module(f"irlint.formats.nnvm.dryrun_{module}").CALLS
            if name in calls:
                return calls[name]
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


def mapping_of(model: Model) -> NnvmMapping | None:
    """The mapping of a model that has been read; TVM graphs hold compiled functions, of which nothing is known."""
    if model.dialect == dialects.TVM or model.operators is None:
        return None
    mapping = NnvmMapping(model.dialect, model.operators)
    mapping.blind = "__shape__" not in model.document.text
    return mapping
