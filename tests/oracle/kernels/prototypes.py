"""One valid node for each way to write an operator, for each of its versions, from onnx's own node tests: what kernels.cases varies.

onnx's tests have the newest version of each operator. Older versions are written from them: attributes that became inputs are attributes
again, and what a version does not have is left out; what its checker then refuses is not taken.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, defs, helper, numpy_helper

from oracle.kernels.untested import UNTESTED

DOMAINS = ("", "ai.onnx.ml")
IR = {
    7: 3,
    8: 3,
    9: 4,
    10: 5,
    11: 6,
    12: 7,
    13: 7,
    14: 7,
    15: 8,
    16: 8,
    17: 8,
    18: 8,
    19: 9,
    20: 9,
    21: 10,
    22: 10,
    23: 11,
    24: 12,
}
Schema = Any
NEWEST = onnx.defs.onnx_opset_version()
_USUAL = 13  # the opset of models, if it has a version: runtimes add casts of that opset, and the first ones had others


class Port(NamedTuple):
    """An input or output of a node; no type: it is absent."""

    type: onnx.TypeProto | None = None
    value: TensorProto | None = None  # the one that the test gives

    @property
    def text(self) -> str:
        return "" if self.type is None else type_text(self.type)

    @property
    def rank(self) -> int:
        return (
            -1 if self.type is None or not self.type.HasField("tensor_type") else len(self.type.tensor_type.shape.dim)
        )


class Prototype(NamedTuple):
    """A node that is alone in its model."""

    schema: Schema
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    attributes: tuple[AttributeProto, ...]
    opset: int  # that has this version of the operator
    last: int  # opset that has it

    @property
    def is_function(self) -> bool:
        """Whether a runtime without a kernel may compute it by other operators, of which some have none in some opsets."""
        schema = self.schema
        return not schema.domain and bool(schema.has_function or schema.has_context_dependent_function)

    def attribute(self, name: str) -> AttributeProto | None:
        return next((one for one in self.attributes if one.name == name), None)

    def model(self, constants: Sequence[int] = (), opened: Sequence[int] = ()) -> onnx.ModelProto:
        """Return the model; the inputs at `constants` are initializers, and the lengths of those that are `opened` have names."""
        given = [f"x{k}" if port.type is not None else "" for k, port in enumerate(self.inputs)]
        made = [f"y{k}" if port.type is not None else "" for k, port in enumerate(self.outputs)]
        node = onnx.NodeProto(
            op_type=self.schema.name, domain=self.schema.domain, input=given, output=made, attribute=self.attributes
        )
        inputs = [
            helper.make_value_info(name, port.type)
            for k, (name, port) in enumerate(zip(given, self.inputs, strict=False))
            if name and k not in constants
        ]
        outputs = [
            helper.make_value_info(name, port.type) for name, port in zip(made, self.outputs, strict=False) if name
        ]
        for one in (*inputs, *outputs) if opened else ():
            if one.name[0] == "y" or int(one.name[1:]) in opened:
                _open(one)
        graph = helper.make_graph([node], "g", inputs, outputs)
        for k in constants:
            graph.initializer.append(self.inputs[k].value)
            graph.initializer[-1].name = given[k]
        opsets = [helper.make_opsetid(self.schema.domain, self.opset)]
        if self.schema.domain:
            opsets.append(helper.make_opsetid("", 15))
        newest = max(one.version for one in opsets if not one.domain)
        model = helper.make_model(graph, opset_imports=opsets)
        model.ir_version = max(4, IR.get(newest, 3 if newest < 7 else 13))
        return _shaped(model)


def _shaped(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model with the shapes of its outputs, which have none where an attribute was changed."""
    if all(
        not one.type.HasField("tensor_type") or one.type.tensor_type.HasField("shape") for one in model.graph.output
    ):
        return model
    try:
        return onnx.shape_inference.infer_shapes(model)
    except Exception:  # of several kinds, by what is wrong: onnx will not accept it either
        return model


def _open(value: onnx.ValueInfoProto) -> None:
    if value.type.HasField("tensor_type") and value.type.tensor_type.HasField("shape"):
        for k, dim in enumerate(value.type.tensor_type.shape.dim):
            dim.dim_param = f"{value.name}_{k}"


def type_text(of: onnx.TypeProto) -> str:
    """Return a type as schemas write it."""
    kind = of.WhichOneof("value")
    if kind == "tensor_type":
        return f"tensor({helper.tensor_dtype_to_string(of.tensor_type.elem_type).partition('.')[2].lower()})"
    if kind in ("sequence_type", "optional_type"):
        return f"{kind.partition('_')[0].replace('sequence', 'seq')}({type_text(getattr(of, kind).elem_type)})"
    return kind or ""


