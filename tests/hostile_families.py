"""Texts that hold very much of one thing: each family grows with a number, and so must what it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from irlint.rules.samples import LIGHTNET, OPENVINO, SYMBOL, TVM_GRAPH


class Family(NamedTuple):
    """`form` is a format, or `yaml` or `toml` for a configuration; `size` is how many cost a few hundredths of a second."""

    form: str
    text: Callable[[int], str]
    size: int = 2000


FAMILIES: dict[str, Family] = {}


def _each(size: int, text: str, between: str = "") -> str:
    """A text for each number, which stands for # in it, the one before for @."""
    return between.join([text.replace("#", str(k)).replace("@", str(max(k - 1, 0))) for k in range(size)])


# -- OpenVINO ----------------------------------------------------------------------------------------------------------


def _ir(old: str, new: Callable[[int], str]) -> Callable[[int], str]:
    assert old in OPENVINO
    return lambda size: OPENVINO.replace(old, new(size), 1)


def _add_ir(name: str, old: str, new: Callable[[int], str], size: int = 2000) -> None:
    FAMILIES[f"openvino {name}"] = Family("openvino", _ir(old, new), size)


_END = "</net>"
_DATA = '<data shape="1,3,8,8"'
_NAMES = '<port id="0" precision="FP32"'
_PARAMETER = '<layer id="9#" name="p#" type="Parameter" version="opset1"><data shape="1" element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim></port></output></layer>'
_RELU = '<layer id="9#" name="p#" type="ReLU" version="opset1"><input><port id="0" precision="FP32"><dim>1</dim></port></input><output><port id="1" precision="FP32"><dim>1</dim></port></output></layer>'
_FIRST = '<edges><edge from-layer="0" from-port="0"'

