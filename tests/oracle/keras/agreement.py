"""Shapes of layers next to those that Keras says: python -m oracle.keras.agreement FOLDER, with what oracle.keras.networks has written."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from irlint.engine import lint


def shapes_of(text: str) -> dict[str, list[Any]]:
    """Return the inferred shapes of the first output of each layer's call."""
    result = lint(text, "config.json")
    model = result.model
    assert model is not None
    print(*[f"  {one.code} {one.message[:150]}" for one in result.findings if one.severity > 1], sep="\n", end="")
    types = model.types
    return {node.name: [one.shape for one in types.outputs(model.graph, node)] for node in model.graph.nodes}


def main(folder: str) -> None:
    same = unknown = 0
    for path in sorted(Path(folder).glob("*.json")):
        found = shapes_of(path.read_text("utf-8"))
        for name, wanted in json.loads(path.with_suffix(".shapes").read_text("utf-8")).items():
            shape = (found.get(name) or [None])[0]
            if shape is None:
                unknown += 1
                print(path.stem, name, "unknown", wanted)
            elif len(shape) == len(wanted[0]) and all(
                a == b or (b is None and not isinstance(a, int)) for a, b in zip(shape, wanted[0], strict=True)
            ):
                same += 1
            else:
                print(path.stem, name, shape, wanted[0])
    print(same, "equal", unknown, "unknown")


if __name__ == "__main__":
    main(*sys.argv[1:])
