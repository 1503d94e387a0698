"""Functions of the extension's TypeScript, run by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

EXTENSION = Path(__file__).parents[2] / "lsp" / "vscode"
ESBUILD = EXTENSION / "node_modules" / ".bin" / "esbuild"


def evaluated(module: str, expression: str, given: Any) -> Any:
    """Return the value of an expression, in which `code` is the module and `given` a value; skip where node is missing."""
    node = shutil.which("node")
    if node is None or not ESBUILD.exists():
        pytest.skip("node or esbuild is not installed (npm ci in lsp/vscode)")
    bundle = [ESBUILD, EXTENSION / "src" / module, "--bundle", "--format=iife", "--global-name=code"]
    script = subprocess.run(bundle, check=True, capture_output=True, text=True).stdout
    ask = f'const given = JSON.parse(require("fs").readFileSync(0, "utf8")); console.log(JSON.stringify({expression}));'
    run = [node, "-e", f"{script}\n{ask}"]
    done = subprocess.run(run, input=json.dumps(given), check=True, capture_output=True, text=True)
    return json.loads(done.stdout)
