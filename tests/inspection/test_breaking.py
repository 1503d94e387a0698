"""What breaks: a table of edits with the level of each, written before the rules were, and how the findings are located and configured."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from rule_cases.texts import NETWORK, SYMBOL, changed

from irlint.codes import Severity
from irlint.engine import Result, lint_bytes
from irlint.formats.samples import samples
from irlint.inspection.breaking import LEVELS, level_of
from irlint.jobs.versions import breaking, settings_for
from irlint.settings import Settings

ONNX = """\
<
   ir_version: 8,
   opset_import: ["" : 17],
   producer_name: "exporter",
   model_version: 1,
   metadata_props: ["names" : "cat dog", "stride" : "32", "author" : "me", "team" : "vision"]
>
net (
   float[N,3,8,8] image,
   float[N,4] extra
) => (
   float[N,4] scores,
   float[N,4] logits
) <
   float[4,3,8,8] kernel = {...},
   float[4] bias = {1.0,2.0,3.0,4.0},
   int64[2] flat = {0,4}
> {
   [conv] features = Conv <kernel_shape: ints = [8, 8]> (image, kernel, bias)
   [relu] positive = Relu (features)
   [flatten] flattened = Reshape (positive, flat)
   [add] logits = Add (flattened, extra)
   [softmax] scores = Softmax <axis: int = 1> (logits)
}
"""


def port(number: int, length: int, names: str = "") -> str:
    named = f' names="{names}"' if names else ""
    return f'<port id="{number}" precision="FP32"{named}><dim>{length}</dim><dim>4</dim></port>'


def layer(number: int, name: str, kind: str, data: str, takes: str = "", gives: str = "") -> str:
    op, opset = kind.split("-")
    parts = [data and f"<data {data}/>", takes and f"<input>{takes}</input>", gives and f"<output>{gives}</output>"]
    return f'\t\t<layer id="{number}" name="{name}" type="{op}" version="opset{opset}">{"".join(parts)}</layer>\n'


def edge(start: str, end: str) -> str:
    (layer, port), (to_layer, to_port) = start.split(":"), end.split(":")
    return f'\t\t<edge from-layer="{layer}" from-port="{port}" to-layer="{to_layer}" to-port="{to_port}"/>\n'


LAYERS = (
    layer(0, "image", "Parameter-1", 'shape="?,4" element_type="f32"', "", port(0, -1, "image")),
    layer(1, "extra", "Parameter-1", 'shape="1,4" element_type="f32"', "", port(0, 1, "extra,more")),
    layer(2, "read", "ReadValue-6", 'variable_id="memory" variable_type="f32" variable_shape="1,4"', port(0, 1), port(1, 1)),
    layer(3, "sum", "Add-1", 'auto_broadcast="numpy"', port(0, -1) + port(1, 1), port(2, -1, "sum")),
    layer(4, "write", "Assign-6", 'variable_id="memory"', port(0, 1)),
    layer(5, "classes", "SoftMax-8", 'axis="1"', port(0, -1), port(1, -1, "scores")),
    layer(6, "result", "Result-1", "", port(0, -1)),
)  # fmt: skip
EDGES = ("0:0 3:0", "1:0 2:0", "2:1 3:1", "2:1 4:0", "3:2 5:0", "5:1 6:0")
IR = f"""\
<?xml version="1.0"?>
<net name="sample" version="11">
	<layers>
{"".join(LAYERS)}	</layers>
	<edges>
{"".join(edge(*ends.split()) for ends in EDGES)}	</edges>
	<rt_info>
		<Runtime_version value="2024.6.0"/>
		<model_info>
			<labels value="cat dog"/>
			<team value="vision"/>
		</model_info>
	</rt_info>
