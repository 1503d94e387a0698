"""Which nodes of a listing are results, told from its order alone: a listing does not name its outputs."""

from __future__ import annotations

from irlint.graph import Graph


def roots(graph: Graph) -> list[int]:
    """Calls that, as outputs in file order, make the depth-first post-order the file's own: all that nobody reads, and
    those that are read only after their place shows that the walk must have begun there.

    The calls so far are a row of blocks, each the walk of one root behind all blocks before it. The next call takes
    in the last blocks if its walk would make them one after the other: if their roots are the inputs that, left to
    right, lead further than every input before them.
    """
    nodes = graph.nodes
    starts: list[int] = []  # of each block, its first node
    found: list[int] = []  # of each block, its root
    for node in nodes:
        if node.kind != "call":
            continue
        leads: list[int] = []
        for source in node.inputs:
            below = source[0]
            if below >= 0 and nodes[below].kind == "call" and below < node.index and (not leads or below > leads[-1]):
                leads.append(below)
        taken = 0
        for count in range(1, len(leads) + 1):
            if count > len(found) or leads[-count] != found[-count]:
                break
            if count == len(leads) or leads[-count - 1] < starts[-count]:
                taken = count
        starts[len(starts) - taken :] = [starts[-taken] if taken else node.index]
        found[len(found) - taken :] = [node.index]
    return found
