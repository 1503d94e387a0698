"""Pages of operators whose parameters have numbers: what each number means, made of the operator table."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from irlint.operators import Attribute, Operator, Port, table

_HEAD = """\
---
description: What the numbers of parameters mean in {name}'s files, for each layer type.
---

# Layers of {name}

The {count} layer types of {name} {version} with the ids of their parameters, made of irlint's table of operators. See
[{name} param files](../formats/{name}.md) for how a layer is written. An array has the second id; a `?` marks what not every
layer has.
"""


def page(name: str) -> str:
    known = table(name)
    head = _HEAD.format(name=name, count=len(known.names), version=known.raw["version"])
    return "\n".join([head, *(line for one in known.names for line in _operator(known.get(one)))])


def _operator(operator: Operator | None) -> Iterator[str]:
    assert operator is not None
    yield f"## {operator.name} {{ #{operator.name} }}\n"
    since, weights = operator.facts.get("since"), operator.facts.get("weights", ())
    parts = [f"{operator.doc}. Inputs: {_ports(operator.inputs)}; outputs: {_ports(operator.outputs)}."]
    if weights:
        parts.append("Weights: " + ", ".join(f"`{weight['name']}`" for weight in weights) + ".")
    if since:
        parts.append(f"Since {since}.")
    yield " ".join(parts) + "\n"
    if not operator.attributes:
        return
    yield "| id | name | type | default | values | since |\n| --- | --- | --- | --- | --- | --- |"
    for attribute in operator.attributes.values():
        if "until" not in attribute.facts:
            name = attribute.name + f", -{23300 + int(attribute.name)}" * (attribute.kind in ("ints", "floats"))
            cells = (name, attribute.label, attribute.kind, _default(operator, attribute), _values(attribute))
            yield f"| {' | '.join((*cells, str(attribute.facts.get('since', ''))))} |"
    yield ""


def _ports(ports: tuple[Port, ...]) -> str:
    signs = {"required": "", "optional": "?", "variadic": "...", "variadic0": "...?"}
    named = (port.name + (signs[port.kind] or "?" * ("when" in port.facts)) for port in ports)
    return ", ".join(f"`{name}`" for name in named) or "none"


def _default(operator: Operator, attribute: Attribute) -> str:
    if (origin := attribute.facts.get("default_of")) is not None:
        other = operator.attributes.get(origin)
        return f"`{other.label if other else origin}`"
    return "" if attribute.default in (None, "", []) else f"`{_shown(attribute.default)}`"


def _shown(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, float) and abs(value) > 1e9 else str(value)


def _values(attribute: Attribute) -> str:
    """Return what a parameter can be, as far as the table says so in few words."""
    if words := attribute.meanings:
        return ", ".join(f"`{value}` {escape(word)}" for value, word in words.items())
    least, most = attribute.facts.get("min"), attribute.facts.get("max")
    if least is None:
        return ""
    return f"`{least}` or more" if most is None else f"`{least}` to `{most}`"
