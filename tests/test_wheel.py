"""Wheel and source package: all that belongs in them, nothing else, whatever lies in the tree that they are built in."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from irlint.cli.dispatch import commands, parser_of

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 120  # seconds
MOST = 2_100_000  # bytes of a source package
PACKED = {"irlint": "irlint", "lsp/irlint_lsp": "irlint_lsp", "schemas": "irlint/schemas"}
WORK = (".git", ".venv", ".oracle", "build", "dist", "node_modules", ".*_cache", "__pycache__", "mutants", "data")

# What make targets, editors and file managers leave behind
LITTER = (
    ".venv/lib/site.py",
    ".oracle/mxnet/lib.so",
    ".idea/workspace.xml",
    ".vscode/settings.json",
    "build/node/node_modules/ajv/index.js",
    "dist/irlint-0.0.1.tar.gz",
    "examples/.DS_Store",
    "irlint/.#api.py",
    "irlint/#api.py#",
    "irlint/.api.py.swp",
    "irlint/.ipynb_checkpoints/api.py",
    "irlint/__pycache__/api.cpython-399.pyc",
    "irlint/api.py.orig",
    "irlint/api.py~",
    "irlint/node_modules/x.js",
    "irlint/view/web/.main.js.swp",
    "lsp/irlint_lsp/.DS_Store",
    "lsp/vscode/bundled/libs/pygls/server.py",
    "lsp/vscode/irlint.vsix",
    "lsp/vscode/node_modules/typescript/lib.js",
    "schemas/.lightnet.schema.json.swp",
    "schemas/lightnet.schema.json~",
    "notes.txt",
)


def build(tree: Path, target: str) -> Path:
    """The wheel or sdist that the tree gives."""
    pytest.importorskip("hatchling")
    folder = tree.parent / f"{tree.name}-{target}"
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=tree, check=True, capture_output=True, timeout=LIMIT)
    (made,) = (path for path in folder.iterdir() if path.name != ".gitignore")
    return made


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree in the state that weeks of work leave it in."""
    copy = tmp_path_factory.mktemp("tree") / "irlint"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*WORK), symlinks=True)
    for name in LITTER:
        path = copy / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(os.urandom(100_000))
    return copy


@pytest.fixture(scope="module")
def wheel(tree: Path) -> Path:
    return build(tree, "wheel")


@pytest.fixture(scope="module")
def sdist(tree: Path) -> Path:
    return build(tree, "sdist")


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    site = wheel.parent.parent / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def irlint(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs what was unpacked, with the dependencies that the tests have."""
    env = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-B", "-m", "irlint", *arguments]
    return subprocess.run(command, cwd=site, env=env, capture_output=True, text=True, check=False, timeout=LIMIT)


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    """Also those of a type that nobody thought of when pyproject.toml was written."""
    listed = subprocess.run(["git", "ls-files", *PACKED], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git repository")
    expected = {
        re.sub(rf"^{folder}/", f"{place}/", name)
        for name in listed.stdout.split()
        for folder, place in PACKED.items()
        if name.startswith(f"{folder}/") and (ROOT / name).exists()
    }
    assert expected - names_in(wheel) == set()


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    names = names_in(wheel)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"irlint", "irlint_lsp"}
    assert not [name for name in names if re.search(r"node_modules|pycache|/\.|~$|#|\.orig$", name)]


def test_the_source_package_is_small_and_without_litter(sdist: Path) -> None:
    assert sdist.stat().st_size <= MOST
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names.isdisjoint(LITTER)
    assert {name.partition("/")[0] for name in names} == {
        ".gitignore", "CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "irlint", "lsp", "packaging", "pyproject.toml", "schemas",
    }  # fmt: skip


def test_a_wheel_of_the_source_package_is_the_same(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source")
    (source,) = (tmp_path / "source").iterdir()
    other = build(source, "wheel")
    assert other.name == wheel.name
    with zipfile.ZipFile(wheel) as ours, zipfile.ZipFile(other) as theirs:
        assert ours.namelist() == theirs.namelist()
        assert [name for name in ours.namelist() if ours.read(name) != theirs.read(name)] == []
    assert other.read_bytes() == wheel.read_bytes()


def test_schemas_are_in_it(unpacked: Path) -> None:
    shown = irlint(unpacked, "schema").stdout.split()
    files = (path for path in (ROOT / "schemas").rglob("*") if path.suffix in (".json", ".xml", ".xsd"))
    assert shown == sorted(path.relative_to(ROOT / "schemas").as_posix() for path in files)
    assert irlint(unpacked, "schema", "irlint-config").returncode == 0


def test_types_and_the_command_are_in_it(unpacked: Path) -> None:
    assert (unpacked / "irlint/py.typed").is_file()
    (points,) = unpacked.glob("*.dist-info/entry_points.txt")
    assert "irlint = irlint.cli:main" in points.read_text()


def test_it_works(unpacked: Path) -> None:
    (unpacked / "irlint.yaml").write_text("select: [R]\n")
    done = irlint(unpacked, str(ROOT / "examples/lightnet"), "--output-format", "concise")
    assert done.returncode == 1, done.stderr
    assert "R001" in done.stdout


def test_the_server_is_in_it(unpacked: Path) -> None:
    """`irlint server` needs nothing besides."""
    assert (unpacked / "irlint_lsp/main.py").is_file()
    assert "--stdio" in irlint(unpacked, "server", "--help").stdout


@pytest.fixture(scope="module")
def man_page(unpacked: Path) -> Path:
    """Where `man irlint` finds it once the wheel is installed in an environment whose programs are on the path."""
    (page,) = unpacked.glob("*.data/data/share/man/man1/irlint.1")
    return page


def test_the_man_page_has_every_option_of_every_command(man_page: Path) -> None:
    text = man_page.read_text(encoding="utf-8").replace(r"\-", "-")
    for name in commands():
        for action in parser_of(name)._actions:
            missing = [option for option in action.option_strings if rf"\fB{option}\fR" not in text]
            assert set(missing) <= {"-h", "--help"}, name
    for status in range(4):
        assert re.search(rf"^  {status}  ", text, re.MULTILINE)


@pytest.mark.parametrize(
    "command",
    [("groff", "-man", "-Tutf8", "-ww", "-z"), ("mandoc", "-T", "lint", "-W", "warning"), ("man", "--warnings", "-l")],
    ids=lambda command: command[0],
)
def test_the_man_page_is_one(man_page: Path, command: tuple[str, ...]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} here")
    env = {**os.environ, "MANPAGER": "cat", "PAGER": "cat", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [*command, str(man_page)], env=env, capture_output=True, text=True, check=False, timeout=LIMIT
    )
    said = done.stdout + done.stderr if command[0] == "mandoc" else done.stderr
    assert [line for line in said.splitlines() if "missing date" not in line] == []
    assert command[0] != "man" or "Check model files" in done.stdout or "rule selection" in done.stdout


def test_pypi_shows_the_description(wheel: Path, sdist: Path) -> None:
    pytest.importorskip("twine", reason="twine is not installed (make packages)")
    command = [sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)
    assert done.returncode == 0, done.stdout
