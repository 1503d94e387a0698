"""What a comparison says of all that a file holds beside its graph, and what it counts rather than lists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from irlint import engine
from irlint.cli import main
from irlint.inspection.review.changes import differences
from irlint.inspection.review.changes_report import lines, record
from irlint.inspection.review.difference import Difference
from irlint.rules.base import Model
from irlint.view.compare import draw_difference, told_apart
from tests.formats.openvino.notation import Net


def model(text: str, as_format: str) -> Model:
    found = engine.lint(text, "model", as_format=as_format).model
    assert found is not None
    return found


def onnx(header: str = "", body: str = "y = Relu (x)", end: str = "") -> str:
    return f"""<ir_version: 8, opset_import: ["" : 17]{header}>
g (float[2, 3] x) => (float[2, 3] y) {{
   {body}
}}
{end}"""


def diff(old: str, new: str, as_format: str = "onnx", weights: bool = False) -> Difference:
    return differences(model(old, as_format), model(new, as_format), weights)


FUNCTION = '<domain: "own", opset_import: ["" : 17]>\nF (a) => (b) {\n   b = %s (a)\n}\n'
USE = "y = own.F (x)"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (onnx(', producer_name: "a"'), onnx(', producer_name: "b"'), "~ producer_name: a -> b"),
        (onnx(', producer_version: "1"'), onnx(), "~ producer_version: 1 (gone)"),
        (onnx(), onnx(', domain: "org.me"'), "~ domain: org.me (new)"),
        (onnx(", model_version: 1"), onnx(", model_version: 2"), "~ model_version: 1 -> 2"),
        (onnx(', doc_string: "a"'), onnx(', doc_string: "b"'), "~ doc_string: a -> b"),
        (
            onnx(', metadata_props: ["author": "me"]'),
            onnx(', metadata_props: ["author": "you"]'),
            "~ metadata_props author: me -> you",
        ),
        (onnx().replace("8,", "9,"), onnx(), "~ ir_version: 9 -> 8"),
        (onnx().replace("17", "18"), onnx(), "~ version opset: 18 -> 17"),
        (
            onnx(body=USE, end=FUNCTION % "Relu"),
            onnx(body=USE, end=FUNCTION % "Neg"),
            "~ functions F node 0 op_type: Relu -> Neg",
        ),
    ],
)
def test_every_field_of_an_onnx_model(old: str, new: str, said: str) -> None:
    found = diff(old, new)
    assert said in lines(found)
    assert (found.added, found.removed, found.changed) == ([], [], [])
    assert not found.is_empty
    assert len(found.versions) + len(found.model) == 1


def symbol(**more: object) -> dict[str, object]:
    nodes = [{"op": "null", "name": "x", "inputs": []}, {"op": "relu", "name": "a", "inputs": [[0, 0, 0]]}]
    return {"nodes": nodes, "arg_nodes": [0], "node_row_ptr": [0, 1, 2], "heads": [[1, 0, 0]], **more}


def test_json_keys_that_are_in_no_node() -> None:
    old, new = (json.dumps(symbol(attrs={"mxnet_version": ["int", n]}, own=n)) for n in (10900, 10901))
    assert lines(diff(old, new, "nnvm:mxnet"))[1:] == [
        "~ attrs mxnet_version: [int, 10900] -> [int, 10901]",
        "~ own: 10900 -> 10901",
    ]


def test_numbers_that_connect_nodes_are_shown_if_nothing_else_differs() -> None:
    old, new = symbol(), symbol(node_row_ptr=[0, 1, 3])
    found = diff(json.dumps(old), json.dumps(new), "nnvm:mxnet")
    assert not found.is_empty
    assert lines(found)[1:] == ["= the same graph with 1 entry that connects it: node_row_ptr: [0, 1, 2] -> [0, 1, 3]"]
    nodes = [*symbol()["nodes"], {"op": "tanh", "name": "b", "inputs": [[1, 0, 0]]}]  # type: ignore[misc]
    longer = symbol(nodes=nodes, node_row_ptr=[0, 1, 2, 3])
    assert "node_row_ptr" not in "\n".join(lines(diff(json.dumps(old), json.dumps(longer), "nnvm:mxnet")))


IR = """<net name="n" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="2,3" element_type="f32"/>
<output><port id="0" precision="FP32" names="x"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="1" name="a" type="ReLU" version="opset1"><rt_info><attribute name="fused_names" version="0" value="a"/></rt_info>
<input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></input>
<output><port id="1" precision="FP32"><dim>2</dim><dim>3</dim></port></output></layer>
<layer id="2" name="r" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>2</dim><dim>3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
</edges><rt_info><Runtime_version value="2024.1"/></rt_info></net>
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name="n"', 'name="m"', "~ name: n -> m"),
        ("2024.1", "2024.2", "~ rt_info Runtime_version: 2024.1 -> 2024.2"),
        ('value="a"', 'value="b"', "    rt_info fused_names: a -> b"),
        ('names="x"', 'names="input"', "    output port names: x -> input"),
    ],
)
def test_what_an_ir_says_beside_its_graph(old: str, new: str, said: str) -> None:
    assert said in lines(diff(IR, IR.replace(old, new), "openvino"))


