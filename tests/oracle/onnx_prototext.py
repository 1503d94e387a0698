"""Make tests/formats/onnx/prototext.json, what protobuf's text_format reads of texts: python -m oracle.onnx_prototext (in tests, with the Python that has onnx)."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import onnx
from google.protobuf import text_format

VERDICTS = Path(__file__).parents[1] / "formats/onnx/prototext.json"

# What may be written for an integer of 64 bits, one of 32, a float, a double, a string, bytes, and an enumeration
NUMBERS = (
    "0", "-0", "7", "+7", "-7", "- 7", "07", "-017", "08", "0x1F", "-0x1f", "0X1f", "0b11", "0o17", "1_000", "1u", "1.0", "1e3", "0x",
    "--1", "true", "'1'", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "18446744073709551615", "18446744073709551616", "", "{}", "[]", "[1]", "é",
)  # fmt: skip
REALS = (
    "1", "1.", ".5", "-.5", "1.5f", "1F", "1ff", "1e5", "1E-5f", "1e400", "-1e400", "inf", "-inf", "INF", "infinity", "-Infinityf", "+inf",
    "nan", "-nan", "NaNf", "nanx", "010", "010.5", "0x10", "00", "0", "-0.0", "1_0.5", "- 1", "1e", "e5", "1.2.3", "3.4028236e38", "16777217",
)  # fmt: skip
STRINGS = (
    '""', "''", '"a" "b"', "'a'\"b\"\n  'c'", '"a"# c\n"b"', '"a\nb"', '"a\\\nb"', '"it\'s"', "'say \"x\"'", '"\\a\\b\\f\\n\\r\\t\\v\\\\\\\'\\""',
    '"\\0\\1\\12\\123\\1234"', '"\\377"', '"\\400"', '"\\777"', '"\\8"', '"\\x4"', '"\\x41"', '"\\x414"', '"\\x"', '"\\xg"', '"\\X41"',
    '"\\u00e9"', '"\\u20AC"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\u12"', '"\\U0001F600"', '"\\U00110000"', '"\\U0001F60"', '"\\\\u00e9"', '"\\q"',
    '"\\?"', '"é€"', '"\\303\\251"', '"\\351"', '"a', "'a", '"a\\"', '"a\\\\"', '"\t\r"', "a", "1",
)  # fmt: skip
ENUMS = ("FLOAT", "float", "0", "1", "-1", "14", "15", "0x2", "02", "UNDEFINED", '"FLOAT"', "FLOATS_", "TYPE_PROTO")
TEXTS = (
    "", " ", "# only a comment", "ir_version: 1 # c", "ir_version:1", "ir_version : 1", "ir_version\n#c\n:\n#d\n1", "ir_version 1", "ir_version: 1,",
    "ir_version: 1;", "ir_version: 1,,", ",ir_version: 1", "ir_version: 1, ;", "ir_version: 1 ir_version: 1", "ir_version: [1]", "ir_version: 1 ]",
    "ir_version: 1 }", "5: 1", "[a.b]: 1", "[a.com/b] { }", "IR_VERSION: 1", "irVersion: 1", "graph {}", "graph: {}", "graph <>", "graph: <>",
    "graph { >", "graph < }", "graph {} graph {}", "graph { }, ir_version: 1", "graph { ,name: 'a' }", "graph { name: 'a', }", "graph", "graph:",
    "graph {", "graph { node { }", "graph: 1", "graph: 'a'", "graph [{}]", "graph { node [] }", "graph { node: [] }", "graph { node [{}, {}] }",
    "graph { node: [{}, <>] }", "graph { node [{} {}] }", "graph { node [{},] }", "graph { node [,{}] }", "graph { node [{}; {}] }",
    "graph { node [{}, {}] node {} }", "graph { node [[{}]] }", "graph { node {} node <> }", "graph { node { input: ['a', 'b'] input: 'c' } }",
    "graph { node { input: ['a' 'b', \"c\"] } }", "graph { node { input ['a'] } }", "graph { node { input: ['a',] } }", "graph { node { input: ['a' } }",
    "opset_import { version: 1 } opset_import { domain: 'a' version: 2 }", "model-version: 1", "model_version: 1-", "model_version: 1model_version: 2",
    "graph{node{attribute{ints:1 ints:[2,3]ints:4}}}", "graph { node { attribute { ints: [1, 0x2, 03] } } }", "graph { node { attribute { ints: [1 2] } } }",
    "graph { node { attribute { floats: [1, .5f, inf, # c\n -nan] } } }", "graph { node { attribute { floats: [] } } }",
    "graph { node { attribute { i: 1 f: 2 } } }", "graph { input { type { tensor_type { } sequence_type { } } } }",
    "graph { input { type { tensor_type { } denotation: 'a' } } }", "graph { input { type { tensor_type { shape { dim { dim_value: 1 dim_param: 'a' } } } } } }",
    "graph { input { type { tensor_type { shape { dim { dim_value: 1 denotation: 'a' } } } } } }",
    "graph { initializer { segment { begin: 1 end: 2 } uint64_data: 18446744073709551615 } }", "graph { initializer { uint64_data: -1 } }",
    "graph { initializer { int32_data: 3000000000 } }", "graph { initializer { data_type: FLOAT } }", "graph { initializer { data_location: EXTERNAL } }",
    "graph { node { device_configurations { sharding_spec { device: 1 sharded_dim { simple_sharding { dim_value: 1 dim_param: 'a' } } } } } }",
    "graph { node { device_configurations { sharding_spec { tensor_name: 'a' index_to_device_group_map { key: 1 value: [1, 2] } } } } }",
    "ir_version: 1\u00a0", "ir_version: 1\x0b\x0c\r\n", "ir_version: 1 \0", "\ufeffir_version: 1", "ir_version: 1 // c", "ir_version: 1 /* c */", "ir_version = 1",
)  # fmt: skip


def texts() -> list[str]:
    """Return whole models, in which one value or one detail of syntax varies."""
    attribute = "graph { node { attribute { %s: %s } } }"
    tensor = "graph { initializer { %s: %s } }"
    return [
        *TEXTS,
        *(f"model_version: {word}" for word in NUMBERS),
        *(tensor % ("data_type", word) for word in NUMBERS),
        *(tensor % ("dims", word) for word in NUMBERS),
        *(attribute % ("f", word) for word in REALS),
        *(tensor % ("double_data", word) for word in REALS),
        *(f"doc_string: {word} domain: 'x'" for word in STRINGS),
        *(tensor % ("raw_data", word) for word in STRINGS),
        *(attribute % ("type", word) for word in ENUMS),
    ]


def tree(message: Any) -> dict[str, Any]:
    """Return what a message holds, with bytes as Latin-1."""

    def one(value: Any) -> Any:
        return (
            tree(value)
            if hasattr(value, "ListFields")
            else value.decode("latin-1")
            if isinstance(value, bytes)
            else value
        )

    found = {}
    for field, value in message.ListFields():
        is_list = not isinstance(value, (str, bytes)) and hasattr(value, "__len__")
        found[field.name] = [one(item) for item in value] if is_list else one(value)
    return found


def verdict(text: str) -> dict[str, Any] | None:
    """Return what protobuf reads of a text; None if it refuses it."""
    try:
        return tree(text_format.Parse(text, onnx.ModelProto()))
    except text_format.ParseError:
        return None


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of escapes that are unknown
    rows = [json.dumps([text, verdict(text)], sort_keys=True) for text in dict.fromkeys(texts())]
    VERDICTS.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")
