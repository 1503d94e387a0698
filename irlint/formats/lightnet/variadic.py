"""gather and scatter, whose inputs or outputs are as many as there are of a name, and tensorrt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from irlint.checks.fault import Fault, Side
from irlint.findings import Severity
from irlint.formats.lightnet.codes import R
from irlint.formats.lightnet.shapes.infer import PreparedOperator
from irlint.formats.lightnet.signature import OptypeSignature
from irlint.graph import Node

_NAMES = {"gather": ("src", "src1", "", "dst"), "scatter": ("", "src", "dst", "dst1")}


def variadic_faults(node: Node, known: OptypeSignature, output_names: Sequence[str]) -> Iterator[Fault]:
    many_in, first_in, many_out, first_out = _NAMES[known.operator.name]
    yield from _side("input", node.input_names or (), many_in, first_in)
    yield from _side("output", output_names, many_out, first_out)


def _side(side: Side, names: Sequence[str], many: str, first: str) -> Iterator[Fault]:
    """Check one list; `many`: the prefix of the names of any number of tensors; `first`: the required name."""
    seen: dict[str, int] = {}
    fits = [name.startswith(many) if many else name == first for name in names]
    lacking = not any(fits) if side == "output" else first not in names
    misnamed = next((k for k, fit in enumerate(fits) if not fit), 0) if lacking else -1
    for k, name in enumerate(names):
        part, message = f"{side}_name:{k}", f"unknown {side} `{name}` for"
        if name in seen:
            related = [("first declared here", f"{side}_name:{seen[name]}")]
            yield Fault(R.duplicate_argument, part, f"duplicate {side} `{name}` for", related=related)
        elif k == misnamed:
            yield Fault(R.unknown_argument, part, message, f"; did you mean the required `{first}`?")
        elif not fits[k]:
            severity = Severity.WARNING if side == "input" else None  # LightNet aborts on an output that nothing writes
            rest = f"; LightNet reads only `{f'{many}*' if many else first}`"
            yield Fault(R.unknown_argument, part, message, rest, severity=severity)
        seen.setdefault(name, k)
    if lacking and not names:
        rule = R.wrong_input_count if side == "input" else R.wrong_output_count
        yield Fault(rule, f"{side}s", f"missing required {side} `{first}` for")


def variadic_prepared(
    node: Node, known: OptypeSignature, output_names: Sequence[str], values: Sequence[Any]
) -> PreparedOperator | None:
    """Return the operator with the tensors that LightNet reads; None if the required one is missing."""
    names = node.input_names or ()
    many_in, first_in, many_out, first_out = _NAMES[known.operator.name]
    if first_in not in names:
        return None
    inputs = [k for k, name in enumerate(names) if (name.startswith(many_in) if many_in else name == first_in)]
    if not many_in:
        inputs = inputs[:1]
    outputs = [
        k for k, name in enumerate(output_names) if (name.startswith(many_out) if many_out else name == first_out)
    ]
    if known.operator.name == "scatter":
        values = [outputs]
    return PreparedOperator(node, known, inputs, outputs, values, [names[k] for k in inputs])
