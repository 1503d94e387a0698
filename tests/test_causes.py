"""The engine of tables of causes: indexes of followers, what becomes of them and of their roots."""

from __future__ import annotations

from irlint.causes.relations import ANYWHERE, INSIDE, Keyed, Lookup, Spans, place
from irlint.causes.rows import Each, Follows, Once, Which, apply, gone, graded, severest
from irlint.codes import R, Severity
from irlint.findings import Problem
from irlint.text.base import Place, Span
from irlint.text.json.document import JsonDocument

LOOKUP = Lookup(JsonDocument.parse('{"a": [1, 2], "b": 3}', "m.json"))
ROOT = Problem(R.wrong_type, Place(("a",)), "root", severity=Severity.WARNING)
INNER = Problem(R.shape_mismatch, Place(("a", 1)), "inner")
OTHER = Problem(R.shape_mismatch, Place(("b",)), "other")
TYPES, SHAPES = Which((R.wrong_type,)), Which((R.shape_mismatch,))


def messages(*rows, of=(ROOT, INNER, OTHER)):  # type: ignore[no-untyped-def]
    return [(p.text, str(p.actual_severity)) for p in apply(rows, LOOKUP, [*of])]


def test_followers_are_left_out_and_make_their_root_as_severe() -> None:
    assert messages(Follows(TYPES, INSIDE, SHAPES)) == [("root", "warning"), ("other", "error")]
    assert messages(Follows(TYPES, ANYWHERE, SHAPES, rooted=severest)) == [("root", "error")]


def test_a_milder_root_does_not_explain() -> None:
    assert len(messages(Follows(TYPES, INSIDE, SHAPES, milder=True))) == 3


def test_roots_that_share_a_key() -> None:
    twin = Problem(R.wrong_type, Place(("a",)), "twin")
    keyed = Keyed(place, place, alone=True)
    follower = Problem(R.shape_mismatch, Place(("a",)), "follower")
    assert len(messages(Follows(TYPES, keyed, SHAPES), of=(ROOT, twin, follower))) == 3
    assert len(messages(Follows(TYPES, keyed, SHAPES), of=(ROOT, follower))) == 1


def test_texts_inside_and_around() -> None:
    outer, inner = Problem(R.wrong_type, Span(0, 9), "outer"), Problem(R.shape_mismatch, Span(2, 4), "inner")
    assert messages(Follows(TYPES, Spans(is_around=False), SHAPES), of=(outer, inner)) == [("outer", "error")]
    assert messages(Follows(SHAPES, Spans(is_around=True), TYPES), of=(outer, inner)) == [("inner", "error")]


def test_one_of_equals_is_kept() -> None:
    assert messages(Once(SHAPES, lambda _, p: p.rule, lambda p: p.message)) == [("root", "warning"), ("other", "error")]
    assert messages(Once(SHAPES, lambda _, p: p.rule)) == [("root", "warning"), ("inner", "error")]


def test_problems_by_themselves() -> None:
    assert messages(Each(SHAPES, graded(Severity.INFO)), Each(TYPES, gone)) == [("inner", "info"), ("other", "info")]
