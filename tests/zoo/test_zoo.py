"""What irlint zoo makes of stores, whatever they hold and however they fail."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsp.binaries import DIGITS, binary
from rule_cases.texts import OPENVINO, SYMBOL

import irlint
from irlint.cli import main
from irlint.config import Config
from irlint.files import side_files
from irlint.files.globs import Globs
from irlint.jobs.workers import in_workers
from irlint.zoo import run as zoo_run
from irlint.zoo.ledger import Ledger
from irlint.zoo.roots import Root, distinct
from irlint.zoo.run import Shard, ZooOptions, ZooRun
from irlint.zoo.stores import redacted, shown
from tests.formats.onnx.build import message
from zoo.fake_store import FakeStore
from zoo.fatal import FatalWork
from zoo.faulty_s3 import FaultyS3, in_environment
from zoo.linted import linted, said

IR = OPENVINO.encode()
OTHER = IR.replace(b'version="11"', b'version="99"')


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyS3]:
    with in_environment(monkeypatch) as store:
        yield store


def onnx(location: str, size: int = 12) -> bytes:
    """A model whose one initializer is so many bytes elsewhere."""
    value = {"name": "w", "type": {"tensor_type": {"elem_type": 1, "shape": {"dim": [{"dim_value": size // 4}]}}}}
    tensor = {"name": "w", "data_type": 1, "dims": [size // 4], "data_location": 1}
    tensor["external_data"] = [{"key": "location", "value": location}, {"key": "length", "value": str(size)}]
    graph = {"name": "g", "initializer": [tensor], "output": [value]}
    return message("Model", ir_version=13, opset_import=[{"version": 25}], graph=graph)


def test_what_is_missing_is_found_unread(s3: FaultyS3) -> None:
    """And what is too short costs one request, which shows what it is instead. Only files that might be meant instead are looked into."""
    s3.objects = {
        "missing.xml": IR,
        "short.xml": IR,
        "short.bin": bytes(5),
        "ok.xml": IR,
        "ok.bin": bytes(12),
        "a/net-symbol.json": SYMBOL.encode(),
        "b/none.onnx": onnx("none.data"),
        "b/cut.onnx": onnx("deep/cut.data", 4096),
        "b/deep/cut.data": bytes(4095),
        "full.onnx": onnx("full.data"),
        "full.data": bytes(12),
    }
    found = linted("s3://models")
    assert found["missing.xml"].report is not None
    assert said(found["missing.xml"])[0].startswith("W001 weights file 'missing.bin' not found next to the model")
    assert said(found["short.xml"])[0].startswith("W002 Const 'scale' reads bytes 0 to 12, past the end")
    assert said(found["b/none.onnx"])[0].startswith("W001 weights file 'none.data' not found next to the model")
    assert said(found["b/cut.onnx"])[0].startswith("W002 data of initializer 'w' ends at byte 4,096")
    assert [said(found[key]) for key in ("ok.xml", "full.onnx", "a/net-symbol.json")] == [[], [], []]
    side = {key: n for (verb, key), n in s3.requests.items() if verb != "LIST" and key.endswith((".bin", ".data"))}
    assert set(side) <= {"short.bin", "ok.bin", "full.data"}
    assert set(side.values()) <= {1}
    assert [key for (verb, key), n in s3.requests.items() if verb != "LIST" and n > 1] == []


def test_files_about_models_are_checked_as_in_a_folder(s3: FaultyS3, tmp_path: Path) -> None:
    """They are read from the store, whatever their size, and so are the models that they are about."""
    labels = {
        "architectures": ["ViTForImageClassification"],
        "num_labels": 3,
        "id2label": {"0": "a", "1": "b", "2": "c"},
        "padding": "x" * (1 << 19),
    }
    model = binary(DIGITS.replace("probabilities", "logits"))
    s3.objects = {
        "m/model.onnx": model,
        "m/config.json": json.dumps(labels).encode(),
        "other/config.json": b'{"a": 1}',
    }
    found = linted("s3://models")
    for key, data in s3.objects.items():
        (tmp_path / key).parent.mkdir(exist_ok=True)
        (tmp_path / key).write_bytes(data)
    ours = irlint.lint(tmp_path / "m/config.json")
    assert ours
    assert said(found["m/config.json"]) == [f"{one.code} {one.message}" for one in ours]
    assert not found["m/config.json"].is_model
    assert found["m/model.onnx"].is_model
    assert found["other/config.json"].report is None


def test_single_objects(s3: FaultyS3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is next to them is found in a listing of the folder, or one by one if that is large."""
    s3.objects = {
        "a/m.xml": IR,
        "a/m.bin": bytes(12),
        "a/no.xml": IR,
        "a/net.onnx/x.xml": IR,
        "a/z.onnx": onnx("z.data"),
    }
    urls = [f"s3://models/a/{name}" for name in ("z.onnx", "m.xml", "net.onnx", "gone.xml")]
    for few in (10, 0):
        monkeypatch.setattr(zoo_run, "_FEW_PAGES", few)
        found = linted(*urls)
        assert said(found["m.xml"]) == []
        for key, name in (("x.xml", "x.bin"), ("z.onnx", "z.data")):
            assert said(found[key])[0].startswith(f"W001 weights file '{name}' not found next to the model")
        assert list(found) == ["", "m.xml", "x.xml", "z.onnx"]
        assert found[""].trouble == "there are no objects with this URL, or below it"
    (tmp_path / "m.xml").write_bytes(IR)
    assert said(linted(str(tmp_path / "m.xml"))["m.xml"])[0].startswith("W001 ")