def schemas() -> dict[tuple[str, str], list[Schema]]:
    """Return the versions of each operator, the newest first."""
    found: dict[tuple[str, str], list[Schema]] = {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain in DOMAINS:
            found.setdefault((schema.domain, schema.name), []).append(schema)
    return {key: sorted(versions, key=lambda one: -one.since_version) for key, versions in sorted(found.items())}


def tested() -> dict[tuple[str, str], list[tuple[onnx.ModelProto, list[Any]]]]:
    """Return the models of onnx's tests of one node, with the values of their inputs."""
    from onnx.backend.test.case.node import collect_testcases

    warnings.filterwarnings("ignore")
    found: dict[tuple[str, str], list[tuple[onnx.ModelProto, list[Any]]]] = {}
    for case in [*collect_testcases(None), *UNTESTED]:
        if len(case.model.graph.node) == 1:
            node = case.model.graph.node[0]
            values = case.data_sets[0][0] if case.data_sets else []
            found.setdefault((node.domain, node.op_type), []).append((case.model, values))
    return found


def prototypes(moved: dict[str, Any]) -> Iterator[list[Prototype]]:
    """Yield the prototypes of each version of each operator."""
    cases = tested()
    for key, versions in schemas().items():
        newer = None
        for schema in versions:
            found: dict[bytes, Prototype] = {}
            since = schema.since_version
            opset = max(since, _USUAL if newer is None else min(_USUAL, newer - 1)) if not schema.domain else since
            last, newer = (newer or NEWEST) - (newer is not None), since
            for model, values in cases.get(key, ()):
                for prototype in _written_for(schema, (opset, last), model, values, moved.get(schema.name, {})):
                    found.setdefault(prototype.model().SerializeToString(), prototype)
            yield [one for one in found.values() if is_valid(schema, one.model())]


def is_valid(schema: Schema, model: onnx.ModelProto) -> bool:
    """Return whether onnx accepts a model; types inside of functions are not asked, of which some are wrong in onnx itself."""
    try:
        onnx.checker.check_model(model, full_check=not (schema.has_function or schema.has_context_dependent_function))
    except Exception:  # of several kinds, by what is wrong
        return False
    return True


def _written_for(
    schema: Schema, opsets: tuple[int, int], model: onnx.ModelProto, values: Sequence[Any], moved: dict[str, Any]
) -> Iterator[Prototype]:
    node = model.graph.node[0]
    types = {one.name: one.type for one in (*model.graph.input, *model.graph.output)}
    data = {one.name: value for one, value in zip(model.graph.input, values, strict=False)}
    inputs = [Port(types.get(name), _tensor(data.get(name))) if name else Port() for name in node.input]
    attributes = {one.name: one for one in node.attribute}
    for name, steps in moved.items():
        for since, new, *place in steps:
            if since > schema.since_version and place and place[0] < len(inputs) and name in schema.attributes:
                port = inputs[place[0]]
                if port.value is not None:
                    attributes[name] = _attribute(name, schema.attributes[name].type, port.value)
            elif since > schema.since_version and not place and new in attributes:
                attributes[name] = _renamed(attributes[new], name)
    inputs = [_required(schema, k, port) for k, port in enumerate(inputs[: schema.max_input])]
    kept = tuple(one for name, one in attributes.items() if name in schema.attributes)
    outputs = [Port(types.get(name)) if name else Port() for name in node.output][: schema.max_output]
    while inputs and inputs[-1].type is None:
        inputs.pop()
    yield Prototype(schema, tuple(inputs), tuple(outputs), kept, *opsets)


def _required(schema: Schema, k: int, port: Port) -> Port:
    """Return an empty list for an input that later versions need not have."""
    formal = schema.inputs[min(k, len(schema.inputs) - 1)]
    if port.type is not None or formal.option != defs.OpSchema.FormalParameterOption.Single:
        return port
    return Port(
        helper.make_tensor_type_proto(TensorProto.FLOAT, (0,)), helper.make_tensor("", TensorProto.FLOAT, (0,), [])
    )


def _tensor(value: Any) -> TensorProto | None:
    if isinstance(value, TensorProto):
        return value
    return numpy_helper.from_array(value) if isinstance(value, np.ndarray) else None


def _attribute(name: str, kind: Any, value: TensorProto) -> AttributeProto:
    array = numpy_helper.to_array(value)
    word = str(kind).rpartition(".")[2]
    plain = float if word.startswith("FLOAT") else int
    listed = [plain(one) for one in array.ravel()]
    made = listed if word.endswith("S") else listed[0] if listed else 0
    return helper.make_attribute(name, made, attr_type=getattr(AttributeProto, word))


def _renamed(attribute: AttributeProto, name: str) -> AttributeProto:
    copy = AttributeProto()
    copy.CopyFrom(attribute)
    copy.name = name
    return copy
