"""Pages of rules about companions: files that say something about a model."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Rule


class UnknownTensor(Rule):
    """
    What it does
        Checks whether the inputs and outputs that a companion names exist in the model, and whether the tensors of an ensemble are
        written by one of its steps. In pipelines and graphs, also whether the models, nodes and streams that they refer to are in the file.

    Why is this bad
        Servers find tensors by name. A model with a configuration that names another one is not loaded.

    Example
        ```text
        net/config.pbtxt:4:17: F001[unknown-tensor] unknown tensor 'image' of 1/model.onnx; did you mean `images`?
        ```

    Use instead
        Write the name that the model has: `irlint summary MODEL` lists them.

    Fix safety
        The nearest name, or the only one, is a guess.
    """

    row = R.unknown_tensor
    fixable = "unsafe"


class TensorLeftOut(Rule):
    """
    What it does
        Checks for inputs of a model that its companion does not name, and for tensors of an ensemble that no step uses.

    Why is this bad
        Triton refuses a configuration with fewer inputs than the model has, and an ensemble with an input that is never used.

    Example
        ```text
        net/config.pbtxt:3:1: F002[tensor-left-out] input 'attention_mask' of 1/model.onnx is left out
        ```

    Use instead
        Add the tensor, or remove the whole list where the server can complete it.
    """

    row = R.tensor_left_out


class OtherDtype(Rule):
    """
    What it does
        Checks whether the element types in a companion are those of the model, and those of a tensor in all steps of an ensemble. Triton's
        backend for OpenVINO converts numbers: there, only strings differ from other types.

    Why is this bad
        The server does not load the model, or refuses each request.

    Example
        ```text
        net/config.pbtxt:4:36: F003[other-dtype] input 'images' of 1/model.onnx is float32, not float16
        ```

    Use instead
        Write the type that the model has.

    Fix safety
        The model decides which type is right, so that the fix is safe.
    """

    row = R.other_dtype
    fixable = "safe"


class OtherShape(Rule):
    """
    What it does
        Checks whether the dimensions in a companion are those of the model. With a `max_batch_size` above 0, Triton adds a first
        dimension for the batch, which the model must leave free. New shapes must have as many elements as `dims`.

    Why is this bad
        The server does not load the model, or refuses each request.

    Example
        ```text
        net/config.pbtxt:5:57: F004[other-shape] output 'output0' of 1/model.onnx is [batch, 300, 6]: dimension 1 is 300, not 84
        ```

    Use instead
        Write the dimensions that the model has, without that of the batch, and -1 for those that are free.

    Fix safety
        The fix of a single size is safe where only the program that runs the model uses it, and refuses another one. It is unsafe where the
        model may be the wrong file, such as of images in `preprocessor_config.json`.
    """

    row = R.other_shape
    fixable = "mixed"


class OtherClassCount(Rule):
    """
    What it does
        Checks whether a companion names as many classes as the model tells apart: the labels of a classifier, or the `names` of a
        detector.

    Why is this bad
        With fewer names, programs fail or show the wrong name as soon as a class without a name is found. More names are a warning:
        the model may belong to other classes.

    Example
        ```text
        metadata.yaml:12:1: F005[other-class-count] `names` has 79 classes, but output 'output0' of yolo11n.xml is [1, 84, 8400], for 80
        ```

    Use instead
        Use the names with which the model was trained.
    """

    row = R.other_class_count


class MissingFile(Rule):
    """
    What it does
        Checks whether the files that a companion names exist: models, versions, labels. Models that are missing are
        pedantic unless weights are required (`weights: required`), because repositories in git are often without.

    Why is this bad
        The server does not load the model.

    Example
        ```text
        net/config.pbtxt:5:84: F006[missing-file] missing labels.txt, the `label_filename` of the configuration
        ```

    Use instead
        Add the file, or remove its name.
    """

    row = R.missing_file


class ContradictorySettings(Rule):
    """
    What it does
        Checks for settings of a companion that exclude each other, and for those that the model makes impossible.

    Why is this bad
        The server refuses the configuration.

    Example
        ```text
        net/config.pbtxt:6:44: F007[contradictory-settings] preferred batch size 8 is larger than max_batch_size 4
        ```

    Use instead
        Change one of the two: the message says both.

    Fix safety
        Only the name of a model has a fix, which makes it that of the folder: a guess, as the folder may be the wrong one.
    """

    row = R.contradictory_settings
    fixable = "unsafe"


class OtherValue(Rule):
    """
    What it does
        Checks whether a value in a companion is the one that the model has, such as the number of layers, of heads, or of words.

    Why is this bad
        Programs make tensors of that size, which the model refuses, or they stop at another word than the model does.

    Example
        ```text
        genai_config.json:16:28: F008[other-value] `num_hidden_layers` of the decoder is 2 in model.onnx, not 3
        ```

    Use instead
        Write the value that the model has.

    Fix safety
        The fix is safe where only the program that runs the model uses the value, and refuses another one: the layers and heads of
        `genai_config.json`. Elsewhere it is a guess which of the two files is wrong, such as where `config.json` has more layers than the
        model, and the fix is unsafe.
    """

    row = R.other_value
    fixable = "mixed"
