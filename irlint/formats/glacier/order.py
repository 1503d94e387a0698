"""Which nodes of a listing are results, told from its order alone: a listing does not name its outputs."""

from __future__ import annotations

from irlint.graph import Graph


def roots(graph: Graph) -> tuple[list[int], list[int]]:
    """Sinks (calls that nobody reads), and calls that are read but whose place in the file shows that the walk began
    there.

    In a depth-first post-order every call comes right after the calls that it is the first to read, those in the
    order of its inputs. A call that is first read later than that must have been reached on its own: it is an output
    too (or the file is in another order). With both kinds as outputs, in file order, the post-order is the file's own
    order. One walk: the calls nobody read so far form a list, from which readers take their inputs.
    """
    nodes = graph.nodes
    before, after = [-1] * len(nodes), [-1] * len(nodes)  # neighbours in the list of calls not read so far
    waiting = [False] * len(nodes)
    top = -1
    others: list[int] = []
    for node in nodes:
        if node.kind != "call":
            continue
        new = {s: k for k, (s, _) in reversed(list(enumerate(node.inputs))) if s >= 0 and waiting[s]}
        at, place, fresh = top, len(node.inputs), set()
        while new.get(at, place) < place:  # the latest calls, as far as they came in the order of the inputs
            fresh.add(at)
            at, place = before[at], new[at]
        others += [s for s in new if s not in fresh]
        for index in new:
            waiting[index] = False
            low, high = before[index], after[index]
            if low >= 0:
                after[low] = high
            if high >= 0:
                before[high] = low
            else:
                top = low
        index = node.index
        before[index], after[index], waiting[index] = top, -1, True
        if top >= 0:
            after[top] = index
        top = index
    return [n.index for n in nodes if waiting[n.index]], sorted(others)
