"""LightNet models with very much of one thing."""

from __future__ import annotations

from collections.abc import Callable

from rule_cases.texts import LIGHTNET

from tests.hostile.family import Family, each

FAMILIES: dict[str, Family] = {}


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


def _add_part(name: str, old: str, new: Callable[[int], str], size: int = 2000) -> None:
    assert old in LIGHTNET, old
    FAMILIES[f"lightnet {name}"] = Family("lightnet", lambda count: LIGHTNET.replace(old, new(count), 1), size)


_add_part(
    "parameters of one operator",
    '"params": [',
    lambda n: '"params": [' + each(n, '{"arg_name": "a#", "value": 0}, '),
)
_add_part(
    "inputs of one operator",
    '"tensors_in": [{',
    lambda n: '"tensors_in": [' + each(n, '{"arg_name": "a#", "name": "image"}, ') + "{",
)
_add_part("a long list of values", "[1, 2, 3, 4, 5, 6]", lambda n: f"[{'1, ' * n}1]", 20000)
_add_part("a long list of texts", "[1, 2, 3, 4, 5, 6]", lambda n: "[" + '"a", ' * n + "1]", 5000)
_add_part("comments", '"ops"', lambda n: "/* x */" * n + '"ops"', 5000)
FAMILIES["lightnet blanks in front"] = Family("lightnet", lambda n: "\n" * n + LIGHTNET, 300000)
FAMILIES["lightnet comments in front"] = Family("lightnet", lambda n: "// x\n" * n + LIGHTNET, 20000)
