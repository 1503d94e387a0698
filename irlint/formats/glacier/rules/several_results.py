"""G401 several-results: calls of a listing that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.rules.base import Example, Model, Rule
from irlint.text.base import Place


class SeveralResults(Rule):
    """What it does
    Finds calls, other than the last, whose result no line reads. A listing does not name its outputs: what nobody
    reads is one.

    Why is this bad
    A model with one output has one such line, the last. Another one is dead work or, more often, the trace of an
    input below that names the wrong id. In a model that does have several outputs it is as it should be.

    Example
    ```
    0 nn.conv2d ['x', 'w']
    1 nn.bias_add [0, 'b']
    2 nn.relu [0]
    ```

    Use instead
    ```
    0 nn.conv2d ['x', 'w']
    1 nn.bias_add [0, 'b']
    2 nn.relu [1]
    ```
    """

    code = "G401"
    name = "several-results"
    severity = Severity.WARNING
    formats = ("glacier",)
    valid = (Example("0 nn.conv2d ['x', 'w']\n1 nn.relu [0]\n", "glacier:listing"),)
    invalid = (Example("0 nn.conv2d ['x', 'w']\n1 nn.bias_add [0, 'b']\n2 nn.relu [0]\n", "glacier:listing", "1"),)

    @classmethod
    def check(cls, model: Model) -> Iterator[Problem]:
        if model.dialect != "listing" or model.extra.get("faulty", True):
            return
        graph = model.graph
        explained = model.extra["quoted"]  # ids that a finding of their own says are read
        sinks = [index for index in model.extra["sinks"] if graph.nodes[index].name not in explained]
        if not sinks:
            return
        last = graph.nodes[max(sinks)]
        for index in sinks:
            node = graph.nodes[index]
            if node is last:
                continue
            message = (
                f"nobody reads node {node.name} ({node.op}), although node {last.name} ({last.op}) is the last result: "
                "a second output, or an input below names another id by mistake"
            )
            below = next(n for n in graph.nodes[index + 1 :] if n.kind == "call")
            related = [("the next line reads something else", Place((*below.path, "inputs")))]
            yield Problem(cls, graph.place(node, "name"), message, node.name, related=related)
