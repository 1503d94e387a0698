"""Which dialect a graph is in where only its operators can tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from irlint import engine
from irlint.formats.nnvm.reading.dialect import dialect_of
from irlint.operators import table


def graph(*nodes: tuple[str, dict[str, str]], key: str = "attrs") -> dict[str, Any]:
    """A chain of operators after one variable."""
    found: list[dict[str, Any]] = [{"op": "null", "name": "x", "inputs": []}]
    for k, (op, attrs) in enumerate(nodes):
        found.append({"op": op, "name": f"n{k}", "inputs": [[k, 0, 0]], key: attrs})
    last = len(nodes)
    return {"nodes": found, "arg_nodes": [0], "node_row_ptr": list(range(last + 2)), "heads": [[last, 0, 0]]}


@pytest.mark.parametrize(
    ("op", "attrs", "dialect"),
    [
        ("expand_dims", {"axis": "1", "num_newaxis": "2"}, "classic"),
        ("split", {"indices_or_sections": "2", "axis": "1"}, "classic"),
        ("split", {"num_outputs": "2", "axis": "1"}, "mxnet"),
        ("pad", {"pad_width": "((0, 0), (1, 1))"}, "classic"),
        ("pad", {"pad_width": "(0, 0, 1, 1)", "mode": "constant"}, "mxnet"),
        ("softmax", {"temperature": "2"}, "mxnet"),
        ("argmax", {"axis": "1", "exclude": "True"}, "classic"),
        ("sum", {"axis": "1", "keepdims": "True"}, "mxnet"),  # either; the common one
        ("expand_dims", {"axis": "1", "__ctx_group__": "a"}, "mxnet"),
    ],
)
def test_attributes_that_only_one_dialect_has(op: str, attrs: dict[str, str], dialect: str) -> None:
    for key in ("attrs", "attr"):
        found = dialect_of(graph((op, attrs), key=key))
        assert found is not None
        assert found.dialect == dialect


def test_every_operator_that_both_have() -> None:
    """An attribute that one table has and the other lacks decides, whichever operator it is of."""
    mxnet, nnvm = table("mxnet"), table("nnvm")
    checked = 0
    for op in nnvm.raw["operators"]:
        ours, theirs = nnvm.get(op), mxnet.get(op)
        if ours is None or theirs is None:
            continue
        for one, other, dialect in ((ours, theirs, "classic"), (theirs, ours, "mxnet")):
            needed = {name for name, a in one.attributes.items() if a.required}
            for name in [name for name in one.attributes if name not in other.attributes]:
                attrs = {key: sample(one.attributes[key]) for key in sorted(needed | {name})}
                found = dialect_of(graph((op, attrs)))
                assert found is not None
                assert found.dialect == dialect, (op, attrs, found.text)
                checked += 1
    assert checked >= 20


def sample(attribute: Any) -> str:
    words = {"bool": "True", "shape": "(1, 1)", "ints": "(1, 1)"}
    return attribute.values[0] if attribute.values else words.get(attribute.kind, attribute.default or "1")


def test_a_classic_graph_has_no_findings_of_mxnet() -> None:
    text = json.dumps(graph(("expand_dims", {"axis": "1", "num_newaxis": "2"}), ("relu", {})))
    result = engine.lint(text, "g.json")
    assert result.dialect == "classic"
    assert [f.code for f in result.findings if f.code.startswith("A")] == []


def test_operators_of_one_dialect_outweigh_one_attribute() -> None:
    found = dialect_of(graph(("Activation", {"act_type": "relu"}), ("Flatten", {}), ("sum", {"dtype": "int32"})))
    assert found is not None
    assert found.dialect == "mxnet"
