"""Finds the first release of OpenVINO that reads each type of each opset and each element type, with old wheels.

python releases.py FOLDER VERSION... installs the wheels below FOLDER, one environment each, asks each, and prints where
schemas/openvino-opsets.json differs; with --write it writes the element types and the types of opset 12 and later there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parents[3] / "schemas" / "openvino-opsets.json"
ELEMENT_TYPES = [
    *("f32", "f16", "bf16", "f64", "i4", "i8", "i16", "i32", "i64", "u1", "u2", "u3", "u4", "u6", "u8", "u16", "u32"),
    *("u64", "boolean", "string", "nf4", "f8e4m3", "f8e5m2", "f4e2m1", "f8e8m0"),
]
_OLDEST = 8  # the first opset whose types are asked for: the wheels that install today read all before it
# Blanks, as old readers recognize no file whose elements take less than 512 bytes.
_NET = '<?xml version="1.0"?><net name="n" version="11"><layers>' + " " * 600 + "{}</layers><edges>{}</edges></net>"
_LAYER = '<layer id="0" name="a" type="{}" version="{}">{}</layer>'
_END = '<layer id="1" name="r" type="Result" version="opset1"><input><port id="0"/></input></layer>'


def probe(pairs: list[list[str]]) -> None:
    """Print, with the openvino that is installed, which of the pairs (opset, type) and of the element types are read."""
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
    try:
        from openvino import Core
    except ImportError:
        from openvino.runtime import Core  # type: ignore[no-redef]
    core = Core()
    found: dict[str, list[Any]] = {"pairs": [], "element_types": []}
    for opset, type_ in pairs:
        layer = _LAYER.format(type_, opset, '<data/><output><port id="0" precision="FP32"/></output>')
        said = _refusal(core, layer)
        if "unsupported opset" not in said and "contain the operation" not in said:
            found["pairs"].append([opset, type_])
    for name in ELEMENT_TYPES:
        data = (
            f'<data shape="1" element_type="{name}"/><output><port id="0" precision="FP32"><dim>1</dim></port></output>'
        )
        if not _refusal(core, _LAYER.format("Parameter", "opset1", data)):
            found["element_types"].append(name)
    print(json.dumps(found))


def _refusal(core: Any, layer: str) -> str:
    """Return why a model of one layer is refused, as a child says, for some end the process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        text = _NET.format(layer + _END, '<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>')
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(text)
            file.flush()
            try:
                core.read_model(file.name)
            except Exception as error:
                os.write(writer, str(error)[-4000:].encode(errors="replace"))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    return said or ("ended" if status else "")


def environment(folder: Path, version: str) -> Path:
    """Return the Python of an environment with this openvino."""
    home = folder / version
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        pip = [str(python), "-m", "pip", "install", "-q", "--only-binary=:all:", f"openvino=={version}", "numpy<2"]
        subprocess.run(pip, check=True)
    return python


def short(version: str) -> str:
    return ".".join(version.split(".")[:2])


def main() -> None:
    folder, versions = Path(sys.argv[1]), [v for v in sys.argv[2:] if not v.startswith("-")]
    versions.sort(key=lambda v: [int(n) for n in v.split(".")])
    data = json.loads(TABLE.read_text())
    pairs = [
        [f"opset{k}", type_]
        for type_, runs in data["types"].items()
        for first, last, _ in runs
        for k in range(max(first, _OLDEST), last + 1)
    ]
    since: dict[str, dict[str, str]] = {}
    kinds: dict[str, str] = {}
    for number, version in enumerate(versions):
        command = [str(environment(folder, version)), __file__, "--probe"]
        done = subprocess.run(command, input=json.dumps(pairs), capture_output=True, text=True, check=True)
        found = json.loads(done.stdout.splitlines()[-1])
        for opset, type_ in found["pairs"]:
            since.setdefault(opset, {}).setdefault(type_, short(version) if number else "")
        for name in found["element_types"]:
            kinds.setdefault(name, short(version) if number else "")
        print(version, len(found["pairs"]), len(found["element_types"]), file=sys.stderr)
    compare(data, since, {name: release for name, release in kinds.items() if release})
    if "--write" in sys.argv:
        write(data)


def compare(data: dict[str, Any], since: dict[str, dict[str, str]], kinds: dict[str, str]) -> None:
    """Print every difference and put what was found into the table; the first release asked only shows what is older."""
    for opset, types in since.items():
        whole = data["releases"][opset]["complete"] or data["releases"][opset]["first"]
        own = data["since"].setdefault(opset, {})
        for type_, release in types.items():
            if release and own.get(type_, whole) != release:
                print(f"{type_} of {opset}: {own.get(type_, whole)} in the table, {release} measured")
                own[type_] = release
            if own.get(type_) == whole:
                del own[type_]
        data["since"][opset] = dict(sorted(own.items()))
    data["since"] = {opset: types for opset, types in data["since"].items() if types}
    for name, release in kinds.items():
        if data.get("element_types", {}).get(name) != release:
            print(f"{name}: {release} measured")
    data["element_types"] = {**data.get("element_types", {}), **kinds}


def write(data: dict[str, Any]) -> None:
    """Write the lines of the table that differ, a line for each key."""
    lines, keys = [], {"since": data["since"], "element_types": data["element_types"]}
    for line in TABLE.read_text().splitlines():
        key = line.partition(":")[0].strip('" ')
        if key == "element_types":
            continue
        lines.append(f'"{key}": {json.dumps(keys[key])},' if key in keys else line)
        if key == "since":
            lines.append(f'"element_types": {json.dumps(data["element_types"])},')
    TABLE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if "--probe" in sys.argv:
        probe(json.load(sys.stdin))
    else:
        main()
