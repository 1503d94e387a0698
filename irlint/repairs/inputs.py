"""Other inputs for a node, missing ones, superfluous ones; other names for its outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import combinations, islice

from irlint.findings import EVIDENT, Candidate
from irlint.operators import bounds
from irlint.repairs.site import Output, Site
from irlint.tools.names import are_siblings, is_typo

_NEAR = 8  # names that resemble one
_UNREAD = 12  # unused values, the nearest first
_OTHERS = 16  # further values
_PAIRS = 10  # of inputs that are exchanged
_TURNED = 3  # inputs that are put into another order
_PLACES = 6  # inputs of which each may be wrong, if it is not known which
_LIKE = 0.7
_MANY = 8  # inputs: more are a list in which none is missing by its place


def input_candidates(site: Site, at: int | None = None) -> Iterator[Candidate]:
    """Yield other inputs for a node; `at` is the one that an error is at."""
    keys = site.inputs
    least, most = site.bounds()
    if most is not None and len(keys) > most:
        yield Candidate(f"Remove inputs {_after(most)}", site.with_inputs(keys[:most]), 0, True)
    places = _places(keys, at)
    for k in places:
        for output, likelihood in ranked(site, k):
            if output.key != keys[k]:
                title = f"Replace input {k + site.counted_from} with {output.shown}"
                yield Candidate(title, site.with_input(k, output.key), likelihood)
        if keys[k] in site.undefined:
            for name, edits in site.renamed_duplicates(keys[k]):
                yield Candidate(f"Rename output {name!r} to {keys[k]!r}", edits, _of_duplicate(site))
    yield from _exchanged(site, places if at is not None else range(len(keys)))
    yield from _missing(site, least, most)
    yield from _left_out(site, places, least)


def _places(keys: Sequence[object], at: int | None) -> Sequence[int]:
    """Return the inputs that may be wrong: the reported one, and those that are equal to it."""
    if at is None or at >= len(keys):
        return range(min(len(keys), _PLACES))
    return [at, *[k for k, key in enumerate(keys) if k != at and key == keys[at]][:_PLACES]]


def ranked(site: Site, k: int) -> Iterator[tuple[Output, int]]:
    """Yield what an input may have been, each with how likely that is; no weights of other nodes."""
    keys = site.inputs
    operator, old = site.operator, str(keys[k]) if k < len(keys) else ""
    role = operator.inputs[k].name if operator is not None and k < len(operator.inputs) else ""
    sources = [*site.sources(k)]
    names = {output.name: output for output in reversed(sources) if output.name}
    is_known = k < len(keys) and any(output.key == keys[k] for output in sources)
    named = names.get(f"{site.name}_{role}") if role else None
    alike = [
        names[name]
        for name in (get_close_matches(old, list(names), _NEAR, _LIKE) if old and not is_known else ())
        if names[name].key not in keys and not (names[name].is_weight and are_siblings(old, name))
    ]
    unread = [output for output in sources if not output.is_read][:_UNREAD]
    found = dict.fromkeys((*((named,) if named is not None else ()), *alike, *unread))
    for output in found:
        is_like = output == named or output in alike
        likelihood = (not is_like) + 2 * (output.is_read and output != named) + is_known * (output != named)
        yield output, _evidence(site, likelihood, output, named, old, unread)
    others = (output for output in sources if output not in found and (is_known or not output.is_weight))
    yield from ((output, 3) for output in islice(others, _OTHERS))


def _evidence(site: Site, usual: int, output: Output, named: Output | None, old: str, unread: Sequence[Output]) -> int:
    """Return how likely a value is; an unread one that resembles another is evident, unless others are unused, too, as
    where a node is lost, or it is the one whose name is wrong."""
    if usual or site.is_misnamed(output.name, old):
        return usual
    is_alone = all(other == output or other.is_weight for other in unread)
    return EVIDENT if output == named or (is_alone and is_typo(old, output.name)) else 0


def _exchanged(site: Site, places: Sequence[int]) -> Iterator[Candidate]:
    keys = site.inputs
    pairs = (pair for pair in combinations(range(len(keys)), 2) if pair[0] in places or pair[1] in places)
    for a, b in islice(pairs, _PAIRS):
        if keys[a] != keys[b]:
            swapped = [keys[b] if k == a else keys[a] if k == b else key for k, key in enumerate(keys)]
            title = f"Swap inputs {a + site.counted_from} and {b + site.counted_from}"
            yield Candidate(title, site.with_inputs(swapped), 2)
    if len(keys) == _TURNED and all(a != b for a, b in combinations(keys, 2)):
        yield Candidate("Put the last input first", site.with_inputs([*keys[-1:], *keys[:-1]]), 2)
        yield Candidate("Put the first input last", site.with_inputs([*keys[1:], *keys[:1]]), 2)


def _missing(site: Site, least: int, most: int | None) -> Iterator[Candidate]:
    """Yield the node with one more input: at the places of values named for it, else the nearest unused one."""
    keys = site.inputs
    if site.operator is None or len(keys) > _MANY or (most is not None and len(keys) >= most):
        return
    is_needed = len(keys) < least
    for k in range(len(keys), -1, -1):
        for n, (output, likelihood) in enumerate(ranked(site, k)):
            if n and likelihood > EVIDENT and not (is_needed and k == len(keys)):
                break  # without evidence, only the nearest
            new = [*keys[:k], output.key, *keys[k:]]
            title = f"Insert {output.shown} as input {k + site.counted_from}"
            yield Candidate(title, site.with_inputs(new), likelihood + 3 * (not is_needed))


def _left_out(site: Site, places: Sequence[int], least: int) -> Iterator[Candidate]:
    keys = site.inputs
    for k in places if len(keys) > 1 else ():
        is_twice = keys[k] in keys[:k]
        if is_twice or len(keys) > least:
            title = f"Remove input {k + site.counted_from}"
            yield Candidate(title, site.without_input(k), 1 if is_twice else 4, not is_twice)


def _after(most: int) -> str:
    return "after the first" if most == 1 else f"after the first {most}"


def output_candidates(site: Site) -> Iterator[Candidate]:
    """Yield other names for the outputs of a node: those that something reads and nothing defines. What is too many is left out."""
    most = None if site.operator is None else bounds(site.operator.outputs)[1]
    if most is not None and len(site.outputs) > most:
        yield Candidate(f"Remove outputs {_after(most)}", site.with_outputs(site.outputs[:most]), 0)
    if site.outputs and not site.outputs[0] and most:
        for other in site.undefined[:_NEAR]:
            yield Candidate(f"Name the output {other!r}", site.with_outputs([other, *site.outputs[1:]]), 0)
    wanted = [name for name in site.undefined if name not in site.outputs]
    twice = {name for name, _ in site.renamed_duplicates("")} if wanted else set()
    for k, name in enumerate(site.outputs):
        for other, usual in _alike(name, wanted):
            likelihood = _of_duplicate(site) if name in twice else usual
            yield Candidate(f"Rename output {k} to {other!r}", site.with_output(k, other), likelihood, renames=True)


def _alike(name: str, wanted: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield undefined names, each with how likely an output of this name was meant to have it."""
    alike = get_close_matches(name, wanted, _NEAR, _LIKE) if name else []
    yield from ((other, 1 + (other not in alike)) for other in dict.fromkeys((*alike, *wanted[:_NEAR])))


def _of_duplicate(site: Site) -> int:
    """Return how likely it is that one of two definitions of a name was meant to define one that is undefined."""
    return EVIDENT if len(site.undefined) == 1 else 1
