"""Navigation in ONNX: names across nested graphs and functions, operators by opset, completion of lines that cannot be read."""

from __future__ import annotations

import pytest

from irlint import engine
from irlint.formats.navigation import Target
from irlint.formats.onnx.navigation import NAVIGATION
from irlint.rules.base import Model
from irlint.text.base import Place, apply

TEXT = """<
   ir_version: 10,
   opset_import: ["" : 21, "my.fns" : 1]
>
main (
   float[N,8] x,
   bool cond,
   float[8,8] w
) => (
   float[N,8] y
) <
   float[8] b = {1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0},
   float[N,8] h
> {
   h = my.fns.Lin <slope: float = 2.0> (x, w, b)
   [pick] t = If <
      then_branch: graph = tb () => (float[N,8] o) {
         z = Relu (h)
         o = Mul (z, b)
      },
      else_branch: graph = eb () => (float[N,8] o2) {
         o2 = Neg (h)
      }
   > (cond)
   [act] y = LeakyRelu <alpha: float = 0.1> (t)
}
<
   domain: "my.fns",
   opset_import: ["" : 13]
>
Lin <slope> (X, W, B) => (Y) {
   m = MatMul (X, W)
   s = Add (m, B)
   Y = LeakyRelu <alpha: float = @slope> (s)
}
"""


def model_of(text: str) -> Model:
    model = engine.lint(text, "model.onnxtxt").model
    assert model is not None
    return model


@pytest.fixture(scope="module")
def model() -> Model:
    return model_of(TEXT)


def shown(model: Model, place: Place) -> tuple[int, str]:
    """Return the line and the text of a place."""
    start, end = model.document.span(place)
    return model.document.text.count("\n", 0, start) + 1, model.document.text[start:end]


def referent(model: Model, needle: str, plus: int = 0) -> Target:
    found = NAVIGATION.referent(model, TEXT.index(needle) + plus)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("needle", "plus", "line"),
    [
        ("(x, w, b)", 1, 6),  # an input
        ("(x, w, b)", 7, 12),  # an initializer
        ("(t)", 1, 16),
        ("float[N,8] h", 11, 15),  # a declared type
        ("float[N,8] y", 11, 25),  # an output
        ("Relu (h)", 6, 15),  # from a nested graph
        ("(z, b)", 4, 12),
        ("float[N,8] o)", 11, 19),
        ("Lin <slope: f", 0, 31),  # a function
        ("(X, W)\n", 1, 31),
        ("=> (Y)", 4, 34),
        ("(s)", 1, 33),
    ],
)
def test_definition(model: Model, needle: str, plus: int, line: int) -> None:
    place = NAVIGATION.defined_at(model, TEXT.index(needle) + plus)
    assert place is not None
    assert shown(model, place)[0] == line


def test_types_and_operators_define_nothing(model: Model) -> None:
    for needle in ("float[N,8] x", "Relu (h)", "alpha: float = 0.1", "ir_version"):
        assert NAVIGATION.defined_at(model, TEXT.index(needle) + 1) is None


def test_references_in_nested_graphs(model: Model) -> None:
    lines = [shown(model, mention.place) for mention in NAVIGATION.mentions(model, referent(model, "h = my"))]
    assert lines == [(15, "h"), (13, "h"), (18, "h"), (22, "h")]
    lines = [shown(model, mention.place) for mention in NAVIGATION.mentions(model, referent(model, "b = {"))]
    assert lines == [(12, "b"), (15, "b"), (19, "b")]


def test_a_renamed_model_is_the_same_model(model: Model) -> None:
    for needle, plus in (
        ("h = my", 0),
        ("b = {", 0),
        ("(cond)", 1),
        ("y = Leaky", 0),
        ("m = MatMul", 0),
        ("z = Relu", 0),
    ):
        target = referent(model, needle, plus)
        renamed = NAVIGATION.rename(model, target, "a new/name")
        text = apply(TEXT, renamed.edits)
        assert '"a new/name"' in text
        assert [f for f in engine.lint(text, "model.onnxtxt").findings if f.code[0] == "R"] == []
    assert "taken" in NAVIGATION.rename(model, referent(model, "h = my"), "z").refusal
    node = NAVIGATION.referent(model, TEXT.index("[act]") + 2)
    assert node is not None
    assert [edit.text for edit in NAVIGATION.rename(model, node, "last").edits] == ["last"]


def test_an_input_with_a_usual_value_is_renamed_in_both_lists() -> None:
    text = "g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1.0,2.0}> {\n  y = Add (x, w)\n}\n"
    found = model_of(text)
    for needle in ("w) =>", "w = {", "w)\n}"):
        target = NAVIGATION.referent(found, text.index(needle))
        assert target is not None
        assert apply(text, NAVIGATION.rename(found, target, "v").edits) == text.replace(" w", " v")


