"""Another try for what may pass, on top of those of the store's client."""

from __future__ import annotations

from collections.abc import Callable
from random import uniform
from time import sleep
from typing import TypeVar

from irlint.zoo.stores import StoreError

T = TypeVar("T")

TRIES = 2
PAUSE = 1.0  # seconds, times a random factor: throttled workers must not come back all at once


def patiently(ask: Callable[[], T]) -> T:
    """Return what a store answers; ask again if its error may pass."""
    for left in range(TRIES - 1, -1, -1):
        try:
            return ask()
        except StoreError as error:
            if not error.may_pass or not left:
                raise
            sleep(PAUSE * uniform(0.5, 1.5))
    raise AssertionError("unreachable")
