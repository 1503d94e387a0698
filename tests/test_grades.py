"""Which findings are reported: pedantic ones only where they were asked for."""

from __future__ import annotations

import pytest

from irlint.findings import Severity
from irlint.settings import Settings

PEDANTIC, INFO = Severity.PEDANTIC, Severity.INFO


@pytest.mark.parametrize(
    ("settings", "pedantic", "info"),
    [
        (Settings(), False, True),
        (Settings(pedantic=True), True, True),
        (Settings(("ALL", "PEDANTIC")), True, True),
        (Settings(("PEDANTIC",)), True, True),  # nobody who asks for more wants to lose the rest
        (Settings(("S", "PEDANTIC")), True, False),
        (Settings(("ALL", "A004")), True, True),
        (Settings(("ALL", "bool-string")), True, True),
        (Settings(("A",)), False, True),
        (Settings(("A",), pedantic=True), True, True),
        (Settings(("S",), pedantic=True), False, False),
        (Settings(("ALL", "A004"), ignore=("A004",)), False, False),
        (Settings(("ALL", "A004"), ignore=("PEDANTIC",)), True, True),
        (Settings(pedantic=True, ignore=("PEDANTIC",)), False, True),
        (Settings(pedantic=True, ignore=("A",)), False, False),
        (Settings(pedantic=True, never=("PEDANTIC",)), False, True),
        (Settings(("ALL", "A004"), never=("A004",)), False, False),
    ],
)
def test_pedantic_findings_are_reported_where_they_were_asked_for(
    settings: Settings, pedantic: bool, info: bool
) -> None:
    assert settings.wants("A004", "bool-string", PEDANTIC) is pedantic
    assert settings.wants("A004", "bool-string", INFO) is info
    assert settings.wants("A004", "bool-string") is (pedantic or info)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(), Severity.WARNING),
        (Settings(("ALL", "A004")), PEDANTIC),
        (Settings(pedantic=True), PEDANTIC),
        (Settings(repairs_from=INFO), INFO),
    ],
)
def test_mild_findings_are_repaired_where_they_were_asked_for(settings: Settings, expected: Severity) -> None:
    assert min(s for s in Severity if settings.repairs("A004", "bool-string", s)) == expected
