"""Mutants of configurations, and what irlint says of each next to Keras's verdict.

Usage, in tests/: python -m oracle.keras.mutants make FOLDER SEED COUNT FILE, then oracle.keras.judge FILE > VERDICTS by Keras's Python, then
python -m oracle.keras.mutants compare FILE VERDICTS.
"""

from __future__ import annotations

import copy
import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from irlint.engine import lint
from irlint.findings import Severity

Place = tuple[Any, Any]  # a container, and a key of it


def places(value: Any, wanted: Callable[[Any, Any], bool]) -> list[Place]:
    """Return the places in a tree whose key and value are wanted."""
    found: list[Place] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        for key, one in holder.items() if isinstance(holder, dict) else enumerate(holder):
            if wanted(key, one):
                found.append((holder, key))
            if isinstance(one, dict | list):
                waiting.append(one)
    return found


def _typo(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word))
    return (
        rng.choice(
            [
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
                word[:at] + rng.choice("aeiknrst") + word[at + 1 :],
            ]
        )
        or "x"
    )


def _renamed(rng: random.Random, holder: Any, key: Any) -> None:
    items = [(_typo(rng, one) if one == key else one, value) for one, value in holder.items()]
    holder.clear()
    holder.update(items)


ARGUMENTS = (
    "units",
    "filters",
    "kernel_size",
    "strides",
    "pool_size",
    "padding",
    "activation",
    "rate",
    "axis",
    "target_shape",
    "num_heads",
    "key_dim",
    "size",
    "dims",
    "n",
    "output_dim",
    "groups",
)


def mutate(value: Any, rng: random.Random) -> str:
    """Change a configuration in one place, and return how."""
    kinds: dict[str, Callable[[], bool]] = {
        "class": lambda: _write(rng, places(value, lambda k, v: k == "class_name" and isinstance(v, str) and v[:1] != "_"), lambda old: _typo(rng, old)),
        "module": lambda: _write(rng, places(value, lambda k, v: k == "module" and v == "keras.layers"), lambda old: _typo(rng, old)),
        "argument": lambda: _at(rng, places(value, lambda k, v: k in ARGUMENTS), lambda holder, key: _renamed(rng, holder, key)),
        "lost argument": lambda: _at(rng, places(value, lambda k, v: k in ARGUMENTS), lambda holder, key: holder.pop(key)),
        "lost key": lambda: _at(rng, places(value, lambda k, v: k in ("class_name", "config", "name", "inbound_nodes", "layers", "input_layers")), lambda holder, key: holder.pop(key)),
        "negative": lambda: _write(rng, places(value, lambda k, v: k in ARGUMENTS and type(v) is int), lambda old: -abs(old) - 1),
        "zero": lambda: _write(rng, places(value, lambda k, v: k in ARGUMENTS and type(v) is int), lambda old: 0),
        "text": lambda: _write(rng, places(value, lambda k, v: k in ARGUMENTS), lambda old: "three"),
        "list": lambda: _write(rng, places(value, lambda k, v: k in ARGUMENTS and isinstance(v, list)), lambda old: [*old, 1]),
        "word": lambda: _write(rng, places(value, lambda k, v: k in ("padding", "activation", "data_format", "dtype") and isinstance(v, str)), lambda old: _typo(rng, old)),
        "reference": lambda: _write(rng, _references(value), lambda old: [_typo(rng, old[0]), *old[1:]]),
        "call": lambda: _write(rng, _references(value), lambda old: [old[0], old[1] + 3, *old[2:]]),
        "output": lambda: _write(rng, _references(value), lambda old: [*old[:2], old[2] + 2, *old[3:]]),
        "twin": lambda: _twin(rng, value),
        "shape": lambda: _write(rng, places(value, lambda k, v: k in ("batch_shape", "batch_input_shape")), lambda old: [*old[:-1], (old[-1] or 1) + 1]),
        "rank": lambda: _write(rng, places(value, lambda k, v: k in ("batch_shape", "batch_input_shape")), lambda old: [*old, 3]),
        "size": lambda: _write(rng, places(value, lambda k, v: k in ("units", "filters", "kernel_size", "target_shape", "pool_size")), lambda old: [(n or 0) + 1 for n in old] if isinstance(old, list) else (old or 0) + 1),
        "layer": lambda: _at(rng, places(value, lambda k, v: isinstance(k, int) and isinstance(v, dict) and "inbound_nodes" in v), lambda holder, key: holder.pop(key)),
    }  # fmt: skip
    names = list(kinds)
    while True:
        name = rng.choice(names)
        if kinds[name]():
            return name


def _references(value: Any) -> list[Place]:
    return places(value, lambda k, v: isinstance(v, list) and [type(one) for one in v[:3]] == [str, int, int])


def _at(rng: random.Random, found: list[Place], change: Callable[[Any, Any], Any]) -> bool:
    if not found:
        return False
    change(*rng.choice(found))
    return True


def _write(rng: random.Random, found: list[Place], change: Callable[[Any], Any]) -> bool:
    def write(holder: Any, key: Any) -> None:
        holder[key] = change(holder[key])

    return _at(rng, found, write)


def _twin(rng: random.Random, value: Any) -> bool:
    layers = [
        holder[key]
        for holder, key in places(
            value, lambda k, v: isinstance(v, dict) and "inbound_nodes" in v and isinstance(v.get("config"), dict)
        )
    ]
    if len(layers) < 2:
        return False
    one, other = rng.sample(layers, 2)
    other["config"]["name"] = one["config"].get("name")
    return True


def make(folder: str, seed: str, count: str, file: str) -> None:
    rng = random.Random(f"keras/{seed}")
    bases = [json.loads(path.read_text("utf-8")) for path in sorted(Path(folder).glob("*.json"))]
    with open(file, "w", encoding="utf-8") as stream:
        for _ in range(int(count)):
            value = copy.deepcopy(rng.choice(bases))
            value["mutant"] = mutate(value, rng)
            stream.write(json.dumps(value) + "\n")


def compare(file: str, verdicts: str) -> None:
    texts, said = (Path(one).read_text("utf-8").split("\n") for one in (file, verdicts))
    figures, missed, false = Counter[str](), Counter[str](), list[str]()
    for k, (text, told) in enumerate(zip(texts, said, strict=False)):
        if not text or told == "late":
            continue
        kind = json.loads(text)["mutant"]
        said_of = [one for one in lint(text, "config.json").findings if one.severity >= Severity.WARNING]
        found = [one for one in said_of if one.severity == Severity.ERROR]
        is_refused = told != "ok"
        figures[
            f"{'refused' if is_refused else 'accepted'}, {'error' if found else 'warned' if said_of else 'silent'}"
        ] += 1
        if is_refused != bool(found):
            missed[f"{kind}: {'silent' if is_refused else 'false error'}"] += 1
            false.append(f"{k} {kind}: {told[:150]} | {[f'{one.code} {one.message[:90]}' for one in found[:2]]}")
    print(*false, sep="\n")
    print(dict(missed))
    print(dict(figures))


if __name__ == "__main__":
    {"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
