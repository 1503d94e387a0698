"""The house does not grow unnoticed: what a room weighs is recorded, and more of it is a decision with a reason in its commit."""

from __future__ import annotations

import house
import pytest

NOW = house.measured()
ROOMS, FUNCTIONS = house.recorded()
SLACK = 60  # lines


@pytest.mark.parametrize("room", sorted(NOW.lines))
def test_a_room_has_no_more_decisions_and_lines_than_recorded(room: str) -> None:
    decisions, lines = ROOMS.get(room, (0, 0))
    assert NOW.decisions[room] <= decisions, "python tests/house.py records more, with the reason in the commit message"
    assert NOW.lines[room] <= lines + SLACK, "python tests/house.py records more, with the reason in the commit message"


def test_functions_with_many_decisions_get_fewer() -> None:
    assert not {name: own for name, own in NOW.functions.items() if own > FUNCTIONS.get(name, house.MOST)}
    assert not FUNCTIONS.keys() - NOW.functions.keys(), "python tests/house.py takes them off the list"
