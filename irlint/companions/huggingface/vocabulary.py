"""Compares the tokens of tokenizer.json with the vocabulary of the model that it is next to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.demands import each
from irlint.companions.ports import find, ports_of
from irlint.companions.report import Report
from irlint.companions.tokenizer import largest_token, read_json
from irlint.findings import OtherPlace, Severity
from irlint.rules.base import Model
from irlint.text.base import Place

_SIZES = (("config.json", "vocab_size"), ("genai_config.json", "model/vocab_size"))


def check_vocabulary(tree: Any, model: Model, folder: FilePath, files: Iterable[str], report: Report) -> None:
    """Report the last token if neither the models nor their configurations have it; fewer tokens may be those of a model whose
    vocabulary is padded."""
    last, said = largest_token(tree), list[tuple[int, str, OtherPlace]]()
    for name, pattern in _SIZES:
        config = read_json(folder / name)
        for at in each(config.value, pattern):
            if isinstance(at.value, int):
                where = OtherPlace(config, Place(at.path))
                said.append((at.value, f"the `vocab_size` {at.value} of {name}", where))
    if last is None or not said or last[0] < max(size for size, *_ in said):
        return
    for file in files:
        found = ports_of(model, folder / file)
        logits = None if found is None else find(found.outputs, "logits")
        size = logits.type.shape[-1] if logits is not None and logits.type.shape else None
        if logits is not None and isinstance(size, int):
            said.insert(0, (size, f"the vocabulary of {file}, which is {size}", logits.at))
    size, of, other = max(said, key=lambda one: one[0])
    if last[0] >= size:
        words = f"token {last[0]} is not within {of}"
        report.say(R.other_value, last[1], words, other=("declared here", other), severity=Severity.WARNING)
