"""What people see of .param files outside of findings: names that programs use, and what numbers mean."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.config.build import target_trouble
from irlint.formats import by_name
from irlint.formats.navigation import describe, limits
from irlint.inspection.review.changes import differences
from irlint.inspection.review.changes_report import lines
from irlint.inspection.summarized import summarized
from irlint.operators import table
from irlint.rules.base import Model
from irlint.view.build import Builder

NET = """7767517
3 3
Input            inlayer  0 1 inblob 0=4 1=4 2=3
BinaryOp         scaled   1 1 inblob mid 0=2 1=1 2=0.5
Softmax          smlayer  1 1 mid smblob 0=0 1=1
"""


def model_of(text: str) -> Model:
    model = engine.lint(text, "model.param").model
    assert model is not None
    return model


def test_inputs_are_named_as_programs_name_them() -> None:
    model = model_of(NET)
    format_ = by_name("ncnn")
    assert format_ is not None
    mapping = format_.dryrun(model)
    summary = summarized(model, mapping, ())
    assert [port.name for port in (*summary.inputs, *summary.outputs)] == ["inblob", "smblob"]
    boxes = {box.kind: box.name for box in Builder(model, mapping).scene("", []).boxes}
    assert (boxes["input"], boxes["output"]) == ("inblob", "smblob")


def test_boxes_show_what_parameters_mean() -> None:
    boxes = Builder(model := model_of(NET), None).scene("", []).boxes
    assert model.graph.nodes
    shown = [line.text for box in boxes if box.title == "BinaryOp" for line in box.lines]
    assert shown == ["op_type = MUL", "with_scalar = yes", "b = 0.5"]


def test_differences_show_what_parameters_mean() -> None:
    found = differences(model_of(NET), model_of(NET.replace("0=2 1=1", "0=0 1=1")))
    assert "    attribute 0 (op_type): 2 (MUL) -> 0 (ADD)" in lines(found)


def test_descriptions_are_english() -> None:
    operator = table("ncnn").get("Convolution")
    assert operator is not None
    size, slopes = operator.attributes["6"], operator.attributes["10"]
    assert describe(size) == "weight_data_size, int, required unless dynamic_weight is set"
    assert list(limits(size)) == ["at least 1", "a multiple of num_output × kernel_w × kernel_h"]
    assert list(limits(slopes)) == ["since 20190611"]


@pytest.mark.parametrize("version", ["2024", "20240230", "20240411", "1.0", ""])
def test_targets_are_releases(version: str) -> None:
    assert target_trouble("ncnn", version)


@pytest.mark.parametrize("version", ["20171017", "20240410", "20261020", "20280101"])
def test_releases_are_targets(version: str) -> None:
    assert target_trouble("ncnn", version) is None
