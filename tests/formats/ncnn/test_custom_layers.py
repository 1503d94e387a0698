"""Layers that a program registers are declared in the configuration."""

from __future__ import annotations

from typing import Any

import pytest
from rule_cases.texts import network

from irlint import engine
from irlint.settings import Settings


@pytest.mark.parametrize(
    ("declared", "is_known"),
    [
        (None, False),
        ({"ncnn": {"MyLayer": {}}}, True),
        ({"ncnn": {"Other": {}}}, False),
        ({"ncnn": {}}, True),
        ({"my_domain": {"MyLayer": {}}}, False),
    ],
)
def test_a_declared_type_is_known(declared: dict[str, Any] | None, is_known: bool) -> None:
    settings = Settings(options={"ncnn": {"extensions": declared}} if declared else {})
    found = engine.lint(network(("ReLU ", "MyLayer ")), "model.param", settings).findings
    assert ("O001" in {finding.code for finding in found}) != is_known
