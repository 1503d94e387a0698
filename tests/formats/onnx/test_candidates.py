"""Repairs that the search finds in ONNX models, by what is wrong: a broken text, and what has to be in the fixed one."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from irlint import api
from irlint.findings import Severity
from tests.formats.onnx.build import HEADER, graph, tree

CONV = f"""{HEADER}g (
   float[1,3,8,8] x
) => (
   float[1,4,8,8] y
) <
   float[4,3,3,3] w = {{...}},
   float[4] b = {{0.5,1.0,2.0,3.0}}
> {{
   [conv] c = Conv <kernel_shape: ints = [3, 3], pads: ints = [1, 1, 1, 1]> (x, w, b)
   [act] y = Relu (c)
}}
"""
JOIN = f"""{HEADER}g (
   float[2,4] x
) => (
   float[2,8] y
) {{
   [one] a = Relu (x)
   [two] b = Sigmoid (x)
   [join] y = Concat <axis: int = 1> (a, b)
}}
"""
RESHAPE = f"""{HEADER}g (
   float[2,4,2] x
) => (
   float[2,8] y
) <
   int64[2] to = {{2,8}}
> {{
   [shape] y = Reshape (x, to)
}}
"""
LOOP = f"""{HEADER}g (
   int64 n,
   bool go,
   float[2] x
) => (
   float[2] y
) {{
   y = Loop <
      body: graph = b (int64 i, bool c, float[2] s) => (bool k, float[2] t) {{
         k = Identity (c)
         t = Add (s, s)
      }}
   > (n, go, x)
}}
"""
FUNCTIONS = """<
   ir_version: 9,
   opset_import: ["" : 17, "own" : 1]
>
g (
   float[2] x
) => (
   float[2] y
) {
   y = own.twice (x)
}

<
   domain: "own",
   opset_import: ["" : 17]
>
twice (a) => (b) {
   b = Add (a, a)
}
"""
QUANTISED = f"""{HEADER}g (
   float[2,3] x
) => (
   float[2,3] y
) <
   float s = {{0.5}},
   uint8 z = {{3}}
> {{
   q = QuantizeLinear (x, s, z)
   y = DequantizeLinear (q, s, z)
}}
"""


HALF = f"""{HEADER}g (
   float[2] x
) => (
   float[2] y
) {{
   h = Cast <to: int = 10> (x)
   y_2 = Relu (h)
   y = Cast <to: int = 1> (y_2)
}}
"""
AXES = f"""{HEADER}g (
   float[2] x
) => (
   float[1,2] y
) <
   int64[1] axes = {{0}}
> {{
   y = Unsqueeze (x, axes)
}}
"""
HALVES = f"""{HEADER}g (
   float16[2] x
) => (
   float16[2] y
) {{
   y = Relu (x)
}}
"""


@dataclass
class Case:
    sound: str
    old: str
    new: str
    restored: str = ""  # if it is not the sound text

    @property
    def broken(self) -> str:
        assert self.old in self.sound
        return self.sound.replace(self.old, self.new)

    @property
    def goal(self) -> str:
        return self.sound.replace(self.old, self.restored) if self.restored else self.sound


DEPTHWISE = f"""{HEADER}g (
   float[1,3,8,8] x
) => (
   float[1,4,6,6] y
) <
   float[4,3,1,1] v = {{...}},
   float[4,1,3,3] w = {{...}}
> {{
   c = Conv <kernel_shape: ints = [1, 1]> (x, v)
   y = Conv <group: int = 4, kernel_shape: ints = [3, 3]> (c, w)
}}
"""

TOP = f"""{HEADER}g (
   float[n,8] x
) => (
   float[n,3] y
) <
   int64[1] k = {{3}},
   int64[1] k
> {{
   y, i = TopK (x, k)
}}
"""
BIAS = f"""{HEADER}g (
   float16[n,2] x
) => (
   float16[n,2] y
) <
   float16[2] b = {{0.5,2.0}},
   float16[2] b
