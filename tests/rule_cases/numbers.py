"""Cases of rules."""

from __future__ import annotations

from rule_cases.base import Case, Cases
from rule_cases.texts import LIGHTNET, lightnet


class NumberOutOfRange(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, 1e999, 4, 5, 6]")), "lightnet", "1e999"),)


class NonFiniteNumber(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(("[1, 2, 3, 4, 5, 6]", "[1, 2, NaN, 4, 5, 6]")), "lightnet", "NaN"),)


class UnusualNumber(Cases):
    valid = (Case(LIGHTNET, "lightnet"),)
    invalid = (Case(lightnet(('"axis", "value": 1', '"axis", "value": 01')), "lightnet", "01", LIGHTNET),)
