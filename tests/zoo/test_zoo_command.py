"""The command irlint zoo: what it says, what it refuses, and what no damage ends."""

from __future__ import annotations

import gzip
import io
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from rule_cases.texts import OPENVINO

from irlint import engine
from irlint.cache.fingerprint import fingerprint
from irlint.cli import main
from irlint.cli.progress import Rate, rate_shown
from irlint.report.base import FileReport, locate
from irlint.zoo import cloud_store, stores
from irlint.zoo.outcome import ObjectOutcome, pack, unpack
from irlint.zoo.roots import open_store
from irlint.zoo.run import Counts
from irlint.zoo.side_files import NEAR
from irlint.zoo.tasks import Done
from zoo.test_zoo import onnx

IR = OPENVINO

Said = Callable[..., "tuple[int, str, str]"]


@pytest.fixture
def zoo(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    """Run the command in an empty folder, without configuration; return its status, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    open_store.cache_clear()  # of relative paths

    def run(*words: str, command: str = "zoo") -> tuple[int, str, str]:
        status = main([command, *words, *(["--isolated"] if command == "zoo" else [])])
        return status, *capsys.readouterr()

    return run


def broken(folder: Path, count: int, first: int = 0) -> None:
    folder.mkdir(exist_ok=True)
    for k in range(first, first + count):
        (folder / f"{k:02d}.xml").write_text(IR)


def test_many_findings_are_an_overview(zoo: Said, tmp_path: Path) -> None:
    broken(tmp_path / "few", 2)
    status, out, _ = zoo("few", "--no-cache")
    assert status == 1
    assert "  --> few/00.xml:16:56" in out
    assert "fixable" not in out
    assert "[*]" not in out
    broken(tmp_path / "many", 30)
    _, out, _ = zoo("many", "--no-cache")
    lines = out.splitlines()
    assert lines[0] == "W001[missing-weights] 30 errors in 30 files"
    assert lines[1].startswith("    many/00.xml:16:56: weights file '00.bin' not found")
    assert lines[4] == "    and 27 more files"
    assert len(lines) < 20
    assert zoo("many", "--no-cache", "--output-format", "concise")[1].count("W001") > 30


def test_what_is_new_since_an_earlier_report(zoo: Said, tmp_path: Path) -> None:
    broken(tmp_path / "m", 3)
    assert zoo("m", "--no-cache", "-q", "--output-format", "jsonl:then.jsonl")[0] == 1
    words = ("m", "--no-cache", "--since", "then.jsonl", "--new-only", "--output-format", "concise")
    status, out, err = zoo(*words)
    assert (status, out) == (0, "All checks passed: 3 files.\n")
    assert "irlint: since then.jsonl: 0 new findings, 0 fixed; 0 new models, 0 removed" in err
    broken(tmp_path / "m", 1, first=3)
    (tmp_path / "m/00.bin").write_bytes(bytes(12))
    (tmp_path / "m/01.xml").unlink()
    status, out, err = zoo(*words, "--output-format", "jsonl:now.jsonl")
    assert status == 1
    assert {line.partition(":")[0] for line in out.splitlines() if line.startswith("m/")} == {"m/03.xml"}
    assert "1 fixed; 1 new model, 1 removed" in err
    assert len((tmp_path / "now.jsonl").read_text().splitlines()) == 3
    assert zoo("m", "--new-only")[0] == 2
    status, _, err = zoo("then.jsonl", "now.jsonl", "-q", "-o", "all.html", command="merge")
    assert (status, err) == (1, "")
    assert (tmp_path / "all.html").read_text().startswith("<!DOCTYPE html>")
    assert "cannot write sarif reports of merged ones" in zoo("then.jsonl", "-o", "a.sarif", command="merge")[2]


def test_an_earlier_report_may_be_overwritten(zoo: Said, tmp_path: Path) -> None:
    """By a report that is written before others which need it; and it may be about more than this run."""
    broken(tmp_path / "m", 4)
    zoo("m", "-q", "--output-format", "jsonl:day.jsonl")
    assert "0 new models, 0 removed" in zoo("m", "--since", "day.jsonl", "--shard", "1/2")[2]
    assert "0 new models, 0 removed" in zoo("m/00.xml", "--since", "day.jsonl")[2]
    broken(tmp_path / "m", 1, first=4)
    words = ("--output-format", "jsonl:day.jsonl", "--output-format", "concise:new.txt")
    assert "1 new model, 0 removed" in zoo("m", "--since", "day.jsonl", "--new-only", *words)[2]
    assert "m/04.xml" in (tmp_path / "new.txt").read_text()
    assert "m/03.xml" not in (tmp_path / "new.txt").read_text()


def test_what_could_not_be_read_has_nothing_new(zoo: Said, tmp_path: Path) -> None:
    broken(tmp_path / "m", 1)
    zoo("m", "-q", "--output-format", "jsonl:day.jsonl")
    record = json.loads((tmp_path / "day.jsonl").read_text())
    record |= {"kind": "unread", "trouble": "cannot be read", "findings": []}
    (tmp_path / "day.jsonl").write_text(json.dumps(record) + "\n")
    status, out, err = zoo("m", "--since", "day.jsonl", "--new-only", "--output-format", "concise")
    assert (status, out) == (0, "All checks passed: 1 file.\n")
    assert "0 new findings" in err


def test_a_report_that_cannot_be_written(zoo: Said, tmp_path: Path) -> None:
    """The others are, and the summary is."""
    broken(tmp_path / "m", 1)
    status, _, err = zoo("m", "--report", "/proc/none/a.jsonl", "--report", f"{tmp_path}/b.html")
    assert status == 2
    assert "cannot write /proc/none/a.jsonl" in err
    assert "1 object: 1 model, 1 with errors" in err
    assert (tmp_path / "b.html").exists()


def test_large_folders_are_known_in_the_second_run(zoo: Said, tmp_path: Path) -> None:
    """Though not all that is in them travels with a task."""
    (tmp_path / "m").mkdir()
    for k in range(NEAR + 10):
        (tmp_path / f"m/n{k}.txt").write_text("")
    (tmp_path / "m/a.onnx").write_bytes(onnx("weights/none.bin"))
    assert "1 model, 1 with errors" in zoo("m")[2]
    assert "; 0 read, " in zoo("m")[2]


def test_many_findings_travel_in_few_bytes() -> None:
    entries = locate(engine.lint(IR.replace('version="11"', 'version="99"'), "m.xml")).entries * 20_000
    done = Done.of(0, "", ObjectOutcome("m.xml", "m.xml", 1, None, FileReport("m.xml", "openvino", None, entries)), [])
    assert len(done.body) < 20 * len(entries)


def test_halves_of_characters_stay_halves() -> None:
    """JSON joins two that follow each other as escapes."""
    outcome = ObjectOutcome("m", "m", 1, None, trouble="\ud800\udced")
    assert unpack(pack(outcome), "m", "m") == outcome


@pytest.mark.skipif(os.name == "nt", reason="no /dev/fd")
def test_an_earlier_report_in_a_pipe(zoo: Said, tmp_path: Path) -> None:
    broken(tmp_path / "m", 2)
    zoo("m", "-q", "--output-format", "jsonl:day.jsonl")
    reading, writing = os.pipe()
    os.write(writing, (tmp_path / "day.jsonl").read_bytes())
    os.close(writing)
    assert "0 new findings, 0 fixed; 0 new models, 0 removed" in zoo("m", "--since", f"/dev/fd/{reading}")[2]
    os.close(reading)


def test_what_cannot_be_shown_is_reported(zoo: Said, tmp_path: Path) -> None:
    """Findings without excerpts are read back from the ledger as they are."""
    (tmp_path / "m").mkdir()
    (tmp_path / "m/random.xml").write_bytes(
        b'<?xml version="1.0"?><net name="a" version="11">' + bytes(range(256)) * 20
    )
    (tmp_path / "m/random.onnx").write_bytes(bytes(range(1, 256)) * 20)
    status, _, err = zoo("m", "--output-format", "jsonl:r.jsonl")
    records = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert status == 1
    assert "2 models, 2 with errors; 2 read" in err
    assert [bool(record["findings"]) for record in records] == [True, True]
    assert "0 read, 2 unchanged" in zoo("m")[2]


def test_a_ledger_that_fails_is_done_without(zoo: Said, tmp_path: Path) -> None:
    broken(tmp_path / "m", 30)
    _, whole, _ = zoo("m")
    (ledger,) = (tmp_path / ".irlint_cache").glob("*.sqlite")
    data = bytearray(ledger.read_bytes())
    data[4096 : len(data)] = os.urandom(len(data) - 4096)
    ledger.write_bytes(data)
    status, out, err = zoo("m")
    assert (status, out) == (1, whole), err
    assert "internal error" not in err
    assert "0 read, 30 unchanged" in zoo("m")[2] or "30 read" in zoo("m")[2]
    with closing(sqlite3.connect(ledger)) as database, database:
        database.execute("INSERT INTO runs VALUES (9223372036854775807, 0)")
    assert zoo("m")[:2] == (1, whole)
    for path in ledger.parent.glob("*.sqlite*"):
        path.unlink()
    ledger.mkdir()
    assert zoo("m")[:2] == (1, whole)


def test_a_cache_may_hold_anything(zoo: Said, tmp_path: Path) -> None:
    broken(tmp_path / "m", 2)
    assert zoo("m", "--cache", "cache")[0] == 1
    (segment,) = (tmp_path / "cache").rglob("*.gz")
    good = json.loads(gzip.decompress(segment.read_bytes()).split(b"\n")[0])
    worse = []
    for key, value in (
        ("size", 1 << 70),
        ("key", "\ud800"),
        ("etag", "\ud800"),
        ("facts", {"opset": [1]}),
        ("facts", {"nodes": -5}),
    ):
        worse.append({**good, "outcome": {**good["outcome"], key: value}})
    worse.append({**good, "rules": "\ud800"})
    segment.write_bytes(gzip.compress(b"\n".join(json.dumps(one).encode() for one in worse)))
    (segment.parent / "9-x.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 3_000_000))
    (segment.parent / "9-y.jsonl.gz").write_bytes(b"\x1f\x8b damaged")
    status, _, err = zoo("m", "--cache", "cache")
    assert (status, "2 read" in err) == (1, True)
    assert fingerprint() in str(segment)


@pytest.mark.parametrize(
    "words",
    [
        ["s3://AKIA:SECRET@models/x"],
        ["s3://AKIA:HUN/SECRET@models/x"],
        ["s3:AKIA:SECRET@models"],
        ["s3://models/x?X-Amz-Signature=SECRET"],
        ["m", "--report", "s3://AKIA:SECRET@models/z.pdf"],
        ["m", "--report", "s3://models/z.html?sig=SECRET"],
        ["m", "--cache", "s3://AKIA:SECRET@models"],
        ["m", "--since", "s3://AKIA:SECRET@models/z.jsonl"],
        ["m", "--output-format", "html:s3://AKIA:SECRET@models/z.html"],
        ["m", "--scheduler", "tcp://u:SECRET@127.0.0.1:1"],
        ["simplecache::s3://AKIA:SECRET@m"],
        ["zip://u::s3://AKIA:SECRET@m/x.zip"],
        [""],
    ],
    ids=str,
)
def test_secrets_are_not_shown(zoo: Said, words: list[str]) -> None:
    """And a URL that is empty is none."""
    status, out, err = zoo(*words)
    assert status == 2
    assert "SECRET" not in out + err
    assert "internal error" not in err


@pytest.mark.parametrize(
    ("url", "bucket", "key"),
    [
        ("s3://b/run#3/a%20b", "b", "run#3/a%20b"),
        ("gs://b/c?d", "b", "c?d"),
        ("S3://b", "b", ""),
    ],
)
def test_keys_are_literal(url: str, bucket: str, key: str) -> None:
    assert stores.refusal(url) is None
    assert stores.bucket_and_key(url) == (bucket, key)
    assert stores.shown(url) == url


def test_settings_over_which_the_client_would_panic(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("AWS_ENDPOINT_URL", "127.0.0.1:9000"),
        ("AWS_ENDPOINT_URL", "http://u:x@:x"),
        ("AWS_REGION", "a\nb"),
    ):
        with monkeypatch.context() as here:
            here.setenv(name, value)
            with pytest.raises(stores.StoreError, match=name):
                cloud_store.CloudStore("s3://b")


def test_hints(zoo: Said) -> None:
    for url in ("s3:/models", "s3:models", "s3//models"):
        assert "no such folder (did you mean `s3://models`?)" in zoo(url)[2]
    assert "(did you mean `irlint zoo s3://models`?)" in zoo("s3://models", "--isolated", command="check")[2]
    assert "expected a size such as 500M or 2GiB" in zoo("m", "--max-size", "2 buckets")[2]


def test_objects_have_absolute_urls_in_reports(zoo: Said, tmp_path: Path) -> None:
    broken(tmp_path / "m", 1)
    assert zoo(f"file://{tmp_path}/m", "--output-format", "sarif:r.sarif", "--output-format", "gitlab:g.json")[0] == 1
    place = json.loads((tmp_path / "r.sarif").read_text())["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": f"file://{tmp_path}/m/00.xml"}
    assert json.loads((tmp_path / "g.json").read_text())[0]["location"]["path"] == f"file://{tmp_path}/m/00.xml"


def test_one_folder_in_two_ways(zoo: Said, tmp_path: Path) -> None:
    broken(tmp_path / "m", 2)
    assert "irlint: 2 objects: 2 models" in zoo("m", "./m", str(tmp_path / "m"))[2]
    assert "irlint: 2 objects: 1 model, " in zoo("m/00.xml", "./m/00.xml")[2]


def test_globs_of_the_configuration(zoo: Said, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Below a URL, and for folders as irlint check has them."""
    broken(tmp_path / "m", 4)
    (tmp_path / "irlint.yaml").write_text("exclude: [m/00.xml, 01.xml]\nper-file-ignores: {m/02.xml: [W]}\n")
    found = []
    for command, url in (("check", "m"), ("zoo", "m"), ("zoo", f"file://{tmp_path}/m")):
        main([command, url, "--no-cache", "--output-format", "concise"])
        out = capsys.readouterr().out
        found.append(
            {
                line.partition(": ")[0].partition("/m/")[2] or line.partition(": ")[0][2:]
                for line in out.splitlines()
                if "W001" in line and ".xml" in line
            }
        )
    assert found == [{"03.xml:16:56"}, {"03.xml:16:56"}, {"00.xml:16:56", "02.xml:16:56", "03.xml:16:56"}]


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no estimate before it means something, and a line stays until the end."""
    now = [0.0]
    counts = Counts(listed=5000, objects=1000, size=1 << 30)
    rate = Rate(counts, lambda: now[0])
    counts.done = counts.fresh = 1
    assert rate() == "1 of 1,000 objects"
    now[0] = 10.0
    counts.done = counts.fresh = 500
    counts.done_size = counts.fresh_size = 1 << 29
    assert rate() == "500 of 1,000 objects, 50/s, 51.2 MiB/s, 10 s left"

    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("irlint.cli.progress._EVERY", 0.01)
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen()
    with rate_shown(rate, screen):
        while screen.getvalue().count("500 of") < 3:
            pass
    assert screen.getvalue().endswith("left\r\x1b[K")
