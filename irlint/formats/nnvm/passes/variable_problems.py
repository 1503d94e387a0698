"""Variables that have inputs, as each runtime treats them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R

if TYPE_CHECKING:
    from irlint.formats.nnvm.reading.sweep import Sweep
    from irlint.formats.nnvm.reading.view import GraphView


def variable_with_inputs(view: GraphView, seen: Sweep, index: int, several: bool) -> Problem:
    """Return the problem; `several`: an output other than the first is used."""
    reachable = seen.reachable
    lost = [e[0] for e in view.inputs[index] if 0 <= e[0] < len(view.names) and e[0] not in reachable]
    name = view.names[index]
    message = f"variable {name!r} has inputs, which the loader drops"
    severity = Severity.WARNING
    if index in reachable and (lost or several):
        with_them = f" together with {view.names[lost[0]]!r}" if lost else "; several of its outputs are used"
        message += f"{with_them}; did you mean an operator?"
        return Problem(R.variable_with_inputs, view.place(index, "op"), message, name)
    return Problem(R.variable_with_inputs, view.place(index, "inputs"), message, name, severity=severity)


def executor_variable(view: GraphView, index: int, called: bool, listed: bool) -> Problem:
    """Return the problem in a TVM graph; `called`: it has a function's attributes; `listed`: in arg_nodes.

    The executor ignores the attributes and the inputs of a node with the operator `null`.
    """
    name = view.names[index]
    if called and not listed:
        message = f"input {name!r} has the attributes of a function call; TVM never computes it"
        return Problem(R.variable_with_inputs, view.place(index, "op"), message, name)
    if called and not view.inputs[index]:
        message = f"input {name!r} has the attributes of a function call; TVM ignores them"
        return Problem(R.variable_with_inputs, view.place(index, "op"), message, name, severity=Severity.PEDANTIC)
    message = f"input {name!r} has inputs itself; TVM ignores them"
    return Problem(R.variable_with_inputs, view.place(index, "inputs"), message, name, severity=Severity.WARNING)
