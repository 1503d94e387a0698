"""What is wrong with an operator, as data: a Fault says which part of it, and a Subject where the parts are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from irlint.codes import RuleRow, Severity
from irlint.findings import Fix, Safety
from irlint.graph import Graph, Node, label
from irlint.records import NamedTuple
from irlint.text.base import Document, Place

Repair = Callable[[Document], Fix | None]
NO_VALUE: Any = object()


class Fault(NamedTuple):
    """What is wrong with every operator that is written like this. The message is `message`, the operator, `rest`, `hint`.

    `part` is what Graph.place takes. `change` is what the fix does with the part: write `better` there, remove it, insert
    `better` (values by name, or text); a format may have changes of its own, which its Grammar knows.
    """

    rule: RuleRow
    part: str
    message: str
    rest: str | None = ""  # None: the message does not name the operator
    better: Any = NO_VALUE
    severity: Severity | None = None
    safety: Safety = "unsafe"
    change: str = "write"
    element: int | None = None  # which element of a list is wrong
    related: Sequence[tuple[str, str | Place]] = ()  # notes, each with a part
    fact: str = ""  # the fact of the operator table that does not hold
    at: Place | None = None  # where it is, if that is not where its part is
    inner: tuple[int, int] | None = None  # which characters of the part are wrong
    taken: str | None = None  # what the runtime uses instead of a value that it does not refuse
    meant: str | None = None  # the name that is suggested
    hint: str = ""  # the question whether it was meant

    @property
    def is_error(self) -> bool:
        return (self.rule.severity if self.severity is None else self.severity) == Severity.ERROR

    @property
    def name(self) -> str:
        """Return the attribute that the part belongs to."""
        return self.part.partition(":")[2]

    @property
    def has_fix(self) -> bool:
        return self.better is not NO_VALUE or self.change == "remove"


class Subject(NamedTuple):
    """One operator in a document: how messages call it, and where its parts are."""

    who: str
    name: str | None
    place: Callable[[str], Place]
    graph: Graph | None = None
    node: Node | None = None

    @classmethod
    def of(cls, graph: Graph, node: Node) -> Subject:
        return cls(label(node), node.name, lambda part: graph.place(node, part), graph, node)

    def find(self, fault: Fault) -> Place:
        at = fault.at or self.place(fault.part)
        if fault.inner is not None:
            return Place(at.path, at.part, fault.inner)
        return at if fault.element is None else Place((*at.path, fault.element))


def writing(at: Place, value: Any, title: str = "", safety: Safety = "unsafe") -> Repair:
    """Return a fix that writes another value."""
    return lambda document: Fix(title or f"Replace with {shown(value)}", document.write(at, value), safety)


def shown(value: Any) -> str:
    """Return a value as messages quote it."""
    return f"`{shortened(str(value).lower() if isinstance(value, bool) else value)}`"


def shortened(value: Any) -> str:
    """Return the text of a value, of a long one the beginning."""
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def asking(meant: Any) -> str:
    """Return the question whether a word of the format was meant."""
    return "" if meant is None else f"; did you mean `{meant}`?"


def asking_name(meant: str | None) -> str:
    """Return the question whether a name of the model was meant."""
    return "" if meant is None else f"; did you mean {meant!r}?"


Side = Literal["input", "output"]
