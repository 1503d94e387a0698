"""The engine's own steps: what is recognised, what is wanted, how findings are located, and what a lint is told and tells."""

from __future__ import annotations

import gc
import re
from pathlib import Path

import pytest
from rule_cases.texts import LIGHTNET, OPENVINO, SYMBOL

from irlint.engine import Request, lint, lint_bytes, linted, linted_bytes, recognize
from irlint.findings import Severity
from irlint.rules.declared import DeclaredRule
from irlint.settings import Settings
from irlint.text.base import Span

MISSPELT = LIGHTNET.replace('"optype": "slice"', '"optype": "slise"', 1)
SAMPLES = {"lightnet": LIGHTNET, "nnvm": SYMBOL, "openvino": OPENVINO, "glacier": "0 null []\n1 relu [0]\n"}


def codes(text: str, settings: Settings = Settings(), **more: str) -> list[str]:
    return [finding.code for finding in lint(text, settings=settings, **more).findings]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_format_is_recognised_by_its_text_alone(name: str) -> None:
    ranked = recognize(SAMPLES[name], "model")
    assert ranked[0][0].name == name
    assert [seen.score for _, seen in ranked] == sorted((seen.score for _, seen in ranked), reverse=True)
    result = lint(SAMPLES[name], "model")
    assert (result.format, result.name) == (name, "model")
    assert result.why
    assert result.dialect in {dialect.name for dialect in ranked[0][0].dialects}
    assert result.model is not None
    assert result.model.dialect == result.dialect
    assert result.lines.text == SAMPLES[name]


def test_as_format_reads_a_file_as_what_it_was_said_to_be() -> None:
    assert [format_.name for format_, _ in recognize("{}", "a.json", "nnvm")] == ["nnvm"]
    ((_, seen),) = recognize("no model", "a", "openvino")
    assert (seen.score, seen.why) == (1, "the format was set explicitly")
    assert lint(SYMBOL, as_format="nnvm:tvm").dialect == "tvm"
    assert lint(SYMBOL, as_format="nnvm").dialect == "mxnet"
    assert lint("{", as_format="lightnet").format == "lightnet"
    assert lint('{"nodes": 1}', as_format="openvino").findings[0].code != "S012"


@pytest.mark.parametrize(
    ("text", "as_format", "message"),
    [
        ("hello\nworld", "", "not recognized as a supported model file: "),
        ('{"a": 1}\r\n', "", "not recognized as a supported model file: "),
        ("x" * 200, "", "not recognized as a supported model file: "),
        ("hello", "caffe", "not recognized as caffe: "),
    ],
)
def test_what_is_no_model_is_one_finding_on_the_first_line(text: str, as_format: str, message: str) -> None:
    result = lint(text, "a.bin", as_format=as_format or None)
    (finding,) = result.findings
    assert (finding.code, finding.name, finding.severity) == ("S012", "unrecognized-file", Severity.ERROR)
    assert finding.message == message + result.why
    assert finding.span == Span(0, min(len(text.splitlines()[0]), 80))
    assert (result.document, result.format, result.model, result.text, result.name) == (None, None, None, text, "a.bin")
    assert result.lines.text == text
    assert lint(text, "a.bin", Settings(ignore=("S012",)), as_format or None).findings == []
    milder = Settings(severities=(("S012", Severity.INFO),))
    assert lint(text, settings=milder).findings[0].severity is Severity.INFO


