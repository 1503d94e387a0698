"""Build models with random weights, a process for each: python build.py FOLDER [FAMILY|FAMILY/NAME ...].

Runs in the models' environment. What is there already, or has failed before, is not built again; remove it to try again.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import traceback
from pathlib import Path

import torchvision_ops
from cases import Built, Case
from families import NAMES
from workers import in_child, quiet_imports, wanted

MINUTES = 5
MEMORY = 14 << 30


def main() -> None:
    folder = Path(sys.argv[1])
    chosen = sys.argv[2:]
    quiet_imports()
    for family in NAMES:
        if not chosen or any(each.split("/")[0] == family for each in chosen):
            in_child(lambda family=family: build(family, folder, chosen), 4 * 3600, None)


def build(family: str, folder: Path, chosen: list[str]) -> None:
    """Build the models of a family; its library is imported once, before the processes part."""
    torchvision_ops.ensure()
    try:
        cases = list(importlib.import_module(f"families.{family}").cases())
    except Exception as error:
        print(f"{family}: not built: {error!r}", flush=True)
        return
    (folder / family).mkdir(parents=True, exist_ok=True)
    for case in cases:
        report = folder / family / f"{case.name}.built.json"
        if report.exists() or not wanted(f"{family}/{case.name}", chosen):
            continue
        started = time.monotonic()
        failed = in_child(lambda case=case: make(case, folder / family), MINUTES * 60, MEMORY)
        if failed:
            report.write_text(json.dumps({"failed": failed}))
        print(f"{family}/{case.name}: {failed or 'built'} ({time.monotonic() - started:.0f} s)", flush=True)


def make(case: Case, folder: Path) -> None:
    import openvino as ov
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    try:
        with torch.no_grad():
            made = case.make()
    except BaseException:
        raise RuntimeError("".join(traceback.format_exc().splitlines(keepends=True)[-3:])) from None
    parts = {case.name: made} if isinstance(made, Built) else {f"{case.name}_{key}": made[key] for key in made}
    for name, part in parts.items():
        ov.save_model(part.model, folder / f"{name}.xml", compress_to_fp16=part.half)
        shapes = part.shapes if isinstance(part.shapes, dict) else [list(shape) for shape in part.shapes]
        (folder / f"{name}.shapes.json").write_text(json.dumps(shapes))
    (folder / f"{case.name}.built.json").write_text(json.dumps({"models": list(parts)}))


if __name__ == "__main__":
    main()
