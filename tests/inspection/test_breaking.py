"""What breaks: a table of edits with the level of each, written before the rules were, and how the findings are located and configured."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

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
IR = """\
<?xml version="1.0"?>
<net name="sample" version="11">
	<layers>
		<layer id="0" name="image" type="Parameter" version="opset1">
			<data shape="?,4" element_type="f32"/>
			<output>
				<port id="0" precision="FP32" names="image">
					<dim>-1</dim>
					<dim>4</dim>
				</port>
			</output>
		</layer>
		<layer id="1" name="extra" type="Parameter" version="opset1">
			<data shape="1,4" element_type="f32"/>
			<output>
				<port id="0" precision="FP32" names="extra,more">
					<dim>1</dim>
					<dim>4</dim>
				</port>
			</output>
		</layer>
		<layer id="2" name="read" type="ReadValue" version="opset6">
			<data variable_id="memory" variable_type="f32" variable_shape="1,4"/>
			<input>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>4</dim>
				</port>
			</input>
			<output>
				<port id="1" precision="FP32">
					<dim>1</dim>
					<dim>4</dim>
				</port>
			</output>
		</layer>
		<layer id="3" name="sum" type="Add" version="opset1">
			<data auto_broadcast="numpy"/>
			<input>
				<port id="0" precision="FP32">
					<dim>-1</dim>
					<dim>4</dim>
				</port>
				<port id="1" precision="FP32">
					<dim>1</dim>
					<dim>4</dim>
				</port>
			</input>
			<output>
				<port id="2" precision="FP32" names="sum">
					<dim>-1</dim>
					<dim>4</dim>
				</port>
			</output>
		</layer>
		<layer id="4" name="write" type="Assign" version="opset6">
			<data variable_id="memory"/>
			<input>
				<port id="0" precision="FP32">
					<dim>1</dim>
					<dim>4</dim>
				</port>
			</input>
		</layer>
		<layer id="5" name="classes" type="SoftMax" version="opset8">
			<data axis="1"/>
			<input>
				<port id="0" precision="FP32">
					<dim>-1</dim>
					<dim>4</dim>
				</port>
			</input>
			<output>
				<port id="1" precision="FP32" names="scores">
					<dim>-1</dim>
					<dim>4</dim>
				</port>
			</output>
		</layer>
		<layer id="6" name="result" type="Result" version="opset1">
			<input>
				<port id="0" precision="FP32">
					<dim>-1</dim>
					<dim>4</dim>
				</port>
			</input>
		</layer>
	</layers>
	<edges>
		<edge from-layer="0" from-port="0" to-layer="3" to-port="0"/>
		<edge from-layer="1" from-port="0" to-layer="2" to-port="0"/>
		<edge from-layer="2" from-port="1" to-layer="3" to-port="1"/>
		<edge from-layer="2" from-port="1" to-layer="4" to-port="0"/>
		<edge from-layer="3" from-port="2" to-layer="5" to-port="0"/>
		<edge from-layer="5" from-port="1" to-layer="6" to-port="0"/>
	</edges>
	<rt_info>
		<Runtime_version value="2024.6.0"/>
		<model_info>
			<labels value="cat dog"/>
			<team value="vision"/>
		</model_info>
	</rt_info>
