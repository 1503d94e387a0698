"""Report variables that are named for one input of an operator but used as another one."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.passes.examine import Examination
from irlint.formats.nnvm.passes.variables import ROLES
from irlint.formats.nnvm.passes.wording import label
from irlint.formats.nnvm.reading.sweep import Sweep
from irlint.formats.nnvm.reading.view import Entry, GraphView
from irlint.formats.nnvm.rules import R

_VECTORS = ROLES - {"weight", "parameters"}
# Operators whose data has two dimensions or more: mxnet 1.9.1 refuses a vector, or a variable whose shape it has to infer
_WIDE = frozenset((
    "BatchNorm", "BatchNorm_v1", "_contrib_SyncBatchNorm", "_contrib_BatchNormWithReLU", "InstanceNorm", "GroupNorm",
    "Convolution", "Convolution_v1", "Deconvolution",
))  # fmt: skip


def swapped(view: GraphView, seen: Sweep) -> Iterator[Problem]:
    """Report of each node the first variable that is named for another input; set `seen.doubled` where a node takes one value twice."""
    seen.doubled = False
    for index, examined in enumerate(seen.examined):
        ports = () if examined is None else _ports(examined)
        if not ports:
            continue
        entries: list[Entry] = view.nodes[index]["inputs"]
        sources = [entry[0] for entry in entries]
        distinct = set(sources)
        if sources == sorted(distinct):
            continue  # in the order of front ends; swapped or duplicate inputs are not in file order
        yield from _swapped(view, index, sources, ports)
        if len(distinct) < len(sources):
            seen.doubled = True


def _ports(examined: Examination) -> tuple[str, ...]:
    """Return the names of the inputs of an operator that has parameters."""
    ports = examined.arguments
    return ports if len(ports) > 1 and ports[1] in ROLES else ()


def _swapped(view: GraphView, index: int, sources: list[int], ports: tuple[str, ...]) -> Iterator[Problem]:
    for k, (port, source) in enumerate(zip(ports, sources, strict=False)):
        if not view.is_variable(source) or (k and sources.count(source) > 1):
            continue
        name = view.nodes[source]["name"]
        role = name.removeprefix(f"{view.nodes[index]['name']}_")
        if role != name and not name.endswith(port) and role in ports:
            yield _swapped_problem(view, index, k, ports.index(role), ports)
            return


def _swapped_problem(view: GraphView, index: int, k: int, meant: int, ports: tuple[str, ...]) -> Problem:
    op, name, source = view.ops[index], view.names[index], view.inputs[index][k][0]
    is_vector = ports[meant] in _VECTORS and not view.attrs[source].get("__shape__")
    is_refused = not k and is_vector and op in _WIDE
    message = f"{label(op, name)} takes {view.names[source]!r} as `{ports[k]}`, but its name suggests `{ports[meant]}`"
    rest, severity = ("; MXNet refuses a vector there", Severity.ERROR) if is_refused else ("", None)
    related = [("defined here", view.place(source, "name"))]
    if meant < len(view.inputs[index]):
        related.append((f"`{ports[meant]}` declared here", view.place(index, f"input:{meant}")))
    return Problem(R.swapped_inputs, view.place(index, f"input:{k}"), message + rest, name, None, related, severity)
