"""One edit of a model file at a time, drawn from a seed: those that `irlint diff` must show, and those that mean nothing.

python tests/inspection/single_edits.py FILE... [--seed 7] [--count 40] prints the edits that were not shown, and those that changed several
nodes. An edit after which the file is refused counts as shown. What is never edited, because no reader keeps it: comments, blanks, keys
that a text format's reader mends, and the first of two equal keys.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import random
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from irlint.cli.model import model_for
from irlint.cli.status import Refused
from irlint.engine import lint_bytes
from irlint.formats.onnx.text.document import OnnxDocument
from irlint.formats.onnx.wire import MODEL
from irlint.formats.onnx.wire.writer import whole
from irlint.inspection.review.changes import differences
from irlint.inspection.review.difference import Difference
from irlint.settings import Settings

READING = Settings(select=("S", "T", "R"), shapes=True)


class OneEdit(NamedTuple):
    what: str
    data: bytes


def changed(draw: random.Random, value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + draw.choice((-1, 1, 7))
    if isinstance(value, float):
        return value + draw.choice((0.5, -1.25, 3.0))
    if isinstance(value, (bytes, memoryview)):
        data = bytearray(value)
        if not data:
            return b"x"
        data[draw.randrange(len(data))] ^= 0x41
        return bytes(data)
    if isinstance(value, str):
        return word(draw, value)
    return "x" if value is None else None


def word(draw: random.Random, text: str) -> str:
    numbers = [*re.finditer(r"\d+", text)]
    if numbers and draw.random() < 0.7:
        found = draw.choice(numbers)
        number = str(int(found[0][:15]) + draw.choice((1, 2, 5)))
        return text[: found.start()] + number + text[found.end() :]
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice("axz") + text[at:]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path
    for key, part in items or ():
        yield from leaves(part, (*path, key))


def put(value: Any, path: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Change a leaf in place, and return what it was and is."""
    for step in path[:-1]:
        value = value[step]
    was = value[path[-1]]
    value[path[-1]] = change(was)
    return was, value[path[-1]]


def edits_of_json(draw: random.Random, data: bytes) -> Iterator[OneEdit]:
    paths = [path for path in leaves(json.loads(data)) if path]
    while True:
        value, path = json.loads(data), draw.choice(paths)
        was, now = put(value, path, lambda old: changed(draw, old))
        yield OneEdit(f"{'/'.join(map(str, path))}: {was!r} -> {now!r}", json.dumps(value).encode())


def neutral_json(draw: random.Random, data: bytes) -> Iterator[OneEdit]:
    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            items = [(key, shuffled(part)) for key, part in value.items()]
            draw.shuffle(items)
            return dict(items)
        return [*map(shuffled, value)] if isinstance(value, list) else value

    value = json.loads(data)
    yield OneEdit("other blanks", json.dumps(value, indent=3).encode())
    yield OneEdit("other order of keys", json.dumps(shuffled(value)).encode())


def edits_of_xml(draw: random.Random, data: bytes) -> Iterator[OneEdit]:
    while True:
        root = ET.fromstring(data)
        places: list[tuple[ET.Element, str | None]] = [(e, key) for e in root.iter() for key in e.attrib]
        places += [(e, None) for e in root.iter() if e.text and e.text.strip()]
        element, key = draw.choice(places)
        was = element.text if key is None else element.attrib[key]
        now = word(draw, was or "")
        if key is None:
            element.text = now
        else:
            element.attrib[key] = now
        yield OneEdit(f"<{element.tag}> {key or 'text'}: {was!r} -> {now!r}", ET.tostring(root))


def neutral_xml(draw: random.Random, data: bytes) -> Iterator[OneEdit]:
    root = ET.fromstring(data)
    ET.indent(root, "\t\t")
    yield OneEdit("other blanks", ET.tostring(root))
    for element in root.iter():
        items = [*element.attrib.items()]
        draw.shuffle(items)
        element.attrib.clear()
        element.attrib.update(items)
    yield OneEdit("other order of attributes", ET.tostring(root))


def edits_of_words(draw: random.Random, data: bytes) -> Iterator[OneEdit]:
    text = data.decode()
    values = r"""(?<=: )[^\s{}\[]+""" if ": " in text and "{" in text else r"[^\s\[\],'=]+"
    found = [match for match in re.finditer(values, text) if not match[0].startswith("#")]
    while True:
        one = draw.choice(found)
        now = word(draw, one[0])
        line = text.count("\n", 0, one.start()) + 1
        yield OneEdit(f"line {line}: {one[0]!r} -> {now!r}", (text[: one.start()] + now + text[one.end() :]).encode())