_add_ir("attributes of net", "<net ", lambda n: "<net " + _each(n, 'a#="" '))
_add_ir("attributes of data", _DATA, lambda n: _DATA + _each(n, ' a#=""'))
_add_ir("attributes of a port", _NAMES, lambda n: _NAMES + _each(n, ' a#=""'))
_add_ir("one attribute many times", _DATA, lambda n: _DATA + ' a="1"' * n)
_add_ir("commas in names", _NAMES, lambda n: _NAMES + ' names="' + "," * n + '"', 20000)
_add_ir("escaped commas in names", _NAMES, lambda n: _NAMES + ' names="a' + (chr(92) + ",") * n + '"', 20000)
_add_ir("names of one output", _NAMES, lambda n: _NAMES + ' names="' + _each(n, "n#", ",") + '"', 20000)
_add_ir("a long name", 'name="scaled"', lambda n: 'name="' + "x" * n + '"', 400000)
_add_ir("a long shape", 'shape="1,3,8,8"', lambda n: 'shape="' + "1," * n + '1"', 10000)
_add_ir("a long odd value", 'shape="1,3,8,8"', lambda n: 'shape="' + "a" * n + '"', 200000)
_add_ir("a long type", 'type="Multiply"', lambda n: 'type="' + "M" * n + '"', 200000)
_add_ir("dimensions", "<dim>1</dim>", lambda n: "<dim>1</dim>" * n, 5000)
_add_ir("odd dimensions", "<dim>1</dim>", lambda n: "<dim>x</dim>" * n)
_add_ir("a long number", "<dim>1</dim>", lambda n: f"<dim>{'9' * n}</dim>", 100000)
_add_ir("references in a name", 'name="scaled"', lambda n: 'name="' + "&#1;" * n + '"', 20000)
_add_ir("long references", 'name="scaled"', lambda n: 'name="&#' + "9" * n + ';"', 200000)
_add_ir("bare ampersands", 'name="scaled"', lambda n: 'name="' + "&" * n + '"', 20000)
_add_ir("control characters", 'name="scaled"', lambda n: 'name="' + chr(1) * n + '"', 20000)
_add_ir("NUL characters", "</layers>", lambda n: "</layers>" + "\0" * n, 100000)
_add_ir("entities", "<net", lambda n: "<!DOCTYPE net [" + _each(n, '<!ENTITY e# "&e@;&e@;">') + "]><net", 10000)
_add_ir("uses of an entity", _END, lambda n: f"<rt_info>{'<a>&e;</a>' * n}</rt_info>{_END}")
_add_ir("brackets in a DOCTYPE", "<net", lambda n: f"<!DOCTYPE net [{'<' * n}{'>' * n}]><net", 20000)
_add_ir("an open DOCTYPE", "<net", lambda n: "<!DOCTYPE " * n + "<net")
_add_ir("comments", "<layers>", lambda n: "<layers>" + "<!-- x -->" * n, 20000)
_add_ir("odd comments", "<layers>", lambda n: f"<layers><!-- {'--' * n} -->", 100000)
_add_ir("instructions", "<layers>", lambda n: "<layers>" + "<?x y?>" * n, 20000)
_add_ir("pieces of CDATA", "<dim>1</dim>", lambda n: f"<dim>{'<![CDATA[1]]>' * n}</dim>", 5000)
_add_ir("depth", _END, lambda n: f"<rt_info>{'<a>' * n}{'</a>' * n}</rt_info>{_END}", 5000)
_add_ir("depth that is not closed", _END, lambda n: "<a>" * n, 5000)
_add_ir("end tags", _END, lambda n: "</a>" * n + _END, 5000)
_add_ir("start tags that are cut", "<layers>", lambda n: "<layers>" + "<a " * n, 5000)
_add_ir("quotes", "<layers>", lambda n: "<layers>" + '<a b="' * n, 5000)
_add_ir("angles", "<layers>", lambda n: "<layers>" + "<" * n, 20000)
_add_ir("runtime information", _END, lambda n: "<rt_info>" + _each(n, '<a# value="#"/>') + "</rt_info></net>", 5000)
_add_ir("unknown elements", "</layers>", lambda n: _each(n, "<a#/>") + "</layers>")
_add_ir("unknown sections", _END, lambda n: _each(n, "<a#/>") + _END)
_add_ir("sections", _END, lambda n: "<layers><x/></layers>" * n + _END)
_add_ir("roots", _END, lambda n: _END + "<net/>" * n, 5000)
_add_ir("inputs that nobody reads", "</layers>", lambda n: _each(n, _PARAMETER) + "</layers>", 500)
_add_ir("layers that nothing feeds", "</layers>", lambda n: _each(n, _RELU) + "</layers>", 500)
_add_ir("layers of one id", "</layers>", lambda n: _each(n, _RELU.replace("9#", "9")) + "</layers>", 500)
_add_ir(
    "edges to one port",
    "<edges>",
    lambda n: "<edges>" + '<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>' * n,
)
_add_ir(
    "edges to nowhere",
    "<edges>",
    lambda n: "<edges>" + _each(n, '<edge from-layer="0" from-port="0" to-layer="9#" to-port="0"/>'),
)
_add_ir(
    "ports that nobody feeds",
    "<output>",
    lambda n: "<input>" + _each(n, '<port id="9#" precision="FP32"><dim>1</dim></port>') + "</input><output>",
)
_add_ir("ports of one id", "<output>", lambda n: "<output>" + '<port id="7" precision="FP32"><dim>1</dim></port>' * n)
_add_ir("suppressions", "<layers>", lambda n: "<layers>" + "<!-- irlint: ignore[G001] -->" * n)


def _bodies(size: int) -> str:
    """Graphs in graphs, as deep as elements are kept."""
    head = '<layer id="9" name="l" type="Loop" version="opset5"><body><layers>'
    one = head * 100 + "</layers></body></layer>" * 100
    return OPENVINO.replace("</layers>", one * size + "</layers>", 1)


FAMILIES["openvino bodies in bodies"] = Family("openvino", _bodies, 4)


# -- NNVM --------------------------------------------------------------------------------------------------------------


