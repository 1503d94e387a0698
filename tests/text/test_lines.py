"""Lines of long texts are the same lines."""

from __future__ import annotations

import random

import pytest

from irlint.text import lines
from irlint.text.base import Lines


@pytest.mark.parametrize("seed", range(40))
def test_blocks_are_the_same_lines(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BLOCK", 7)
    monkeypatch.setattr(lines, "KEPT", 2)
    rng = random.Random(seed)
    text = "".join(rng.choices(["a", "\n", "\r", "\r\n", "\u2028", "\x0b", "é"], k=rng.randrange(1, 90)))
    near = Lines(text)
    starts, positions = list(near.starts), [near.position(at) for at in range(len(text) + 1)]
    monkeypatch.setattr(lines, "MANY_LINES", 0)
    far = Lines(text)
    if len(starts) > 1:
        assert isinstance(far.starts, lines.FarStarts)
    assert (list(far.starts), len(far.starts), far.starts[-1], far.starts[1:3]) == (
        starts,
        len(starts),
        starts[-1],
        starts[1:3],
    )
    assert [far.position(at) for at in range(len(text) + 1)] == positions
    assert [far.line(number) for number in range(1, len(starts) + 1)] == [
        near.line(number) for number in range(1, len(starts) + 1)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_blocks_count_the_same_lines(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "SIZE", 5)
    rng = random.Random(seed)
    text = "".join(rng.choices(["a", "bcdefg", "\n", "\u2028", "é"], k=rng.randrange(60)))
    listed, counted = Lines(text), Lines(text)
    assert listed.starts
    assert [counted.at(at) for at in range(len(text) + 1)] == [listed.at(at) for at in range(len(text) + 1)]
    assert counted.count == listed.count
    assert [counted.start(number + 1) for number in range(counted.count)] == listed.starts
    assert "starts" not in counted.__dict__
