"""The process that validates: what it lacks is named, what it leaves is no loss, and nobody starts it without a schema."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from irlint.config.find import Configurations
from irlint.engine import lint
from irlint.user_schemas import process

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = {
    "jsonschema": ("a.schema.json", '{"type": "integer"}'),
    "lxml": ("a.xsd", '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"/></xs:schema>'),
}


def _irlint(folder: Path, *arguments: str, path: Path = ROOT) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(ROOT)])}
    command = [sys.executable, "-m", "irlint", *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("package", SCHEMAS)
def test_a_missing_package_is_named(package: str, tmp_path: Path) -> None:
    name, text = SCHEMAS[package]
    (tmp_path / "without").mkdir()
    (tmp_path / f"without/{package}.py").write_text(f"raise ModuleNotFoundError(name={package!r})")
    (tmp_path / name).write_text(text)
    (tmp_path / "irlint.yaml").write_text(json.dumps({"schemas": [{"schema": name, "files": "*.doc"}]}))
    (tmp_path / "x.doc").write_text("3")
    done = _irlint(tmp_path, "x.doc", path=tmp_path / "without")
    assert done.returncode == 2
    words = f"schema `{name}` requires {package}, which is not installed: pip install {package}"
    assert done.stderr == f"irlint: {tmp_path}/irlint.yaml:1:15: {words}\n"


def test_a_killed_process_is_started_again(tmp_path: Path) -> None:
    (tmp_path / "a.schema.json").write_text('{"type": "integer"}')
    (tmp_path / "irlint.yaml").write_text(json.dumps({"schemas": [{"schema": "a.schema.json", "files": "*.doc"}]}))
    path = str(tmp_path / "x.doc")
    settings = Configurations().of_folder(str(tmp_path)).settings(path)
    assert process._running is not None
    os.kill(process._running[1].pid, signal.SIGKILL)
    process._running[1].wait()
    assert [f.name for f in lint('"x"', path, settings).findings] == ["user-schema"]


SHOW = "import sys; from irlint.cli import main; status = main(sys.argv[1:]); print(*sorted(sys.modules)); sys.exit(status)"


def test_nothing_is_imported_without_a_schema(tmp_path: Path) -> None:
    (tmp_path / "irlint.yaml").write_text("rules: []\n")
    (tmp_path / "a-symbol.json").write_bytes((ROOT / "examples/nnvm/lenet-symbol.json").read_bytes())
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SHOW, "a-symbol.json", "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=True)
    modules = done.stdout.splitlines()[-1].split()
    assert not [
        m for m in modules if m.startswith(("irlint.user_schemas", "jsonschema", "lxml", "referencing", "subprocess"))
    ]
