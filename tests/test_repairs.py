"""The search for repairs: what counts, what is proven, what is left alone, and that it ends."""

from __future__ import annotations

import json

from irlint import engine, offers
from irlint.findings import EVIDENT, SURE, Candidate, Finding, Severity
from irlint.repairs import EACH, EQUALS, Search, searched, strict, wanting
from irlint.settings import Settings
from irlint.text.base import Edit, Span
from irlint.work import CHARACTERS, TRIALS, Budget


def finding(at: int, code: str = "D001", severity: Severity = Severity.ERROR) -> Finding:
    return Finding(code, "some-rule", severity, f"{code} at {at}", Span(at, at + 1), node=str(at))


def lint(text: str) -> list[Finding]:
    """`x` is an error, `w` a warning, `.` is fine."""
    kinds = {"x": ("D001", Severity.ERROR), "w": ("D006", Severity.WARNING)}
    return [finding(k, *kinds[letter]) for k, letter in enumerate(text) if letter in kinds]


def write(at: int, letter: str, likelihood: int = 1) -> Candidate:
    return Candidate(f"Write {letter}", (Edit(Span(at, at + 1), letter),), likelihood)


def best(text: str, *candidates: Candidate) -> tuple[str, str] | None:
    search = Search(text, lint(text), lint, Budget())
    fix = search.best(lint(text)[0], candidates)
    return None if fix is None else (fix.title, fix.safety)


def test_the_only_change_after_which_everything_fits_is_proven() -> None:
    assert best("..x", write(2, "x"), write(2, "."), write(2, "w")) == ("Write .", "proven")


def test_without_anything_to_compare_it_with_nothing_is_proven() -> None:
    assert best("..x", write(2, ".")) == ("Write .", "unsafe")


def test_of_few_equals_the_likeliest_is_a_guess() -> None:
    assert best("..x", write(2, "-", 2), write(2, ".", 1), write(2, "+", 2)) == ("Write .", "unsafe")


def test_of_many_equals_none_is_offered() -> None:
    assert best("..x", *(write(2, letter) for letter in ".-+*/"[: EQUALS + 1])) is None


def test_the_only_evident_change_of_those_that_fit_is_proven() -> None:
    assert best("..x", write(2, "-"), write(2, ".", EVIDENT), write(2, "+", 0)) == ("Write .", "proven")
    assert best("..x", write(2, ".", EVIDENT)) == ("Write .", "proven")
    assert best("..x", write(2, "-", EVIDENT), write(2, ".", EVIDENT)) == ("Write -", "unsafe")


def test_of_what_nothing_checks_nothing_is_proven() -> None:
    guess = write(2, ".", 0)._replace(is_guess=True)
    assert best("..x", write(2, "x"), guess) == ("Write .", "unsafe")
    assert best("..x", write(2, "x"), write(2, ".", 0), guess) == ("Write .", "unsafe")  # whoever proposes it, too
    assert best("..x", write(2, "x"), write(2, ".", EVIDENT), guess) == ("Write .", "proven")


def test_while_a_likelier_change_is_untried_nothing_is_proven() -> None:
    others = [write(2, chr(200 + k), 3) for k in range(EACH)]
    assert best("..x", write(2, ".", EVIDENT), *others) == ("Write .", "proven")
    assert best("..x", write(2, ".", EVIDENT), *others, write(2, "w", EVIDENT)) == ("Write .", "unsafe")


def test_changes_to_one_text_are_one() -> None:
    whole = Candidate("Write all", (Edit(Span(0, 3), "..."),), EVIDENT)
    assert best("..x", write(2, ".", EVIDENT), whole) == ("Write .", "proven")


def test_an_error_that_only_becomes_milder_is_not_repaired() -> None:
    def milder(text: str) -> list[Finding]:
        return [finding(1, severity=Severity.WARNING if text[0] == "u" else Severity.ERROR)] if text[1] == "x" else []

    search = Search(".x", milder(".x"), milder, Budget())
    assert search.best(milder(".x")[0], [write(0, "u"), write(0, "v")]) is None


def test_what_the_file_says_twice_is_safe() -> None:
    assert best("..x", write(2, "-"), write(2, ".", SURE)) == ("Write .", "safe")


def test_a_change_that_a_new_warning_contradicts_does_not_count() -> None:
    assert best("..x", write(2, "x"), write(2, "w")) is None


def test_while_another_error_is_left_nothing_is_proven() -> None:
    assert best("x.x", write(0, "x"), write(0, ".")) == ("Write .", "unsafe")


def test_an_error_that_only_moves_is_not_repaired() -> None:
    assert best("x.", write(1, "x"), Candidate("swap", (Edit(Span(0, 2), ".x"),))) is None


def test_the_search_ends() -> None:
    calls = 0

    def counting(text: str) -> list[Finding]:
        nonlocal calls
        calls += 1
        return lint(text)

    text = "x" + "." * 500
    budget = Budget()
    for _ in range(10):
        Search(text, lint(text), counting, budget).best(lint(text)[0], (write(0, chr(200 + k)) for k in range(1000)))
    assert calls <= TRIALS


def test_candidates_of_a_text_that_is_not_whole_are_those_so_far() -> None:
    def candidates(_: Finding):  # type: ignore[no-untyped-def]
        yield write(2, "x")
        yield write(2, ".")
        raise LookupError

    found = searched("..x", lint("..x"), lint("..x"), candidates, lint, Budget())
    assert [f.fix and f.fix.safety for f in found] == ["proven"]


def test_many_errors_are_not_searched_for() -> None:
    assert wanting(lint("x" * 8))
    assert not wanting(lint("x" * 9))


def test_what_is_switched_off_still_contradicts() -> None:
    settings = strict(Settings(select=("S",), ignore=("D006",), never=("A001",)))
    assert all(settings.wants(code, "some-rule", Severity.PEDANTIC) for code in ("D006", "A001", "R001"))


def test_an_error_whose_own_repair_does_harm_is_searched() -> None:
    """The nearest word is `True`, with which the third input would be too much."""
    nodes = [
        {"op": "null", "name": "data", "attrs": {"__shape__": "(2, 8)"}, "inputs": []},
        {"op": "null", "name": "fc_weight", "inputs": []},
        {"op": "null", "name": "fc_bias", "inputs": []},
        {
            "op": "FullyConnected",
            "name": "fc",
            "attrs": {"no_bias": "truee", "num_hidden": "4"},
            "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]],
        },
    ]
    graph = {"nodes": nodes, "arg_nodes": [0, 1, 2], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}}
    result = engine.lint(json.dumps(graph), "model-symbol.json")
    offers.confirm(result)
    (fix,) = [f.fix for f in result.findings if f.code == "A004"]
    assert fix is not None
    assert fix.title == "Set `no_bias` to `False`"


def test_each_error_has_its_share_of_the_budget() -> None:
    """Candidates of the first, which are many, do not keep the second from being repaired."""
    text = "x" + "." * (CHARACTERS // 40) + "x"

    def candidates(error: Finding) -> list[Candidate]:
        return [write(0, chr(200 + k)) for k in range(100)] if error.span.start == 0 else [write(len(text) - 1, ".")]

    found = searched(
        text,
        lint(text),
        lint(text),
        candidates,
        lambda changed: lint(text) if changed[0] != "x" else lint(changed),
        Budget(),
    )
    assert found[1].fix is not None
