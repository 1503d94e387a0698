"""The operator table of ONNX: its keys, its references and its size."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from irlint.dryrun.dtypes import BITS
from irlint.dryrun.entries import Entry, Row, labels_of
from irlint.formats.onnx import opsets
from irlint.formats.onnx.dryrun import _DOMAINS
from irlint.operators import OperatorTable, table
from irlint.tools.installed import read_text

TEXT = read_text("operators/onnx.json")
RAW: dict[str, Any] = json.loads(TEXT)
RECORDS: dict[str, dict[str, Any]] = {name: table("onnx").record(name) for name in RAW["operators"]}
KINDS = {
    "int", "ints", "float", "floats", "string", "strings", "tensor", "tensors", "graph", "graphs", "sparse_tensor", "sparse_tensors",
    "type_proto", "type_protos",
}  # fmt: skip
# Element types of ONNX that the dry run does not know
OTHERS = {"complex64", "complex128", "int2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float6_e2m3fn", "float6_e3m2fn"}


def test_each_operator_is_on_a_line_of_its_own() -> None:
    assert TEXT.count("\n") == len(RECORDS) + TEXT.partition('"operators": {\n')[0].count("\n") + 3
    assert table("onnx").names == sorted(RECORDS)
    once = OperatorTable("onnx", RAW)
    assert all(table("onnx").get(name) == once.get(name) for name in once.names)


def test_versions_are_those_of_the_keys() -> None:
    listed = {f"{name}-{since}" for name, versions in RAW["versions"].items() for since in versions}
    assert listed == set(RECORDS)
    assert all(versions == sorted(versions) for versions in RAW["versions"].values())
    assert RAW["versions"]["Conv"] == [1, 11, 22]


def test_no_operator_is_newer_than_its_domain() -> None:
    for name, versions in RAW["versions"].items():
        domain = name.rpartition(".")[0] or "ai.onnx"
        assert versions[-1] <= RAW["unreleased"].get(domain, RAW["opsets"][domain])


@pytest.mark.parametrize("name", RECORDS)
def test_ports_have_types_and_attributes_have_kinds(name: str) -> None:
    record = RECORDS[name]
    types = record.get("types", {})
    for port in (*record.get("inputs", ()), *record.get("outputs", ())):
        assert port["type"] in types or _is_type(port["type"])
    for allowed in types.values():
        assert all(map(_is_type, RAW["sets"][allowed] if isinstance(allowed, str) else allowed))
    for attribute in record.get("attributes", ()):
        assert attribute["kind"] in KINDS
        assert not (attribute.get("required") and "default" in attribute)
        if (default := attribute.get("default")) is not None:
            assert _is_right(default, attribute)


def test_every_set_of_types_is_used_more_than_once() -> None:
    used = [of for record in RECORDS.values() for of in record.get("types", {}).values() if isinstance(of, str)]
    assert set(used) == set(RAW["sets"])
    assert all(used.count(name) > 1 for name in RAW["sets"])


def test_moved_attributes_are_inputs_of_the_opset_that_moved_them() -> None:
    for name, attributes in RAW["moved"].items():
        for since, became, *number in (move for moves in attributes.values() for move in moves):
            record = RECORDS[f"{name}-{since}"]
            found = [port["name"] for port in record["inputs"]] if number else _attributes(record)
            assert became in found
            assert not number or found[number[0]] == became


def test_names_from_elsewhere_lead_to_operators() -> None:
    for name, meant in RAW["elsewhere"].items():
        assert meant == "" or meant in RAW["versions"]
        newest = RAW["versions"].get(name)
        assert newest is None or {"deprecated", "only"} & RECORDS[f"{name}-{newest[-1]}"].keys()


def test_releases_are_in_order() -> None:
    for releases in RAW["runtimes"].values():
        numbers = [tuple(map(int, release.split("."))) for release in releases]
        assert numbers == sorted(numbers)
        opsets = [facts["opset"] for facts in releases.values()]
        assert opsets == sorted(opsets)
    newest = RAW["ir"][max(RAW["ir"], key=int)]
    assert newest["opset"] == max(map(int, RAW["releases"])) == RAW["opsets"]["ai.onnx"]


def test_the_table_is_small_in_a_wheel() -> None:
    assert len(zlib.compress(TEXT.encode(), 9)) < 40_000


def _attributes(record: dict[str, Any]) -> list[str]:
    return [attribute["name"] for attribute in record["attributes"]]


def _is_type(text: str) -> bool:
    return text in BITS or text in OTHERS or text.startswith(("seq(", "map(", "optional(", "sparse_tensor("))


def _is_right(value: Any, attribute: dict[str, Any]) -> bool:
    """Return whether a default is what the facts allow."""
    items = value if isinstance(value, list) else [value]
    within = all(attribute.get("min", item) <= item <= attribute.get("max", item) for item in items)
    return within and all(item in attribute.get("values", items) for item in items)


def _entries() -> Iterator[tuple[str, str, Entry]]:
    for domain, modules in _DOMAINS.items():
        for module in modules:
            rows: dict[str, Row] = import_module(f"irlint.formats.onnx.dryrun.{module}").CALLS
            for op, row in rows.items():
                entries = row.values() if isinstance(row, dict) else [row]
                yield from ((domain, op, entry) for entry in entries if isinstance(entry, Entry))


def test_rows_of_the_dry_run_name_attributes_that_operators_have() -> None:
    for domain, op, entry in _entries():
        assert opsets.versions(op, domain)
        labels = {label for spec in (entry.attrs or {}).values() for label in labels_of(spec)} | set(entry.unless)
        if not callable(entry.operands):
            labels |= {origin for origin in entry.operands or () if isinstance(origin, str)}
        assert {label for label in labels if not opsets.with_attribute(op, domain, label)} == set(), op


def test_rows_by_opsets_have_the_newest_first() -> None:
    for modules in _DOMAINS.values():
        for module in modules:
            for row in import_module(f"irlint.formats.onnx.dryrun.{module}").CALLS.values():
                assert not isinstance(row, dict) or [*row] == sorted({*row, 1}, reverse=True)


def test_a_version_says_what_differs_from_the_one_before() -> None:
    made = {name: record["of"] for name, record in RAW["operators"].items() if "of" in record}
    assert len(made) > 200
    for name, before in made.items():
        operator, _, since = name.rpartition("-")
        versions = RAW["versions"][operator]
        assert before == f"{operator}-{versions[versions.index(int(since)) - 1]}"
        assert all(RECORDS[before].get(key) != value for key, value in RAW["operators"][name].items() if key != "of")
    assert RECORDS["Flatten-25"]["inputs"] == RECORDS["Flatten-11"]["inputs"]
    assert not any("of" in record for record in RECORDS.values())
