"""The rules that have a meaning in this format only, beside those of any format."""

from __future__ import annotations

from irlint import codes
from irlint.codes import RuleRow


class R(codes.R):
    missing_split = RuleRow("R501", "missing-split")
    wrong_magic = RuleRow("S501", "wrong-magic")
    long_word = RuleRow("S502", "long-word")
    wrong_layer_count = RuleRow("T501", "wrong-layer-count")
    wrong_blob_count = RuleRow("T502", "wrong-blob-count")
    wrong_name_count = RuleRow("T503", "wrong-name-count")