def test_reports_in_stores(s3: FaultyS3, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """They are what the files are, and nothing else is written."""
    s3.objects = {"a/m.xml": IR}
    local = str(tmp_path / "local.jsonl")
    urls = ["s3://models/reports/zoo.jsonl", "s3://models/zoo.html", str(tmp_path / "zoo.sarif")]
    words = [word for url in urls for word in ("--report", url)]
    assert main(["zoo", "s3://models/a", "--isolated", "--no-cache", "--output-format", f"jsonl:{local}", *words]) == 1
    assert s3.objects["reports/zoo.jsonl"] == Path(local).read_bytes()
    assert s3.objects["zoo.html"].startswith(b"<!DOCTYPE html>")
    assert b"2.1.0" in Path(urls[2]).read_bytes()
    assert sorted(s3.objects) == ["a/m.xml", "reports/zoo.jsonl", "zoo.html"]
    capsys.readouterr()
    assert main(["zoo", "s3://models/a", "--isolated", "--no-cache", "--report", "s3://models/zoo.csv"]) == 2
    assert "expected a URL that ends in .jsonl, .html," in capsys.readouterr().err
    s3.faults["denied.json"] = [403]
    assert main(["zoo", "s3://models/a", "--isolated", "--no-cache", "-q", "--report", "s3://models/denied.json"]) == 2
    assert "cannot write s3://models/denied.json: " in capsys.readouterr().err


def test_no_file_of_this_machine_is_opened(s3: FaultyS3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.bin").write_bytes(bytes(12))
    monkeypatch.setattr(side_files, "Disk", None)
    for name in ("open", "names", "is_there", "is_folder", "real"):
        monkeypatch.setattr(side_files.DISK, name, lambda *_, name=name: pytest.fail(f"{name} on disk"))
    opened: list[str] = []
    sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" else None)
    locations = [
        "/etc/passwd",
        "../../x.bin",
        "../x.bin",
        f"{tmp_path}/x.bin",
        "a/../../../etc/passwd",
        "x\0.bin",
        "x.bin",
    ]
    s3.objects = {f"a/b/{k}.onnx": onnx(location) for k, location in enumerate(locations)}
    s3.objects |= {"a/x.bin": bytes(12), "x.xml": IR}
    found = linted("s3://models/a")
    assert [key for key, outcome in found.items() if not said(outcome)] == []
    assert all("x.bin" not in path and "passwd" not in path for path in opened)
    assert not [key for verb, key in s3.requests if verb != "LIST" and key.endswith(".bin")]


def test_trouble_stays_with_its_object(s3: FaultyS3) -> None:
    names = ["cut", "denied", "gone", "busy", "passing", "changed", "ok"]
    s3.objects = {f"{name}.xml": IR for name in names} | {f"{name}.bin": bytes(12) for name in names}
    s3.faults = {
        "cut.xml": ["truncated"],
        "denied.xml": [403],
        "gone.xml": [404],
        "busy.xml": [503],
        "passing.xml": [503, 503, 503, "ok"],
        "changed.xml": [OTHER, "ok"],
    }
    ledger = Ledger(None)
    found = linted("s3://models", ledger=ledger)
    assert {key: outcome.trouble for key, outcome in found.items() if outcome.trouble} == {
        "cut.xml": "cannot be read: the body ended before its length",
        "denied.xml": "cannot be read: access denied (the store answered 403)",
        "gone.xml": "not found: removed since it was listed, or its key has control characters, or `/` at its beginning or end",
        "busy.xml": "cannot be read: the store answered 503 (Service Unavailable)",
    }
    assert said(found["passing.xml"]) == said(found["ok.xml"]) == []
    assert "99" in said(found["changed.xml"])[0]
    ledger.close()


def test_odd_keys_are_reported_and_the_others_checked(s3: FaultyS3) -> None:
    odd = ["a//b.xml", "c/../d.xml", "c/./e.xml", "//f.xml"]
    sound = ["a/x.xml", "b.xml", "c/y.xml", "ä/ö.xml", f"{'z' * 1000}.xml", "q?#%20&+ .xml"]
    s3.objects = dict.fromkeys(odd + sound, IR) | {f"{key[:-4]}.bin": bytes(12) for key in odd + sound}
    found = linted("s3://models")
    assert {key for key, outcome in found.items() if outcome.is_model} >= {"a/x.xml", "c/y.xml"}
    reported = {key for key, outcome in found.items() if outcome.trouble}
    assert len(reported) >= 3
    del s3.objects["//f.xml"], s3.objects["//f.bin"]
    found = linted("s3://models")
    assert {key for key, outcome in found.items() if outcome.is_model} == set(sound)


@pytest.mark.parametrize(("pages", "words"), [("endless", "repeats itself"), ("<oops", "cannot be listed: ")])
def test_a_listing_that_goes_wrong_ends(s3: FaultyS3, pages: str, words: str) -> None:
    s3.objects = {"a.xml": IR, "a.bin": bytes(12)} | {f"b/{k}": b"" for k in range(998)}  # a page
    s3.pages = pages
    found = linted("s3://models")
    assert words in str(found[""].trouble)
    assert said(found["a.xml"]) == [] if pages == "endless" else set(found) == {""}


def test_what_is_known_is_not_read_again(s3: FaultyS3) -> None:
    """Unless the object, what is next to it or the settings have changed."""
    s3.objects = {"a.xml": IR, "a.bin": bytes(12), "b.xml": IR, "m-symbol.json": SYMBOL.encode(), "notes.txt": b"hello"}
    ledger = Ledger(None)

    def read() -> set[str]:
        s3.requests.clear()
        ledger.run += 1
        linted("s3://models", ledger=ledger, config=config)
        return {key for verb, key in s3.requests if verb == "GET" and not key.endswith((".bin", ".params"))}

    config = Config(os.getcwd())
    everything = {"a.xml", "b.xml", "m-symbol.json", "notes.txt"}
    assert read() == everything
    assert read() == set()
    s3.objects["b.bin"] = bytes(12)
    assert read() == {"b.xml"}
    s3.objects["m-0001.params"] = b"?"
    assert read() == {"m-symbol.json"}
    s3.objects["a.bin"] = bytes(11)
    assert read() == {"a.xml"}
    s3.objects["notes.txt"] = b"hello again"
    assert read() == {"notes.txt"}
    config = Config(os.getcwd(), exclude=Globs(["b.*"]), select=("W",))
    assert read() == everything - {"b.xml"}
    ledger.run += 1
    assert set(linted("s3://models", ledger=ledger, config=config)) == everything - {"b.xml"}
    ledger.close()


def test_folders_as_stores(tmp_path: Path) -> None:
    """Links do not lead out of the folder, and hidden folders are left out, as irlint check does."""
    (tmp_path / "zoo/.hidden").mkdir(parents=True)
    (tmp_path / "secret.xml").write_bytes(IR)
    for name in ("a.xml", ".hidden/b.xml"):
        (tmp_path / "zoo" / name).write_bytes(IR)
    (tmp_path / "zoo/a.bin").write_bytes(bytes(12))
    (tmp_path / "zoo/c.xml").symlink_to("../secret.xml")
    (tmp_path / "zoo/d.xml").symlink_to("a.xml")
    (tmp_path / "zoo/d.bin").symlink_to("/etc/passwd")
    odd = b"x\xff.xml"
    with open(os.path.join(os.fsencode(tmp_path / "zoo"), odd), "wb") as file:
        file.write(IR)
    found = linted(str(tmp_path / "zoo"))
    assert set(found) == {"a.xml", "d.xml", r"x\xff.xml"}
    assert said(found["a.xml"]) == []
    assert said(found["d.xml"])[0].startswith("W001")
    assert "not valid UTF-8" in str(found[r"x\xff.xml"].trouble)


def test_a_ledger_of_anybody_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(IR)
    path = str(tmp_path / "ledger.sqlite")

    def unchanged() -> int:
        counts: list[int] = []
        ledger = Ledger(path)
        found = linted(str(tmp_path), ledger=ledger, watch=lambda run: counts.append(run.counts.unchanged))
        assert said(found["a.xml"])[0].startswith("W001")
        ledger.close()
        return counts[0]

    assert [unchanged(), unchanged()] == [0, 1]
    for body in (b"", b"x" * 100, "text", 5):
        with sqlite3.connect(path) as database:
            database.execute("UPDATE outcomes SET body = ?", (body,))
        database.close()
        assert [unchanged(), unchanged()] == [0, 1]
    with sqlite3.connect(path) as database:
        database.execute("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM outcomes; END")
    database.close()
    assert [unchanged(), unchanged()] == [0, 1]
    Path(path).write_bytes(b"SQLite format 3\0" + bytes(5000))
    assert [unchanged(), unchanged()] == [0, 1]
    Path(path).write_bytes(b"no database at all" * 100)
    assert [unchanged(), unchanged()] == [0, 1]


def test_planning_is_linear_in_time_and_constant_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """IRLINT_ZOO_KEYS=5000000 prints the figures of a hub."""
    count = int(os.environ.get("IRLINT_ZOO_KEYS", "60000"))
    store = FakeStore(count)
    monkeypatch.setattr(zoo_run, "open_store", lambda _: store)
    ledger = Ledger(None)
    run = ZooRun(ZooOptions((Root("fake://hub"),), Config(os.getcwd())), ledger)
    if count < 1_000_000:
        tracemalloc.start()
    began = time.process_time()
    run.list_all()
    assert sum(1 for _ in run._tasks()) == run.counts.objects == count // store.every
    print(f"{count:,} keys: {time.process_time() - began:.1f} s of CPU")
    if count < 1_000_000:
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
        tracemalloc.stop()
    ledger.close()


def test_a_worker_that_dies_takes_only_what_kills_it(tmp_path: Path) -> None:
    """And no batch is taken before somebody is free for it."""
    taken = []

    def coming() -> Iterator[list[int]]:
        for k in range(0, 30, 3):
            taken.append(k)
            yield [k, k + 1, k + 2]

    found: dict[int, str] = {}
    work = FatalWork(str(tmp_path / "once"), 13)
    for batch, results in in_workers(coming(), work, 2, "spawn"):
        found.update(zip(batch, results, strict=True))
        assert 3 * len(taken) <= len(found) + 9
    killed = "failed 13: the process that checked it was killed"
    assert found == {k: killed if k == 13 else f"done {k}" for k in range(30)}


def test_shards_are_a_partition() -> None:
    keys = [f"a/{k}.xml" for k in range(2000)]
    counts = [sum(Shard(number, 7).has(key) for key in keys) for number in range(1, 8)]
    assert sum(counts) == len(keys)
    assert min(counts) > len(keys) / 7 * 0.8


def test_credentials_are_never_shown() -> None:
    url = "https://user:secret@host/bucket/a?X-Amz-Signature=secret&sig=secret#secret"
    assert shown(url) == "https://host/bucket/a"
    assert "secret" not in redacted(f"GET {url} failed (url: {url})")
    assert distinct(["s3://b/a-x/", "s3://b/a", "s3://b/a/c", "s3://b/a/"]) == ("s3://b/a-x/", "s3://b/a")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["nosuch://x"], "cannot be opened: unknown scheme `nosuch`"),
        (["missing-folder"], "cannot be listed: no such folder"),
    ],
)
def test_a_store_that_is_not_there(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["zoo", *words, "--isolated"]) == 2
    assert error in capsys.readouterr().err


def test_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "zoo").mkdir()
    for name in ("a.xml", "b.xml", "c.txt"):
        (tmp_path / "zoo" / name).write_bytes(b"hello" if name == "c.txt" else IR)
    (tmp_path / "zoo/b.bin").write_bytes(bytes(12))
    assert main(["zoo", "zoo", "--isolated", "--output-format", "concise"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("zoo/a.xml:16:56: W001[missing-weights] weights file 'a.bin' not found next to the model")
    assert err == "irlint: 4 objects: 2 models, 1 with errors; 3 read, 0 unchanged\n"
    assert main(["zoo", "zoo", "--isolated", "-q", "--weights", "optional", "--output-format", "concise"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main(["zoo", "zoo", "--isolated", "--max-size", "10"]) == 2
    assert "zoo/a.xml: 2,030 bytes; --max-size is 10" in capsys.readouterr().err
    assert main(["zoo", "zoo", "--shard", "3/2"]) == 2
    assert main(["zoo", "zoo", "--cache", "x", "--no-cache"]) == 2
