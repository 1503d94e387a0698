"""Pages of rules about code that loading or running a model runs."""

from __future__ import annotations

from irlint.formats.keras.rules import R
from irlint.rules.base import Rule


class ForeignClass(Rule):
    """
    What it does
        Checks for classes that are not part of Keras: those of modules outside of `keras`, and registered or custom classes.

    Why is this bad
        Keras loads such a file only if the program passes the class in `custom_objects` or registers it. Keras before 3.9 imports the
        module that the file names, even in safe mode, so that the file decides what code runs. irlint imports nothing.
    """

    row = R.foreign_class
    formats = ("keras",)


class CodeInModel(Rule):
    """
    What it does
        Checks for Lambda layers whose function is compiled Python code in the file, and for TFSMLayer, which loads a SavedModel from
        a path in the file.

    Why is this bad
        The author of the file decides what runs. Keras 3 refuses to load it unless the program passes `safe_mode=False`; Keras 2 runs the
        code of a JSON or HDF5 file without asking. Compiled code also depends on the version of Python. A layer of your own with
        `keras.saving.register_keras_serializable` has neither problem.
    """

    row = R.code_in_model
    formats = ("keras",)
