"""The models that a runtime is asked to load: each prototype, the simplest one with each combination of types, and with each value of its attributes.

A model comes with its facts, by which tables say what is refused: types by parameters, attributes, inputs, rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from random import Random
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, defs, helper, numpy_helper

from oracle.kernels.learn import ANY
from oracle.kernels.prototypes import Port, Prototype, is_valid, type_text

Facts = dict[str, Any]
MANY = 700  # combinations of types; of more, those that differ from the prototype in two parameters
_SEVERAL = 60  # variants with several changes
_TRIES = 400
MADE_BY = ("to", "dtype", "output_dtype", "output_datatype")  # attributes that say the type of an output
GROUPS = "num_groups"  # whose number matters only beside that of the channels
_TELLING = (AttributeProto.STRING, AttributeProto.TENSOR)  # kinds whose values runtimes choose kernels by
CODES = {
    f"tensor({helper.tensor_dtype_to_string(code).partition('.')[2].lower()})": code
    for code in TensorProto.DataType.values()
    if code
}


class Variant(NamedTuple):
    prototype: Prototype
    constants: tuple[int, ...]
    opened: tuple[int, ...] = ()  # inputs whose lengths have names

    @property
    def model(self) -> onnx.ModelProto:
        return self.prototype.model(self.constants, opened=self.opened)


Values = dict[str, Sequence[Any]]  # those that attributes may have, where these are few


def variants(found: Sequence[Prototype], values: Values) -> Iterator[Variant]:
    """Yield the variants of one version: one change at a time, then several."""
    seen = set[bytes]()
    for prototype in _all(found, values):
        for constants in constants_of(prototype):
            yield from made(prototype, constants, seen)
    for prototype in found:
        for constants in constants_of(prototype):
            for opened in _opened(prototype, constants):
                yield from made(prototype, constants, seen, opened)
    for prototype in simplest(found):
        yield from made(with_outputs(prototype, 1), list(constants_of(prototype))[-1], seen)
        if prototype.is_function:
            yield from _in_opsets(prototype, seen)
    yield from islice(_random([*found, *map(barest, simplest(found))], values, Random(0), seen), _SEVERAL)


def _in_opsets(prototype: Prototype, seen: set[bytes]) -> Iterator[Variant]:
    """Yield a node with each combination of types in each opset that has it."""
    for opset in range(prototype.schema.since_version, prototype.last + 1):
        for way in _typed_ways(prototype._replace(opset=opset)):
            for constants in constants_of(way):
                yield from made(way, constants, seen)


def drawn(found: Sequence[Prototype], values: Values, chance: Random) -> Iterator[Variant]:
    """Yield variants with several changes, without end."""
    return _random([*found, *map(barest, simplest(found))], values, chance, set())


def _random(found: Sequence[Prototype], values: Values, chance: Random, seen: set[bytes]) -> Iterator[Variant]:
    for _ in range(_TRIES):
        prototype = chance.choice(found)
        if prototype.is_function and not chance.randrange(2):
            prototype = prototype._replace(opset=chance.randint(prototype.schema.since_version, prototype.last))
        prototype = with_types(
            prototype, {name: chance.choice(some) for name, some in allowed_types(prototype).items()}
        )
        for name in chance.sample(sorted(values), min(len(values), chance.randrange(3))):
            prototype = with_attribute(prototype, name, chance.choice(values[name]))
        if (names := [one.name for one in prototype.attributes if one.name not in MADE_BY]) and not chance.randrange(3):
            prototype = without_attribute(prototype, chance.choice(names))
        constants = chance.choice(list(constants_of(prototype)))
        opened = chance.choice([(), (), (), *_opened(prototype, constants)])
        if not chance.randrange(4):
            prototype = with_outputs(prototype, 1)
        yield from made(prototype, constants, seen, opened)


def made(
    prototype: Prototype, constants: tuple[int, ...], seen: set[bytes], opened: tuple[int, ...] = ()
) -> Iterator[Variant]:
    model = prototype.model(constants, opened=opened)
    if is_valid(prototype.schema, model) and (data := model.SerializeToString()) not in seen:
        seen.add(data)
        yield Variant(prototype, constants, opened)


def _opened(prototype: Prototype, constants: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the inputs that may have open lengths: all, and each alone."""
    able = [k for k, port in enumerate(prototype.inputs) if port.rank > 0 and k not in constants]
    return [tuple(able), *((k,) for k in able if len(able) > 1)] if able else []


def with_outputs(prototype: Prototype, count: int) -> Prototype:
    """Return a prototype with only the first outputs."""
    return prototype._replace(outputs=prototype.outputs[:count])


