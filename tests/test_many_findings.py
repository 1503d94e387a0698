"""Very many findings in one file: a fix that they share is written once, and of one rule only the first are listed."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from io import StringIO

import pytest

from irlint import engine, steps
from irlint.cache.records import from_record, to_record
from irlint.codes import R
from irlint.findings import Problem
from irlint.fixes import fix
from irlint.formats.onnx import causes
from irlint.formats.onnx.text import places
from irlint.formats.onnx.wire import crowds
from irlint.report import FORMATS, write
from irlint.report.base import FileReport, locate
from irlint.report.objects import object_record, report_of
from irlint.text.base import Place
from tests.hostile.onnx_nodes import nodes
from tests.hostile.onnx_trees import as_json, binary, model, prototext

FORMS: dict[str, Callable[..., str | bytes]] = {"binary": binary, "json": as_json, "prototext": prototext}


def _result(text: str | bytes) -> engine.Result:
    return engine.lint_bytes(text if isinstance(text, bytes) else text.encode(), "model.onnx")


def _upside_down(size: int, form: str = "json") -> FileReport:
    """Return a report of many findings with one fix: what ONNX's table of causes makes one finding of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(causes, "ROWS", ())
        return locate(_result(FORMS[form](model(node=nodes(size)[::-1]))))


def _written(report: FileReport, form: str) -> str:
    stream = StringIO()
    write([report], form, stream)
    return stream.getvalue()


@pytest.mark.parametrize("form", FORMS)
def test_a_fix_of_many_findings_is_written_once(form: str) -> None:
    found = json.loads(_written(_upside_down(20, form), "json"))
    shared = [finding["fix"] for finding in found if finding["code"] == "R002"]
    assert len(shared) == 19
    assert {fix["id"] for fix in shared} == {1}
    assert [bool(fix["edits"]) for fix in shared] == [True] + 18 * [False]
    assert {(fix["safety"], fix["title"]) for fix in shared} == {("safe", "Sort nodes: move 19 nodes")}


def test_a_fix_of_one_finding_has_no_id() -> None:
    (found,) = json.loads(_written(locate(_result(as_json(model()).replace('"out"', '"outt"', 1))), "json"))
    assert found["fix"].keys() == {"safety", "title", "edits"}


@pytest.mark.parametrize("form", FORMATS)
def test_reports_grow_with_the_file(form: str) -> None:
    small, large = (len(_written(_upside_down(size), form)) for size in (100, 400))
    assert large < 4.3 * small


def test_what_is_stored_of_a_report_grows_with_the_file() -> None:
    def record(report: FileReport) -> object:
        return object_record("s3://a", "a", 1, None, report)

    for stored in (
        lambda report: json.dumps(to_record(report)),
        lambda report: json.dumps(record(report)),
        pickle.dumps,
    ):
        small, large = (len(stored(_upside_down(size))) for size in (100, 400))
        assert large < 4.3 * small


def test_records_keep_what_findings_share() -> None:
    report = _upside_down(20)
    record = json.loads(json.dumps(to_record(report)))
    assert from_record(record, report.name) == report
    assert _written(from_record(record, report.name), "json") == _written(report, "json")
    again = report_of(json.loads(json.dumps(object_record("s3://a", "a", 1, None, report))))
    assert [entry.finding.fix and len(entry.finding.fix.edits) for entry in again.entries] == 19 * [20]
    assert '"fixes"' in _written(again, "sarif")


# -- no more of one rule than anybody reads ----------------------------------------------------------------------------

_SHARED_NAME = 12  # nodes, of which all but one have the name of another


def _of_one_name() -> str:
    chain = nodes(_SHARED_NAME)
    for node in chain:
        node["name"] = "n"
    return as_json(model(node=chain))


def test_of_one_rule_the_first_findings_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST", 5)
    found = _result(_of_one_name()).findings
    assert {finding.code for finding in found} == {"G003"}
    assert len(found) == 6
    last = found[-1]
    assert last.message == f"{_SHARED_NAME - 6} more findings of this rule are not listed"
    assert (last.more, last.severity, last.fix) == (_SHARED_NAME - 6, found[0].severity, None)


def test_findings_that_are_not_listed_are_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = _of_one_name()
    monkeypatch.setattr(steps, "MOST", 5)
    fixed = fix(text, lambda changed: _result(changed).findings, unsafe=True)
    assert fixed.findings == []


def test_a_number_of_others_needs_one_that_is_listed() -> None:
    listed = steps.ListedProblems()
    problems = Problem(R.duplicate_name, Place(()), "duplicate")
    kept = list(listed.kept([problems] * (steps.MOST + 1)))
    assert len(kept) == steps.MOST
    assert [one.more for one in listed.rest(kept)] == [1]
    assert listed.rest([]) == []  # all had a cause that is reported instead


# -- parts that hold next to nothing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("key", ["node", "initializer", "input", "output", "sparse_initializer"])
def test_a_crowd_of_empty_parts_is_one_finding(key: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "MOST", 50)
    data = FORMS[form](model(**{key: [{} for _ in range(200)]}))
    result = _result(data)
    (found,) = result.findings
    assert found.code == "T002"
    assert found.message.startswith("200 ")
    assert found.message.endswith("hold next to nothing; nothing else in the file is checked")
    assert len(FORMS[form](model(**{key: [{} for _ in range(50)]}))) < len(data)
    if isinstance(data, bytes) and result.document is not None:
        with pytest.raises(ValueError, match="cannot be written"):
            result.document.encoded(result.document.text)


def test_few_empty_parts_are_reported_each() -> None:
    assert len(_result(binary(model(node=[{}, {}, {}]))).findings) > 3


def test_a_place_far_down_a_list_is_that_of_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [{"key": f"k{k}", "value": ""} for k in range(30)] + [{"key": "k29", "value": ""}]
    data = binary({**model(), "metadata_props": entries})
    (near,) = _result(data).findings
    monkeypatch.setattr(places, "_MOST", 20)
    (far,) = _result(data).findings
    assert (near.message, near.span.end - near.span.start) == (far.message, len('"k29"'))
    assert far.span.start < near.span.start < near.span.end <= far.span.end
