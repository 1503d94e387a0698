"""Listings: clean ones, and every way in which one token can be wrong."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from mobilenet import mobilenet_v2

import irlint
from irlint import engine, fixes, offers
from irlint.findings import Finding, Severity
from irlint.inspection import Flat, flatten, listing
from irlint.text.base import Lines, apply

LINES = mobilenet_v2().splitlines()
CALLS = {int(line.split()[0]): line.split()[1] for line in LINES}


def found(lines: list[str]) -> list[tuple[str, int, str]]:
    """Code, line (from 0) and token of each finding."""
    text = "\n".join(lines) + "\n"
    findings = irlint.lint(text, as_format="glacier")
    starts = Lines(text)
    return [(f.code, starts.position(f.span.start).line - 1, text[f.span.start : f.span.end]) for f in findings]


@pytest.fixture
def specification(corpus: Path) -> str:
    file = corpus.parent / "facts" / "glacier-mobilenetv2.txt"
    if not file.is_file():
        pytest.skip("the specification's listing is not here")
    return file.read_text(encoding="utf-8")


def test_the_specification_s_listing_is_clean_and_flattens_to_itself(specification: str) -> None:
    model = engine.lint(specification, "listing.txt").model
    assert irlint.lint(specification) == []
    assert model is not None
    assert model.dialect == "listing"
    assert listing(Flat(model.graph, ("Call", "Var", "Constant")), model.document) == specification
    assert flatten(model.graph).text().rstrip("\n") == specification


def test_the_generated_listing_has_the_specification_s_calls(specification: str) -> None:
    def structure(text: str) -> list[str]:
        return [re.sub(r"'[^']*'", "name", line) for line in text.splitlines()]

    assert structure(mobilenet_v2()) == structure(specification)


def test_a_clean_listing_has_no_findings() -> None:
    assert found(LINES) == []


def rows() -> Iterator[tuple[int, str, str, list[str]]]:
    for number, line in enumerate(LINES):
        match = re.fullmatch(r"(\d+) (\S+) \[(.*)\]", line)
        assert match
        yield number, match[1], match[2], match[3].split(", ") if match[3] else []


def line(id_: str, op: str, inputs: list[str]) -> str:
    return f"{id_} {op} [{', '.join(inputs)}]"


def put(number: int, new: str) -> list[str]:
    return [*LINES[:number], new, *LINES[number + 1 :]]


def replaced(inputs: list[str], at: int, new: str) -> list[str]:
    return [*inputs[:at], new, *inputs[at + 1 :]]


def test_an_id_changed_is_found_on_its_line() -> None:
    chance = random.Random(1)
    for number, id_, op, inputs in rows():
        wrong = str(chance.choice([n for n in (*range(len(LINES)), 1000) if n != number]))
        assert found(put(number, line(wrong, op, inputs))) == [("R401", number, wrong)], (id_, wrong)


@pytest.mark.parametrize(("kind", "code"), [("later", "R002"), ("itself", "R003"), ("nowhere", "R001")])
def test_an_input_that_names_no_earlier_call(kind: str, code: str) -> None:
    chance = random.Random(2)
    for number, id_, op, inputs in rows():
        for at, item in enumerate(inputs):
            if not item.isdecimal() or (kind == "later" and number == len(LINES) - 1):
                continue
            wrong = {"itself": number, "nowhere": len(LINES) + chance.randrange(9)}.get(kind)
            wrong = chance.randrange(number + 1, len(LINES)) if wrong is None else wrong
            assert found(put(number, line(id_, op, replaced(inputs, at, str(wrong))))) == [(code, number, str(wrong))]


def test_a_quoted_id_is_found() -> None:
    for number, id_, op, inputs in rows():
        for at, item in enumerate(inputs):
            if item.isdecimal():
                quoted = f"'{item}'"
                assert found(put(number, line(id_, op, replaced(inputs, at, quoted)))) == [("T401", number, quoted)]


@pytest.mark.parametrize("cut", [(1, -1), (1, None), (0, -1)])
def test_a_name_without_both_quotes_is_found(cut: tuple[int, int | None]) -> None:
    for number, id_, op, inputs in rows():
        for at, item in enumerate(inputs):
            if not item.isdecimal():
                bare = item[cut[0] : cut[1]]
                assert found(put(number, line(id_, op, replaced(inputs, at, bare)))) == [("S001", number, bare)]


@pytest.mark.parametrize(("bracket", "token"), [("[", "]"), ("]", "[")])
def test_a_lost_bracket_is_found_at_the_other_one(bracket: str, token: str) -> None:
    for number, *_ in rows():
        assert found(put(number, LINES[number].replace(bracket, ""))) == [("S001", number, token)]


def test_a_misspelt_operator_is_found() -> None:
    chance = random.Random(3)
    for number, id_, op, inputs in rows():
        at = chance.randrange(len(op))
        wrong = op[:at] + op[at + 1 :]
        assert found(put(number, line(id_, wrong, inputs))) == [("O001", number, wrong)]


def test_an_operator_without_its_namespace_is_told_its_name() -> None:
    for bare, whole in (
        ("conv2d", "nn.conv2d"),
        ("pad", "nn.pad"),
        ("relu", "nn.relu"),
        ("resize2d", "image.resize2d"),
    ):
        (finding,) = irlint.lint(f"0 {bare} ['x']\n", as_format="glacier")
        assert finding.message.endswith(f"did you mean `{whole}`?")
        assert finding.severity == Severity.ERROR


def test_a_lost_line_is_found_on_the_next_and_named() -> None:
    for number in range(len(LINES) - 1):  # the last one leaves no trace
        lines = [*LINES[:number], *LINES[number + 1 :]]
        assert found(lines) == [("R401", number, str(number + 1))]
        (finding,) = irlint.lint("\n".join(lines), as_format="glacier")
        assert f"missing id {number}" in finding.message


def test_a_doubled_line_is_found_and_taken_out() -> None:
    for number in range(len(LINES)):
        lines = [*LINES[: number + 1], *LINES[number:]]
        assert found(lines) == [("R005", number + 1, str(number))]
        assert repaired("\n".join(lines)) == "\n".join(LINES)


def lint(text: str) -> list[Finding]:
    return engine.lint(text, as_format="glacier").findings


def repaired(text: str) -> str:
    return fixes.fix(text, lint, unsafe=True).text


@pytest.mark.parametrize(
    ("broken", "token", "whole"),
    [
        ("0 nn.conv2d 'x', 'w']", "]", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d ['x', 'w'", "[", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d ('x', 'w']", "(", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d ['x', 'w')", ")", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d 'x', 'w'", "'x', 'w'", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d ['x' 'w']", "'", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d ['x',, 'w']", ",", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d [, 'x', 'w']", ",", "0 nn.conv2d [ 'x', 'w']"),
        ("0 nn.conv2d ['x', 'w',]", ",", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d ['x', w]", "w", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d ['x, 'w']", "'x", "0 nn.conv2d ['x', 'w']"),
        ('0 nn.conv2d ["x, "w"]', '"x', '0 nn.conv2d ["x", "w"]'),
        ("0 nn.conv2d ['x', w']", "w'", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d ['x', 'a'w']", "'a'w'", """0 nn.conv2d ['x', "a'w"]"""),
        ("0 nn.conv2d ['x', 'a'w]", "'a'w", """0 nn.conv2d ['x', "a'w"]"""),
        ("0 nn.conv2d ['<conv2d [41, 'x']", "'<conv2d [41", "0 nn.conv2d ['<conv2d [41', 'x']"),
        ("0 nn.conv2d ['x', 'w']]", "]", "0 nn.conv2d ['x', 'w']"),
        ("0 nn.conv2d ['x', 'w'] extra", "extra", None),
        ("0 nn.conv2d ['x', -1]", "-1", None),
        ("0 nn.conv2d ['x', 1.0]", "1.0", None),
        ("nn.conv2d ['x', 'w']", "nn.conv2d", None),
        ("0: nn.conv2d ['x', 'w']", "0:", None),
        ("-0 nn.conv2d ['x', 'w']", "-0", None),
        ("0 ['x', 'w']", "[", None),
        ("0 nn.conv2d", "nn.conv2d", None),
    ],
)
def test_what_is_no_line_is_said_at_its_token(broken: str, token: str, whole: str | None) -> None:
    text = f"{broken}\n1 tanh [0]\n2 abs [1]\n"
    (finding,) = lint(text)
    assert (finding.code, text[finding.span.start : finding.span.end]) == ("S001", token)
    if whole is None:
        assert finding.fix is None
    else:
        assert finding.fix is not None
        assert finding.fix.safety == "safe"
        assert fixes.fix(text, lint).text == f"{whole}\n1 tanh [0]\n2 abs [1]\n"


def test_the_numbering_is_repaired_with_all_that_names_it() -> None:
    gap = "0 exp ['x']\n3 tanh [0]\n4 add [0, 3]\n5 nn.relu [4]\n"
    assert repaired(gap) == "0 exp ['x']\n1 tanh [0]\n2 add [0, 1]\n3 nn.relu [2]\n"
    assert repaired("0 exp ['x']\n2 tanh [1]\n") == "0 exp ['x']\n2 tanh [1]\n"  # what 1 was, nobody knows
    assert (
        repaired("0 exp ['x']\n2 nn.relu [1]\n1 tanh [0]\n3 abs [2]\n")
        == "0 exp ['x']\n1 tanh [0]\n2 nn.relu [1]\n3 abs [2]\n"
    )


def test_how_many_inputs_depends_on_the_kinds_that_are_shown() -> None:
    assert [f.code for f in lint("0 nn.conv2d ['x', 'w', 'b']\n")] == ["O002"]
    assert lint("0 nn.conv2d ['x']\n1 clip [0]\n") == []  # a constant weight, constants not shown
    assert lint("0 nn.conv2d []\n1 clip []\n2 add []\n")[0].code == "G002"  # nothing is shown
    shown = "0 nn.conv2d ['x', 'constant']\n1 add [0]\n"
    (finding,) = lint(shown)
    assert (finding.code, shown[finding.span.start : finding.span.end]) == ("O002", "[0]")
    assert "expected 2 inputs (lhs, rhs) for node 1 (add), got 1" in finding.message
    odd = (
        "".join(f"{n} nn.dense [{'0' if n == 7 else repr('x') if not n else n - 1}, 'w']\n" for n in range(6))
        + "6 nn.dense [5]\n"
    )
    assert [(f.code, f.severity) for f in lint(odd)] == [("O002", Severity.WARNING)]


def test_tuples_take_any_number() -> None:
    assert lint("0 concatenate ['a', 'b', 'c', 'constant']\n") == []


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("end", [True, False])
@pytest.mark.parametrize("header", [[], ["nId op_name inputs"], ["# MobileNet", "", "id operator [inputs]"]])
@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_listing_keeps_its_hand(newline: str, end: bool, header: list[str], quote: str) -> None:
    lines = [*header, *(text.replace("'", quote) for text in LINES)]
    text = newline.join(lines) + (newline if end else "")
    result = engine.lint(text, "listing.txt")
    assert result.findings == []
    assert result.model is not None
    assert listing(Flat(result.model.graph, ("Call", "Var", "Constant")), result.model.document) == text
    fewer = listing(Flat(result.model.graph, ("Call", "Var")), result.model.document)
    assert fewer == text
    bare = listing(Flat(result.model.graph, ("Var",)), result.model.document)
    assert bare.split(newline)[len(header) + 1] == f"1 nn.conv2d [{quote}stem/kernel{quote}]"


def test_names_of_every_kind_are_read_back() -> None:
    names = [
        "it's",
        'say "x"',
        "back\\slash",
        "line\nend",
        "\u2028",
        "constant",
        "ünï",
        "a, b]",
        "\ud83d\ude00"[:0] + "😀",
    ]
    text = "".join(f"{n} abs [{name!r}]\n" for n, name in enumerate(names))
    graph = irlint.load(text, as_format="glacier").graph
    assert [node.name for node in graph.nodes if node.kind != "call"] == names
    assert flatten(graph).text() == text


def test_foreign_text_is_no_listing() -> None:
    for text in (
        "hello\nworld\n",
        "1. one\n2. two [x]\n",
        "12 monkeys [1995]\n",
        "",
        "0 10 [x]\n",
        "[1, 2]\n",
        "<a/>\n",
    ):
        assert engine.lint(text, "notes.txt").format is None, text


def test_a_long_listing_is_read_in_time_linear_in_its_length() -> None:
    text = "".join(f"{n} nn.relu [{n - 1 if n else repr('x')}]\n" for n in range(50_000))
    assert lint(text) == []
    broken = text.replace("40000 nn.relu", "40000 nn.rleu").replace("[30000]", "[30000")
    assert sorted(f.code for f in lint(broken)) == ["O001", "S001"]


def test_comments_are_read_past_and_may_silence() -> None:
    text = (
        "0 abs ['x#y']  # in\n# alone\n1 rleu [0]  # irlint: ignore[O001]\n# irlint: ignore\n2 rleu [1]\n3 rleu [2]\n"
    )
    assert [(f.code, f.severity) for f in lint(text)] == [
        ("S013", Severity.INFO),
        ("S013", Severity.INFO),
        ("O001", Severity.ERROR),
    ]
    result = engine.lint(text, "model.txt")
    assert result.model is not None
    assert listing(flatten(result.model.graph), result.document) == text
    other = lint(text.replace("[O001]", "[R001]"))
    assert [f.code for f in other].count("O001") == 2


def test_ids_of_any_length() -> None:
    for digits in (20, 90):
        assert [f.code for f in lint(f"0 abs ['x']\n1 exp [{'9' * digits}]\n2 tanh [1]\n")] == ["R001"]
        assert [f.code for f in lint(f"0 abs ['x']\n{'9' * digits} exp [0]\n2 tanh [1]\n")] == ["R401"]
    for text in (
        f"0 abs ['x']\n1 exp [{'9' * 5000}]\n2 tanh [1]\n",
        f"0 abs ['x']\n{'9' * 5000} exp [0]\n2 tanh [1]\n",
    ):
        assert [f.code for f in lint(text)] == ["S001"]


def test_all_gaps_close_together_but_those_that_are_read() -> None:
    text = "".join(f"{k + k // 2} abs [{k - 1 + (k - 1) // 2 if k else repr('x')}]\n" for k in range(300))
    assert repaired(text) == "".join(f"{k} abs [{k - 1 if k else repr('x')}]\n" for k in range(300))
    read = "0 abs ['x']\n2 exp [1]\n3 exp [2]\n5 abs [3]\n6 abs [5]\n"
    assert repaired(read) == "0 abs ['x']\n2 exp [1]\n3 exp [2]\n4 abs [3]\n5 abs [4]\n"


@pytest.mark.parametrize("seed", range(3))
def test_the_fixer_reaches_an_end_whatever_is_wrong(seed: int) -> None:
    chance = random.Random(seed)
    pieces = ["'", '"', "[", "]", ",", "<", "conv2d [41, ", "0", "1 ", "\n", " ", "#", "\\", "'x'", "(", ")"]
    base = "\n".join(LINES[:25]) + "\n"
    for _ in range(60):
        text = base
        for _ in range(chance.randrange(1, 4)):
            at, other = chance.randrange(len(text)), chance.randrange(len(text))
            piece = chance.choice([*pieces, text[other : other + 20], ""])
            text = text[:at] + piece + text[at + chance.randrange(3) :]
        assert fixes.fix(text, lint, unsafe=True)


@pytest.mark.parametrize("line", ["2 add [0, 1']", "2 add [0', 1]", '2 add [0, 1" ]'])
def test_a_quote_behind_an_id_is_one_finding(line: str) -> None:
    text = f"0 exp ['x']\n1 abs [0]\n{line}\n"
    (finding,) = irlint.lint(text)
    assert (finding.code, text[finding.span.start : finding.span.end]) == ("S001", "'" if "'" in line else '"')
    assert finding.fix is not None
    repaired = apply(text, finding.fix.edits)
    assert irlint.lint(repaired) == []
    assert [node.op for node in irlint.load(repaired).graph.nodes] == ["var", "exp", "abs", "add"]


@pytest.mark.parametrize("number", [0, 1, 26, 100, 154, 155, len(LINES) - 1])
def test_a_node_on_two_lines_is_one_finding_where_the_first_ends(number: int) -> None:
    for cut in range(1, len(LINES[number])):
        parts = LINES[number][:cut], LINES[number][cut:]
        text = "\n".join([*LINES[:number], *parts, *LINES[number + 1 :]])
        (finding,) = lint(text)
        assert (finding.code, Lines(text).position(finding.span.start)) == ("S001", (number + 1, cut + 1)), parts
        assert finding.fix is not None
        assert finding.fix.safety == "safe"
        joined = apply(text, finding.fix.edits).splitlines()
        assert lint("\n".join(joined)) == [], parts
        assert joined[number].replace(" ", "") == LINES[number].replace(" ", "")


def test_a_node_on_many_lines_is_one_finding() -> None:
    text = "0 exp ['x']\n1 concatenate [\n  0,\n  'y',\n  'z'\n]\n2 abs [1]\n"
    (finding,) = lint(text)
    assert finding.code == "S001"
    assert fixes.fix(text, lint).text == "0 exp ['x']\n1 concatenate [ 0, 'y', 'z']\n2 abs [1]\n"


@pytest.mark.parametrize("between", [" ", "", ", ", ";"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_nodes_that_share_a_line_are_one_finding(between: str, newline: str) -> None:
    text = newline.join([*LINES[:26], between.join(LINES[26:29]), *LINES[29:]])
    (finding,) = lint(text)
    assert (finding.code, text[finding.span.start : finding.span.end]) == ("S001", LINES[27])
    assert "got 3" in finding.message
    assert fixes.fix(text, lint).text == newline.join(LINES)
    other = text.replace("27 nn.conv2d", "27 nn.covn2d")
    assert [(f.code, other[f.span.start : f.span.end]) for f in lint(other)][1:] == [("O001", "nn.covn2d")]


def moved(lines: list[str], start: int, count: int, to: int) -> list[str]:
    rest = [*lines[:start], *lines[start + count :]]
    return [*rest[:to], *lines[start : start + count], *rest[to:]]


@pytest.mark.parametrize("count", [1, 2, 7])
def test_lines_in_the_wrong_place_are_one_finding_and_go_back(count: int) -> None:
    chance = random.Random(count)
    for _ in range(25):
        start, to = chance.randrange(len(LINES) - count), chance.randrange(len(LINES) - count + 1)
        if start == to:
            continue
        lines = moved(LINES, start, count, to)
        assert [code for code, *_ in found(lines)] == ["R401"], (start, to)
        assert repaired("\n".join(lines)) == "\n".join(LINES), (start, to)


def test_two_lines_that_changed_places_are_one_finding() -> None:
    chance = random.Random(4)
    for distance in (1, 2, 3, 50, 169):
        first = chance.randrange(len(LINES) - distance)
        lines = LINES.copy()
        lines[first], lines[first + distance] = lines[first + distance], lines[first]
        assert found(lines) == [("R401", first, str(first + distance))]
        assert repaired("\n".join(lines)) == "\n".join(LINES)


def test_a_block_that_stands_twice_is_one_finding_and_goes() -> None:
    lines = [*LINES[:20], *LINES[13:]]
    assert found(lines) == [("R005", 20, "13")]
    assert repaired("\n".join(lines)) == "\n".join(LINES)


def test_an_empty_list_is_not_also_a_call_that_nobody_reads() -> None:
    lines = put(33, "33 clip []") if LINES[33].startswith("33 clip") else []
    assert lines, "the sample has another call there"
    assert [(code, number) for code, number, _ in found(lines)] == [("O002", 33)]


@pytest.mark.parametrize(
    "text",
    [
        "0 Convolution ['x', 'w', 'b']\n1 BatchNorm [0, 'g', 'b', 'm', 'v']\n2 Activation [1]\n",
        "0 Convolution ['x', 'w']\n1 Add [0, 'b']\n2 ReLU [1]\n",
        "0 ReLU ['x']\n",
        "0 conv2d ['x', 'w', 'b']\n1 relu [0]\n2 flatten [1]\n3 dense [2, 'w', 'b']\n",
        "0 nn.conv2d ['x', 'w']\n1 reshape [0, 'shape']\n2 split [1, 'axis']\n3 nn.gelu [2]\n",
        "0 tvm_op ['x']\n1 tvm_op [0]\n",
    ],
)
def test_the_flat_view_of_another_format_is_right(text: str) -> None:
    assert [f for f in lint(text) if f.severity != Severity.INFO] == []


def test_one_foreign_name_among_relay_s_is_told_whose_it_is() -> None:
    (finding,) = lint("0 nn.conv2d ['x', 'w']\n1 PriorBoxClustered [0, 'image']\n2 nn.relu [1]\n")
    assert (finding.code, finding.severity) == ("O001", Severity.WARNING)
    assert "OpenVINO" in finding.message
    (finding,) = lint("0 nn.conv2d ['x', 'w']\n1 conv2d [0, 'w']\n2 nn.relu [1]\n")
    assert finding.severity == Severity.ERROR
    assert finding.message.endswith("did you mean `nn.conv2d`?")
    (finding,) = lint("0 nn.conv2d ['x', 'w']\n1 reshape [0, 'shape']\n2 nn.relu [1]\n")
    assert (finding.code, finding.severity) == ("O002", Severity.WARNING)


def test_ids_with_zeros_in_front_are_told_once_and_written_without() -> None:
    text = "".join(f"{k:03d} exp [{f'{k - 1:03d}' if k else repr('x 01')}]\n" for k in range(12))
    (finding,) = lint(text)
    assert (finding.code, finding.severity) == ("S015", Severity.WARNING)
    assert fixes.fix(text, lint).text == "0 exp ['x 01']\n" + "".join(f"{k} exp [{k - 1}]\n" for k in range(1, 12))
    assert lint("0 exp ['01', '0 01']\n1 exp [0]\n2 add [1, ' 01 ']\n")[0].code != "S015"


def test_a_call_without_inputs_on_two_lines() -> None:
    assert [
        f.code for f in engine.lint("0 nn.relu ['data']\n1 nn.relu [\n]\n", "a.txt").findings if f.code[0] == "S"
    ] == ["S001"]


def test_lines_with_another_between_them_are_not_moved() -> None:
    calls = ["0 exp ['x']", *(f"{k} exp [{k - 1}]" for k in range(1, 12))]
    assert found([*calls[:2], *calls[4:9], calls[2], "", calls[3], *calls[9:]]) == [("R401", 7, "2")]
    text = "\n".join([*calls[:2], *calls[4:9], calls[2], "", calls[3], *calls[9:]])
    assert engine.lint(text, "a.txt").findings[0].fix is None


def test_an_operator_without_inputs_gets_none() -> None:
    result = engine.lint("0 nn.relu ['x']\n1 zeros [0, 7]\n", "a.txt")
    offers.confirm(result, offers.TrialLinter(result))
    assert [f.code for f in result.findings] == ["O002", "R001"]
    assert result.findings[0].fix is None


def test_constants_are_not_renamed_and_events_are_nodes() -> None:
    navigation = irlint.formats.base.all_formats()["glacier"].navigation()
    text = "0 add ['x', 'constant']\n1 exp [0]\n"
    model = engine.lint(text, "a.txt").model
    assert model is not None
    target = navigation.referent(model, text.index("constant"))
    assert target is not None
    assert navigation.rename(model, target, "y").refusal == "a constant has no name"
    events = engine.lint(
        '{"nodeID": 0, "name": "exp", "inputs": ["x"], "session": "s", "duration": 0.1}\n', "a.jsonl"
    ).model
    assert events is not None
    token = navigation.node_at(events, 5)
    assert token is not None
    assert token[1].op == "exp"


@pytest.mark.parametrize(
    "lines", ["0 Conv ['x', 'w']\n1 Relu [0]\n2 Gemm [1, 'v', 'b']\n", "0 Conv ['x', 'w']\n1 Relu [0]\n"]
)
def test_the_flat_view_of_a_model_of_another_format_is_clean(lines: str) -> None:
    assert irlint.lint(lines, as_format="glacier") == []
