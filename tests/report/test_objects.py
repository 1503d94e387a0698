"""Reports by objects: lines that can be read back, merged and surveyed, whoever wrote them."""

from __future__ import annotations

import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from zoo.linted import linted

from irlint.cli import main
from irlint.report.objects import line, parsed
from irlint.report.objects.files import BrokenReport, merged, records
from irlint.report.outputs.objects import write_objects
from irlint.report.survey.duplicates import Duplicates
from irlint.report.survey.rows import TableRows, Top
from irlint.report.survey.tally import Tally
from irlint.report.survey.trend import Trend
from irlint.tools.installed import load_json
from irlint.zoo.outcome import record_of

from .zoo_records import finding, record
from .zoo_records import records as made

ROOT = Path(__file__).resolve().parent.parent.parent
EVIL = "</script><script>alert(1)</script>\"'&\u202e\x1b[31m"
NAMES = ("a.json", "b.json")


def written(path: Path, *found: dict[str, Any]) -> str:
    path.write_text("".join(map(line, found)), encoding="utf-8")
    return str(path)


def model(url: str, *findings: dict[str, Any], **facts: Any) -> dict[str, Any]:
    return record(url, url.partition("//")[2].partition("/")[2], 100, '"1"', "onnx", findings=list(findings), **facts)


ERROR = finding("O001", "unknown-operator", "error", "unknown operator `Cnov`", 3, "conv")
WARNING = finding("A001", "unknown-attribute", "warning", "unknown attribute `pad`", 5)


def test_lines_of_a_store_satisfy_the_schema_and_survive_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    (tmp_path / "gone.xml").write_text("<net>", encoding="utf-8")
    found = [record_of(outcome) for url in ("examples", str(tmp_path)) for outcome in linted(url).values()]
    validator = jsonschema.Draft202012Validator(load_json("zoo-object.schema.json"))
    assert len(found) > 15
    for one in found:
        assert [error.message for error in validator.iter_errors(one)] == []
        assert parsed(line(one)) == one
        assert line(parsed(line(one))) == line(one)
        assert list(one) == load_json("zoo-object.schema.json")["required"]


def test_a_merge_is_the_run_that_was_shared(tmp_path: Path) -> None:
    whole = list(made(300))
    parts = [written(tmp_path / f"{k}.jsonl", *whole[k::3]) for k in range(3)]
    assert list(merged([records(path) for path in parts])) == whole


def test_the_last_report_has_the_last_word(tmp_path: Path) -> None:
    old, new = model("s3://b/m", ERROR), model("s3://b/m")
    other = model("s3://b/n", WARNING)
    paths = [written(tmp_path / name, *found) for name, found in (("1", [old, other]), ("2", [new]))]
    assert list(merged([records(path) for path in paths])) == [new, other]
    assert list(merged([records(path) for path in reversed(paths)])) == [old, other]
    replaced = record("s3://b/m", "m", 5, '"2"')  # by what is not a model
    paths[1] = written(tmp_path / "3", replaced)
    assert list(merged([records(path) for path in paths])) == [replaced, other]


