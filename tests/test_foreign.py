"""Files of other trades that have words in common with models: skipped in a folder, reported for what they are where named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from cli.helpers import CLEAN, COMMA
from foreign import files, torn
from mobilenet import mobilenet_v2
from rule_cases.texts import GRAPH, LIGHTNET, NETWORK, OPENVINO, SYMBOL

from irlint import engine
from irlint.formats.base import Recognition, is_certain
from irlint.formats.keras.samples import KERAS_2, KERAS_3
from irlint.jobs import Job, JobOptions
from irlint.jobs.one_file import check
from irlint.settings import Settings

ROADS = """\
<?xml version="1.0" encoding="UTF-8"?>
<net version="1.16" junctionCornerDetail="5">
    <location netOffset="0.00,0.00"/>
    <edge id="e0" from="a" to="b"><lane id="e0_0" index="0" speed="13.9" length="100"/></edge>
</net>
"""

FOREIGN = {
    "roads.net.xml": ROADS,
    "petri.xml": '<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><place id="p"/></net>\n',
    "nets.xml": '<net name="asia"><node name="smoke"/></net>\n',
    "delta.json": json.dumps({"ops": [{"insert": "Text"}, {"insert": "bold", "attributes": {"bold": True}}]}),
    "patch.json": json.dumps({"ops": ["add", "replace"]}),
    "flow.json": json.dumps({"nodes": [{"id": "1", "name": "Start", "type": "start"}], "connections": {}}),
    "page.json": json.dumps({"nodeId": 5, "name": "DIV", "inputs": [], "children": [{"nodeId": 6}]}),
    "relay.json": json.dumps({"root": 1, "nodes": [{"type_key": ""}], "b64ndarrays": [], "attrs": {"tvm_version": "0.9"}}),
    "encoder.json": json.dumps({"!": 0, '"': 1, "Name": 4, "name": 5, "ops": 6, "nodes": 7, "optype": 8, "inputs": 9}),
    "index.json": json.dumps({"ops": [3, 4], "nodes": [1], "arg_nodes": [2], "node_row_ptr": [5], "tensors_in": [], "a": []}),
    "ops.json": json.dumps({"ops": {"add": {"name": "add", "cost": 1}}, "version": 2}),
    "augment.json": json.dumps({"ops": [{"name": "RandomAffine", "params": {"degrees": 10}}]}),
    "calls.json": json.dumps({"ops": [{"name": "add", "params": [{"name": "a", "type": "int"}]}]}),
    "fields.json": json.dumps({"fields": [{"name": "age", "optype": "numeric"}]}),
    "graph.json": json.dumps({"nodes": [{"op": "Conv", "name": "c", "inputs": ["x"]}], "attrs": {}}),
    "comfy.json": json.dumps({"nodes": [{"id": 1, "name": "a", "inputs": [{"name": "x", "link": None}]}], "links": []}),
    "byoc.json": json.dumps(
        {
            "nodes": [{"op": "input", "name": "x"}, {"op": "kernel", "name": "nn.relu", "inputs": [[0, 0, 0]]}],
            "arg_nodes": [0], "heads": [[1, 0, 0]], "node_row_ptr": [0, 1, 2],
        }
    ),
    "songs.json": json.dumps([{"id": 1, "name": "a", "duration": 180, "size": 4096}]),
    "lamps.json": json.dumps([{"nodeID": 5, "name": "lamp", "size": 3}]),
    "layers.xml": '<net><layers><layer name="a"/></layers><edges><edge source="1" target="2"/></edges></net>\n',
    "shapes.txt": "0 float32 [1, 3]\n1 float32 [1, 64]\n5 float32 [1, 3]\n",
    "people.txt": "0 alice ['math', 'physics']\n1 bob ['art']\n2 carol ['art']\n",
    "contents.txt": "1 Introduction [p. 3]\n2 Methods [p. 7]\n3 Results [p. 12]\n",
    "pages.txt": "1 Introduction [3]\n2 Methods [7]\n3 Results [12]\n",
    "todo.txt": "0 eggs [x]\n1 milk [ ]\n2 bread [x]\n",
    "notes.txt": f"A model begins like this:\n\n{CLEAN}",
    "copter.param": "#NOTE: 11/23/2026\nACRO_BAL_PITCH,1.000000\nACRO_BAL_ROLL,1.000000\n",
    "plane.param": "ARMING_CHECK 1\nARMING_REQUIRE 1\nBATT_AMP_PERVLT 17.0\n",
    "vehicle.param": "# Onboard parameters\n# Vehicle-Id Component-Id Name Value Type\n1\t1\tBAT_CAPACITY\t-1.000000000000000000\t9\n1\t1\tCOM_RC_IN_MODE\t1\t6\n",
    "field.param": "ATOM CA CB 2 1 x\nBOND CA 3 1 120.0 y z\nANGLE CA 1 2 109.5 y z w\n",
    "magic.txt": "7767517 is a prime number? No: 7767517 = 7767517.\n",
    "numbers.param": "7767517\n1 2 3\n4 5 6\n7 8 9\n",
    "letter.txt": f"The export failed, it wrote\n{OPENVINO}",
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_it_is_passed_over(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FOREIGN[name], encoding="utf-8")
    outcome = check(Job(str(tmp_path / name), Settings(), found=True), JobOptions())
    assert (outcome.report, outcome.trouble, outcome.failure) == (None, None, None)


@pytest.mark.parametrize("name", FOREIGN)
def test_where_it_is_named_that_is_all_there_is_to_say(name: str) -> None:
    assert [finding.code for finding in engine.lint(FOREIGN[name], name).findings] == ["S012"]


@pytest.mark.parametrize(
    ("name", "text", "format_"),
    [
        ("a.xml", '<net name="a" version="11"><foo/></net>', "openvino"),
        ("a.xml", '<net name="a"><layers/></net>', "openvino"),
        ("a.json", '{"ops": []}', "lightnet"),
        ("a.json", '{"ops": [{"name": "c", "params": []}]}', "lightnet"),
        ("a.json", f"// a comment\n{CLEAN}", "lightnet"),
        ("a.txt", CLEAN, "lightnet"),
        ("a.param", "7767517\n1 1\nInput a 0 1 a\n", "ncnn"),
        ("a.param", "1 1\nInput a 0 1 a\n", "ncnn"),
        ("a.param", "7767517\n1 1\npnnx.Input a 0 1 0\n", "pnnx"),
        ("a.pnnx.param", "7767517\n1 1\nmypackage_op a 0 1 0\n", "pnnx"),
        ("a.param", "7767517\n2 1\nMyReLU a 0 1 a -23300=1,2\nnn.X b 1 0 a\nnn.X c 1 0 a\n", "ncnn"),
        ("a.txt", "0 nn.relu ['x']\n", "glacier"),
        ("a.txt", "0 nn.relu [x]\n1 nn.relu [0]\n", "glacier"),
    ],
)
def test_models_with_little_in_them_are_models(name: str, text: str, format_: str) -> None:
    assert engine.lint(text, name).format == format_


UNCERTAIN = {
    "layers.xml": '<net name="a" version="11"><layers/></net>',
    "bare.json": '{"ops": [{"name": "c", "params": []}]}',
    "empty.json": '{"ops": [],}',
    "headless.json": '{"arg_nodes": [0, 1], "heads": [[2, 0, 0]], "node_row_ptr": [0, 1]}',
    "words.txt": "0 add ['a', 'b']\n1 copy ['c']\n3 take ['d']\n",
}


@pytest.mark.parametrize("name", UNCERTAIN)
def test_a_file_that_may_be_a_model_is_read_as_one_and_left_as_it_is(name: str, tmp_path: Path) -> None:
    """Unless the user says that it is a model: then it is repaired as any other."""
    file = tmp_path / name
    file.write_text(UNCERTAIN[name], encoding="utf-8")
    result = engine.lint(UNCERTAIN[name], name)
    assert result.format is not None
    assert result.findings
    assert (result.certain, [finding.fix for finding in result.findings if finding.fix]) == (False, [])
    done = check(Job(str(file), Settings()), JobOptions(fix=True, unsafe=True))
    assert file.read_text(encoding="utf-8") == UNCERTAIN[name]
    asked = engine.lint(UNCERTAIN[name], name, as_format=result.format)
    assert bool(result.withheld) == any(finding.fix for finding in asked.findings)
    assert done.note is None or f"use --as {result.format}" in done.note
    assert (done.note is not None) == bool(result.withheld)
    assert engine.lint(UNCERTAIN[name], name, as_format=result.format).certain


def test_who_says_what_the_file_is_has_it_repaired(tmp_path: Path) -> None:
    file = tmp_path / "empty.json"
    file.write_text(UNCERTAIN[file.name], encoding="utf-8")
    assert check(Job(str(file), Settings()), JobOptions("lightnet", fix=True)).fixed == 1
    assert file.read_text(encoding="utf-8") == '{"ops": []}'


def test_certainty_is_for_the_content_to_give() -> None:
    certain, likely = Recognition(3, ""), Recognition(2, "")
    assert is_certain(likely, certain, False)
    assert not is_certain(certain, likely, False)
    assert not is_certain(certain, None, True)
    assert is_certain(certain, likely, True), "what is broken need not show all that it began with"


def test_thousand_files_of_other_trades(tmp_path: Path) -> None:
    """None is taken for a model, and no repair changes a byte."""
    made = dict(files())
    assert len(made) > 1000
    claimed, changed = [], []
    for name, text in made.items():
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        before = file.read_bytes()
        outcome = check(Job(str(file), Settings()), JobOptions(fix=True, unsafe=True))
        assert outcome.report is not None
        if outcome.report.format is not None:
            claimed.append((name, outcome.report.format))
        if file.read_bytes() != before:
            changed.append(name)
    assert (claimed, changed) == ([], [])


MODELS = {
    "lightnet": ("a.json", LIGHTNET),
    "nnvm": ("a-symbol.json", SYMBOL),
    "openvino": ("a.xml", OPENVINO),
    "glacier": ("a.txt", mobilenet_v2()),
    "ncnn": ("a.param", NETWORK),
    "pnnx": ("a.pnnx.param", GRAPH),
    "keras": ("config.json", KERAS_3),
}


@pytest.mark.parametrize("format_", MODELS)
def test_a_broken_model_is_a_model(format_: str) -> None:
    """Of a hundred, all are recognised, and most beyond doubt: who has broken a model wants it repaired."""
    name, text = MODELS[format_]
    results = [engine.lint(torn(random.Random(seed), text), name, Settings(shapes=False)) for seed in range(100)]
    assert [result.format for result in results] == [format_] * 100
    assert sum(result.certain for result in results) >= 97


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        (LIGHTNET, "lightnet"),
        (SYMBOL, "nnvm"),
        (OPENVINO, "openvino"),
        (COMMA, "lightnet"),
        (NETWORK, "ncnn"),
        (GRAPH, "pnnx"),
        (KERAS_2, "keras"),
        (KERAS_3, "keras"),
    ],
)
def test_a_model_is_one_beyond_doubt(text: str, format_: str) -> None:
    result = engine.lint(text, "model")
    assert (result.format, result.certain) == (format_, True)
