"""Writes schemas/operators/openvino-tokenizers.json from the openvino-tokenizers wheel: python tokenizer_table.py > FILE.

Names and types of inputs are what the sources of the library say. Each is held against the wheel: a node with inputs of these types
has to be made, with outputs of these types, and one input of another type refused where the table says so. How many inputs are
taken, and the attributes with their defaults, are asked of the wheel alone.
"""

from __future__ import annotations

import json
import re
import sys
from itertools import pairwise
from typing import Any

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]

import openvino as ov  # noqa: E402
from openvino_tokenizers import _get_factory  # noqa: E402

MOST = 25  # inputs tried
NUMPY = {"int32": "i32", "int64": "i64", "uint8": "u8", "bool": "boolean", "string": "string", "float32": "f32"}
DTYPES = {word: name for name, word in NUMPY.items()}


def strings(name: str, shape: str = "_") -> str:
    """Strings as three tensors: where each begins and ends, and the bytes of all."""
    return f"{name}_begins:{shape}/int32 {name}_ends:_/int32 {name}_chars:_/uint8"


def ragged(shape: str = "S", begins: str = "_") -> str:
    """Rows of strings: where each row begins and ends, then the strings."""
    return f"ragged_begins:{shape}/int32 ragged_ends:_/int32 begins:{begins}/int32 ends:_/int32 chars:_/uint8"


STRINGS, RAGGED = "S/int32 S/int32 [_]/uint8", "S/int32 S/int32 [_]/int32 [_]/int32 [_]/uint8"
NUMBERS = "S/int32 S/int32 [_]/int32"
SKIPS = "skips:K/T"
VOCAB, MERGES, ADDED = strings("vocab"), strings("merges"), strings("added", "A") + " added_ids:A/int32"
RIGHT = strings("right_merges")
DATA = strings("data", "S")
PAIR = "{0}_begins:{1}/int32 {0}_ends:_/int32 {0}:[_]"
LENGTH = "max_length:[]/int32 side:[_]/uint8 mode:[_]/uint8"
TOKENS = strings("special") + " special_ids:_/int32"

