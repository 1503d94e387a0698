"""What variables are for, by the inputs of operators that take them."""

from __future__ import annotations

from irlint.formats.nnvm.examine import Examiner, LoaderBehavior
from irlint.formats.nnvm.view import GraphView
from irlint.operators import OperatorTable
from irlint.records import NamedTuple

ROLES = frozenset(("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters"))


class Roles(NamedTuple):
    """Indices of variables, and names."""

    parameters: set[int]  # surely: some operator takes them as its weight, bias, ...
    states: set[int]  # what a run changes: MXNet keeps them apart from the arguments
    added: set[str]  # variables that the loader makes by itself


def roles_of(table: OperatorTable, view: GraphView) -> Roles:
    """Return what each variable is for, as far as operators tell."""
    examiner = Examiner(table, LoaderBehavior())
    roles = Roles(set(), set(), set())
    for i, op in enumerate(view.ops):
        if op == "null":
            continue
        examined = examiner(op, len(view.inputs[i]), view.attrs[i])
        operator = table.get(op)
        if examined is None or examined.inputs is None or operator is None:
            continue
        state_names = {port.name for port in operator.inputs if port.facts.get("state")}
        for k, port in enumerate(examined.inputs.names):
            if k >= len(view.inputs[i]):
                roles.added.add(f"{view.names[i]}_{port}")
                continue
            source = view.inputs[i][k][0]
            if not 0 <= source < len(view.ops) or view.ops[source] != "null":
                continue
            if port in ROLES:
                roles.parameters.add(source)
            if port in state_names:
                roles.states.add(source)
    return roles