def _add_symbol(name: str, node: str, size: int = 2000, heads: str = "[[1, 0, 0]]", rest: str = "") -> None:
    def text(count: int) -> str:
        data = '{"op": "null", "name": "data", "inputs": []}'
        nodes = ", ".join([data, *[node.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, count)]])
        return f'{{"nodes": [{nodes}], "arg_nodes": [0], "heads": {heads}{rest}}}'

    FAMILIES[f"nnvm {name}"] = Family("nnvm", text, size)


def _add_json(form: str, sample: str, name: str, old: str, new: Callable[[int], str], size: int = 2000) -> None:
    assert old in sample, old
    FAMILIES[f"{form} {name}"] = Family(form, lambda count: sample.replace(old, new(count), 1), size)


_NODE = '{"op": "relu", "name": "r#", "inputs": [[@, 0, 0]]}'
_add_symbol("a chain", _NODE)
_add_symbol("unread nodes", _NODE.replace("@", "0"))
_add_symbol("unknown operators", _NODE.replace("relu", "reluu#"), 300)
_add_symbol("unknown attributes", _NODE[:-1] + ', "attrs": {"a#": "1"}}')
_add_symbol("odd attributes", '{"op": "Activation", "name": "r#", "attrs": {"act_type": "rel"}, "inputs": [[@, 0, 0]]}')
_add_symbol("inputs that do not exist", _NODE.replace("@", "99999999"))
_add_symbol("inputs from below", '{"op": "relu", "name": "r#", "inputs": [[1, 0, 0]]}')
_add_symbol("unknown keys", _NODE[:-1] + ', "k#": 0}')
_add_symbol("nodes that are no objects", "[]")
_add_symbol("shapes that differ", '{"op": "null", "name": "v#", "attrs": {"__shape__": "(#, 2)"}, "inputs": []}')
_add_symbol("sums of unlike shapes", '{"op": "elemwise_add", "name": "r#", "inputs": [[@, 0, 0], [0, 0, 0]]}')
_add_symbol("suppressed nodes", _NODE[:-1] + ', "attrs": {"__irlint__": "ignore[G001]"}}')
_SYMBOL = '"op": "null"'


def _wide(count: int) -> str:
    inputs = ", ".join(["[0, 0, 0]"] * count)
    nodes = f'{{"op": "null", "name": "d", "inputs": []}}, {{"op": "add_n", "name": "s", "attrs": {{"num_args": "{count}"}}, "inputs": [{inputs}]}}'
    return f'{{"nodes": [{nodes}], "arg_nodes": [0], "heads": [[1, 0, 0]]}}'


FAMILIES["nnvm inputs of one node"] = Family("nnvm", _wide, 5000)
FAMILIES["nnvm inputs of a unary operator"] = Family("nnvm", lambda n: _wide(n).replace("add_n", "relu"), 5000)
FAMILIES["nnvm heads"] = Family(
    "nnvm", lambda n: _wide(2).replace("[[1, 0, 0]]", f"[{', '.join(['[1, 0, 0]'] * n)}]"), 5000
)
FAMILIES["nnvm arguments"] = Family(
    "nnvm", lambda n: _wide(2).replace('"arg_nodes": [0]', '"arg_nodes": [' + ", ".join(["0"] * n) + "]"), 5000
)
FAMILIES["nnvm keys of one name"] = Family(
    "nnvm", lambda n: _wide(2).replace('"arg_nodes"', '"a": 1, ' * n + '"arg_nodes"'), 5000
)
FAMILIES["nnvm attributes of a node"] = Family(
    "nnvm", lambda n: _wide(2).replace('"num_args": "2"', '"num_args": "2"' + _each(n, ', "a#": "1"')), 2000
)
FAMILIES["nnvm depth"] = Family(
    "nnvm", lambda n: _wide(2).replace('"arg_nodes"', '"a": ' + "[" * n + "]" * n + ', "arg_nodes"'), 20000
)
FAMILIES["nnvm brackets that are not closed"] = Family("nnvm", lambda n: _wide(2).replace('"arg_nodes"', "[" * n), 5000)
FAMILIES["nnvm escapes"] = Family("nnvm", lambda n: _wide(2).replace('"d"', '"' + "\\u0041" * n + '"'), 20000)
FAMILIES["nnvm a long number"] = Family("nnvm", lambda n: _wide(2).replace("[0, 0, 0]", f"[{'9' * n}, 0, 0]"), 50000)
FAMILIES["nnvm a long name"] = Family("nnvm", lambda n: _wide(2).replace('"d"', '"' + "x" * n + '"'), 400000)
FAMILIES["nnvm commas"] = Family("nnvm", lambda n: _wide(2).replace('"heads"', "," * n + '"heads"'), 5000)
FAMILIES["nnvm control characters"] = Family("nnvm", lambda n: _wide(2).replace('"d"', '"' + "\x01" * n + '"'), 20000)
FAMILIES["nnvm blanks in front"] = Family("nnvm", lambda n: " " * n + SYMBOL, 1000000)
_add_json(
    "nnvm", TVM_GRAPH, "lists of a compiled graph", '"list_int", [', lambda n: '"list_int", [' + "0, " * n, 5000
) if '"list_int", [' in TVM_GRAPH else None


