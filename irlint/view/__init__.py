"""A model as a picture: boxes in boxes, with edges between them. A box is a node, or a group that can be opened and closed; a
scene is all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from irlint.formats.remarks import SourceModule
from irlint.graph import Graph, Node
from irlint.records import NamedTuple, dataclass, field

Kind = Literal["node", "input", "output", "group", "repeat", "body"]
Histogram = tuple[str, Sequence[int], float, float]  # name, counts, least and greatest value
Part = tuple[str, str, str]  # that a search finds: weight, tensor, attribute or module; its name; its value or shape
SavedArray = tuple[
    str, str, str, str
]  # a weight, its file, the element type of that if it is another, base64 of the file or ""
Section = tuple[str, list[tuple[str, str]]]  # of the side panel: title, rows

WAYPOINT, ENTRY, EXIT = -1, -2, -3  # items of a layout that are not boxes


class Line(NamedTuple):
    """A line below the title: an attribute, a weight, or a value that comes from far away (with its number)."""

    kind: Literal["attr", "weight", "far"]
    text: str
    value: int = -1


@dataclass
class BoxValue:
    """What one output of a node carries."""

    box: Box
    label: str
    name: str
    type: str
    number: int = -1


@dataclass
class BoxLayout:
    """The inside of an open group: rows of items, and edges as chains of items through consecutive rows."""

    items: list[int] = field(default_factory=list)  # position among the group's boxes, or WAYPOINT, ENTRY, EXIT
    values: list[int] = field(default_factory=list)  # the value that an ENTRY or EXIT carries, else -1
    rows: list[list[int]] = field(default_factory=list)
    edges: list[tuple[int, list[int]]] = field(default_factory=list)


class Box:
    """`graph` and `node` are those of the model; a group has neither, but `boxes`."""

    __slots__ = (
        *(
            "arrays",
            "badge",
            "boxes",
            "category",
            "count",
            "details",
            "find",
            "full",
            "graph",
            "height",
            "histograms",
            "id",
            "kind",
            "layout",
            "modules",
        ),
        *("line", "lines", "name", "node", "open", "parent", "status", "title", "width"),
    )

    def __init__(self, kind: Kind, title: str, name: str = "", category: str = "group") -> None:
        self.kind: Kind = kind
        self.title, self.name, self.category = title, name, category
        self.full = ""  # the name, where `name` or, of a group, the title is only a part of it
        self.modules: Sequence[SourceModule] | None = None  # that it comes from, where the file says so
        self.lines: list[Line] = []
        self.parent: Box | None = None
        self.boxes: list[Box] = []
        self.id = -1
        self.width = self.height = 0.0
        self.line, self.count = 0, 0
        self.badge = ""  # the worst severity of the findings in it
        self.status = "same"
        self.open = False
        self.details: list[Section] = []
        self.find: list[Part] = []
        self.histograms: list[Histogram] = []
        self.arrays: list[SavedArray] = []
        self.layout: BoxLayout | None = None
        self.graph: Graph | None = None
        self.node: Node | None = None

    @property
    def is_group(self) -> bool:
        """Return whether it only holds other boxes; a loop with its body is a node."""
        return self.node is None and bool(self.boxes)

    @property
    def nodes(self) -> int:
        """Return how many nodes are in it."""
        return sum(1 for each in self.walk() if not each.boxes)

    def adopt(self, boxes: Sequence[Box]) -> None:
        """Make these the boxes of this group."""
        self.boxes = list(boxes)
        for box in boxes:
            box.parent = self

    def around(self) -> Iterator[Box]:
        """Yield the boxes that hold this one, innermost first."""
        box = self.parent
        while box is not None:
            yield box
            box = box.parent

    def walk(self) -> Iterator[Box]:
        """Yield this box and all in it, outermost first."""
        stack = [self]
        while stack:
            box = stack.pop()
            yield box
            stack.extend(reversed(box.boxes))

    def panel(self) -> dict[str, Any]:
        """Return what the side panel says of it."""
        more = {"histograms": self.histograms, "arrays": self.arrays}
        return {"details": self.details, **{key: value for key, value in more.items() if value}}

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "kind": self.kind,
            "title": self.title,
            "name": self.name,
            "lines": self.lines,
            "parent": -1 if self.parent is None else self.parent.id,
            "width": self.width,
            "height": self.height,
            "category": self.category,
            "line": self.line,
            "status": self.status,
            "badge": self.badge,
            "count": self.count,
            "open": self.open,
            **self.panel(),
        }
        if self.full:
            found["full"] = self.full
        if self.find:
            found["find"] = self.find
        if self.layout is not None:
            found["items"] = [self.boxes[item].id if item >= 0 else item for item in self.layout.items]
            found["values_of"] = self.layout.values
            found["rows"] = self.layout.rows
            found["edges"] = self.layout.edges
        return found


class Note(NamedTuple):
    """A finding, as the picture shows it."""

    code: str
    rule: str
    severity: str
    message: str
    line: int
    column: int
    box: int
    fix: str | None
    notes: list[str]


class Overlay(NamedTuple):
    """What another program says of nodes: values with colors by box, and how values without are colored."""

    name: str
    items: list[tuple[int, str | float | None, str | None, str | None]]  # box, value, background, letters
    thresholds: list[tuple[float, str | None, str | None]]
    gradient: list[tuple[float, str | None, str | None]]


@dataclass
class BoxScene:
    title: str
    about: list[tuple[str, str]]
    root: Box
    boxes: list[Box]
    values: list[BoxValue]
    details: list[Section] = field(default_factory=list)  # of the model
    findings: list[Note] = field(default_factory=list)
    heat: dict[str, list[float | None]] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)  # of quantities: of how many nodes they are unknown
    overlays: list[Overlay] = field(default_factory=list)
    is_diff: bool = False

    def json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "about": self.about,
            "details": self.details,
            "boxes": [box.json() for box in self.boxes],
            "values": [{"box": v.box.id, "label": v.label, "name": v.name, "type": v.type} for v in self.values],
            "findings": [note._asdict() for note in self.findings],
            "heat": self.heat,
            "unknown": self.unknown,
            "overlays": [overlay._asdict() for overlay in self.overlays],
            "diff": self.is_diff,
        }
