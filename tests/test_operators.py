"""An operator table says the same, whether its operators are read at once or one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from irlint.operators import OperatorTable, nearest, table
from irlint.tools.installed import load_json

TABLES = ("mxnet", "nnvm", "openvino", "relay", "lightnet", "ncnn", "pnnx", "onnx")


@pytest.mark.parametrize("name", TABLES)
def test_operators_are_the_same_one_by_one(name: str) -> None:
    by_need, at_once = table(name), OperatorTable(name, load_json(f"operators/{name}.json"))
    assert by_need.names == at_once.names
    for operator in at_once.names:
        assert by_need.get(operator) == at_once.get(operator)
    assert {**by_need.raw, "operators": 0} == {**at_once.raw, "operators": 0}


def test_the_large_table_has_an_operator_a_line() -> None:
    """Which is what makes it quick to read."""
    text = (Path(__file__).parent.parent / "schemas/operators/mxnet.json").read_text("utf-8")
    assert text.count('\n"') - text.partition('"operators"')[0].count('\n"') - 1 == len(
        load_json("operators/mxnet.json")["operators"]
    )


@pytest.mark.parametrize(
    ("word", "words", "meant"),
    [
        ("CONVOLUTON", ["Convolution"], "Convolution"),
        ("relu", ["Relu", "relu"], "relu"),
        ("RELU", ["Relu", "relu"], "Relu"),
    ],
)
def test_nearest_minds_letter_case_only_for_an_equal_word(word: str, words: list[str], meant: str) -> None:
    assert nearest(word, words) == meant
