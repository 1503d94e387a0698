"""What `make soak` does, for a few seconds, and that it notices what it is for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("memory is measured as POSIX has it", allow_module_level=True)
pytest.importorskip("pygls")

from fuzz import soak
from fuzz.soak import Row, Soak
from tests.hostile_families import Family


@pytest.fixture
def soaking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Soak:
    monkeypatch.setattr(soak, "OUT", tmp_path)
    return Soak(1)


def answering(
    monkeypatch: pytest.MonkeyPatch, made: Soak, seconds: float = 0.0, memory: float = 0.0, growth: float = 1.0
) -> None:
    """Let answers depend on the size: so much time and memory for each byte."""

    def ask(kind: str, name: str, path: str) -> dict[str, object]:
        size = Path(path).stat().st_size
        return {
            "seconds": seconds * size**growth,
            "memory": memory * size,
            "error": "Broken: it is" if kind == "harness" else None,
        }

    monkeypatch.setattr(made.worker, "ask", ask)


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ({"seconds": 1e-5}, "s of CPU time for"),
        ({"memory": 500.0}, "bytes of memory for each"),
        ({"seconds": 1e-10, "growth": 2}, "exponent 2.00"),
    ],
)
def test_excess_is_a_finding(
    soaking: Soak, monkeypatch: pytest.MonkeyPatch, cost: dict[str, float], words: str
) -> None:
    answering(monkeypatch, soaking, **cost)
    monkeypatch.setattr(soak, "FAMILIES", {"json blanks": Family("nnvm", lambda n: " " * n)})
    assert soaking.families(1) == 1
    (finding,) = soaking.findings
    assert (finding.where, words in finding.what) == ("json blanks", True)
    assert finding.file.read_bytes().isspace()


def test_what_costs_little_is_none(soaking: Soak, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, soaking, 1e-7, 100.0)
    soaking._family(next(iter(soak.FAMILIES)))
    assert soaking.findings == []


def test_a_broken_invariant_is_a_finding_with_its_file(soaking: Soak, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, soaking)
    (row,) = soaking.harnesses(["read_pnnx"], 0.05)
    assert row.inputs >= 1
    assert [finding.where for finding in soaking.findings] == ["read_pnnx"]
    assert soaking.findings[0].file.exists()


def test_the_worker_answers_and_its_death_is_an_answer(soaking: Soak, tmp_path: Path) -> None:
    file = tmp_path / "input"
    file.write_bytes(b"7767517\n")
    try:
        assert soaking.worker.ask("harness", "read_ncnn", str(file))["error"] is None
        assert soaking.worker.ask("family", "ncnn", str(file))["error"] is None
        assert "ended with" in soaking.worker.ask("harness", "read_ncnn", str(tmp_path / "gone"))["error"]
        assert soaking.worker.ask("harness", "read_ncnn", str(file))["error"] is None
    finally:
        soaking.worker.close()


def test_mutants_are_others_for_another_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "OUT", tmp_path)

    def some(seed: int) -> list[bytes]:
        stream = Soak(seed)._mutants("read_pnnx")
        return [next(stream) for _ in range(60)]

    assert some(1) == some(1) != some(2)


def test_figures_are_written_between_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"a\n{soak.BEGIN}old\n{soak.END}b\n", encoding="utf-8")
    monkeypatch.setattr(soak, "PAGE", page)
    soak.write(soak.figures(7, [Row("lsp", 3, 2.0, 0.5)], 9, []))
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"a\n{soak.BEGIN}\n| harness")
    assert text.endswith(f"0 findings.\n\n{soak.END}b\n")
    assert "old" not in text