</net>
"""
EXTRA = layer(7, "fresh", "Parameter-1", 'shape="1,4" element_type="f32"', "", port(0, 1, "fresh"))
RESULT = layer(7, "again", "Result-1", "", port(0, -1))
MODELS = {
    "onnx": ("model.onnxtxt", ONNX),
    "ir": ("model.xml", IR),
    "ir10": ("model.xml", changed(IR, ('version="11"', 'version="10"'))),
    "symbol": ("model-symbol.json", SYMBOL),
    "ncnn": ("model.param", NETWORK),
}
TWO = '"heads": [[4, 0, 0], [3, 0, 0]]'
HEADS = '"heads": [[4, 0, 0]]'
# model, what changes, the level that it breaks: "" none
TABLE: list[tuple[str, list[tuple[str, str]], str]] = [
    # breaking
    ("onnx", [("[relu] positive = Relu", "[relu] positive = Rellu")], "loads"),
    ("onnx", [("Softmax <axis: int = 1>", "Softmax <axis: int = 5>")], "loads"),
    ("onnx", [('["" : 17]', '["" : 18]')], "loads"),
    ("onnx", [('["" : 17]', '["" : 17, "com.microsoft" : 1]'), ("[relu] positive = Relu", "[relu] positive = com.microsoft.Gelu")], "loads"),
    ("onnx", [('["" : 17]', '["" : 17, "ai.onnx.ml" : 3]')], "loads"),
    ("onnx", [('["" : 17]', '["" : 17, "com.microsoft" : 1]')], ""),
    ("onnx", [('["" : 17]', '["" : 17, "pkg.exporter.common" : 2]')], ""),
    ("onnx", [("ir_version: 8", "ir_version: 9")], "loads"),
    ("onnx", [("image,\n", "pixels,\n"), ("(image, k", "(pixels, k")], "interface"),
    ("onnx", [("   float[N,4] extra\n", "   float[N,4] other\n"), ("flattened, extra", "flattened, other")], "interface"),
    ("onnx", [("image,\n   float[N,4] extra", "image"), ("Add (flattened, extra)", "Identity (flattened)")], "interface"),
    ("onnx", [("float[N,4] extra\n", "float[N,4] extra,\n   int64[1] more\n")], "interface"),
    ("onnx", [("float[N,4] scores", "float[N,4] odds"), ("scores = S", "odds = S")], "interface"),
    ("onnx", [("scores,\n   float[N,4] logits", "scores")], "interface"),
    ("onnx", [("float[N,4] scores,\n   float[N,4] logits", "float[N,4] logits,\n   float[N,4] scores")], "interface"),
    ("onnx", [("   float[N,3,8,8] image,\n   float[N,4] extra", "   float[N,4] extra,\n   float[N,3,8,8] image")], "interface"),
    ("onnx", [(") => (\n", ") => (\n   float[N,4,1,1] features,\n")], "interface"),
    ("onnx", [("float[N,3,8,8]", "float[1,3,8,8]")], "interface"),
    ("onnx", [("float[N,3,8,8] image", "float[N,3,9,8] image"), ("{0,4}", "{-1,4}"), ("[8, 8]", "[9, 8]"), ("float[4,3,8,8]", "float[4,3,9,8]")], "interface"),
    ("onnx", [("   float[N,4] extra", "   double[N,4] wide"), ("   [add]", "   [cast] extra = Cast <to: int = 1> (wide)\n   [add]")], "interface"),
    ("onnx", [("   float[N,4] extra", "   double[N,4] extra"), ("   [add] logits = Add (flattened, extra)", "   [cast] single = Cast <to: int = 1> (extra)\n   [add] logits = Add (flattened, single)")], "interface"),
    ("onnx", [("float[N,4] scores", "double[N,4] scores"), ("scores = Softmax <axis: int = 1> (logits)", "odds = Softmax <axis: int = 1> (logits)\n   [cast] scores = Cast <to: int = 11> (odds)")], "interface"),
    ("onnx", [("extra\n)", "extra\n)"), ("float[N,4] extra", "float[4] extra")], "interface"),
    ("onnx", [('"names" : "cat dog", ', "")], "interface"),
    ("onnx", [('"cat dog"', '"dog cat"')], "interface"),
    ("onnx", [('"32"', '"16"')], "interface"),
    ("onnx", [(', "team" : "vision"', "")], "interface"),
    ("onnx", [("kernel_shape: ints = [8, 8]>", "kernel_shape: ints = [8, 8], strides: ints = [2, 2]>")], "numerics"),
    ("onnx", [("Relu (features)", "Sigmoid (features)")], "numerics"),
    ("onnx", [("{1.0,2.0,3.0,4.0}", "{1.0,2.0,3.0,5.0}")], "numerics"),
    ("onnx", [("flattened, extra)", "flattened, flattened)"), ("Softmax <axis: int = 1> (logits)", "Add (logits, extra)")], "numerics"),
    ("ir", [('type="SoftMax"', 'type="SoftMaks"')], "loads"),
    ("ir", [('names="image"', 'names="pixels"')], "interface"),
    ("ir", [('names="extra,more"', 'names="extra"')], "interface"),
    ("ir", [(' names="image"', "")], "interface"),
    ("ir", [(' names="extra,more"', "")], "interface"),
    ("ir", [('names="scores"', 'names="odds"')], "interface"),
    ("ir", [('type="Result" version="opset1"', 'type="Result" version="opset1" output_names="odds"')], "interface"),
    ("ir", [("\t</layers>", EXTRA + "\t</layers>")], "interface"),
    ("ir", [('shape="?,4"', 'shape="2,4"')], "interface"),
    ("ir", [('<data variable_id="memory" variable', '<data variable_id="cache" variable'), ('<data variable_id="memory"/>', '<data variable_id="cache"/>')], "interface"),
    ("ir", [('<labels value="cat dog"/>\n\t\t\t', "")], "interface"),
    ("ir", [('"cat dog"', '"dog cat"')], "interface"),
    ("ir", [('axis="1"', 'axis="0"')], "numerics"),
    ("symbol", [('"op": "Activation"', '"op": "Activate"')], "loads"),
    ("symbol", [('"name": "data"', '"name": "image"')], "interface"),
    ("symbol", [('"num_hidden": "4"', '"num_hidden": "5"'), ("(4, 8)", "(5, 8)")], "interface"),
    ("symbol", [(HEADS, '"heads": [[3, 0, 0], [4, 0, 0]]')], "interface"),
    ("symbol", [('"act_type": "relu"', '"act_type": "sigmoid"')], "numerics"),
    ("ncnn", [("Convolution  ", "Convolutoin  ")], "loads"),
    ("ncnn", [("0 1 data 0=8", "0 1 image 0=8"), ("1 1 data conv", "1 1 image conv")], "interface"),
    ("ncnn", [("relu conv_1 out 0=0", "relu conv_1 sum 0=0")], "interface"),
    ("ncnn", [("0=8 1=8 2=3", "0=9 1=8 2=3")], "interface"),
    ("ncnn", [("out 0=0", "out 0=2")], "numerics"),
    # harmless
    ("onnx", [], ""),
    ("onnx", [("[conv]", "[stem]")], ""),
    ("onnx", [("[relu]", "[activation]"), ("[add]", "[sum]")], ""),
    ("onnx", [("positive = Relu", "active = Relu"), ("(positive, flat)", "(active, flat)")], ""),
    ("onnx", [("features = Conv", "maps = Conv"), ("Relu (features)", "Relu (maps)")], ""),
    ("onnx", [("float[4,3,8,8] kernel", "float[4,3,8,8] filters"), ("(image, kernel", "(image, filters")], ""),
    ("onnx", [("net (", "network (")], ""),
    ("onnx", [('"exporter"', '"another"')], ""),
    ("onnx", [("model_version: 1", "model_version: 2")], ""),
    ("onnx", [('"me"', '"you"')], ""),
    ("onnx", [('"author" : "me", ', "")], ""),
    ("onnx", [('"team" : "vision"', '"team" : "vision", "more" : "1"')], ""),
    ("onnx", [("float[N,3,8,8]", "float[B,3,8,8]"), ("float[N,4] extra", "float[B,4] extra"), ("float[N,4] scores", "float[B,4] scores"), ("float[N,4] logits", "float[B,4] logits")], ""),
    ("onnx", [("logits\n)", "logits,\n   float[N,4,1,1] features\n)")], ""),
    ("onnx", [("logits\n)", "logits,\n   float[N,4] flattened\n)")], ""),
    ("onnx", [("   int64[2] flat = {0,4}", "   int64[2] flat = {0,4},\n   float[4] spare = {1.0,1.0,1.0,1.0}")], ""),
    ("onnx", [("extra\n) =>", "extra,\n   float[4] bias\n) =>")], ""),
    ("onnx", [("float[N,4] scores", "float[M,4] scores")], ""),
    ("onnx", [("ir_version: 8", "ir_version: 7")], ""),
    ("onnx", [('["" : 17]', '["" : 16]')], ""),
    ("ir", [], ""),
    ("ir", [('name="sum" type', 'name="Add_12" type')], ""),
    ("ir", [('name="classes" type', 'name="Softmax_7" type')], ""),
    ("ir", [('name="image" type', 'name="Parameter_1" type')], ""),
    ("ir", [('name="result"', 'name="Result_99"')], ""),
    ("ir", [('names="image"', 'names="image,pixels"')], ""),
    ("ir", [('names="sum"', 'names="total"')], ""),
    ("ir", [('names="scores"', 'names="odds,scores"')], ""),
    ("ir", [('type="Result" version="opset1"', 'type="Result" version="opset1" output_names="odds,scores"')], ""),
    ("ir", [('<net name="sample"', '<net name="another"')], ""),
    ("ir", [('"2024.6.0"', '"2025.1.0"')], ""),
    ("ir", [("\t</layers>", RESULT + "\t</layers>"), ("\t</edges>", edge("3:2", "7:0") + "\t</edges>")], ""),
    ("ir10", [(' names="image"', "")], ""),
    ("symbol", [], ""),
    ("symbol", [('"name": "fc0",', '"name": "hidden",')], ""),
    ("symbol", [(HEADS, TWO)], ""),
    ("symbol", [("10901", "10700")], ""),
    ("symbol", [('"node_row_ptr": [0, 1, 2, 3, 4, 5],\n', "")], ""),
    ("ncnn", [], ""),
    ("ncnn", [("Convolution      conv ", "Convolution      stem ")], ""),
    ("ncnn", [("1 2 conv conv_0 conv_1", "1 2 conv left right"), ("1 1 conv_0 relu", "1 1 left relu"), ("relu conv_1 out", "relu right out")], ""),
    ("ncnn", [("Input            data ", "Input            start")], ""),
    ("ncnn", [("ReLU             relu ", "ReLU             act  ")], ""),
    ("ncnn", [("ReLU             relu     1 1 conv_0 relu", "ReLU             relu     1 1 conv_0 active"), ("2 1 relu conv_1", "2 1 active conv_1")], ""),
]  # fmt: skip
ALL = Settings(pedantic=True)


def lint(name: str, text: str) -> Result:
    return lint_bytes(text.encode(), name, Settings(missing_weights="optional"))


def compared(name: str, old: str, new: str, settings: Settings = ALL, level: str = "numerics") -> Result:
    return breaking(lint(name, old), lint(name, new), settings_for(settings, level), "old")


def broken(result: Result) -> str:
    """The worst level of the findings."""
    levels = {level_of(finding.code) for finding in result.findings}
    return next((level for level in LEVELS if level in levels), "")


def replaced(kind: str, text: str, changes: list[tuple[str, str]]) -> str:
    if kind != "ncnn":
        return changed(text, *changes)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def test_the_table_is_large_enough() -> None:
    assert sum(bool(level) for _, _, level in TABLE) >= 40
    assert sum(not level for _, _, level in TABLE) >= 40


@pytest.mark.parametrize(
    ("kind", "changes", "level"), [pytest.param(*row, id=f"{k}-{row[0]}") for k, row in enumerate(TABLE)]
)
def test_levels_are_those_of_the_table(kind: str, changes: list[tuple[str, str]], level: str) -> None:
    name, text = MODELS[kind]
    found = compared(name, text, replaced(kind, text, changes))
    assert broken(found) == level, [(finding.code, finding.message) for finding in found.findings]


@pytest.mark.parametrize("form", samples())
def test_a_model_breaks_nothing_of_itself(form: str) -> None:
    sample = samples()[form]
    old, new = (lint_bytes(sample.data, sample.name, Settings(missing_weights="optional")) for _ in "ab")
    assert breaking(old, new, settings_for(ALL, "numerics"), "old").findings == []


RENAMED = [("scores,\n", "odds,\n"), ("scores = S", "odds = S")]
WITH_TWO = changed(ONNX, *RENAMED, ("Relu (features)", "Sigmoid (features)"))


def test_findings_are_where_the_new_model_has_it() -> None:
    found = compared("model.onnxtxt", ONNX, WITH_TWO).findings
    assert [(one.code, str(one.severity), one.node) for one in found] == [
        ("B012", "error", "scores"),
        ("B020", "info", None),
    ]
    assert [note.message for note in found[0].related] == ["it was float32 [N, 4] at old:12:15"]


@pytest.mark.parametrize(
    ("settings", "level", "codes"),
    [
        (Settings(), "numerics", ["B012", "B020"]),
        (Settings(), "interface", ["B012"]),
        (Settings(), "loads", []),
        (Settings(ignore=("B02",)), "numerics", ["B012"]),
        (Settings(ignore=("removed-output",)), "numerics", ["B020"]),
        (Settings(select=("B020",)), "numerics", ["B020"]),
        (Settings(select=("S", "T")), "numerics", ["B012", "B020"]),  # which is about irlint check
        (Settings(select=("B01", "S")), "numerics", ["B012"]),
        (Settings(never=("B012",)), "numerics", ["B020"]),
    ],
)
def test_rules_are_configured_as_others_are(settings: Settings, level: str, codes: list[str]) -> None:
    found = compared("model.onnxtxt", ONNX, WITH_TWO, settings, level)
    assert [finding.code for finding in found.findings] == codes


def test_an_output_that_is_not_defined_any_more_is_reported_where_it_is_listed_after_what_does_not_load() -> None:
    found = compared("model.onnxtxt", ONNX, changed(ONNX, ("[softmax] scores =", "[softmax] score =")))
    lines = found.lines
    listed = [(one.code, lines.position(one.span.start).line) for one in found.findings]
    assert listed == [("B001", 12), ("B012", 12)]


def test_a_comment_suppresses_what_is_found_there() -> None:
    marked = changed(WITH_TWO, ("odds,\n", "odds,  # irlint: ignore[removed-output]\n"))
    result = compared("model.onnxtxt", ONNX, marked)
    assert ([finding.code for finding in result.findings], result.suppressed) == (["B020"], 1)
    assert lint("model.onnxtxt", marked).findings == []  # the comment is not idle for `irlint check`


def test_another_format_loads_in_another_way() -> None:
    found = breaking(lint("a.onnxtxt", ONNX), lint("a.xml", IR), settings_for(ALL, "loads"), "a.onnxtxt")
    assert [one.message.partition(":")[0] for one in found.findings] == [
        "expected a model of format onnx, got one of openvino, which programs load in another way"
    ]


EXTRA_GONE = [("image,\n   float[N,4] extra", "image"), ("Add (flattened, extra)", "Identity (flattened)")]
OTHER_BIAS = changed(ONNX, ("{1.0,2.0,3.0,4.0}", "{1.0,2.0,3.0,5.0}"))
NEEDED = changed(ONNX, ("float[N,4] extra", "float[1,4] extra"))
DEFAULT = changed(NEEDED, ("{0,4}", "{0,4},\n   float[1,4] extra = {0.0,0.0,0.0,0.0}"))
CONSTANT = changed(DEFAULT, ("image,\n   float[1,4] extra", "image"))
UNUSED = changed(DEFAULT, ("flattened, extra", "flattened, flattened"))
WITH_DOUBLE = UNUSED.replace("float[1,4] extra", "double[1,4] extra")
RELLU, NOTHING = (changed(ONNX, ("Relu (", f"{op} (")) for op in ("Rellu", "Nothing"))
ACT = """\
<domain: "own", opset_import: ["" : 17]>
Act (x) => (y) {
   [leaky] t = LeakyRelu <alpha: float = 0.1> (x)
   [sum] y = Add (t, x)
}
"""
SPARE = ACT.replace("Act", "Spare").replace("Add", "Sub")
CALLING = changed(ONNX, ('"" : 17]', '"" : 17, "own" : 1]'), ("positive = Relu", "positive = own.Act")) + ACT


def edited(text: str, *changes: tuple[str, str]) -> tuple[str, str]:
    return text, changed(text, *changes)


# the two versions, the settings, and for each finding its code, severity, and the text that it is at
CASES: list[tuple[tuple[str, str], Settings, list[tuple[str, str, str]]]] = [
    ((ONNX, WITH_TWO), ALL, [("B012", "error", "odds"), ("B020", "info", "relu")]),
    ((ONNX, WITH_TWO), Settings(severities=(("B020", Severity.ERROR),)), [("B012", "error", "odds"), ("B020", "error", "relu")]),
    (edited(ONNX, *EXTRA_GONE), Settings(select=("B01",)), [("B010", "error", "image")]),
    ((ONNX, OTHER_BIAS), Settings(), [("B021", "info", "bias")]),
    ((ONNX, OTHER_BIAS), Settings(ignore=("changed-weights",)), []),
    # whether it loads
    ((RELLU, NOTHING), Settings(select=("B00",)), []),
    ((ONNX, "nothing at all\n"), ALL, [("B001", "error", "")]),
    # onnxruntime uses the shape that it infers
    (edited(ONNX, ("float[N,4] logits", "float[N,5] logits")), Settings(select=("B001",)), [("B001", "warning", "float[N,5]")]),
    (edited(ONNX, ('"" : 17', '"" : 19')), Settings(select=("B00",)), [("B002", "info", "19")]),
    # inputs with values
    ((NEEDED, DEFAULT), ALL, []),
    ((DEFAULT, NEEDED), ALL, [("B011", "error", "extra")]),
    ((DEFAULT, CONSTANT), ALL, [("B010", "warning", "image")]),
    ((CONSTANT, DEFAULT), ALL, []),
    ((DEFAULT, DEFAULT.replace("extra", "other")), ALL, [("B010", "warning", "other")]),
    ((UNUSED, WITH_DOUBLE), ALL, [("B014", "error", "extra")]),
    # before IR version 4 a program cannot set them
    ((DEFAULT.replace("ir_version: 8", "ir_version: 3"), CONSTANT.replace("ir_version: 8", "ir_version: 3")), ALL, []),
    # functions
    (edited(CALLING, ("0.1", "0.2")), ALL, [("B020", "info", "Act")]),
    (edited(CALLING, ("LeakyRelu <alpha: float = 0.1>", "Relu")), ALL, [("B020", "info", "Act")]),
    (edited(CALLING, ("Add (t, x)", "Add (t, t)")), ALL, [("B020", "info", "Act")]),
    (edited(CALLING, ("[leaky] t", "[first] u"), ("Add (t, x)", "Add (u, x)")), ALL, []),
    (edited(CALLING, ("Act (x)", "Act (z)"), ("0.1> (x)", "0.1> (z)"), ("(t, x)", "(t, z)")), ALL, []),
    ((CALLING, CALLING + SPARE), ALL, []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "settings", "expected"), [pytest.param(*one, id=str(k)) for k, one in enumerate(CASES)]
)
def test_what_is_found(texts: tuple[str, str], settings: Settings, expected: list[tuple[str, str, str]]) -> None:
    new = texts[1]
    found = compared("model.onnxtxt", *texts, settings).findings
    assert [(one.code, str(one.severity), new[one.span.start : one.span.end]) for one in found] == expected


TOKENS = [  # an edit, what the finding is at, and its note
    ([("Relu (features)", "Neg (features)")], "relu", "'relu' (Neg) changed"),
    ([("axis: int = 1", "axis: int = 0")], "softmax", "'softmax' (Softmax) changed"),
    ([("[flatten]", "[new] n = Tanh (positive)\n   [flatten]"), ("Reshape (positive", "Reshape (n")], "new", "'new' (Tanh) is new"),
    ([("   [relu] positive = Relu (features)\n", ""), ("(positive, flat)", "(features, flat)")], "flatten", "'relu' (Relu) was removed"),
    ([("[relu] positive = Relu (", "[other] other = Tanh ("), ("(positive,", "(other,")], "other", "'other' (Tanh) changed"),
    ([("(flattened, extra)", "(flattened, flattened)")], "add", "'add' (Add) changed"),
]  # fmt: skip


@pytest.mark.parametrize("case", TOKENS, ids=lambda case: case[1])
def test_one_changed_operator_is_one_node_at_its_own_token(case: tuple[list[tuple[str, str]], str, str]) -> None:
    changes, token, note = case
    new = changed(ONNX, *changes)
    (found,) = compared("model.onnxtxt", ONNX, new, Settings(select=("B020",))).findings
    assert found.message == "1 node computed in another way"
    assert new[found.span.start : found.span.end] == token
    assert note in [one.message for one in found.related]


def test_a_shape_that_holds_what_it_held_is_no_other_computation() -> None:
    text = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[%s,4] x) => (float[%s,4] y) <int64[2] to = {%s,4}> { [n] y = Reshape (x, to) }\n'
    old, wrong = text % (1, 1, 1), text % (1, 1, 2)
    assert [one.code for one in compared("a.onnxtxt", old, text % ("N", "N", -1), ALL).findings] == []
    assert [one.code for one in compared("a.onnxtxt", text % ("N", "N", -1), old, ALL).findings] == ["B015"]
    assert "B021" not in [one.code for one in compared("a.onnxtxt", old, wrong, ALL).findings]


DYNAMIC = """\
<
   ir_version: 8,
   opset_import: ["" : 17]
