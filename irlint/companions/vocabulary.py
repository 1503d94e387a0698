"""Compares the tokens of a tokenizer with the vocabulary of the model that it is next to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path as FilePath
from typing import Any

from irlint.codes import R
from irlint.companions.demands import each, first
from irlint.companions.ports import find, ports_of
from irlint.companions.report import Report
from irlint.companions.tokenizer import largest_token, numbers_of, read_json
from irlint.files.side_files import file_source
from irlint.findings import OtherPlace, Severity
from irlint.graph import NOWHERE
from irlint.rules.base import Model
from irlint.text.base import Place

_SIZES = (("config.json", "vocab_size"), ("genai_config.json", "model/vocab_size"))
_SPECIAL = "bos_token|eos_token|unk_token|sep_token|pad_token|cls_token|mask_token"
_NAMED = (_SPECIAL, "additional_special_tokens|extra_special_tokens/*", "added_tokens_decoder/*")

_OUTSIDE = ("<image_soft_token>",)  # which models of text do not use: Gemma 3 is published so, with one token too many

_TOKENIZERS = ("openvino_tokenizer.xml", "openvino_detokenizer.xml")
_GENERATORS = re.compile(r"LMHeadModel$|For(?:CausalLM|ConditionalGeneration|SpeechSeq2Seq)$")

Room = tuple[int, str, OtherPlace]  # for tokens, whose it is, and where it is declared


def check_vocabulary(tree: Any, model: Model, folder: FilePath, files: Iterable[str], report: Report) -> None:
    """Report the last token of tokenizer.json if neither the models nor their configurations have it; fewer tokens may be those of a model
    whose vocabulary is padded."""
    last = largest_token(tree)
    room = None if last is None else _room(last[0], model, folder, files)
    is_known = last is not None and first(tree, "/".join(map(str, (*last[1][:-1], "content")))) in _OUTSIDE
    if last is not None and room is not None and not is_known:
        words = f"token {last[0]} is not within {room[1]}"
        report.say(R.other_value, last[1], words, other=("declared here", room[2]), severity=Severity.WARNING)


def check_special(tree: Any, model: Model, folder: FilePath, files: Iterable[str], report: Report) -> None:
    """Report the first token of tokenizer_config.json that is not in tokenizer.json, and for which the model has no room:
    transformers 5.24 appends such tokens to the vocabulary."""
    known = numbers_of(read_json(folder / "tokenizer.json").value)
    named = [at for pattern in _NAMED for at in (*each(tree, pattern), *each(tree, f"{pattern}/content"))]
    new = {at.value: at for at in reversed(named) if isinstance(at.value, str) and at.value not in known}
    added = list(reversed(new.values())) if known else []
    room = _room(len(known) + len(added) - 1, model, folder, files) if added else None
    if room is not None:
        at = added[max(room[0] - len(known), 0)]
        words = (
            f"token {at.value!r} is not in tokenizer.json; transformers appends it as {len(known) + added.index(at)}"
        )
        words = f"{words}, not within {room[1]}"
        report.say(R.other_value, at.path, words, other=("declared here", room[2]), severity=Severity.WARNING)


def check_tokenizers(tree: Mapping[str, Any], model: Model, folder: FilePath, report: Report) -> None:
    """Report a tokenizer for OpenVINO without the other one that a model that writes text needs, and a detokenizer with more tokens than
    the model; one with fewer may be that of a model whose vocabulary is padded."""
    names, said = file_source().names(folder), tree.get("vocab_size")
    there = [name for name in _TOKENIZERS if name in names]
    is_generator = bool(_GENERATORS.search(str(first(tree, "architectures/0"))))
    if len(there) == 1 and (is_generator or there[0] != _TOKENIZERS[0]):
        missing = next(name for name in _TOKENIZERS if name not in there)
        words = f"missing {missing}, which belongs to {there[0]}"
        report.say(R.missing_file, ("architectures",), words, severity=Severity.WARNING)
    size = (
        _decoded(model.opens(folder / _TOKENIZERS[1])) if model.opens is not None and _TOKENIZERS[1] in there else None
    )
    if isinstance(said, int) and size is not None and size > said:
        words = f"{_TOKENIZERS[1]} has {size} tokens, but the `vocab_size` is {said}"
        report.say(R.other_value, ("vocab_size",), words, severity=Severity.WARNING)


def _decoded(model: Model | None) -> int | None:
    """Return the number of tokens that a detokenizer knows."""
    nodes = model.graph.nodes if model is not None else []
    for node in nodes:
        source = node.inputs[1] if node.op == "VocabDecoder" and len(node.inputs) > 1 else NOWHERE
        values = nodes[source.node].outputs if source.node >= 0 else ()
        shape = values[0].type.shape if values else None
        if shape and isinstance(shape[0], int):
            return shape[0]
    return None


def _room(token: int, model: Model, folder: FilePath, files: Iterable[str]) -> Room | None:
    """Return the largest vocabulary of the models and their configurations if it does not have a token; None also if none is known."""
    said = list[Room]()
    for name, pattern in _SIZES:
        config = read_json(folder / name)
        for at in each(config.value, pattern):
            if isinstance(at.value, int):
                where = OtherPlace(config, Place(at.path))
                said.append((at.value, f"the `vocab_size` {at.value} of {name}", where))
    if not said or token < max(size for size, *_ in said):
        return None
    for file in files:
        found = ports_of(model, folder / file)
        logits = None if found is None else find(found.outputs, "logits")
        size = logits.type.shape[-1] if logits is not None and logits.type.shape else None
        if logits is not None and isinstance(size, int):
            said.insert(0, (size, f"the vocabulary of {file}, which is {size}", logits.at))
    largest = max(said, key=lambda one: one[0])
    return largest if token >= largest[0] else None
