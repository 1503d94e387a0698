"""What the lint of a small clean file imports: start-up is most of its time (docs/cost-model.md).

IRLINT_UPDATE=1 writes the list again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rule_cases.texts import LIGHTNET, OPENVINO, SYMBOL, TVM_GRAPH

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests/golden/start-up.txt"
LISTING = (ROOT / "examples/glacier/mobilenetv2.txt").read_text(encoding="utf-8")
PARAM = (ROOT / "examples/ncnn/digits.param").read_text(encoding="utf-8")
EVERY = "every file"
FILES: dict[str, tuple[str, dict[str, bytes]]] = {  # each with what is next to it
    "a-symbol.json": (SYMBOL, {}),
    "tvm.json": (TVM_GRAPH, {}),
    "lightnet.json": (LIGHTNET, {}),
    "net.xml": (OPENVINO, {"net.bin": bytes(12)}),
    "listing.txt": (LISTING, {}),
    "net.param": (PARAM, {"net.bin": (ROOT / "examples/ncnn/digits.bin").read_bytes()}),
}
SHOW = "import sys; from irlint.cli import main; status = main(sys.argv[1:]); print(*sorted(sys.modules)); sys.exit(status)"


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The modules that irlint has imported once it has checked each file, without those that Python starts with.

    Of other packages only the names, as their modules differ from one Python to the next. Without `site`, which imports more
    where irlint is installed to be edited.
    """
    folder = tmp_path_factory.mktemp("files")
    started = set(run(folder, "-c", "import sys; print(*sys.modules)"))
    found = {}
    for name, (text, beside) in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
        for other, data in beside.items():
            (folder / other).write_bytes(data)
        modules = {m for m in run(folder, "-c", SHOW, name, "--isolated") if m not in started}
        found[name] = {m if m.startswith("irlint") else m.partition(".")[0] for m in modules if m[0] != "_"} - started
    if os.environ.get("IRLINT_UPDATE"):
        LIST.write_text(written(found), encoding="utf-8")
    return found


def run(folder: Path, *words: str) -> list[str]:
    """The words of the last line that Python prints."""
    packages = [path for path in sys.path if path.endswith("site-packages")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *packages])}
    command = [sys.executable, "-S", *words]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-1].split()


def written(found: dict[str, set[str]]) -> str:
    shared = set.intersection(*found.values())
    parts = {EVERY: shared, **{name: modules - shared for name, modules in found.items()}}
    return "\n".join("\n".join([f"# {name}", *sorted(modules), ""]) for name, modules in parts.items())


def listed(name: str) -> set[str]:
    parts = [part.split("\n") for part in LIST.read_text(encoding="utf-8").removeprefix("# ").split("\n# ")]
    return {line for head, *lines in parts if head in (EVERY, name) for line in lines if line}


@pytest.fixture(scope="module")
def brought(imported: object, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What the listed modules of Python itself import: it is not the same in every Python."""
    own = ", ".join(sorted(name for name in listed(EVERY) if not name.startswith("irlint")))
    return set(run(tmp_path_factory.mktemp("none"), "-c", f"import {own}, sys; print(*sys.modules)"))


@pytest.mark.parametrize("name", FILES)
def test_start_up_imports_nothing_new(name: str, imported: dict[str, set[str]], brought: set[str]) -> None:
    new = imported[name] - listed(name) - brought
    assert not new, f"the check of {name} now imports {', '.join(sorted(new))}; docs/cost-model.md says what that costs"