# -- LightNet ----------------------------------------------------------------------------------------------------------

_ZEROS = (
    '{"name": "z#", "optype": "zeros", "tensors_in": [], "tensors_out": [{"arg_name": "dst", "name": "t#"}], '
    '"params": [{"arg_name": "dims", "value": [1]}, {"arg_name": "dtype", "value": "TL_FLOAT"}]}'
)
_SLICE = (
    '{"name": "s#", "optype": "slice", "tensors_in": [{"arg_name": "src", "name": "t@"}], "tensors_out": [{"arg_name": "dst", '
    '"name": "t#"}], "params": [{"arg_name": "axis", "value": 0}, {"arg_name": "start", "value": 0}, {"arg_name": "len", "value": 1}]}'
)


def _add_ops(name: str, op: str, size: int = 1000) -> None:
    def text(count: int) -> str:
        first = _ZEROS.replace("#", "0")
        rest = [op.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, count)]
        return f'{{"ops": [{", ".join([first, *rest])}]}}'

    FAMILIES[f"lightnet {name}"] = Family("lightnet", text, size)


_add_ops("a chain", _SLICE)
_add_ops("unread tensors", _ZEROS)
_add_ops("unknown operators", _SLICE.replace("slice", "slicee#"))
_add_ops("tensors of one name", _ZEROS.replace("t#", "t"))
_add_ops("tensors that do not exist", _SLICE.replace("t@", "u@"))
_add_ops("wrong types", _SLICE.replace('"value": 0', '"value": "0"'))
_add_ops("missing parameters", _SLICE.replace(', {"arg_name": "len", "value": 1}', ""))
_add_ops("wrong lengths", _SLICE.replace('"value": 1}', '"value": 7}'))
_add_json(
    "lightnet",
    LIGHTNET,
    "parameters of one operator",
    '"params": [',
    lambda n: '"params": [' + _each(n, '{"arg_name": "a#", "value": 0}, '),
)
_add_json(
    "lightnet",
    LIGHTNET,
    "inputs of one operator",
    '"tensors_in": [{',
    lambda n: '"tensors_in": [' + _each(n, '{"arg_name": "a#", "name": "image"}, ') + "{",
)
_add_json("lightnet", LIGHTNET, "a long list of values", "[1, 2, 3, 4, 5, 6]", lambda n: f"[{'1, ' * n}1]", 20000)
_add_json("lightnet", LIGHTNET, "a long list of texts", "[1, 2, 3, 4, 5, 6]", lambda n: "[" + '"a", ' * n + "1]", 5000)
_add_json("lightnet", LIGHTNET, "comments", '"ops"', lambda n: "/* x */" * n + '"ops"', 5000)
FAMILIES["lightnet blanks in front"] = Family("lightnet", lambda n: "\n" * n + LIGHTNET, 300000)
FAMILIES["lightnet comments in front"] = Family("lightnet", lambda n: "// x\n" * n + LIGHTNET, 20000)


# -- Glacier -----------------------------------------------------------------------------------------------------------


