"""A running server per test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("pygls")

from .client import Client


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.kill()


@pytest.fixture
def raw() -> Iterator[Client]:
    """Not yet initialized."""
    client = Client(start=False)
    yield client
    client.kill()
