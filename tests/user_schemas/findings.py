"""Findings of users' schemas in every format: a model, a schema, and the text in which the expected tokens are marked."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

Schema = dict[str, Any] | str


class Row(NamedTuple):
    """`marked` is a part of the document with all tokens that are found; `message` a part of the first one's message."""

    model: str
    of: str
    schema: Schema  # a str: XSD or RELAX NG
    marked: tuple[str, ...]
    message: str
    node: str | None = None


def _nodes(**parts: Any) -> dict[str, Any]:
    return {"properties": {"nodes": {"items": {"properties": parts}}}}


def _of(op: str, then: Any) -> dict[str, Any]:
    """Return a schema of the nodes with an operator."""
    condition = {"properties": {"op": {"const": op}}}
    return {"properties": {"nodes": {"items": {"if": condition, "then": then}}}}


def _attributes(op: str, **parts: Any) -> dict[str, Any]:
    return _of(op, {"properties": {"attributes": {"properties": parts}}})


def _keys(op: str, *known: str) -> dict[str, Any]:
    allowed = {"properties": dict.fromkeys(known, True), "additionalProperties": False}
    return _of(op, {"properties": {"attributes": allowed}})


def _needs(op: str, *keys: str) -> dict[str, Any]:
    return _of(op, {"properties": {"attributes": {"required": [*keys]}}})


def _items(part: str, **parts: Any) -> dict[str, Any]:
    return {"properties": {part: {"items": {"properties": parts}}}}


def _outputs(op: str, **parts: Any) -> dict[str, Any]:
    return _of(op, {"properties": {"outputs": {"items": {"properties": parts}}}})


def _metadata(section: str, **parts: Any) -> dict[str, Any]:
    return {"properties": {"metadata": {"properties": {section: {"properties": parts}}}}}


def _bodies(**parts: Any) -> dict[str, Any]:
    inner = {"properties": {"nodes": {"items": {"properties": parts}}}}
    return _nodes(graphs={"items": inner})


def _xsd(content: str) -> str:
    return f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">{content}</xs:schema>'


LOWER = {"pattern": "^[a-z_]+$"}
LAX = '<xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>'
NET = (
    f'<xs:element name="net"><xs:complexType><xs:sequence>{LAX}</xs:sequence><xs:attribute name="name" type="Name"/>'
    '<xs:attribute name="version" type="xs:int"/></xs:complexType></xs:element><xs:simpleType name="Name"><xs:annotation>'
    '<xs:documentation>Names begin with the team.</xs:documentation></xs:annotation><xs:restriction base="xs:string">'
    '<xs:pattern value="team-.*"/></xs:restriction></xs:simpleType>'
)
LAYERS = (
    '<xs:element name="net"><xs:complexType><xs:sequence><xs:element name="layers"><xs:complexType><xs:sequence>'
    '<xs:element name="layer" maxOccurs="unbounded"><xs:complexType><xs:sequence>{content}</xs:sequence>'
    '<xs:attribute name="id" type="xs:int"/><xs:attribute name="name" type="xs:{name}"/><xs:attribute name="type"/>'
    '<xs:attribute name="version" type="V"/></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>'
    f'{LAX}</xs:sequence><xs:anyAttribute processContents="skip"/></xs:complexType></xs:element>'
    '<xs:simpleType name="V"><xs:restriction base="xs:string"><xs:enumeration value="opset1"/>{version}</xs:restriction></xs:simpleType>'
)
RNG = 'xmlns="http://relaxng.org/ns/structure/1.0" datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes"'
ANY = '<define name="any"><element><anyName/><zeroOrMore><choice><attribute><anyName/></attribute><text/><ref name="any"/></choice></zeroOrMore></element></define>'

