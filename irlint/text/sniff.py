"""What a file that is no model seems to be, in a few words."""

from __future__ import annotations

import json
import re

from irlint.text.others import other_format
from irlint.text.safe import brief, visible

_MAGIC = (
    ("version https://git-lfs.github.com/spec/", "it is a Git LFS pointer; `git lfs pull` fetches the file itself"),
    ("PK\x03\x04", "it is a zip archive"),
    ("PK\x05\x06", "it is an empty zip archive"),
    ("\x1f\udc8b", "it is compressed with gzip"),
    ("BZh", "it is compressed with bzip2"),
    ("\udcfd7zXZ", "it is compressed with xz"),
    ("(\udcb5/\udcfd", "it is compressed with zstd"),
    ("7z\udcbc\udcaf", "it is a 7z archive"),
    ("Rar!", "it is a RAR archive"),
    ("\udc89HDF\r\n", "it is HDF5, as Keras writes it"),
    ("\udc93NUMPY", "it is a NumPy array (.npy)"),
    ("\udc89PNG", "it is a PNG picture"),
    ("\x7fELF", "it is a compiled program or library (ELF)"),
    ("GGUF", "it is a GGUF model, which irlint does not check"),
    ("%PDF", "it is a PDF document"),
    ("#!", "it is a script"),
)
_PICKLE = re.compile("\udc80[\x02-\x05]")
_TFLITE = re.compile(r"(?s).{4}TFL3")
_PROTOBUF = re.compile(
    "\x08[\x01-\x1f](?:\x12|\x1a|:|B)"
)  # a version number, then a text or a message: how ONNX begins
_SAFETENSORS = re.compile(r'(?s).{1,8}\{"__metadata__"|(?s:.{1,8})\{"[^"]{1,200}":\{"dtype"')
_XML_ROOT = re.compile(
    r"\s*(?:(?:<\?[^?]*(?:\?(?!>)[^?]*)*\?>|<!--[^-]*(?:-(?!->)[^-]*)*-->|<![A-Za-z][^>\[]*>)\s*)*<([\w.:-]{1,200})"
)
_CONTROL = re.compile("[\0-\x08\x0e-\x1a\x1c-\x1f\udc80-\udcff]")
_SPACE = re.compile(r"[\s\ufeff]+")


def is_blank(text: str) -> bool:
    """Whether there is nothing in a text, or nothing but blanks."""
    return not text or not (_SPACE.sub("", text[:100_000]) or text.strip())


def is_binary(text: str, share: float = 0.0) -> bool:
    """Whether more than this share of the characters at the beginning of a text are none that text has."""
    head = text[:4096]
    return len(_CONTROL.findall(head)) > share * len(head)


def describe(text: str, name: str = "") -> str:
    """A few words on what a file seems to be."""
    if not text:
        return "the file is empty"
    if is_blank(text):
        return "the file holds nothing but blanks"
    if (other := other_format(name, text)) is not None and not text.startswith(_MAGIC[0][0]):
        return f"it is {other.title}, which irlint does not check"
    for magic, words in _MAGIC:
        if text.startswith(magic):
            return words
    for pattern, words in (
        (_PICKLE, "it is a Python pickle, as PyTorch writes it"),
        (_TFLITE, "it is a TFLite model, which irlint does not check"),
        (_SAFETENSORS, "it is a safetensors file: weights without a graph"),
        (_PROTOBUF, "it looks like protobuf, as ONNX and TensorFlow write it"),
    ):
        if pattern.match(text):
            return words
    if is_binary(text):
        return "it is a binary file"
    head = text[:65536].lstrip("\ufeff \t\r\n")
    if head[:1] == "<":
        return _markup(head)
    if head[:1] in ("{", "["):
        return _json(text)
    return "it is plain text"


def _markup(head: str) -> str:
    start = head[:200].lower()
    if start.startswith("<!doctype html") or "<html" in start:
        return "it is an HTML page; perhaps the page of a download instead of the download"
    root = _XML_ROOT.match(head)
    if root is None:
        return "it is some kind of markup, but not readable XML"
    return f"it is XML with the root element `{visible(root[1])}`"


def _json(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return "it looks like JSON, but cannot be read to its end"
    except RecursionError:
        return "it is JSON, nested too deep to be read"
    if isinstance(value, list):
        return f"it is JSON, a list of {len(value)} element{'s' * (len(value) != 1)}"
    if not value:
        return "it is an empty JSON object"
    keys = [f"`{brief(visible(key), 40)}`" for key in list(value)[:5]]
    return f"it is JSON with the keys {', '.join(keys)}{' ...' if len(value) > 5 else ''}"
