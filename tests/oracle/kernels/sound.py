"""Keep the models that irlint finds no error in: python -m oracle.kernels.sound MODELS FILE.

A change of an attribute or an input may make a node wrong in a way that onnx's checker does not see, such as scales that no longer fit an
axis: what a runtime says of it shows nothing.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from irlint.codes import Severity
from irlint.engine import lint_bytes
from irlint.settings import Settings


def main(models: Path, path: Path) -> None:
    records = pickle.loads(models.read_bytes())
    kept = [record for record in records if is_sound(record[2])]
    path.write_bytes(pickle.dumps(kept))
    print(f"{len(kept):,} of {len(records):,} models")


def is_sound(data: bytes) -> bool:
    return not any(one.severity is Severity.ERROR for one in lint_bytes(data, "model.onnx", Settings()).findings)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
