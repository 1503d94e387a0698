"""Names of tensors in genai_config.json: those of a part, of the models in a pipeline, and what flows from one of these to the next."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from irlint.companions.claims import describe
from irlint.companions.demands import Item, each
from irlint.companions.ports import PortList, Ports, ServedPort, find
from irlint.companions.report import Report
from irlint.findings import OtherPlace
from irlint.text.numbers import decimal

_PATTERNS = 32  # names with the number of a layer
# Inputs without which nothing runs; the runtime leaves others out
_NEEDED = ("input_ids", "past_key_names", "past_value_names")
FOUND = re.compile(r"[._](\d+)[._](?:conv|recurrent)_state$")  # that the runtime finds by its name
Defaults = Mapping[str, Mapping[str, str]]


def check_names(part: Item, model: Ports, file: str, defaults: Defaults, is_pipeline: bool, report: Report) -> None:
    """Compare the names of tensors; `%d` is the number of a layer. Inputs of a pipeline may come from its other models."""
    for side, known in (("inputs", model.inputs), ("outputs", model.outputs)):
        shown, given, unknown = _shown(known), set[str](), list[Item]()
        for at in _written(part, side):
            ports, path = meant(at.value, known), (*part.path, *at.path)
            given.update(port.name for port in ports)
            if ports:
                describe(path, side[:-1], ports[0], file, shown, report)
            elif side == "outputs" or (is_pipeline and _is_needed(at, known)):
                report.known(at.value, shown, path, file)
            else:
                unknown.append(at._replace(path=path))
        if side == "inputs" and (given or unknown) and not is_pipeline:
            left = PortList(port for port in known if port.name not in given and port.is_needed)
            _left_out(part, left, unknown, known, file, defaults, report)


def _shown(known: PortList) -> dict[str, ServedPort]:
    """Return the inputs or outputs by name, with `%d` for the number of a layer."""
    found: dict[str, ServedPort] = {}
    for port in known:
        found.setdefault(re.sub(r"(?<=[._])\d+(?=[._])", "%d", port.name), port)
    return found


def _is_needed(at: Item, known: PortList) -> bool:
    """Return whether nothing runs without an input: tokens, unless the model takes vectors instead, and caches."""
    is_replaced = at.path[-1] == "input_ids" and find(known, str(at.owner.get("embeddings", "inputs_embeds")))
    return at.path[-1] in _NEEDED and not is_replaced


def _left_out(
    part: Item,
    rest: PortList,
    unknown: Iterable[Item],
    known: PortList,
    file: str,
    defaults: Defaults,
    report: Report,
) -> None:
    """Report inputs that have no name in the file: where it has another one for what they usually are called by, or for what is like it."""
    is_among, usual = _among(managed(part, defaults)), _usual(part, defaults)
    left = {port.name: port.at for port in rest if not (is_among(port.name) or FOUND.search(port.name))}
    for at in unknown:
        name = usual.get(str(at.path[-1]), "")
        fitting = next((other for other in left if _is_like(name, other)), None)
        if fitting is not None or _is_needed(at, known):
            names = _shown(known) if fitting is None else (name,)
            report.known(at.value, names, at.path, file, left.get(fitting or ""))
            left = _others(left, report.found[-1].meant)
    report.complete((*part.path, "inputs"), left, (), f" of {file}")


def _others(left: dict[str, OtherPlace], name: str | None) -> dict[str, OtherPlace]:
    """Return the inputs that a name does not mean; none if that is not known."""
    return {} if name is None else {other: place for other, place in left.items() if not _is_like(name, other)}


def check_stage(stage: Item, model: Ports, report: Report) -> None:
    """Compare the lists of names of a pipeline's model, and names under which its outputs go on."""
    file = stage.value["filename"]
    for side, known in (("inputs", model.inputs), ("outputs", model.outputs)):
        for at in each(stage.value, f"{side}/*"):
            port, path = find(known, str(at.value)), (*stage.path, *at.path)
            if port is not None:
                describe(path, side[:-1], port, file, known.shown, report)
            elif isinstance(at.value, str):
                report.known(at.value, known.shown, path, file)
        given = [at.value for at in each(stage.value, f"{side}/*")]
        if side == "inputs" and given and all(name in known.named for name in given if isinstance(name, str)):
            left = {port.name: port.at for port in known if port.is_needed and not {*port.names} & {*map(str, given)}}
            report.complete((*stage.path, side), left, (), f" of {file}")
    for at in each(stage.value, "output_names_forwarder/*"):
        report.known(str(at.path[-1]), model.outputs.shown, (*stage.path, *at.path), file, part="key")


def check_wiring(part: Item, stages: Iterable[tuple[Item, Ports]], defaults: Defaults, report: Report) -> None:
    """Report inputs of a pipeline's models that neither the runtime nor another model writes."""
    known = dict[str, None]()
    for stage, _ in stages:
        for pattern in ("output_names_forwarder/*", "outputs/*"):
            known |= {str(at.value): None for at in each(stage.value, pattern)}
    is_among = _among([*known, *managed(part, defaults)])
    for stage, model in stages:
        for at in each(stage.value, "inputs/*"):
            if isinstance(at.value, str) and at.value in model.inputs.named and not is_among(at.value):
                report.known(at.value, known, (*stage.path, *at.path), "the pipeline")


def managed(part: Item, defaults: Defaults) -> list[str]:
    """Return the names of inputs that the runtime writes: those of a part, or usual ones where it does not say it."""
    written = {str(at.path[-1]): at.value for at in each(part.value, "inputs/*") if isinstance(at.value, str)}
    return list({**_usual(part, defaults), **written}.values())


def _usual(part: Item, defaults: Defaults) -> dict[str, str]:
    return {**defaults["any"], **defaults.get(str(part.path[-1]), {})}


def _among(names: Iterable[str]) -> Callable[[str], bool]:
    exact = set(names)
    patterns = [name for name in exact if "%d" in name][:_PATTERNS]
    return lambda name: name in exact or any(_is_like(pattern, name) for pattern in patterns)


def _written(part: Item, side: str) -> list[Item]:
    """Return the names of a file, of those with the number of a layer the first ones."""
    found = [at for at in each(part.value, f"{side}/*") if isinstance(at.value, str)]
    patterns = [at for at in found if "%d" in at.value][:_PATTERNS]
    return [*(at for at in found if "%d" not in at.value), *patterns]


def meant(name: str, known: PortList) -> list[ServedPort]:
    """Return the inputs or outputs that a name stands for."""
    if "%d" in name:
        return [port for port in known if fits(name, port)]
    port = find(known, name)
    return [] if port is None else [port]


def fits(pattern: str, port: ServedPort) -> bool:
    """Return whether a port has a name, in which the first `%d` is the number of a layer."""
    return any(_is_like(pattern, name) for name in port.names)


def layer_of(pattern: str, port: ServedPort) -> int | None:
    """Return the number in a name of a pattern."""
    head, _, tail = pattern.partition("%d")
    return decimal(port.name[len(head) : len(port.name) - len(tail)], 6)


def _is_like(pattern: str, name: str) -> bool:
    head, mark, tail = pattern.partition("%d")
    is_long = len(name) > len(head) + len(tail) and name.startswith(head) and name.endswith(tail)
    return name == pattern or (bool(mark) and is_long and name[len(head) : len(name) - len(tail)].isdecimal())
