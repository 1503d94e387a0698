"""Everything but the dry run's values works where there is no NumPy, as in an interpreter that an editor brings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LINT_ALL = """
import sys
sys.modules["numpy"] = None
from irlint import engine
from irlint.rules import registry
for rule in registry.all_rules().values():
    for example in (*rule.valid, *rule.invalid):
        engine.lint(example.text, "model.xml" if "openvino" in example.format else "model.json", as_format=example.format)
"""


def test_every_example_is_linted_without_numpy() -> None:
    done = subprocess.run([sys.executable, "-c", LINT_ALL], cwd=ROOT, capture_output=True, text=True, timeout=170)
    assert done.returncode == 0, done.stderr
