"""Pages of rules about what a new version of a model breaks, which `irlint breaking` checks."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class NoLongerLoads(Rule):
    """
    What it does
        Checks whether a model that loaded still does. `irlint breaking` reports a new version that has errors while the old one has
        none, that is of another format or not recognized, and a model that was removed. Weights that are missing count if the old
        version has its own. With `--target`, this includes what the given release of a runtime cannot read.

    Why is this bad
        Every program that loads the model fails, whatever it does with it.

    Example
        ```text
        model.onnx:1:1: B001[no-longer-loads] the model does not load any more: C002 opset 23 is too new for onnxruntime 1.20
        ```

    Use instead
        Fix the error, which `irlint check` explains, or keep the old version until all programs have been changed.
    """

    row = R.no_longer_loads


class NewerRuntimeNeeded(Rule):
    """
    What it does
        Checks for versions that were raised: of the opset, of the format, of operators from another library.

    Why is this bad
        A runtime that is older than the new version does not load the model. Which one that is depends on where the model runs,
        so this is only an info. Name the oldest runtime in use with `--target`: what it cannot read is an error
        (`no-longer-loads`). Opsets of domains that no node uses count only where onnxruntime knows the domain and checks them.

    Example
        ```text
        model.onnx:3:22: B002[newer-runtime-needed] info: opset was raised from 17 to 21: older runtimes do not load the model
        ```

    Use instead
        Export the model with the opset that it had, unless it needs operators of a later one.
    """

    row = R.newer_runtime_needed


class RemovedInput(Rule):
    """
    What it does
        Checks for inputs that were removed or renamed, and for inputs without a name where there was one.

    Why is this bad
        Programs set inputs by name. Runtimes refuse a name that the model does not have.

        A warning if a run did not need a value for the input, such as the label of a loss in MXNet, or an input of ONNX with an
        initializer.

    Example
        ```text
        model.onnx:6:19: B010[removed-input] input 'image' was renamed to 'pixel_values'
        ```

    Use instead
        Give the input its old name, or release the model as a new version and announce the change.
    """

    row = R.removed_input


class NewRequiredInput(Rule):
    """
    What it does
        Checks for new inputs for which a run needs a value, and for inputs that no longer have a default value.

    Why is this bad
        Programs do not set the input, and the run fails. An input with a default value (in ONNX an initializer of the same name)
        breaks nothing.

    Example
        ```text
        model.onnx:7:12: B011[new-required-input] input 'mask' (int64 [1, 128]) is now required
        ```

    Use instead
        Give the input a default value, or compute the value in the model.
    """

    row = R.new_required_input


class RemovedOutput(Rule):
    """
    What it does
        Checks for outputs that were removed or renamed.

    Why is this bad
        Programs read outputs by name, and those of a model with one output by position. A name that the model does not have is
        refused.

        A warning if the output was called by a node's name, which converters choose: most programs go by position then.

    Example
        ```text
        model.onnx:9:16: B012[removed-output] output 'scores' was renamed to 'probabilities'
        ```

    Use instead
        Give the output its old name. An output that is no longer computed can stay as a copy of another (`Identity`).
    """

    row = R.removed_output


class ChangedOrder(Rule):
    """
    What it does
        Checks for inputs and outputs that changed places, and for new ones before those that were there.

    Why is this bad
        Programs that go by position, such as `session.run(None, ...)[0]` or `compiled([a, b])`, take one for another. If the types
        are equal, nothing fails, and the results are wrong.

    Example
        ```text
        model.onnx:9:16: B013[changed-order] new output 'features' comes before 'scores', which has another position now
        ```

    Use instead
        Keep the order, and add new outputs at the end.
    """

    row = R.changed_order


class ChangedDtype(Rule):
    """
    What it does
        Checks for inputs and outputs with another element type, also a wider one.

    Why is this bad
        Runtimes do not convert: an input of another type is refused, and an output is read as what it is not.

    Example
        ```text
        model.onnx:6:19: B014[changed-dtype] input 'ids': expected int64 [1, 128], got int32 [1, 128]
        ```

    Use instead
        Keep the type at the boundary of the model with a `Cast`, or a `Convert` in OpenVINO.
    """

    row = R.changed_dtype


class NarrowedShape(Rule):
    """
    What it does
        Checks for inputs and outputs whose shapes allow less: another length or rank, or a fixed length where any was allowed.

    Why is this bad
        Values that were valid are refused. A fixed length that became dynamic breaks nothing. What is declared is not all: shapes of
        both versions are computed with some lengths, and where only the new one fails, the node that fails is named.

        A warning if only an output allows less while the inputs do not: a batch size may have been written into the model.

    Example
        ```text
        model.onnx:6:19: B015[narrowed-shape] input 'image': expected float32 [N, 3, 224, 224], got float32 [1, 3, 224, 224];
        dimension 0 no longer accepts every length
        ```

    Use instead
        Export with dynamic axes as before.
    """

    row = R.narrowed_shape


class ChangedState(Rule):
    """
    What it does
        Checks for states (variables that keep their values from one run to the next) that were removed or have another type.

    Why is this bad
        Programs that set or read a state by name fail, and saved states do not fit. A new state is a warning: it has to be reset
        between sequences.

    Example
        ```text
        model.xml:120:14: B016[changed-state] state 'past_key_values.0.key' was removed
        ```

    Use instead
        Keep the names and shapes of states, or release the model as a new version.
    """

    row = R.changed_state


class ChangedMetadata(Rule):
    """
    What it does
        Checks for metadata that was removed or changed: names of classes, stride, image size, task, and entries of your own.

    Why is this bad
        Programs read it to prepare inputs and to name results. What only says where a model comes from (author, date, converter) is
        not compared.

        A warning for removed entries and for those that programs are known to read, an info for other changed values.

    Example
        ```text
        model.onnx:1:1: B017[changed-metadata] metadata `metadata_props.names` was removed
        ```

    Use instead
        Write the entry again: exporters drop metadata that they do not know.
    """

    row = R.changed_metadata


class ChangedComputation(Rule):
    """
    What it does
        Checks for nodes that were added, removed, wired in another way, or have other operators or attributes, also in functions of
        the file. New names of nodes do not count, nor do attributes written out with their defaults or as inputs, nodes that do nothing,
        and what an optimizer computes beforehand or writes with other operators: what reads these nodes gets the same values when
        both parts are run. Notes name the nodes.

    Why is this bad
        The model may compute other values. Often that is the purpose, so this is an info; `irlint diff` shows each change, and
        `irlint compare` the values.

    Example
        ```text
        model.onnx:14:5: B020[changed-computation] info: 1 node computed in another way
        note: 'relu' (Neg) changed
        ```

    Use instead
        Nothing, if the change was meant.
    """

    row = R.changed_computation


class ChangedWeights(Rule):
    """
    What it does
        Checks for other values of weights.

    Why is this bad
        The model computes other values. After training that is the purpose, but not after a conversion.

    Example
        ```text
        model.onnx:10:9: B021[changed-weights] info: 54 nodes with other weights
        ```

    Use instead
        Nothing, if the model was trained again.
    """

    row = R.changed_weights
