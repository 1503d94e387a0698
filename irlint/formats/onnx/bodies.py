"""The graphs of If, Loop and Scan: how many inputs and outputs they must have."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.codes import R
from irlint.findings import Problem
from irlint.formats.onnx.wire import Tree
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
