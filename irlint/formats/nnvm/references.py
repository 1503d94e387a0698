"""Entries out of range, of outputs that are not there or not meant, or against the order; nodes that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Fix, Problem, Severity
from irlint.formats.nnvm import counts
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.examine import Examiner
from irlint.formats.nnvm.sweep import Sweep
from irlint.formats.nnvm.view import WRAP, Entry, View
from irlint.formats.nnvm.wiring import Repair, is_named_for, redirected
from irlint.graph import Graph
from irlint.rules.base import Model
from irlint.text.base import Document, Place

FEW = 3  # ends that are looked at one by one


def check(model: Model, graph: Graph, view: View, seen: Sweep, examiner: Examiner) -> Iterator[Problem]:
    late = []
    lost = False  # whether an entry leads nowhere
    orderly = True  # no operator reads itself or what stands further down
    for index in seen.special:
        for k, entry in enumerate(view.inputs[index]):
            if 0 <= entry[0] < index and not entry[1]:
                continue
            lost = lost or not 0 <= entry[0] < len(view.nodes)
            place = view.place(index, f"input:{k}")
            yield from entry_problems(view, entry, place, f"{view.ops[index]} {view.names[index]!r}", examiner, index)
            if index <= entry[0] < len(view.nodes) and view.ops[index] != "null":
                orderly = False
                if entry[0] > index:
                    late.append((index, k))
    for k, entry in enumerate(view.heads):
        lost = lost or not 0 <= entry[0] < len(view.nodes)
        yield from entry_problems(view, entry, view.head_place(k), "the graph's outputs", examiner, None)
    alone = model.extra.get("sweep") is seen  # no other graph is nested in it
    if orderly and alone:
        model.settled.update((R.self_reference, R.cycle))
    if late:
        yield from _late(graph, view, late)
    if not lost and not view.broken:
        yield from _unreachable(view, seen)


def entry_problems(
    view: View, entry: Entry, place: Place, who: str, examiner: Examiner, reader: int | None
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


def argument_of(view: View, examiner: Examiner, reader: int, place: Place) -> str | None:
    """What the input at a place is called, if the node is as its operator wants it."""
    examined = examiner(view.ops[reader], len(view.inputs[reader]), view.attrs[reader])
    k = place.path[-1]
    if examined is None or examined.inputs is None or not isinstance(k, int) or reader in view.positions:
        return None
    names = examined.inputs.names
    return names[k] if k < len(names) == len(view.inputs[reader]) else None


def out_of_range(view: View, node: int, at: Place, who: str, name: str | None, fix: Repair | None) -> Problem:
    """An index that no node has; `fix`: reading the node that was meant."""
    count = len(view.nodes)
    message = (
        f"{who}: there is no node {node}; the nodes are numbered 0 to {count - 1}"
        if count
        else f"{who}: there are no nodes"
    )
    if -count <= node < 0:
        message += f", and {node} does not count from the end as in Python"
    return Problem(R.index_out_of_range, at, message, name, fix)


def _output(
    view: View, node: int, output: int, at: Place, who: str, examiner: Examiner, name: str | None
) -> Iterator[Problem]:
    op, producer = view.ops[node], view.names[node]
    outputs = counts.Outputs(1, 1)
    if op == "null" and view.inputs[node]:
        return  # an operator that lost its name, which is told at the node
    if op != "null":
        examined = examiner(op, len(view.inputs[node]), view.attrs[node])
        outputs = examined.outputs if examined else counts.Outputs(None, None)
    what = f"variable {producer!r}" if op == "null" else f"{op} {producer!r}"
    if output < 0:
        message = f"{who}: output {output} of {what} is read; outputs are numbered from 0"
    # mxnet 1.9.1 loads all of these: output 1 of one leaves shapes open until bind, output 1000000 ends shape inference with a crash, and a
    # hidden output gives other numbers
    elif outputs.total is not None and output >= outputs.total:
        message = f"{who}: output {output} of {what} is read, which has {_count(outputs.visible or 0)}"
    elif outputs.total is None and outputs.visible is not None and output > outputs.visible + 1:
        message = f"{who}: output {output} of {what} is read, which has {_count(outputs.visible)}"
    elif outputs.visible is not None and output >= outputs.visible:
        message = f"{who}: output {output} of {what} is internal (it hands out {_count(outputs.visible)})"
        yield Problem(R.hidden_output, at, message, name)
        return
    else:
        return

    def fix(document: Document) -> Fix:
        return Fix("Read output 0", document.write(at, 0), "unsafe")

    related = [("it is defined here", view.place(node, "name"))]
    if "num_outputs" in view.attrs[node]:
        related.append(("this is how many outputs it has", view.place(node, "attr:num_outputs")))
    yield Problem(R.output_out_of_range, at, message, name, fix if outputs.visible == 1 else None, related)


def _count(outputs: int) -> str:
    return "only output 0" if outputs == 1 else f"{outputs} outputs"


def _late(graph: Graph, view: View, late: list[tuple[int, int]]) -> Iterator[Problem]:
    """Forward references that no cycle makes: mxnet 1.9.1 sorts nodes itself, TVM 0.9.0 runs them in file order."""
    from irlint.formats.nnvm.order import reorder
    from irlint.rules.checks._order import rings

    ring = rings(graph)
    fix = reorder(view) if not view.path else None
    told: set[int] = set()
    for index, k in late:
        source = view.inputs[index][k][0]
        if source in told or ring[source] == ring[index]:
            continue
        told.add(source)
        message = (
            f"{view.ops[index]} {view.names[index]!r} reads {view.names[source]!r}, which stands further down; "
            "MXNet sorts by itself, but readers that run in the order of the file do not"
        )
        place = view.place(index, f"input:{k}")
        related = [(f"{view.names[source]!r} stands here", view.place(source, "name"))]
        yield Problem(R.used_before_defined, place, message, view.names[index], fix, related, Severity.WARNING)


def _misread(view: View, seen: Sweep, index: int) -> Problem | None:
    """The input that a variable which nobody reads is named for, where it reads another one."""
    name = view.names[index]
    if view.ops[index] != "null" or "_" not in name:
        return None
    for reader, examined in enumerate(seen.examined):
        if (
            examined is None
            or examined.inputs is None
            or any(issue.rule == R.wrong_input_count for issue in examined.issues)
        ):
            continue  # that one of its inputs is lost or doubled is a finding of its own
        for k, (argument, entry) in enumerate(zip(examined.inputs.names, view.inputs[reader], strict=False)):
            source = entry[0]
            if not is_named_for(name, view.names[reader], argument) or not 0 <= source < len(view.nodes):
                continue
            if source == index or is_named_for(view.names[source], view.names[reader], argument):
                continue
            place = view.place(reader, f"input:{k}")
            who = f"{view.ops[reader]} {view.names[reader]!r}"
            message = f"{who} reads {view.names[source]!r} as its {argument}; {name!r}, which nothing reads, is named for that"

            def fix(document: Document, at: Place = Place((*place.path, 0))) -> Fix:
                return Fix(f"Read {name!r}", document.write(at, index), "unsafe")

            related = [("nothing reads this", view.place(index, "name"))]
            return Problem(R.unreachable_node, place, message, view.names[reader], fix, related)
    return None


def _unreachable(view: View, seen: Sweep) -> Iterator[Problem]:
    """Nodes on which no output depends; told once for each end that leads nowhere."""
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
        what = "variable" if view.ops[i] == "null" else view.ops[i]
        also = f" ({len(dead)} such nodes in all)" if len(dead) > len(ends) and i == ends[0] else ""
        message = (
            f"no output of the graph depends on {what} {view.names[i]!r}{also}; it is dropped when the file is loaded"
        )
        yield Problem(R.unreachable_node, view.place(i, "name"), message, view.names[i])
