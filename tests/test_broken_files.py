"""A broken file is checked nearly as fast as a sound one: what fixes and repairs cost together is bounded.

IRLINT_BROKEN_FILES=500 pytest tests/test_broken_files.py makes as many mutants of all formats; without it there are a few.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time

import pytest

from irlint import engine, offers
from irlint.formats.base import all_formats
from irlint.work import CHARACTERS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
from networks import lightnet, symbol, written

COUNT = int(os.environ.get("IRLINT_BROKEN_FILES", "28"))
START = 0.085  # seconds of the processor that the command takes before it looks at a file
SLOWER = 0.3  # seconds that a broken file may take longer than the sound one, on a machine with this pace:
PACE = 0.04  # seconds of `_pace`
TOKENS = re.compile(r"[A-Za-z_][\w.-]*|-?[0-9]+(?:\.[0-9]+)?|[^\s\w]")


def _ir(size: int) -> str:
    dims = "<dim>1</dim><dim>8</dim><dim>16</dim><dim>16</dim>"
    ports = [f'<port id="{k}" precision="FP32">{dims}</port>' for k in range(2)]
    data = '<data shape="1,8,16,16" element_type="f32"/>'
    rows = [f'<layer id="0" name="in" type="Parameter" version="opset1">{data}<output>{ports[0]}</output></layer>']
    for k in range(1, size):
        head = f'<layer id="{k}" name="relu{k}" type="ReLU" version="opset1">'
        rows.append(f"{head}<input>{ports[0]}</input><output>{ports[1]}</output></layer>")
    last = f'<layer id="{size}" name="out" type="Result" version="opset1"><input>{ports[0]}</input></layer>'
    edges = [f'<edge from-layer="{k}" from-port="{min(k, 1)}" to-layer="{k + 1}" to-port="0"/>' for k in range(size)]
    inner = "\n".join([*rows, last, "</layers><edges>", *edges])
    return f'<?xml version="1.0"?>\n<net name="a" version="11"><layers>\n{inner}\n</edges></net>\n'


def _onnx(size: int) -> str:
    weights = [f"   float[8,8,3,3] w{k},\n   float[8] b{k}" for k in range(size)]
    rows = []
    for k in range(size):
        rows.append(f"   [conv{k}] c{k} = Conv <pads: ints = [1, 1, 1, 1], strides: ints = [1, 1]> (r{k}, w{k}, b{k})")
        rows.append(f"   [relu{k}] r{k + 1} = Relu (c{k})")
    inputs = ",\n".join(["   float[1,8,16,16] r0", *weights])
    head = '<\n   ir_version: 8,\n   opset_import: ["" : 17]\n>\n'
    return f"{head}net (\n{inputs}\n) => (\n   float[1,8,16,16] r{size}\n) {{\n" + "\n".join(rows) + "\n}\n"


def _ncnn(size: int) -> str:
    rows = ["Input in 0 1 b0 0=16 1=16 2=8"]
    rows += [f"ReLU relu{k} 1 1 b{k} b{k + 1}" for k in range(size)]
    return f"7767517\n{len(rows)} {size + 1}\n" + "\n".join(rows) + "\n"


def _pnnx(size: int) -> str:
    shape = "(1,8,16,16)f32"
    rows = [f"pnnx.Input in 0 1 0 #0={shape}"]
    rows += [f"nn.ReLU relu{k} 1 1 {k} {k + 1} #{k}={shape} #{k + 1}={shape}" for k in range(size)]
    rows.append(f"pnnx.Output out 1 0 {size} #{size}={shape}")
    return f"7767517\n{len(rows)} {size + 1}\n" + "\n".join(rows) + "\n"


def _glacier(size: int) -> str:
    return "0 nn.pad ['image']\n" + "".join(f"{k} clip [{k - 1}]\n" for k in range(1, size))


def _keras(size: int) -> str:
    def layer(k: int) -> dict[str, object]:
        name, before = f"relu{k}", f"relu{k - 1}" if k else "image"
        history = {"shape": [None, 8], "dtype": "float32", "keras_history": [before, 0, 0]}
        called = [{"args": [{"class_name": "__keras_tensor__", "config": history}], "kwargs": {}}]
        return {**shared, "class_name": "ReLU", "config": {"name": name}, "name": name, "inbound_nodes": called}

    shared = {"module": "keras.layers", "registered_name": None}
    image = {"batch_shape": [None, 8], "dtype": "float32", "name": "image"}
    first = {**shared, "class_name": "InputLayer", "config": image, "name": "image", "inbound_nodes": []}
    ends = {"input_layers": [["image", 0, 0]], "output_layers": [[f"relu{size - 1}", 0, 0]]}
    config = {"name": "net", "trainable": True, "layers": [first, *map(layer, range(size))], **ends}
    head = {"module": "keras.src.models.functional", "class_name": "Functional", "registered_name": "Functional"}
    return json.dumps({**head, "config": config}, indent=1)


MODELS: dict[str, tuple[str, Callable[[int], str], int]] = {
    "openvino": ("a.xml", _ir, 400),
    "nnvm": ("a-symbol.json", lambda size: written(symbol(size)), 400),
    "lightnet": ("a.json", lambda size: json.dumps(lightnet(size), indent=1), 200),
    "onnx": ("a.onnxtxt", _onnx, 240),
    "ncnn": ("a.param", _ncnn, 3000),
    "pnnx": ("a.pnnx.param", _pnnx, 1000),
    "glacier": ("a.txt", _glacier, 3000),
    "keras": ("config.json", _keras, 200),
}


def _mutants(text: str, choose: random.Random) -> Iterator[str]:
    """Yield the text with one change: a number, a word, a sign or a line."""
    tokens = list(TOKENS.finditer(text))
    while True:
        match, other = choose.choice(tokens), choose.choice(tokens)
        start, end, word = *match.span(), match[0]
        kind = choose.randrange(4)
        if kind == 0:
            start, end = text.rfind("\n", 0, start) + 1, text.find("\n", end) + 1
            new = text[start:end] * choose.choice((0, 2))
        elif word[-1].isdigit() and kind < 3:
            new = choose.choice(("0", "-1", f"{word}0", str(choose.randrange(99))))
        elif word[0].isalpha():
            new = choose.choice((word[:-1], f"{word}x", other[0]))
        else:
            new = choose.choice(("", word * 2))
        if start < end and new != text[start:end]:
            yield text[:start] + new + text[end:]


def _seconds(text: str, name: str) -> float:
    began = process_time()
    result = engine.lint(text, name)
    offers.confirm(result)
    return process_time() - began


def _pace() -> float:
    """Return how long work of this kind takes here, at this moment: one machine of CI is three times as slow as another."""
    began = process_time()
    for k in range(40_000):
        f"{k} relu [1, 8, 16, 16] {k + 1}".partition(" ")
        TOKENS.findall("conv1 8,16 -0.5")
    return process_time() - began


def test_a_broken_file_is_nearly_as_fast_as_a_sound_one() -> None:
    assert MODELS.keys() == all_formats().keys() - {"toy"}
    ratios = []
    for name, (path, model, size) in MODELS.items():
        text = model(size)
        assert not engine.lint(text, path).findings
        sound = min(_seconds(text, path) for _ in range(3))
        slower = SLOWER * max(1.0, min(_pace() for _ in range(3)) / PACE)
        mutants = _mutants(text, random.Random(f"{COUNT} {name}"))
        for _ in range(COUNT // len(MODELS)):
            broken = next(mutants)
            spent = _seconds(broken, path)
            spent = min(spent, _seconds(broken, path)) if spent > sound + slower / 2 else spent
            assert spent < sound + slower, (name, broken)
            ratios.append((spent + START) / (sound + START))
    assert median(ratios) < 1.5


@pytest.mark.parametrize("name", MODELS)
def test_trials_of_fixes_and_of_repairs_share_one_budget(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word of a reference is wrong, once and in many places."""
    path, model, size = MODELS[name]
    text = model(size)
    linted: list[int] = []
    lint, original = engine.lint, engine.linted
    monkeypatch.setattr(engine, "linted", lambda text, request: linted.append(len(text)) or original(text, request))  # type: ignore[func-returns-value]
    cost = all_formats()[name].relint_cost
    choose = random.Random(name)
    for changes in (1, 1, 1, 1, 4, 40):
        broken = text
        for _ in range(changes):
            broken = next(_mutants(broken, choose))
        result = lint(broken, path)
        linted.clear()
        offers.confirm(result)
        due = 8 * cost * len(text)  # rounds that leave less, the setup of a search, the last attempts
        assert cost * sum(linted) <= CHARACTERS + due
