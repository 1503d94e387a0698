"""Linting of a batch of objects, in whatever process an engine has: objects are fetched ahead while others are linted.

An engine has batches of objects linted somewhere: it is a function from batches to batches with their outcomes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from irlint import engine
from irlint.files.side_files import is_pointer, reading_from
from irlint.findings import Severity
from irlint.formats.base import HEAD_SIZE, binary_extensions, is_claimed
from irlint.inspection.identity import facts_of
from irlint.jobs.one_file import confirm, tidy
from irlint.records import NamedTuple
from irlint.report.base import locate
from irlint.text.others import ending
from irlint.tools import UserError
from irlint.zoo.outcome import ObjectOutcome
from irlint.zoo.patience import PART, first_part, parts, patiently
from irlint.zoo.roots import open_store
from irlint.zoo.side_files import StoreFiles, virtual_path
from irlint.zoo.stores import ChangedError, MissingError, ObjectBody, Store, StoreError, TooLargeError, address
from irlint.zoo.tasks import Batch, Done, ObjectTask

FETCHERS = 8  # threads
AHEAD_BYTES = 64 << 20  # fetched and not linted yet, unless a single object is larger
SMALL = 256 << 10  # bytes: reading all costs no more than asking twice


class ZooWork(NamedTuple):
    """How batches are linted; it travels to the workers, which open the stores themselves."""

    urls: tuple[str, ...]
    as_format: str | None = None
    max_size: int = 2 << 30
    fail_on: Severity = Severity.ERROR

    def __call__(self, batch: Batch) -> list[Done]:
        """Return the outcomes of a batch, in its order."""
        done = []
        for task, body in _ahead(batch, self._fetch):
            tidy()
            done.append(self._done(task, body))
        return done

    def failed(self, task: ObjectTask, why: str) -> Done:
        """Return the outcome of an object that could not be linted for a reason of irlint's."""
        return self._outcome(task, failure=why)

    def _outcome(
        self, task: ObjectTask, body: ObjectBody | None = None, looked: list[Any] | None = None, **found: Any
    ) -> Done:
        """Return the outcome of a task, of the object as it was when it was read."""
        _, size, etag = body or (b"", task.size, task.etag)
        outcome = ObjectOutcome(address(self.urls[task.root], task.key), task.key, size, etag, **found)
        return Done.of(task.root, task.rules, outcome, looked)

    def _fetch(self, task: ObjectTask) -> ObjectBody | StoreError:
        """Return the whole of an object, or its beginning if that shows that it is not a model."""
        try:
            store = open_store(self.urls[task.root])
            if task.size > SMALL and ending(task.key) not in binary_extensions():
                head = patiently(lambda: store.part(task.key, 0, HEAD_SIZE))
                with reading_from(StoreFiles(store, task.key, task.nearby, head.data)):
                    is_candidate = self._is_candidate(head.data, task.key)
                if not is_candidate:
                    return ObjectBody(head.data, head.size, head.etag)
            return patiently(lambda: self._whole(store, task))
        except StoreError as error:
            return error

    def _whole(self, store: Store, task: ObjectTask) -> ObjectBody:
        """Return an object as it is now, even if it has changed since it was listed or while it was read."""
        try:
            return self._now(store, task)
        except ChangedError:
            return self._now(store, task)

    def _now(self, store: Store, task: ObjectTask) -> ObjectBody:
        if task.size <= PART:
            return store.whole(task.key, self.max_size)
        first = first_part(store, task.key)
        if first.size > self.max_size:
            raise TooLargeError(first.size, self.max_size)
        return ObjectBody(b"".join(parts(store, task.key, first)), first.size, first.etag)

    def _is_candidate(self, head: bytes, key: str) -> bool:
        only = (self.as_format or "").partition(":")[0] or None
        path = str(virtual_path(key))
        return not is_pointer(head) and (is_claimed(key) or engine.deserves_reading(head, path, only))

    def _done(self, task: ObjectTask, body: ObjectBody | StoreError) -> Done:
        if isinstance(body, StoreError):
            words = str(body) if isinstance(body, MissingError) else f"cannot be read: {body}"
            return self._outcome(task, trouble=words)
        url = address(self.urls[task.root], task.key)
        try:
            return self._linted(task, url, body)
        except Exception as error:
            return self._outcome(task, body, report=locate(engine.failed(url, error), self.fail_on))

    def _linted(self, task: ObjectTask, url: str, body: ObjectBody) -> Done:
        near = StoreFiles(open_store(self.urls[task.root]), task.key, task.nearby, body.data)
        with reading_from(near):
            if not self._is_candidate(body.data[:HEAD_SIZE], task.key):
                return self._outcome(task, body, near.looked)
            path = virtual_path(task.key)
            result = engine.lint_bytes(body.data, url, task.settings, self.as_format, path)
            if not (result.format or result.failed) and not is_claimed(task.key):
                return self._outcome(task, body, [])
            confirm(result)
            report = locate(result, self.fail_on)
            facts = None if result.known is None else facts_of(result.known, near.side_files)
        if near.error is not None:
            return self._outcome(task, body, trouble=str(near.error))
        looked = None if result.incomplete or result.failed else near.looked
        return self._outcome(task, body, looked, report=report, facts=facts)


def _ahead(
    batch: Batch, fetch: Callable[[ObjectTask], ObjectBody | StoreError]
) -> Iterator[tuple[ObjectTask, ObjectBody | StoreError]]:
    """Yield tasks in order with what was fetched for them. What waits to be linted is bounded in bytes."""
    if len(batch) == 1:
        yield batch[0], fetch(batch[0])
        return
    waiting: deque[tuple[ObjectTask, Future[ObjectBody | StoreError]]] = deque()
    held = at = 0
    with ThreadPoolExecutor(FETCHERS) as threads:
        while waiting or at < len(batch):
            while at < len(batch) and (not waiting or held + batch[at].size <= AHEAD_BYTES):
                waiting.append((batch[at], threads.submit(fetch, batch[at])))
                held += batch[at].size
                at += 1
            task, coming = waiting.popleft()
            held -= task.size
            yield task, coming.result()


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