# By type: inputs with shapes and types, and outputs; for each number of inputs that the operation is used with.
SPEC: dict[str, list[str]] = {
    "BPETokenizer": [
        f"{ragged()} {VOCAB} {MERGES} -> {NUMBERS}",
        f"{ragged()} {VOCAB} {MERGES} {RIGHT} -> {NUMBERS}",
        f"{ragged()} {VOCAB} {MERGES} {ADDED} -> {NUMBERS}",
        f"{ragged()} {VOCAB} {MERGES} {RIGHT} {ADDED} -> {NUMBERS}",
    ],
    "ByteFallback": [f"{DATA} -> {STRINGS}"],
    "BytesToChars": [f"{ragged()} -> {RAGGED}", f"{ragged()} {SKIPS} -> {RAGGED} K/T"],
    "CaseFold": [f"{DATA} -> {STRINGS}", f"{DATA} {SKIPS} -> {STRINGS} K/T"],
    "CharsMapNormalization": [],
    "CharsToBytes": [f"{ragged()} -> {STRINGS}"],
    "CombineSegments": [],
    "ContribStringJoin": [f"{strings('data')} separator:[_]/uint8 axis:_/int32|int64 -> _/int32 _/int32 [_]/uint8"],
    "ContribStringSplit": [
        f"{strings('data')} delimiter:[_]/uint8 skip_empty:_/bool|uint8|int8 -> [_,_]/int64 [_]/int32 [_]/int32 [_]/uint8 [_]/int64"
    ],
    "EqualStr": ["begins_1:_/int32 ends_1:_/int32 chars_1:_ begins_2:_/int32 ends_2:_/int32 chars_2:_ -> [_]/int32"],
    "FuzeRagged": ["ragged_begins:S/int32 ragged_ends:_/int32 begins:_/int32 ends:_/int32 -> S/int32 S/int32"],
    "NormalizeUnicode": [f"{DATA} -> {STRINGS}", f"{DATA} {SKIPS} -> {STRINGS} K/T"],
    "NumericToString": ["data:S -> S/string"],
    "RaggedTensorPack": ["begins:_/int32 ends:_/int32 data:S/T -> S/T"],
    "RaggedToDense": [],
    "RaggedToRagged": ["row_ids:_/int32 first_dim_size:_/int32 -> [_]/int32 [_]/int32"],
    "RaggedToSparse": ["begins:S/int32 ends:S/int32 -> [_,2]/int32"],
    "RegexNormalization": [
        f"{DATA} pattern:[_]/uint8 replacement:[_]/uint8 -> {STRINGS}",
        f"{DATA} {SKIPS} pattern:[_]/uint8 replacement:[_]/uint8 -> {STRINGS} K/T",
    ],
    "RegexSplit": [
        f"{ragged()} pattern:[_]/uint8 -> {RAGGED}",
        f"{ragged()} {SKIPS} pattern:[_]/uint8 -> {RAGGED} K/T",
        f"{ragged()} pattern:[_]/uint8 {strings('skip')} -> {RAGGED}",
    ],
    "SentencepieceDetokenizer": [f"model:_/uint8 ids:[N,_] -> {STRINGS.replace('S/', '[N]/')}"],
    "SentencepieceStreamDetokenizer": [f"model:_/uint8 ids:[N,_] -> {STRINGS.replace('S/', '[N]/')}"],
    "SentencepieceTokenizer": [
        f"model:_/uint8 {data}{more} -> [_,2]/int64 [_]/int32 [2]/int64"
        for more in ("", f" {TOKENS}")
        for data in ("data:_/string|float32", strings("data"))
    ],
    "SpecialTokensSplit": [
        f"{ragged(begins='B')} pattern:[_]/uint8 -> {RAGGED} B/bool",
        f"{ragged()} {SKIPS} pattern:[_]/uint8 -> {RAGGED} K/T",
    ],
    "StringTensorPack": [],
    "StringTensorUnpack": [],
    "StringToHashBucket": ["begins:S/int32 ends:_/int32 chars:_ -> S/int64"],
    "TrieTokenizer": [f"{ragged()} {VOCAB} indices:_/int32 -> {NUMBERS}"],
    "Truncate": [
        f"{PAIR.format('first', 'S')} {LENGTH} -> {NUMBERS}",
        f"{PAIR.format('first', 'S')} {PAIR.format('second', 'Z')} {LENGTH} -> {NUMBERS} {NUMBERS.replace('S', 'Z')}",
    ],
    "UnigramTokenizer": [f"{ragged()} {VOCAB} scores:_ -> {NUMBERS}"],
    "UTF8Validate": [f"{DATA} -> {STRINGS}"],
    "VocabDecoder": [
        f"ids:[N,*_] {VOCAB}{more} -> {RAGGED.replace('S/', '[N]/')}" for more in ("", " skip_tokens:_")
    ],
    "VocabEncoder": [f"{DATA} {strings('vocab', 'K')} ids:K/T=int32|int64 unknown:_/T -> S/T"],
    "WordpieceTokenizer": [f"{ragged()} {VOCAB} unk_token_id:_ -> {NUMBERS}"],
}  # fmt: skip
# What no signature can say: shapes by a class in irlint/dryrun/ops/. Inputs and outputs as the table has them.
OTHERS: dict[str, dict[str, Any]] = {
    "CharsMapNormalization": {
        "shapes": "openvino/strings.CharsMap",
        "inputs": "begins ends chars skips_or_charsmap? charsmap?", "outputs": "begins ends chars skips",
        "tried": {5: "i32 i32 u8 boolean u8"},
    },
    "CombineSegments": {
        "shapes": "openvino/strings.CombineSegments",
        "inputs": "begins ends data", "groups": 3, "last": "segment_ids",
        "outputs": "begins ends data segment_begins segment_ends segment_data",
        "tried": {4: "i32 i32 i32 i32", 7: "i32 i32 i32 i32 i32 i32 i32"},
    },
    "RaggedToDense": {
        "shapes": "openvino/strings.RaggedToDense",
        "inputs": "begins ends data length value pad_right?", "outputs": "dense mask",
        "tried": {5: "i32 i32 i32 i32 i32:", 6: "i32 i32 i32 i32 i32: boolean:"},
    },
    "StringTensorPack": {
        "shapes": "openvino/sequence.StringTensorPack", "inputs": "begins ends symbols", "outputs": "result",
        "tried": {3: "i32 i32 u8"},
    },
    "StringTensorUnpack": {
        "shapes": "openvino/strings.Unpack", "inputs": "data", "outputs": "begins ends symbols", "tried": {1: "string"},
    },
}  # fmt: skip
DOMAINS = {"NumericToString": "openvino_tokenizers"}  # all others are registered under "extension"
REQUIRED = {  # members that the library leaves uninitialised where the attribute is missing
    "StringToHashBucket": ["num_buckets"],
    "SentencepieceTokenizer": ["nbest_size", "alpha", "add_bos", "add_eos", "reverse"],
}
WORDS = {  # values that the library compares with, letter for letter
    ("RegexSplit", "behaviour"): ["remove", "isolate", "contiguous", "mergedwithprevious", "mergedwithnext"],
    ("CaseFold", "encoding"): ["", "utf-8"],
    ("NormalizeUnicode", "normalization_form"): ["NFC", "NFD", "NFKC", "NFKD"],
    ("StringTensorPack", "mode"): ["begins_ends"],
    ("StringTensorUnpack", "mode"): ["begins_ends"],
}
COUNTED = ["VocabDecoder"]  # refuses more inputs when it runs
IGNORED = ["m_num_inputs"]  # of Truncate: counted again whenever the node is validated
BOUNDS: dict[tuple[str, str], dict[str, Any]] = {
    ("StringToHashBucket", "num_buckets"): {"above": 0, "zero": "refused", "negative": "refused"},
    ("RegexSplit", "max_splits"): {"least": -1, "negative": "refused"},
    ("UnigramTokenizer", "min_score"): {"endless": True},
}
NODE = {"StringToHashBucket": {"num_buckets": 10}}
ATTRIBUTES = re.compile(r"<data ([^>]*?)/?>")
ONE = re.compile(r'(\w+)="([^"]*)"')