ROWS = [
    # names, operators, attributes
    Row("mxnet", "graph", _nodes(name={"pattern": "^[a-z]+$"}), ('lyConnected", "name": «"fc0"»,', '"Activation", "name": «"relu0"»,'), 'expected a match of `^[a-z]+$` for `name`', 'fc0'),
    Row("mxnet", "graph", _nodes(op={"enum": ["FullyConnected", "Pooling"]}), ('"op": «"Activation"», "name": "r',), 'expected one of `FullyConnected`, `Pooling`', 'relu0'),
    Row("mxnet", "graph", _attributes("FullyConnected", num_hidden={"enum": ["8", "16"]}), ('False", "num_hidden": «"4"»},',), 'num_hidden', 'fc0'),
    Row("mxnet", "graph", _keys("FullyConnected", "num_hidden"), ('"attrs": {«"no_bias"»: "False", "',), 'unknown key `no_bias` in `attributes`', 'fc0'),
    Row("mxnet", "graph", _needs("Activation", "slope"), ('"op": «"Activation"», "name": "r',), 'missing key `slope` in `attributes`', 'relu0'),
    Row("mxnet", "graph", _items("constants", name={"pattern": "_(gamma|bias)$"}), ('"op": "null", "name": «"fc0_weight"», "attrs": {',), 'expected a match', 'fc0_weight'),
    Row("mxnet", "graph", _items("constants", shape={"maxItems": 1}), ('attrs": {"__shape__": «"(4, 8)"»}, "inputs":',), 'expected at most 1 element', 'fc0_weight'),
    Row("mxnet", "graph", _items("outputs", name={"const": "prob"}), ('"heads": [«[4, 0, 0]»],',), 'expected `prob` for `name`'),
    Row("mxnet", "graph", _of("Activation", {"properties": {"inputs": {"items": {"const": "data"}}}}), ('"inputs": [«[3, 0, 0]»]',), 'expected `data`', 'relu0'),
    Row("mxnet", "graph", {"properties": {"inputs": {"maxItems": 0}}}, ('«{»',), 'expected at most 0 elements for `inputs`'),
    Row("mxnet-legacy", "graph", _attributes("FullyConnected", no_bias={"const": "True"}), ('"param": {"no_bias": «"False"», "num_hidde',), 'expected `True`', 'fc0'),
    Row("mxnet-legacy", "graph", _keys("Activation"), ('ctivation", "param": {«"act_type"»: "relu"}, "',), 'unknown key `act_type`', 'relu0'),
    Row("classic", "graph", _nodes(op={"not": {"const": "relu"}}), ('{"op": «"relu"», "name": "r',), '`op` is not allowed', 'relu0'),
    Row("classic", "graph", _attributes("dense", units={"pattern": "^1?[1-9]$"}), ('", "attrs": {"units": «"10"», "use_bias"',), 'expected a match', 'dense0'),
    Row("classic", "graph", _items("inputs", name={"minLength": 5}), ('"op": "null", "name": «"data"», "inputs": ',), 'expected at least 5 characters', 'data'),
    Row("tvm", "graph", _attributes("tvm_op", func_name={"pattern": "_v2$"}), ('attrs": {"func_name": «"fused_add"», "num_input', 'attrs": {"func_name": «"fused_relu"», "num_input'), 'expected a match', 'fused_add'),
    Row("tvm", "graph", _needs("tvm_op", "hash"), ('"op": «"tvm_op"», "name": "f', '"op": «"tvm_op"», "name": "f'), 'missing key `hash`', 'fused_add'),
    Row("tvm", "graph", {"properties": {"dialect": {"const": "mxnet"}}}, ('«{»',), 'expected `mxnet` for `dialect`'),
    Row("lightnet", "graph", _attributes("create", dtype={"const": "TL_HALF"}), ('e": "dtype", "value": «"TL_FLOAT"»},',), 'expected `TL_HALF`', 'load'),
    Row("lightnet", "graph", _attributes("create", dims={"items": {"multipleOf": 2}}), ('"dims", "value": [2, «3»]},',), 'multiple of 2', 'load'),
    Row("lightnet", "graph", _attributes("create", data={"maxItems": 4}), ('me": "data", "value": «[»1, 2, 3, 4, ',), 'expected at most 4 elements', 'load'),
    Row("lightnet", "graph", _keys("slice", "axis", "len"), ('ue": 1}, {"arg_name": «"start"», "value": 0',), 'unknown key `start`', 'cut'),
    Row("lightnet", "graph", _needs("print", "level"), ('e": "show", "optype": «"print"», "tensors_i',), 'missing key `level`', 'show'),
    Row("lightnet", "graph", _outputs("slice", name={"pattern": "^out_"}), ('name": "dst", "name": «"part"»}],',), '`^out_`', 'cut'),
    Row("lightnet", "graph", _of("slice", {"properties": {"inputs": {"maxItems": 0}}}), ('me": "cut", "optype": «"slice"»,',), 'at most 0', 'cut'),
    Row("planned", "graph", _nodes(name={"minLength": 2}), ('"name": «"z"», "optype": ',), 'at least 2 characters', 'z'),
    Row("openvino", "graph", _nodes(version={"enum": ["opset1"]}), ('pe="SoftMax" version="«opset8»">',), 'expected `opset1` for `version`', 'classes'),
    Row("openvino", "graph", _attributes("SoftMax", axis={"const": "-1"}), ('<data axis="«1»"/>',), 'expected `-1`', 'classes'),
    Row("openvino", "graph", _keys("Multiply"), ('<data «auto_broadcast»="numpy"/>',), 'unknown key `auto_broadcast`', 'scaled'),
    Row("openvino", "graph", _outputs("SoftMax", dtype={"const": "float16"}), ('«<port id="1" precision="FP32">»',), 'expected `float16` for `dtype`', 'classes'),
    Row("openvino", "graph", _items("inputs", shape={"prefixItems": [{"const": 2}]}), ('<data shape="«1,3,8,8»" element_ty',), 'expected 2', 'image'),
    Row("openvino", "graph", _items("constants", dtype={"not": {"const": "float32"}}), ('<data element_type="«f32»" shape="1, ',), '`dtype` is not allowed', 'scale'),
    Row("openvino", "graph", {"properties": {"name": {"minLength": 9}}}, ('<net name="«sample»" version="1',), 'at least 9 characters for `name`'),
    Row("openvino", "graph", _metadata("", author={"const": "me"}), ('<author value="«nobody»"/>',), 'expected `me` for `author`, got `"nobody"`'),
    Row("listing", "graph", _nodes(op={"enum": ["nn.conv2d", "nn.relu"]}), ("1 «nn.bias_add» [0, 'bias']",), 'unknown value `"nn.bias_add"` for `op`', '1'),
    Row("listing", "graph", _items("constants", name={"not": {"const": "bias"}}), ("1 nn.bias_add [0, «'bias'»]",), '`name` is not allowed', 'bias'),
    Row("listing", "graph", _of("nn.relu", {"properties": {"inputs": {"items": {"const": "0"}}}}), ('2 nn.relu [«1»]',), 'expected `0`', '2'),
    Row("listing", "graph", {"required": ["metadata"]}, ("«0 nn.conv2d ['image', 'kernel']»",), 'missing key `metadata`'),
    Row("events", "graph", _nodes(op={"pattern": r"^nn\.[a-z]+$"}), ('{"nodeID": 0, "name": «"nn.conv2d"», "inputs": ', '{"nodeID": 1, "name": «"nn.bias_add"», "inputs": '), 'expected a match', '0'),
    Row("events", "graph", _items("inputs", name={"const": "data"}), ('n.conv2d", "inputs": [«"image"», "kernel"],',), 'expected `data`', 'image'),
    Row("onnx", "graph", _nodes(name={"minLength": 6}), ('[«twice»] doubled = ', '[«shift»] y = Add (d'), 'at least 6 characters', 'twice'),
    Row("onnx", "graph", _nodes(version={"not": {"const": "local"}}), ('[twice] doubled = «local».Twice (chos',), '`version` is not allowed', 'twice'),
    Row("onnx", "graph", _items("inputs", dtype={"not": {"const": "bool"}}), ('«bool» flag,',), '`dtype` is not allowed', 'flag'),
    Row("onnx", "graph", _items("inputs", shape={"items": {"type": "integer"}}), ('«float[N,4]» x',), 'expected an integer for element 1 of `shape`', 'x'),
    Row("onnx", "graph", _items("constants", shape={"items": {"maximum": 3}}), ('float[4] «bias» = {1.0, 2.0',), 'expected at most 3', 'bias'),
    Row("onnx", "graph", _items("outputs", name={"const": "y"}), ('float[N,4] «last»',), 'expected `y`'),
    Row("onnx", "graph", _items("outputs", shape={"minItems": 3}), ('float[N,4] «y»,', 'float[N,4] «last»'), 'at least 3 elements'),
    Row("onnx", "graph", _bodies(op={"not": {"const": "Neg"}}), ('[other] b = «Neg» (x)',), '`op` is not allowed', 'other'),
    Row("onnx", "graph", _bodies(name={"not": {"enum": ["keep", "inner"]}}), ('[«inner»] a = Relu (', '[«keep»] more = Ide'), '`name` is not allowed', 'inner'),
    Row("onnx", "graph", _nodes(graphs={"items": _items("inputs", dtype={"const": "float32"})}), ('body: graph = step («int64» i, «bool» go, float[N',), 'expected `float32`', 'i'),
    Row("onnx", "graph", _nodes(graphs={"items": {"properties": {"name": {"enum": ["step", "positive"]}}}}), ('[choose] chosen = «If» (flag) <',), 'negative', 'choose'),
    Row("onnx", "graph", _attributes("If", then_branch={"const": "no"}), ('«then_branch»: graph = po',), 'expected `no`', 'choose'),
    Row("onnx", "graph", {"properties": {"functions": {"items": _nodes(op={"const": "Sub"})}}}, ('[both] sum = «Add» (value, val',), 'expected `Sub`', 'both'),
    Row("onnx", "graph", {"properties": {"functions": {"items": {"properties": {"name": LOWER}}}}}, ('«Twice» (value) => ',), 'expected a match'),
    Row("onnx", "graph", _metadata("metadata_props", author={"const": "me"}), ('ta_props: ["author" : «"nobody"», "license" ',), 'expected `me` for `author`'),
    Row("onnx", "graph", {"properties": {"metadata": {"properties": {"metadata_props": {"required": ["author", "task"]}}}}}, ('«<»',), 'missing key `task`'),
    Row("onnx", "graph", {"properties": {"metadata": {"properties": {"metadata_props": {"properties": {"author": True}, "additionalProperties": False}}}}}, ('["author" : "nobody", «"license"» : "MIT"]',), 'unknown key `license`'),
    Row("onnx", "graph", _metadata("", doc_string={"maxLength": 5}, model_version={"const": "4"}, domain={"const": "com"}), ('«domain: "org.example"»,', 'model_version: «3»,', 'doc_string: «"Two branches"»,'), 'expected `com` for `domain`, got `"org.example"`'),
    Row("onnx", "graph", _metadata("", producer={"pattern": "^pytorch"}), ('producer_name: «"exporter"»,',), 'expected a match'),
    Row("onnx", "graph", {"properties": {"versions": {"properties": {"opset": {"const": "18"}}}}}, ('opset_import: ["" : «17», "local" : ',), 'expected `18` for `opset`'),
    Row("onnx", "graph", {"properties": {"name": {"const": "net"}}}, ('«main» (',), 'expected `net` for `name`'),
    Row("onnx binary", "graph", _nodes(name={"not": {"const": "relu"}}), ('[«relu»] positive =',), '`name` is not allowed', 'relu'),
    Row("onnx binary", "graph", _attributes("Softmax", axis={"const": -1}), ('Softmax <axis: int = «1»> (positive)',), 'expected -1 for `axis`', 'softmax'),
    Row("onnx binary", "graph", _keys("Softmax"), ('ax] scores = Softmax <«axis»: int = 1> (',), 'unknown key `axis`', 'softmax'),
    Row("onnx binary", "graph", _metadata("metadata_props", license={"const": "BSD"}), ('"nobody", "license": «"MIT"»]',), 'expected `BSD`'),
    Row("onnx binary", "graph", _bodies(op={"const": "Tanh"}), ('[inner] a = «Relu» (image)', '[inner] a = «Relu» (image)'), 'expected `Tanh`', 'inner'),
    Row("onnx binary", "graph", _items("outputs", dtype={"const": "float16"}), ('float[1,10] «scores»',), 'expected `float16`'),
    Row("onnx json", "graph", _nodes(name={"pattern": "max$"}), ('"name": «"relu"»,',), 'expected a match', 'relu'),
    Row("onnx json", "graph", _attributes("Softmax", axis={"maximum": 0}), ('"i": «1»',), 'expected at most 0 for `axis`', 'softmax'),
    Row("onnx json", "graph", _items("inputs", shape={"items": {"const": 1}}), ('"type": «{»',), 'expected 1', 'image'),
    Row("prototext", "graph", _nodes(op={"enum": ["Relu"]}), ('op_type: «"Softmax"»',), 'expected `Relu`', 'softmax'),
    Row("prototext", "graph", _attributes("Softmax", axis={"const": 0}), (': "axis" type: INT i: «1» }',), 'expected 0', 'softmax'),
    Row("param", "graph", _nodes(name={"not": {"const": "relu"}}), ('ReLU             «relu»     1 1 con',), '`name` is not allowed', 'relu'),
    Row("param", "graph", _attributes("Convolution", **{"0": {"multipleOf": 8}}), ('v     1 1 data conv 0=«4» 1=3 4=1 5=1',), 'multiple of 8', 'conv'),
    Row("param", "graph", _keys("Convolution", "0", "1", "4", "5"), ('conv 0=4 1=3 4=1 5=1 «6»=108',), 'unknown key `6`', 'conv'),
    Row("param", "graph", _needs("Convolution", "9"), ('«Convolution»      conv  ',), 'missing key `9`', 'conv'),
    Row("param", "graph", _outputs("BinaryOp", name={"const": "output"}), ('2 1 relu conv_1 «out» 0=0',), 'expected `output`', 'add'),
    Row("param", "graph", _of("ReLU", {"properties": {"inputs": {"items": {"const": "conv"}}}}), ('relu     1 1 «conv_0» relu',), 'expected `conv`', 'relu'),
    Row("graph", "graph", _nodes(op={"pattern": "^nn"}), ('«pnnx.Expression» mul 1 1 0 1', '«pnnx.Output» out 1 0 1 #'), 'expected a match', 'mul'),
    Row("graph", "graph", _attributes("pnnx.Expression", expr={"maxLength": 3}, a={"const": 2}), ('expr=«mul(@0,2)» a=«1» #0=(1,3)f32',), '\'mul\': expected at most 3 characters for `expr`, got `"mul(@0,2)"`', 'mul'),
    Row("graph", "graph", _outputs("pnnx.Expression", shape={"prefixItems": [{"const": 8}]}), ('.Expression mul 1 1 0 «1» expr=mul(@0',), 'expected 8', 'mul'),
    Row("graph", "graph", _needs("pnnx.Expression", "b"), ('«pnnx.Expression» mul 1 1 0 1',), 'missing key `b`', 'mul'),
    # the file itself
    Row("mxnet", "file", {"properties": {"nodes": {"items": {"properties": {"name": {"not": {"const": "fc0"}}}}}}}, ('lyConnected", "name": «"fc0"»,',), '`name` is not allowed', 'fc0'),
    Row("mxnet", "file", {"properties": {"attrs": {"required": ["author"]}}}, ('"attrs": «{»"mxnet_versi',), 'missing key `author` in `attrs`'),
    Row("mxnet", "file", {"properties": {"heads": {"items": {"items": {"maximum": 3}}}}}, ('"heads": [[«4», 0, 0]],',), 'expected at most 3'),
    Row("classic", "file", {"propertyNames": {"pattern": "^[a-z]+$"}}, ('«"arg_nodes"»: [0, 1, 2],', '«"node_row_ptr"»: [0, 1, 2, '), 'arg_nodes'),
    Row("tvm", "file", {"properties": {"attrs": {"additionalProperties": False, "properties": {"shape": True, "dltype": True}}}}, ('«"storage_id"»: ["list_int',), 'unknown key `storage_id`'),
    Row("lightnet", "file", {"properties": {"ops": {"minItems": 9}}}, ('"ops": «[»',), 'at least 9 elements'),
    Row("lightnet", "file", {"required": ["version"]}, ('«{»',), 'missing key `version`'),
    Row("planned", "file", {"properties": {"mem_sizes_l": {"items": {"exclusiveMaximum": 9}}}}, ('"mem_sizes_l": [0, «9»],',), 'expected less than 9'),
    Row("events", "file", {"type": "object"}, ('«{»"nodeID": 0,',), 'expected an object for the file, got a list of 3 elements'),
    Row("onnx json", "file", {"properties": {"irVersion": {"minimum": 10}}}, ('"irVersion": «8»,',), 'expected at least 10 for `irVersion`'),
    Row("onnx", "file", {"type": "object"}, ('«»<',), 'expected JSON, got another file'),
    Row("onnx binary", "file", {"type": "object"}, ('«»<',), 'expected JSON, got another file'),
    Row("param", "file", _xsd("<xs:element name='a'/>"), ('«»7767517',), 'expected XML, got another file'),
    Row("listing", "file", {"type": "object"}, ('«»0 nn.conv2d ',), 'expected JSON, got another file'),
    Row("openvino", "file", {"type": "object"}, ('«»<?xml versio',), 'expected JSON, got another file'),
    Row("mxnet", "file", _xsd("<xs:element name='a'/>"), ('«»{',), 'expected XML, got another file'),
    Row("openvino", "file", _xsd(NET), ('<net name="«sample»" version="1',), 'Names begin with the team'),
    Row("openvino", "file", _xsd(LAYERS.format(content=LAX, name="NCName", version="")), ('pe="SoftMax" version="«opset8»">',), "is not an element of the set {'opset1'}"),
    Row("openvino", "file", _xsd(LAYERS.format(content='<xs:any processContents="skip" maxOccurs="2"/>', name="string", version='<xs:enumeration value="opset8"/>')), ('<«output»>', '<«output»>'), 'unexpected element `output`'),
    Row("openvino", "file", f'<grammar {RNG}><start><element name="net"><attribute name="name"><data type="int"/></attribute><attribute name="version"/><zeroOrMore><ref name="any"/></zeroOrMore></element></start>{ANY}</grammar>', ('<net name="«sample»" version="1',), "doesn't allow value 'sample'"),
    Row("openvino", "file", f'<grammar {RNG}><start><element name="net"><attribute name="name"/><attribute name="version"/><element name="layers"><zeroOrMore><ref name="any"/></zeroOrMore></element><element name="edges"><oneOrMore><ref name="any"/></oneOrMore></element></element></start>{ANY}</grammar>', ('<«rt_info»>',), 'unexpected element `rt_info`'),
    # files that are not models
    Row("data", "file", {"properties": {"name": {"minLength": 5, "description": "Names have a version."}}}, ('{"name": «"r50"», "layers": ',), 'expected at least 5 characters for `name`, got `"r50"`; Names have a version'),
    Row("data", "file", {"properties": {"layers": {"items": {"required": ["name", "size"]}}}}, ('me": "a", "size": 3}, «{»"name": "b"}',), 'missing key `size`'),
    Row("data", "file", {"properties": {"tags": {"uniqueItems": True, "errorMessage": "tags are unique"}}}, ('name": "b"}], "tags": «[»"x", "x"]}',), 'tags are unique'),
    Row("data", "file", {"properties": {"layers": {"items": {"properties": {"name": True}, "unevaluatedProperties": False}}}}, ('yers": [{"name": "a", «"size"»: 3}, {"name',), 'unknown key `size`'),
    Row("text", "file", _xsd('<xs:element name="job"><xs:complexType><xs:sequence><xs:element name="step" type="xs:string"/></xs:sequence><xs:attribute name="name"/></xs:complexType></xs:element>'), ('<step «n»="1">load</s',), "unknown attribute `n` of `step`"),
    Row("text", "file", f'<element name="job" {RNG}><attribute name="name"/><element name="step"><attribute name="n"/><value>save</value></element></element>', ('<step n="1">«load»</step>',), 'unexpected value of `step`'),
]  # fmt: skip


def written(schema: Schema) -> str:
    return schema if isinstance(schema, str) else json.dumps(schema)
