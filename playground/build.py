"""Build the playground: python playground/build.py NODE_MODULES OUTPUT."""

from __future__ import annotations

import base64
import gzip
import json
import os
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from irlint import engine
from irlint.view.page import viewer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
REQUIREMENT = "ruamel.yaml>=0.18"  # all that linting needs besides irlint
SCRIPTS = ("main.js", "worker.js", "graph.js")
COPIED = (HERE / "style.css", HERE / "graph.html", ROOT / "lsp/vscode/images/icon.svg")
LOADED = {"python": "pyodide.asm.wasm", "irlint": "python.pack"}  # most of what the page loads
PYODIDE = ("pyodide.asm.mjs", "pyodide.asm.wasm")
MODELS = {".xml": "openvino", ".json": "", ".txt": "glacier", ".param": "ncnn", ".onnx": "onnx", ".onnxtxt": "onnx"}
TOOLS = ("esbuild", "@esbuild", "@types", "axe-core")  # packages that do not end up in the page
FORMATS = ("onnx", "openvino", "nnvm", "lightnet", "ncnn", "pnnx", "glacier")


def main(modules: Path, output: Path) -> None:
    with TemporaryDirectory() as folder:
        made = Path(folder)
        _pack(modules, made)
        for path in COPIED:
            shutil.copy(path, made)
        for name in PYODIDE:
            shutil.copy(modules / "pyodide" / name, made)
        _scripts(modules, made)
        _without_packages(modules / "pyodide", made)
        script, style = viewer()
        (made / "viewer.js").write_text(script, encoding="utf-8")
        (made / "viewer.css").write_text(style, encoding="utf-8")
        (made / "licenses.txt").write_text(_licenses(modules), encoding="utf-8")
        (made / "examples.json").write_text(json.dumps(_examples(), separators=(",", ":")), encoding="utf-8")
        _assemble(made, output)
    _tell(output)


def _run(*command: str | Path, **environment: str | Path) -> None:
    variables = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    subprocess.run(list(map(str, command)), cwd=ROOT, env=variables, check=True)


def _pack(modules: Path, made: Path) -> None:
    """Write python.pack: irlint's wheel and what it needs, unpacked and compiled."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    with TemporaryDirectory() as folder:
        _run(*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT)
        _run(*pip, "download", "--no-deps", "--only-binary", ":all:", "--dest", folder, REQUIREMENT)
        shutil.copy(modules / "pyodide" / "python_stdlib.zip", folder)
        _run("node", HERE / "pack.mjs", modules, folder, made / "python.pack")


def _scripts(modules: Path, made: Path) -> None:
    """Bundle the page's scripts with what they import, and with the sizes of what the worker loads."""
    sizes = {part: (made / name).stat().st_size for part, name in LOADED.items()}
    options = [
        "--bundle",
        "--format=esm",
        "--minify",
        "--target=es2022",
        "--charset=utf8",
        "--log-level=warning",
        "--external:node:*",
        f"--define:SIZES={json.dumps(sizes)}",
    ]
    bundler = modules / ".bin" / "esbuild"
    _run(bundler, *options, f"--outdir={made}", *(HERE / name for name in SCRIPTS), NODE_PATH=modules)


def _without_packages(pyodide: Path, made: Path) -> None:
    """Write what Pyodide reads when it starts, without the packages that it could load from elsewhere."""
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    (made / "pyodide-lock.json").write_text(json.dumps({"info": lock["info"], "packages": {}}), encoding="utf-8")
    with zipfile.ZipFile(made / "python_stdlib.zip", "w"):
        pass  # Pyodide asks for one; python.pack has the modules


def _examples() -> list[dict[str, object]]:
    found = []
    for format_ in FORMATS:
        for path in sorted((ROOT / "examples" / format_).iterdir()):
            if path.suffix in MODELS:
                weights = [other for other in (path.with_suffix(".bin"),) if other.exists()]
                beside = {other.name: base64.b64encode(other.read_bytes()).decode() for other in weights}
                found.append({"format": format_, "name": path.name, **_content(path), "beside": beside})
    return sorted(found, key=lambda example: "mistakes" not in str(example["name"]))


def _content(path: Path) -> dict[str, str]:
    """Return the text of a model, and the bytes of one that is not text."""
    data = path.read_bytes()
    if (opened := engine.opened(data, path.name)) is None:
        return {"text": data.decode()}
    return {"text": opened.document.text, "data": base64.b64encode(data).decode()}


def _licenses(modules: Path) -> str:
    """Return the licenses of what others wrote and the page contains."""
    found = [
        "irlint: see https://irlint.readthedocs.io/\nPython: https://docs.python.org/3/license.html\nruamel.yaml: MIT"
    ]
    for path in sorted(modules.rglob("package.json")):
        package = json.loads(path.read_text("utf-8"))
        if (
            path.parent.name in TOOLS
            or path.parent.parent.name in TOOLS
            or "license" not in package
            or "version" not in package
        ):
            continue
        texts = [each.read_text("utf-8").strip() for each in sorted(path.parent.glob("LICEN[SC]E*"))]
        source = package.get("homepage") or f"https://www.npmjs.com/package/{package['name']}"
        found.append("\n\n".join([f"{package['name']} {package['version']}: {package['license']}, {source}", *texts]))
    return f"\n\n{'-' * 80}\n\n".join(found) + "\n"


def _assemble(made: Path, output: Path) -> None:
    """Put everything but the page into a folder that is named by its content: nothing cached is ever out of date."""
    files = sorted(path.name for path in made.iterdir())
    page, worker = ((HERE / name).read_text("utf-8") for name in ("index.html", "sw.js"))
    parts = [page.encode(), worker.encode(), *((made / name).read_bytes() for name in files)]
    version = sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()[:12]
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    shutil.copytree(made, output / version)
    (output / version).chmod(0o755)  # a temporary folder is for its owner only, a web server may be somebody else
    (output / "index.html").write_text(page.replace("VERSION", version), encoding="utf-8")
    head = f"const VERSION = {json.dumps(version)}, FILES = {json.dumps([f'{version}/{name}' for name in files])};\n"
    (output / "sw.js").write_text(head + worker, encoding="utf-8")


def _tell(output: Path) -> None:
    sizes = {path: path.stat().st_size for path in output.rglob("*") if path.is_file()}
    packed = sum(len(gzip.compress(path.read_bytes(), 6)) for path in sizes)
    print(f"{output}: {len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB, {packed / 1e6:.1f} MB with gzip")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