@pytest.mark.parametrize(
    ("select", "ignore", "found"),
    [
        (("ALL",), (), True),
        (("ALL",), ("ALL",), False),
        (("O",), (), True),
        (("o001",), (), True),
        (("S",), (), False),
        (("unknown-operator",), (), True),
        (("O",), ("O",), False),
        (("O00",), ("O",), True),
        (("O",), ("O001",), False),
        (("O001",), ("unknown-operator",), False),
        (("unknown-operator",), ("O001",), True),
        (("ALL", "O001"), ("O",), True),
        ((), (), False),
    ],
)
def test_the_longest_selector_decides_and_ignore_between_equals(
    select: tuple[str, ...], ignore: tuple[str, ...], found: bool
) -> None:
    settings = Settings(select=select, ignore=ignore)
    assert settings.wants("O001", "unknown-operator") == found
    assert ("O001" in codes(MISSPELT, settings)) == found
    assert not Settings(select=select, ignore=ignore, never=("O",)).wants("O001", "unknown-operator")
    assert Settings(select=select, ignore=ignore, never=("S",)).wants("O001", "unknown-operator") == found


def test_the_last_severity_that_fits_holds() -> None:
    said = (("ALL", Severity.INFO), ("O", Severity.WARNING), ("S", Severity.INFO))
    assert Settings(severities=said).severity_of("O001", "unknown-operator", Severity.ERROR) is Severity.WARNING
    assert Settings(severities=said[::-1]).severity_of("O001", "x", Severity.ERROR) is Severity.INFO
    assert Settings(severities=said[1:]).severity_of("A001", "x", Severity.ERROR) is Severity.ERROR
    (finding,) = lint(MISSPELT, settings=Settings(severities=said)).findings
    assert finding.severity is Severity.WARNING


def test_what_is_linted_alike_has_the_same_key() -> None:
    one = Settings(options={"nnvm": {"a": [1, {"b": 2}], "c": (3,)}, "x": 1})
    same = Settings(options={"x": 1, "nnvm": {"c": [3], "a": [1, {"b": 2}]}})
    assert one.key == same.key
    others = [
        Settings(),
        Settings(options={"x": 2}),
        Settings(shapes=False),
        Settings(never=("S",)),
        Settings(ignore=("S",)),
    ]
    assert len({one.key, *(other.key for other in others)}) == len(others) + 1


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (LIGHTNET.encode(), "utf-8"),
        (b"\xff\xfe" + LIGHTNET.encode("utf-16-le"), "utf-16-le"),
        (b"\xfe\xff" + LIGHTNET.encode("utf-16-be"), "utf-16-be"),
        (b"\xff\xfe\0\0" + LIGHTNET.encode("utf-32-le"), "utf-32-le"),
        (b"\0\0\xfe\xff" + LIGHTNET.encode("utf-32-be"), "utf-32-be"),
    ],
)
def test_bytes_are_decoded_and_come_back(data: bytes, encoding: str) -> None:
    result = lint_bytes(data, "a.json", as_format="lightnet")
    assert result.document is not None
    assert result.document.encoding == encoding
    assert result.document.encode() == data
    assert result.name == "a.json"
    assert bool(result.findings) == (encoding != "utf-8")


def test_a_finding_knows_its_place() -> None:
    (finding,) = lint(MISSPELT).findings
    assert MISSPELT[slice(*finding.span)] == '"slise"'
    assert finding.pointer.endswith("/optype")
    assert finding.node
    assert finding.fix is not None
    twice = LIGHTNET.replace('"name": ', '"name": "again", "name": ', 1)
    doubled = [f for f in lint(twice).findings if f.code == "S002"]
    assert [(r.message, twice[slice(*r.span)]) for r in doubled[0].related] == [("first defined here", '"name"')]
    assert doubled[0].pointer.endswith("/name")
    assert [f.span for f in lint(twice).findings] == sorted(f.span for f in lint(twice).findings)


def test_a_fix_of_what_is_not_whole_is_none() -> None:
    for size in range(len(MISSPELT) - 200, len(MISSPELT), 7):
        for finding in lint(MISSPELT[:size], as_format="lightnet").findings:
            for edit in finding.fix.edits if finding.fix else ():
                assert 0 <= edit.span.start <= edit.span.end <= size


