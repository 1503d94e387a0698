"""T202 variable-with-inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irlint.findings import Problem, Severity
from irlint.formats.nnvm.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import SYMBOL, symbol

if TYPE_CHECKING:
    from irlint.formats.nnvm.sweep import Sweep
    from irlint.formats.nnvm.view import GraphView


class VariableWithInputs(Rule):
    """
    What it does
        Checks for variables (`"op": "null"`) that have inputs.

    Why is this bad
        A variable computes nothing, and the loader drops its inputs silently. If a node is unused as a result, an
        operator has lost its name, and the finding is an error; otherwise it is a warning.

        In a TVM graph, a variable with the attributes of a function call is an error if `arg_nodes` does not list it:
        it was a function call, and its value is neither computed nor set. If it is listed, the executor ignores the
        attributes, and the finding is pedantic.

    Example
        ```json
        {"op": "null", "name": "relu0", "attrs": {"act_type": "relu"}, "inputs": [[3, 0, 0]]}
        ```

    Use instead
        ```json
        {"op": "Activation", "name": "relu0", "attrs": {"act_type": "relu"}, "inputs": [[3, 0, 0]]}
        ```
    """

    row = R.variable_with_inputs
    formats = ("nnvm",)
    valid = (Example(SYMBOL, "nnvm:mxnet"),)
    invalid = (
        Example(symbol(('"Activation"', '"null"'), ("[0, 1, 2],", "[0, 1, 2, 4],")), "nnvm:mxnet", '"null"'),
        Example(
            symbol(('"name": "fc0_bias", "inputs": []', '"name": "fc0_bias", "inputs": [[0, 0, 0]]')),
            "nnvm:mxnet",
            "[[0, 0, 0]]",
        ),
    )

    @classmethod
    def problem(cls, view: GraphView, seen: Sweep, index: int, several: bool) -> Problem:
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

    @classmethod
    def executor_problem(cls, view: GraphView, index: int, called: bool, listed: bool) -> Problem:
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
