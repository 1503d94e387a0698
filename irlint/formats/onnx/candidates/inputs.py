"""Other names for the inputs and outputs of a call."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import combinations, islice

from irlint.checks.operators import bounds
from irlint.findings import Candidate
from irlint.formats.onnx.candidates.site import Site
from irlint.text.base import Path
from irlint.tools.names import are_siblings

_NEAR = 8  # names that resemble one
_UNREAD = 12  # values, the nearest above, that no call reads
_OTHERS = 24  # further values above
_PAIRS = 10  # of inputs that are exchanged


def input_candidates(site: Site, rest: Path) -> Iterator[Candidate]:
    """Yield other inputs for a call; `rest` is the part of it that an error is at."""
    names: list[str] = site.tree.get("input", [])
    at = rest[1] if rest[:1] == ("input",) and len(rest) > 1 else None
    places = [at] if isinstance(at, int) and at < len(names) else list(range(len(names)))
    operator = site.operator
    least, most = bounds(operator.inputs) if operator is not None else (0, None)
    if most is not None and len(names) > most:
        yield site.candidate(f"Remove inputs after the first {most}", 0, ("input", names[:most]))
    visible = [name for name in site.visible() if name not in site.tree.get("output", ())]
    unread = [name for name in visible if not site.whole.read[name]][:_UNREAD]
    for k in places:
        for name, likelihood in _others(site, names, k, visible, unread):
            if name != names[k]:
                yield site.candidate(f"Replace input {k} with {name!r}", likelihood, ("input", k, name))
        if names[k] in site.whole.undefined:
            for path, output, other in site.whole.twice:
                edits = site.document.changed((*path, "output", output), names[k])
                yield Candidate(f"Rename output {other!r} to {names[k]!r}", edits, 1)
        if names[k] and operator is not None and k < len(operator.inputs) and operator.inputs[k].kind == "optional":
            shorter = [*names[:k], ""] if k + 1 == len(names) else [*names[:k], "", *names[k + 1 :]]
            yield site.candidate(f"Leave out input {k}", 6, ("input", shorter))
    if operator is not None and (most is None or len(names) < most):
        for n, name in enumerate(unread if len(names) >= least else [*unread, *visible[:_OTHERS]]):
            likelihood = 1 if n < len(unread) and len(names) < least else 4
            yield site.candidate(f"Add input {name!r}", likelihood, ("input", [*names, name]))
    for a, b in islice(combinations(range(len(names)), 2), _PAIRS):
        if names[a] and names[b] and names[a] != names[b]:
            swapped = [names[b] if k == a else names[a] if k == b else name for k, name in enumerate(names)]
            yield site.candidate(f"Swap inputs {a} and {b}", 2, ("input", swapped))


def _others(site: Site, names: list[str], k: int, visible: list[str], unread: list[str]) -> Iterator[tuple[str, int]]:
    """Yield what an input may have been; hardly what another input of the call is already, and no weights of other calls."""
    name, own = names[k], {*names}
    weights = {one.get("name", "") for one in site.document.tree.get("graph", {}).get("initializer", ())}
    free = [other for other in visible if other in unread or not (other in weights and are_siblings(name, other))]
    alike = get_close_matches(name, [other for other in free if other not in own], _NEAR, 0.75) if name else []
    is_known = name in visible
    for other in dict.fromkeys((*unread, *alike)):
        yield other, (other not in alike) + 2 * (other not in unread) + is_known
    for other in free[:_OTHERS]:
        if other not in unread and other not in alike and (is_known or other not in weights):
            yield other, 5


def output_candidates(site: Site) -> Iterator[Candidate]:
    """Yield other outputs for a call: names that are read and undefined; none for those that nobody reads."""
    names: list[str] = site.tree.get("output", [])
    operator = site.operator
    most = bounds(operator.outputs)[1] if operator is not None else None
    if most is not None and len(names) > most:
        yield site.candidate(f"Remove outputs after the first {most}", 0, ("output", names[:most]))
    for k, name in enumerate(names):
        wanted = [other for other in site.whole.undefined if other not in names]
        alike = get_close_matches(name, wanted, _NEAR, 0.75) if name else []
        for other in dict.fromkeys((*alike, *wanted[:_NEAR])):
            yield site.candidate(f"Rename output {k} to {other!r}", 1 + (other not in alike), ("output", k, other))
    if names and not names[0] and most:
        for other in site.whole.undefined[:_NEAR]:
            yield site.candidate(f"Name the output {other!r}", 0, ("output", [other, *names[1:]]))
