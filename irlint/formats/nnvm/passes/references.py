"""Report undefined entries, undefined and internal outputs, forward references and unused nodes."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes import arity
from irlint.formats.nnvm.passes.examine import Examiner
from irlint.formats.nnvm.passes.wiring import Repair, is_named_for, redirected
from irlint.formats.nnvm.passes.wording import label, nodes
from irlint.formats.nnvm.passes.wording import outputs as outputs_of
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import WRAP, Entry, GraphView
from irlint.formats.nnvm.state import state_of
from irlint.graph import Graph
from irlint.rules.base import Model
from irlint.text.base import Document, Place

FEW = 3  # unused nodes that are examined one by one


def check(model: Model, graph: Graph, view: GraphView, seen: Sweep, examiner: Examiner) -> Iterator[Problem]:
    late = []
    lost = False  # whether an entry refers to an undefined node
    orderly = True  # no operator uses itself or a node that is defined later
    for index in seen.special:
        for k, entry in enumerate(view.inputs[index]):
            if 0 <= entry[0] < index and not entry[1]:
                continue
            lost = lost or not 0 <= entry[0] < len(view.nodes)
            place = view.place(index, f"input:{k}")
            yield from entry_problems(view, entry, place, of_inputs(view, index), examiner, index)
            if index <= entry[0] < len(view.nodes) and view.ops[index] != "null":
                orderly = False
                if entry[0] > index:
                    late.append((index, k))
    for k, entry in enumerate(view.heads):
        lost = lost or not 0 <= entry[0] < len(view.nodes)
        yield from entry_problems(view, entry, view.head_place(k), "the graph's outputs", examiner, None)
    alone = state_of(model).sweep is seen  # no other graph is nested in it
    if orderly and alone:
        model.settled.update((R.self_reference, R.cycle))
    if late:
        yield from _late(graph, view, late)
    if not lost and not view.broken:
        yield from _unreachable(view, seen)


def entry_problems(
    view: GraphView, entry: Entry, place: Place, who: str, examiner: Examiner, reader: int | None
) -> Iterator[Problem]:
    count = len(view.nodes)
    node, output = entry[0], entry[1]
    name = None if reader is None else view.names[reader]
    if not 0 <= node < count:
        if -WRAP < node < 0 and node + WRAP < count:
            return
        argument = None if reader is None else argument_of(view, examiner, reader, place)
        yield out_of_range(view, node, Place((*place.path, 0)), who, name, redirected(view, reader, argument, place))
        return
    if output and not (reader is not None and view.ops[reader] == "null"):
        yield from _output(view, node, output, Place((*place.path, 1)), who, examiner, name)


def of_inputs(view: GraphView, index: int) -> str:
    return f"the inputs of {label(view.ops[index], view.names[index])}"


def argument_of(view: GraphView, examiner: Examiner, reader: int, place: Place) -> str | None:
    """Return the name of the input at a place, if the node has the inputs that its operator takes."""
    examined = examiner(view.ops[reader], len(view.inputs[reader]), view.attrs[reader])
    k = place.path[-1]
    if examined is None or examined.inputs is None or not isinstance(k, int) or reader in view.positions:
        return None
    names = examined.inputs.names
    return names[k] if k < len(names) == len(view.inputs[reader]) else None


def out_of_range(view: GraphView, node: int, at: Place, who: str, name: str | None, fix: Repair | None) -> Problem:
    """Report an index that no node has; `fix` uses the node that was meant."""
    count = len(view.nodes)
    message = f"undefined node {node} in {who}; the graph has {nodes(count)}"
    if -count <= node < 0:
        message += ", and negative indexes do not count from the end"
    return Problem(R.index_out_of_range, at, message, name, fix)


def _output(
    view: GraphView, node: int, output: int, at: Place, who: str, examiner: Examiner, name: str | None
) -> Iterator[Problem]:
    op, producer = view.ops[node], view.names[node]
    outputs = arity.OutputCounts(1, 1)
    if op == "null" and view.inputs[node]:
        return  # an operator whose name is lost, which is reported at the node
    if op != "null":
        examined = examiner(op, len(view.inputs[node]), view.attrs[node])
        outputs = examined.outputs if examined else arity.UNKNOWN_OUTPUTS
    what = f"undefined output {output} of {label(op, producer)} in {who}"
    if output < 0:
        message = f"{what}; outputs are numbered from 0"
    # mxnet 1.9.1 loads all of these: output 1 of one leaves shapes open until bind, output 1000000 ends shape inference with a crash, and a
    # hidden output gives other numbers
    elif outputs.total is not None and output >= outputs.total:
        message = f"{what}; it has {outputs_of(outputs.visible or 0)}"
    elif outputs.total is None and outputs.visible is not None and output > outputs.visible + 1:
        message = f"{what}; it has {outputs_of(outputs.visible)}"
    elif outputs.visible is not None and output >= outputs.visible:
        public = f"{outputs_of(outputs.visible)} {'is' if outputs.visible == 1 else 'are'} public"
        message = f"internal output {output} of {label(op, producer)} in {who}; {public}"
        yield Problem(R.hidden_output, at, message, name)
        return
    else:
        return

    def fix(document: Document) -> Fix:
        return Fix(f"Replace output {output} with `0`", document.write(at, 0), "unsafe")

    related = [("defined here", view.place(node, "name"))]
    if "num_outputs" in view.attrs[node]:
        related.append(("number of outputs declared here", view.place(node, "attr:num_outputs")))
    yield Problem(R.output_out_of_range, at, message, name, fix if outputs.visible == 1 else None, related)


def _late(graph: Graph, view: GraphView, late: list[tuple[int, int]]) -> Iterator[Problem]:
    """Report forward references outside cycles: mxnet 1.9.1 sorts the nodes, TVM 0.9.0 runs them in file order."""
    from irlint.formats.nnvm.reading.order import reorder
    from irlint.rules.checks._order import rings

    ring = rings(graph)
    fix = reorder(view) if not view.path else None
    told: set[int] = set()
    for index, k in late:
        source = view.inputs[index][k][0]
        if source in told or ring[source] == ring[index]:
            continue
        told.add(source)
        user = label(view.ops[index], view.names[index])
        message = (
            f"{user} uses {view.names[source]!r} before it is defined; MXNet sorts the nodes, other readers may not"
        )
        place = view.place(index, f"input:{k}")
        related = [("defined here", view.place(source, "name"))]
        yield Problem(R.used_before_defined, place, message, view.names[index], fix, related, Severity.WARNING)


def _misread(view: GraphView, seen: Sweep, index: int) -> Problem | None:
    """Report the input that an unused variable is named for, where the node uses another one."""
    name = view.names[index]
    if view.ops[index] != "null" or "_" not in name:
        return None
    for reader, examined in enumerate(seen.examined):
        if (
            examined is None
            or examined.inputs is None
            or any(fault.rule == R.wrong_input_count for fault in examined.faults)
        ):
            continue  # a missing or duplicate input is a finding of its own
        for k, (argument, entry) in enumerate(zip(examined.inputs.names, view.inputs[reader], strict=False)):
            source = entry[0]
            if not is_named_for(name, view.names[reader], argument) or not 0 <= source < len(view.nodes):
                continue
            if source == index or is_named_for(view.names[source], view.names[reader], argument):
                continue
            place = view.place(reader, f"input:{k}")
            who = label(view.ops[reader], view.names[reader])
            message = (
                f"{who} takes {view.names[source]!r} as `{argument}`, but {name!r} is unused; did you mean {name!r}?"
            )

            def fix(document: Document, at: Place = Place((*place.path, 0)), old: str = view.names[source]) -> Fix:
                return Fix(f"Replace input {old!r} with {name!r}", document.write(at, index), "unsafe")

            related = [("unused variable defined here", view.place(index, "name"))]
            return Problem(R.unreachable_node, place, message, view.names[reader], fix, related)
    return None


def _unreachable(view: GraphView, seen: Sweep) -> Iterator[Problem]:
    """Report nodes on which no output depends, once for each node that no other node uses."""
    reachable = seen.reachable
    if not view.heads or len(reachable) == len(view.nodes):
        return
    dead = [i for i in range(len(view.nodes)) if i not in reachable]
    read = {e[0] for i in dead for e in view.inputs[i] if view.ops[i] != "null"}
    ends = [i for i in dead if i not in read] or dead[:1]
    for i in ends:
        if len(ends) <= FEW and (problem := _misread(view, seen, i)) is not None:
            yield problem
            continue
        also = f" ({len(dead)} such nodes in total)" if len(dead) > len(ends) and i == ends[0] else ""
        message = f"{label(view.ops[i], view.names[i])} does not reach an output{also}; the loader drops it"
        yield Problem(R.unreachable_node, view.place(i, "name"), message, view.names[i])