def _all(found: Sequence[Prototype], values: Values) -> Iterator[Prototype]:
    yield from found
    for prototype in simplest(found):
        yield from _typed_ways(prototype)
    for prototype in (one for each in simplest(found) for one in (each, barest(each))):
        for name, choices in values.items():
            for changed in (with_attribute(prototype, name, value) for value in choices):
                yield changed
                yield from (
                    with_types(changed, {name: one}) for name, some in allowed_types(prototype).items() for one in some
                )
    yield from (
        without_attribute(one, attribute.name)
        for one in found
        for attribute in one.attributes
        if attribute.name not in MADE_BY
    )


def simplest(found: Sequence[Prototype]) -> list[Prototype]:
    """Return the simplest prototype for each set of parameters that have a type of one kind."""
    best: dict[frozenset[tuple[str, str]], Prototype] = {}
    for one in sorted(
        found, key=lambda one: (len(one.attributes), len(one.inputs), -one.inputs[0].rank if one.inputs else 0)
    ):
        best.setdefault(frozenset((name, _wraps(text)) for name, text in types(one).items()), one)
    return list(best.values())


def barest(prototype: Prototype) -> Prototype:
    """Return a prototype without the attributes that need not be there: what is refused with them may be taken without."""
    for name in [one.name for one in prototype.attributes if one.name not in MADE_BY]:
        bare = without_attribute(prototype, name)
        if is_valid(bare.schema, bare.model()):
            prototype = bare
    return prototype


def with_attribute(prototype: Prototype, name: str, value: Any) -> Prototype:
    kept = tuple(one for one in prototype.attributes if one.name != name)
    return _changed(prototype, (*kept, helper.make_attribute(name, value)))


def _changed(prototype: Prototype, attributes: tuple[AttributeProto, ...]) -> Prototype:
    """Return a prototype with other attributes, with which its outputs may have other shapes."""
    outputs = tuple(port if port.type is None else Port(_shapeless(port.type)) for port in prototype.outputs)
    return prototype._replace(attributes=attributes, outputs=outputs)


def _shapeless(of: onnx.TypeProto) -> onnx.TypeProto:
    found = onnx.TypeProto()
    found.CopyFrom(of)
    if found.HasField("tensor_type"):
        found.tensor_type.ClearField("shape")
    return found


def without_attribute(prototype: Prototype, name: str) -> Prototype:
    return _changed(prototype, tuple(one for one in prototype.attributes if one.name != name))


def constants_of(prototype: Prototype) -> Iterator[tuple[int, ...]]:
    """Yield which inputs are constants: none, and all but the first."""
    yield ()
    if rest := tuple(k for k, port in enumerate(prototype.inputs) if k and port.value is not None):
        yield rest


def formal(ports: Sequence[Any], k: int) -> Any:
    return ports[min(k, len(ports) - 1)]


def _ports(prototype: Prototype) -> Iterator[tuple[str, Port]]:
    """Yield the ports that have a parameter for their type, with it."""
    schema = prototype.schema
    names = {one.type_param_str for one in schema.type_constraints}
    for formals, ports in ((schema.inputs, prototype.inputs), (schema.outputs, prototype.outputs)):
        for k, port in enumerate(ports):
            one = formal(formals, k)
            is_mixed = one.option == defs.OpSchema.FormalParameterOption.Variadic and not one.is_homogeneous
            if port.type is not None and one.type_str in names and not is_mixed:
                yield one.type_str, port


def _mixed(prototype: Prototype) -> Iterator[tuple[str, str]]:
    """Yield the types of ports that may have any, as those of control flow, by their numbers."""
    known = set(map(id, (port for _, port in _ports(prototype))))
    for word, ports in (("in", prototype.inputs), ("out", prototype.outputs)):
        yield from (
            (f"{word} {k}", port.text)
            for k, port in enumerate(ports)
            if port.type is not None and id(port) not in known
        )


def types(prototype: Prototype) -> dict[str, str]:
    """Return the types of parameters that are in use."""
    return {name: port.text for name, port in _ports(prototype)}


def _typed_ways(prototype: Prototype) -> Iterator[Prototype]:
    now, choices = types(prototype), allowed_types(prototype)
    every = (
        [dict(zip(choices, row, strict=False)) for row in product(*choices.values())]
        if _size(choices) <= MANY
        else list(_near(now, choices))
    )
    yield from (with_types(prototype, row) for row in every)


def allowed_types(prototype: Prototype) -> dict[str, list[str]]:
    """Return the types that each parameter allows; maps are left as they are."""
    now = types(prototype)
    allowed = {one.type_param_str: one.allowed_type_strs for one in prototype.schema.type_constraints}
    found = {
        name: [text for text in allowed[name] if _wraps(text) == _wraps(was) and _inner(text) in CODES]
        for name, was in now.items()
    }
    return {name: some for name, some in found.items() if some}


def _size(choices: dict[str, list[str]]) -> int:
    return int(np.prod([len(some) for some in choices.values()]))