def test_operators_are_those_of_the_opset(model: Model) -> None:
    nodes = {(graph.name, node.op): node for graph in NAVIGATION.graphs(model) for node in graph.nodes}
    act, inner = nodes["main", "LeakyRelu"], nodes["Lin", "LeakyRelu"]
    for node, version in ((act, "Since opset 16 of ai.onnx; the model imports 21."), (inner, "Since opset 6")):
        operator = NAVIGATION.operator(model, node)
        assert operator is not None
        assert version in operator.doc
        assert list(operator.attributes) == ["alpha"]
    function = NAVIGATION.operator(model, nodes["main", "Lin"])
    assert function is not None
    assert [port.name for port in function.inputs] == ["X", "W", "B"]
    assert list(function.attributes) == ["slope"]
    assert "GroupNormalization" in NAVIGATION.operator_names(model, act)
    assert "GroupNormalization" not in NAVIGATION.operator_names(model, inner)
    assert NAVIGATION.operator(model, nodes["main", "Input"]) is None


def test_sizes_that_are_not_inferred_are_the_declared_ones(model: Model) -> None:
    assert NAVIGATION.type_of(model, referent(model, "y = Leaky")).shape == ("N", 8)


def test_functions_and_lists_have_symbols_and_folds(model: Model) -> None:
    (section,) = NAVIGATION.sections(model)
    assert (section.name, section.detail) == ("Lin", "my.fns")
    assert TEXT[section.whole.start :].startswith('domain: "my.fns"')
    assert TEXT[: section.whole.end] == TEXT.rstrip()
    assert [TEXT.count("\n", 0, start) + 1 for start, _ in NAVIGATION.folds(model)] == [5, 9, 11]


@pytest.mark.parametrize(
    ("line", "some", "none"),
    [
        ("y = Leaky|Relu (t)", ["LeakyRelu", "Conv"], ["Upsample"]),
        ("y = Lea|", ["LeakyRelu"], ["Upsample"]),
        ("y = com.microsoft.|", [], ["Conv"]),
        ("y = Conv <|> (x, w)", ["group: int = ", "strides: ints = "], ["alpha: float = "]),
        ("y = Conv <group: int = 1, str|", ["strides: ints = "], ["group: int = "]),
        ('y = Conv <auto_pad: string = "|"> (t)', ["SAME_UPPER"], ['"SAME_UPPER"']),
        ("y = Conv <auto_pad: string = |", ['"SAME_UPPER"'], []),
        ("y = Relu (|)", ["x", "h", "t"], ["y"]),
        ("y = Add (t, |", ["x", "h", "t"], ["y"]),
        ("y = Add (|t, t)", ["x", "h", "t"], ["y"]),
    ],
)
def test_completion(line: str, some: list[str], none: list[str]) -> None:
    text = TEXT.replace("[act] y = LeakyRelu <alpha: float = 0.1> (t)", line)
    offset = text.index("|")
    found = model_of(text.replace("|", ""))
    token = NAVIGATION.token_at(found, offset)
    choices = NAVIGATION.choices(found, token) if token else NAVIGATION.choices_at(found, offset)
    texts = [choice.text for choice in choices]
    assert set(some) <= set(texts)
    assert not set(none) & set(texts)


def test_functions_are_offered() -> None:
    text = TEXT.replace("Lin <slope: float = 2.0> (x, w, b)", "")
    found = model_of(text)
    assert "my.fns.Lin" in [choice.text for choice in NAVIGATION.choices_at(found, text.index("h = my.fns.") + 11)]


def test_names_that_need_quotes_are_offered_with_them() -> None:
    text = 'g (float "a/b") => (float y) {\n  y = Relu (z)\n}\n'
    found = model_of(text)
    token = NAVIGATION.token_at(found, text.index("(z") + 1)
    assert token is not None
    assert [choice.text for choice in NAVIGATION.choices(found, token)] == ['"a/b"']
    quoted = model_of(text.replace("z", '"z"'))
    token = NAVIGATION.token_at(quoted, text.index("(z") + 2)
    assert token is not None
    assert [choice.text for choice in NAVIGATION.choices(quoted, token)] == ["a/b"]


def test_the_json_form_is_navigated_too() -> None:
    node = '{"input": ["x"], "output": ["h"], "opType": "Relu"}, {"input": ["h"], "output": ["y"], "name": "act", "opType": "Neg"}'
    values = '"input": [{"name": "x"}], "output": [{"name": "y"}]'
    text = f'{{"irVersion": "8", "opsetImport": [{{"domain": "", "version": "17"}}], "graph": {{"node": [{node}], {values}}}}}'
    found = engine.lint(text, "model.json").model
    assert found is not None
    assert found.dialect == "json"
    for name in ("x", "h", "y"):
        target = NAVIGATION.referent(found, text.index(f'"{name}"') + 1)
        assert target is not None
        assert apply(text, NAVIGATION.rename(found, target, "fresh").edits) == text.replace(f'"{name}"', '"fresh"')
    assert NAVIGATION.operator(found, found.graph.nodes[-1]) is not None
    assert list(NAVIGATION.choices_at(found, text.index("graph"))) == []
    assert NAVIGATION.suppression(found, found.document.span(Place(("graph", "node", 0))), "A001") is None
