"""Fixing: rounds, clashes, what is refused, and that nothing outside the edits ever changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from edits import edits_of, texts_and_edits
from hypothesis import given
from hypothesis import strategies as st

from irlint.findings import Finding, Fix, Safety, Severity
from irlint.fixes import MAX_ATTEMPTS, Fixed, apply, choose, compose, fix, offered
from irlint.records import replace
from irlint.text.base import Edit, Span

Lint = Callable[[str], list[Finding]]


def finding(
    span: tuple[int, int],
    *edits: tuple[int, int, str],
    name: str = "some-rule",
    safety: Safety = "safe",
    severity: Severity = Severity.ERROR,
) -> Finding:
    made = tuple(Edit(Span(start, end), text) for start, end, text in edits)
    return Finding("R001", name, severity, "message", Span(*span), fix=Fix("title", made, safety) if made else None)


def words(table: dict[str, str | None], name: str = "some-rule") -> Lint:
    """A linter that dislikes words: each with what to write instead, or None if it does not know."""

    def lint(text: str) -> list[Finding]:
        found = []
        for match in re.finditer("|".join(map(re.escape, table)), text):
            new = table[match[0]]
            found.append(finding(match.span(), *([] if new is None else [(*match.span(), new)]), name=name))
        return found

    return lint


def graded(table: dict[str, str | None], safety: Safety) -> Lint:
    lint = words(table)
    return lambda text: [replace(f, fix=f.fix and replace(f.fix, safety=safety)) for f in lint(text)]


def test_rounds_go_on_until_nothing_is_left() -> None:
    def lint(text: str) -> list[Finding]:
        """Each word has to go with the blank before it, so that neighbours cannot go in one round."""
        return [finding(m.span(), (m.start() - 1, m.end() + 1, " ")) for m in re.finditer("a", text)]

    fixed = fix("x a a a ", lint)
    assert fixed.text == "x "
    assert len(fixed.applied) == 3
    assert fixed.findings == []
    assert fixed.edits == [Edit(Span(1, 8), " ")]


def test_a_fix_that_trades_one_error_for_another_is_not_made() -> None:
    fixed = fix("x a", words({"a": "b", "b": None}))
    assert fixed.text == "x a"
    ((key, harm),) = fixed.refused.items()
    assert key == ("R001", "message", 2)
    assert harm.witness is None
    assert str(harm) == "fixes nothing"


def test_only_fixes_that_are_made_are_offered() -> None:
    lint = words({"a": "b", "bad": "worse", "worse": None, "c": None})
    text = "a bad a c"
    first, bad, last, without = offered(text, lint(text), lint)
    assert first.fix is not None
    assert last.fix is not None
    assert bad.fix is None
    assert without == lint(text)[3]


def test_safe_and_unsafe_fixes_are_tried_apart() -> None:
    def lint(text: str) -> list[Finding]:
        found = [finding((0, 1), (0, 1, "b"))] if text[0] == "a" else []
        if text[1] == "x":
            found.append(finding((1, 2), (1, 2, "y"), safety="unsafe"))
        if text == "by":
            found += [finding((0, 2)), finding((1, 2))]  # both together do harm
        return found

    kept, dropped = offered("ax", lint("ax"), lint)
    assert kept.fix is not None
    assert dropped.fix is None or dropped.fix.safety == "unsafe"


def test_a_milder_finding_has_to_go_but_may_leave_others_of_its_kind() -> None:
    def lint(text: str) -> list[Finding]:
        return [finding((0, 1), (0, 1, text[1:]), severity=Severity.WARNING)] if text[0] == "a" else []

    assert offered("ab", lint("ab"), lint)[0].fix is not None
    assert offered("aa", lint("aa"), lint)[0].fix is None


def test_unsafe_fixes_only_if_asked_for() -> None:
    def lint(text: str) -> list[Finding]:
        return [finding((0, 1), (0, 1, "b"), safety="unsafe")] if text == "a" else []

    assert fix("a", lint).text == "a"
    assert fix("a", lint, unsafe=True).text == "b"


def test_overlapping_fixes_wait_for_another_round() -> None:
    first, second = finding((0, 4), (0, 4, "x")), finding((2, 6), (2, 6, "y"))
    beside = finding((4, 5), (4, 5, "z"))
    assert choose([first, second, beside], least="safe") == [first, beside]


def test_two_insertions_at_one_place_wait_too() -> None:
    first, second = finding((0, 1), (3, 3, "x")), finding((1, 2), (3, 3, "y"))
    assert choose([first, second], least="safe") == [first]


def test_findings_without_a_fix_stand_in_nobody_s_way() -> None:
    first, last = finding((0, 1), (0, 1, "x")), finding((4, 5), (4, 5, "y"))
    between = [finding((1, 2)), finding((2, 3), (2, 3, "z"), safety="unsafe")]
    assert choose([first, *between, last], least="safe") == [first, last]
    assert choose([first, *between, last], least="unsafe") == [first, between[1], last]


def test_several_findings_may_share_one_repair() -> None:
    first, second = finding((0, 1), (3, 3, "x")), finding((1, 2), (3, 3, "x"))
    assert choose([first, second], least="safe") == [first, second]
    assert fix("abcd", lambda text: [first, second] if text == "abcd" else []).text == "abcxd"


def test_a_fix_whose_own_edits_overlap_is_never_made() -> None:
    assert choose([finding((0, 1), (0, 3, "x"), (2, 4, "y"))], least="safe") == []


def test_a_fix_that_brings_new_errors_is_refused_and_the_others_are_made() -> None:
    def lint(text: str) -> list[Finding]:
        found = words({"a": "b", "bad": "worse worse", "worse": None})(text)
        return [replace(f, node=f"in line {text.count(chr(10), 0, f.span.start)}") for f in found]

    fixed = fix("a\nbad\na", lint)
    assert fixed.text == "b\nbad\nb"
    assert [f.span for f in fixed.findings] == [Span(2, 5)]


def test_harm_elsewhere_is_traced_by_halves() -> None:
    def lint(text: str) -> list[Finding]:
        found = words({"a": "b", "x": "y", "y": None})(text)
        return [replace(f, node="elsewhere" if text[f.span.start] == "y" else text[f.span.start]) for f in found]

    assert fix("aaaxaaa", lint).text == "bbbxbbb"


@pytest.mark.parametrize(("safety", "text"), [("safe", "cb"), ("proven", "cb"), ("unsafe", "ab")])
def test_only_guesses_need_a_flag(safety: Safety, text: str) -> None:
    assert fix("ab", graded({"a": "c"}, safety)).text == text


def test_what_is_proven_once_others_are_mended_is_offered_as_such() -> None:
    """`b` is a guess while there is an `a`; `--fix` makes both."""

    def lint(text: str) -> list[Finding]:
        found = words({"a": "c"})(text)
        return [*found, *graded({"b": "d"}, "unsafe" if found else "proven")(text)]

    assert fix("ab", lint).text == "cd"
    assert [f.fix and f.fix.safety for f in offered("ab", lint("ab"), lint)] == ["safe", "proven"]


def test_a_fix_that_leaves_its_finding_in_other_words_causes_nothing() -> None:
    def lint(text: str) -> list[Finding]:
        return [replace(f, message=f"{text} is wrong") for f in words({"a": "bb", "bb": None})(text)]

    fixed = fix("a", lint)
    assert fixed.text == "a"
    assert [str(harm) for *_, harm in fixed.refusals()] == ["fixes nothing"]


def test_fixes_that_go_round_in_circles_end() -> None:
    fixed = fix("a", words({"a": "b", "b": "a"}))
    assert fixed.text in ("a", "b")
    assert fix(fixed.text, words({"a": "b", "b": "a"})).text in ("a", "b")


def test_fixes_that_never_end_are_not_made_at_all() -> None:
    """A round that leaves as much to find as there was is refused, however broken the text is."""
    for name in ("some-rule", "syntax-error"):
        assert fix("a", words({"a": "aa"}, name)).applied == []
        assert fix("a", lambda text, name=name: [finding((0, 1), (0, 0, "a"), name=name)]).text == "a"


def test_a_file_that_can_be_read_at_last_may_show_new_errors() -> None:
    def lint(text: str) -> list[Finding]:
        if "," in text:
            return [finding((1, 2), (1, 2, ""), name="syntax-error")]
        return words({"a": None})(text)

    assert fix("a,aa", lint).text == "aaa"


def test_a_guess_that_shows_new_errors_is_not_made() -> None:
    def lint(text: str) -> list[Finding]:
        if "," in text:
            return [finding((1, 2), (1, 2, ""), name="syntax-error", safety="unsafe")]
        return words({"a": None})(text)

    assert fix("a,aa", lint, unsafe=True).text == "a,aa"
    assert fix("b,a", lint, unsafe=True).text == "ba"


def test_a_file_that_stays_unreadable_stays_as_it_is() -> None:
    def lint(text: str) -> list[Finding]:
        return [*words({"a": "b"})(text), *words({"(": None}, "syntax-error")(text)]

    fixed = fix("a (", lint)
    assert fixed == Fixed("a (", [], lint("a ("), why_not="the file is still unreadable after all fixes")


def test_a_readable_file_is_never_made_unreadable() -> None:
    def lint(text: str) -> list[Finding]:
        return [*words({"aa": "("})(text), *words({"(": None}, "syntax-error")(text)]

    assert fix("aa", lint).text == "aa"


def test_one_harmful_fix_among_many_is_found_once() -> None:
    calls = 0

    def lint(text: str) -> list[Finding]:
        nonlocal calls
        calls += 1
        found = words({"x": 300 * "y", "y": None, "a": "b"})(text)
        return [replace(f, message=text[slice(*f.span)], node="one") for f in found]

    fixed = fix("x" + 200 * "a", lint)
    assert fixed.text == "x" + 200 * "b"
    assert calls < MAX_ATTEMPTS / 2
    assert fix(fixed.text, lint).text == fixed.text


def test_finding_the_harmful_fixes_among_many_is_bounded() -> None:
    calls = 0

    def lint(text: str) -> list[Finding]:
        nonlocal calls
        calls += 1
        return [*words({"a": "bb"})(text), *words({"b": None})(text)]

    assert fix("a" * 5000, lint).text == "a" * 5000
    assert calls <= MAX_ATTEMPTS + 1


def test_many_fixes_cost_one_round() -> None:
    calls = 0

    def lint(text: str) -> list[Finding]:
        nonlocal calls
        calls += 1
        return words({"a": "b"})(text)

    assert fix("a" * 20_000, lint).text == "b" * 20_000
    assert calls == 2


@given(texts_and_edits(), st.data())
def test_composed_edits_do_what_the_rounds_did(case: tuple[str, list[Edit]], data: st.DataObject) -> None:
    text, first = case
    middle = apply(text, first)
    second = data.draw(edits_of(middle))
    composed = compose(first, second)
    assert apply(text, composed) == apply(middle, second)
    assert composed == sorted(composed)
    assert all(a.span.end <= b.span.start for a, b in pairwise(composed))


@given(texts_and_edits("abc"), st.data())
def test_composed_edits_touch_nothing_that_no_round_touched(case: tuple[str, list[Edit]], data: st.DataObject) -> None:
    """Every character gets a number; what comes out of two rounds and of the composition is the very same characters."""
    text, first = case
    numbered = "".join(chr(0x4E00 + n) for n in range(len(text)))
    middle = apply(numbered, first)
    second = data.draw(edits_of(middle))
    touched = {n for span, _ in compose(first, second) for n in range(*span)}
    gone = {n for n, char in enumerate(numbered) if char not in apply(middle, second)}
    assert touched == gone


_TABLES = st.dictionaries(
    st.text("ab(", min_size=1, max_size=2), st.one_of(st.none(), st.text("abc(", max_size=2)), min_size=1, max_size=4
)


@given(st.text("abc(", max_size=12), _TABLES, st.booleans())
def test_fixing_twice_changes_nothing_more(text: str, table: dict[str, str | None], syntax: bool) -> None:
    def lint(text: str) -> list[Finding]:
        broken = words({"((": None}, "syntax-error")(text) if syntax else []
        return [*words(table)(text), *broken]

    once = fix(text, lint)
    assert apply(text, once.edits) == once.text
    assert once.findings == lint(once.text)
    if len({*table} & {part for new in table.values() for part in (new or "")}) == 0:
        assert fix(once.text, lint).text == once.text
