"""The files that the benchmarks read, in benchmarks/data: built when they are not there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from measure import environment
from networks import lightnet, symbol, written

HERE = Path(__file__).resolve().parent
DATA = HERE / "data"
VERSION = 2  # of what is written below; files of another are not looked at


def nnvm(nodes: int, kind: str = "nnvm") -> Path:
    """An MXNet symbol. Kinds: nnvm; declared (each variable says its shape); broken, declared-broken (a mistake in each fourth node)."""
    return _written(kind, nodes, f"{kind}{nodes}-symbol.json")


def lightnet_file(operators: int) -> Path:
    return _written("lightnet", operators, f"lightnet{operators}.json")


def _written(kind: str, size: int, name: str) -> Path:
    path = _folder() / name
    if not path.exists():
        _build(HERE / "networks.py", kind, str(size), str(path))
    return path


def layers(blocks: int) -> Path:
    """An IR of eight layers a block, Parameter and Result on top; the same network is beside it as .onnx."""
    path = _folder() / f"layers{8 * blocks + 2}.xml"
    if not path.exists():
        _build(HERE / "with_openvino.py", "large", str(blocks), str(path.with_suffix("")))
    return path


def network(name: str) -> Path:
    """ResNet-18 or MobileNetV2."""
    path = _folder() / f"{name}.xml"
    if not path.exists():
        _build(HERE / "with_openvino.py", "small", str(path.with_suffix("")))
    return path


def encoder(count: int) -> Path:
    """So many layers of an encoder with attention, as ONNX alone."""
    path = _folder() / f"encoder{count}.onnx"
    if not path.exists():
        _build(HERE / "with_onnx.py", str(count), str(path))
    return path


def models(count: int) -> Path:
    """A folder of so many symbols, LightNet files and IRs, of 10 to 300 nodes each."""
    folder = _folder() / f"models{count}"
    if folder.exists():
        return folder
    fresh = folder.with_name(f"{folder.name}.new")
    pattern = layers(20)
    xml, weights = pattern.read_bytes(), pattern.with_suffix(".bin").read_bytes()
    for number in range(count):
        inner = fresh / f"set{number // 50:02}"
        inner.mkdir(parents=True, exist_ok=True)
        size = 10 + number * 37 % 290
        if number % 3 == 0:
            (inner / f"net{number}-symbol.json").write_text(written(symbol(size, declares=bool(number % 2))))
        elif number % 3 == 1:
            (inner / f"net{number}.json").write_text(json.dumps(lightnet(size), indent=2))
        else:
            (inner / f"net{number}.xml").write_bytes(xml.replace(b'name="large"', f'name="net{number}"'.encode()))
            (inner / f"net{number}.bin").write_bytes(weights)
    fresh.rename(folder)
    return folder


def foreign(count: int) -> Path:
    """A folder of files such as a front end has: JSON and XML, and no model among them."""
    folder = _folder() / f"foreign{count}"
    if folder.exists():
        return folder
    fresh = folder.with_name(f"{folder.name}.new")
    package = {"name": "some", "version": "1.0.0", "dependencies": {f"dependency-{k}": "^1.0" for k in range(40)}}
    drawn = {
        "nodes": [{"id": k, "label": "x"} for k in range(400)],
        "edges": [{"from": k, "to": k + 1} for k in range(399)],
    }
    texts = [json.dumps(package, indent=2), json.dumps(drawn), "<project>" + "<item name='x'/>" * 300 + "</project>"]
    for number in range(count):
        inner = fresh / f"modules/package{number // 10}"
        inner.mkdir(parents=True, exist_ok=True)
        (inner / f"file{number % 10}{'.xml' if number % 3 == 2 else '.json'}").write_text(texts[number % 3])
    fresh.rename(folder)
    return folder


def _folder() -> Path:
    folder = DATA / f"v{VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _build(script: Path, *arguments: str) -> None:
    print(f"building {arguments[-1]}", file=sys.stderr)
    subprocess.run([sys.executable, str(script), *arguments], env=environment(), check=True, timeout=900)