GOOD = line(model("s3://b/m", ERROR))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"code": "R001", "message": "x"}', "2: a finding of `irlint check`; expected a report of `irlint zoo`"),
        ("{}", "2: missing key `url`"),
        ("[]", "2: expected a JSON object"),
        ('{"url": "s', "2: not valid JSON: Invalid control character at column 11"),
        (GOOD.replace("s3://b/m", "s3://b/l"), "2: not sorted: 's3://b/l' after 's3://b/m'; expected each URL once"),
        (GOOD, "2: not sorted: 's3://b/m' after 's3://b/m'"),
        (GOOD.replace("b/m", "b/n").replace('"size":100', '"size":"100"'), "2: expected a number or null for `size`"),
        (GOOD.replace("b/m", "b/n").replace('"size":100', '"size":-1'), "2: expected sizes from 0 to 2^62"),
        (GOOD.replace("b/m", "b/n").replace('"size":100', '"size":NaN'), "2: not valid JSON: `NaN`"),
        (
            GOOD.replace("b/m", "b/n").replace('"severity":"error"', '"severity":"fatal"'),
            "2: expected error, warning, info, pedantic for `severity`",
        ),
        (GOOD.replace("b/m", "b/n").replace('"model"', '"tree"'), "2: expected model, other, unread for `kind`"),
        (GOOD.replace("b/m", "b/n").replace('"line":3', '"line":true'), "2: expected a number for `line`"),
        ("[" * 100_000, "2: nested too deeply"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(f"{GOOD}{text}\n", encoding="utf-8")
    with pytest.raises(BrokenReport) as raised:
        list(records(str(path)))
    assert str(raised.value).startswith(f"{path}:{why}")


def test_a_report_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(BrokenReport, match="not UTF-8"):
        list(records(str(tmp_path / "r.jsonl")))
    with pytest.raises(BrokenReport, match=r"no\.jsonl: no such file"):
        list(records(str(tmp_path / "no.jsonl")))


# The command


def test_merge_exits_as_the_run_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = written(tmp_path / "1", model("s3://b/m", WARNING))
    two = written(tmp_path / "2", model("s3://b/n", ERROR))
    lost = written(tmp_path / "3", record("s3://b/x", "x", 9, None, trouble="access denied"))
    failed = written(tmp_path / "4", record("s3://b/y", "y", 9, None, failure="KeyError"))
    assert main(["merge", one]) == 0
    assert main(["merge", one, "--fail-on", "warning"]) == 1
    assert main(["merge", one, two]) == 1
    assert main(["merge", one, two, "--exit-zero"]) == 0
    assert main(["merge", two, lost, "--exit-zero"]) == 2
    assert main(["merge", lost, failed, "-q"]) == 3
    capsys.readouterr()
    assert main(["merge", two, one, "--output-format", "concise"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("s3://b/m:5:1: A001[unknown-attribute] warning: unknown attribute `pad`\ns3://b/n:3:1: O001")
    assert err == "irlint: 2 reports merged: 2 objects, 1 with errors\n"


def test_a_broken_report_leaves_the_output_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = written(tmp_path / "1", model("s3://b/m")), str(tmp_path / "2")
    Path(bad).write_text(line(model("s3://b/n")) + "oops\n", encoding="utf-8")
    assert main(["merge", good, bad, "-o", good]) == 2
    assert f"{bad}:2: not valid JSON" in capsys.readouterr().err
    assert list(records(good)) == [model("s3://b/m")]
    assert main(["merge", good, written(tmp_path / "3", model("s3://b/x")), "-o", good]) == 0
    assert [one["key"] for one in records(good)] == ["m", "x"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1", "2", "3"]


def test_since_is_verified_before_anything_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path / "1", model("s3://b/m"))
    assert main(["merge", good, "--since", good]) == 2
    assert "--since requires --output-format html" in capsys.readouterr().err
    assert main(["zoo", str(tmp_path), "--output-format", "html", "--since", str(tmp_path / "no")]) == 2
    assert "no such file" in capsys.readouterr().err


# The figures


def test_figures() -> None:
    tally = Tally()
    for one in (
        model("s3://b/a/x/1.onnx", ERROR, ERROR, WARNING, opset="17", producer="p"),
        model("s3://b/a/x/2.onnx", {**ERROR, "severity": "warning"}, opset="17"),
        model("s3://b/a/y/3.onnx"),
        record("s3://b/a/y/4.json", "a/y/4.json", 5, None),
        record("s3://b/c/5.onnx", "c/5.onnx", 5, None, trouble="access denied"),
        model("s3://b/d.onnx"),
    ):
        tally.add(one)
    tally.end()
    assert (tally.objects, tally.others, tally.unread.total, tally.size) == (6, 1, 1, 4 * (100 + 4096))
    assert tally.models.states == {"error": 1, "warning": 1, "info": 0, "clean": 2}
    assert tally.counts == {"error": 2, "warning": 2, "info": 0}
    rules = {key[0]: (list(row.models.values()), list(row.findings.values())) for key, row in tally.rules.items()}
    assert rules == {"O001": ([1, 1, 0], [2, 1, 0]), "A001": ([0, 1, 0], [0, 1, 0])}
    first, second = ([(name, group.models) for name, group in folders.top] for folders in tally.folders)
    assert first == [("s3://b/a/", 3), ("s3://b/", 1)]
    assert second == [("s3://b/a/x/", 2), ("s3://b/a/y/", 1), ("s3://b/", 1)]
    assert {key: group.models for key, group in tally.opsets.items()} == {("onnx", "17"): 2, ("onnx", ""): 2}
    assert [entry.url for entry in tally.worst] == ["s3://b/a/x/1.onnx", "s3://b/a/x/2.onnx"]


def test_duplicates() -> None:
    found = Duplicates()
    one, two, three = "1" * 32, "2" * 32, "3" * 32
    for key, graph, weights in (("a", one, one), ("b", one, one), ("c", one, two), ("d", two, two), ("e", None, None)):
        found.add(model(f"s3://b/{key}", graph=graph, weights=weights))
    for key in "fg":
        found.add({**model(f"s3://b/{key}"), "etag": f'"{"a" * 32}"'})
    for key, graph, weights in (("h", one, three), ("i", two, three), ("j", three, None), ("k", three, None)):
        found.add({**model(f"s3://b/{key}", graph=graph, weights=weights), "weights_size": 1023})  # equal by chance
    found.end()
    size = 100 + 4096  # with the weights next to it
    assert [(group.models, group.redundant, group.urls) for group in found.copies().shown] == [
        (2, size, ["s3://b/a", "s3://b/b"]),
        (2, size, ["s3://b/f", "s3://b/g"]),
    ]
    assert [(group.models, group.variants) for group in found.graphs().shown] == [(3, 2)]
    assert [(group.models, group.variants) for group in found.weights().shown] == [(2, 2)]
    found.close()


def test_the_largest_sizes_can_be_added() -> None:
    most = dict.fromkeys(("size", "side_size"), (1 << 62) - 1)
    twins = [{**model(f"s3://b/{key}", ERROR), "etag": "a" * 32, **most} for key in "ab"]
    assert "2 models" in page(*(parsed(line(twin)) for twin in twins))


def test_changes() -> None:
    moved = {**ERROR, "line": 99}
    trend = Trend()
    trend.add(model("s3://b/moved", moved), model("s3://b/moved", ERROR))
    trend.add(model("s3://b/worse", ERROR, moved, WARNING), model("s3://b/worse", ERROR))
    trend.add(model("s3://b/fixed"), model("s3://b/fixed", WARNING))
    trend.add(model("s3://b/new", WARNING), None)
    trend.add(None, model("s3://b/gone", ERROR))
    trend.add(record("s3://b/lost", "lost", 1, None, trouble="access denied"), model("s3://b/lost", ERROR))
    trend.add(record("s3://b/shut", "shut", 1, None, trouble="access denied"), None)
    trend.add(model("s3://b/grade", {**ERROR, "severity": "warning"}), model("s3://b/grade", ERROR))
    for now, then in ((1, None), (None, 1), (1, 1), (1, 2)):  # sizes of what is not a model
        trend.add(*(size and record("s3://b/x.json", "x.json", size, None) for size in (now, then)))
    assert (trend.new, trend.new_in_new) == ({"error": 1, "warning": 3, "info": 0}, 1)
    assert trend.fixed == {"error": 1, "warning": 1, "info": 0}
    assert (trend.added.total, trend.removed.total, trend.lost.total) == (2, 1, 1)
    assert (trend.same, trend.changed) == (4, 1)
    rules = {key[0]: (list(row.new.values()), list(row.fixed.values())) for key, row in trend.rules.items()}
    assert rules == {"O001": ([1, 1, 0], [1, 0, 0]), "A001": ([0, 2, 0], [0, 1, 0])}
    assert [(entry.url, number) for entry, number in trend.worse] == [("s3://b/worse", 2), ("s3://b/grade", 1)]


def test_collections_stay_small() -> None:
    rows: TableRows[int, list[int]] = TableRows(list, 3)
    top: Top[int] = Top(3)
    for number in range(1000):
        rows[number].append(number)
        top.add(number % 10, lambda number=number: number)  # type: ignore[misc]
    assert [key for key, _ in rows.items()] == [0, 1, 2]
    assert rows.rest is not None
    assert len(rows.rest) == 997
    assert (list(top), top.more) == ([9, 19, 29], 997)


def test_findings_that_are_alike_are_one_line() -> None:
    alike = [{**ERROR, "line": line, "message": f"unknown operator `Cnov` of 'conv{line}'"} for line in range(1, 20)]
    other = [{**WARNING, "message": f"{word} attribute `pad`"} for word in ("unknown", "odd", "strange")]
    text = page(model("s3://b/a/m.onnx", *other, *alike), model("s3://b/a/n.onnx"))
    assert text.count("unknown operator") == 1
    assert "and 18 more like this" in text
    assert "and 1 other finding<" in text


def test_copies_are_of_models() -> None:
    etag = f'"{"a" * 32}"'
    others = [record(f"s3://b/{key}/tokenizer.json", f"{key}/tokenizer.json", 1 << 30, etag) for key in "ab"]
    assert "redundant" not in page(*others, model("s3://b/c.onnx"))


def test_models_that_are_not_listed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irlint.report.survey.tally.WORST", 2)
    text = page(*(model(f"s3://b/{key}", *[ERROR] * (number // 2)) for number, key in enumerate("abcdefgh")))
    assert re.findall(r'<tr id="model=(\w)"', text) == ["g", "h"]
    assert "4 more models with fewer findings are in the JSON lines only" in text
    assert set(re.findall(r'href="#(model=\w)"', text)) <= {"model=g", "model=h"}


# The page


def page(*found: dict[str, Any], then: list[dict[str, Any]] | None = None) -> str:
    stream = io.StringIO()
    write_objects(found, "html", stream, then, EVIL)
    return stream.getvalue()


def hostile() -> list[dict[str, Any]]:
    """Every text of a record is somebody's."""
    bad = finding(EVIL, EVIL, "error", f"`{EVIL}` and `<i>`", 1, EVIL)
    bad["url"] = "javascript:alert(1)"
    facts = {"dialect": EVIL, "producer": EVIL, "opset": EVIL, "graph": EVIL, "weights": EVIL}
    return [
        record(f"s3://{EVIL}/1", f"{EVIL}/1", 1, EVIL, EVIL, findings=[bad, bad], **facts),
        record(f"s3://{EVIL}/2", f"{EVIL}/2", 1, EVIL, EVIL, findings=[bad], **{**facts, "weights": "w"}),
        record(f"s3://{EVIL}/3", f"{EVIL}/3", 1, EVIL, trouble=EVIL),
        record(f"s3://{EVIL}/4", f"{EVIL}/4", 1, EVIL, failure=EVIL),
    ]


def test_texts_of_others_are_no_markup() -> None:
    then = [{**hostile()[0], "findings": []}, model("s3://z")]
    text = page(*hostile(), then=then)
    assert text.count("<script>") == text.count("</script>") == 1
    assert "alert(1)&lt;/script&gt;" in text
    assert not re.search(
        r"[\u202e\x1b]|javascript:|<i>|style=|\son\w+=|src=", text.partition("<footer>")[0].partition("</style>")[2]
    )


def test_style_and_script_are_what_the_policy_allows() -> None:
    """The page is written in ASCII by references, which they cannot have."""
    parts = [(ROOT / f"irlint/report/survey/page.{kind}").read_text(encoding="utf-8") for kind in ("css", "js")]
    assert all(part.isascii() and part in page() for part in parts)


def test_equal_objects_are_equal_pages() -> None:
    assert page(*made(200), then=list(made(200, 2))) == page(*made(200), then=list(made(200, 2)))


@pytest.mark.parametrize("found", [[], [record("s3://b/x", "x", 1, None)], [model("s3://b/m")]])
def test_little_is_a_page_too(found: list[dict[str, Any]]) -> None:
    text = page(*found, then=[])
    assert f"{len(found):,} object" in text
    assert "nan" not in text.partition("</style>")[2].lower()


def test_the_page_of_a_check_has_the_numbers_of_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("nnvm/mistakes-symbol.json", "nnvm/race.json", "onnx/mistakes.onnx", "ncnn/mistakes.param"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    (tmp_path / "other.tflite").write_bytes(b"\x1c\0\0\0TFL3" + bytes(64))
    main(["race.json", "mistakes.onnx", "--baseline", "known.json", "--write-baseline"])
    main(
        [
            ".",
            "--pedantic",
            "--baseline",
            "known.json",
            "--fix",
            "--output-format",
            "full:a.txt",
            "--output-format",
            "html:a.html",
        ]
    )
    said, head = Path("a.txt").read_text(), Path("a.html").read_text().partition("<nav")[0]
    shown = {unit.rstrip("s"): int(number) for unit, number in re.findall(r"<dt>([\w ]+)</dt><dd>(\d+)</dd>", head)}
    wanted = {
        "error": "errors found",
        "warning": "warnings found",
        "info": "info",
        "pedantic finding": "pedantic finding",
    }
    found = re.search(r"^Found (.*) in \d+ file", said, re.M)
    assert found is not None
    for number, kind in re.findall(r"(\d+) ([a-z ]+?)s?(?:,|$)", found[1]):
        assert shown[wanted[kind]] == int(number), kind
    assert "files not checked" not in head
    lines = [line for line in said.split("\n") if line.startswith(("Fixed", "Not reported", "Not checked"))]
    assert lines
    assert re.findall(r'<p class="note">(.*?)</p>', head) == lines


def test_one_palette() -> None:
    """The page has the colors of the graph view."""
    view = (ROOT / "irlint/view/web/view.css").read_text(encoding="utf-8")
    own = (ROOT / "irlint/report/survey/page.css").read_text(encoding="utf-8")
    theirs = [dict(re.findall(r"--(\w+): (#\w+)", rule)) for rule in view.split("\n")[:2]]
    ours = [dict(re.findall(r"--(\w+): (#\w+)", rule)) for rule in own.split("\n")[:2]]
    assert all(palette.items() <= other.items() for palette, other in zip(theirs, ours, strict=True))


def test_json_of_a_page_is_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["merge", written(tmp_path / "1", *made(50)), "--output-format", "json"]) in (1, 2)
    assert {one["severity"] for one in json.loads(capsys.readouterr().out)} == {"error", "warning", "info"}
