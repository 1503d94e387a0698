"""What the reader knows besides the graph, and how it makes a node of an operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from irlint.formats.lightnet.names import TensorNames
from irlint.formats.lightnet.shapes.infer import PreparedOperator, Types
from irlint.graph import NOWHERE, Node, Source, Value
from irlint.records import dataclass, field
from irlint.rules.base import Model


@dataclass(slots=True)
class LightNetState:
    """What the passes after the reader, and editors, need besides the graph."""

    ops: list[Any] = field(
        default_factory=list
    )  # the operators as JSON, entries that cannot be read replaced by empty ones
    output_names: list[tuple[str, ...]] = field(default_factory=list)  # argument names, per operator
    by_op: dict[str, list[Node]] = field(default_factory=dict)  # operators of each optype, in file order
    repeated: set[int] = field(default_factory=set)  # operators with two parameters of one name
    unsure: bool = False  # something is wrong with the inputs: an unused tensor may follow from it
    extended: list[int] = field(default_factory=list)  # operators with more keys than they need, or entries that have
    prepared: Sequence[PreparedOperator] = ()  # operators whose shapes can be inferred
    written: Types | None = None  # the tensors' types as the file has them; None: nobody has inferred them
    tensors: Types = field(default_factory=list)  # the tensors' types as repairs would make them


def state_of(model: Model) -> LightNetState:
    found: LightNetState = model.state
    return found


def maker(found: LightNetState, names: TensorNames) -> Callable[[int, Any], tuple[Node, tuple[str, ...]]]:
    """Makes a node of an operator, and notes what is odd about it."""
    defined, operators = names.defined, names.operators

    def make(i: int, op: Any) -> tuple[Node, tuple[str, ...]]:
        tensors_in, tensors_out, params = op["tensors_in"], op["tensors_out"], op["params"]
        extended = len(op) != 5
        sources: list[Source] = []
        for entry in tensors_in:
            name = entry["name"]
            source = defined.get(name)
            if source is None:
                if name is not None:
                    names.unresolved.append((i, len(sources), name))
                source = NOWHERE
            sources.append(source)
            extended = extended or len(entry) != 2
        outputs: list[Value] = []
        for entry in tensors_out:
            name = entry["name"]
            if name is not None:
                if name not in defined:
                    defined[name] = Source(i, len(outputs))
                elif not _is_same_output(tensors_out, len(outputs), defined[name], i):
                    names.repeated.append((i, len(outputs), name))
            outputs.append(Value(name))
            extended = extended or len(entry) != 2
        attrs = {}
        for entry in params:
            attrs[entry["arg_name"]] = entry["value"]
            extended = extended or len(entry) != 2
        if extended:
            found.extended.append(i)
        if len(attrs) != len(params):
            found.repeated.add(i)  # of two parameters with one name the first counts
            attrs = {entry["arg_name"]: entry["value"] for entry in reversed(params)}
        label = op["name"]
        if label not in operators:
            operators[label] = i
        else:
            names.twins.append(i)
        input_names = tuple([entry["arg_name"] for entry in tensors_in])
        node = Node(i, label, op["optype"], ("ops", i), sources, outputs, attrs, "call", None, input_names)
        return node, tuple([entry["arg_name"] for entry in tensors_out])

    return make


def _is_same_output(tensors_out: list[Any], k: int, first: Source, index: int) -> bool:
    """Return whether an output is there twice with its argument name, which is reported at the argument."""
    return first.node == index and tensors_out[first.output]["arg_name"] == tensors_out[k]["arg_name"]
