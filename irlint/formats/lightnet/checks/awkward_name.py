"""G102 awkward-name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from irlint.findings import Problem
from irlint.formats.lightnet.rules import R
from irlint.graph import Node, label
from irlint.rules.base import Model, Rule

LONGEST = 511  # bytes of a name that LightNet derives from another one

_BLANK = re.compile(r"[\s%]")


class AwkwardName(Rule):
    """
    What it does
        Checks for names of operators and tensors that contain whitespace or percent signs, or are very long.

    Why is this bad
        LightNet loads them, but a weight file cannot refer to such a tensor, since whitespace ends a name there, and
        the intermediate language cannot express the name. LightNet limits names that it derives from them to 511
        bytes.
    """

    row = R.awkward_name
    formats = ("lightnet",)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        graph = model.graph
        for node in graph.nodes if _may_be_awkward(graph.nodes) else ():
            if why := _awkward(node.name):
                yield Problem(R.awkward_name, graph.place(node, "name"), f"name of {label(node)} {why}", node.name)
            for k, value in enumerate(node.outputs):
                if why := _awkward(value.name or ""):
                    message = f"tensor name {value.name!r} {why}"
                    yield Problem(R.awkward_name, graph.place(node, f"output:{k}"), message, node.name)


def _may_be_awkward(nodes: Sequence[Node]) -> bool:
    """Return whether any name may be awkward; usually a quick test shows that none is."""
    names = [node.name for node in nodes]
    names += [value.name for node in nodes for value in node.outputs if value.name]
    return max(map(len, names), default=0) > LONGEST // 4 or _BLANK.search("".join(names)) is not None


def _awkward(name: str) -> str:
    """Return what is awkward about a name, if anything is."""
    if (found := _BLANK.search(name)) is not None:
        what = "a percent sign" if found[0] == "%" else "whitespace"
        return f"contains {what}; weight files and the intermediate language cannot express it"
    size = len(name.encode("utf-8", "surrogatepass"))
    return f"has {size} bytes; LightNet limits names derived from it to {LONGEST}" if size > LONGEST else ""