>
net (float[N,4,8] x) => (float[N,4,8] y) <float[8,8] w = {...}, int64[2] rows = {-1,8}, int64[3] back = {-1,4,8}> {
   [flatten] flat = Reshape (x, rows)
   [product] product = MatMul (flat, w)
   [restore] y = Reshape (product, back)
}
"""


@pytest.mark.parametrize(("back", "expected"), [("1,4,8", ["B015"]), ("-1,4,8", [])])
def test_a_batch_that_a_tool_wrote_into_the_model_is_found_whatever_it_declares(back: str, expected: list[str]) -> None:
    result = compared("net.onnxtxt", DYNAMIC, DYNAMIC.replace("{-1,4,8}", f"{{{back}}}"), level="interface")
    assert [one.code for one in result.findings] == expected
    assert not expected or result.findings[0].message.startswith(
        "the new version no longer takes every length: with 'x' ["
    )


def test_a_version_that_takes_no_length_at_all_is_only_broken() -> None:
    result = compared("net.onnxtxt", DYNAMIC, DYNAMIC.replace("float[8,8] w", "float[7,8] w"), level="interface")
    assert [one.code for one in result.findings] == ["B001"]


def test_a_target_makes_a_newer_opset_an_error() -> None:
    settings = Settings(targets=(("onnxruntime", "1.13"),))
    newer = changed(ONNX, ('"" : 17', '"" : 19'))
    old, new = (lint_bytes(text.encode(), "model.onnxtxt", settings) for text in (ONNX, newer))
    found = breaking(old, new, settings_for(settings, "loads"), "old").findings
    assert [(one.code, str(one.severity)) for one in found] == [("B001", "error"), ("B002", "info")]


def test_weights_that_layers_hold_are_compared(tmp_path: Path) -> None:
    size = 4 * (1 + 108 + 4)  # a tag, the kernel and the bias of a convolution
    results = []
    for name, one in (("a", b"\0\0\x80\x3f"), ("b", b"\0\0\0\x40")):
        path = tmp_path / f"{name}.param"
        path.write_text(NETWORK)
        path.with_suffix(".bin").write_bytes(bytes(4) + one * (size // 4 - 1))
        results.append(lint_bytes(NETWORK.encode(), str(path), Settings(), path=path))
    assert [result.findings for result in results] == [[], []]
    old, new = results
    assert [one.code for one in breaking(old, new, settings_for(ALL, "numerics"), "old").findings] == ["B021"]
    assert breaking(old, old, settings_for(ALL, "numerics"), "old").findings == []


MANY = 12_000


def with_entries(value: str) -> str:
    return changed(ONNX, ('"team" : "vision"', ", ".join(f'"k{k}" : "{value}"' for k in range(MANY))))


def with_opsets(version: int) -> str:
    return changed(ONNX, ('"" : 17', ", ".join(['"" : 17', *(f'"d{k}" : {version}' for k in range(MANY))])))


def with_labels(value: str) -> str:
    return changed(IR, ('<team value="vision"/>', "".join(f'<k{k} value="{value}"/>' for k in range(MANY))))


def with_names(letter: str) -> str:
    return changed(IR, ("extra,more", ",".join(f"{letter}{k}" for k in range(4 * MANY))))


@pytest.mark.parametrize(
    ("name", "old", "new", "more"),
    [
        ("model.onnxtxt", with_entries("a"), ONNX, MANY - 10_000),
        ("model.onnxtxt", with_entries("a"), with_entries("b"), MANY - 10_000),
        ("model.onnxtxt", with_opsets(1), with_opsets(2), None),
        ("model.xml", with_labels("a"), with_labels("b"), MANY - 10_000),
        ("model.xml", with_names("a"), with_names("b"), None),
    ],
)
def test_what_a_hostile_model_has_is_bounded(name: str, old: str, new: str, more: int | None) -> None:
    began = process_time()
    found = compared(name, old, new).findings
    assert process_time() - began < 10
    assert len(found) == (10_001 if more is not None else name == "model.xml")
    assert [one.more for one in found if one.more] == ([] if more is None else [more])


def test_many_ports_with_other_names_are_compared_in_little_time() -> None:
    def with_ports(letter: str, kind: str) -> str:
        ports = "".join(f",\n   {kind}[{k + 1}] {letter}{k}" for k in range(3000))
        return changed(ONNX, ("extra\n) =>", f"extra{ports}\n) =>"))

    began = process_time()
    found = compared("model.onnxtxt", with_ports("a", "float"), with_ports("b", "double"))
    assert process_time() - began < 20
    assert {one.code for one in found.findings} == {"B010", "B011"}
