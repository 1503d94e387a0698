"""Signatures: what operands have to do with each other, and what comes of them."""

from __future__ import annotations

import pytest

from irlint.dryrun.errors import ShapeError
from irlint.dryrun.matching import match
from irlint.dryrun.signature import parse
from irlint.dryrun.tensor import Tensor
from irlint.graph import Shape

_ATTRS = {"units": 4, "num": 5, "shape": (2, 3), "dtype": "int8"}


def _results(text: str, *operands: tuple[str | None, Shape | None]) -> list[tuple[str | None, Shape | None]]:
    signature = parse(text)
    found = match(signature, [Tensor(*operand) for operand in operands], ("a", "b", "c"), _ATTRS)
    return [(t.dtype, t.shape) for t in map(found.result, signature.results)]


@pytest.mark.parametrize(
    ("text", "operands", "results"),
    [
        ("S/T S/T -> S/T", [("float32", (2, 3)), (None, None)], [("float32", (2, 3))]),
        ("S S -> S", [(None, (2, None)), (None, (None, 3))], [(None, (2, 3))]),
        ("[*B,N,N]/T -> [*B,N]/wide:T", [("int32", (4, 3, 3))], [("float64", (4, 3))]),
        ("[*B,N,N]/T -> [*B,N]/wide:T", [("float32", (3, None))], [("float32", (3,))]),
        ("[N,K] [N]/int64 -> [K,7]/float32", [(None, (2, 5)), ("int64", (2,))], [("float32", (5, 7))]),
        ("[1,*_] #4 -> []", [(None, (1, 9, 9)), (None, (2, 2))], [(None, ())]),
        ("S/T=real S/T -> S/T", [("float16", None), (None, (1,))], [("float16", (1,))]),
        ("T ... -> _", [(None, None)] * 3, [(None, None)]),
        ("[3*N,_] [N] -> [2*N]", [(None, (6, 1)), (None, (None,))], [(None, (4,))]),
        ("[units*N] -> [N]", [(None, (8,))], [(None, (2,))]),
        ("[units] -> [units]", [(None, (None,))], [(None, (4,))]),
        ("[N,*S] [*#S] [#S] -> [2*#S]", [(None, (1, 2, 3)), (None, (4, 5)), (None, (None,))], [(None, (4,))]),
        ("S -> [*S,num]/@dtype [*shape]/@other:bool", [(None, (4,))], [("int8", (4, 5)), ("bool", (2, 3))]),
        ("~R ~R -> [num]/@other:int64=index", [(None, (1, 2)), (None, (3, 4))], [("int64", (5,))]),
    ],
)
def test_results(text: str, operands: list[tuple[str | None, Shape | None]], results: list[object]) -> None:
    assert _results(text, *operands) == results


@pytest.mark.parametrize(
    ("text", "operands", "rule", "part"),
    [
        ("S S", [(None, (2, 3)), (None, (3, 2))], "shape-mismatch", "input:1"),
        ("_/T _/T", [("float32", None), ("int32", None)], "dtype-mismatch", "input:1"),
        ("_/real", [("int32", None)], "dtype-mismatch", "input:0"),
        ("[N,N]", [(None, (2, 3))], "shape-mismatch", "input:0"),
        ("_/!string", [("string", None)], "dtype-mismatch", "input:0"),
        ("[_,_]", [(None, (2,))], "wrong-rank", "input:0"),
        ("[*_,_,_]", [(None, (2,))], "wrong-rank", "input:0"),
        ("_ [1]", [(None, None), (None, (2,))], "shape-mismatch", "input:1"),
        ("~R ~R[*S] ~R[*S]", [(None, (1, 2)), (None, (3, 4)), (None, (3,))], "wrong-rank", "input:2"),
        ("~R ~R[*S] ~R[*S]", [(None, (1, 2)), (None, (3, 4)), (None, (3, 3))], "shape-mismatch", "input:2"),
        (" -> []/@dtype=index", [], "value-not-in-enum", "attr:dtype"),
        ("#4", [(None, (3,))], "element-count-mismatch", "input:0"),
        ("_/T _/T -> _/T=real", [("bool", None), ("float32", None)], "dtype-mismatch", "input:1"),
        ("_/T _/T -> _/T=real", [("bool", None), ("bool", None)], "dtype-mismatch", "input:0"),
        ("[N] [3*N]", [(None, (2,)), (None, (5,))], "shape-mismatch", "input:1"),
        ("[N] [3*N]", [(None, (2,)), (None, (3,))], "shape-mismatch", "input:1"),
        ("[units]", [(None, (3,))], "shape-mismatch", "input:0"),
        ("[N,*S=1..3]", [(None, (3,))], "wrong-rank", "input:0"),
        ("[N,*S=1..3]", [(None, (1,) * 5)], "wrong-rank", "input:0"),
        ("[N,*S] [*#S]", [(None, (1, 2, 3)), (None, (4,))], "wrong-rank", "input:1"),
        ("[N,*S] [#S]", [(None, (1, 2, 3)), (None, (3,))], "wrong-value-length", "input:1"),
        ("[]", [(None, (1,))], "wrong-rank", "input:0"),
        ("_/T ...", [("int8", None), (None, None), ("int64", None)], "dtype-mismatch", "input:2"),
    ],
)
def test_mistakes(text: str, operands: list[tuple[str | None, Shape | None]], rule: str, part: str) -> None:
    with pytest.raises(ShapeError) as raised:
        _results(text, *operands)
    assert (raised.value.rule.name, raised.value.part) == (rule, part)
