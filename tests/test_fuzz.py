"""What `make fuzz` demands of every input, of a few hundred: the seeds, mutants of them that are always the same, and what fell once."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("memory is measured as POSIX has it", allow_module_level=True)
pytest.importorskip("pygls")

from rule_cases.texts import SYMBOL

from fuzz.harnesses import harness, names
from fuzz.invariants import Broken, demand, forms
from fuzz.mutate import mutate
from fuzz.seeds import archives
from irlint import engine, fixes
from irlint.findings import Finding, Severity
from irlint.formats.base import all_formats
from irlint.text.base import Span

NAMES = names()
MUTANTS = {"lsp": 12}  # which begins with a new server each time
OVERWRITES = (
    '{"ops": [{"name": "a", "optype": "rearange", "tensors_in": [{"arg_name": "src", "name": "gone"}], "tensors_out": [{"arg_name": "dst",'
    ' "name": "x"}], "params": [{"arg_name": "start", "value": 0}, {"arg_name": "stop", "value": 4}, {"arg_name": "step", "value": 1}]},'
    ' {"name": "p", "optype": "print", "tensors_in": [{"arg_name": "src", "name": "gone"}], "tensors_out": [],'
    ' "params": [{"arg_name": "msg", "value": ""}]}]}'
)


def test_every_format_is_read_and_fixed() -> None:
    assert {f"{kind}_{name}" for kind in ("read", "fix") for name in all_formats()} <= {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_seeds_and_mutants(name: str) -> None:
    seeds = harness(name).seeds()
    choose = random.Random(name)
    for seed in seeds:
        harness(name).check(seed)
    for _ in range(MUTANTS.get(name, 60)):
        data = mutate(choose.choice(seeds), choose, seeds)
        try:
            harness(name).check(data)
        except Exception as error:
            pytest.fail(f"{error!r} of {data!r}")


@pytest.mark.parametrize("archive", archives()[4:6])
@pytest.mark.parametrize("kind", ["wts", "params", "npz"])
def test_damaged_archives(kind: str, archive: bytes) -> None:
    for at in (60, len(archive) // 3, len(archive) // 2, len(archive) - 20):
        harness(f"weights_{kind}").check(archive[:at] + b"\xff" * 9 + archive[at + 9 :])


def test_what_fell_once() -> None:
    harness("read_lightnet").check(OVERWRITES.encode())
    for form in forms("nnvm"):
        assert engine.lint(SYMBOL.replace("Activation", "_foreach"), as_format=form).findings


def test_a_broken_invariant_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A harness that cannot fail tests nothing."""
    with pytest.raises(Broken):
        demand(False, "")
    lint = engine.lint_bytes

    def beyond(data: bytes, *rest: Any, **more: Any) -> engine.Result:
        result = lint(data, *rest, **more)
        result.findings.append(Finding("S001", "syntax-error", Severity.ERROR, "", Span(0, len(data) + 1)))
        return result

    monkeypatch.setattr(engine, "lint_bytes", beyond)
    with pytest.raises(Broken, match="S001 at 0 to"):
        harness("read_lightnet").check(b"{}")
    monkeypatch.setattr(fixes, "compose", lambda first, second: [])
    with pytest.raises(Broken, match="do not lead to the text"):
        harness("fix_lightnet").check(OVERWRITES.replace("]}]}", "],}]}").encode())
