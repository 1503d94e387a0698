"""What belongs to no single rule: recognising, dialects, targets, silencing, reading."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rule_cases import cases

from irlint import engine
from irlint.findings import Severity
from irlint.formats.lightnet.checks.memory_plan import MemoryPlan
from irlint.formats.lightnet.shapes import SHAPES
from irlint.formats.lightnet.shapes.base import KnownTensor
from irlint.formats.lightnet.signature import signature
from irlint.operators import table
from irlint.settings import Settings

from .layout import render
from .models import MODELS, create, model, op, show


def _codes(text: str, **settings: Any) -> list[str]:
    return [finding.code for finding in engine.lint(text, "model.json", Settings(**settings)).findings]


COMPILED = {
    "mem_sizes_h": [0, 0],
    "mem_sizes_l": [0, 9],
    "ops": [
        {
            "name": "z",
            "optype": "zeros_cpu",
            "tensors_in": [],
            "tensors_out": [{"arg_name": "dst", "name": "a", "dims": [2], "offset_h": 0, "offset_l": 1}],
            "params": [{"arg_name": "dtype", "value": "TL_FLOAT"}, {"arg_name": "dims", "value": [2]}],
        },
        {
            "name": "show",
            "optype": "print_cpu",
            "tensors_in": [{"arg_name": "src", "name": "a", "dims": [2], "offset_h": 0, "offset_l": 1}],
            "tensors_out": [],
            "params": [{"arg_name": "msg", "value": "a"}],
        },
    ],
}


def test_dialects() -> None:
    assert engine.lint(render(model("small")).text).dialect == "source"
    compiled = engine.lint(json.dumps(COMPILED))
    assert (compiled.dialect, compiled.findings) == ("compiled", [])
    unplanned = {key: value for key, value in COMPILED.items() if key == "ops"}
    assert set(_codes(json.dumps(unplanned))) == {"O101"}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.net", "create(| dst=a | dtype=TL_FLOAT, dims=[2]);\nprint(src=a || msg=\"a\");\n", "intermediate language"),
        ("a.op", 'relu {\n  optype: "relu",\n  tensors_in: [{arg_name: "src"}]\n}\n', "operator description"),
        ("a.json", '{"ops": [{"optype": "relu", "rules": [{"cond": [], "replace": ["relu_cpu"]}]}]}', "expander"),
        (
            "a.json",
            '{"ops": [{"optype": "x", "arch": "cpu", "tensors_in": [{"arg_name": "src", "mtype": "LN_MEM_CPU"}],'
            ' "params": [{"arg_name": "axis", "ptype": "LN_PARAM_NUMBER"}]}]}',
            "operator description",
        ),
    ],
)  # fmt: skip
def test_files_beside_the_format_are_named(name: str, text: str, words: str) -> None:
    (finding,) = engine.lint(text, name).findings
    assert finding.code == "S012"
    assert words in finding.message


@pytest.mark.parametrize(
    "text", ['{"nodes": [], "arg_nodes": []}', '{"ops": 1.5, "x": [1]}', "ops: []", "[1, 2]", "{}"]
)
def test_foreign_files_are_left_alone(text: str) -> None:
    assert engine.lint(text, "model.json").format != "lightnet"


@pytest.mark.parametrize("ops", ["null", '{"cut": {}}', "5", '"relu"'])
def test_a_model_whose_ops_are_no_list_has_to_be_called_one(ops: str) -> None:
    text = f'{{"ops": {ops}}}'
    assert engine.lint(text, "model.json").format is None
    (finding,) = engine.lint(text, "model.json", as_format="lightnet").findings
    assert (finding.code, text[finding.span.start : finding.span.end]) == ("T001", ops)


def test_targets_decide_how_bad_a_missing_operator_is() -> None:
    document = {"ops": model("rarities")["ops"][8:12]}
    text = render(document).text

    def severity(**targets: str) -> list[Severity]:
        settings = Settings(targets=tuple(targets.items()))
        return [f.severity for f in engine.lint(text, "model.json", settings).findings if f.code == "C001"]

    assert severity() == [Severity.WARNING]
    assert severity(lightnet="cpu") == [Severity.ERROR]
    assert severity(lightnet="tensorrt") == []


def test_comments_silence_findings() -> None:
    text = render(model("small")).text.replace('"slice"', '"slices"')
    line = next(line for line in text.split("\n") if '"slices"' in line)
    assert _codes(text) == ["O001"]
    assert _codes(text.replace(line, line + " // irlint: ignore[O001]")) == []
    assert _codes(text.replace(line, "// irlint: ignore[unknown-operator]\n" + line)) == []
    assert _codes(text.replace(line, line + " /* irlint: ignore */")) == []
    assert _codes(text.replace(line, line + " // irlint: ignore[R001]")) == ["O001", "G005"]
    assert "O001" in _codes(text.replace('"part:"', '"// irlint: ignore"'))


def test_the_graph() -> None:
    result = engine.lint(render(model("pairs")).text)
    assert result.model is not None
    graph = result.model.graph
    assert [node.op for node in graph.nodes][:3] == ["create", "create", "elew"]
    assert [tuple(source) for source in graph.nodes[2].inputs] == [(0, 0), (1, 0)]
    assert graph.nodes[2].input_names == ("src1", "src2")
    assert graph.nodes[6].outputs[1].name == "at"
    assert result.model.state.tensors[6][1] == KnownTensor("TL_INT32", [1, 2])


def test_every_abstract_operator_has_a_shape_function() -> None:
    operators = table("lightnet")
    names = {name for name in operators.names if (known := signature(name)) and known.architecture == "none"}
    assert names == set(SHAPES)
    used = {each["optype"] for name in MODELS for each in model(name)["ops"]}
    assert names == used


def test_a_long_chain_is_no_recursion() -> None:
    ops = model("small")["ops"][:1]
    for k in range(5000):
        source = "whole" if k == 0 else f"t{k - 1}"
        ops.append(
            {
                "name": f"r{k}",
                "optype": "relu",
                "tensors_in": [{"arg_name": "src", "name": source}],
                "tensors_out": [{"arg_name": "dst", "name": f"t{k}"}],
                "params": [],
            }
        )
    assert _codes(json.dumps({"ops": ops})) == []
    assert _codes(json.dumps({"ops": [*ops[1:], ops[0]]})) == ["R002"]
    ops[1]["tensors_in"][0]["name"] = "t4999"
    assert _codes(json.dumps({"ops": ops})) == ["R004"]


@pytest.mark.parametrize(
    ("high", "low"), [("[0]", "[1]"), ("[0]", "[1, 2]"), ("[0, 0]", "[1]"), ("[0, 0, 0]", "[1, 2, 3]")]
)
def test_memory_sizes_of_a_wrong_length_are_one_mistake(high: str, low: str) -> None:
    sizes = f'{{"mem_sizes_h": {high}, "mem_sizes_l": {low}, '
    assert _codes(render(model("small")).text.replace("{", sizes, 1)) == ["T004"]


def test_a_misspelt_key_is_one_mistake() -> None:
    symbol = '{"nodes": [{"op": "null", "name": "x", "imputs": []}], "arg_nodes": [0], "heads": [[0, 0, 0]]}'
    assert [code for code in _codes(symbol) if code.startswith("T")] == ["T002"]


@pytest.mark.parametrize("blank", ["\n", "\r\n", " ", "\t", " \n"])
def test_a_file_of_blanks_has_no_model(blank: str) -> None:
    assert _codes(blank * 60_000) == ["S011"]


def test_a_long_name_may_hold_half_a_character() -> None:
    text = render(model("small")).text
    name = json.loads(text)["ops"][0]["name"]
    assert "S007" in _codes(text.replace(f'"{name}"', '"' + "k" * 200 + '\\ud800"', 1))


@pytest.mark.parametrize("keys", [("OpType", "optype"), ("optype", "OpType"), ("OPTYPE", "OpType")])
def test_of_two_spellings_of_a_key_neither_is_changed_nor_deleted(keys: tuple[str, str]) -> None:
    """LightNet reads the first, other programs the one that is spelled `optype`: only the author knows which was meant."""
    text = render(model("small")).text.replace('"optype": "', f'"{keys[0]}": "x", "{keys[1]}": "', 1)
    findings = engine.lint(text, "model.json").findings
    assert {"S002", "T005"} <= {finding.code for finding in findings}
    assert [finding.fix for finding in findings if finding.code in ("S002", "T005") and finding.fix] == []


def test_a_file_that_prints_nothing_leaves_its_results_to_programs() -> None:
    """The usual way to use a model from a program: nothing that its author can act on."""
    small = model("small")
    small["ops"].pop()
    text = json.dumps(small)
    assert _codes(text) == []
    (finding,) = engine.lint(text, "<text>", Settings(pedantic=True)).findings
    assert (finding.code, str(finding.severity)) == ("G002", "pedantic")


@pytest.mark.parametrize("size", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_sizes_that_are_no_numbers_are_no_crash(size: str) -> None:
    text = next(example.text for example in cases(MemoryPlan).invalid)
    for key in ("mem_sizes_h", "mem_sizes_l"):
        assert f'"{key}": [0, ' in text
        engine.lint(text.replace(f'"{key}": [0, ', f'"{key}": [{size}, '), "<text>")


def _divided(divisor: Any, dtype: str = "TL_DOUBLE") -> list[Any]:
    quotient = op("d", "elew", {"src1": "a", "src2": "b"}, {"dst": "o"}, elew_op="TL_DIV")
    return [create("a", [2], [1, 2], dtype), divisor, quotient, show("o")]


def _range(start: float, stop: float, step: float) -> Any:
    return op("r", "arange", {}, {"dst": "b"}, dtype="TL_DOUBLE", start=start, stop=stop, step=step)


DRAWN = op("b", "create", {}, {"dst": "b"}, dtype="TL_DOUBLE", dims=[2], data=[0], ran=[0, 1], from_file=False)
SMALL = create("a", [2, 2])


def _scaled(scale: float) -> list[Any]:
    return [SMALL, op("u", "upsample", {"src": "a"}, {"dst": "o"}, mode="TL_NEAREST", scales=[1, scale]), show("o")]


@pytest.mark.parametrize(
    ("ops", "told"),
    [
        (_divided(DRAWN), {}),
        (_divided(_range(-1e308, 1e308, 1e-300)), {"D009": "too many numbers from -1e+308"}),
        (_divided(_range(0, 1e10, 1)), {"D009": "LightNet supports at most 2147483647", "A101": "which contains 0"}),
        (_scaled(3e38), {"D005": "scaling 2 elements by 3e+38 leaves none"}),
        (_scaled(10**400), {"S004": "401 characters"}),
        ([create("a", [2]), op("f", "fprint", {"src": "a"}, {}, msg="a", file="")], {"X101": "empty file name"}),
        (
            [create("a", [2, 3]), op("s", "scatter", {"src": "a"}, {"dst1": "x", "other": "y"}), show("x")],
            {"C001": "", "O003": "", "O004": "unknown output `other` for scatter 's'; LightNet reads only `dst*`"},
        ),
        # the undefined tensor may be the output that is missing
        ([op("z", "zeros", {}, {}, dtype="TL_FLOAT", dims=[2]), show("q"), show("r")], {"O003": "missing output `dst`"}),
        (
            [op("s", "bn2scale_wts_cpu", {}, {"dst_scale": "u"}, epsilon=1.0), show("u")],
            {"O101": "is only for compiled files", "O002": "", "O003": ""},
        ),
    ],
)  # fmt: skip
def test_what_is_said_of_rare_slips(ops: list[Any], told: dict[str, str]) -> None:
    findings = engine.lint(json.dumps({"ops": ops}), "model.json").findings
    assert {finding.code for finding in findings} == told.keys()
    assert [finding for finding in findings if told[finding.code] not in finding.message] == []
    assert "did you mean `bn2scale_wts_cpu`" not in str(findings)


def test_a_target_takes_a_compiled_operator() -> None:
    text = json.dumps({"ops": [{**create("a", [2]), "optype": "create_cuda"}, show("a")]})
    assert _codes(text) == ["O101"]
    assert _codes(text, targets={"lightnet": "tensorrt"}) == []


def test_of_tensors_past_the_end_the_size_is_to_blame() -> None:
    ops = []
    for k in range(3):
        place = {"name": f"a{k}", "dims": [2], "offset_h": 0, "offset_l": 8 * k + 1}
        ops.append({**COMPILED["ops"][0], "name": f"z{k}", "tensors_out": [{"arg_name": "dst", **place}]})
        ops.append({**COMPILED["ops"][1], "name": f"show{k}", "tensors_in": [{"arg_name": "src", **place}]})
    found = engine.lint(json.dumps({**COMPILED, "ops": ops})).findings
    assert [(f.code, f.pointer) for f in found] == [("D101", "/mem_sizes_l/1")]
    assert "(and 1 more tensor)" in found[0].message


def test_more_mismatches_than_can_be_tried_are_each_reported() -> None:
    """In a large graph only a few trials are affordable, and those of the first mismatches use them up."""
    ops = []
    for k in range(1500):
        tensors = {"a": [2, 4], "b": [3, 4], "c": [2, 9]}
        ops += [create(f"{name}{k}", dims) for name, dims in tensors.items()]
        ops.append(op(f"e{k}", "concat", {"src1": f"a{k}", "src2": f"b{k}"}, {"dst": f"o{k}"}, axis=1))
        ops.append(op(f"p{k}", "elew", {"src1": f"o{k}", "src2": f"c{k}"}, {"dst": f"v{k}"}, elew_op="TL_SUM"))
        ops.append(show(f"v{k}"))
    codes = _codes(json.dumps({"ops": ops}))
    assert set(codes) == {"D001"}
    assert len(codes) >= 1500
