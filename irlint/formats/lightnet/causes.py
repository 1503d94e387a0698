"""LightNet files: which problems of a file follow from which."""

from __future__ import annotations

from collections.abc import Sequence

from irlint.causes.relations import ANYWHERE, Keyed, Lookup, Spans
from irlint.causes.rows import Follows, Row, Which
from irlint.findings import Problem, Severity
from irlint.formats.lightnet.rules import R
from irlint.text.base import Span

_OF_TARGETS = (R.target_lacks_operator, R.lossy_number)  # judged by other rows


def _text(lookup: Lookup, problem: Problem) -> tuple[Span, ...]:
    return (lookup.span(problem),)


def _has_no_fix(_: Lookup, problem: Problem) -> bool:
    return problem.fix is None


def _is_of_value(_: Lookup, problem: Problem) -> bool:
    return problem.rule.code[0] != "S" and problem.rule not in _OF_TARGETS


def _are_as_many(outputs: Sequence[Problem], undefined: Sequence[Problem]) -> bool:
    return len(undefined) <= len(outputs)


_LACKING = Which((R.wrong_output_count,), least=Severity.ERROR)
ROWS: tuple[Row, ...] = (
    # the name may be that of an output that is not there
    Follows(_LACKING, ANYWHERE, Which((R.undefined_reference,)), provided=_are_as_many),
    Follows(_LACKING, ANYWHERE, Which((R.undefined_reference,), when=_has_no_fix)),
    # the operator that was meant may be in the target
    Follows(Which((R.wrong_operator,), least=Severity.ERROR), Keyed(_text, _text), Which((R.target_lacks_operator,))),
    # a number in what is wrong anyway
    Follows(Which(least=Severity.ERROR), Spans(is_around=False), Which((R.lossy_number,))),
    # what broken syntax makes of the values around it
    Follows(Which(groups="S", least=Severity.ERROR), Spans(is_around=True, slack=1), Which(when=_is_of_value)),
)