def test_whoever_has_lost_interest_is_asked_between_the_steps() -> None:
    calls = 0

    def checkpoint() -> None:
        nonlocal calls
        calls += 1

    linted(LIGHTNET, Request(checkpoint=checkpoint))
    assert calls > 3
    for stop in range(1, calls + 1):
        left = stop

        def leave() -> None:
            nonlocal left
            left -= 1
            if not left:
                raise InterruptedError

        with pytest.raises(InterruptedError):
            linted(LIGHTNET, Request(checkpoint=leave))
        assert gc.isenabled()


def test_garbage_is_collected_afterwards_as_before() -> None:
    lint(LIGHTNET)
    assert gc.isenabled()
    gc.disable()
    try:
        lint(LIGHTNET)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_times_are_told_per_step() -> None:
    times: dict[str, float] = {}
    linted_bytes(LIGHTNET.encode(), Request(times=times))
    assert {"reading", "the format's own passes", "shapes"} <= times.keys()
    assert any(name[1:].isdigit() for name in times)
    assert all(0 <= seconds < 60 for seconds in times.values())
    assert linted(LIGHTNET, Request(settings=Settings(shapes=False), times=(fewer := {}))).findings == []
    assert "shapes" not in fewer


def test_shapes_only_if_wanted() -> None:
    dims = [match.start() for match in re.finditer("<dim>", OPENVINO)]
    changed = [OPENVINO[: at + 5] + "9" + OPENVINO[at + 5 :] for at in dims]
    assert any("D006" in codes(text) for text in changed)
    assert not any("D006" in codes(text, Settings(shapes=False)) for text in changed)


def test_rules_are_told_what_was_asked_for(tmp_path: Path) -> None:
    settings = Settings(targets=(("openvino", "2024.6"),), options={"openvino": {"a": 1}}, weights=tmp_path / "w.bin")
    model = lint(OPENVINO, settings=settings, path=tmp_path / "model.xml").model
    assert model is not None
    assert (model.targets, model.options) == ({"openvino": "2024.6"}, {"a": 1})
    assert (model.weights, model.path, model.format) == (tmp_path / "w.bin", tmp_path / "model.xml", "openvino")


def test_rules_of_a_configuration_take_part() -> None:
    rule = DeclaredRule("Z001", "no-slices", "we do without", Severity.WARNING, deny=("slice",))
    times: dict[str, float] = {}
    found = linted(LIGHTNET, Request(settings=Settings(declared=(rule,)), times=times)).findings
    assert {(f.code, f.name, f.severity) for f in found} == {("Z001", "no-slices", Severity.WARNING)}
    assert "Z001" in times


@pytest.mark.parametrize("name", SAMPLES)
def test_a_merge_conflict_is_the_only_finding(name: str) -> None:
    """Whatever the syntax, the two versions of a part are not one; text like the markers in a sound file is none of them."""
    lines = SAMPLES[name].splitlines(keepends=True)
    at = max(1, len(lines) // 2)
    both = "<<<<<<< HEAD\n", *lines[at : at + 1], "=======\n", *lines[at : at + 1], ">>>>>>> branch\n"
    text = "".join([*lines[:at], *both, *lines[at + 1 :]])
    (found,) = lint(text, "model", as_format=name).findings
    assert found.code == "S001"
    assert found.message == "merge conflict marker `<<<<<<<`; resolve the conflict"
    assert [text[slice(*related.span)] for related in found.related] == ["=======", ">>>>>>> branch"]
    if name != "openvino":  # to XML, the other markers are text
        (found,) = lint(text.replace("<<<<<<< HEAD\n", ""), "model", as_format=name).findings
        assert found.message == "merge conflict marker `=======`; resolve the conflict"


def test_text_like_a_conflict_is_not_one_where_the_syntax_is_sound() -> None:
    assert codes(OPENVINO.replace("<layers>", "<!--\n<<<<<<< HEAD\n=======\n>>>>>>> branch\n-->\n<layers>", 1)) == []
