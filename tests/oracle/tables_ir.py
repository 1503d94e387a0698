"""What schemas/operators/openvino.json says of attributes and inputs, as small models: each entry against the real reader."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from formats.openvino import models

from irlint.operators import Attribute, Operator, table
from oracle.probes import Probe, Trial

BOGUS = "no_such_word"
# Attributes of which the model at hand does not tell: the plug-in replaces its FakeQuantize
ELSEWHERE = {("opset1.FakeQuantize", "levels")}
# -1 runs, smaller numbers end the process
LUCKY = {("opset6.ExperimentalDetectronDetectionOutput", "post_nms_count"), ("opset1.RegionYolo", "classes")}
FORBIDS = {("opset11.TopK", "sort"): "stable"}  # an attribute of the model at hand with which not every word goes


def probes() -> Iterator[Probe]:
    """A probe of every default, required attribute, word and number of inputs, and of 0 and -1 for every number."""
    known = table("openvino")
    for key, record in models.operations().items():
        operator = known.get(key)
        assert operator is not None
        for attribute in operator.attributes.values():
            yield from _attribute(key, record, attribute)
        yield from _arity(key, record, operator)


def _trial(key: str, record: dict[str, Any], label: str) -> Trial:
    made = models.model(key, record)
    return Trial(label, made.text, made.weights)


def _with(key: str, record: dict[str, Any], name: str, value: str | None) -> Trial:
    """The model with an attribute of this value; None: without it."""
    data = {k: v for k, v in record["data"].items() if k != name}
    if value is not None:
        data[name] = value
    return _trial(key, {**record, "data": data}, f"{name} omitted" if value is None else f"{name}={value!r}")


def _written(record: dict[str, Any], attribute: Attribute, value: str) -> str:
    """A default as it is written in a model: the table gives one number for those that are repeated."""
    like = record["data"].get(attribute.facts.get("repeated", ""))
    return value if like is None or "," in value else ",".join([value] * (like.count(",") + 1))


def _attribute(key: str, record: dict[str, Any], attribute: Attribute) -> Iterator[Probe]:
    name, facts = attribute.name, attribute.facts
    forbids = FORBIDS.get((key, name))
    record = {**record, "data": {k: v for k, v in record["data"].items() if k != forbids}}
    omitted = _with(key, record, name, None)
    if facts.get("absent") == "open" or (key, name) in ELSEWHERE:
        return
    if attribute.kind in ("int", "int[]") and name in record["data"]:
        length = record["data"][name].count(",") + 1
        for number in ("0", "-100" if (key, name) in LUCKY else "-1"):
            yield Probe(key, "number", name, (_with(key, record, name, ",".join([number] * length)),))
    taken = facts.get("fallback", attribute.default)
    if attribute.required or "absent" in facts:
        yield Probe(key, "required", name, (omitted,))
    if taken is not None and "absent" not in facts:
        yield Probe(key, "default", name, (omitted, _with(key, record, name, _written(record, attribute, taken))), True)
    if attribute.default is not None and attribute.default != taken:
        written = _written(record, attribute, attribute.default)
        yield Probe(key, "default", name, (_with(key, record, name, written),))
    if attribute.values and attribute.kind in ("enum", "element_type"):
        for word in attribute.values:
            yield Probe(key, "enum", name, (_with(key, record, name, word),))
        yield Probe(key, "enum", name, (_with(key, record, name, BOGUS),))


def _arity(key: str, record: dict[str, Any], operator: Operator) -> Iterator[Probe]:
    inputs = record["inputs"]
    least = sum(port.kind in ("required", "variadic") for port in operator.inputs)
    most = len(operator.inputs)
    for count in sorted({least - 1, least, most, most + 1} - {-1}):
        if count > len(inputs) and not inputs:
            continue
        ports = (inputs + inputs[-1:] * count)[:count] if inputs else []
        constants = {k: v for k, v in record.get("constants", {}).items() if int(k) < count}
        yield Probe(
            key,
            "arity",
            str(count),
            (_trial(key, {**record, "inputs": ports, "constants": constants}, f"{count} inputs"),),
        )
