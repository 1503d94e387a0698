"""Seed corpora, made from the rules' own examples and from small files written here."""

from __future__ import annotations

import io
import struct
from functools import cache

from irlint.rules import examples as rule_examples
from irlint.rules import registry


@cache
def examples(form: str) -> tuple[bytes, ...]:
    """The examples of a format, or of one dialect of it ("glacier:events"), shortest first."""
    format_name, _, dialect = form.partition(":")
    found = {
        sample.text.encode("utf-8", "surrogateescape")
        for rule in registry.all_rules().values()
        for name, example in rule_examples.examples(rule.code).items()
        for sample in (example.broken, example.sound)
        if name == format_name and dialect in ("", sample.dialect)
    }
    return tuple(sorted(found, key=lambda text: (len(text), text)))


def mxnet_params() -> list[bytes]:
    """MXNet's list of arrays, in each version of its records, and a sparse one."""
    magic = {1: 0xF993FAC8, 2: 0xF993FAC9, 3: 0xF993FACA}
    shapes = {"arg:fc0_weight": (4, 8), "arg:fc0_bias": (4,)}
    found = []
    for version in (0, 1, 2, 3):
        records = []
        for shape in shapes.values():
            rank = len(shape)
            if version == 0:
                head = struct.pack(f"<I{rank}I", rank, *shape)
            else:
                head = struct.pack("<I", magic[version]) + (struct.pack("<i", 0) if version > 1 else b"")
                head += struct.pack(f"<i{rank}q", rank, *shape)
            size = 4 * shape[0] * (shape[1] if rank > 1 else 1)
            records.append(head + struct.pack("<iii", 1, 0, 0) + bytes(size))
        found.append(_listed(records, list(shapes)))
    rows = struct.pack("<Iii2qi2qii", magic[2], 1, 2, 1, 8, 2, 4, 8, 1, 0) + struct.pack("<iiiq", 0, 6, 1, 1)
    found.append(_listed([rows + bytes(32) + struct.pack("<q", 2)], ["arg:fc0_weight"]))
    return found


def _listed(records: list[bytes], names: list[str]) -> bytes:
    found = struct.pack("<QQQ", 0x112, 0, len(records)) + b"".join(records) + struct.pack("<Q", len(names))
    return found + b"".join(struct.pack("<Q", len(name)) + name.encode() for name in names)


def tvm_params() -> list[bytes]:
    """TVM's dictionary of arrays."""
    tensor = struct.pack("<QQiiiBBH2qq", 0xDD5E40F096B4A13F, 0, 1, 0, 2, 2, 32, 1, 1, 4, 16) + bytes(16)
    name = b"p0"
    return [struct.pack("<QQQQ", 0xF7E58D4F05049CB7, 0, 1, len(name)) + name + struct.pack("<Q", 1) + tensor]


def archives() -> list[bytes]:
    """Archives of NumPy's: plain, compressed, of other types and shapes, and one that holds objects."""
    import numpy as np

    arrays = {"fc0_weight": np.ones((4, 8), "f4"), "fc0_bias": np.zeros(4, "f4"), "image": np.ones((2, 3), "f4")}
    kinds = [
        arrays,
        {"fc0_bias": np.array(3)},
        {"a": np.zeros((0, 5), "i8"), "b": np.array(["x"])},
        {"o": np.array([None])},
    ]
    found = []
    for save in (np.savez, np.savez_compressed):
        for held in kinds:
            stream = io.BytesIO()
            save(stream, **held)
            found.append(stream.getvalue())
    return found


ONNX_BRANCHES = """<ir_version: 9, opset_import: ["" : 17, "own" : 1], metadata_props: ["a": "b"]>
g (bool c, float[2,N] x) => (float[] y) <int8[300] big = {...}, float16[2] h = {15360, 0}, string s = {"a"}> {
   y = If <
      then_branch: graph = t () => (float[2,N] a) { a = own.Twice <by = 2> (x) },
      else_branch: graph = e () => (float[2,N] b) <float k = {0.5}> { b = Add (x, k) }
   > (c)
}
<domain: "own", opset_import: ["" : 17]> Twice <by> (a) => (b) {
   f = Constant <value_int = @by> ()
   g = Cast <to = 1> (f)
   b = Mul (a, g)
}
"""


def onnx_models() -> list[bytes]:
    """Binaries of ONNX: a chain, and one with nested graphs, functions, raw and external data."""
    from irlint.formats.onnx.text.document import read_text
    from irlint.formats.onnx.wire import MODEL
    from irlint.formats.onnx.wire.writer import whole

    found = []
    for text in [*(text.decode() for text in examples("onnx") if text.startswith(b"<")), ONNX_BRANCHES]:
        tree = read_text(text, "a").tree
        for tensor in tree.get("graph", {}).get("initializer", ()):
            if tensor.pop("cut", False):
                tensor |= {"raw_data": b"\x01"} if tensor["data_type"] == 3 else {"float_data": [0.5] * 9}
        found.append(whole(MODEL, tree))
    tensor = {"name": "w", "dims": [4], "data_type": 1, "data_location": 1}
    entries = [{"key": "location", "value": "w.data"}, {"key": "length", "value": "16"}]
    value = {"name": "w", "type": {"tensor_type": {"elem_type": 1}}}
    graph = {"name": "g", "initializer": [tensor | {"external_data": entries}], "output": [value], "doc_string": "d"}
    found.append(whole(MODEL, {"ir_version": 9, "opset_import": [{"version": 17}], "graph": graph}))
    return found


def prototext_models() -> list[bytes]:
    """ONNX in protobuf's text format: lists in brackets, both kinds of brackets and quotes, escapes, numbers of all kinds."""
    attributes = (
        'attribute { name: \'axes\', type: INTS ints: [0, 0x1, 02] } attribute < name: "a" "b" f: .5f; type: 1 >'
    )
    tensor = 'initializer { dims: 2 data_type: 1 raw_data: "\\000\\000\\200?\\xff\\n\\"\\u00e9" name: "w" } # w'
    data = "initializer: [{ dims: [3] data_type: 11 double_data: [1, -inf, nan] }, { data_location: EXTERNAL }]"
    branch = "attribute { name: 'then_branch' type: GRAPH g { node: [] output { name: 'z' } } }"
    graph = f"node {{ op_type: 'If' {attributes}\n {branch} }}\n  {tensor}\n  {data}\n"
    function = f"functions {{ name: 'f' domain: 'd' node {{ {branch} }} }}"
    return [
        f"ir_version: 8\nopset_import {{ version: 17 }}\ngraph {{\n  {graph}}}\n".encode(),
        f"graph < {tensor}\n> {function} ir_version: 3".encode(),
    ]


def words() -> list[bytes]:
    """LightNet's weight files: bits of numbers as hexadecimal words."""
    return [
        b"1\nimage 0 6 3f800000 40000000 0 0 bf800000 7f800000 \n",
        b"2\nimage 2 6 ff 1 2 3 4 5 \nother 0 0 \n",
        b"0\n",
    ]
