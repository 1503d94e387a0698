"""A short description of a file that is not a model."""

from __future__ import annotations

import re

from irlint.text.json.values import value_of
from irlint.text.others import other_format
from irlint.text.safe import brief, visible
from irlint.text.words import count

_MAGIC = (
    ("version https://git-lfs.github.com/spec/", "it is a Git LFS pointer; run `git lfs pull` to fetch the file"),
    ("PK\x03\x04", "it is a zip archive; extract its files first"),
    ("PK\x05\x06", "it is an empty zip archive"),
    ("\x1f\udc8b", "it is compressed with gzip; decompress it with `gzip -d`"),
    ("BZh", "it is compressed with bzip2; decompress it with `bzip2 -d`"),
    ("\udcfd7zXZ", "it is compressed with xz; decompress it with `xz -d`"),
    ("(\udcb5/\udcfd", "it is compressed with zstd; decompress it with `zstd -d`"),
    ("7z\udcbc\udcaf", "it is a 7z archive; extract its files first"),
    ("Rar!", "it is a RAR archive; extract its files first"),
    ("\udc89HDF\r\n", "it is an HDF5 file, such as Keras writes"),
    ("\udc93NUMPY", "it is a NumPy array (.npy)"),
    ("\udc89PNG", "it is a PNG image"),
    ("\x7fELF", "it is an ELF executable or library"),
    ("GGUF", "it is a GGUF model, which irlint does not check"),
    ("%PDF", "it is a PDF document"),
    ("#!", "it is a script"),
)
_CHECKPOINT = re.compile(r"(?s)PK\x03\x04.{26}[^/\0]{1,200}/data\.pkl")
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
    """Return whether a text is empty or contains only whitespace."""
    return not text or not (_SPACE.sub("", text[:100_000]) or text.strip())


def is_binary(text: str, share: float = 0.0) -> bool:
    """Return whether more than this share of the characters at the start of a text do not occur in text files."""
    head = text[:4096]
    return len(_CONTROL.findall(head)) > share * len(head)


def describe(text: str, name: str = "") -> str:
    """Return what a file seems to be, in a few words."""
    if not text:
        return "the file is empty"
    if is_blank(text):
        return "the file contains only whitespace"
    if (other := other_format(name, text)) is not None and not text.startswith(_MAGIC[0][0]):
        return f"it is {other.title}, which irlint does not check"
    if _CHECKPOINT.match(text):
        return "it is a PyTorch checkpoint; torch.onnx.export makes an ONNX model of the module"
    for magic, words in _MAGIC:
        if text.startswith(magic):
            return words
    for pattern, words in (
        (_PICKLE, "it is a Python pickle, such as PyTorch writes"),
        (_TFLITE, "it is a TFLite model, which irlint does not check"),
        (_SAFETENSORS, "it is a safetensors file: weights without a graph"),
        (_PROTOBUF, "it looks like protobuf, such as ONNX and TensorFlow write"),
    ):
        if pattern.match(text):
            return words
    if is_binary(text):
        return "it is a binary file"
    head = text[:65536].lstrip("\ufeff \t\r\n")
    if head[:1] == "<":
        return _markup(head)
    if head[:2] in ("{%", "{{", "{#"):
        return "it looks like a Jinja template"
    if head[:1] in ("{", "["):
        return _json(text)
    return "it is plain text"


def _markup(head: str) -> str:
    start = head[:200].lower()
    if start.startswith("<!doctype html") or "<html" in start:
        return "it is an HTML page, perhaps saved in place of the download"
    root = _XML_ROOT.match(head)
    if root is None:
        return "it is markup, but not valid XML"
    return f"it is XML with the root element `{visible(root[1])}`"


def _json(text: str) -> str:
    try:
        value = value_of(text)
    except ValueError:
        return "it looks like JSON, but is not valid"
    except RecursionError:
        return "it is JSON that is nested too deeply"
    if isinstance(value, list):
        return f"it is a JSON list with {count(len(value), 'element')}"
    if not value:
        return "it is an empty JSON object"
    keys = [f"`{brief(visible(key), 40)}`" for key in list(value)[:5]]
    return f"it is JSON with the key{'s' * (len(value) > 1)} {', '.join(keys)}{' ...' if len(value) > 5 else ''}"
