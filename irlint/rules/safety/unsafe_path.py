"""X002 unsafe-path."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class UnsafePath(Rule):
    """
    What it does
        Checks for a weights file next to a model that is a symbolic link out of the model's folder.

    Why is this bad
        The author of a model could make the reader open any file on the machine. irlint does not open such a file.
        Links within the folder that the model itself is linked from, as in model caches, are allowed.

    Example
        `model.bin -> /home/someone/.ssh/id_rsa`

    Use instead
        A copy of the weights next to the model.
    """

    row = R.unsafe_path
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Example(OPENVINO, "openvino", links={"model.bin": "/etc/hostname"}),)