> {{
   y = Add (x, b)
}}
"""

RESTORED = {
    "few integers of another type": Case(TOP, "int64[1] k = {", "int32[1] k = {"),
    "few halves of another type": Case(BIAS, "float16[2] b = {", "float[2] b = {"),
    "a group of a convolution by channels": Case(DEPTHWISE, "group: int = 4", "group: int = 1"),
    "an input misspelt": Case(CONV, "(c)\n", "(cc)\n"),
    "an input of another node": Case(CONV, "Relu (c)", "Relu (w)"),
    "inputs swapped": Case(CONV, "(x, w, b)", "(w, x, b)"),
    "too many inputs": Case(CONV, "Relu (c)", "Relu (c, c)"),
    "too many outputs": Case(CONV, "[act] y = Relu", "[act] y, more = Relu"),
    "an output of the name of another": Case(JOIN, "[two] b =", "[two] a ="),
    "an output of the name of an initializer": Case(CONV, "[conv] c =", "[conv] b ="),
    "a node twice": Case(JOIN, "   [two]", "   [one] a = Relu (x)\n   [two]"),
    "an initializer twice": Case(QUANTISED, "   uint8 z = {3}\n", "   uint8 z = {3},\n   uint8 z = {3}\n"),
    "the kernel": Case(CONV, "[3, 3]", "[3, 5]"),
    "pads that lack a number": Case(CONV, "[1, 1, 1, 1]", "[1, 1, 1]"),
    "an axis": Case(JOIN, "axis: int = 1", "axis: int = 7"),
    "a missing axis": Case(JOIN, " <axis: int = 1>", ""),
    "a foreign operator": Case(CONV, "[act] y = Relu", "[Relu_1] y = Activation", "[Relu_1] y = Relu"),
    "the opset": Case(JOIN, '"" : 17', '"" : 99', '"" : 20'),
    "an unknown domain": Case(CONV, "Relu (c)", "com.mine.Relu (c)"),
    "dims of an initializer": Case(CONV, "float[4] b", "float[5] b"),
    "a Reshape's target": Case(RESHAPE, "{2,8}", "{2,7}", "{2,-1}"),
    "a zero point's type": Case(QUANTISED, "uint8 z", "int64 z"),
    "an input without a type": Case(CONV, "   float[1,3,8,8] x\n", "   x\n", "   float[?,?,?,?] x\n"),
    "no outputs": Case(JOIN, "=> (\n   float[2,8] y\n)", "=> ()"),
    "an output's name": Case(CONV, "float[1,4,8,8] y", "float[1,4,8,8] yy"),
    "an output's type": Case(CONV, "float[1,4,8,8] y", "int64[1,4,8,8] y"),
    "channels last": Case(CONV, "float[1,3,8,8] x", "float[1,8,8,3] x"),
    "channels of an input": Case(CONV, "float[1,3,8,8] x", "float[1,1,8,8] x"),
    "an input renamed": Case(CONV, "(x, w, b)", "(image, w, b)"),
    "the opset of inputs": Case(AXES, '"" : 17', '"" : 11', '"" : 13'),
    "a cast to the type of an output": Case(
        HALF, "   y_2 = Relu (h)\n   y = Cast <to: int = 1> (y_2)", "   y = Relu (h)"
    ),
    "the type of a cast of an output": Case(
        HALF, "   y = Cast <to: int = 1> (y_2)", "   y = Cast <to: int = 10> (y_2)"
    ),
    "a type of an output among inputs of that type": Case(HALVES, "float16[2] y", "float[2] y"),
    "an input of a body gone": Case(LOOP, "bool c, float[2] s)", "bool c)", "bool c, float[?] s)"),
    "an input of a body too many": Case(LOOP, "float[2] s)", "float[2] s, float[2] more)"),
    "an output of a body gone": Case(LOOP, "(bool k, float[2] t)", "(bool k)", "(bool k, t)"),
    "a function twice": Case(
        FUNCTIONS, "   b = Add (a, a)\n}\n", "   b = Add (a, a)\n}\n" + FUNCTIONS[FUNCTIONS.index("\n<\n   domain") :]
    ),
    "a function without imports": Case(FUNCTIONS, ',\n   opset_import: ["" : 17]\n', "\n"),
    "an output of a function": Case(FUNCTIONS, "=> (b)", "=> (bb)"),
}


@pytest.mark.parametrize("case", RESTORED.values(), ids=RESTORED.keys())
def test_restored(case: Case) -> None:
    fixed = api.fix(case.broken, unsafe=True, as_format="onnx")
    assert [f.message for f in api.lint(fixed, as_format="onnx") if f.severity == Severity.ERROR] == []
    assert fixed == case.goal


@pytest.mark.parametrize("case", RESTORED.values(), ids=RESTORED.keys())
def test_restored_on_one_line(case: Case) -> None:
    """Fixes do not depend on how a text is laid out, and leave that as it is."""
    fixed = api.fix(" ".join(case.broken.split()), unsafe=True, as_format="onnx")
    assert tree(fixed) == tree(case.goal)
    assert "\n" not in fixed


GUESSED = {
    "an input of another node", "too many inputs", "an output of the name of another", "an axis", "a missing axis", "a foreign operator", "a Reshape's target",
    "a zero point's type", "an input without a type", "channels last", "channels of an input", "an input renamed", "an output's name", "an output of a function", "a cast to the type of an output",
    "the type of a cast of an output",
    "a type of an output among inputs of that type", "an input misspelt", "no outputs", "an unknown domain",
}  # fmt: skip


@pytest.mark.parametrize("name", RESTORED)
def test_what_is_proven_needs_no_flag(name: str) -> None:
    case = RESTORED[name]
    assert api.fix(case.broken, as_format="onnx") == (case.broken if name in GUESSED else case.goal)


OLD = """<
   ir_version: 3,
   opset_import: ["" : 7]