def _add_rows(name: str, row: str, size: int = 2000, rest: str = "") -> None:
    def text(count: int) -> str:
        rows = [row.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, count)]
        return "\n".join(["0 Var []", *rows]) + "\n" + rest.replace("~", "0, " * count)

    FAMILIES[f"glacier {name}"] = Family("glacier", text, size)


def _add_line(name: str, line: Callable[[int], str], size: int = 20000) -> None:
    FAMILIES[f"glacier {name}"] = Family(
        "glacier", lambda n: f"0 Var []\n1 nn.relu [0]\n{line(n)}\n3 nn.relu [1]\n", size
    )


_add_rows("a chain", "# nn.relu [@]", 5000)
_add_rows("rows of one number", "1 nn.relu [0]")
_add_rows("unknown operators", "# nn.reluu# [@]", 300)
_add_rows("inputs that do not exist", "# nn.relu [99999999]")
_add_rows("inputs without a quote", "# nn.relu ['a]")
_add_rows("rows without brackets", "# nn.relu @")
_add_rows("comments", "# nn.relu [@] # x")
_add_rows("suppressions", "# nn.relu [@] # irlint: ignore[G001]")
_add_rows("rows upside down", "9#9 nn.relu [@]")
_add_rows("types", "# nn.relu [@] float32 (1, 2)")
_add_line("inputs of one node", lambda n: f"2 concatenate [{'0, ' * n}1]")
_add_line("names of one node", lambda n: "2 concatenate [" + _each(n, "'n#', ") + "1]")
_add_line("a line of digits", lambda n: "2" * n, 200000)
_add_line("a line of blanks", lambda n: "2" + " " * n + "x", 200000)
_add_line("a line of letters", lambda n: "2 nn.relu " + "x" * n, 200000)
_add_line("a line of quotes", lambda n: "2 nn.relu [" + "'" * n)
_add_line("a line of brackets", lambda n: "2 nn.relu " + "[" * n)
_add_line("a line of commas", lambda n: "2 nn.relu [" + "," * n + "]")
_add_line("a line of backslashes", lambda n: "2 nn.relu ['" + "\\" * n + "]")
_add_line("nodes on one line", lambda n: _each(n, "# nn.relu [0] "), 3000)


# -- lists of layers ---------------------------------------------------------------------------------------------------


def _add_layers(name: str, layer: str, size: int = 2000, first: str = "Input in 0 1 b0 0=8 1=8 2=3") -> None:
    form = "pnnx" if first.startswith("pnnx.") else "ncnn"

    def text(count: int) -> str:
        layers = [layer.replace("#", str(k)).replace("@", str(k - 1)) for k in range(1, count)]
        return "\n".join(["7767517", f"{count} {count}", first, *layers]) + "\n"

    FAMILIES[f"{form} {name}"] = Family(form, text, size)


def _ignored(count: int) -> str:
    layers = _each(count, "ReLU r# 1 1 b0 b# 7=1\n")
    comments = "".join(f"# irlint: ignore[A001] r{k}\n" for k in range(count))
    return f"7767517\n{count + 1} {count + 1}\nInput in 0 1 b0\n{layers}{comments}"


FAMILIES["ncnn layers with comments"] = Family("ncnn", _ignored, 2000)


def _add_layer(name: str, layer: Callable[[int], str], size: int = 20000) -> None:
    form = "pnnx" if layer(1).startswith("pnnx.") else "ncnn"
    FAMILIES[f"{form} {name}"] = Family(form, lambda n: f"7767517\n2 2\nInput in 0 1 b0\n{layer(n)}\n", size)


