"""Write schemas/operators/pnnx.json from a checkout of ncnn: python tests/oracle/pnnx_types.py CHECKOUT.

The types that pnnx's passes create or match with their parameters, and the functions that it knows in expressions. Needs PyTorch.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from irlint.tools.names import distance

TABLE = Path(__file__).resolve().parents[2] / "schemas" / "operators" / "pnnx.json"
_TYPE = re.compile(r"\b(?:(?:nn|F|torch|Tensor|torchvision|torchaudio|pnnx)(?:\.[A-Za-z_]\w*)+|prim::\w+)(?![\w.:])")
_CREATED = re.compile(r'type_str\(\) const\s*\{\s*return "([^"]+)"')
_COMPARED = re.compile(r'op->type == "([^"]+)"')
_PARAMETER = re.compile(r'(?:op->params\["|=%)(\w+)')
_FUNCTION = re.compile(r't == "([\w.]+)"')
_PATTERN = re.compile(r"^\s*(\S+)\s+\S+\s+[0-9]+ [0-9]+(?: |$)", re.MULTILINE)


_DIMENSIONS = re.compile(r"nn\.(?:Conv|ConvTranspose|MaxPool|AvgPool|AdaptiveAvgPool|AdaptiveMaxPool)([123])d")
_LISTS = (
    "kernel_size",
    "stride",
    "padding",
    "dilation",
    "output_padding",
    "output_size",
)  # one number for each dimension
_BOOLS = (
    "bias",
    "ceil_mode",
    "count_include_pad",
    "affine",
    "track_running_stats",
    "elementwise_affine",
    "return_indices",
    "batch_first",
)
_BOOLS += ("bidirectional", "keepdim", "add_bias_kv", "add_zero_attn")
_INTS = (
    "groups",
    "in_channels",
    "out_channels",
    "in_features",
    "out_features",
    "num_features",
    "num_groups",
    "num_channels",
    "num_layers",
)
_INTS += (
    "num_embeddings",
    "embedding_dim",
    "hidden_size",
    "input_size",
    "embed_dim",
    "num_heads",
    "start_dim",
    "end_dim",
)
_PADDING_MODES = ["zeros", "reflect", "replicate", "circular"]
_NORM = dict.fromkeys(("weight", "bias", "running_mean", "running_var"), "num_features")
_WEIGHTS = {  # the shapes of an operator's tensors in terms of its parameters
    r"nn\.Linear": {"weight": "out_features,in_features", "bias": "out_features"},
    r"nn\.Conv\dd": {"weight": "out_channels,in_channels/groups,*kernel_size", "bias": "out_channels"},
    r"nn\.ConvTranspose\dd": {"weight": "in_channels,out_channels/groups,*kernel_size", "bias": "out_channels"},
    r"nn\.(?:Batch|Instance)Norm\dd": _NORM,
    r"nn\.GroupNorm": {"weight": "num_channels", "bias": "num_channels"},
    r"nn\.LayerNorm": {"weight": "*normalized_shape", "bias": "*normalized_shape"},
    r"nn\.Embedding": {"weight": "num_embeddings,embedding_dim"},
}
_PORT = {"name": ""}
_OWN: dict[
    str, dict[str, object]
] = {  # numbers of inputs and outputs that pnnx relies on, parameters without which it aborts
    "pnnx.Input": {"outputs": [_PORT]},
    "pnnx.Attribute": {"outputs": [_PORT]},
    "pnnx.Output": {"inputs": [{**_PORT, "kind": "variadic"}]},
    "pnnx.Expression": {
        "inputs": [{**_PORT, "kind": "variadic0"}],
        "outputs": [_PORT],
        "attributes": [{"name": "expr", "kind": "expression", "required": True}],
    },
    "torch.einsum": {"attributes": [{"name": "equation", "kind": "value", "required": True}]},
}


def types(source: Path) -> dict[str, set[str]]:
    """Return the types that passes have as their own or in a pattern of lines, with the parameters in the files that do."""
    found: dict[str, set[str]] = {name: set() for name in _COMPARED.findall((source / "ir.cpp").read_text())}
    for path in sorted(source.rglob("*.cpp")):
        if path.parent.name in ("pass_ncnn", "pass_onnx", "pass_tnn"):
            continue  # what these make is written to other files
        text = path.read_text()
        names = {name for name in [*_CREATED.findall(text), *_PATTERN.findall(text)] if _TYPE.fullmatch(name)}
        parameters = (
            set(_PARAMETER.findall(text)) - {"value"} if path.parent.name in ("pass_level1", "pass_level2") else set()
        )
        for name in names:
            found.setdefault(name, set()).update(parameters if name in _CREATED.findall(text) else ())
    return found


def alike(names: dict[str, set[str]]) -> list[str]:
    """Return what PyTorch has but pnnx does not know, and one letter away from what it knows."""
    import torch

    spaces = {"nn": torch.nn, "F": torch.nn.functional, "torch": torch, "Tensor": torch.Tensor}
    others = [f"{space}.{name}" for space, module in spaces.items() for name in dir(module) if name[0] != "_"]
    return sorted(
        other
        for other in others
        if other not in names and any(abs(len(name) - len(other)) < 2 and distance(name, other) < 2 for name in names)
    )


def functions(source: Path) -> tuple[list[str], list[str]]:
    """Return the functions of one argument, and of two: each branch of the expander pops as many."""
    text = (source / "ir.cpp").read_text()
    text = text[
        text.index("static std::string expand_expression") : text.index("static std::string make_slice_expression")
    ]
    one: set[str] = set()
    two: set[str] = set()
    for branch in re.split(r"\n        else if |\n        if ", text):
        names = _FUNCTION.findall(branch[: branch.find("\n        {")])
        (two if "std::string b = exprstack.top();" in branch else one).update(names)
    return sorted(one - two), sorted(two - {"size"})


def _record(op: str, parameters: set[str]) -> str:
    attributes = [_parameter(op, name) for name in sorted(parameters)]
    weights = next((shapes for pattern, shapes in _WEIGHTS.items() if re.fullmatch(pattern, op)), None)
    record = _OWN.get(op) or ({"attributes": attributes} if attributes else {})
    return json.dumps({**record, "weights": weights} if weights else record, separators=(",", ":"))


def _parameter(op: str, name: str) -> dict[str, object]:
    found: dict[str, object] = {"name": name, "kind": "bool" if name in _BOOLS else "int" if name in _INTS else "value"}
    if name == "padding_mode" and op.startswith("nn.Conv"):
        found["values"] = _PADDING_MODES
    if name == "dim" and op.endswith("softmax"):
        found["kind"] = "int"
    if name in _LISTS and (match := _DIMENSIONS.fullmatch(op)):
        found["length"] = int(match[1])
    return found


def main(checkout: str) -> None:
    source = Path(checkout) / "tools" / "pnnx" / "src"
    one, two = functions(source)
    known = types(source)
    head = {
        "format": "pnnx",
        "about": "The operators of pnnx's graphs that pnnx itself knows; any other type is a custom operator. "
        "'functions' are those of expressions, by their number of arguments; 'others' are names of PyTorch that resemble known ones.",
        "functions": {"1": one, "2": two},
        "others": alike(known),
    }
    lines = ",\n".join(f"{json.dumps(name)}: {_record(name, known[name])}" for name in sorted(known))
    facts = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    TABLE.write_text(f'{{\n{facts},\n"operators": {{\n{lines}\n}}}}\n')


if __name__ == "__main__":
    main(sys.argv[1])
