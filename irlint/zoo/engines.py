"""Engines: what has batches of objects linted somewhere. An engine is a function from batches to batches with their outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from irlint.tools.errors import UserError
from irlint.zoo.tasks import Batch, Done
from irlint.zoo.work import ZooWork

Engine = Callable[[Iterable[Batch]], Iterator[tuple[Batch, Sequence[Done]]]]


class EngineError(UserError):
    """Why an engine cannot be used, or no longer."""


def here(work: ZooWork) -> Engine:
    """Return the engine that lints in this process."""
    return lambda batches: ((batch, work(batch)) for batch in batches)


def in_pool(work: ZooWork, processes: int) -> Engine:
    """Return the engine of worker processes. They are spawned: obstore has threads, which a fork would be without."""
    from irlint.jobs.workers import in_workers

    return lambda batches: in_workers(batches, work, processes, "spawn")
