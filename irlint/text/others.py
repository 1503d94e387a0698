"""Model files of unsupported formats, recognized by their names and first bytes."""

from __future__ import annotations

import os
import re

from irlint.records import NamedTuple
from irlint.tools import later

HEAD = 4096  # characters that decide

_LFS = "version https://git-lfs.github.com/spec/"  # its name is all there is of the file


class OtherFormat(NamedTuple):
    """One format. `title` is its name with an article; a file matches `begins` and has one of `words` in its head."""

    name: str
    title: str
    endings: tuple[str, ...]
    begins: re.Pattern[str]  # its bytes as `text.base.decode` reads them
    words: tuple[str, ...] = ("",)

    def fits(self, head: str) -> bool:
        return self.begins.match(head) is not None and any(word in head for word in self.words)


_OTHERS = (
    OtherFormat("TFLite", "a TFLite model", (".tflite",), later(r"(?s).{4,8}TFL3")),
    # a SavedModel of schema 1, or the first node of a frozen graph
    OtherFormat("TensorFlow", "a TensorFlow model", (".pb",), later(r"(?s)\x08\x01\x12|\n.{1,5}\n.[A-Za-z0-9.]")),
    OtherFormat("Keras", "a Keras model in HDF5", (".keras",), later(r"\udc89HDF\r\n")),
    OtherFormat("Keras", "a Keras model", (".h5", ".hdf5"), later(r"\udc89HDF\r\n"), ("keras_version", "layer_names")),
    OtherFormat("PyTorch", "a PyTorch model", (".pt", ".pth"), later(r"PK\x03\x04|\udc80[\x02-\x05]")),
    OtherFormat("ExecuTorch", "an ExecuTorch program", (".pte",), later(r"(?s).{4,8}ET[0-9]{2}")),
    OtherFormat(
        "safetensors", "a safetensors file: weights without a graph", (".safetensors",), later(r'(?s).{1,8}\{ *"')
    ),
    OtherFormat("GGUF", "a GGUF model", (".gguf",), later("GGUF")),
    OtherFormat("Paddle", "a Paddle model", (".pdmodel", "__model__"), later(r"\n"), ("feed", "fetch")),
    OtherFormat("Core ML", "a Core ML model", (".mlmodel",), later(r"\x08[\x01-\x1f]\x12")),
    OtherFormat("Caffe", "a Caffe model", (".prototxt",), later(""), ("layer {", "layer{", "layers {", "layers{")),
    OtherFormat("Caffe", "a Caffe model", (".caffemodel",), later(r"[\n\x12\udca2]")),
    OtherFormat("TensorRT", "a TensorRT engine", (".engine", ".plan", ".trt"), later("[pf]trt")),
    OtherFormat("MNN", "an MNN model", (".mnn",), later(r"(?s).\x00|[^\x00]{2}\x00\x00")),
    OtherFormat("RKNN", "an RKNN model", (".rknn",), later("RKNN")),
    OtherFormat("Ascend", "an Ascend offline model", (".om",), later("IMOD")),
)

ENDINGS = frozenset(ending for other in _OTHERS for ending in other.endings)


def ending(name: str) -> str:
    """Return a file's extension in small letters; its whole name if it has none."""
    return os.path.splitext(name)[1].lower() or os.path.basename(name)


def other_format(name: str, text: str) -> OtherFormat | None:
    """Return the format of a file by its name and the beginning of its text; None if they do not match."""
    end = ending(name)
    if end not in ENDINGS:
        return None
    head = text[:HEAD]
    fitting = (other for other in _OTHERS if end in other.endings and (head.startswith(_LFS) or other.fits(head)))
    return next(fitting, None)
