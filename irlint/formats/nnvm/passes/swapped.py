"""Report variables that are named for one input of an operator but used as another one."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.formats.nnvm.passes.examine import Examination
from irlint.formats.nnvm.passes.roles import ROLES
from irlint.formats.nnvm.passes.wording import label
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import GraphView

_VECTORS = ROLES - {"weight", "parameters"}
# Operators whose data has two dimensions or more: mxnet 1.9.1 refuses a vector, or a variable whose shape it has to infer
_WIDE = frozenset((
    "BatchNorm", "BatchNorm_v1", "_contrib_SyncBatchNorm", "_contrib_BatchNormWithReLU", "InstanceNorm", "GroupNorm",
    "Convolution", "Convolution_v1", "Deconvolution",
))  # fmt: skip


def check(view: GraphView, seen: Sweep) -> Iterator[Problem]:
    """Report the first such input of each node; set `seen.doubled` where a node takes one value twice."""
    nodes, seen.doubled = view.nodes, False
    known: dict[int, tuple[str, ...]] = {}  # by id() of what is known of a node
    for index, examined in enumerate(seen.examined):
        if examined is None:
            continue
        ports = known.get(id(examined))
        if ports is None:
            ports = known[id(examined)] = _ports(examined)
        if not ports:
            continue
        entries = nodes[index]["inputs"]
        before = -1
        for entry in entries:
            if entry[0] <= before:
                break
            before = entry[0]
        else:  # in the order of front ends; swapped or duplicate inputs are not in file order
            continue
        for k, (port, entry) in enumerate(zip(ports, entries, strict=False)):
            source = nodes[entry[0]] if 0 <= entry[0] < len(nodes) else None
            if source is not None and source["op"] == "null" and not source["name"].endswith(port):
                meant = _named_for(source["name"], nodes[index]["name"], ports, k)
                if meant is not None and (not k or [e[0] for e in entries].count(entry[0]) == 1):
                    yield _problem(view, index, k, meant, ports)
                    break
        if len({entry[0] for entry in entries}) < len(entries):
            seen.doubled = True


def _ports(examined: Examination) -> tuple[str, ...]:
    """Return the names of the inputs of an operator that has parameters."""
    ports = () if examined.inputs is None else examined.inputs.names
    return ports if len(ports) > 1 and ports[1] in ROLES else ()


def _named_for(variable: str, node: str, ports: tuple[str, ...], k: int) -> int | None:
    """Return which other input of a node a variable is named for."""
    owner = f"{node}_"
    if not variable.startswith(owner):
        return None
    return next((m for m, port in enumerate(ports) if m != k and variable == owner + port), None)


def _problem(view: GraphView, index: int, k: int, meant: int, ports: tuple[str, ...]) -> Problem:
    source = view.inputs[index][k][0]
    refused = (
        not k and ports[meant] in _VECTORS and view.ops[index] in _WIDE and not view.attrs[source].get("__shape__")
    )
    who = label(view.ops[index], view.names[index])
    message = f"{who} takes {view.names[source]!r} as `{ports[k]}`, but its name suggests `{ports[meant]}`"
    if refused:
        message += "; MXNet refuses a vector there"
    related = [("defined here", view.place(source, "name"))]
    if meant < len(view.inputs[index]):
        related.append((f"`{ports[meant]}` declared here", view.place(index, f"input:{meant}")))
    severity = Severity.ERROR if refused else None
    return Problem(
        R.swapped_inputs,
        view.place(index, f"input:{k}"),
        message,
        view.names[index],
        related=related,
        severity=severity,
    )
