"""The graphs of If, Loop and Scan: how many inputs and outputs they must have."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.read import value_of
from irlint.formats.onnx.wire.reader import Tree
from irlint.records import NamedTuple
from irlint.text.base import Path, Place
from irlint.text.words import count


class _Wanted(NamedTuple):
    """What a body must have; `why` is what it follows from."""

    inputs: int
    outputs: int
    why: str


def body_problems(call: Tree, path: Path, who: str, name: str, operator: str) -> Iterator[Problem]:
    for j, attribute in enumerate(call.get("attribute", ())):
        body, wanted = attribute.get("g"), _wanted(call, operator, attribute.get("name", ""))
        if body is None or wanted is None:
            continue
        at = (*path, "attribute", j, "g")
        for word, rule, number in (
            ("input", R.wrong_input_count, wanted.inputs),
            ("output", R.wrong_output_count, wanted.outputs),
        ):
            got = len(body.get(word, ()))
            if got != number:
                place = Place((*at, word, number) if got > number else (*at, "name"))
                message = f"expected {count(number, word)} of `{attribute['name']}` for {who}{wanted.why}, got {got}"
                yield Problem(rule, place, message, name)
        if call["op_type"] == "Loop":
            yield from _unshaped(call, body, at, who, name)
    if operator.startswith("Scan"):
        yield from _scan_problems(call, path, who, name, operator)


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
    known = {one.get("name", ""): one for one in call.get("attribute", ())}
    given, scanned = len(call.get("input", ())) - (operator == "Scan-8"), known.get("num_scan_inputs", {}).get("i", 0)
    if scanned > given:
        at = Place((*path, "attribute", list(known).index("num_scan_inputs"), "value"))
        message = f"expected at most {given} for `num_scan_inputs` of {who} with {count(given, 'input')}, got {scanned}"
        yield Problem(R.value_out_of_range, at, message, name)
        return
    if scanned <= 0:
        return
    stacked = len(call.get("output", ())) - (given - scanned)
    for j, one in enumerate(call["attribute"]):
        key = one.get("name", "")
        if not key.endswith(("axes", "directions")) or "ref_attr_name" in one:
            continue
        wanted, what = (stacked, "scan output") if "_output_" in key else (scanned, "scan input")
        got = len(value_of(one) or ())
        if got != wanted:
            message = f"expected {count(wanted, 'value')} for `{key}` of {who} with {count(wanted, what)}, got {got}"
            yield Problem(R.wrong_value_length, Place((*path, "attribute", j, "value")), message, name)


def _wanted(call: Tree, operator: str, attribute: str) -> _Wanted | None:
    given, made = len(call.get("input", ())), len(call.get("output", ()))
    op = call["op_type"]
    if op == "If" and attribute in ("then_branch", "else_branch"):
        return _Wanted(0, made, f" with {count(made, 'output')}")
    if op == "Loop" and attribute == "body" and given >= 2:
        carried = given - 2
        return _Wanted(carried + 2, made + 1, f" with {count(carried, 'carried value')} and {count(made, 'output')}")
    if op == "SequenceMap" and attribute == "body":
        return _Wanted(given, made, f" with {count(given, 'input')} and {count(made, 'output')}")
    if op == "Scan" and attribute == "body":
        scanned = next((one.get("i", 0) for one in call["attribute"] if one.get("name") == "num_scan_inputs"), None)
        given -= operator == "Scan-8"  # whose first input are lengths
        if scanned is not None and 0 < scanned <= given:
            return _Wanted(given, made, f" with {count(given, 'input')} and {count(made, 'output')}")
    return None
