"""Write more models of operators of which releases refuse some for reasons that are not known: python -m oracle.kernels.pairs FILE MODELS ANSWERS...

Each is like one of these but for one change, so that what a release says of both shows whether the change is the reason.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from onnx.defs import OpSchema

from oracle.kernels.learn import answers_of, hashable, learn, predicts
from oracle.kernels.prototypes import Port, Prototype
from oracle.kernels.variants import (
    MADE_BY,
    Facts,
    Values,
    Variant,
    allowed_types,
    constants_of,
    facts,
    made,
    types,
    variants,
    with_attribute,
    with_outputs,
    with_types,
    without_attribute,
)
from oracle.kernels.write import operators

_MOST = 6  # other types of a parameter
_OPTIONAL = OpSchema.FormalParameterOption.Optional


def main(path: str, models: str, answers: Sequence[str]) -> None:
    records = pickle.loads(Path(models).read_bytes())
    known = {record[2] for record in records}
    wanted: dict[str, set[bytes]] = {}
    for one in answers:
        for key, data in _unexplained(records, Path(one).read_text(errors="replace").split("\n")[:-1]):
            wanted.setdefault(key, set()).add(data)
    found = list(_near(wanted, known))
    Path(path).write_bytes(pickle.dumps(found))
    print(f"{len(found):,} models of {len(wanted):,} operators")


def _unexplained(records: Sequence[tuple[str, Facts, bytes]], said: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the models that are refused for no reason that is known, by their operators."""
    known = {key: (learn(answers), answers) for key, answers in answers_of(records, said).items()}
    for (key, told, data), text in zip(records, said, strict=False):
        learned, _ = known.get(key, (None, None))
        if text and learned is not None and learned.unexplained and told:
            if predicts(learned, frozenset((name, hashable(value)) for name, value in told.items())):
                yield key, data


def _near(wanted: dict[str, set[bytes]], known: set[bytes]) -> Iterator[tuple[str, Facts, bytes]]:
    for key, found, values in operators():
        for variant in variants(found, values) if key in wanted else ():
            if variant.model.SerializeToString() in wanted[key]:
                for one in _changed(variant, values):
                    for sound in made(one.prototype, one.constants, known, one.opened):
                        yield key, facts(sound, values), sound.model.SerializeToString()


def _changed(variant: Variant, values: Values) -> Iterator[Variant]:
    """Yield variants with one change."""
    prototype, constants, opened = variant
    for one in _prototypes(prototype, values):
        able = tuple(k for k in constants if k < len(one.inputs) and one.inputs[k].value is not None)
        yield Variant(one, able, tuple(k for k in opened if k < len(one.inputs) and one.inputs[k].rank > 0))
    yield from (Variant(prototype, some, tuple(k for k in opened if k not in some)) for some in constants_of(prototype))
    yield from (Variant(prototype, constants, tuple(k for k in opened if k != open_)) for open_ in opened)
    yield Variant(prototype, constants)


def _prototypes(prototype: Prototype, values: Values) -> Iterator[Prototype]:
    schema = prototype.schema
    for k in range(len(prototype.inputs)):
        if k < len(schema.inputs) and schema.inputs[k].option == _OPTIONAL and prototype.inputs[k].type is not None:
            yield _without_input(prototype, k)
    now = types(prototype)
    for name, some in allowed_types(prototype).items():
        yield from (with_types(prototype, {**now, name: one}) for one in some[:_MOST])
    for attribute in prototype.attributes:
        if attribute.name not in MADE_BY:
            yield without_attribute(prototype, attribute.name)
    for name, some in values.items():
        yield from (with_attribute(prototype, name, one) for one in some)
    yield with_outputs(prototype, 1)


def _without_input(prototype: Prototype, k: int) -> Prototype:
    inputs = [*prototype.inputs[:k], Port(), *prototype.inputs[k + 1 :]]
    while inputs and inputs[-1].type is None:
        inputs.pop()
    return prototype._replace(inputs=tuple(inputs))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
