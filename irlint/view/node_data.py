"""Node data of Model Explorer: findings and quantities written for it, and what others have written shown as an overlay."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from irlint.formats import by_name
from irlint.formats.remarks import Remarks, ViewerId
from irlint.rules.base import Model
from irlint.text.safe import visible
from irlint.text.words import count, size
from irlint.view import Box, BoxScene, Overlay
from irlint.view.svg import BADGES
from irlint.view.texts import cut

GRADIENT = [{"stop": 0, "bgColor": "#fffaf0"}, {"stop": 1, "bgColor": "#f06e1e"}]
_LABEL, _COLOR = 200, 60  # letters of a value, of a color
_MOST = 64  # graphs, and thresholds or stops of each
_UNITS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))

NodeData = dict[str, dict[str, Any]]  # by the graph


class OverlayError(ValueError):
    """A file that is not node data."""


def written(scene: BoxScene, model: Model) -> dict[str, NodeData]:
    """Return the sets of node data of a scene: under "" labels that say everything, then one for each quantity with its numbers."""
    badges: dict[int, Counter[str]] = {}
    for note in scene.findings:
        badges.setdefault(note.box, Counter())[note.severity] += 1
    sets: dict[str, NodeData] = {"": {}}
    strongest = next((name for name in ("time", "FLOPs") if name in scene.heat), "")
    most = _most(scene.heat.get(strongest, ()), scene)
    for box, own in _known(scene, _ids(model)):
        sets[""].setdefault(own.graph, {"results": {}})
        numbers = {name: value for name, column in scene.heat.items() if (value := column[box.id]) is not None}
        if label := _label(badges.get(box.id, Counter()), numbers, _heat(numbers.get(strongest), most)):
            _put(sets[""], own, label)
        for name, value in numbers.items():
            _put(sets.setdefault(name, {}), own, {"value": value}, GRADIENT)
    return sets


def _label(said: Counter[str], numbers: Mapping[str, float], heat: str) -> dict[str, str]:
    """Return the words about a node, with the color of its worst finding, else of its heat; nothing if there are no words."""
    found = [severity for severity in BADGES if said[severity]]
    words = [count(said[severity], severity, severity if severity == "info" else "") for severity in found]
    words += [_quantity(name, value) for name, value in numbers.items() if value]
    color = BADGES[found[0]] if found else heat
    return {"value": ", ".join(words), **({"bgColor": color} if color else {})} if words else {}


def _put(data: NodeData, own: ViewerId, result: dict[str, Any], gradient: object = None) -> None:
    more = {} if gradient is None else {"gradient": gradient}
    data.setdefault(own.graph, {"results": {}, **more})["results"][own.node] = result


def _quantity(name: str, value: float) -> str:
    if name == "time":
        return f"{value * 1e3:.3g} ms"
    if name == "bytes":
        return size(int(value))
    scale, unit = next(((scale, unit) for scale, unit in _UNITS if value >= scale), (1, ""))
    return f"{value / scale:.3g}{unit and f' {unit}'} {name}"


def _most(column: Sequence[float | None], scene: BoxScene) -> float:
    """Return the largest number of a box that holds no others."""
    return max((each or 0 for each, box in zip(column, scene.boxes, strict=False) if not box.boxes), default=0)


def _heat(value: float | None, most: float) -> str:
    """Return the color of a quantity, as the page shows it."""
    if value is None or most <= 0:
        return ""
    share = 0.0 if value <= 0 else min(1.0, max(0.0, 1 + math.log10(value / most) / 4))
    ends = [[int(stop["bgColor"][k : k + 2], 16) for k in (1, 3, 5)] for stop in GRADIENT]  # type: ignore[index]
    return "#" + "".join(f"{round(low + share * (high - low)):02x}" for low, high in zip(*ends, strict=True))


def _ids(model: Model) -> Mapping[tuple[int, int], ViewerId]:
    format_ = by_name(model.format)
    return (Remarks(model) if format_ is None else format_.remarks(model)).viewer_ids()


def _known(scene: BoxScene, ids: Mapping[tuple[int, int], ViewerId]) -> Iterator[tuple[Box, ViewerId]]:
    for box in scene.boxes:
        if box.node is not None and (own := ids.get((id(box.graph), box.node.index))) is not None:
            yield box, own


def read(data: bytes, title: str, scene: BoxScene, model: Model) -> tuple[list[Overlay], int]:
    """Return the overlays that node data mean for a scene, one for each graph, and how many entries name nothing in it."""
    graphs = _graphs(data)
    ids = _ids(model)
    nodes: dict[str, dict[str, int]] = {}
    for box, own in _known(scene, ids):
        names = [own.node, *(value.name or "" for value in (box.node.outputs if box.node else ()))]
        for name in filter(None, names):
            nodes.setdefault(own.graph, {}).setdefault(name, box.id)
    main = next(iter(ids.values())).graph if ids else ""
    found, unknown = [], 0
    for graph, each in islice(graphs.items(), _MOST):
        boxes = nodes.get(graph, nodes.get(main, {}))
        items = [(boxes[name], *_result(result)) for name, result in each["results"].items() if name in boxes]
        unknown += len(each["results"]) - len(items)
        name = each.get("name")
        shown = cut(name, 40) if isinstance(name, str) and name else title
        found.append(Overlay(shown, items, _steps(each, "thresholds", "value"), _steps(each, "gradient", "stop")))
    return found, unknown


def _graphs(data: bytes) -> dict[str, Any]:
    """Return node data by the graph that they are of; "" for those that do not say it."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise OverlayError("not valid JSON") from error
    graphs = {"": said} if _is_graph(said) else said
    if not isinstance(graphs, dict) or not graphs or not all(map(_is_graph, graphs.values())):
        raise OverlayError('not node data of Model Explorer: expected {"GRAPH": {"results": {"NODE": {"value": ...}}}}')
    return graphs


def _is_graph(said: Any) -> bool:
    return isinstance(said, dict) and isinstance(said.get("results"), dict)


def _result(result: Any) -> tuple[str | float | None, str | None, str | None]:
    """Return value, background and color of letters; the page judges whether these are colors."""
    if not isinstance(result, dict):
        return _value(result), None, None
    return _value(result.get("value")), _color(result.get("bgColor")), _color(result.get("textColor"))


def _value(value: Any) -> str | float | None:
    if value is None or (type(value) in (int, float) and abs(value) < 1e300):
        return value  # type: ignore[no-any-return]
    try:
        text = value if isinstance(value, str) else json.dumps(value)
    except RecursionError:
        text = "…"
    return visible(text[:_LABEL])


def _color(value: Any) -> str | None:
    return value if isinstance(value, str) and len(value) <= _COLOR else None


def _steps(data: Any, key: str, number: str) -> list[tuple[float, str | None, str | None]]:
    """Return thresholds, or the stops of a gradient: a number, background and color of letters."""
    steps = data.get(key)
    found = []
    for step in islice(steps if isinstance(steps, list) else (), _MOST):
        at = _value(step.get(number)) if isinstance(step, dict) else None
        if isinstance(at, int | float):
            found.append((at, _color(step.get("bgColor")), _color(step.get("textColor"))))
    return sorted(found, key=lambda each: each[0]) if key == "gradient" else found