def test_other_ids_of_layers_are_the_same_graph() -> None:
    other = IR.replace('id="2" name="r"', 'id="7" name="r"').replace('to-layer="2"', 'to-layer="7"')
    (said,) = lines(diff(IR, other, "openvino"))[1:]
    assert said == "= the same graph with 2 entries that connect it: id: 2 -> 7, edges edge #2 to-layer: 2 -> 7"


def test_a_wrong_attribute_changes_no_neighbor() -> None:
    body = "a = Relu (x)\n   c = Concat <axis = %d> (a, a)\n   b = Relu (c)\n   y = Neg (b)"
    found = diff(onnx(body=body % 0), onnx(body=body % 7))
    assert [[change.what for change in entry.changes] for entry in found.changed] == [["attribute"]]
    assert found.follows == []


def test_inputs_in_another_order() -> None:
    text = '<ir_version: 8, opset_import: ["" : 17]>\ng (%s) => (float[2] z) {\n   z = Add (x, y)\n}\n'
    old, new = text % "float[2] x, float[2] y", text % "float[2] y, float[2] x"
    assert lines(diff(old, new))[1:] == ["~ order of inputs: x, y -> y, x"]


def test_a_weight_of_another_type_is_one_line() -> None:
    text = (
        '<ir_version: 8, opset_import: ["" : 17]>\ng (%s[2] x) => (%s[2] y) <%s[2] w = {%s}> {\n   y = Mul (x, w)\n}\n'
    )
    wide = text % (*("float",) * 3, "1, 2")
    found = diff(wide, text % (*("float16",) * 3, "15360, 16384"), weights=True)  # the bits of 1 and 2
    changes = {entry.name: [change.what for change in entry.changes] for entry in found.changed}
    assert changes == {"x": ["type"], "w": ["type"]}
    assert [entry.op for entry in found.follows] == ["Mul"]
    found = diff(wide, text % (*("float16",) * 3, "15360, 16385"), weights=True)  # rounded
    assert {change.what for entry in found.changed for change in entry.changes} == {"type"}
    found = diff(wide, text % (*("float16",) * 3, "15360, 0"), weights=True)
    assert [change.what for change in found.changed[-1].changes] == ["weights", "type"]


def numbered(first: int, ops: str = "Relu Neg Exp Abs") -> str:
    names = ["x", *(f"t{k}" for k in range(len(ops.split()) - 1)), "y"]
    body = [f"[{op}_{first + k}] {names[k + 1]} = {op} ({names[k]})" for k, op in enumerate(ops.split())]
    return onnx(body="\n   ".join(body))


def test_names_that_a_program_counted_are_counted() -> None:
    found = diff(numbered(2000), numbered(2036))
    assert (found.changed, found.same) == ([], 5)
    assert not found.is_empty
    shown = "Relu_2000 -> Relu_2036, Neg_2001 -> Neg_2037, Exp_2002 -> Exp_2038"
    assert lines(found)[1:] == [f"= 4 names differ only in their numbers: {shown}, ..."]
    assert {key: number for key, number in record(found)["counted"].items() if number} == {"names": 4}


