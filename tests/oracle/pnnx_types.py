"""Write schemas/operators/pnnx.json from a checkout of ncnn: python tests/oracle/pnnx_types.py CHECKOUT.

The types that pnnx's passes create or match, and the functions that it knows in expressions.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "schemas" / "operators" / "pnnx.json"
_TYPE = re.compile(r"\b(?:(?:nn|F|torch|Tensor|torchvision|torchaudio|pnnx)(?:\.[A-Za-z_]\w*)+|prim::\w+)(?![\w.:])")
_CREATED = re.compile(r'type_str\(\) const\s*\{\s*return "([^"]+)"')
_COMPARED = re.compile(r'op->type == "([^"]+)"')
_FUNCTION = re.compile(r't == "([\w.]+)"')
_PATTERN = re.compile(r"^\s*(\S+)\s+\S+\s+[0-9]+ [0-9]+(?: |$)", re.MULTILINE)


def types(source: Path) -> set[str]:
    """Return the types that a pass returns as its own, or has in a pattern of lines."""
    found: set[str] = set()
    for path in sorted(source.rglob("*.cpp")):
        if path.parent.name in ("pass_ncnn", "pass_onnx", "pass_tnn"):
            continue  # what these make is written to other files
        text = path.read_text()
        found.update(name for name in [*_CREATED.findall(text), *_PATTERN.findall(text)] if _TYPE.fullmatch(name))
    return found | set(_COMPARED.findall((source / "ir.cpp").read_text()))


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


def main(checkout: str) -> None:
    source = Path(checkout) / "tools" / "pnnx" / "src"
    one, two = functions(source)
    head = {
        "format": "pnnx",
        "about": "The operators of pnnx's graphs that pnnx itself knows; any other type is a custom operator. "
        "'functions' are those of expressions, by their number of arguments.",
        "functions": {"1": one, "2": two},
    }
    lines = ",\n".join(f"{json.dumps(name)}: {{}}" for name in sorted(types(source)))
    facts = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    TABLE.write_text(f'{{\n{facts},\n"operators": {{\n{lines}\n}}}}\n')


if __name__ == "__main__":
    main(sys.argv[1])
