"""Check TVM graph executor files: the executor trusts every number in them, so each is compared with all others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.wording import code, codes, names, nodes, outputs
from irlint.formats.nnvm.reading.view import GraphView
from irlint.formats.nnvm.tvm.lists import Lists, list_problems
from irlint.graph import Graph
from irlint.rules.base import Model
from irlint.text.base import Document, Place
from irlint.text.json.document import JsonDocument
from irlint.text.words import count

_STRTOUL = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)", re.ASCII)
_CALL = ("func_name", "num_inputs", "num_outputs", "flatten_data")


def check(model: Model, view: GraphView, valid: bool) -> Iterator[Problem]:
    """Check structure that the schema cannot express, then entries, lists and storage."""
    lists = Lists(view)
    yield from _after_metadata(view)
    calls = list(_calls(view, lists))
    yield from calls
    special = list(_entries(view, lists))
    yield from special
    yield from _arg_nodes(view)
    yield from _heads(view)
    yield from list_problems(view, lists)
    if not calls and not special and not view.broken:
        yield from _unread(view)
    if lists.sound and not special:
        from irlint.formats.nnvm.tvm.storage import gap_problems, storage_problems

        yield from storage_problems(view, lists)
        yield from gap_problems(lists, model.targets.get("tvm"))
    if _in_order(view):
        model.settled.update((R.self_reference, R.cycle))
    else:
        yield from _order(model.graph, view)
    if len(set(view.names)) != len(view.names):
        yield from _names(view)


def _in_order(view: GraphView) -> bool:
    return all(
        0 <= entry[0] < i
        for i, entries in enumerate(view.inputs)
        if entries and view.ops[i] != "null"
        for entry in entries
    )


def _order(graph: Graph, view: GraphView) -> Iterator[Problem]:
    """Report nodes that are used before they are defined: the executor runs the nodes in file order."""
    from irlint.formats.nnvm.reading.order import reorder
    from irlint.rules.checks._order import rings

    # TVM 0.9.0: a forward reference or a cycle runs, and reads what is left in memory
    ring = rings(graph)
    fix = reorder(view)
    for i, entries in enumerate(view.inputs):
        for k, entry in enumerate(entries if view.ops[i] != "null" else ()):
            if i < entry[0] < len(view.nodes) and ring[entry[0]] != ring[i]:
                source = view.names[entry[0]]
                message = f"{view.names[i]!r} uses {source!r} before it is defined; TVM reads uninitialized memory"
                related = [("defined here", view.place(entry[0], "name"))]
                yield Problem(R.used_before_defined, view.place(i, f"input:{k}"), message, view.names[i], fix, related)


def _after_metadata(view: GraphView) -> Iterator[Problem]:
    """Report keys after "metadata", where TVM 0.9.0 stops reading."""
    keys = list(view.raw)
    if "metadata" not in keys or keys[-1] == "metadata":
        return

    later = keys[keys.index("metadata") + 1 :]
    message = f"{'key' if len(later) == 1 else 'keys'} {codes(later)} after `metadata`, where TVM stops reading"
    yield Problem(R.metadata_last, Place(("metadata",), "key"), message)


def _calls(view: GraphView, lists: Lists) -> Iterator[Problem]:
    listed = set(view.arg_nodes)
    for i, op in enumerate(view.ops):
        node = view.originals[i]
        holder = next((key for key in ("attrs", "attr") if key in node), None)
        if op == "null":
            if holder is not None and not all(key in view.attrs[i] for key in _CALL):
                yield _input_attributes(view, i, holder)
            elif view.inputs[i] or holder is not None:
                from irlint.formats.nnvm.passes.variables import executor_variable

                yield executor_variable(view, i, holder is not None, i in listed)
        elif op == "tvm_op":
            # TVM 0.9.0 does not check it: num_outputs is uninitialized, and memory out of bounds is read
            if holder is None and i in view.broken:
                continue  # another key may be meant for it
            if holder is None:
                message = f"missing key `attrs` in tvm_op {view.names[i]!r}; TVM crashes without a function name"
                yield Problem(R.missing_key, view.place(i, "op"), message, view.names[i])
            elif all(isinstance(view.attrs[i].get(key), str) for key in _CALL):
                yield from _call(view, i, lists)


def _input_attributes(view: GraphView, index: int, holder: str) -> Problem:

    at = Place((*view.node_path(index), holder), "key")

    def fix(document: Document) -> Fix:
        assert isinstance(document, JsonDocument)
        return Fix(f"Remove key `{holder}`", document.remove(at.path), "unsafe" if view.attrs[index] else "safe")

    message = f"key `{holder}` on input {view.names[index]!r}; TVM expects a function name and counts in it"
    return Problem(R.input_attributes, at, message, view.names[index], fix)


def _call(view: GraphView, index: int, lists: Lists) -> Iterator[Problem]:

    attrs, name = view.attrs[index], view.names[index]
    who = f"tvm_op {name!r}"
    numbers = {key: _leading(attrs[key]) for key in _CALL[1:]}
    width = None if lists.rows_blamed else lists.width(index)
    for key, number in numbers.items():
        if not attrs[key].isdigit():
            message = f"expected digits for `{key}` of {who}, got {code(attrs[key])}; TVM reads {number}"
            harmless = key != "num_outputs" or number == width
            place = view.place(index, f"attr:{key}")
            yield Problem(R.wrong_attribute_type, place, message, name, severity=Severity.WARNING if harmless else None)
    if attrs["num_outputs"].isdigit() and width not in (None, numbers["num_outputs"]):
        message = f"expected {width} for `num_outputs` of {who}, as in `node_row_ptr`, got {numbers['num_outputs']}"
        yield Problem(R.call_counts, view.place(index, "attr:num_outputs"), message, name)
    given = len(view.inputs[index])
    if index in view.broken:  # their number is unknown
        return
    if attrs["num_inputs"].isdigit() and numbers["num_inputs"] != given:
        message = f"expected {given} for `num_inputs` of {who}, got {numbers['num_inputs']}; TVM ignores it"
        yield Problem(R.call_counts, view.place(index, "attr:num_inputs"), message, name, severity=Severity.WARNING)
    if attrs["func_name"] == "__copy" and (given != 1 or numbers["num_outputs"] != 1):
        got = f"{count(given, 'input')} and {count(numbers['num_outputs'], 'output')}"
        message = f"expected 1 input and 1 output for `__copy` {who}, got {got}"
        yield Problem(R.call_counts, view.place(index, "attr:func_name"), message, name)


def _leading(text: str) -> int:
    """Return what strtoul reads from a text, in 32 bits."""
    match = _STRTOUL.match(text)
    return int(match[1]) % (1 << 32) if match and len(match[1]) < 20 else 0


def _entries(view: GraphView, lists: Lists) -> Iterator[Problem]:
    for i, entries in enumerate(view.inputs):
        if view.ops[i] == "null":
            continue
        for k, entry in enumerate(entries):
            who = f"the inputs of tvm_op {view.names[i]!r}"
            yield from _entry(view, lists, entry, view.place(i, f"input:{k}"), who, view.names[i])
    for k, entry in enumerate(view.heads):
        yield from _entry(view, lists, entry, view.head_place(k), "the graph's outputs", None)


def _entry(
    view: GraphView, lists: Lists, entry: list[int], place: Place, who: str, name: str | None
) -> Iterator[Problem]:
    # TVM 0.9.0 checks no index: a node out of range crashes, an output out of range is another value's memory
    if not 0 <= entry[0] < len(view.nodes):
        from irlint.formats.nnvm.passes.references import out_of_range
        from irlint.formats.nnvm.passes.wiring import redirected

        reader = place.path[1] if place.path[0] == "nodes" else None
        fix = redirected(view, reader if isinstance(reader, int) else None, None, place)
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
    variables = [i for i, op in enumerate(view.ops) if op == "null"]
    if view.arg_nodes == variables or not isinstance(view.raw.get("arg_nodes"), list) or view.broken:
        return

    at = Place(("arg_nodes",))
    # TVM 0.9.0 runs a list that is short or out of order: set_input goes by position, so that inputs change places
    unsure = variables[: len(view.arg_nodes)] != view.arg_nodes  # the fix would renumber inputs that callers set

    def fix(document: Document) -> Fix:
        return Fix(
            "Replace `arg_nodes` with the inputs in order",
            document.write(at, variables),
            "unsafe" if unsure else "safe",
        )

    for k, index in enumerate(view.arg_nodes):
        if not 0 <= index < len(view.nodes):
            message = f"undefined node {index} in `arg_nodes`; the graph has {nodes(len(view.nodes))}"
            yield Problem(R.index_out_of_range, Place((*at.path, k)), message, fix=fix)
            return
    if any(view.ops[i] not in ("null", "tvm_op") for i in view.arg_nodes):
        return  # reported at the operator
    problem = _wrong_arguments(view, variables)
    if problem is not None:
        problem.fix = fix
        yield problem


def _wrong_arguments(view: GraphView, variables: list[int]) -> Problem | None:
    """Return what is wrong with `arg_nodes`, all of which are nodes: inputs are missing, calls are listed, or the order."""
    path, listed = ("arg_nodes",), set(view.arg_nodes)
    missing = [i for i in variables if i not in listed and not ({"attrs", "attr"} & view.originals[i].keys())]
    call = next((k for k, i in enumerate(view.arg_nodes) if view.ops[i] == "tvm_op"), None)
    if not missing and call is None and len(listed) < len(variables):
        return None  # an operator that lost its name
    if missing:
        listing = names([view.names[i] for i in missing])
        what = f"missing {'input' if len(missing) == 1 else 'inputs'} {listing} in `arg_nodes`"
        message = f"{what}; {'it' if len(missing) == 1 else 'they'} can never be set"
        read = {entry[0] for entries in (view.heads, *view.inputs) for entry in entries}
        severity = None if read.intersection(missing) else Severity.WARNING
        return Problem(R.arg_nodes, Place(path, "key"), message, severity=severity)
    if call is not None:
        name = view.names[view.arg_nodes[call]]
        message = f"expected an input in `arg_nodes`, got the function call {name!r}"
        return Problem(R.arg_nodes, Place((*path, call)), message, name, severity=Severity.WARNING)
    doubled = len(listed) != len(view.arg_nodes)
    what = "duplicate input in `arg_nodes`" if doubled else "`arg_nodes` is not in increasing order"
    message = f"{what}; the position in it is the index of the input"
    return Problem(R.arg_nodes, Place(path, "key"), message, severity=Severity.WARNING)


def _heads(view: GraphView) -> Iterator[Problem]:
    from irlint.formats.nnvm.keys.lists import heads

    yield from heads(view)


def _unread(view: GraphView) -> Iterator[Problem]:
    """Report unused values, which TVM 0.9.0 computes anyway."""
    read = {entry[0] for entries in (view.heads, *view.inputs) for entry in entries}
    if len(read) == len(view.nodes) or not view.heads:
        return

    for i, op in enumerate(view.ops):
        if i in read:
            continue
        message = f"unused input {view.names[i]!r}"
        if op != "null":
            message = f"{op} {view.names[i]!r} does not reach an output; TVM still computes it"
        severity = Severity.PEDANTIC if op == "null" else None
        yield Problem(R.unreachable_node, view.place(i, "name"), message, view.names[i], severity=severity)


def _names(view: GraphView) -> Iterator[Problem]:

    first: dict[str, int] = {}
    for i, name in enumerate(view.names):
        if view.ops[i] != "null" or not name:
            continue
        if name in first:
            message = f"duplicate input name {name!r}; setting it by name sets only one of the inputs"
            related = [("first defined here", view.place(first[name], "name"))]
            yield Problem(R.duplicate_name, view.place(i, "name"), message, name, related=related)
        first.setdefault(name, i)
