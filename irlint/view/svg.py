"""The picture as SVG, with the groups that are open."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise

from irlint.view import ENTRY, EXIT, Box, BoxScene
from irlint.view.place import HEAD, Placed, place
from irlint.view.texts import LINE_HEIGHT, NAME_HEIGHT, TITLE_HEIGHT

FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
CATEGORIES = {  # title bars: background and letters, in light and in dark
    "conv": ("#9cc2ff", "#1d4f91"),
    "matrix": ("#b9aef7", "#4d3fa3"),
    "norm": ("#93d9ab", "#1f6b43"),
    "activation": ("#ffb495", "#8f3d1c"),
    "pool": ("#86d0d5", "#14646b"),
    "shape": ("#b9c2cc", "#4a5561"),
    "data": ("#dcc48f", "#6e5520"),
    "reduce": ("#e3a5d3", "#7d2a66"),
    "elementwise": ("#f2d46b", "#6b5510"),
    "control": ("#f79aa2", "#8c2f39"),
    "state": ("#b8977e", "#5c4433"),
    "text": ("#a6dbe0", "#1c5a70"),
    "quantize": ("#b4d98a", "#466314"),
    "input": ("#2f5d50", "#35705f"),
    "output": ("#5b3a62", "#6b4674"),
    "group": ("#d3dce8", "#5a6b86"),
    "other": ("#c9c9c9", "#555555"),
}
STATUS = {"added": "#1a7f37", "removed": "#cf222e", "changed": "#bf8700", "follows": "#54aeff"}
STATUS_NAMES = {"follows": "type changed as a consequence", "same": "unchanged"}
BADGES = {"error": "#cf222e", "warning": "#9a6700", "info": "#0969da"}
_MARGIN = 20.0
_ROW = 18.0  # of the legend of changes

Point = tuple[float, float]


def svg(scene: BoxScene) -> str:
    """Return the picture; it follows the reader's choice of light or dark."""
    placed = place(scene.root)
    inside = placed[scene.root.id]
    below = inside.height - HEAD + 2 * _MARGIN
    legend = list(_legend(scene, below))
    width = _n(max(inside.width, 220 if legend else 0) + 2 * _MARGIN)
    height = _n(below + (len(legend) * _ROW + _MARGIN if legend else 0))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{escape(scene.title)}</title>",
        f"<style>{_style()}</style>",
        f'<rect class="page" width="{width}" height="{height}"/>',
        *_group(scene, scene.root, placed, _MARGIN, _MARGIN - HEAD),
        *legend,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _style() -> str:
    light = "".join(
        f".{name} .bar{{fill:{pale}}}.{name} .title{{fill:{'#fff' if name in ('input', 'output') else '#1c2128'}}}"
        for name, (pale, _) in CATEGORIES.items()
    )
    dark = "".join(f".{name} .bar{{fill:{deep}}}.{name} .title{{fill:#fff}}" for name, (_, deep) in CATEGORIES.items())
    status = "".join(f".{name} .box{{stroke:{color};stroke-width:2.5}}" for name, color in STATUS.items())
    return (
        f"text{{font-family:{FONT};font-size:11px;white-space:pre;fill:#3d4650}}.title{{font-size:12px;font-weight:600}}"
        ".page{fill:#fff}.box{fill:#fff;stroke:#8b949e}.frame{fill:#8b949e14;stroke:#8b949e80}.edge{fill:none;stroke:#77818c}"
        ".halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}"
        f".label{{fill:#57606a}}.far{{font-style:italic}}{light}{status}.removed .box{{stroke-dasharray:6 3}}"
        "@media(prefers-color-scheme:dark){text{fill:#c6ced6}.page{fill:#14181d}.box{fill:#1d232a;stroke:#68727d}"
        f".edge{{stroke:#8b949e}}.label{{fill:#9aa4ae}}.halo{{stroke:#14181d}}{dark}}}"
    )


def _legend(scene: BoxScene, top: float) -> Iterator[str]:
    """Yield what the frames of boxes mean, of those that the picture of two models has."""
    found = {box.status for box in scene.boxes[1:]} if scene.is_diff else set()
    for row, name in enumerate(name for name in (*STATUS, "same") if name in found):
        y = top + row * _ROW
        yield (
            f'<g class="{name}"><rect class="box" x="{_n(_MARGIN)}" y="{_n(y)}" width="14" height="12" rx="2"/>'
            f'<text x="{_n(_MARGIN + _ROW + 4)}" y="{_n(y + 10)}">{STATUS_NAMES.get(name, name)}</text></g>'
        )


def _group(scene: BoxScene, group: Box, placed: dict[int, Placed], left: float, top: float) -> Iterator[str]:
    """Yield the inside of an open group whose corner is given: edges first, boxes over them."""
    layout, inside = group.layout, placed[group.id]
    assert layout is not None
    courses = [(value, chain, _points(group, placed, value, chain, left, top)) for value, chain in layout.edges]
    for _, chain, points in courses:
        yield f'<path class="edge" d="{_path(points)}"/>'
        arrives = layout.items[chain[-1]] >= 0
        if arrives and group.boxes[layout.items[chain[-1]]].id not in placed:
            x, y = points[-1]
            yield f'<path class="tip" fill="#77818c" d="M{_n(x)} {_n(y)}l-3.5 -7h7z"/>'
    yield from _labels(scene, group, placed, courses)
    for number, item in enumerate(layout.items):
        if item >= 0:
            box = group.boxes[item]
            size = placed.get(box.id, box)
            yield from _box(scene, box, placed, left + inside.x[number] - size.width / 2, top + inside.y[number])


