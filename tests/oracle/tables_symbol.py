"""What schemas/operators/mxnet.json says of attributes and inputs, as symbols of one operator, and what MXNet's registry says."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formats.nnvm import models

from irlint.formats.nnvm.reading.values import BadValue, read
from irlint.operators import Attribute, Operator, table
from oracle.probes import Probe, Trial

BOGUS = "no_such_word"
# Operators whose parser is not the one that the registry lists; the probes ask the parser.
OTHERWISE = {"Custom", "_contrib_SparseEmbedding", "_linspace", "_npi_concatenate", "smooth_l1"}
# Results of one operator depend on the order of calls, whatever its attributes.
RANDOM = ("random", "sample", "uniform", "normal", "shuffle", "dropout", "bernoulli", "gamma", "exponential", "choice")


def probes() -> Iterator[Probe]:
    """A probe of every default, required attribute, word and number of inputs of operators that are known to run."""
    known = table("mxnet")
    for name, record in models.RUNNABLE.items():
        operator = known.get(name)
        assert operator is not None
        for attribute in operator.attributes.values():
            yield from _attribute(name, record, attribute)
        if not operator.facts.get("open_inputs"):
            yield from _arity(name, record, operator)


def _trial(name: str, record: dict[str, Any], attrs: dict[str, str], label: str, count: int | None = None) -> Trial:
    b = models.Builder()
    shapes = record["shapes"] if count is None else (record["shapes"] + record["shapes"][-1:] * count)[:count]
    ins = [b.var(f"in{k}", None if shape is None else tuple(shape)) for k, shape in enumerate(shapes)]
    at = b.add(name, "node0", ins, attrs, record["outputs"])
    return Trial(label, json.dumps(b.graph(*((at, k, 0) for k in range(record["visible"])))))


def _attribute(name: str, record: dict[str, Any], attribute: Attribute) -> Iterator[Probe]:
    bare = {k: v for k, v in record["attrs"].items() if k != attribute.name}

    def trial(value: str | None) -> Trial:
        attrs = bare if value is None else {**bare, attribute.name: value}
        label = f"{attribute.name} omitted" if value is None else f"{attribute.name}={value!r}"
        return _trial(name, record, attrs, label)

    if attribute.required:
        yield Probe(name, "required", attribute.name, (trial(None),))
    if attribute.default is not None:
        is_random = any(word in name.lower() for word in RANDOM)
        yield Probe(name, "default", attribute.name, (trial(None), trial(attribute.default)), not is_random)
    if attribute.kind == "enum":
        for word in attribute.values:
            yield Probe(name, "enum", attribute.name, (trial(word),))
        yield Probe(name, "enum", attribute.name, (trial(BOGUS),))


def _arity(name: str, record: dict[str, Any], operator: Operator) -> Iterator[Probe]:
    given = len(record["shapes"])
    for count in sorted({given - 1, given, given + 1} - {-1}):
        if record["shapes"] or not count:
            yield Probe(name, "arity", str(count), (_trial(name, record, record["attrs"], f"{count} inputs", count),))


def registry() -> dict[str, dict[str, str]]:
    """Attributes by operator as MXNet lists them, such as "int, optional, default='1'"."""
    script = Path(__file__).with_name("mxnet_registry.py")
    done = subprocess.run(
        [os.environ["IRLINT_MXNET_PYTHON"], str(script)], stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, dict[str, str]] = json.loads(done.stdout)
    return found


def differences(listed: dict[str, dict[str, str]]) -> Iterator[str]:
    """Entries of the table that are not as the registry has them. It lists no attributes of some gradient operators."""
    known = table("mxnet")
    for name in known.raw["operators"]:
        operator = known.get(name)
        assert operator is not None
        if name not in listed:
            yield f"{name} is not registered"
        if name not in listed or name in OTHERWISE:
            continue
        for attribute in operator.attributes.values():
            text = listed[name].get(attribute.name)
            if text is not None and (why := _difference(attribute, text)):
                yield f"{name}.{attribute.name}: {why}; the registry has {text}"
        if operator.attributes and (lost := set(listed[name]) - set(operator.attributes)):
            yield f"{name} lacks {', '.join(sorted(lost))}"


def _difference(attribute: Attribute, text: str) -> str | None:
    if text.startswith("{"):
        words, _, text = text[1:].partition("}")
        listed = {word.strip().strip("'") for word in words.split(",")} - {"None"}
        if listed != set(attribute.values) - {"None"}:
            return f"values {sorted(listed ^ set(attribute.values))}"
    if attribute.required is not ("required" in text):
        return "required" if attribute.required else "not required"
    _, found, default = text.partition("default=")
    if not found:
        return None if attribute.default is None else f"default {attribute.default}"
    default = default.strip("'")
    if attribute.default is None:
        return "no default" if default else None
    try:
        return (
            None if read(attribute, attribute.default) == read(attribute, default) else f"default {attribute.default}"
        )
    except BadValue:
        return None if default == attribute.default else f"default {attribute.default}"
