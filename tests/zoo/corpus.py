"""Folders of small models of all formats, some of them broken, as a hub of models has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rule_cases import cases

from irlint.formats.samples import file_name
from irlint.rules import registry

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"

Files = dict[str, bytes]


def sources() -> Iterator[tuple[str, Files]]:
    """Models with what is next to them: the name of the model, and all files by name."""
    for path in sorted(EXAMPLES.rglob("*")):
        if path.suffix in (".json", ".xml", ".param", ".txt", ".onnx") and path.stat().st_size < 200_000:
            beside = [path, *(path.parent / f"{path.stem}{end}" for end in (".bin", ".params"))]
            yield path.name, {file.name: file.read_bytes() for file in beside if file.exists()}
    for rule in registry.all_rules().values():
        for example in (case for case in cases(rule).valid if not case.name):
            name = f"model{Path(file_name(example.format)).suffix}"
            text = example.text.encode("utf-8", "surrogateescape")
            yield name, {name: text, **example.side_files}


def write(folder: Path, count: int) -> None:
    """Write `count` files or a few more: every twentieth model is cut in half, of every seventh the files next to it are missing."""
    models = list(sources())
    written = number = 0
    while written < count:
        name, files = models[number % len(models)]
        place = folder / f"{number // 50:03d}" / f"{number:05d}"
        place.mkdir(parents=True)
        for other, data in files.items():
            if other != name and number % 7 == 0:
                continue
            if number % 20 == 0 and other == name:
                data = data[: len(data) // 2]
            (place / other).write_bytes(data)
            written += 1
        number += 1
