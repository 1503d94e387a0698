"""W001 missing-weights."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import OPENVINO


class MissingWeights(Rule):
    """
    What it does
        Checks for models whose weights file does not exist.

    Why is this bad
        The loader refuses a model with constants if the file that contains them is missing. There is one finding for
        all constants.

    Example
        `model.xml` alone in its folder.

    Use instead
        `model.xml` with `model.bin` next to it, or `weights: optional` in `irlint.yaml` if weights are not kept in the
        repository.

    An error where git tracks the missing file or there is no repository, otherwise a warning. The setting `weights`
    changes that: `required` makes it always an error, `optional` a pedantic finding.
    """

    row = R.missing_weights
    valid = (Example(OPENVINO, "openvino", side_files={"model.bin": bytes(12)}),)
    invalid = (Example(OPENVINO, "openvino", "0", side_files={"other.bin": bytes(12)}),)
