"""Files of TVM's graph executor: it trusts every number in them, so each is compared with all others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.codes import RuleRow
from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.keys.lists import heads
from irlint.formats.nnvm.passes.wording import code, codes, names, nodes, outputs
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.rules import R
from irlint.formats.nnvm.tvm.lists import Lists, list_problems
from irlint.graph import Graph
from irlint.rules.base import Model
from irlint.text.base import Document, Place
from irlint.text.json.document import JsonDocument
from irlint.text.words import count

_STRTOUL = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)", re.ASCII)
_COUNTS = ("num_inputs", "num_outputs", "flatten_data")
_CALL = frozenset(("func_name", *_COUNTS))


def check(model: Model, view: GraphView) -> Iterator[Problem]:
    """Check structure that the schema cannot express, then entries, lists and storage."""
    lists = Lists(view)
    yield from _after_metadata(view)
    calls = list(_nodes(view, lists))
    yield from calls
    entries = list(_entries(view, lists))
    yield from entries
    yield from _arg_nodes(view)
    yield from heads(view)
    yield from list_problems(view, lists)
    if not calls and not entries and not view.broken:
        yield from _unread(view)
    if lists.sound and not entries:
        from irlint.formats.nnvm.tvm.storage import storage_problems

        yield from storage_problems(view, lists, model.targets.get("tvm"))
    if all(0 <= entry[0] < i for i, inputs in view.calls for entry in inputs):
        model.settled.update((R.self_reference, R.cycle))
    else:
        yield from _order(model.graph, view)
    if len(set(view.names)) != len(view.names):
        yield from _names(view)


def _order(graph: Graph, view: GraphView) -> Iterator[Problem]:
    """Report nodes that are used before they are defined: the executor runs the nodes in file order."""
    from irlint.formats.nnvm.reading.order import reorder
    from irlint.rules.checks._order import rings

    # TVM 0.9.0: a forward reference or a cycle runs, and reads what is left in memory
    ring = rings(graph)
    fix = reorder(view)
    for i, entries in view.calls:
        for k, entry in enumerate(entries):
            if i < entry[0] < len(view.nodes) and ring[entry[0]] != ring[i]:
                source, name = view.names[entry[0]], view.names[i]
                message = f"{name!r} uses {source!r} before it is defined; TVM reads uninitialized memory"
                related = [("defined here", view.place(entry[0], "name"))]
                yield Problem(R.used_before_defined, view.place(i, f"input:{k}"), message, name, fix, related)


def _after_metadata(view: GraphView) -> Iterator[Problem]:
    """Report keys after "metadata", where TVM 0.9.0 stops reading."""
    keys = list(view.raw)
    later = keys[keys.index("metadata") + 1 :] if "metadata" in keys else []
    if later:
        message = f"{'key' if len(later) == 1 else 'keys'} {codes(later)} after `metadata`, where TVM stops reading"
        yield Problem(R.metadata_last, Place(("metadata",), "key"), message)


def _nodes(view: GraphView, lists: Lists) -> Iterator[Problem]:
    listed = set(view.arg_nodes)
    for i, op in enumerate(view.ops):
        holder = next((key for key in ("attrs", "attr") if key in view.originals[i]), None)
        if op == "null":
            yield from _input(view, i, holder, i in listed)
        elif op == "tvm_op":
            yield from _call(view, i, holder, lists)


def _input(view: GraphView, index: int, holder: str | None, is_listed: bool) -> Iterator[Problem]:
    if holder is not None and not view.attrs[index].keys() >= _CALL:
        yield _input_attributes(view, index, holder)
    elif view.inputs[index] or holder is not None:
        from irlint.formats.nnvm.passes.variables import executor_variable

        yield executor_variable(view, index, holder is not None, is_listed)


def _input_attributes(view: GraphView, index: int, holder: str) -> Problem:
    at = Place((*view.node_path(index), holder), "key")

    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Remove key `{holder}`", document.remove(at.path), "unsafe" if view.attrs[index] else "safe")

    message = f"key `{holder}` on input {view.names[index]!r}; TVM expects a function name and counts in it"
    return Problem(R.input_attributes, at, message, view.names[index], fix)


def _call(view: GraphView, index: int, holder: str | None, lists: Lists) -> Iterator[Problem]:
    # TVM 0.9.0 does not check it: num_outputs is uninitialized, and memory out of bounds is read
    if holder is not None:
        if view.attrs[index].keys() >= _CALL:
            yield from _counts(view, index, lists)
    elif index not in view.broken:  # else another key may be meant for it
        message = f"missing key `attrs` in tvm_op {view.names[index]!r}; TVM crashes without a function name"
        yield Problem(R.missing_key, view.place(index, "op"), message, view.names[index])


def _counts(view: GraphView, index: int, lists: Lists) -> Iterator[Problem]:
    """Report numbers of a call that TVM reads otherwise, or that contradict the rest of the graph."""
    attrs, name = view.attrs[index], view.names[index]
    who = f"tvm_op {name!r}"
    numbers = {key: _leading(attrs[key]) for key in _COUNTS}
    width = None if lists.are_rows_blamed else lists.width(index)

    def problem(rule: RuleRow, key: str, message: str, is_harmless: bool = False) -> Problem:
        severity = Severity.WARNING if is_harmless else None
        return Problem(rule, view.place(index, f"attr:{key}"), message, name, severity=severity)

    for key, number in numbers.items():
        if not attrs[key].isdigit():
            message = f"expected digits for `{key}` of {who}, got {code(attrs[key])}; TVM reads {number}"
            yield problem(R.wrong_attribute_type, key, message, key != "num_outputs" or number == width)
    if attrs["num_outputs"].isdigit() and width not in (None, numbers["num_outputs"]):
        message = f"expected {width} for `num_outputs` of {who}, as in `node_row_ptr`, got {numbers['num_outputs']}"
        yield problem(R.call_counts, "num_outputs", message)
    if index in view.broken:
        return  # the number of its inputs is unknown
    given = len(view.inputs[index])
    if attrs["num_inputs"].isdigit() and numbers["num_inputs"] != given:
        message = f"expected {given} for `num_inputs` of {who}, got {numbers['num_inputs']}; TVM ignores it"
        yield problem(R.call_counts, "num_inputs", message, True)
    if attrs["func_name"] == "__copy" and (given, numbers["num_outputs"]) != (1, 1):
        got = f"{count(given, 'input')} and {count(numbers['num_outputs'], 'output')}"
        yield problem(R.call_counts, "func_name", f"expected 1 input and 1 output for `__copy` {who}, got {got}")


def _leading(text: str) -> int:
    """Return what strtoul reads from a text, in 32 bits."""
    match = _STRTOUL.match(text)
    return int(match[1]) % (1 << 32) if match and len(match[1]) < 20 else 0


def _entries(view: GraphView, lists: Lists) -> Iterator[Problem]:
    for i, entries in view.calls:
        who = f"the inputs of tvm_op {view.names[i]!r}"
        for k, entry in enumerate(entries):
            yield from _entry(view, lists, entry, view.place(i, f"input:{k}"), who, i)
    for k, entry in enumerate(view.heads):
        yield from _entry(view, lists, entry, view.head_place(k), "the graph's outputs", None)


def _entry(
    view: GraphView, lists: Lists, entry: list[int], place: Place, who: str, reader: int | None
) -> Iterator[Problem]:
    name = None if reader is None else view.names[reader]
    # TVM 0.9.0 checks no index: a node out of range crashes, an output out of range is another value's memory
    if not 0 <= entry[0] < len(view.nodes):
        from irlint.formats.nnvm.passes.references import out_of_range
        from irlint.formats.nnvm.passes.wiring import redirected

        fix = redirected(view, reader, None, place)
        yield out_of_range(view, entry[0], Place((*place.path, 0)), who, name, fix)
        return
    width = lists.outputs(entry[0])
    if width is not None and not 0 <= entry[1] < width:
        producer = view.names[entry[0]]
        has = f"{producer!r} has {outputs(width)}"
        message = f"undefined output {entry[1]} of {producer!r} in {who}; {has}; TVM uses the memory of another value"
        related = [("defined here", view.place(entry[0], "name"))]
        yield Problem(R.output_out_of_range, Place((*place.path, 1)), message, name, related=related)


def _arg_nodes(view: GraphView) -> Iterator[Problem]:
    listed, variables = view.arg_nodes, view.variables
    if listed == variables or not isinstance(view.raw.get("arg_nodes"), list) or view.broken:
        return
    outside = next((k for k, index in enumerate(listed) if not 0 <= index < len(view.nodes)), None)
    if outside is None:
        problem = _wrong_arguments(view, variables)
    else:
        message = f"undefined node {listed[outside]} in `arg_nodes`; the graph has {nodes(len(view.nodes))}"
        problem = Problem(R.index_out_of_range, Place(("arg_nodes", outside)), message)
    if problem is not None:
        from irlint.formats.nnvm.keys.missing import value_repair

        # TVM 0.9.0 runs a list that is short or out of order: set_input goes by position, so that inputs change places
        is_safe = variables[: len(listed)] == listed  # else the fix renumbers inputs that callers set
        title = "Replace `arg_nodes` with the inputs in order"
        problem.fix = value_repair(("arg_nodes",), variables, is_safe, title)
        yield problem


def _wrong_arguments(view: GraphView, variables: list[int]) -> Problem | None:
    """Return what is wrong with `arg_nodes`, all of which are nodes: inputs are missing, calls are listed, or the order."""
    at, ops = Place(("arg_nodes",), "key"), [view.ops[i] for i in view.arg_nodes]
    if not {"null", "tvm_op"}.issuperset(ops):
        return None  # reported at the operator
    listed = set(view.arg_nodes)
    if missing := [i for i in variables if i not in listed and view.originals[i].keys().isdisjoint(("attrs", "attr"))]:
        is_one, listing = len(missing) == 1, names([view.names[i] for i in missing])
        what = f"missing {'input' if is_one else 'inputs'} {listing} in `arg_nodes`"
        message = f"{what}; {'it' if is_one else 'they'} can never be set"
        severity = Severity.WARNING if set(missing).issubset(view.unread) else None
        return Problem(R.arg_nodes, at, message, severity=severity)
    if "tvm_op" in ops:
        k = ops.index("tvm_op")
        name = view.names[view.arg_nodes[k]]
        message = f"expected an input in `arg_nodes`, got the function call {name!r}"
        return Problem(R.arg_nodes, Place(("arg_nodes", k)), message, name, severity=Severity.WARNING)
    if len(listed) < len(variables):
        return None  # an operator that lost its name
    is_double = len(listed) != len(view.arg_nodes)
    what = "duplicate input in `arg_nodes`" if is_double else "`arg_nodes` is not in increasing order"
    message = f"{what}; the position in it is the index of the input"
    return Problem(R.arg_nodes, at, message, severity=Severity.WARNING)


def _unread(view: GraphView) -> Iterator[Problem]:
    """Report unused values, which TVM 0.9.0 computes anyway."""
    for i in view.unread if view.heads else ():
        op, name = view.ops[i], view.names[i]
        if op == "null":
            message, severity = f"unused input {name!r}", Severity.PEDANTIC
        else:
            message, severity = f"{op} {name!r} does not reach an output; TVM still computes it", None
        yield Problem(R.unreachable_node, view.place(i, "name"), message, name, severity=severity)


def _names(view: GraphView) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for i, (op, name) in enumerate(zip(view.ops, view.names, strict=True)):
        if op == "null" and name and (before := first.setdefault(name, i)) != i:
            message = f"duplicate input name {name!r}; setting it by name sets only one of the inputs"
            related = [("first defined here", view.place(before, "name"))]
            yield Problem(R.duplicate_name, view.place(i, "name"), message, name, related=related)
