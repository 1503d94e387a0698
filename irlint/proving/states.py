"""States of one model that are inputs and outputs of the other: both are run as if they were inputs and outputs of both."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from irlint.dryrun.mapping import Feed, State
from irlint.proving.feeding import Incomparable
from irlint.proving.running import OpenState, Side

_Names = tuple[str, ...]


def open_states(a: Side, b: Side) -> None:
    """Make inputs and outputs of the states that only one of two models has, if the other has inputs for them; raise Incomparable if it
    is not known which is which."""
    for side, other, letters in ((a, b, ("A", "B")), (b, a, ("B", "A"))):
        side.opened = []
        if (states := side.mapping.states(side.graph)) and not other.mapping.states(other.graph):
            side.opened = _opened(side, other, states, letters)


def _opened(side: Side, other: Side, states: Sequence[State], letters: tuple[str, str]) -> list[OpenState]:
    left, outputs = _without(other.feeds(), side.feeds()), other.output_names()
    found = [one for one in (_named(side, states, feed, outputs) for feed in left) if one is not None]
    left, spare = _without(left, [one.feed for one in found]), _without(side.feeds(), other.feeds())
    if not spare and not found and len(left) == len(states) == 1:
        known = {name for names in side.output_names() for name in names}
        alone = [names for names in outputs if known.isdisjoint(names)]
        found += [_open_state(side, states[0], left.pop(), names) for names in alone if len(alone) == 1]
    if len(left) > len(spare):
        own, its = letters
        raise Incomparable(
            f"{own} has states, and none of them has the name of input {left[0].names[0]!r} of {its}", True
        )
    return found


def _named(side: Side, states: Sequence[State], feed: Feed, outputs: Sequence[_Names]) -> OpenState | None:
    """Return the state that has the names of an input and of an output of the other model."""
    pairs = ((state, names) for state, names in product(states, outputs) if _consists_of(state.name, feed.names, names))
    return next((_open_state(side, state, feed, names) for state, names in pairs), None)


def _without(feeds: Sequence[Feed], others: Sequence[Feed]) -> list[Feed]:
    """Return the inputs that have no name of others."""
    names = {name for feed in others for name in feed.names}
    return [feed for feed in feeds if names.isdisjoint(feed.names)]


def _open_state(side: Side, state: State, feed: Feed, output: _Names) -> OpenState:
    return OpenState(state, Feed(state.reader, feed.names, side.graph.nodes[state.reader].outputs[0].type), output)


def _consists_of(name: str, inputs: _Names, outputs: _Names) -> bool:
    """Return whether a state has the name that converters give it: that of an input, then that of an output."""
    return any(name == one + two for one, two in product(inputs, outputs))