_add_layers("a chain", "ReLU r# 1 1 b@ b#", 5000)
_add_layers("convolutions", "Convolution c# 1 1 b@ b# 0=3 1=3 4=1 5=1 6=81", 5000)
_add_layers("readers of one blob", "ReLU r# 1 1 b0 b#")
_add_layers("readers of two blobs", "BinaryOp r# 2 1 b@ b0 b#")
_add_layers("blobs of one name", "ReLU r# 1 1 b0 b0")
_add_layers("layers of one name", "ReLU r 1 1 b@ b#")
_add_layers("undefined blobs", "ReLU r# 1 1 c# b#")
_add_layers("undefined blobs of a Split", "ReLU r# 1 1 b0_splitncnn_# b#")
_add_layers("one undefined blob", "ReLU r# 1 1 c b#")
_add_layers("layers upside down", "ReLU r# 1 1 c# c@")
_add_layers("layers that read themselves", "ReLU r# 1 1 c# c#")
_add_layers("unknown types", "ReLUU# r# 1 1 b@ b#", 300)
_add_layers("an unknown type", "Relu r# 1 1 b@ b#")
_add_layers("wrong counts", "ReLU r# 2 1 b@ b#")
_add_layers("odd counts", "ReLU r# x 1 b@ b#")
_add_layers("unknown parameters", "ReLU r# 1 1 b@ b# 7=#")
_add_layers("odd parameters", "ReLU r# 1 1 b@ b# #")
_add_layers("parameters in lines of their own", "ReLU r# 1 1 b@ b#\n0=0.1")
_add_layers("layers in two lines", "ReLU r# 1 1\nb@ b#")
_add_layers("layers in lines of words", "ReLU\nr#\n1\n1\nb@\nb#", 1000)
_add_layers("two layers in a line", "ReLU r# 1 1 b@ a# ReLU s# 1 1 a# b#", 1000)
_add_layers("comments", "# r#\nReLU r# 1 1 b@ b#")
_add_layers("comments behind layers", "ReLU r# 1 1 b@ b# 0=0.1 # c", 1000)
_add_layers("names that no count has", "ReLU r# 1 1 b@ b# c#", 1000)
_add_layers("commas for equals signs", "ReLU r# 1 1 b@ b# 0,# 1=1", 1000)
_add_layers("strange spaces", "ReLU r# 1 1 b@\xa0b#", 1000)
_add_layers("numbers of many characters", "ReLU r# 1 1 b@ b# 0=0.10000000000000001")
_add_layers(
    "operators of PyTorch", "nn.ReLU r# 1 1 b@ b# #b@=(1,8)f32 #b#=(1,8)f32", 1000, "pnnx.Input in 0 1 b0 #b0=(1,8)f32"
)
_add_layers("odd operators of PyTorch", "nn.Relu r# 1 1 b@ b# a=(1,b #b@=(1,8 $x=y @w=(", 1000, "pnnx.Input in 0 1 b0")
_add_layers("expressions", "pnnx.Expression r# 1 1 b@ b# expr=add(@0,@1", 1000, "pnnx.Input in 0 1 b0")
_add_layer("inputs of one layer", lambda n: f"Concat c {n} 1{' b0' * n} c")
_add_layer("outputs of one layer", lambda n: f"Split s 1 {n} b0" + _each(n, " c#"))
_add_layer("inputs that are not there", lambda n: f"Concat c {n} 1 b0 c")
_add_layer("a large count", lambda n: f"Concat c {'9' * min(n, 4000)} 1 b0 c")
_add_layer("parameters of one layer", lambda n: "ReLU r 1 1 b0 b1" + _each(n, " #=1"), 5000)
_add_layer("one parameter many times", lambda n: "ReLU r 1 1 b0 b1" + " 0=0.5" * n, 5000)
_add_layer("elements of an array", lambda n: f"Reshape r 1 1 b0 b1 -23300={n}" + ",1" * n)
_add_layer("an expression in brackets", lambda n: f"Reshape r 1 1 b0 b1 6={'(' * n}{')' * n}", 5000)
_add_layer("an expression", lambda n: "pnnx.Expression r 1 1 b0 b1 expr=" + "add(@0," * n + "1" + ")" * n, 2000)
_add_layer("digits", lambda n: f"ReLU r 1 1 b0 b1 0={'9' * n}", 200000)
_add_layer("letters", lambda n: "x" * n, 200000)
_add_layer("blanks", lambda n: "ReLU" + " " * n + "r", 200000)
_add_layer("equals signs", lambda n: "ReLU r 1 1 b0 b1 " + "=" * n, 200000)
_add_layer("quotes", lambda n: "ReLU r 1 1 b0 b1 a=" + '"' * n, 200000)
_add_layer("commas", lambda n: "ReLU r 1 1 b0 b1 0=" + "," * n, 100000)
_add_layer("words", lambda n: "a " * n)
_add_layer("blank lines", lambda n: "\n" * n, 200000)
_add_layer("lines of one word", lambda n: "a\n" * n, 2000)
_add_layer("text below", lambda n: "ReLU r 1 1 b0 b1\n" + "# irlint: ignore[G001]\n" * n)


