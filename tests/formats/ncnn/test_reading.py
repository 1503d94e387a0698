"""The structure of .param files: counts, names, order, Split, and the fixes."""

from __future__ import annotations

import pytest
from rule_cases.texts import NETWORK, network

from irlint import engine
from irlint.fixes import fix
from irlint.settings import Settings
from irlint.text.base import Path, Place
from irlint.text.layers.document import LayerDocument

from .cases import CASES, SOUND


def lint(text: str) -> engine.Result:
    return engine.lint(text, "model.param")


@pytest.mark.parametrize("name", SOUND)
def test_what_the_runtime_reads_has_no_finding(name: str) -> None:
    result = lint(SOUND[name])
    assert (result.format, result.certain, result.findings) == ("ncnn", True, [])


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_found_at_its_word(name: str) -> None:
    case = CASES[name]
    found = [(f.code, case.text[f.span.start : f.span.end]) for f in lint(case.text).findings]
    assert found == case.found


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.fixed])
def test_safe_fixes(name: str) -> None:
    done = fix(CASES[name].text, lambda text: lint(text).findings)
    assert (done.text, done.findings) == (CASES[name].fixed, [])


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.fixed])
def test_safe_fixes_keep_line_ends(name: str) -> None:
    done = fix(CASES[name].text.replace("\n", "\r\n"), lambda text: lint(text).findings)
    assert done.text == (CASES[name].fixed or "").replace("\n", "\r\n")


def test_a_count_that_is_too_large_only_wastes_memory() -> None:
    (finding,) = lint(network(("5 6", "5 7"))).findings
    assert (finding.code, finding.severity.name) == ("T502", "INFO")


def test_a_constant_may_be_read_by_several_layers() -> None:
    rows = ["MemoryData a 0 1 a 0=4", "ReLU b 1 1 a b", "ReLU c 1 1 a c", "BinaryOp d 2 1 b c d 0=0"]
    text = "7767517\n4 4\n" + "\n".join(rows) + "\n"
    assert [f.code for f in engine.lint(text, "a.param", Settings(("R", "S", "T"))).findings] == []


def test_parts_of_a_layer_have_places() -> None:
    document = lint(NETWORK).document
    assert isinstance(document, LayerDocument)
    paths: dict[Path, str] = {
        ("magic",): "7767517",
        ("layers",): "5",
        (1, "op"): "Convolution",
        (1, "name"): "conv",
        (4, "inputs", 1): "conv_1",
        (4, "outputs", 0): "out",
        (1, "key", "6"): "6",
        (1, "value", "6"): "108",
    }
    for path, text in paths.items():
        assert document.value_at(path) == text
        assert document.place_at(document.span(Place(path)).start).path == path