def _near(now: dict[str, str], choices: dict[str, list[str]]) -> Iterator[dict[str, str]]:
    names = list(choices)
    for k, first in enumerate(names):
        for second in names[k + 1 :]:
            yield from ({**now, first: one, second: other} for one, other in product(choices[first], choices[second]))


def _wraps(text: str) -> str:
    return text.partition("tensor(")[0]


def _inner(text: str) -> str:
    return "tensor(" + text.partition("tensor(")[2].rstrip(")") + ")"


def with_types(prototype: Prototype, chosen: dict[str, str]) -> Prototype:
    schema = prototype.schema
    names = [one.type_str for one in schema.inputs], [one.type_str for one in schema.outputs]
    read = {names[0][min(k, len(names[0]) - 1)] for k in range(len(prototype.inputs))} if names[0] else set()
    sides = [
        tuple(_retyped(port, chosen.get(some[min(k, len(some) - 1)])) for k, port in enumerate(ports))
        for some, ports in zip(names, (prototype.inputs, prototype.outputs), strict=False)
    ]
    made = next((chosen[name] for name in names[1] if name in chosen and name not in read), None)
    attributes = prototype.attributes if made is None else _making(prototype, made)
    return prototype._replace(inputs=sides[0], outputs=sides[1], attributes=attributes)


def _retyped(port: Port, text: str | None) -> Port:
    if text is None or port.type is None:
        return port
    made = onnx.TypeProto()
    made.CopyFrom(port.type)
    inner = made
    while inner.WhichOneof("value") != "tensor_type":
        inner = getattr(inner, inner.WhichOneof("value")).elem_type
    inner.tensor_type.elem_type = CODES[_inner(text)]
    return Port(made, None if port.value is None else _as(port.value, CODES[_inner(text)]))


def _as(value: TensorProto, code: int) -> TensorProto | None:
    """Return a tensor of other elements; their values do not matter."""
    if value.data_type == code:
        return value
    dtype = helper.tensor_dtype_to_np_dtype(code)
    try:
        array = numpy_helper.to_array(value)
        return numpy_helper.from_array(
            array.astype(str).astype(object) if code == TensorProto.STRING else array.astype(dtype)
        )
    except (TypeError, ValueError, OverflowError):
        return None


def _making(prototype: Prototype, text: str) -> tuple[AttributeProto, ...]:
    """Return the attributes with those that say the type of an output."""
    code = CODES[_inner(text)]
    known, found = prototype.schema.attributes, {one.name: one for one in prototype.attributes}
    for name in MADE_BY:
        if name in known and str(known[name].type).endswith(".INT"):
            found[name] = helper.make_attribute(name, code)
    for name, one in found.items():
        if one.type == AttributeProto.TENSOR and (changed := _as(one.t, code)) is not None:
            found[name] = helper.make_attribute(name, changed)
    return tuple(found.values())


def facts(variant: Variant, values: Values) -> Facts:
    """Return what a table may say that a model is refused for; of attributes that have any number, only that they are there."""
    prototype, constants = variant.prototype, variant.constants
    found: Facts = {f"type {name}": text for name, text in (*types(prototype).items(), *_mixed(prototype))}
    if prototype.is_function:
        found["opset"] = prototype.opset
    for name in prototype.schema.attributes:
        one = prototype.attribute(name)
        if one is None or name not in (*MADE_BY, GROUPS):
            found[f"attribute {name}"] = None if one is None else _told(one, is_plain=name in values)
    if (count := prototype.attribute(GROUPS)) is not None and 0 not in variant.opened:
        found["groups"] = (
            "single" if count.i == prototype.inputs[0].type.tensor_type.shape.dim[1].dim_value else "several"
        )
    bodies = [one.g for one in prototype.attributes if one.type == AttributeProto.GRAPH]
    if any({one.name for one in body.input} & {one.name for one in body.output} for body in bodies):
        found["passed"] = True
    for k in range(max(len(prototype.inputs), len(prototype.schema.inputs))):
        port = prototype.inputs[k] if k < len(prototype.inputs) else Port()
        found[f"input {k}"] = "absent" if port.type is None else "constant" if k in constants else "given"
        if port.rank >= 0:
            found[f"rank {k}"] = port.rank
            found[f"lengths {k}"] = "open" if k in variant.opened else "fixed"
    found["outputs"] = "".join("01"[port.type is not None] for port in prototype.outputs).rstrip("0")
    return found


def _told(one: AttributeProto, is_plain: bool) -> Any:
    """Return what a table may say of an attribute: its value, the empty list, or that it is there."""
    value = _plain(one)
    return value if is_plain or one.type in _TELLING or value == [] else ANY


def _plain(one: AttributeProto) -> Any:
    value = helper.get_attribute_value(one)
    if isinstance(value, TensorProto):
        return type_text(helper.make_tensor_type_proto(value.data_type, ()))
    return value.decode() if isinstance(value, bytes) else value
