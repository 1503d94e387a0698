"""The wheel is complete: schemas, types and commands are in it, tests and examples are not."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 120  # seconds


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=LIMIT)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def irlint(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs what was unpacked, with the dependencies that the tests have."""
    env = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-m", "irlint", *arguments]
    return subprocess.run(command, cwd=site, env=env, capture_output=True, text=True, check=False, timeout=LIMIT)


def test_schemas_are_in_it(unpacked: Path) -> None:
    shown = irlint(unpacked, "schema").stdout.split()
    files = (path for path in (ROOT / "schemas").rglob("*") if path.suffix in (".json", ".xsd"))
    assert shown == sorted(path.relative_to(ROOT / "schemas").as_posix() for path in files)
    assert (unpacked / "irlint/schemas" / shown[0]).is_file()
    assert irlint(unpacked, "schema", "irlint-config").returncode == 0


def test_types_and_the_command_are_in_it(unpacked: Path) -> None:
    assert (unpacked / "irlint/py.typed").is_file()
    (points,) = unpacked.glob("*.dist-info/entry_points.txt")
    assert "irlint = irlint.cli:main" in points.read_text()


def test_nothing_else_is_in_it(unpacked: Path) -> None:
    assert {path.name for path in unpacked.iterdir() if path.suffix != ".dist-info"} <= {"irlint", "irlint_lsp"}


def test_it_works(unpacked: Path) -> None:
    (unpacked / "irlint.yaml").write_text("select: [R]\n")
    done = irlint(unpacked, str(ROOT / "examples/lightnet"), "--output-format", "concise")
    assert done.returncode == 1, done.stderr
    assert "R001" in done.stdout


def test_the_server_is_in_it(unpacked: Path) -> None:
    """`irlint server` needs nothing besides."""
    assert (unpacked / "irlint_lsp/main.py").is_file()
    assert "--stdio" in irlint(unpacked, "server", "--help").stdout


def test_a_wheel_of_the_source_package_is_the_same(unpacked: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build"]
    subprocess.run(
        [*build, "-t", "sdist", "-d", str(tmp_path)], cwd=ROOT, check=True, capture_output=True, timeout=LIMIT
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path / "source")
    (source,) = (tmp_path / "source").iterdir()
    subprocess.run(
        [*build, "-t", "wheel", "-d", str(tmp_path)], cwd=source, check=True, capture_output=True, timeout=LIMIT
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as found:
        names = {name for name in found.namelist() if ".dist-info/" not in name}
    ours = {p.relative_to(unpacked).as_posix() for p in unpacked.rglob("*") if p.is_file()}
    ours = {
        name for name in ours if ".dist-info/" not in name and "__pycache__" not in name and ".irlint_cache" not in name
    }
    assert names == ours - {"irlint.yaml"}