def parameter(type_: str, shape: str = "") -> Any:
    lengths = {"[]": [], "[N,_]": [2, -1], "[N,*_]": [2, -1]}.get(shape, [-1])
    return ov.op.Parameter(getattr(ov.Type, type_), ov.PartialShape(lengths))


def create(name: str, inputs: list[Any]) -> Any:
    return _get_factory().create(name, inputs, NODE.get(name, {}))


def parsed(variant: str) -> tuple[list[tuple[str, str]], str]:
    left, _, right = variant.partition(" -> ")
    pairs = [word.partition(":") for word in left.split()]
    return [(name, pattern) for name, _, pattern in pairs], right


def types_of(pattern: str) -> list[str]:
    _, _, words = pattern.rpartition("/") if "/" in pattern else ("", "", "")
    words = words.rpartition("=")[2]
    return [NUMPY.get(word, word) for word in words.split("|") if not word[:1].isupper() and word]


def made(name: str, patterns: list[tuple[str, str]], other: int = -1) -> Any:
    """The node, with an input of another type than the table has at `other`; None where it is refused."""
    letters: dict[str, str] = {}
    inputs = []
    for k, (_, pattern) in enumerate(patterns):
        letter = next(iter(re.findall(r"/([A-Z])", pattern)), "")
        type_ = (types_of(pattern) or [letters.get(letter, "i32" if name != "RegexSplit" else "boolean")])[0]
        letters.setdefault(letter, type_)
        inputs.append(parameter("f64" if k == other else type_, pattern.partition("/")[0]))
    try:
        return create(name, inputs)
    except Exception:
        return None


def counts_taken(name: str, sample: list[Any]) -> list[int]:
    """The numbers of inputs with which a node is made; what is behind those of the table is a scalar."""
    taken = []
    for count in range(MOST):
        inputs = [sample[k] if k < len(sample) else parameter("i32", "[]") for k in range(count)]
        try:
            create(name, inputs)
        except Exception:
            continue
        taken.append(count)
    return taken


def attributes(name: str, node: Any) -> list[dict[str, Any]]:
    """What the writer writes of a node, with the values that the library begins with."""
    found = []
    for key, value in node.get_attributes().items():
        record: dict[str, Any] = {"name": key}
        words = WORDS.get((name, key))
        if isinstance(value, bool):
            record |= {"kind": "boolean", "default": str(value).lower()}
        elif isinstance(value, int):
            record |= {"kind": "int", "default": str(value)}
        elif isinstance(value, float):
            record |= {"kind": "float", "default": f"{value:g}"}
        elif isinstance(value, str):
            record |= {"kind": "string" if words is None else "enum", "default": value}
        else:
            record |= {"kind": "int[]"}
        if words is not None:
            record |= {"values": words, "exact": True}
        if key in REQUIRED.get(name, ()):
            record["required"] = True
            record.pop("default", None)
        if key in IGNORED:
            record["ignored"] = True
            record.pop("default", None)
        found.append(record | BOUNDS.get((name, key), {}))
    return found


def outputs_of(node: Any) -> list[str]:
    return [DTYPES[port.get_element_type().to_string()] for port in node.outputs()]