def neutral_words(draw: random.Random, data: bytes) -> Iterator[OneEdit]:
    text = data.decode()
    yield OneEdit("a line end more", f"{text}\n".encode())
    if text.startswith("7767517"):
        yield OneEdit("other blanks", re.sub(r" +", lambda _: " " * draw.randint(1, 5), text).encode())


def tree_of(data: bytes, name: str) -> Any:
    model = lint_bytes(data, name, READING).model
    assert model is not None
    assert isinstance(model.document, OnnxDocument)
    return plain(model.document.tree)


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [*map(plain, value)]
    return bytes(value) if isinstance(value, memoryview) else value


def edits_of_onnx(draw: random.Random, data: bytes, name: str) -> Iterator[OneEdit]:
    tree = tree_of(data, name)
    paths = [*leaves(tree)]
    short = [path for path in paths if path[-2:-1] not in (("float_data",), ("int64_data",))] or paths
    while True:
        value, path = copy.deepcopy(tree), draw.choice(short)
        was, now = put(value, path, lambda old: changed(draw, old))
        yield OneEdit(f"{'/'.join(map(str, path))}: {was!r:.80} -> {now!r:.80}", whole(MODEL, value))


def kind_of(name: str, data: bytes) -> str:
    if name.endswith(".onnx"):
        return "onnx"
    if name.endswith(".xml"):
        return "xml"
    return "json" if data.lstrip()[:1] == b"{" and not name.endswith("l") else "words"


def edits(draw: random.Random, name: str, data: bytes) -> Iterator[OneEdit]:
    kind = kind_of(name, data)
    if kind == "onnx":
        return edits_of_onnx(draw, data, name)
    return {"json": edits_of_json, "xml": edits_of_xml, "words": edits_of_words}[kind](draw, data)


def neutral(draw: random.Random, name: str, data: bytes) -> Iterator[OneEdit]:
    kind = kind_of(name, data)
    made = {"json": neutral_json, "xml": neutral_xml, "words": neutral_words}.get(kind)
    if made is not None:
        yield from made(draw, data)
    else:
        yield OneEdit("written anew", whole(MODEL, tree_of(data, name)))


def compare(name: str, old: bytes, new: bytes, path: Path | None = None) -> Difference | None:
    """Return what differs; None if the second file is refused."""
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            models = [model_for("nodes", lint_bytes(data, name, READING, None, path)) for data in (old, new)]
        except Refused:
            return None
    return differences(models[0], models[1], weights=True)


class Judged(NamedTuple):
    """How many edits were shown, and how many made files that are refused; what is wrong; which edits changed several nodes."""

    shown: int
    refused: int
    wrong: list[str]
    several: list[str]


def judged(name: str, data: bytes, seed: int, count: int, path: Path | None = None) -> Judged:
    """Draw `count` edits, and those that mean nothing."""
    draw = random.Random(f"{name} {seed}")
    shown = refused = 0
    wrong: list[str] = []
    several: list[str] = []
    for _, edit in zip(range(count), edits(draw, name, data), strict=False):
        found = compare(name, data, edit.data, path)
        refused += found is None
        shown += found is not None and not found.is_empty
        if found is not None and len(found.changed) + len(found.added) + len(found.removed) > 1:
            several.append(f"{len(found.changed)} changed, {len(found.added)} added: {edit.what}")
        if found is not None and found.is_empty:
            wrong.append(f"not shown: {edit.what}")
    for edit in neutral(draw, name, data):
        found = compare(name, data, edit.data, path)
        if found is None or not found.is_empty:
            wrong.append(
                f"shown though it means nothing: {edit.what}: {(found and found.counted) or (found and found[:7])}"
            )
    return Judged(shown, refused, wrong, several)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    args = parser.parse_args()
    bad = 0
    for name in args.files:
        shown, refused, wrong, several = judged(name, Path(name).read_bytes(), args.seed, args.count, Path(name))
        bad += len(wrong)
        print(f"{name}: {shown} shown, {refused} refused, {len(wrong)} wrong, {len(several)} with several nodes")
        for line in (*wrong, *several):
            print(f"    {line:.300}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
