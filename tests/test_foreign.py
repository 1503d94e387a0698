"""Files of other trades that have words in common with models: passed over in a folder, told for what they are where named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.helpers import CLEAN

from irlint import engine
from irlint.rules.samples import OPENVINO
from irlint.runner import How, Job, check

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
    "contents.txt": "1 Introduction [p. 3]\n2 Methods [p. 7]\n3 Results [p. 12]\n",
    "pages.txt": "1 Introduction [3]\n2 Methods [7]\n3 Results [12]\n",
    "todo.txt": "0 eggs [x]\n1 milk [ ]\n2 bread [x]\n",
    "notes.txt": f"A model begins like this:\n\n{CLEAN}",
    "letter.txt": f"The export failed, it wrote\n{OPENVINO}",
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_it_is_passed_over(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FOREIGN[name], encoding="utf-8")
    outcome = check(Job(str(tmp_path / name), engine.Settings(), found=True), How())
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
        ("a.txt", "0 nn.relu ['x']\n", "glacier"),
        ("a.txt", "0 nn.relu [x]\n1 nn.relu [0]\n", "glacier"),
    ],
)
def test_models_with_little_in_them_are_models(name: str, text: str, format_: str) -> None:
    assert engine.lint(text, name).format == format_
