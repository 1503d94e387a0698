"""A run over a store in this process."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from irlint.config import Config
from irlint.zoo.ledger import Ledger
from irlint.zoo.outcome import ObjectOutcome
from irlint.zoo.roots import roots_of
from irlint.zoo.run import ZooOptions, ZooRun
from irlint.zoo.work import here


def linted(
    *urls: str, ledger: Ledger | None = None, watch: Callable[[ZooRun], object] = lambda _: None, **options: Any
) -> dict[str, ObjectOutcome]:
    """Return the outcomes by key."""
    own = ledger or Ledger(None)
    run = ZooRun(ZooOptions(roots_of(urls), options.pop("config", Config(os.getcwd())), **options), own)
    run.list_all()
    for _ in run.lint(here(run.options.work)):
        pass
    watch(run)
    found = {outcome.key: outcome for outcome in run.outcomes()}
    assert list(found) == sorted(found, key=str.encode)
    if ledger is None:
        own.close()
    return found


def said(outcome: ObjectOutcome) -> list[str]:
    """Return an outcome's findings as code and message."""
    assert outcome.report is not None, outcome
    return [f"{entry.finding.code} {entry.finding.message}" for entry in outcome.report.entries]
