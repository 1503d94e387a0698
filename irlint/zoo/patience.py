"""Another try for what may pass, on top of those of the store's client."""

from __future__ import annotations

from collections.abc import Callable
from random import uniform
from time import monotonic, sleep
from typing import TypeVar

from irlint.zoo.stores import StoreError

T = TypeVar("T")

TRIES = 2
LONG = 10.0  # seconds: the store's client has tried again by itself, or waited until its time was out
PAUSE = 1.0  # seconds, times a random factor: throttled workers must not come back all at once


def patiently(ask: Callable[[], T]) -> T:
    """Return what a store answers; ask again if its error may pass and did not take long."""
    began = monotonic()
    for left in range(TRIES - 1, -1, -1):
        try:
            return ask()
        except StoreError as error:
            if not error.may_pass or not left or monotonic() - began > LONG:
                raise
            sleep(PAUSE * uniform(0.5, 1.5))
    raise AssertionError("unreachable")
