"""A store that does everything wrong: each fault is a line of the report, costs seconds, and leaves the other objects alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import monotonic

import pytest
from rule_cases.texts import OPENVINO

from irlint.cli import main
from irlint.zoo import cloud_store, patience
from irlint.zoo.ledger import Ledger
from irlint.zoo.outcome import ObjectOutcome
from irlint.zoo.stores import PassingError
from zoo.faulty_s3 import PAGE, FaultyS3, in_environment
from zoo.linted import linted

IR = OPENVINO.encode()
WEIGHTS = bytes(12)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyS3]:
    monkeypatch.setattr(cloud_store, "_CLIENT", {"timeout": "1s", "connect_timeout": "1s", "read_timeout": "1s"})
    monkeypatch.setitem(cloud_store._RETRIES, "retry_timeout", timedelta(seconds=0.8))
    with in_environment(monkeypatch) as store:
        yield store


def fill(store: FaultyS3, *keys: str) -> None:
    for key in keys:
        store.objects[key] = IR
        store.objects[f"{key[:-4]}.bin"] = WEIGHTS


def run_with(folder: Path) -> dict[str, ObjectOutcome]:
    """Return the outcomes of a run whose ledger is in a folder."""
    ledger = Ledger(str(folder / "ledger.sqlite"))
    try:
        return linted("s3://models", ledger=ledger)
    finally:
        ledger.close()


def test_a_folder_without_a_name_where_the_listing_begins_is_said(s3: FaultyS3) -> None:
    fill(s3, "hub//x.xml", "hub/a.xml")
    found = linted("s3://models/hub/")
    assert found[""].trouble == "keys before '/x.bin' may be missing"
    assert found["a.xml"].is_model


@pytest.mark.parametrize("prefix", ["", "hub/"])
def test_one_hostile_key_costs_no_other(s3: FaultyS3, prefix: str) -> None:
    """Folders are listed around each of them, and nothing is asked for under another key."""
    hostile = ["a//y.xml", "m/../x.xml", "m/./x.xml"]
    longest = "z" * (1020 - len(prefix)) + ".xml"
    sound = [f"{letter}/{k}.xml" for letter in "abmn" for k in range(5)] + ["ü + %0A&amp;.xml", longest]
    s3.objects = {f"{prefix}m/{k:05d}.txt": b"" for k in range(PAGE + 200)}  # more than one page
    fill(s3, *(prefix + key for key in hostile + sound))
    found = linted(f"s3://models/{prefix}")
    assert {key for key, outcome in found.items() if outcome.is_model} == set(sound)
    assert not [key for key, outcome in found.items() if outcome.is_model and outcome.report.entries]  # type: ignore[union-attr]
    troubles = {key: outcome.trouble for key, outcome in found.items() if outcome.trouble}
    assert troubles == {"a/": "keys before 'a//y.bin' may be missing", "m/": "keys before 'm/./x.bin' may be missing"}


def test_what_cannot_be_listed_is_said(s3: FaultyS3) -> None:
    """Folders are listed around the key, and what may be missing is a line."""
    fill(s3, "a/b.xml", "c//d.xml", "c/e.xml", "f/g.xml")
    found = linted("s3://models")
    assert {key for key, outcome in found.items() if outcome.is_model} == {"a/b.xml", "c/e.xml", "f/g.xml"}
    assert {key: outcome.trouble for key, outcome in found.items() if outcome.trouble} == {
        "c/": "keys before 'c//d.bin' may be missing"
    }


def test_a_body_that_never_ends_costs_seconds(s3: FaultyS3, tmp_path: Path) -> None:
    fill(s3, *(f"{k}.xml" for k in range(6)))
    s3.faults = {"1.xml": ["slow"], "2.xml": [503], "3.xml": [429], "4.xml": ["truncated"]}
    began = monotonic()
    found = run_with(tmp_path)
    assert monotonic() - began < 8
    assert {key: outcome.trouble for key, outcome in found.items() if outcome.trouble} == {
        "1.xml": "cannot be read: the store did not answer in time",
        "2.xml": "cannot be read: the store answered 503 (Service Unavailable)",
        "3.xml": "cannot be read: the store answered 429 (Too Many Requests)",
        "4.xml": "cannot be read: the body ended before its length",
    }
    assert max(s3.requests["GET", f"{k}.xml"] for k in range(6)) <= 10
    s3.faults, before = {}, s3.requests.copy()
    assert all(outcome.is_model for outcome in run_with(tmp_path).values())
    again = s3.requests - before
    assert {key for verb, key in again if verb == "GET"} == {
        f"{k}.{end}" for k in (1, 2, 3, 4) for end in ("xml", "bin")
    }


def test_what_took_long_is_not_asked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((0.0, patience.LONG + 1))
    monkeypatch.setattr(patience, "monotonic", lambda: next(times))
    asked = []

    def ask() -> None:
        asked.append(1)
        raise PassingError("late")

    with pytest.raises(PassingError):
        patience.patiently(ask)
    assert len(asked) == 1


def test_a_changed_object_is_remembered_as_it_is(s3: FaultyS3, tmp_path: Path) -> None:
    fill(s3, "a.xml")
    s3.faults = {"a.xml": [IR + b"\n", "ok"]}
    first = run_with(tmp_path)["a.xml"]
    assert (first.size, first.trouble) == (len(IR) + 1, None)
    before = s3.requests["GET", "a.xml"]
    assert run_with(tmp_path)["a.xml"] == first
    assert s3.requests["GET", "a.xml"] == before


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "cannot be listed: "),
        (503, None),
        (403, "cannot be listed: access denied (the store answered 403)"),
    ],
)
def test_listings_that_fail(s3: FaultyS3, capsys: pytest.CaptureFixture[str], pages: object, words: str | None) -> None:
    fill(s3, "a.xml", "c//b.xml" if pages == 503 else "b.xml")
    s3.pages = pages
    status = main(["zoo", "s3://models", "--isolated", "--no-cache", "--output-format", "concise"])
    text = capsys.readouterr().err
    assert status == 2
    assert (words or "keys before 'c//b.bin' may be missing") in text
