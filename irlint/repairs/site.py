"""A node under repair: what proposals look at, and how its format writes a change."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from irlint.graph import Shape
from irlint.operators import Attribute, Operator, bounds
from irlint.records import NamedTuple
from irlint.text.base import Edit

Edits = tuple[Edit, ...]
Value = tuple[Any, int]  # what an attribute may have been, and how likely that is


class Kind(NamedTuple):
    """What an attribute holds. `item` is "bool", "int", "float", "word" (one of some), "choice" (a number of which evidence tells) or ""
    (anything).
    """

    item: str
    is_list: bool = False


class Output(NamedTuple):
    """What an input may read. `key` is what the format writes for it."""

    key: Any
    shown: str
    name: str = ""
    is_read: bool = False
    is_weight: bool = False  # of a call that names its weights: rarely another's


def akin(own: Shape | None, others: Iterable[tuple[Shape | None, Any]]) -> list[Any]:
    """Return the nodes whose shape has the same number of axes as one's own; all of them if there are none."""
    listed = [(None if shape is None else len(shape), other) for shape, other in others]
    rank = None if own is None else len(own)
    return [other for theirs, other in listed if theirs == rank] or [other for _, other in listed]


class Site(ABC):
    """A node. Methods that write return no edits where a change cannot be written."""

    counted_from = 0  # the number of the first input in titles
    adding = "Add `{0}` with `{1}`"  # the title of an attribute that was missing
    replacing = "Replace with `{0}`"  # the title of another operator
    short_names: Mapping[str, str] = {}  # of operators, by which nodes are called

    op: str
    name: str
    outputs: Sequence[str] = ()  # their names, in formats that name them

    # the node as written

    @property
    @abstractmethod
    def operator(self) -> Operator | None:
        """Return what the table says of the node's operator."""

    @property
    @abstractmethod
    def attributes(self) -> Mapping[str, Any]:
        """Return the attributes as the file spells them, but for those that are not the operator's."""

    @property
    @abstractmethod
    def inputs(self) -> Sequence[Any]:
        """Return the keys of what the node reads."""

    @abstractmethod
    def sources(self, k: int) -> Iterable[Output]:
        """Return what the input may read, the nearest first. An input after the last is a new one."""

    @property
    def undefined(self) -> Sequence[str]:
        """Return the names that something reads and nothing defines."""
        return ()

    def is_misnamed(self, name: str, wanted: str) -> bool:
        """Return whether an unused input of the model has a wrong name, and the undefined name that nodes use is right."""
        return False

    def siblings(self) -> Iterator[Mapping[str, Any]]:
        """Yield the attributes of other nodes of the operator: if there are any, only of those with inputs of the same rank."""
        yield from ()

    def shape(self, k: int) -> Shape | None:
        """Return the shape of an input, as far as it is known."""
        return None

    @property
    def is_known(self) -> bool:
        """Return whether the format has the node's operator, though perhaps not in the version of the file."""
        return self.operator is not None

    def operators(self) -> Iterable[tuple[str, Operator]]:
        """Yield the operators that the node may be of, each by one name."""
        return ()

    def bounds(self) -> tuple[int, int | None]:
        """Return how many inputs the operator takes, at least and at most (None: any number)."""
        return (0, None) if self.operator is None else bounds(self.operator.inputs)

    # values

    @abstractmethod
    def kind(self, record: Attribute | None, old: Any) -> Kind | None:
        """Return what an attribute holds, by its record and by what is written; None if other values cannot be known."""

    def read(self, old: Any) -> Any:
        """Return a written value as Python's."""
        return tuple(old) if isinstance(old, list) else old

    def spelled(self, value: Any, record: Attribute | None, old: Any) -> Any:
        """Return a value as the file spells it."""
        return list(value) if isinstance(value, tuple) else value

    def evidence(self, name: str, record: Attribute | None, old: Any) -> Iterator[Value]:
        """Yield what the rest of the file says of an attribute, as Python's values."""
        yield from ()

    def per_axis(self, name: str) -> int:
        """Return how many numbers of a list are for each axis; 0 if it has none for each."""
        return 0

    def is_unchecked(self, record: Attribute | None, kind: Kind) -> bool:
        """Return whether no shape, count or type depends on a value, so that none of them shows which was meant."""
        return record is None or kind.item in ("float", "")

    def is_lost(self, name: str, record: Attribute | None) -> bool:
        """Return whether nothing shows that a node does without an attribute that it has."""
        kind = self.kind(record, self.attributes[name])
        return record is None or (kind is not None and self.is_unchecked(record, kind))

    def may_be_added(self, record: Attribute) -> bool:
        return record.required

    def may_be_removed(self, name: str) -> bool:
        """Return whether an attribute may be superfluous, so that its default counts."""
        return True

    # writing

    def with_attribute(self, name: str, value: Any) -> Edits:
        return ()

    def without_attribute(self, name: str) -> Edits:
        return ()

    def with_operator(self, name: str) -> Edits:
        return ()

    def with_input(self, k: int, key: Any) -> Edits:
        return ()

    def with_inputs(self, keys: Sequence[Any]) -> Edits:
        """Return the edits after which the node reads other values, of another number perhaps."""
        return ()

    def without_input(self, k: int) -> Edits:
        return self.with_inputs([*self.inputs[:k], *self.inputs[k + 1 :]])

    def with_output(self, k: int, name: str) -> Edits:
        return ()

    def with_outputs(self, names: Sequence[str]) -> Edits:
        return ()

    def renamed_duplicates(self, name: str) -> Iterator[tuple[str, Edits]]:
        """Yield the names that are defined twice, each with the edits that give such an output another name."""
        yield from ()