# -- ONNX --------------------------------------------------------------------------------------------------------------


def _onnx(nodes: str, rest: str = "", header: str = "", inputs: str = "float[2] y0", tail: str = "") -> str:
    imports = f'<ir_version: 9, opset_import: ["" : 17]{header}>'
    return f"{imports}\ng ({inputs}) => (float[2] out) {rest} {{\n{nodes}   out = Relu (y0)\n}}\n{tail}"


def _add_nodes(name: str, node: str, size: int = 2000) -> None:
    FAMILIES[f"onnx {name}"] = Family("onnx", lambda n: _onnx(_each(n, f"   {node}\n")), size)


def _add_onnx(name: str, text: Callable[[int], str], size: int = 2000) -> None:
    FAMILIES[f"onnx {name}"] = Family("onnx", text, size)


_BODY = "(b) <then_branch = t () => (float[2] a#) { a# = Relu (y0) }, else_branch = e () => (float[2] b#) { b# = Abs (z#) }>"
_add_nodes("a chain", "y# = Relu (y@)")
_add_nodes("nodes upside down", "y@ = Relu (y#)", 1000)
_add_nodes("outputs of one name", "y = Relu (y0)")
_add_nodes("nodes of one name", "[n] y# = Relu (y@)")
_add_nodes("unknown operators", "y# = Reluu# (y@)", 300)
_add_nodes("unknown domains", "y# = own#.Relu (y@)", 300)
_add_nodes("names that are not there", "y# = Relu (q#)", 1000)
_add_nodes("one missing name", "y# = Add (y0, missing)", 1000)
_add_nodes("misspelt names", "value_# = Relu (valu_@)", 1000)
_add_nodes("unknown attributes", "y# = LeakyRelu <a# = 1> (y@)", 500)
_add_nodes("odd attributes", 'y# = LeakyRelu <alpha = "a"> (y@)', 1000)
_add_nodes("nodes that cannot be read", "y# = Relu (y@")
_add_nodes("lines that are none", "= ) y#")
_add_nodes("bodies", f"y# = If {_BODY}", 900)
_add_onnx("inputs of one node", lambda n: _onnx(f"   c = Concat <axis = 0> ({_each(n, 'q#, ')}y0)\n"))
_add_onnx("inputs that are left out", lambda n: _onnx(f"   c = Concat <axis = 0> ({', ' * n}y0)\n"), 5000)
_add_onnx("outputs of one node", lambda n: _onnx(f"   {_each(n, 's#, ')}t = Split <axis = 0> (y0)\n"))
_add_onnx("attributes of one node", lambda n: _onnx(f"   c = Relu <{_each(n, 'a# = 1', ', ')}> (y0)\n"), 1000)
_add_onnx("one attribute many times", lambda n: _onnx(f"   c = Relu <{'a = 1, ' * n}b = 1> (y0)\n"), 1000)
_add_onnx("a long list", lambda n: _onnx(f"   c = Relu <a = [{'1, ' * n}1]> (y0)\n"), 10000)
_add_onnx("a long tensor", lambda n: _onnx("", f"<float[{n}] w = {{{'1,' * (n - 1)}1}}>"), 10000)
_add_onnx("a long shape", lambda n: _onnx("", inputs=f"float[{'1,' * n}2] y0"), 5000)
_add_onnx("initializers", lambda n: _onnx("", f"<{_each(n, 'float w# = {1}', ', ')}>"))
_add_onnx("initializers of one name", lambda n: _onnx("", f"<{', '.join(['float w = {1}'] * n)}>"))
_add_onnx("sizes", lambda n: _onnx("", f"<float[{'9999999999,' * n}2] w = {{...}}>"), 5000)
_add_onnx("declared types", lambda n: _onnx("", f"<{_each(n, 'int8 y0', ', ')}>"))
_add_onnx(
    "imports", lambda n: _onnx("", header=f", opset_import: [{_each(n, chr(34) + 'd#' + chr(34) + ' : 1', ', ')}]")
)
_add_onnx(
    "metadata", lambda n: _onnx("", header=f", metadata_props: [{', '.join(['~a~: ~b~'.replace('~', chr(34))] * n)}]")
)
_add_onnx(
    "functions",
    lambda n: _onnx("", tail=_each(n, '<domain: "o", opset_import: ["" : 17]> f# (a) => (b) { b = o.f@ (a) }\n')),
    500,
)
_add_onnx(
    "functions that are called otherwise",
    lambda n: _onnx(
        _each(n, "   y# = o.call# (y@)\n"),
        tail=_each(n, '<domain: "o", opset_import: ["" : 17]> cal# (a) => (b) { b = Relu (a) }\n'),
    ),
    1000,
)
_add_onnx("a long name", lambda n: _onnx(f"   c = Relu ({'x' * n})\n"), 200000)
_add_onnx("a long number", lambda n: _onnx(f"   c = Relu <a = {'9' * n}> (y0)\n"), 100000)
_add_onnx("blanks", lambda n: _onnx(" " * n), 200000)
_add_onnx("comments", lambda n: _onnx("# x\n" * n), 50000)
_add_onnx("quotes", lambda n: _onnx('"' * (2 * n + 1)), 2000)
_add_onnx("angles", lambda n: _onnx("<" * n), 20000)
_add_onnx("nested types", lambda n: _onnx("", inputs="seq(" * n), 20000)
_add_onnx("nested bodies", lambda n: _onnx("y = If <a = g () => () {" * n), 2000)


