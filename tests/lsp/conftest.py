"""Running servers: one per test where the test ends it, else one per editor and module."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

pytest.importorskip("pygls")
pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol.converters import get_converter  # noqa: E402

from .client import Client  # noqa: E402
from .samples import SAMPLES, Sample  # noqa: E402

EDITORS = ("visual_studio_code", "neovim", "emacs")
_numbers = count()


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as client:
        yield client


@pytest.fixture
def raw() -> Iterator[Client]:
    """Not yet initialized."""
    with Client(start=False) as client:
        yield client


@pytest.fixture(scope="module")
def shared() -> Iterator[Client]:
    """A server for tests that leave it as they found it."""
    with Client() as client:
        yield client
        assert client.stop() == 0


@pytest.fixture(scope="module", params=EDITORS)
def editor(request: pytest.FixtureRequest) -> Iterator[Client]:
    """A server that was initialized as this editor does it."""
    capabilities = get_converter().unstructure(pytest_lsp.client_capabilities(request.param))
    with Client(capabilities=capabilities) as client:
        yield client
        assert client.stop() == 0


@pytest.fixture(params=SAMPLES, ids=lambda s: s.name)
def sample(request: pytest.FixtureRequest) -> Sample:
    found: Sample = request.param
    return found


@pytest.fixture
def uri(request: pytest.FixtureRequest) -> str:
    """Of a document that no other test knows."""
    name = request.getfixturevalue("sample").name if "sample" in request.fixturenames else "toy-symbol.json"
    return f"file:///nowhere/{next(_numbers)}/{name}"
