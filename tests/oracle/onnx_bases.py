"""Small sound models to plant defects in: FOLDER/GROUP/NAME.onnx, its inputs in NAME.npz. Runs in the oracle's Python: python -m oracle.onnx_bases [GROUP...].

IRLINT_ONNX_BASES names the folder; without it, it is a temporary one, and printed. What is there is not built again. A base that no exporter or runtime
of this machine can make is skipped with a line on standard error. The groups in DRAWN have other models for each IRLINT_SEED: other architectures, sizes,
opsets and options of exporters.
"""

from __future__ import annotations

import importlib
import os
import random
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

LARGEST = 2_500_000  # bytes of a base that defects are planted in
LARGEST_DRAWN = 80_000_000  # bytes of a model that is only judged: no exporter's network is made smaller than its architecture allows
PATIENCE = 240  # seconds for one base
FOLDER = "IRLINT_ONNX_BASES"
SEED = "IRLINT_SEED"
GROUPS = ("own", "plain", "nodes", "sklearn", "tensorflow", "torch", "runtime")  # the last is made of the others
DRAWN = (
    "keras",
    "timm",
    "vision",
    "language",
    "decoders",
    "diffusers",
    "genai",
    "ultralytics",
    "pipelines",
    "derived",
)  # the last is made of the others

Builder = Callable[[Path], "dict[str, Any] | None"]  # writes the model and returns its inputs, if it knows them


def folder() -> Path:
    return Path(os.environ.get(FOLDER) or Path(tempfile.gettempdir()) / "irlint-onnx-bases").resolve()


def draws(name: str) -> random.Random:
    """The choices for one model, which depend on nothing but the seed and its name."""
    return random.Random(f"{os.environ.get(SEED) or 7} {name}")


def bases(root: Path) -> Iterator[Path]:
    """The models that defects are planted in: of exporters only what onnx's full check takes."""
    yield from exported(root, GROUPS)
    for path in exported(root):
        if path.stat().st_size <= LARGEST and _is_taken(path):
            yield path


def _is_taken(path: Path) -> bool:
    import onnx

    try:
        onnx.checker.check_model(str(path), full_check=True)
    except Exception:
        return False
    return True


def exported(root: Path, groups: Iterable[str] = DRAWN) -> Iterator[Path]:
    return (path for group in groups for path in sorted((root / group).rglob("*.onnx")))


def builders(root: Path, group: str) -> Iterator[tuple[str, Builder]]:
    try:
        module = importlib.import_module(f"oracle.onnx_bases_{group}")
    except ImportError as error:
        print(f"{group}: {error}", file=sys.stderr)
        return
    yield from module.builders(root)


def build(root: Path, group: str) -> None:
    for name, builder in builders(root, group):
        made(root / group / f"{name}.onnx", builder, LARGEST_DRAWN if group in DRAWN else LARGEST)


def made(path: Path, builder: Builder, largest: int, patience: int = PATIENCE) -> bool:
    """Build a model that is not there yet; without one, say why."""
    if path.exists():
        return True
    path.parent.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(patience)
    try:
        inputs = builder(path)
        _settle(path, inputs, largest)
    except Exception as error:
        path.unlink(missing_ok=True)
        why = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
        print(f"{path.parent.name}/{path.stem}: {why[:200]}", file=sys.stderr, flush=True)
    finally:
        signal.alarm(0)
    return path.exists()


def _late(*_: object) -> None:
    raise TimeoutError("too many seconds")


def _settle(path: Path, inputs: dict[str, Any] | None, largest: int) -> None:
    """Keep the model if it is small, with inputs that onnxruntime runs it with where it runs it at all."""
    import numpy as np

    from oracle.onnx_feeds import drawn

    if path.stat().st_size > largest:
        raise ValueError(f"{path.stat().st_size} bytes")
    feeds = inputs if inputs is not None else drawn(path)
    if feeds is not None:
        np.savez_compressed(path.with_suffix(".npz"), **feeds)


def main() -> None:
    root = folder()
    for group in sys.argv[1:] or GROUPS:
        build(root, group)
    print(root, sum(1 for _ in exported(root, (*GROUPS, *DRAWN))), "models")


if __name__ == "__main__":
    main()
