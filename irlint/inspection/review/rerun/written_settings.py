"""What two forms of a node have in attributes and small constants, as their files write them: formats have other names for one setting, and
one has as an input what another has as an attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from irlint.formats.base import all_formats
from irlint.graph import NOWHERE, Node, Source
from irlint.inspection.review.form import SETTINGS, FormGraph
from irlint.inspection.review.form_changes import Pairing, is_close
from irlint.records import NamedTuple
from irlint.text.floats import spelled

_SHOWN = 16  # numbers of a constant that a report shows
_LETTERS = re.compile(r"[^\w.,]|_")  # without them, a name or a value is the same in two formats


def written(pairing: Pairing, i: int, j: int) -> tuple[str, str]:
    """Return what two nodes have in attributes and small constants of one meaning or name that differ, as their files write it."""
    ours, theirs = (_settings(part, part.graph.nodes[k]) for part, k in ((pairing.a, i), (pairing.b, j)))
    both = sorted(ours.keys() & theirs.keys() - SETTINGS.keys())  # those are compared by themselves
    told = [key for key in both if not is_close(ours[key].value, theirs[key].value)]
    old, new = (_texts(one, told, [key for key in both if key not in told]) for one in (ours, theirs))
    return old, new


def _texts(settings: dict[str, _Setting], told: list[str], same: list[str]) -> str:
    known = {settings[key].word for key in same}  # an attribute of another name, or with the value in other words
    shown = (settings[key] for key in told if settings[key].word not in known)
    return ", ".join(dict.fromkeys(f"{one.word}={one.text}" for one in shown))


class _Setting(NamedTuple):
    word: str
    text: str
    value: Any


def _settings(part: FormGraph, node: Node) -> dict[str, _Setting]:
    """Return what a node has in attributes and small constants, by what formats call it and by what shape functions do."""
    model, mapping = part.form.model, part.form.mapping
    operator = all_formats()[model.format].navigation().operator(model, node)
    attrs = {} if operator is None else {key: one.default for key, one in operator.attributes.items()}
    found: dict[str, _Setting] = {}
    for key, value in (attrs | node.attrs).items():
        if isinstance(value, (str, int, float, list, tuple)):
            text = spelled(value)
            found[_LETTERS.sub("", key).lower()] = _Setting(key, text, _LETTERS.sub("", text).lower())
    call = None if mapping is None else mapping.sound_call(part.graph, node)
    for keyword, value in call.attrs.items() if call is not None else ():
        word = call.keys.get(keyword, keyword) if call is not None else keyword
        is_written = word in node.attrs  # otherwise the value is a default in the words of the shape function
        found[keyword] = _Setting(word if is_written else keyword, spelled(node.attrs.get(word, value)), value)
    return found | {key: _Setting(key, spelled(value), value) for key, value in _constants(part, node)}


def _constants(part: FormGraph, node: Node) -> Iterator[tuple[str, Any]]:
    """Yield the small constants that a node reads, each by the name that shape functions have for the operand."""
    mapping = part.form.mapping
    call = None if mapping is None else mapping.sound_call(part.graph, node)
    for place, k in enumerate(range(len(node.inputs)) if call is None or call.inputs is None else call.inputs):
        source = Source(*node.inputs[k]) if isinstance(k, int) and k < len(node.inputs) else NOWHERE
        known = None if source[0] < 0 or part.reduced.flows(source[0]) else part.lengths(source)
        if call is not None and known is not None and len(known[1]) <= _SHOWN:
            yield call.operator.input_name(place), known[1][0] if len(known[1]) == 1 else known[1]