def record_of(name: str) -> dict[str, Any]:
    return _signed(name) if SPEC[name] else _other(name)


def _signed(name: str) -> dict[str, Any]:
    variants = {len(parsed(variant)[0]): parsed(variant) for variant in SPEC[name]}
    signatures, taken = {}, set()
    for count, (patterns, right) in variants.items():
        node = made(name, patterns)
        assert node is not None, (name, count)
        types = [types_of(pattern) or ["boolean" if "bool" in pattern else ""] for pattern in right.split()]
        real = outputs_of(node)
        assert len(real) <= len(types), (name, count, real)
        for want, got in zip(types, real, strict=False):
            assert want in ([""], [NUMPY[got]]), (name, count, want, got)
        for k, (_, pattern) in enumerate(patterns):
            refused = made(name, patterns, k) is None
            assert refused == (bool(types_of(pattern)) or pattern == "_/T"), (name, count, k, pattern, refused)
        signatures[str(count)] = " ".join(pattern for _, pattern in patterns) + " -> " + right
        taken |= {*counts_taken(name, list(map(_source, node.inputs())))}
    longest = max(variants.values(), key=lambda pair: len(pair[0]))[0]
    least = min(variants)
    inputs = [{"name": n, **({"kind": "optional"} if k >= least else {})} for k, (n, _) in enumerate(longest)]
    first = made(name, variants[least][0])
    most = max((right.split() for _, right in variants.values()), key=len)
    record: dict[str, Any] = {"inputs": inputs, "outputs": [{"name": f"out_{k}"} for k in range(len(most))]}
    record |= _attributes(name, first) | _counts(sorted(variants), [] if name in COUNTED else sorted(taken))
    return record | ({"signature": next(iter(signatures.values()))} if len(signatures) == 1 else {"signatures": signatures})  # fmt: skip


def _source(port: Any) -> Any:
    return port.get_source_output()


def _attributes(name: str, node: Any) -> dict[str, Any]:
    found = attributes(name, node)
    return {"attributes": found} if found else {}


def _counts(used: list[int], taken: list[int]) -> dict[str, Any]:
    """`counts` where they do not follow each other; `takes`: the most that the reader takes, though the operation reads no more."""
    found: dict[str, Any] = {}
    if any(b - a != 1 for a, b in pairwise(used)):
        found["counts"] = used
    if taken and taken[-1] > used[-1]:
        found["takes"] = taken[-1] if taken[-1] < MOST - 1 else 1000
    return found


def _other(name: str) -> dict[str, Any]:
    told = OTHERS[name]
    nodes = {}
    for count, types in told["tried"].items():
        inputs = [parameter(w.rstrip(":"), "[]" if w.endswith(":") else "") for w in types.split()]
        nodes[count] = create(name, inputs)
        assert len(nodes[count].outputs()) == len(told["outputs"].split()), name
    inputs = [
        {"name": word.rstrip("?"), **({"kind": "optional"} if word.endswith("?") else {})}
        for word in told["inputs"].split()
    ]
    node = nodes[min(nodes)]
    if "groups" in told:
        inputs[-1]["kind"] = "variadic"
        inputs.append({"name": told["last"]})
    record = {"inputs": inputs, "outputs": [{"name": word} for word in told["outputs"].split()]}
    record |= _attributes(name, node)
    if "groups" in told:
        record["groups"] = told["groups"]
    return {**record, "shapes": told["shapes"]}


ABOUT = (
    "Operations that the library openvino_tokenizers brings, by domain and type. counts: the numbers of inputs that an operation "
    "has, where not all between the first and the last; groups: inputs come in groups of that many, the last one alone; takes: the most inputs "
    "that the reader takes; ignored: an attribute whose value is never looked at; endless: infinity is a usual value; signature, signatures (by number of inputs): what the "
    "library checks of shapes and types, and what comes out; shapes: the operator of the dry run that knows. Measured with {}."
)


def main() -> None:
    from importlib.metadata import version

    head = {"name": "openvino-tokenizers", "about": ABOUT.format(version("openvino-tokenizers"))}
    lines = ["{", *(f"{json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()), '"operators": {']
    rows = [
        f"{json.dumps(DOMAINS.get(name, 'extension') + '.' + name)}: {json.dumps(record_of(name))}"
        for name in sorted(SPEC)
    ]
    print("\n".join([*lines, ",\n".join(rows), "}", "}"]))


if __name__ == "__main__":
    main()
