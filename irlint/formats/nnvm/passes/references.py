"""Report undefined entries, undefined and internal outputs, forward references and unused nodes."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.examine import Examination
from irlint.formats.nnvm.passes.operands import UNKNOWN_OUTPUTS
from irlint.formats.nnvm.passes.wiring import Repair, argument_of, is_named_for, redirected
from irlint.formats.nnvm.passes.wording import label, nodes
from irlint.formats.nnvm.passes.wording import outputs as outputs_of
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import WRAP, Entry, GraphView
from irlint.formats.nnvm.state import state_of
from irlint.graph import Graph
from irlint.rules.base import Model
from irlint.text.base import Document, Place

_FEW = 3  # unused nodes that are examined one by one


def check(model: Model, graph: Graph, view: GraphView, seen: Sweep) -> Iterator[Problem]:
    count = len(view.nodes)
    entries = [(index, k, entry) for index in seen.special for k, entry in enumerate(view.inputs[index])]
    for index, k, entry in entries:
        who = f"the inputs of {label(view.ops[index], view.names[index])}"
        yield from _entry(seen, entry, view.place(index, f"input:{k}"), who, index, k)
    for k, entry in enumerate(view.heads):
        yield from _entry(seen, entry, view.head_place(k), "the graph's outputs", None, k)
    forward = [row for row in entries if row[0] <= row[2][0] < count and view.ops[row[0]] != "null"]
    if not forward and state_of(model).sweep is seen:  # no other graph is nested in it
        model.settled.update((R.self_reference, R.cycle))
    if late := [(index, k) for index, k, entry in forward if entry[0] > index]:
        yield from _late(graph, view, late)
    is_lost = any(not 0 <= entry[0] < count for entry in (*view.heads, *(row[2] for row in entries)))
    if not is_lost and not view.broken:
        yield from _unreachable(view, seen)


def _entry(seen: Sweep, entry: Entry, place: Place, who: str, reader: int | None, k: int) -> Iterator[Problem]:
    """Report an entry that refers to no node, or to no output of one."""
    view, (node, output) = seen.view, entry[:2]
    count, name = len(view.nodes), None if reader is None else view.names[reader]
    if not 0 <= node < count:
        if -WRAP < node < 0 and node + WRAP < count:
            return
        argument = None if reader is None or reader in view.positions else argument_of(seen, reader, k)
        yield out_of_range(view, node, Place((*place.path, 0)), who, name, redirected(view, reader, argument, place))
    elif output and (reader is None or view.ops[reader] != "null"):
        yield from _output(seen, node, output, Place((*place.path, 1)), who, name)


def out_of_range(view: GraphView, node: int, at: Place, who: str, name: str | None, fix: Repair | None) -> Problem:
    """Report an index that no node has; `fix` uses the node that was meant."""
    count = len(view.nodes)
    message = f"undefined node {node} in {who}; the graph has {nodes(count)}"
    if -count <= node < 0:
        message += ", and negative indexes do not count from the end"
    return Problem(R.index_out_of_range, at, message, name, fix)


def _output(seen: Sweep, node: int, output: int, at: Place, who: str, name: str | None) -> Iterator[Problem]:
    """Report an output that a node does not have, or does not show."""
    view = seen.view
    is_variable, examined = view.ops[node] == "null", seen.examined[node]
    if is_variable and view.inputs[node]:
        return  # an operator whose name is lost, which is reported at the node
    total, visible = (1, 1) if is_variable else examined.outputs if examined else UNKNOWN_OUTPUTS
    what = f"output {output} of {label(view.ops[node], view.names[node])} in {who}"
    # mxnet 1.9.1 loads all of these: output 1 of one leaves shapes open until bind, output 1000000 ends shape inference with a crash, and a
    # hidden output gives other numbers
    if output < 0:
        rest = "outputs are numbered from 0"
    elif visible is None or output < visible:
        return
    elif output < (visible + 2 if total is None else total):
        public = f"{outputs_of(visible)} {'is' if visible == 1 else 'are'} public"
        yield Problem(R.hidden_output, at, f"internal {what}; {public}", name)
        return
    else:
        rest = f"it has {outputs_of(visible)}"

    def fix(document: Document) -> Fix:
        return Fix(f"Replace output {output} with `0`", document.write(at, 0), "unsafe")

    related = [("defined here", view.place(node, "name"))]
    if "num_outputs" in view.attrs[node]:
        related.append(("number of outputs declared here", view.place(node, "attr:num_outputs")))
    yield Problem(R.output_out_of_range, at, f"undefined {what}; {rest}", name, fix if visible == 1 else None, related)


def _late(graph: Graph, view: GraphView, late: list[tuple[int, int]]) -> Iterator[Problem]:
    """Report forward references outside cycles: mxnet 1.9.1 sorts the nodes, TVM 0.9.0 runs them in file order."""
    from irlint.formats.nnvm.reading.order import reorder
    from irlint.rules.checks._order import rings

    ring = rings(graph)
    fix = None if view.path else reorder(view)
    told: set[int] = set()
    for index, k in late:
        source = view.inputs[index][k][0]
        if source in told or ring[source] == ring[index]:
            continue
        told.add(source)
        uses = f"{label(view.ops[index], view.names[index])} uses {view.names[source]!r} before it is defined"
        message = f"{uses}; MXNet sorts the nodes, other readers may not"
        place = view.place(index, f"input:{k}")
        related = [("defined here", view.place(source, "name"))]
        yield Problem(R.used_before_defined, place, message, view.names[index], fix, related, Severity.WARNING)


def _unreachable(view: GraphView, seen: Sweep) -> Iterator[Problem]:
    """Report nodes on which no output depends, once for each node that no other node uses."""
    dead = [i for i in range(len(view.nodes)) if i not in seen.reachable] if view.heads else []
    read = {e[0] for i in dead for e in view.inputs[i] if view.ops[i] != "null"}
    ends = [i for i in dead if i not in read] or dead[:1]
    also = f" ({len(dead)} such nodes in total)" if len(dead) > len(ends) else ""
    for i in ends:
        misread = _misread(view, seen, i) if len(ends) <= _FEW else None
        rest = f"does not reach an output{also if i == ends[0] else ''}; the loader drops it"
        message = f"{label(view.ops[i], view.names[i])} {rest}"
        yield misread or Problem(R.unreachable_node, view.place(i, "name"), message, view.names[i])


def _misread(view: GraphView, seen: Sweep, index: int) -> Problem | None:
    """Return the problem of the input that an unused variable is named for, where the node uses another one."""
    name = view.names[index]
    if view.ops[index] != "null" or "_" not in name:
        return None
    for reader, examined in enumerate(seen.examined):
        inputs = () if examined is None else zip(_arguments(examined), view.inputs[reader], strict=False)
        for k, (argument, (source, *_)) in enumerate(inputs):
            if source == index or not is_named_for(name, view.names[reader], argument):
                continue
            if 0 <= source < len(view.nodes) and not is_named_for(view.names[source], view.names[reader], argument):
                return _replaced(view, index, reader, k, argument)
    return None


def _arguments(examined: Examination) -> tuple[str, ...]:
    """Return the names of a node's inputs; none where one is missing or duplicate, which is a finding of its own."""
    is_wrong = any(fault.rule == R.wrong_input_count for fault in examined.faults)
    return () if is_wrong or examined.inputs is None else examined.inputs.names


def _replaced(view: GraphView, index: int, reader: int, k: int, argument: str) -> Problem:
    """Return the problem of an input for which an unused variable was meant."""
    name, old, place = view.names[index], view.names[view.inputs[reader][k][0]], view.place(reader, f"input:{k}")
    who = label(view.ops[reader], view.names[reader])
    message = f"{who} takes {old!r} as `{argument}`, but {name!r} is unused; did you mean {name!r}?"

    def fix(document: Document) -> Fix:
        return Fix(f"Replace input {old!r} with {name!r}", document.write(Place((*place.path, 0)), index), "unsafe")

    related = [("unused variable defined here", view.place(index, "name"))]
    return Problem(R.unreachable_node, place, message, view.names[reader], fix, related)