# -- configurations ----------------------------------------------------------------------------------------------------


def _add_settings(form: str, name: str, text: Callable[[int], str], size: int = 2000) -> None:
    FAMILIES[f"{form} {name}"] = Family(form, text, size)


_add_settings("toml", "dotted keys", lambda n: f"[tool.irlint]\n{'.'.join(['a'] * n)} = 1\n", 20000)
_add_settings("toml", "keys below one another", lambda n: "[tool.irlint]\n" + _each(n, "a#.b = 1\n"))
_add_settings("toml", "a dotted table", lambda n: f"[tool.irlint]\nselect = []\n[{'.'.join(['a'] * n)}]\n", 20000)
_add_settings("toml", "selectors", lambda n: "[tool.irlint]\nselect = [" + '"G001", ' * n + "]\n", 5000)
_add_settings("toml", "unknown selectors", lambda n: "[tool.irlint]\nselect = [" + _each(n, '"q#", ') + "]\n")
_add_settings("toml", "nested lists", lambda n: f"[tool.irlint]\nselect = {'[' * n}{']' * n}\n", 300)
_add_settings(
    "toml", "tables of other tools", lambda n: _each(n, "[a#]\nb = 1\n") + "[tool.irlint]\nselect = []\n", 5000
)
_add_settings("yaml", "keys", lambda n: _each(n, "a#: 1\n"))
_add_settings("yaml", "selectors", lambda n: "select: [" + "G001, " * n + "]\n")
_add_settings("yaml", "unknown selectors", lambda n: "select: [" + _each(n, "q#, ") + "]\n")
_add_settings("yaml", "nested lists", lambda n: "select: " + "[" * n + "]" * n + "\n", 300)
_add_settings("yaml", "a long text", lambda n: "select: " + "a" * n + "\n", 100000)
_add_settings("yaml", "an alias", lambda n: "a: &a [1]\nselect: [" + "*a, " * n + "]\n", 1000)
_add_settings("yaml", "patterns", lambda n: "exclude: [" + _each(n, "'a#/**', ") + "]\n")