def test_new_names_of_most_nodes_are_counted() -> None:
    ops = "Relu Neg Exp Abs " * 3
    old = numbered(10, ops)
    shown = "= most nodes have new names (12): Relu_10 -> relu:10, Neg_11 -> neg:11, Exp_12 -> exp:12, ..."
    new = re.sub(r"\[(\w)(\w+)_(\d+)\]", lambda found: f'["{found[1].lower()}{found[2]}:{found[3]}"]', old)
    assert lines(diff(old, new))[1:] == [shown]
    few = diff(numbered(10), re.sub(r"\[(\w+)_", r"[other_\1_", numbered(10)))
    assert (few.changed, len(few.counted["renamed"])) == ([], 4)
    bare = diff(numbered(10), re.sub(r"\[\w+\] ", "", numbered(10)))  # these have the names of their outputs
    assert (bare.changed, len(bare.counted["renamed"])) == ([], 4)
    one = diff(numbered(10), numbered(10).replace("[Neg_11]", "[other]"))
    assert [entry.changes[0].what for entry in one.changed] == ["name"]


CONV = """<ir_version: 8, opset_import: ["" : %d]>
g (float[1,4,8,8] x) => (float[1,4,6,6] y) <float[4,4,3,3] w%s> {
   y = Conv %s (x, w)
}
"""


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("", '<auto_pad: string = "NOTSET", group: int = 1>', []),
        ("<group: int = 1>", "", []),
        ("", "<strides: ints = [1, 1], pads: ints = [0, 0, 0, 0], dilations: ints = [1, 1]>", []),
        ("", "<dilations: ints = [2, 2]>", ["    attribute dilations: (2, 2) (new)"]),
        ("<group: int = 4>", "", ["    attribute group: 4 (gone)"]),
        ("", "<odd: int = 1>", ["    attribute odd: 1 (new)"]),
    ],
)
def test_defaults_that_one_file_writes_are_counted(old: str, new: str, kept: list[str]) -> None:
    found = diff(CONV % (17, "", old), CONV % (17, "", new))
    assert [line for line in lines(found) if line.startswith("    attribute")] == kept
    if not kept:
        assert not found.changed
        (line,) = lines(found)[1:]
        assert line.startswith("= ")
        assert " written in one file and the default in the other: " in line


def test_a_default_that_another_opset_has_is_a_change() -> None:
    text = """<ir_version: 8, opset_import: ["" : %d]>
g (float[2,3,4] x) => (float[2,3,4] y) {
   y = Softmax %s (x)
}
"""
    found = diff(text % (11, ""), text % (13, ""))
    assert "    attribute axis: 1, the default -> -1, the default" in lines(found)
    assert not diff(text % (13, ""), text % (17, "")).changed
    assert not diff(text % (11, ""), text % (13, "<axis: int = 1>")).changed


def test_types_that_one_file_declares_are_counted() -> None:
    text = """<ir_version: 8, opset_import: ["" : 17]>
g (float[2] x) => (float[2] y) <%s> {
   a = Relu (x)
   b = Neg (a)
   y = Exp (b)
}
"""
    found = diff(text % "", text % "float[2] a, float[2] b")
    assert (found.changed, lines(found)[1:]) == ([], ["= 2 nodes with types that only one file declares"])
    assert record(found)["counted"]["declared_types"] == 2
    other = diff(text % "float[2] a", text % "float[3] a")
    assert any("type" in line for line in lines(other)[1:])


def test_a_constant_is_one_whichever_way_it_is_written() -> None:
    text = (
        '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) <%s> {\n   %s\n   y = Add (x, c)\n}\n'
    )
    node = text % ("", "c = Constant <value: tensor = float[2] {1, 2}> ()")
    found = diff(node, text % ("float[2] c = {1, 2}", ""), weights=True)
    assert [change.what for entry in found.changed for change in entry.changes] in ([], ["name"])
    assert any("of weights with equal values differ" in line for line in lines(found))
    assert diff(node, text % ("float[2] c = {1, 3}", ""), weights=True).changed


def test_counted_names_of_two_models_pair_by_structure() -> None:
    """Relu_2001 of one is not Neg_2001 of the other, though names say so."""
    found = diff(numbered(2000), numbered(1999, "Tanh Relu Neg Exp Abs"))
    assert [entry.op for entry in found.added] == ["Tanh"]
    assert found.removed == []


def test_nodes_that_changed_alike_are_a_group() -> None:
    ops = "LeakyRelu " * 12

    def chain(alpha: str) -> str:
        return numbered(0, ops).replace("LeakyRelu (", f"LeakyRelu <alpha = {alpha}> (")

    said = lines(diff(chain("0.1"), chain("0.2")))
    assert said[1:] == ["~ 12 nodes (LeakyRelu), such as LeakyRelu_0:", "    attribute alpha: 0.1 -> 0.2"]