>
g (
   float[2] x
) => (
   float[2] y
) <
   float[2] one = {1,2}
> {
   y = Add (x, one)
}
"""


@pytest.mark.parametrize(
    ("old", "new", "grade"),
    [
        ("", "", "safe"),  # the initializer need not be an input from IR version 4 on
        ("(x, one)", "(x, x)", "unsafe"),
        ("float[2] one", "int64[2] one", "unsafe"),  # the numbers may have been fractions before
    ],
)
def test_what_old_versions_ask_for(old: str, new: str, grade: str) -> None:
    text = OLD.replace(old, new) if old else OLD
    text = text.replace("ir_version: 3", "ir_version: 8") if "int64" in text else text
    fix = api.lint(text, as_format="onnx")[0].fix
    assert (fix.safety if fix is not None else "unsafe") == grade


@pytest.mark.parametrize(
    ("domain", "grade"),
    [("com.acme", "unsafe"), ("com.microsft", "unsafe"), ("test.customop", "unsafe"), ("ai.onx", "proven")],
)
@pytest.mark.parametrize("op", ["Softmax", "Relu"])
def test_a_domain_that_a_program_may_register_is_not_replaced_for_sure(op: str, domain: str, grade: str) -> None:
    head = f'<ir_version: 8, opset_import: ["" : 17, "{domain}" : 1]>\n'
    text = head + f"g (float[1,2] x) => (float[1,2] y) {{ y = {domain}.{op} (x) }}\n"
    (finding,) = [one for one in api.lint(text, as_format="onnx") if one.code == "O001"]
    assert finding.fix is not None
    assert finding.fix.safety == grade


def test_a_damaged_name_is_not_given_to_others() -> None:
    broken = CONV.replace("Relu (c)", "Relu (cc)").replace("[conv] c =", '[conv] "\udcffc" =')
    assert not [
        f for f in api.lint(broken, as_format="onnx") if f.fix and f.fix.safety != "unsafe" and "\udcff" in f.fix.title
    ]


def test_what_only_a_checker_refuses_is_not_changed_for_runtimes() -> None:
    """The declared shape of an output says that `pads` are wrong; runtimes compute with them, and tell of the shape."""
    broken = CONV.replace("[1, 1, 1, 1]", "[1, 1, 1, 2]")
    fixes = [finding.fix for finding in api.lint(broken, as_format="onnx") if finding.code == "D006"]
    assert [fix and fix.safety for fix in fixes] == ["unsafe"]
    assert api.fix(broken, as_format="onnx") == broken


AMBIGUOUS = {
    "an operator of two inputs": Case(JOIN, "Concat <axis: int = 1> (a, b)", "Blend (a, b)"),
    "the body of a function that calls itself": Case(FUNCTIONS, "b = Add (a, a)", "b = own.twice (a, a)"),
}


@pytest.mark.parametrize("case", AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
def test_nothing_is_guessed_where_much_is_as_likely(case: Case) -> None:
    fixed = api.fix(case.broken, unsafe=True, as_format="onnx")
    assert any(finding.severity == Severity.ERROR for finding in api.lint(fixed, as_format="onnx"))


def test_nodes_are_sorted() -> None:
    chain = [f"   [n{k}] v{k + 1} = Relu (v{k})\n" for k in range(12)]
    text = f"{HEADER}g (\n   float[2] v0\n) => (\n   float[2] v12\n) {{\n{''.join(chain)}}}\n"
    broken = text.replace("".join(chain), "".join(reversed(chain)))
    assert api.fix(broken, as_format="onnx") == text


@pytest.mark.parametrize(("first", "title"), [(1, "Move Relu 'n0' up"), (2, "Move Relu 'n2' down")])
def test_a_single_node_is_moved_up_or_down(first: int, title: str) -> None:
    chain = [f"   [n{k}] v{k + 1} = Relu (v{k})\n" for k in range(3)]
    text = f"{HEADER}g (\n   float[2] v0\n) => (\n   float[2] v3\n) {{\n{''.join(chain)}}}\n"
    order = [chain[first], *(row for k, row in enumerate(chain) if k != first)]
    found = api.lint(text.replace("".join(chain), "".join(order)), as_format="onnx")
    assert {finding.fix.title for finding in found if finding.fix is not None} == {title}


def test_nodes_of_a_cycle_stay_where_they_are() -> None:
    chain = [f"   [n{k}] v{k + 1} = Relu (v{k})\n" for k in range(6)]
    cycle = "   [a] p = Add (q, v0)\n   [b] q = Relu (p)\n"
    text = f"{HEADER}g (\n   float[2] v0\n) => (\n   float[2] v6\n) {{\n{cycle}{''.join(reversed(chain))}}}\n"
    assert api.fix(text, as_format="onnx") == text


STORED = f"""{HEADER}g (
   float[2,3] x
) => (
   float[2,3] y
) <
   double[3] w = {{0.5,1.0,2.0}},
   float[3] w
