"""The runtimes that a project says it uses: releases that its files of requirements, and images, name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from irlint.files.read import Unreadable, read
from irlint.records import NamedTuple

_FILES = ("requirements.txt", "requirements.in", "pyproject.toml", "setup.cfg", "environment.yml", "environment.yaml")
_IMAGES = ("Dockerfile", "Containerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml")
_MOST = 1 << 18  # bytes of a file that are read
# The package, or the image, that brings each runtime
_PACKAGES = {
    "onnxruntime": "onnxruntime", "onnxruntime-gpu": "onnxruntime", "onnxruntime-directml": "onnxruntime",
    "onnxruntime-openvino": "onnxruntime", "openvino": "openvino", "tensorrt": "tensorrt", "tensorrt-cu12": "tensorrt",
    "mxnet": "mxnet", "mxnet-cu112": "mxnet", "ncnn": "ncnn", "opencv-python": "opencv", "opencv-python-headless": "opencv",
}  # fmt: skip
_SERVERS = {
    "openvino/model_server": "openvino",
    "openvino/ubuntu20_runtime": "openvino",
    "openvino/ubuntu22_runtime": "openvino",
}
_REQUIRED = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z][\w-]{2,30})(?:\[[\w, -]{0,40}\])?[ \t]{0,4}(?:===?|~=|>=|=)"
    r"[ \t]{0,4}v?(?P<release>\d{1,8}(?:\.\d{1,8}){0,3})"
)
_IMAGE = re.compile(r"(?P<name>openvino/[a-z0-9_]{4,30}):(?P<release>\d{4}\.\d{1,2})")
_NCNN = re.compile(r"\d\.\d\.(\d{8})")  # the package's versions end in the release


class NamedRuntime(NamedTuple):
    """A target, and the file that names it."""

    name: str
    release: str
    file: str


def runtimes(folder: str) -> list[NamedRuntime]:
    """Return the releases of runtimes that files of a folder name, each runtime once: the first, as a file lists what it needs first."""
    found: dict[str, NamedRuntime] = {}
    for one in _named(folder):
        found.setdefault(one.name, one)
    return list(found.values())


def _named(folder: str) -> Iterator[NamedRuntime]:
    for file, pattern, names in (
        *((file, _REQUIRED, _PACKAGES) for file in _FILES),
        *((file, _IMAGE, _SERVERS) for file in _IMAGES),
    ):
        try:
            data = read(os.path.join(folder, file))
        except Unreadable:
            continue
        for line in data[:_MOST].decode("utf-8", "replace").split("\n"):
            for match in pattern.finditer(line.partition("#")[0][:1000]):
                name = names.get(match["name"].lower())
                if name is not None:
                    yield NamedRuntime(name, _release(match["release"]), file)


def _release(text: str) -> str:
    """Return the release of a version: its first two numbers, or the date in one of ncnn's."""
    dated = _NCNN.fullmatch(text)
    return dated[1] if dated else ".".join(text.split(".")[:2])
