"""W003 weights-format."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class WeightsFormat(Rule):
    """
    What it does
        Checks for weights files that are something else: a Git LFS pointer, an HTML or XML page, or not a regular file.

    Why is this bad
        The loader reads the text as numbers, or reports that the file is too short.

    Example
        A `.bin` that starts with `version https://git-lfs.github.com/spec/v1`.

    Use instead
        `git lfs pull`, or another download. If weights are not kept in the repository, `weights: optional` in
        `irlint.yaml`.

    In a repository a Git LFS pointer is a warning, because a checkout without the large files is full of them; the setting
    `weights` makes it an error (`required`) or a pedantic finding (`optional`). Anything else is an error.
    """

    row = R.weights_format
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (
        Example(
            OPENVINO,
            "openvino",
            "0",
            side_files={"model.bin": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"},
        ),
    )