> {{
   [add] y = Add (x, w)
}}
"""


@pytest.mark.parametrize(("count", "title"), [(3, "Convert to float32"), (17, "Cast 'w' to float32")])
def test_an_initializer_that_is_stored_otherwise_becomes_what_its_declaration_says(count: int, title: str) -> None:
    """Few numbers are converted, many are cast."""
    text = STORED.replace("{0.5,1.0,2.0}", "{" + ",".join(["0.5"] * count) + "}").replace("3]", f"{count}]")
    (found,) = api.lint(text, as_format="onnx")
    assert found.message == "declared type float32 does not match stored type float64 for Initializer 'w'"
    assert found.related[0].message == "stored here"
    assert found.fix is not None
    assert (found.fix.title, found.fix.safety) == (title, "proven")
    assert api.lint(api.fix(text, as_format="onnx"), as_format="onnx") == []


@pytest.mark.parametrize(
    ("call", "title"),
    [("Gemm <transB: int = 0> (x, w)", "Set `transB` to `1`"), ("Gemm (x, w)", "Insert `transB` with `1`")],
)
def test_a_flag_is_more_likely_than_one_more_node(call: str, title: str) -> None:
    numbers = ",".join(["0.5"] * 12)
    text = f"{HEADER}g (\n   float[2,4] x\n) => (\n   float[2,3] y\n) <\n   float[3,4] w = {{{numbers}}}\n> {{\n   y = {call}\n}}\n"
    (found,) = api.lint(text, as_format="onnx")
    assert found.fix is not None
    assert found.fix.title == title


LOST_NODES = [
    # (nodes, the one that is lost, what is offered): by what the same operators take elsewhere, and by PyTorch's names
    ("a = Sqrt (x)\nb = Reciprocal (a)\nc = Add (b, x)\nd = Sqrt (c)\ny = Reciprocal (d)", "d = Sqrt (c)\n", "Insert Sqrt of 'c'"),
    (
        '"/a/Softmax_output_0" = Softmax <axis: int = 0> (x)\nb = Neg ("/a/Softmax_output_0")\n"/a/Softmax_1_output_0" = Softmax <axis: int = 0> (b)\n'
        'y = Add ("/a/Softmax_1_output_0", x)',
        '"/a/Softmax_1_output_0" = Softmax <axis: int = 0> (b)\n',
        "Insert Softmax of 'b'",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("nodes", "lost", "title"), LOST_NODES)
def test_a_lost_node_is_inserted_rather_than_left_out(nodes: str, lost: str, title: str) -> None:
    sound, broken = (graph(text, "float[2] x", "float[2] y") for text in (nodes, nodes.replace(lost, "")))
    assert api.lint(sound, as_format="onnx") == []
    (found,) = [one for one in api.lint(broken, as_format="onnx") if one.severity == Severity.ERROR]
    assert found.fix is not None
    assert (found.fix.title, found.fix.safety) == (title, "unsafe")
    assert api.fix(broken, unsafe=True, as_format="onnx") == sound
