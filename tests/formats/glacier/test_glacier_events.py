"""Events: what sessions may hold, and what is wrong in one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import irlint
from irlint import engine, fixes
from irlint.tools.installed import load_json


def event(id_: int | str, name: str = "abs", inputs: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    inputs = ([id_ - 1] if isinstance(id_, int) and id_ else ["x"]) if inputs is None else inputs
    return {"nodeID": id_, "name": name, "inputs": inputs, "duration": 0.5, "size": 16, "session": "s", **more}


def found(events: Any) -> list[tuple[str, str]]:
    """Code and token of each finding."""
    text = json.dumps(events, indent=1)
    return [(f.code, text[f.span.start : f.span.end]) for f in irlint.lint(text)]


CHAIN = [event(k) for k in range(6)]


def test_events_that_are_right() -> None:
    assert found(CHAIN) == []
    assert found({"session": "s", "events": CHAIN}) == []
    assert found({"sessions": ["s", "t"], "events": CHAIN}) == []
    assert found([*CHAIN, *(event(k, session="t") for k in range(6))]) == []
    assert found(list(reversed(CHAIN))) == []
    assert found([*CHAIN, event("x", "x", [], dtype="float32", shape=[2, 2])]) == []


def test_they_are_known_by_their_keys() -> None:
    result = engine.lint(json.dumps(CHAIN), "run.json")
    assert (result.format, result.dialect) == ("glacier", "events")
    for foreign in ('[{"id": 1}]', '{"nodes": [], "arg_nodes": []}', '{"nodeID": 1}', "[]", "{}"):
        assert engine.lint(foreign, "run.json").format != "glacier"


def changed(at: int, **more: Any) -> list[dict[str, Any]]:
    events = [dict(e) for e in CHAIN]
    events[at].update(more)
    return events


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (changed(2, name="asb"), ("O001", '"asb"')),
        (changed(2, nodeID=1), ("R005", "1")),
        (changed(2, inputs=[2]), ("R003", "2")),
        (changed(2, inputs=[4]), ("R002", "4")),
        (changed(2, inputs=[40]), ("R001", "40")),
        (changed(2, inputs=["1"]), ("T401", '"1"')),
        (changed(2, dtype="float32"), ("T402", '"dtype"')),
        (changed(2, shape=[1]), ("T402", '"shape"')),
        (changed(2, session="S"), ("R403", '"S"')),
        (changed(2, nodeID="2"), ("T401", '"2"')),
        (changed(2, nodeID=-2), ("T006", "-2")),
        (changed(2, nodeID=None), ("T001", "null")),
        (changed(2, inputs="1"), ("T001", '"1"')),
        (changed(2, duration=float("nan")), ("S003", "NaN")),
        (changed(5, nodeID=10**9), ("R404", "1000000000")),
        ({"session": "s", "events": changed(5, session="t")}, ("R403", '"t"')),
        ([*CHAIN[:2], *CHAIN[3:]], ("R404", "3")),
        ([*CHAIN, event("w", "w", [], dtype="float32", shape=[2, 3])], ("D401", "16")),
        ([*CHAIN, event("w", "w", [], dtype="int4", shape=[9], size=4)], ("D401", "4")),
    ],
)
def test_one_mistake_is_one_finding(events: Any, expected: tuple[str, str]) -> None:
    assert found(events) == [expected]


def test_what_cannot_be_read_has_no_consequences() -> None:
    for cut in (1, 20, 60):
        assert [f.code for f in irlint.lint(json.dumps(CHAIN)[:-cut])] == ["S016"]
    lines = [json.dumps(e) for e in CHAIN]
    assert [f.code for f in irlint.lint("\n".join([*lines[:3], "oops", *lines[3:]]))] == ["S001"]
    nameless = [{key: value for key, value in e.items() if (e["nodeID"], key) != (2, "name")} for e in CHAIN]
    assert [f.code for f in irlint.lint(json.dumps(nameless))] == ["T002"]


def test_a_whole_number_may_be_written_as_a_fraction() -> None:
    text = json.dumps(changed(2, nodeID=2.0, inputs=[1.0]))
    assert irlint.lint(text) == []
    assert len(irlint.load(text).graph.nodes) == 7


def test_ids_without_end() -> None:
    for id_ in (10**9, 10**18, 10**30):
        assert "R404" in {f.code for f in irlint.lint(json.dumps(changed(5, nodeID=id_)))} or id_ > 1 << 63


def test_a_negative_duration_is_found() -> None:
    assert found(changed(2, duration=-0.5)) == [("T006", "-0.5")]


def test_sizes_that_cannot_be_known_are_left_alone() -> None:
    for more in ({"dtype": "string", "shape": [3]}, {"dtype": "float32", "shape": [None]}, {"dtype": "float32"}):
        assert found([*CHAIN, event("w", "w", [], **more)]) == []


def test_the_two_schemas_say_the_same_of_an_event() -> None:
    single = load_json("glacier-event.schema.json")
    inside = load_json("glacier-events.schema.json")["$defs"]["event"]
    assert {key: value for key, value in single.items() if not key.startswith("$")} == inside


def test_the_examples() -> None:
    folder = Path(__file__).resolve().parents[3] / "examples" / "glacier"
    codes = {file.name: sorted(finding.code for finding in irlint.lint(file)) for file in folder.iterdir()}
    assert codes.pop("broken.txt") == ["O001", "R002", "R401", "S001"]
    assert len(codes) >= 2
    assert not any(codes.values()), codes


LINES = [json.dumps(e) for e in CHAIN]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n".join(LINES), None),
        ("\r".join(LINES), None),
        ("\r\n\r\n".join(LINES) + "\r\n", None),
        (",\n".join(LINES), ("S001", ",")),
        (",\n".join([*LINES, ""]), ("S001", ",")),
        (",".join(LINES), ("S001", ",")),
        ("".join(LINES), ("S001", "{")),
        (" ".join(LINES), ("S001", "{")),
        ("\n".join(json.dumps(e, indent=1) for e in CHAIN), ("S001", "{")),
        ("\n".join([LINES[0][:-1], *LINES[1:]]), ("S001", "{")),
        ("\n".join(LINES).replace('"nodeID": 0, ', ""), ("T002", "{")),
    ],
)
def test_events_that_follow_each_other_are_json_lines(text: str, expected: tuple[str, str] | None) -> None:
    """However their lines end; a wrong end of all lines is one finding, and repaired without losing an event."""
    result = engine.lint(text, "run.jsonl")
    assert [(f.code, text[f.span.start : f.span.end]) for f in result.findings] == ([expected] if expected else [])
    assert (result.format, result.dialect) == ("glacier", "events")
    if expected and expected[0] == "S001":
        repaired = fixes.fix(text, lambda changed: engine.lint(changed, "run.jsonl").findings, unsafe=True).text
        assert [json.loads(line) for line in repaired.splitlines() if line.strip()] == CHAIN


@pytest.mark.parametrize("key", ["nodeId", "node_id", "NODEID"])
def test_ids_under_another_key_are_events_all_the_same(key: str) -> None:
    for text in (json.dumps(CHAIN), json.dumps({"events": CHAIN}), "\n".join(LINES)):
        findings = irlint.lint(text.replace("nodeID", key))
        assert {f.code for f in findings} == {"T002"}
        assert all("`nodeID`" in f.message and key in f.message for f in findings)


def test_events_as_python_prints_them_are_one_finding() -> None:
    for text in (repr(CHAIN), repr([{**e, "value": None} for e in CHAIN]), "\n".join(map(repr, CHAIN))):
        result = engine.lint(text, "run.json")
        assert (result.format, result.dialect) == ("glacier", "events")
        quotes = [f for f in result.findings if f.code == "S001"]
        assert len(quotes) == 1
        assert quotes[0].fix is not None
        assert "Python" in quotes[0].message
    repaired = fixes.fix(repr(CHAIN), lambda changed: engine.lint(changed, "run.json").findings).text
    assert json.loads(repaired) == CHAIN


@pytest.mark.parametrize("mark", ["#", "//"])
def test_a_comment_above_events_hides_them_from_nobody(mark: str) -> None:
    for text in (json.dumps(CHAIN), "\n".join(LINES)):
        result = engine.lint(f"{mark} recorded on Monday\n{text}\n", "run.jsonl")
        assert (result.format, result.dialect, len(result.findings)) == ("glacier", "events", 1)


@pytest.mark.parametrize("key", ["id", "nId", "nodeId"])
def test_a_key_that_is_wrong_in_all_events_is_told_once(key: str) -> None:
    text = json.dumps(CHAIN).replace("nodeID", key)
    (finding,) = engine.lint(text, "run.json").findings
    assert (finding.code, text[finding.span.start : finding.span.end]) == ("T002", f'"{key}"')
    repaired = fixes.fix(text, lambda changed: engine.lint(changed, "run.json").findings, unsafe=True).text
    assert json.loads(repaired) == CHAIN


@pytest.mark.parametrize("dtype", ["float33", "flaot32", "f32"])
def test_element_types_that_nobody_knows(dtype: str) -> None:
    assert found([*CHAIN, event("w", "w", [], dtype=dtype, shape=[2, 3])]) == [("T006", f'"{dtype}"')]


@pytest.mark.parametrize("dtype", ["int12", "float32x4", "handle", "custom[posites2]32", "nf4", "complex64"])
def test_element_types_that_are_rare(dtype: str) -> None:
    found_ = found([*CHAIN, event("w", "w", [], dtype=dtype, shape=[2, 3])])
    assert [code for code, _ in found_ if code != "D401"] == []
