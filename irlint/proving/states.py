"""States of one model that are inputs and outputs of the other: both are run as if they were inputs and outputs of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    own, outputs, found = _names(side.feeds()), other.output_names(), []
    left = [feed for feed in other.feeds() if own.isdisjoint(feed.names)]
    for feed in left:
        pairs = product(states, outputs)
        known = next(((one, names) for one, names in pairs if _consists_of(one.name, feed.names, names)), None)
        if known is not None:
            found.append(_open_state(side, known[0], feed, known[1]))
    named = _names(one.feed for one in found)
    left = [feed for feed in left if named.isdisjoint(feed.names)]
    spare = [feed for feed in side.feeds() if _names(other.feeds()).isdisjoint(feed.names)]
    alone = [names for names in outputs if not any(set(names) & set(one) for one in side.output_names())]
    if not spare and not found and len(left) == len(alone) == len(states) == 1:
        return [_open_state(side, states[0], left[0], alone[0])]
    if len(left) > len(spare):
        own_letter, its = letters
        raise Incomparable(
            f"{own_letter} has states, and none of them has the name of input {left[0].names[0]!r} of {its}", True
        )
    return found


def _names(feeds: Iterable[Feed]) -> set[str]:
    return {name for feed in feeds for name in feed.names}


def _open_state(side: Side, state: State, feed: Feed, output: _Names) -> OpenState:
    return OpenState(state, Feed(state.reader, feed.names, side.graph.nodes[state.reader].outputs[0].type), output)


def _consists_of(name: str, inputs: _Names, outputs: _Names) -> bool:
    """Return whether a state has the name that converters give it: that of an input, then that of an output."""
    return any(name == one + two for one, two in product(inputs, outputs))
