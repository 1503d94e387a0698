"""Which models of a folder a file there is about: a companion rarely says which one it means."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from pathlib import Path as FilePath

from irlint.files.side_files import file_source
from irlint.formats.base import HEAD_SIZE, LIKELY, Head, all_formats, extensions, is_claimed
from irlint.text.base import decode

_LOOKED = 32  # files of a folder whose beginnings are looked at
# What programs append to the name of a model for one with the same inputs and outputs: its precision, or how it was optimized
_WORDS = r"merged|quantized|optimized|simplified|o[1-4]|bnb4|q\d[a-z\d]*|q?u?int\d{1,2}|b?fp?\d{1,2}|avx\d[a-z\d]*|vnni|arm64|neon"
_VARIANT = rf"(?:[._-](?:{_WORDS}))*"
_STEM = re.compile(rf"([^.]+?){_VARIANT}(?:\..*)?", re.IGNORECASE)
_TOKENIZERS = re.compile(r"openvino_(?:de)?tokenizer\.xml")


def variants(part: str) -> re.Pattern[str]:
    """Return the names of files with a part of a model in ONNX or OpenVINO, as optimum and transformers.js write them."""
    return re.compile(rf"(?:openvino_)?{part}{_VARIANT}\.(?:onnx|xml)", re.IGNORECASE)


def models_in(folder: FilePath, homes: Sequence[str] = ("",), endings: Collection[str] = ()) -> list[str]:
    """Return the models of a folder, or of several folders in it, if they are all the same one or variants of it."""
    listed = sorted(
        os.path.join(home, name)
        for home in homes
        for name in file_source().names(folder / home)
        if FilePath(name).suffix.lower() in (endings or extensions()) and not _TOKENIZERS.fullmatch(name)
    )
    found = [name for name in listed[:_LOOKED] if is_claimed(name) or _looks_like_model(folder / name)]
    return found if len({_stem(os.path.basename(name)) for name in found}) == 1 else []


def _stem(name: str) -> str:
    match = _STEM.fullmatch(name)
    return match[1] if match else name


def _looks_like_model(path: FilePath) -> bool:
    """Return whether a format takes a file for its own by the beginning: extensions alone say little of JSON, XML and text."""
    state, data = file_source().open(path, None)
    if state != "open":
        return False
    head = Head(path.name, decode(bytes(data[:HEAD_SIZE]))[0], len(data) <= HEAD_SIZE)
    seen = (format_.recognize(head) for format_ in all_formats().values())
    return any(found is not None and found.score >= LIKELY for found in seen)
