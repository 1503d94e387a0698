"""irlint's shapes and outputs against those of ncnn: python tests/oracle/ncnn_agreement.py FOLDER, which ncnn_networks.py has made.

Prints every blob on which they differ, and how many networks agree. A type of layer whose shape depends on data may have unknown dimensions.
"""

from __future__ import annotations

import base64
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import irlint

LIST = "networks.jsonl"
BY_DATA = {"DetectionOutput", "Proposal", "YoloDetectionOutput", "Yolov3DetectionOutput"}
TOLERANCE = 1e-3


class Difference(NamedTuple):
    path: Path
    line: int
    type: str
    blob: str
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.type} blob {self.blob!r}: irlint {self.ours}, ncnn {self.theirs}"


class Layer(NamedTuple):
    line: int
    type: str
    name: str
    inputs: list[str]
    outputs: list[str]


def layers(path: Path) -> Iterator[Layer]:
    """The layers of a file with one on each line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[2:], 3):
        if words := line.split():
            inputs, outputs = int(words[2]), int(words[3])
            yield Layer(number, words[0], words[1], words[4 : 4 + inputs], words[4 + inputs : 4 + inputs + outputs])


def rows(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for line in (folder / LIST).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield folder / row["path"], row


def shapes(path: Path, row: dict[str, Any]) -> Iterator[Difference]:
    """The first blobs whose shape is not the runtime's. Those that follow from data may be open, and so may what is computed from them."""
    listed = list(layers(path))
    inputs = [blob for layer in listed if layer.type == "Input" for blob in layer.outputs]
    model = irlint.load(path)
    try:
        found = irlint.infer(model, dict(zip(inputs, row["inputs"], strict=True)))
    except ValueError as error:
        yield Difference(path, 0, "", "", f"error: {error}", "runs")
        return
    theirs, open_, wrong = dict(row["shapes"]), set[str](), set[str]()
    for layer in listed:
        if layer.type in BY_DATA or open_.intersection(layer.inputs):
            open_.update(layer.outputs)
        for place, blob in enumerate(layer.outputs):
            types = found.get(layer.name, [])
            shape = types[place].shape if place < len(types) else None
            ours = None if shape is None else [dim if isinstance(dim, int) else None for dim in shape]
            if ours == theirs[blob] or (blob in open_ and (ours is None or None in ours)):
                continue
            wrong.add(blob)
            if not wrong.intersection(layer.inputs):
                yield Difference(path, layer.line, layer.type, blob, ours, theirs[blob])


def outputs(path: Path, row: dict[str, Any]) -> Iterator[Difference]:
    """Outputs that differ by more than the tolerance, relative to the largest value."""
    values = {name: numpy.frombuffer(base64.b64decode(data), dtype) for name, (dtype, data) in row["values"].items()}
    made = {blob: layer for layer in layers(path) for blob in layer.outputs}
    inputs = [blob for blob, layer in made.items() if layer.type == "Input"]
    feeds = {blob: values[blob].reshape(shape) for blob, shape in zip(inputs, row["inputs"], strict=True)}
    try:
        found = irlint.run(path, feeds)
    except (ValueError, NotImplementedError) as error:
        yield Difference(path, 0, "", "", f"{type(error).__name__}: {error}", "runs")
        return
    for blob, shape in row["outputs"].items():
        theirs, layer = values[blob].reshape(shape), made[blob]
        if blob not in found:
            yield Difference(path, layer.line, layer.type, blob, f"outputs {sorted(found)}", "an output")
        elif list(found[blob].shape) != shape:
            yield Difference(path, layer.line, layer.type, blob, list(found[blob].shape), shape)
        elif far := distance(found[blob], theirs):
            yield Difference(path, layer.line, layer.type, blob, f"differs by {far:.2g}", "")


def distance(ours: Any, theirs: Any) -> float:
    """0 if they agree; else the largest difference, relative to the largest value."""
    one, two = numpy.asarray(ours, numpy.float64), numpy.asarray(theirs, numpy.float64)
    if numpy.allclose(
        one, two, rtol=TOLERANCE, atol=TOLERANCE * max(1.0, float(numpy.abs(two).max(initial=0))), equal_nan=True
    ):
        return 0.0
    return float(
        numpy.nan_to_num(numpy.abs(one - two), nan=numpy.inf).max() / max(1.0, float(numpy.abs(two).max(initial=0)))
    )


def main() -> None:
    folder = Path(sys.argv[1])
    counts: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    for path, row in rows(folder):
        for kind, compare in (("shapes", shapes), ("outputs", outputs)):
            differences = list(compare(path, row))
            counts[f"{kind} agree"] += not differences
            for difference in differences:
                print(kind, difference)
                causes[f"{kind} {difference.type or difference.ours.partition(' at ')[0][:90]}"] += 1
        counts["networks"] += 1
    print(*(f"{count} {cause}" for cause, count in causes.most_common()), dict(counts), sep="\n")


if __name__ == "__main__":
    main()
