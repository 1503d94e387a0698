"""Operator tables by themselves, and entries of them before the real runtimes. Needs IRLINT_OPENVINO_PYTHON or IRLINT_MXNET_PYTHON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from irlint.findings import Severity
from irlint.formats.nnvm.reading import values as symbol
from irlint.formats.openvino.passes import values as ir
from irlint.operators import Attribute, table
from oracle import judges, tables, tables_symbol

COUNT = int(os.environ.get("IRLINT_ENTRIES", "150"))
SEED = int(os.environ.get("IRLINT_SEED", "4"))
TABLES = ("lightnet", "mxnet", "nnvm", "openvino", "openvino-tokenizers", "relay")


def attributes(name: str) -> Iterator[tuple[str, Attribute]]:
    known = table(name)
    for key in known.raw["operators"]:
        operator = known.get(key)
        assert operator is not None
        yield from ((f"{name} {key}.{a.name}", a) for a in operator.attributes.values())


@pytest.mark.parametrize("name", TABLES)
def test_defaults_are_among_the_words_of_their_attributes(name: str) -> None:
    for where, attribute in attributes(name):
        words = [word.strip() for word in str(attribute.default).split(",")] if attribute.default is not None else []
        if attribute.values and not (attribute.facts.get("nullable") and words == ["None"]):
            assert set(words) <= {*attribute.values, *attribute.facts.get("also", ())}, where
        assert not (attribute.required and attribute.default is not None and "renamed" not in attribute.facts), where
        assert len(set(attribute.values)) == len(attribute.values), where


@pytest.mark.parametrize("name", ["openvino", "openvino-tokenizers"])
def test_defaults_are_values_that_the_reader_of_an_ir_takes(name: str) -> None:
    for where, attribute in attributes(name):
        for value in (attribute.default, attribute.facts.get("fallback")):
            assert value is None or isinstance(value, str), where
            errors = [f for f in ir.faults(value or "", attribute) if f.severity == Severity.ERROR] if value else []
            assert bool(errors) == (value in attribute.facts.get("refused", ())), (where, value)


@pytest.mark.parametrize("name", ["mxnet", "nnvm"])
def test_defaults_are_values_that_the_reader_of_a_symbol_takes(name: str) -> None:
    for where, attribute in attributes(name):
        if attribute.default is not None:
            try:
                symbol.read(attribute, attribute.default)
            except symbol.BadValue as bad:
                pytest.fail(f"{where}: {attribute.default!r} {bad.reason}")


def test_relay_and_lightnet_have_no_defaults() -> None:
    for name in ("relay", "lightnet"):
        assert not [where for where, attribute in attributes(name) if attribute.default is not None]


def facts(corpus: Path, name: str) -> list[dict[str, Any]]:
    """What was read from the sources of a runtime that nobody can install: records of its operators."""
    path = corpus.parent / "facts" / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"no {path.name} next to the corpus")
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["ops"]
    return found


def test_classic_operators_are_as_nnvm_declares_them(corpus: Path) -> None:
    known = table("nnvm")
    for record in facts(corpus, "nnvm-top-ops"):
        if (operator := known.get(record["name"])) is None:
            continue
        for parameter in record.get("params", ()):
            attribute = operator.attributes[parameter["name"]]
            where = f"{record['name']}.{attribute.name}"
            assert attribute.required == parameter["required"], where
            if "default" in parameter and attribute.default is not None:
                assert _same(attribute, parameter["default"]), where
            if "values" in parameter and attribute.kind == "enum":
                assert set(attribute.values) == set(parameter["values"]), where
        if isinstance(record.get("num_inputs"), int):
            unconditional = [port for port in operator.inputs if "when" not in port.facts]
            assert len(unconditional) <= record["num_inputs"] <= len(operator.inputs), record["name"]


def _same(attribute: Attribute, default: Any) -> bool:
    value = symbol.read(attribute, attribute.default)
    return bool((list(value) if isinstance(value, tuple) else value) == default)


def test_operators_of_lightnet_are_as_it_declares_them(corpus: Path) -> None:
    known = table("lightnet")
    for record in facts(corpus, "lightnet-ops"):
        operator = known.get(record["optype"])
        assert operator is not None, record["optype"]
        if record["arch"] != "none":
            continue
        assert list(operator.attributes) == [parameter["arg_name"] for parameter in record["params"]], record["optype"]
        assert all(attribute.required for attribute in operator.attributes.values())
        if record["counts_checked"]:
            assert len(operator.inputs) == len(record["tensors_in"]), record["optype"]
            assert len(operator.outputs) == len(record["tensors_out"]), record["optype"]


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("runtime", sorted(tables.PROBES))
def test_entries_before_the_runtime(runtime: str, tmp_path: Path) -> None:
    if not judges.available(runtime):
        pytest.skip(f"{judges.PYTHONS[runtime]} names no Python with {runtime}")
    found = list(tables.check(runtime, tables.sample(runtime, COUNT, SEED), tmp_path))
    assert len(found) == COUNT
    assert not [(probe.operator, probe.kind, probe.what, why) for probe, why in found if why]


def test_the_table_is_what_mxnet_registers() -> None:
    if not judges.available("mxnet"):
        pytest.skip(f"{judges.PYTHONS['mxnet']} names no Python with mxnet")
    assert not list(tables_symbol.differences(tables_symbol.registry()))
