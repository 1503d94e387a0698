"""X002 unsafe-path."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class UnsafePath(Rule):
    """
    What it does
        Finds a weights file beside a model that leads out of the model's folder: a symbolic link to somewhere else.

    Why is this bad
        Whoever sends a model could make the reader open any file of the machine. irlint leaves such a file closed. Links
        inside the folder that the model itself is linked from, as model caches have them, are fine.

    Example
        `model.bin -> /home/someone/.ssh/id_rsa`

    Use instead
        A copy of the weights beside the model.
    """

    row = R.unsafe_path
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Example(OPENVINO, "openvino", links={"model.bin": "/etc/hostname"}),)