def test_quantized_weights_are_one_line() -> None:
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2, 2] x) => (float[2, 2] y) <'
    old = head + "float[2, 2] w = {1, 2, 3, 4}> {\n   y = MatMul (x, w)\n}\n"
    new = (
        head
        + "int8[2, 2] w = {1, 2, 3, 4}, float s = {0.5}> {\n   d = DequantizeLinear (w, s)\n   y = MatMul (x, d)\n}\n"
    )
    said = lines(diff(old, new, weights=True))
    assert said[1] == "~ 1 weight float32 -> int8 decoded by DequantizeLinear w"
    assert [line for line in said if line.startswith(("+", "-"))] == []


PLAIN = """\
x: f32[2,4]
w_1234: f32[4,4] = {w}
y: f32[2,4] = opset1.MatMul(x, w_1234) transpose_a=false transpose_b=false
"""
COMPRESSED = """\
x: f32[2,4]
w_1234_compressed: f16[4,4] = {w}
w_1234: f32[4,4] = opset1.Convert(w_1234_compressed) destination_type=f32
y: f32[2,4] = opset1.MatMul(x, w_1234) transpose_a=false transpose_b=false
"""


def scene_model(name: str) -> Model:
    model = engine.lint_bytes(Path(name).read_bytes(), name, path=Path(name)).model
    assert model is not None
    return model


def test_compressed_weights_are_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, factor in (("old", 1), ("new", 1), ("scaled", 1.2)):
        values = " ".join(str(k * factor / 7) for k in range(16))
        net = Net(PLAIN.format(w=values) if name == "old" else COMPRESSED.format(w=values))
        (tmp_path / f"{name}.xml").write_text(net.text)
        (tmp_path / f"{name}.bin").write_bytes(net.data)
    old, new, scaled = (str(tmp_path / f"{name}.xml") for name in ("old", "new", "scaled"))
    for names, line in (
        ((old, new), "~ 1 weight float32 -> float16 decoded by Convert w_1234_compressed"),
        ((new, old), "~ 1 weight float16 -> float32 no longer decoded by Convert w_1234"),
    ):
        assert main(["diff", *names]) == 1
        said = capfd.readouterr().out.splitlines()
        assert said[1:3] == ["0 added, 0 removed, 0 changed, 2 unchanged; 1 weight of another type", line]
        counts = dict(draw_difference(*(scene_model(name) for name in names), "a").about)
        assert [counts[f"{status} nodes"] for status in ("added", "removed", "changed")] == ["0"] * 3
        assert counts["weights of another type"] == "1"
        main(["breaking", *names, "--pedantic", "--output-format", "concise"])
        assert capfd.readouterr().out == "All checks passed: 1 file.\n"
    main(["breaking", old, scaled, "--pedantic", "--output-format", "concise"])
    assert "B021[changed-weights]" in capfd.readouterr().out


def test_what_reads_an_input_decodes_no_weight() -> None:
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2, 2] x) => (float[2, 2] y) <'
    old = head + "int32[2, 2] w = {1, 2, 3, 4}> {\n   y = Cast <to: int = 1> (w)\n}\n"
    new = head + "int64[2, 2] w = {1, 2, 3, 4}> {\n   i = Cast <to: int = 7> (x)\n   m = Mul (w, i)\n"
    new += "   y = Cast <to: int = 1> (m)\n}\n"
    assert not any("decoded" in line for line in lines(diff(old, new, weights=True)))


def test_weights_of_another_type_and_another_place_are_one_line_each() -> None:
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x) => (float[2] y) <{}> {{\n   {}\n}}\n'
    names = [f"w{k}" for k in range(4)]
    nodes = (
        "\n   ".join(f"a{k} = CastLike ({name}, x)" for k, name in enumerate(names)) + "\n   y = Sum (a0, a1, a2, a3)"
    )
    old, new = (
        head.format(", ".join(f"{type_}[2] {name} = {{1, 2}}" for name in names), nodes)
        for type_ in ("float", "double")
    )
    assert lines(diff(old, new, weights=True))[1] == "~ 4 weights float32 -> float64, such as w0"


BRANCHES = (
    "then_branch: graph = t () => (float[2] p) { p = Mul (x, w) }",
    "else_branch: graph = e () => (float[2] q) { q = Mul (x, v) }",
)


