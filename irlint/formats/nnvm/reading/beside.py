"""Where the parameter file of a graph is, and the graphs of a parameter file: by the ecosystem's habits."""

from __future__ import annotations

import re
from pathlib import Path

from irlint.files.side_files import file_source
from irlint.rules.base import Model


def path_of(model: Model) -> Path | None:
    """Return the parameter file that the user names, or the one next to the model."""
    given = named(model)
    return Path(given) if given else beside(model.path) if model.path else None


def named(model: Model) -> Path | str | None:
    given: Path | str | None = model.weights or model.options.get("weights")
    return given


def beside(path: Path) -> Path | None:
    """PREFIX-NNNN.params of the highest epoch for PREFIX-symbol.json; the usual names of TVM's for a compiled graph."""
    stem = path.name.removesuffix(".json")
    if stem.endswith("-symbol"):
        epochs = re.compile(re.escape(stem.removesuffix("-symbol")) + r"-([0-9]{4,})\.params")
        names = file_source().names(path.parent, f"{stem.removesuffix('-symbol')}-")
        found = [(int(match[1]), name) for name in names if (match := epochs.fullmatch(name))]
        return path.parent / max(found)[1] if found else None
    bases = {stem, stem.replace("_graph", "_param"), stem.replace("_graph", "_params"), stem.replace("_graph", "")}
    for base in sorted(bases, key=len, reverse=True):
        if file_source().is_there(candidate := path.parent / f"{base}.params"):
            return candidate
    return None


def owners(path: Path) -> list[Path]:
    """The graphs whose parameters `beside` may take from a file."""
    stem = path.name.removesuffix(".params")
    if epoch := re.fullmatch(r"(.*)-[0-9]{4,}", stem):
        return [path.with_name(f"{epoch[1]}-symbol.json")]
    bases = (stem, f"{stem}_graph", stem.replace("_params", "_graph"), stem.replace("_param", "_graph"))
    return [path.with_name(f"{base}.json") for base in dict.fromkeys(bases)]
