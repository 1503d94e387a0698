"""Attributes by themselves: a name, a type, one value of that type; graphs with the inputs and outputs that their operators need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from irlint.checks.fault import NO_VALUE, Fault
from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.external import ExternalCheck
from irlint.formats.onnx.grammar import FIELDS
from irlint.formats.onnx.opsets import types_of, types_of_port, version, versions
from irlint.formats.onnx.passes.data import data_problems, sparse_problems
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.tensors import TensorData
from irlint.formats.onnx.wire import ATTRIBUTE_NUMBERS, ATTRIBUTE_TYPES, DTYPES
from irlint.operators import Operator
from irlint.text.base import Path, Place
from irlint.text.prototext.messages import Tree
from irlint.text.words import count

_WHOLE = ("t", "g", "tp", "sparse_tensor")  # fields whose absence does not mean 0
_CHOOSING = ("dtype", "output_datatype", "output_dtype", "to", "value")  # attributes that choose the type of an output
# Operators with graphs in attributes
BODIES = {"If": ("then_branch", "else_branch"), "Loop": ("body",), "Scan": ("body",), "SequenceMap": ("body",)}


def record_fault(attribute: Tree, path: Path, is_old: bool) -> Fault | None:
    """Return what is wrong with an attribute, whatever its operator is; `is_old`: its type need not be written."""
    name, number = attribute.get("name", ""), attribute.get("type", 0)
    given = [field for field in FIELDS if attribute.get(field, []) != []]
    _, wanted = ATTRIBUTE_TYPES.get(number, ("", ""))
    is_reference = "ref_attr_name" in attribute
    typed: dict[str, Any] = {"better": _number(given), "at": Place((*path, "type")), "change": "set"}
    value = Place((*path, "value"))
    if not name:
        return Fault(R.missing_key, "attr_key:", "an attribute of", " has no name", at=Place((*path, "name")))
    if not wanted and number:
        message = f"unknown type {number} of attribute `{name}` of"
        return Fault(R.value_not_allowed, "attr_type:", message, **typed)
    if not (wanted or is_old or is_reference):
        return Fault(R.missing_key, "attr_type:", f"missing type of attribute `{name}` of", **typed)
    if len(given) > 1:
        rest = f" has two values, in `{given[0]}` and `{given[1]}`"
        return Fault(R.wrong_length, "attr:", f"attribute `{name}` of", rest, at=value)
    if wanted and given not in ([], [wanted]):
        message, rest = f"expected the value of attribute `{name}` of", f" in `{wanted}`, got `{given[0]}`"
        return Fault(R.wrong_type, "attr_type:", message, rest, **typed)
    if wanted in _WHOLE and not (given or is_reference):
        return Fault(R.missing_key, "attr:", f"attribute `{name}` of", " has no value", at=value)
    return None


def _number(given: list[str]) -> Any:
    """Return the type of the one field that is given."""
    return ATTRIBUTE_NUMBERS[FIELDS[given[0]]] if len(given) == 1 else NO_VALUE


def tensor_problems(attribute: Tree, path: Path, who: str, external: ExternalCheck) -> Iterator[Problem]:
    """Yield what is wrong with the tensors of an attribute."""
    label = f"attribute `{attribute['name']}` of {who}"
    if "t" in attribute:
        yield from data_problems(attribute["t"], (*path, "t"), label, external)
    if "sparse_tensor" in attribute:
        yield from sparse_problems(attribute["sparse_tensor"], Place((*path, "value")), label)
    for k, tensor in enumerate(attribute.get("tensors", ())):
        yield from data_problems(tensor, (*path, "tensors", k), label, external)


def body_problems(call: Tree, path: Path, who: str, name: str, operator: str) -> Iterator[Problem]:
    """Yield what is wrong with the graphs of If, Loop and Scan: how many inputs and outputs they have, and axes and directions."""
    for j, attribute in enumerate(call.get("attribute", ())):
        body, at = attribute.get("g"), (*path, "attribute", j, "g")
        wanted = _wanted(call, operator) if attribute.get("name") in BODIES[call["op_type"]] else None
        if body is None or wanted is None:
            continue
        *numbers, why = wanted
        for (word, rule), number in zip(_SIDES.items(), numbers, strict=True):
            got = len(body.get(word, ()))
            if got != number:
                place = Place((*at, word, number) if got > number else (*at, "name"))
                message = f"expected {count(number, word)} of `{attribute['name']}` for {who} with {why}, got {got}"
                yield Problem(rule, place, message, name)
        if call["op_type"] == "Loop":
            yield from _unshaped(call, body, at, who, name)
    if operator.startswith("Scan"):
        yield from _scan_problems(call, path, who, name, operator)


_SIDES = {"input": R.wrong_input_count, "output": R.wrong_output_count}


def _wanted(call: Tree, operator: str) -> tuple[int, int, str] | None:
    """Return how many inputs and outputs a body must have, and what that follows from."""
    op, given, made = call["op_type"], len(call.get("input", ())), len(call.get("output", ()))
    if op == "If":
        return 0, made, count(made, "output")
    if op == "Loop":
        why = f"{count(given - 2, 'carried value')} and {count(made, 'output')}"
        return (given, made + 1, why) if given >= 2 else None
    if op == "Scan":
        given -= _has_lengths(operator)
        if not 0 < _scanned(call) <= given:
            return None
    return given, made, f"{count(given, 'input')} and {count(made, 'output')}"


def _has_lengths(operator: str) -> bool:
    """Return whether the first input of a Scan are lengths."""
    return operator == "Scan-8"


def _scanned(call: Tree) -> int:
    """Return how many inputs a Scan scans."""
    return next((one.get("i", 0) for one in call.get("attribute", ()) if one.get("name") == "num_scan_inputs"), 0)


def _unshaped(call: Tree, body: Tree, path: Path, who: str, name: str) -> Iterator[Problem]:
    """Report the iteration number, and the condition if the node has none, without a shape: onnxruntime 1.32 makes both by their shapes."""
    has_condition = any(call.get("input", ())[1:2])
    for k, value in enumerate(body.get("input", ())[: 1 if has_condition else 2]):
        if "shape" not in value.get("type", {}).get("tensor_type", {}):
            what = "shape" if value.get("type") else "type"
            message = f"input {value.get('name', '')!r} of `body` for {who} has no {what}; onnxruntime needs it"
            yield Problem(R.missing_key, Place((*path, "input", k)), message, name)


def _scan_problems(call: Tree, path: Path, who: str, name: str, operator: str) -> Iterator[Problem]:
    """Report axes and directions of a Scan that are more or fewer than what they are for: onnxruntime 1.32 refuses these lists."""
    given, scanned = len(call.get("input", ())) - _has_lengths(operator), _scanned(call)
    stacked = len(call.get("output", ())) - (given - scanned)
    for j, one in enumerate(call.get("attribute", ())):
        key, at = one.get("name", ""), Place((*path, "attribute", j, "value"))
        if key == "num_scan_inputs" and scanned > given:
            message = f"expected at most {given} for `{key}` of {who} with {count(given, 'input')}, got {scanned}"
            yield Problem(R.value_out_of_range, at, message, name)
        values = value_of(one) or ()
        is_list = "ref_attr_name" not in one and isinstance(values, (list, tuple))
        if not is_list or not (key.endswith(("axes", "directions")) and 0 < scanned <= given):
            continue
        wanted, what = (stacked, "scan output") if "_output_" in key else (scanned, "scan input")
        got = len(values)
        if got != wanted:
            message = f"expected {count(wanted, 'value')} for `{key}` of {who} with {count(wanted, what)}, got {got}"
            yield Problem(R.wrong_value_length, at, message, name)


def output_type_problems(call: Tree, path: Path, operator: Operator, who: str, name: str) -> Iterator[Problem]:
    """Report the first element type that an attribute chooses for outputs and that the operator's version does not have: onnx's
    inference (full_check, 1.23.2) refuses it."""
    parameter = operator.outputs[0].facts.get("type") if operator.outputs else None
    if parameter is None or any(port.facts.get("type") == parameter for port in operator.inputs):
        return  # inputs choose it
    allowed = types_of(operator.name, str(parameter))
    for j, attribute in enumerate(call.get("attribute", ())):
        key = attribute.get("name", "")
        kind = _chosen(attribute) if key in _CHOOSING and key in operator.attributes else None
        if kind is not None and kind not in allowed and not all("(" in one for one in allowed):
            since = _first_with(call["op_type"], kind)
            rest = "" if since is None else f" before opset {since}"
            at = Place((*path, "attribute", j, "value"))
            yield Problem(R.dtype_mismatch, at, f"`{key}` of {who} cannot be {kind}{rest}", name)
            return


def _first_with(op: str, kind: str) -> int | None:
    """Return the opset since which an operator outputs an element type."""
    records = ((since, version(op, "", since)) for since in versions(op))
    having = (since for since, record in records if record and kind in types_of_port(record, record.outputs[0]))
    return next(having, None)


def _chosen(attribute: Tree) -> str | None:
    """Return the element type of an attribute: that of a tensor, or the one of that number."""
    value = value_of(attribute)
    if isinstance(value, TensorData):
        return value.dtype
    return DTYPES.get(value) if type(value) is int else None