def _labels(
    scene: BoxScene, group: Box, placed: dict[int, Placed], courses: list[tuple[int, list[int], list[Point]]]
) -> Iterator[str]:
    """Yield a label below each box that is not open: at its right, unless only there a line bends away."""
    layout = group.layout
    assert layout is not None
    first: dict[int, tuple[int, Point]] = {}
    leans: set[tuple[int, bool]] = set()
    for value, chain, points in courses:
        source = layout.items[chain[0]]
        if source < 0 or group.boxes[source].id in placed:
            continue
        first.setdefault(source, (value, points[0]))
        across = points[min(2, len(points) - 1)][0] - points[0][0]
        if abs(across) > 0.5:
            leans.add((source, across > 0))
    for source, (value, (x, y)) in first.items():
        at_right = (source, False) in leans or (source, True) not in leans
        below = 17 if group.boxes[source].boxes else 13
        place_ = f'x="{_n(x + 6)}"' if at_right else f'x="{_n(x - 6)}" text-anchor="end"'
        yield f'<text class="label halo" {place_} y="{_n(y + below)}">{escape(scene.values[value].label)}</text>'


def _points(
    group: Box, placed: dict[int, Placed], value: int, chain: list[int], left: float, top: float
) -> list[Point]:
    """Return where an edge passes, a point at the top and one at the bottom of each row; it goes to the entry of an open
    group, else to the middle of a box.
    """
    layout, inside = group.layout, placed[group.id]
    assert layout is not None
    found = []
    for number, item in enumerate(chain):
        x, y, low = left + inside.x[item], top + inside.y[item], top + inside.low[item]
        kind = layout.items[item]
        if kind >= 0:
            box = group.boxes[kind]
            size = placed.get(box.id, box)
            if box.id in placed:
                x += _port(box, placed[box.id], value, EXIT if number == 0 else ENTRY) - size.width / 2
            found += [(x, y + size.height), (x, low)] if number == 0 else [(x, y)]
        elif kind == ENTRY:
            found.append((x, top))
        elif kind == EXIT:
            found += [(x, y), (x, top + inside.height)]
        else:
            found += [(x, y), (x, low)]
    return found


def _port(box: Box, inside: Placed, value: int, kind: int) -> float:
    layout = box.layout
    assert layout is not None
    for number in range(len(layout.items) - 1, len(box.boxes) - 1, -1):
        if layout.items[number] == kind and layout.values[number] == value:
            return inside.x[number]
    return inside.width / 2


def _path(points: list[Point]) -> str:
    found = f"M{_n(points[0][0])} {_n(points[0][1])}"
    for (x0, y0), (x1, y1) in pairwise(points):
        bend = (y1 - y0) / 2
        if abs(x1 - x0) < 0.5:
            found += f"L{_n(x1)} {_n(y1)}"
        else:
            found += f"C{_n(x0)} {_n(y0 + bend)} {_n(x1)} {_n(y1 - bend)} {_n(x1)} {_n(y1)}"
    return found


def _box(scene: BoxScene, box: Box, placed: dict[int, Placed], x: float, y: float) -> Iterator[str]:
    inside = placed.get(box.id)
    width, height = (box.width, box.height) if inside is None else inside[:2]
    yield f'<g class="{box.category} {box.status}">'
    if inside is not None:
        yield f'<rect class="box frame" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="6"/>'
        yield "</g>"
        yield from _group(scene, box, placed, x, y)
        yield f'<g><text class="label halo" x="{_n(x + 10)}" y="{_n(y + 16)}">{escape(box.title)}</text>'
    else:
        yield from _closed(box, x, y)
    if box.badge and inside is None:
        yield f'<circle cx="{_n(x + width)}" cy="{_n(y)}" r="8" fill="{BADGES[box.badge]}"/>'
        yield f'<text x="{_n(x + width)}" y="{_n(y + 4)}" text-anchor="middle" style="fill:#fff">{box.count}</text>'
    yield "</g>"


def _closed(box: Box, x: float, y: float) -> Iterator[str]:
    width, height = box.width, box.height
    if box.boxes:
        yield f'<rect class="box" x="{_n(x + 4)}" y="{_n(y + 4)}" width="{_n(width)}" height="{_n(height)}" rx="5"/>'
    yield f'<rect class="box" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="5"/>'
    yield f'<path class="bar" d="M{_n(x + 0.5)} {_n(y + TITLE_HEIGHT)}v-14.5a5 5 0 0 1 5 -5h{_n(width - 11)}a5 5 0 0 1 5 5v14.5z"/>'
    yield f'<text class="title" x="{_n(x + 8)}" y="{_n(y + 14)}">{escape(box.title)}</text>'
    at = y + TITLE_HEIGHT
    if box.name:
        at += NAME_HEIGHT
        yield f'<text x="{_n(x + 8)}" y="{_n(at - 4)}">{escape(box.name)}</text>'
    for line in box.lines:
        at += LINE_HEIGHT
        yield f'<text class="label {line.kind}" x="{_n(x + 8)}" y="{_n(at - 4)}">{escape(line.text)}</text>'


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
