"""Which other files of a folder contradict a file that is named: its companions, ensembles of servers, other parts of a model."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice

from irlint.companions import usual_names
from irlint.text.numbers import decimal

_MOST, _LARGEST = 64, 1 << 20  # files of a folder that are looked at, and bytes of one
_ENSEMBLE, _TOKENS = "config.pbtxt", "tokens.txt"
_PART = re.compile(r"encoder|decoder|joiner")  # of a transducer; which one it is, is all that differs in their names


def around(path: str) -> list[str]:
    """Return files that may be about the same model as a file: companions of the usual names in its folder and in the one above (or in
    those above the folder of a version), ensembles with it, and the parts of a transducer."""
    homes = _homes(os.path.dirname(path))
    found = [os.path.join(home, name) for home in homes for name in usual_names()]
    found = [name for name in found if os.path.isfile(name)]
    home = next((os.path.dirname(name) for name in found if os.path.basename(name) == _ENSEMBLE), None)
    found += [] if home is None else _ensembles(home)
    found += _parts(os.path.dirname(path), os.path.basename(path))
    own = os.path.abspath(path)
    return [name for name in dict.fromkeys(found) if os.path.abspath(name) != own]


def _homes(folder: str) -> list[str]:
    homes, is_version = [folder], decimal(os.path.basename(os.path.abspath(folder))) is not None
    for _ in range(3 if is_version else 1):
        above = os.path.normpath(os.path.join(homes[-1], os.pardir))
        homes.append("" if above == os.curdir else above)
    return homes


def _ensembles(home: str) -> Iterator[str]:
    """Yield the configurations next to that of a model which name it."""
    repository, name = os.path.join(home, os.pardir), os.path.basename(os.path.abspath(home))
    for other in islice(_names(repository), _MOST):
        file = os.path.normpath(os.path.join(repository, other, _ENSEMBLE))
        if other != name and f'"{name}"'.encode() in _content(file):
            yield file


def _parts(folder: str, name: str) -> Iterator[str]:
    """Yield the models that are parts of the same transducer as a model, or as its tokens."""
    alike = _PART.sub("", name) if name != _TOKENS else None
    if alike == name:
        return
    parts = (other for other in _names(folder) if other.endswith(".onnx"))
    fitting = (other for other in parts if alike is None or (_PART.search(other) and _PART.sub("", other) == alike))
    yield from (os.path.join(folder, other) for other in islice(fitting, _MOST // 8))


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or os.curdir))
    except OSError:
        return []


def _content(file: str) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read(_LARGEST)
    except OSError:
        return b""