</net>
"""

MODELS = {
    "onnx": ("model.onnxtxt", ONNX),
    "ir": ("model.xml", IR),
    "ir10": ("model.xml", changed(IR, ('version="11"', 'version="10"'))),
    "symbol": ("model-symbol.json", SYMBOL),
    "ncnn": ("model.param", NETWORK),
}
TWO = '"heads": [[4, 0, 0], [3, 0, 0]]'
HEADS = '"heads": [[4, 0, 0]]'
EXTRA = """\
		<layer id="7" name="fresh" type="Parameter" version="opset1">
			<data shape="1,4" element_type="f32"/>
			<output>
				<port id="0" precision="FP32" names="fresh">
					<dim>1</dim>
					<dim>4</dim>
				</port>
			</output>
		</layer>
	</layers>"""
RESULT = """\
		<layer id="7" name="again" type="Result" version="opset1">
			<input>
				<port id="0" precision="FP32">
					<dim>-1</dim>
					<dim>4</dim>
				</port>
			</input>
		</layer>
	</layers>"""
LOOSE = "<net name"

# model, what changes, the level that it breaks: "" none
TABLE: list[tuple[str, list[tuple[str, str]], str]] = [
    # breaking
    ("onnx", [("[relu] positive = Relu", "[relu] positive = Rellu")], "loads"),
    ("onnx", [("Softmax <axis: int = 1>", "Softmax <axis: int = 5>")], "loads"),
    ("onnx", [('["" : 17]', '["" : 18]')], "loads"),
    ("onnx", [('["" : 17]', '["" : 17, "com.microsoft" : 1]')], "loads"),
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
    ("ir", [("\t</layers>", EXTRA)], "interface"),
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
    ("ir", [('<net name="sample"', '<net name="another"')], ""),
    ("ir", [('"2024.6.0"', '"2025.1.0"')], ""),
    ("ir", [("\t</layers>", RESULT), ("\t</edges>", '\t\t<edge from-layer="3" from-port="2" to-layer="7" to-port="0"/>\n\t</edges>')], ""),
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
    found = compared("model.onnxtxt", ONNX, WITH_TWO)
    seen = [
        (finding.code, str(finding.severity), finding.node, WITH_TWO[finding.span.start : finding.span.end])
        for finding in found.findings
    ]
    assert seen == [("B012", "error", "scores", "odds"), ("B020", "info", None, "relu")]
    assert [note.message for note in found.findings[0].related] == ["it was float32 [N, 4] at old:12:15"]


def test_what_is_gone_is_reported_where_it_would_be() -> None:
    new = changed(ONNX, ("image,\n   float[N,4] extra", "image"), ("Add (flattened, extra)", "Identity (flattened)"))
    found = compared("model.onnxtxt", ONNX, new).findings[0]
    assert (found.code, found.node, new[found.span.start : found.span.end]) == ("B010", "extra", "image")


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


def test_severities_are_configured() -> None:
    settings = Settings(severities=(("changed-computation", Severity.ERROR),))
    assert [str(one.severity) for one in compared("model.onnxtxt", ONNX, WITH_TWO, settings).findings] == [
        "error",
        "error",
    ]


def test_a_comment_suppresses_what_is_found_there() -> None:
    marked = changed(WITH_TWO, ("odds,\n", "odds,  # irlint: ignore[removed-output]\n"))
    result = compared("model.onnxtxt", ONNX, marked)
    assert ([finding.code for finding in result.findings], result.suppressed) == (["B020"], 1)
    assert lint("model.onnxtxt", marked).findings == []  # the comment is not idle for `irlint check`


def test_only_weights_that_are_asked_for_are_compared() -> None:
    new = changed(ONNX, ("{1.0,2.0,3.0,4.0}", "{1.0,2.0,3.0,5.0}"))
    assert compared("model.onnxtxt", ONNX, new, Settings()).findings == []
    named = compared("model.onnxtxt", ONNX, new, Settings(select=("ALL", "changed-weights")))
    assert [(one.code, str(one.severity)) for one in named.findings] == [("B021", "pedantic")]


def test_a_model_that_did_not_load_has_nothing_to_lose() -> None:
    broken, worse = (changed(ONNX, ("Relu (", f"{op} (")) for op in ("Rellu", "Nothing"))
    assert "B001" not in [one.code for one in compared("model.onnxtxt", broken, worse).findings]
    (found,) = compared("model.onnxtxt", ONNX, "nothing at all\n").findings
    assert (found.code, found.span.start) == ("B001", 0)


def test_another_format_loads_in_another_way() -> None:
    found = breaking(lint("a.onnxtxt", ONNX), lint("a.xml", IR), settings_for(ALL, "loads"), "a.onnxtxt")
    assert [one.message.partition(":")[0] for one in found.findings] == [
        "expected a model of format onnx, got one of openvino, which programs load in another way"
    ]


def test_a_target_makes_a_newer_opset_an_error() -> None:
    settings = Settings(targets=(("onnxruntime", "1.13"),))
    newer = changed(ONNX, ('"" : 17', '"" : 19'))
    old, new = (lint_bytes(text.encode(), "model.onnxtxt", settings) for text in (ONNX, newer))
    found = breaking(old, new, settings_for(settings, "loads"), "old").findings
    assert [(one.code, str(one.severity)) for one in found] == [("B001", "error"), ("B002", "info")]


def test_an_error_with_which_a_runtime_loads_the_model_is_a_warning() -> None:
    """onnxruntime uses the shape that it infers."""
    (found,) = compared("model.onnxtxt", ONNX, changed(ONNX, ("float[N,4] logits", "float[N,5] logits"))).findings[:1]
    assert (found.code, str(found.severity)) == ("B001", "warning")


NEEDED = changed(ONNX, ("float[N,4] extra", "float[1,4] extra"))
DEFAULT = changed(NEEDED, ("{0,4}", "{0,4},\n   float[1,4] extra = {0.0,0.0,0.0,0.0}"))
CONSTANT = changed(DEFAULT, ("image,\n   float[1,4] extra", "image"))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        (NEEDED, DEFAULT, []),
        (DEFAULT, NEEDED, [("B011", "error", "extra")]),
        (DEFAULT, CONSTANT, [("B010", "warning", "extra")]),
        (CONSTANT, DEFAULT, []),
        (DEFAULT, DEFAULT.replace("extra", "other"), [("B010", "warning", "extra")]),
        (DEFAULT, DEFAULT.replace("float[1,4] extra", "double[1,4] extra").replace("flattened, extra", "flattened, flattened"), [("B014", "error", "extra")]),
        # before IR version 4 a program cannot set it
        (DEFAULT.replace("ir_version: 8", "ir_version: 3"), CONSTANT.replace("ir_version: 8", "ir_version: 3"), []),
    ],
)  # fmt: skip
def test_an_input_may_have_a_value_of_its_own(old: str, new: str, found: list[tuple[str, str, str]]) -> None:
    result = compared("model.onnxtxt", old, new, level="interface")
    assert [(one.code, str(one.severity), one.node) for one in result.findings] == found


CALL = [('"" : 17]', '"" : 17, "own" : 1]'), ("positive = Relu", "positive = own.Act")]
ACT = """\
<domain: "own", opset_import: ["" : 17]>
Act (x) => (y) {
   [leaky] t = LeakyRelu <alpha: float = 0.1> (x)
   [sum] y = Add (t, x)
}
"""


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ([("0.1", "0.2")], ["B020"]),
        ([("LeakyRelu <alpha: float = 0.1>", "Relu")], ["B020"]),
        ([("Add (t, x)", "Add (t, t)")], ["B020"]),
        ([("[leaky] t", "[first] u"), ("Add (t, x)", "Add (u, x)")], []),
        ([("Act (x)", "Act (z)"), ("0.1> (x)", "0.1> (z)"), ("(t, x)", "(t, z)")], []),
        ([("}\n", "}\n" + ACT.replace("Act", "Spare").replace("Add", "Sub"))], []),
    ],
)
def test_functions_that_compute_in_another_way(changes: list[tuple[str, str]], codes: list[str]) -> None:
    old, new = (changed(ONNX, *CALL) + text for text in (ACT, changed(ACT, *changes)))
    found = compared("model.onnxtxt", old, new).findings
    assert [(one.code, new[one.span.start : one.span.end]) for one in found] == [(code, "Act") for code in codes]


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


def test_what_a_hostile_model_has_is_bounded() -> None:
    count = 12_000
    entries = ", ".join(f'"k{k}" : "v"' for k in range(count))
    old = changed(ONNX, ('"team" : "vision"', entries))
    found = compared("model.onnxtxt", old, ONNX).findings
    assert len(found) == 10_001
    assert [one.more for one in found if one.more] == [count - 10_000]


def test_many_ports_with_other_names_are_compared_in_little_time() -> None:
    def with_ports(letter: str, kind: str) -> str:
        ports = "".join(f",\n   {kind}[{k + 1}] {letter}{k}" for k in range(3000))
        return changed(ONNX, ("extra\n) =>", f"extra{ports}\n) =>"))

    began = perf_counter()
    found = compared("model.onnxtxt", with_ports("a", "float"), with_ports("b", "double"))
    assert perf_counter() - began < 20
    assert {one.code for one in found.findings} == {"B010", "B011"}
