"""What several kinds of companions claim of models: the size of a dimension, the number of layers, the versions in a folder."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from irlint.codes import R, RuleRow
from irlint.companions.demands import Item
from irlint.companions.ports import PortList, Ports, ServedPort
from irlint.companions.report import OFFERED, Report
from irlint.dryrun.dims import show
from irlint.findings import Severity
from irlint.text.base import Path

_SHOWN = 8  # versions
STATE = re.compile(r"past_(?!key|value)[a-z_]+\.(\d+)?")  # of a layer without a cache of keys
# What configurations of Hugging Face call the number of layers; the first ones are those of a decoder
LAYERS = ("decoder_layers", "num_decoder_layers", "num_hidden_layers", "n_layer", "num_layers")


def describe(at: Path, side: str, port: ServedPort, file: str, known: Iterable[str], report: Report) -> str:
    """Keep for editors the type of an input or output that a file names, and the names that could be there. Return what to call it."""
    of, names = f"{side} {port.name!r} of {file}", [f'"{each}"' for each in islice(known, OFFERED)]
    report.hint(at, f"{of} is {port.type.dtype or '?'} {show(port.type.shape)}", names)
    return of


def claim_size(
    at: Path,
    of: str,
    said: Any,
    port: ServedPort,
    axis: int,
    report: Report,
    rule: RuleRow = R.other_shape,
    can_write: bool = True,
    severity: Severity | None = None,
) -> None:
    """Report a size that is not that of a dimension of an input or output, which `of` names."""
    shape = port.type.shape
    real = shape[axis] if shape is not None and axis < len(shape) else None
    if isinstance(said, int) and isinstance(real, int):
        to, here = str(real) if can_write else None, ("declared here", port.at)
        report.claim(rule, at, f"{of} is {show(shape)}: dimension {axis}", said, real, to, here, severity)


def claim_layers(at: Path, said: Any, layers: Sequence[ServedPort], file: str, report: Report) -> None:
    """Report a number of layers that is not that of the caches of a model, each of one layer."""
    of, real, here = f"the number of layers of {file}", len(layers), ("declared here", layers[0].at)
    report.claim(R.other_value, at, of, said, real, str(real), here, Severity.WARNING)


def claim_caches(
    at: Path, tree: Mapping[str, Any], axes: Mapping[str, int], caches: PortList, file: str, report: Report
) -> None:
    """Report sizes of an object at a path that are not those of the caches of keys of a model, unless these differ."""
    for key, axis in axes.items():
        sizes = {_size(tree.get(key), cache, axis) for cache in caches}
        if len(sizes) == 1 and None not in sizes:
            of, warning = f"{caches[0].name!r} of {file}", Severity.WARNING
            claim_size((*at, key), of, tree.get(key), caches[0], axis, report, R.other_value, severity=warning)


def _size(said: Any, cache: ServedPort, axis: int) -> Any:
    """Return a size of a cache; None if it is packed, or has what is said where other layouts have it."""
    shape, dtype = cache.type.shape or (), cache.type.dtype or "float"
    is_usual = axis < len(shape) and dtype.startswith(("float", "bfloat")) and said not in (shape[2], None)
    return shape[axis] if is_usual else None


def is_hybrid(model: Ports, layers: Collection[int]) -> bool:
    """Return whether only some layers have a cache of keys."""
    return {*layers} != {*range(len(layers))} or any(STATE.match(port.name) for port in (*model.inputs, *model.states))


def claim_flow(at: Path, given: ServedPort, giver: str, taken: ServedPort, taker: str, report: Report) -> bool:
    """Report what one file outputs unlike another one takes it. Return whether it does."""
    words = f"{giver} outputs {given.name!r} as {written_type(given)}, but {taker} takes {taken.name!r} as {written_type(taken)}"
    if is_other := differ(given, taken):
        report.say(R.other_shape, at, words, other=("declared here", taken.at), severity=Severity.WARNING)
    return is_other


def differ(one: ServedPort, other: ServedPort) -> bool:
    """Return whether what one file outputs is not what another one takes."""
    if one.type.dtype != other.type.dtype and one.type.dtype and other.type.dtype:
        return True
    if one.type.shape is None or other.type.shape is None:
        return False
    pairs = zip(one.type.shape, other.type.shape, strict=False)
    is_other = any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)
    return len(one.type.shape) != len(other.type.shape) or is_other


def written_type(port: ServedPort) -> str:
    return f"{port.type.dtype or '?'} {show(port.type.shape)}"


def check_versions(wanted: Iterable[Item], path: Path, versions: Sequence[str], report: Report) -> None:
    """Report versions that an object at a path wants and that its folder does not have."""
    more = ", ..." if len(versions) > _SHOWN else ""
    there = f"there {'are' if len(versions) > 1 else 'is'} {', '.join(versions[:_SHOWN])}{more}"
    for at in wanted if versions else ():
        if str(at.value) not in versions:
            report.say(R.missing_file, (*path, *at.path), f"missing version {at.value}; {there}")
