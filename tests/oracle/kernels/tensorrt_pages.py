"""What the page of operators of a release of onnx-tensorrt says, as rules of a table, checked against the parser of that release.

A page has a row for each operator: whether it is supported, for which types, with which restrictions. Pages are not always up to date, so
what the source of the parser contradicts is left out, as is each restriction that no row of RESTRICTIONS can read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Box = dict[str, Any]

TYPES = {
    "FP32": "float32", "FLOAT32": "float32", "FP16": "float16", "FLOAT16": "float16", "BF16": "bfloat16", "BFLOAT16": "bfloat16",
    "DOUBLE": "float64", "INT8": "int8", "INT4": "int4", "INT32": "int32", "INT64": "int64", "UINT8": "uint8", "BOOL": "bool",
    "FP8": "float8_e4m3fn", "FP4": "float4_e2m1fn",
}  # fmt: skip
SYNONYMS = {
    "Weights": ("W",), "Scales": ("scale", "x_scale", "y_scale"), "biases": ("B",), "zero-point": ("x_zero_point", "y_zero_point"),
}  # fmt: skip
TYPED = {"Where": 1, "OneHot": 2}  # the input that the types of a row are about, if it is not the first
# Rows whose types are about outputs or bodies, and CumSum, whose parser takes any number.
UNTYPED = {
    "CumSum",
    "Constant", "ConstantOfShape", "EyeLike", "If", "Loop", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Scan",
    "BlackmanWindow", "HammingWindow", "HannWindow",
}  # fmt: skip


@dataclass
class Release:
    """A page, the source of the parser (none if it is not known), and what was left out."""

    name: str
    page: str
    source: str
    inputs: dict[str, list[str]]  # names of the inputs of each operator, in its newest version
    since: dict[str, int]  # the opset that has each operator first
    unread: Counter[str] = field(default_factory=Counter)
    contradicted: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._importers = {
            name: body.partition("\n}\n")[0]
            for name, body in re.findall(
                r"DEFINE_BUILTIN_OP_IMPORTER\((\w+)\)(.*?)(?=DEFINE_BUILTIN_OP_IMPORTER|\Z)", self.source, re.S
            )
        }
        listed = re.search(r"following ONNX data types: ([\w, ]+)", self.page)
        words = re.findall(r"\w+", listed[1]) if listed else []
        self._types = {TYPES[word] for word in words if word in TYPES} | {"int32", "int64"}
        self._opset = int(re.findall(r"[Oo]pset (\d+)", self.page)[-1 if "inclusive" in self.page else 0])
        self.narrowed = re.search(r"cast down INT64 to INT32", self.page) is not None
        self.clamps = self.narrowed and "clamping" in self.page

    def rules(self) -> Iterator[tuple[str, list[Box] | None]]:
        """Yield the rule of each operator, by its name, or the name of a version."""
        listed = {name for name, _ in self._rows()}
        for name, since in self.since.items():
            if since <= self._opset and name not in listed and name not in self._importers:
                yield name, None
        for name, cells in self._rows():
            if not cells[0].startswith("Y"):
                if name in self._importers:
                    self.contradicted.append(f"{name}: not supported")
                else:
                    yield name, None
                continue
            boxes = list(self._typed(name, cells[1] if len(cells) > 1 and self._has_types else ""))
            for sentence in _sentences(cells[-1] if len(cells) > 1 + self._has_types else ""):
                boxes += self._restricted(name, sentence)
            if name == "Resize" and "ASSERT(scales.is_weights()" in self._importers.get("Resize", ""):
                yield "Resize-10", [*_of(boxes, "type"), {"input 1": ["given"]}]
                boxes.append({"input 2": ["given"], "input 3": ["absent"]})
            elif name == "Resize":
                yield "Resize-10", _of(boxes, "type")  # it has no attributes but `mode`
            yield name, boxes

    @property
    def _has_types(self) -> bool:
        return "Supported Types" in self.page

    def _rows(self) -> Iterator[tuple[str, list[str]]]:
        for line in self.page.split("\n"):
            if line.startswith("|") and not line.startswith(("| Operator", "|--")):
                cells = [cell.strip() for cell in line.replace("\\", "").strip().strip("|").split("|")]
                if cut := re.fullmatch(r"(\w+) ([YN])", cells[0]):  # a bar was forgotten
                    cells = [cut[1], cut[2], *cells[1:]]
                yield cells[0], cells[1:]

    def _typed(self, name: str, text: str) -> Iterator[Box]:
        """Yield the types that are refused: all but those listed, and those that are converted to them."""
        if name in UNTYPED:
            return
        port = f"type in {TYPED.get(name, 0)}"
        known = {TYPES[word] for word in re.findall(r"\w+", text) if word in TYPES}
        refused = re.search(r"notInvalidType\(inputs\.at\(0\), \{([^}]*)\}", self._importers.get(name, ""))
        if refused is not None and name not in TYPED:  # the parser says which it refuses; pages lag behind
            known |= self._types - {TYPES[word] for word in re.findall(r"\w+", refused[1]) if word in TYPES}
        if (only := re.search(r"Only ([A-Z\d, or]+) input is supported", self._importers.get(name, ""))) is not None:
            words = re.findall(r"\w+", only[1].replace("HALF", "FP16").replace("FLOAT", "FP32"))
            known |= {TYPES[word] for word in words if word in TYPES}
        known = known or set(self._types)
        if self.narrowed and "int32" in known:
            known.add("int64")
        if "float64" in self._types and "float32" in known:
            known.add("float64")
        yield {port: {"not": sorted(known)}}

    def _restricted(self, name: str, sentence: str) -> list[Box]:
        for pattern, contradiction, read in RESTRICTIONS:
            if (found := re.fullmatch(pattern, sentence)) is None:
                continue
            if contradiction and re.search(contradiction, self._importers.get(name, "")):
                self.contradicted.append(f"{name}: {sentence}")
                return []
            boxes = read(found, self.inputs.get(name, []))
            if boxes is not None:
                return boxes
        self.unread[f"{name}: {sentence}"] += 1
        return []


def _of(boxes: list[Box], kind: str) -> list[Box]:
    return [box for box in boxes if all(fact.startswith(kind) for fact in box)]


def _sentences(text: str) -> list[str]:
    parts = re.split(r"\.?\s*<br ?/>\s*|\. (?=[A-Z`0-9\"])", text)
    return [part.strip(" .") for part in parts if part.strip(" .")]


def _constants(found: re.Match[str], inputs: list[str]) -> list[Box] | None:
    words = [word for part in re.findall(r"[\w-]+", found[1]) for word in SYNONYMS.get(part, (part,))]
    places = {inputs.index(word) for word in words if word in inputs}
    return [{f"input {place}": ["given"]} for place in sorted(places)] or None


def _constant_floats(found: re.Match[str], inputs: list[str]) -> list[Box] | None:
    floats = {"type in 0": ["float16", "float32", "float64"]}
    return [{**floats, **box} for box in _constants(found, inputs) or ()] or None


def _fact(fact: str, *allowed: Any) -> Callable[[re.Match[str], list[str]], list[Box]]:
    return lambda _found, _inputs: [{fact: {"not": list(allowed)}}]


def _words(fact: str, default: str) -> Callable[[re.Match[str], list[str]], list[Box]]:
    def read(found: re.Match[str], _inputs: list[str]) -> list[Box]:
        words: list[str | None] = re.findall(r"`(\w+)`", found[1])
        return [{f"attribute {fact}": {"not": [*words, *([None] if default in words else [])]}}]

    return read


_ONES = (None, *([1] * n for n in range(4)))
_CONSTANT = r"(?:an? )?(?:initializers?|initailizer|constant tensor|build-time constant|resolvable to a constant)"
# What a sentence says; what in the parser contradicts it; the facts that are refused.
RESTRICTIONS: list[tuple[str, str, Callable[[re.Match[str], list[str]], list[Box] | None]]] = [
    (rf"((?!.*dimension of).+) must be {_CONSTANT}", "", _constants),
    (rf"Float(?:ing point)? inputs are only supported if (.+) inputs are {_CONSTANT}", "", _constant_floats),
    (r"2D or 3D (?:[Pp]ooling|convolutions|deconvolutions) only", "", _fact("rank 0", 3, 4, 5)),  # all add a dimension to 1D
    (r"Input rank must be >=3 & <=5", "", _fact("rank 0", 3, 4, 5)),
    (r"Input must be 4D input", "", _fact("rank 0", 4)),
    (r"`[xy]_zero_point` must be (?:zero|0)", "", lambda _found, _inputs: [{"zero 2": ["other"]}]),
    (r"`dilations` must be empty or all ones", "", _fact("attribute dilations", *_ONES)),
    (r"`Indices` output tensor unsupported", "", lambda _found, _inputs: [{"outputs": ["11", "01"]}]),
    (r"Only the first output `Y` is supported", "", _fact("outputs", "1")),
    (r"`(\w+)` (?:attribute )?must be (-?\d)", "",
     lambda found, _inputs: [{f"attribute {found[1]}": {"not": [int(found[2]), *([None] if found[2] != "-2" else [])]}}]),
    (r"`reduction` (?:is not supported|other than `none` is not supported)", r"get<std::string>\(\"reduction\"", _fact("attribute reduction", None, "none")),
    (r"Dynamic input shapes are unsupported|`input` must have static dimensions", "", lambda _found, _inputs: [{"dynamic": [True]}]),
    (r"Supported resize transformation modes: (.*)", "", _words("coordinate_transformation_mode", "half_pixel")),
    (r"Supported resize modes: (.*)", r'mode == "cubic"', _words("mode", "nearest")),
    (r"Supported nearest modes: (.*)", "", _words("nearest_mode", "round_prefer_floor")),
    (r"Supported aspect ratio policy: (.*)", "", _words("keep_aspect_ratio_policy", "stretch")),
    (r"Antialiasing is not supported", "", _fact("attribute antialias", None, 0)),
    (r"Asymmetric coordinate transformation mode only", r"== \"half_pixel\"", _fact("attribute coordinate_transformation_mode", "asymmetric")),
    (r"Nearest or Linear resizing mode only", "", _fact("attribute mode", None, "nearest", "linear")),
    (r"`softcap` attribute.*|`qk_matmul_output_mode` and `softcap` attributes are unsupported", "",
     lambda _found, _inputs: [{"attribute qk_matmul_output_mode": {"not": [None, 0]}}, {"attribute softcap": {"not": [None, 0.0]}}]),
    (r"(`\w+`(?:,? (?:and )?`\w+`)*) inputs are unsupported", "",
     lambda found, inputs: [{f"input {inputs.index(word)}": ["given", "constant"]} for word in re.findall(r"`(\w+)`", found[1])]),
    (r"`present_key`, `present_value` and `qk_matmul_output` outputs are unsupported", "", _fact("outputs", "1")),
    (r"`past_cache` and `update` must be 4D", "", lambda _found, _inputs: [{"rank 0": {"not": [4]}}, {"rank 1": {"not": [4]}}]),
]  # fmt: skip
