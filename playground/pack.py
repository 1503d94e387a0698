"""Write the archive of all Python files that the page needs. Runs in Pyodide, so that its own Python compiles them.

Pyodide's standard library is source code, and compiling it takes most of the time in which Pyodide starts. So the archive has compiled
modules, and only those that linting can reach.
"""

import ast
import gzip
import io
import sys
import tarfile
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

LIBRARY = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/"
SITE = f"{LIBRARY}site-packages/"
UNUSED = ("irlint/cli/", "irlint_lsp/", "site-packages/")  # of the wheels and of the standard library
# What modules of the standard library import for uses that a linter does not have.
CUT = (
    "_pyrepl",
    "bdb",
    "ctypes",
    "doctest",
    "email",
    "html.parser",
    "http",
    "multiprocessing",
    "pdb",
    "platform",
    "plistlib",
)
CUT += (
    "pydoc",
    "statistics",
    "sysconfig",
    "tarfile",
    "unittest",
    "urllib.error",
    "urllib.request",
    "xml.dom",
    "xml.etree",
    "xmlrpc",
)
CODECS = (
    "ascii",
    "cp437",
    "latin_1",
    "utf_8",
    "utf_8_sig",
    "utf_16",
    "utf_16_be",
    "utf_16_le",
    "utf_32",
    "utf_32_be",
    "utf_32_le",
)


def main(inputs: Path, output: Path, started: set[str]) -> None:
    """Pack the standard library and the wheels in a folder. `started` are the modules that Pyodide itself imports."""
    files: dict[str, bytes] = {}
    for archive in sorted(inputs.iterdir()):
        folder = LIBRARY if archive.name == "python_stdlib.zip" else SITE
        with zipfile.ZipFile(archive) as opened:
            files |= {folder + name: opened.read(name) for name in opened.namelist() if not name.startswith(UNUSED)}
    files[SITE + "glue.py"] = (inputs.parent / "glue.py").read_bytes()
    modules = {_module(path): path for path in files if path.endswith(".py")}
    roots = sorted(started)
    roots += [name for name, path in modules.items() if path.startswith(SITE)]
    roots += [f"encodings.{name}" for name in CODECS]
    needed = _reached(roots, modules, files, started)
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, data in sorted(files.items()):
            if path.endswith(".py") and _module(path) in needed:
                _add(tar, path, b"")  # rules are found by the files that are there
                _add(tar, _compiled(path), _bytecode(path, data))
            elif path.startswith(SITE) and not path.endswith((".py", "/RECORD")):
                _add(tar, path, data)
    output.write_bytes(gzip.compress(made.getvalue(), 9, mtime=0))


def _module(path: str) -> str:
    inner = path.removeprefix(SITE).removeprefix(LIBRARY).removesuffix(".py")
    return inner.replace("/", ".").removesuffix(".__init__")


def _reached(roots: list[str], modules: dict[str, str], files: dict[str, bytes], started: set[str]) -> set[str]:
    """Return the modules that others import, at their top or in a function."""
    found: set[str] = set()
    left = list(roots)
    while left:
        name = left.pop()
        if name in found or name not in modules or (name not in started and _is_cut(name)):
            continue
        found.add(name)
        left.append(name.rpartition(".")[0])
        left += _imports(modules[name], ast.parse(files[modules[name]]))
    return found


def _is_cut(name: str) -> bool:
    return any(name == cut or name.startswith(f"{cut}.") for cut in CUT)


def _imports(path: str, tree: ast.Module):
    package = _module(path) if path.endswith("/__init__.py") else _module(path).rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: package.count(".") + 2 - node.level] if node.level else []
            base = ".".join([*above, node.module] if node.module else above)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _compiled(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/__pycache__/{name.removesuffix('.py')}.{sys.implementation.cache_tag}.pyc"


def _bytecode(path: str, data: bytes) -> bytes:
    """Return a compiled module that Python takes without a look at its source."""
    is_ours = path.startswith(SITE)
    code = compile(data, f"/{path}", "exec", dont_inherit=True, optimize=0 if is_ours else 2)
    return _code_to_hash_pyc(code, bytes(8), checked=False)


def _add(tar: tarfile.TarFile, path: str, data: bytes) -> None:
    entry = tarfile.TarInfo(path)
    entry.size = len(data)
    tar.addfile(entry, io.BytesIO(data))
