"""Pages of rules about edges and bodies."""

from __future__ import annotations

from irlint.formats.openvino.rules import R
from irlint.rules.base import Rule


class UnconnectedInput(Rule):
    """
    What it does
        Checks for input ports that no edge leads to.

    Why is this bad
        OpenVINO refuses the file, usually with an error that names neither the port nor the layer. In IR version 10, the port
        of an optional input may be left unconnected.
    """

    row = R.unconnected_input
    formats = ("openvino",)


class InputFedTwice(Rule):
    """
    What it does
        Checks for input ports with more than one edge, including duplicate edges.

    Why is this bad
        An input port takes a single value; OpenVINO refuses the file.

    Fix safety
        Safe for a duplicate edge, of which one copy is removed. Unsafe for two different edges: which of them is intended is
        a guess.
    """

    row = R.input_fed_twice
    formats = ("openvino",)
    fixable = "mixed"


class ComputedInput(Rule):
    """
    What it does
        Checks for axes that are computed from the model's inputs where OpenVINO's CPU plug-in requires a constant: always for
        Unsqueeze, ReduceLogicalAnd and ReduceLogicalOr; for Gather, RDFT, IRDFT and Slice if the shape of their data is static.

        Also checks for filters of convolutions whose shape is not fixed, as after a swap of data and filters, and for outputs of
        unknown rank: Squeeze without axes if a dimension of its data is open, Reshape, Broadcast or Tile by an unknown number of
        numbers. The plug-in refuses both.

    Why is this bad
        OpenVINO 2026.4.1 reads the file, but fails to compile the model or crashes.
    """

    row = R.computed_input
    formats = ("openvino",)


class BodyMapping(Rule):
    """
    What it does
        Checks for port map entries and back edges of If, Loop and TensorIterator that refer to a port or body layer that does
        not exist or has the wrong type, and for ports and body layers that nothing refers to.

    Why is this bad
        OpenVINO refuses most such files with an error that does not name the layer, crashes on some, and silently accepts
        others: a state is then not passed on to the next iteration, or an input never reaches the body.
    """

    row = R.body_mapping
    formats = ("openvino",)


class VariableMismatch(Rule):
    """
    What it does
        Checks for variables whose ReadValue and Assign layers do not form a pair: an Assign without a ReadValue in its graph
        and opset, a ReadValue whose value is used but never assigned, a second ReadValue or Assign, a ReadValue that is used
        only by its own Assign, and an Assign whose output is used.

    Why is this bad
        OpenVINO 2026.4.1 refuses the file ("Can't find variable", `map::at`), or the CPU plug-in fails to compile or run the
        model ("doesn't have sibling output"). In a branch of an If, only runs that take the branch fail; this is a warning.
    """

    row = R.variable_mismatch
    formats = ("openvino",)
