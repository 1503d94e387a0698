"""Which nodes of a listing are results, told from its order alone: a listing does not name its outputs."""

from __future__ import annotations

from irlint.graph import Graph


def roots(graph: Graph) -> list[int]:
    """Calls that, as outputs in file order, make the depth-first post-order the file's own: all that nobody reads, and
    those whose place shows that the walk must have begun there.

    `first[n]` is the earliest call from which the walk that begins at the n-th call lists everything up to the n-th
    in the file's order, if all before was listed already (then so does every start between). The walk goes from input
    to input and lists something new at those that lie further on than all inputs before them: the last of these must
    be the call right before, and each must reach back to the one before it.
    """
    calls = [node.index for node in graph.nodes if node.kind == "call"]
    number = {index: n for n, index in enumerate(calls)}
    first: list[int] = []
    for n, index in enumerate(calls):
        inputs = graph.nodes[index].inputs
        if len(inputs) == 1:
            follows = n > 0 and number.get(inputs[0][0]) == n - 1
            first.append(first[n - 1] if follows else n)
            continue
        leads: list[int] = []
        for source in inputs:
            below = number.get(source[0], -1)
            if below < n and below > (leads[-1] if leads else -1):
                leads.append(below)
        if not leads or leads[-1] != n - 1:
            first.append(n)
            continue
        at = len(leads) - 1
        while at and first[leads[at]] <= leads[at - 1] + 1:
            at -= 1
        first.append(first[leads[at]])
    found: list[int] = []
    n = len(calls) - 1
    while n >= 0:
        found.append(calls[n])
        n = first[n] - 1
    return found[::-1]
