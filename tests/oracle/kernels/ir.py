"""Write the IRs to ask releases of OpenVINO: python -m oracle.kernels.ir FILE [SEED COUNT] (in tests, with a Python that has openvino).

All of kernels.ir_variants and kernels.ir_bodies that the newest release reads, and random operations of sampled_openvino_*; with a seed, that many of both that
the table was not made of.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import openvino
from formats.openvino import models

from irlint.formats.openvino.reading.layers import ELEMENT_TYPES
from oracle.draw import Draw
from oracle.kernels import ir_bodies
from oracle.kernels.ir_variants import PRECISIONS, Values, drawn, model_of, values_of, variants
from oracle.sampled_openvino_numbers import OPERATORS as NUMBERS
from oracle.sampled_openvino_windows import OPERATORS as WINDOWS

TABLE = Path(__file__).parents[3] / "schemas/operators/openvino.json"
Facts = dict[str, Any]
Model = tuple[bytes, bytes]
Case = tuple[str, Facts, Model]
_DATA = re.compile(r'name="op" type="\w+" version="\w+">\s*(?:<data ([^>]*)/>)?')
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_MANY = 32  # models of an operation
_SAMPLES = 10  # random operations of each kind
_TRIES = 5


def every() -> Iterator[Case]:
    rows = json.loads(TABLE.read_bytes())["operators"]
    for key, base in models.operations().items():
        if key in ir_bodies.BUILDERS:  # old releases take no ReadValue without its Assign
            continue
        made = (model_of(record) for record in variants(base, values_of(rows[key])))
        random = (sampled(key, f"kernels {k}") for k in range(_SAMPLES))
        found = {repr(one[1]): one for one in _cases(key, rows[key], [*filter(None, (*made, *random))])}
        yield from _spread(list(found.values()))
    for key, model in ir_bodies.every():
        yield from _cases(key, rows[key], [model])
    for type_ in PRECISIONS:
        if type_ != "string":  # what no Convert takes
            yield from _ends(type_)


def _spread(cases: list[Case]) -> list[Case]:
    """Return as many of some models as a release is asked about, of each kind of variants."""
    most = min(len(cases), _MANY)
    return [cases[k * len(cases) // most] for k in range(most)]


def _ends(type_: str) -> Iterator[Case]:
    """Yield a Parameter of a type, and a Result: what a release refuses of these it says of no operation that takes or outputs them."""
    base = {"type": "Convert", "version": "opset1", "outputs": [["FP32", [2]]]}
    into = model_of({**base, "inputs": [[PRECISIONS[type_], [2]]], "data": {"destination_type": "f32"}})
    outof = model_of({**base, "inputs": [["FP32", [2]]], "data": {"destination_type": type_}})
    if into is not None and outof is not None:
        yield "opset1.Parameter", {"attribute element_type": type_, "type out 0": ELEMENT_TYPES[type_]}, into
        yield "opset1.Result", {"type in 0": ELEMENT_TYPES[type_]}, outof


def some(seed: int, count: int) -> Iterator[Case]:
    """Yield models that a seed draws, each operation as often as any other."""
    chance, rows, known = Random(seed), json.loads(TABLE.read_bytes())["operators"], models.operations()
    while count:
        key = chance.choice(sorted(known))
        base, values = known[key], values_of(rows[key])
        model = sampled(key, f"drawn {chance.random()}") if chance.random() < 0.3 else None
        tried = [model] if model else [*filter(None, (model_of(drawn(base, values, chance)) for _ in range(_TRIES)))]
        if found := _cases(key, rows[key], tried):
            count -= 1
            yield found[0]


def sampled(key: str, seed: str) -> Model | None:
    """Return a random operation, if there is a sampler for it."""
    sampler = NUMBERS.get(key) or WINDOWS.get(key)
    found = None if sampler is None else sampler(Draw(f"{seed} {key}"), key)
    return None if found is None else (found.files[".xml"], found.files[".bin"])


def _cases(key: str, row: dict[str, Any], tried: Sequence[Model]) -> list[Case]:
    """Return the models that the newest release reads and does not fold, with their facts. A child reads them, for some end the process."""
    found: list[Case] = []
    done = 0
    while done < len(tried):
        reader, writer = os.pipe()
        if not (child := os.fork()):
            os.close(reader)
            with os.fdopen(writer, "wb") as pipe:
                for one in tried[done:]:
                    pickle.dump(_case(key, row, one), pipe)
                    pipe.flush()
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            while done < len(tried):
                try:
                    case = pickle.load(pipe)
                except EOFError:
                    break
                done += 1
                found += [] if case is None else [case]
        os.waitpid(child, 0)
        done += done < len(tried)  # the one that ended it
    return found


def _case(key: str, row: dict[str, Any], model: Model) -> Case | None:
    try:
        read = openvino.Core().read_model(*model)
    except Exception:  # of several kinds, by what is wrong
        return None
    op = next((one for one in read.get_ops() if one.get_friendly_name() == "op"), None)
    if op is None or all(one.get_node().get_type_name() == "Constant" for one in op.input_values()):
        return None
    return key, facts(op, model[0].decode(), row, values_of(row)), model


def facts(op: Any, text: str, row: dict[str, Any], values: Values) -> Facts:
    """Return what a table may say that a model is refused for; of attributes that have any value, only that they are there."""
    match = _DATA.search(text)
    data = dict(_ATTRIBUTE.findall(match[1] or "")) if match else {}
    found: Facts = {}
    for one in row.get("attributes", ()):
        name = one["name"]
        value = data.get(name, one.get("default"))
        found[f"attribute {name}"] = value.lower() if name in values and value is not None else value and "any"
    for k in range(max(op.get_input_size(), len(row.get("inputs", ())))):
        if k >= op.get_input_size():
            found[f"input {k}"] = "absent"
            continue
        shape = op.get_input_partial_shape(k)
        found[f"type in {k}"] = ELEMENT_TYPES[op.get_input_element_type(k).get_type_name()]
        found[f"input {k}"] = "constant" if op.input_value(k).get_node().get_type_name() == "Constant" else "given"
        found[f"lengths {k}"] = "fixed" if shape.is_static else "open"
        if not shape.rank.is_dynamic:
            found[f"rank {k}"] = len(shape)
    for k in range(op.get_output_size()):
        found[f"type out {k}"] = ELEMENT_TYPES[op.get_output_element_type(k).get_type_name()]
    return found


if __name__ == "__main__":
    records = list(every() if len(sys.argv) < 3 else some(*map(int, sys.argv[2:4])))
    Path(sys.argv[1]).write_bytes(pickle.dumps(records))
    print(f"{len(records):,} models")
