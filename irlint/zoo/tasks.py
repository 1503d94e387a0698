"""What workers are given: objects to lint, with their settings and the files next to them, in batches by size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from irlint.records import NamedTuple
from irlint.zoo.outcome import pack

if TYPE_CHECKING:
    from irlint.settings import Settings
    from irlint.zoo.outcome import ObjectOutcome

BATCH_BYTES = 32 << 20
BATCH_OBJECTS = 64
NEAR = 512  # files below a model's folder that travel with it; of more, those with a name like the model's
LIKE = 1024


class NearbyFiles(NamedTuple):
    """Sizes and ETags by the name below the model's folder. All names that begin with one of `known` are there."""

    files: Mapping[str, tuple[int, str | None]]
    known: tuple[str, ...]

    def knows(self, name: str) -> bool:
        """Return whether a file that is not in `files` does not exist."""
        return any(name.startswith(beginning) for beginning in self.known)


class ObjectTask(NamedTuple):
    """One object to lint. `root` is the number of its URL; `rules` names the rules and settings that hold for it."""

    root: int
    key: str
    size: int
    etag: str | None
    settings: Settings
    rules: str
    nearby: NearbyFiles


class Done(NamedTuple):
    """What became of a task. `body` is the packed outcome, `looked` what it depends on besides the object; None: it holds for this
    run only.
    """

    root: int
    rules: str
    key: str
    size: int
    etag: str | None
    is_model: bool
    is_read: bool
    body: bytes
    looked: list[Any] | None

    @classmethod
    def of(cls, root: int, rules: str, outcome: ObjectOutcome, looked: list[Any] | None) -> Done:
        one = outcome
        is_read = one.trouble is None and one.failure is None
        return cls(root, rules, one.key, one.size, one.etag, one.is_model, is_read, pack(one), looked)


Batch = Sequence[ObjectTask]


def batches(tasks: Iterable[ObjectTask]) -> Iterator[Batch]:
    """Return batches in order. None is held but the one that is being filled."""
    held: list[ObjectTask] = []
    size = 0
    for task in tasks:
        if held and (size + task.size > BATCH_BYTES or len(held) == BATCH_OBJECTS):
            yield tuple(held)
            held, size = [], 0
        held.append(task)
        size += task.size
    if held:
        yield tuple(held)
