"""Write schemas/operators/pnnx.json from a checkout of ncnn: python tests/oracle/pnnx_types.py CHECKOUT.

The types that pnnx's passes create or match with their parameters, and the functions that it knows in expressions. Needs PyTorch.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from irlint.likeness import distance

TABLE = Path(__file__).resolve().parents[2] / "schemas" / "operators" / "pnnx.json"
_TYPE = re.compile(r"\b(?:(?:nn|F|torch|Tensor|torchvision|torchaudio|pnnx)(?:\.[A-Za-z_]\w*)+|prim::\w+)(?![\w.:])")
_CREATED = re.compile(r'type_str\(\) const\s*\{\s*return "([^"]+)"')
_COMPARED = re.compile(r'op->type == "([^"]+)"')
_PARAMETER = re.compile(r'(?:op->params\["|=%)(\w+)')
_FUNCTION = re.compile(r't == "([\w.]+)"')
_PATTERN = re.compile(r"^\s*(\S+)\s+\S+\s+[0-9]+ [0-9]+(?: |$)", re.MULTILINE)


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


def _record(parameters: set[str]) -> str:
    attributes = [{"name": name, "kind": "value"} for name in sorted(parameters)]
    return json.dumps({"attributes": attributes} if attributes else {}, separators=(",", ":"))


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
    lines = ",\n".join(f"{json.dumps(name)}: {_record(known[name])}" for name in sorted(known))
    facts = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    TABLE.write_text(f'{{\n{facts},\n"operators": {{\n{lines}\n}}}}\n')


if __name__ == "__main__":
    main(sys.argv[1])
