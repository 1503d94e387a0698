"""What editors do with operands of pnnx's graphs."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.formats.base import by_name
from irlint.text.base import apply

GRAPH = """7767517
3 2
pnnx.Input               in0        0 1 0 #0=(1,3)f32
F.softmax                soft       1 1 0 1 dim=1 $input=0 #0=(1,3)f32 #1=(1,3)f32
pnnx.Output              out        1 0 1 #1=(1,3)f32
"""


@pytest.mark.parametrize("needle", ["0 1 dim", "0 #0=(1,3)f32 #1", "0=(1,3)f32 #1", "0=(1,3)f32\nF"])
def test_operands_are_renamed_in_types_and_names_of_inputs(needle: str) -> None:
    model, format_ = engine.lint(GRAPH, "model.pnnx.param").model, by_name("pnnx")
    assert model is not None
    assert format_ is not None
    navigation = format_.navigation()
    target = navigation.referent(model, GRAPH.index(needle))
    assert target is not None
    expected = GRAPH.replace("0 1 0 #0", "0 1 x #x").replace("1 1 0 1 dim=1 $input=0 #0", "1 1 x 1 dim=1 $input=x #x")
    assert apply(GRAPH, navigation.rename(model, target, "x").edits) == expected


def test_an_operator_is_renamed() -> None:
    model, format_ = engine.lint(GRAPH, "model.pnnx.param").model, by_name("pnnx")
    assert model is not None
    assert format_ is not None
    navigation = format_.navigation()
    target = navigation.referent(model, GRAPH.index("soft "))
    assert target is not None
    assert apply(GRAPH, navigation.rename(model, target, "it").edits) == GRAPH.replace("soft ", "it ")