def test_branches_are_what_they_are_in_any_order_of_the_file() -> None:
    head = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2] x, bool c) => (float[2] y) <float[2] w = {1, 2}, float[2] v = {3, 4}> {\n'
    old, new, other = (
        f"{head}   y = If <{', '.join(branches)}> (c)\n}}\n"
        for branches in (BRANCHES, BRANCHES[::-1], [one.replace("w)", "v)") for one in BRANCHES])
    )
    assert lines(diff(old, new, weights=True))[0].startswith("no differences")
    assert not diff(old, other, weights=True).is_empty


def test_a_model_with_nan_does_not_differ_from_itself() -> None:
    text = onnx(body="y = LeakyRelu <alpha = nan> (x)")
    assert diff(text, text).is_empty


def test_files_of_one_name_are_told_apart() -> None:
    assert told_apart("a/net.xml", "b/other.xml") == ("net.xml", "other.xml")
    assert told_apart("fp16/net.xml", "int8/net.xml") == ("fp16/net.xml", "int8/net.xml")
    assert told_apart("net.xml", "old/net.xml") == ("net.xml", "old/net.xml")
    assert told_apart("net.xml", "net.xml") == ("net.xml", "net.xml")


def test_long_names_and_values_are_cut() -> None:
    old, new = (json.dumps(symbol(own=[n] * 5000, text="x" * 9000 + str(n))) for n in (1, 2))
    assert all(len(line) < 500 for line in lines(diff(old, new, "nnvm:mxnet")))


def test_a_folder_of_a_file_is_no_part_of_its_model(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "net.xml").write_text(IR, encoding="utf-8")
    a, b = (engine.lint(IR, str(tmp_path / name / "net.xml")).model for name in ("a", "b"))
    assert a is not None
    assert b is not None
    assert differences(a, b, weights=True).is_empty


CARRIED = [
    (17, 18, "float[2,3] x", "float[2,1] y", "y = ReduceMean <axes: ints = [1]> (x)", "y = ReduceMean (x, s)", "int64[1] s = {1}"),
    (12, 13, "float[1,3] x", "float[3] y", "y = Squeeze <axes: ints = [0]> (x)", "y = Squeeze (x, s)", "int64[1] s = {0}"),
    (10, 11, "float[2,3] x", "float[2,3] y", "y = Clip <min: float = 0.0> (x)", "y = Clip (x, s)", "float s = {0}"),
    (10, 11, "float[2,3] x", "float[2,5] y", "y = Pad <pads: ints = [0,1,0,1]> (x)", "y = Pad (x, s)", "int64[4] s = {0,1,0,1}"),
    (9, 10, "float[2,3] x", "float[2,2] y", "y = Slice <axes: ints = [1], starts: ints = [0], ends: ints = [2]> (x)",
     "y = Slice (x, b, s, a)", "int64[1] s = {2}, int64[1] a = {1}, int64[1] b = {0}"),
    (11, 12, "float[2,3] x", "float[2,3] y", "y = Dropout <ratio: float = 0.25> (x)", "y = Dropout (x, s)", "float s = {0.25}"),
]  # fmt: skip


@pytest.mark.parametrize("case", CARRIED, ids=lambda case: case[4].split()[2])
def test_attributes_that_became_inputs_are_counted(case: tuple[int, int, str, str, str, str, str]) -> None:
    before, after, x, y, old, new, held = case
    first = f'<ir_version: 8, opset_import: ["" : {before}]>\ng ({x}) => ({y}) {{ [n] {old} }}\n'
    for values, is_same in (
        (held, True),
        (re.sub(r"s = \{\d", "s = {2", held).replace("s = {2}", "s = {1}", 1), False),
    ):
        if not is_same and values == held:
            continue
        second = f'<ir_version: 8, opset_import: ["" : {after}]>\ng ({x}) => ({y}) <{values}> {{ [n] {new} }}\n'
        for pair in ((first, second), (second, first)):
            found = diff(*pair, weights=True)
            assert (not found.added and not found.removed and not found.changed) is is_same, lines(found)
            told = [line for line in lines(found) if "an attribute in one file and an input in the other" in line]
            assert bool(told) is is_same or not is_same


def test_a_shape_is_shown_by_its_numbers() -> None:
    text = '<ir_version: 8, opset_import: ["" : 17]>\ng (float[2,4] x) => (float[1,8] y) <int64[2] to = {%s}> { y = Reshape (x, to) }\n'
    assert "    attribute value: [1, 8] -> [-1, 8]" in lines(diff(text % "1,8", text % "-1,8", weights=True))
