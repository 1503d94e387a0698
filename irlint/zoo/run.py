"""A run over stores: list everything, plan what has to be linted, have an engine lint it, and give out what was found."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import blake2b
from heapq import merge
from itertools import islice
from zlib import crc32

from irlint import companions
from irlint.cache.fingerprint import fingerprint
from irlint.config import Config, Overrides
from irlint.findings import Severity
from irlint.formats.base import extensions
from irlint.records import NamedTuple, dataclass
from irlint.report.paths import is_url
from irlint.settings import Settings
from irlint.text.safe import has_surrogates, unicode_only
from irlint.zoo.ledger import Ledger
from irlint.zoo.listing import Listing, odd_key
from irlint.zoo.outcome import ObjectOutcome
from irlint.zoo.roots import Root, open_store
from irlint.zoo.shared_cache import SharedCache
from irlint.zoo.side_files import NearbyFinder, still_true
from irlint.zoo.stores import ListedObject, Store, StoreError, address
from irlint.zoo.tasks import Done, NearbyFiles, ObjectTask, batches
from irlint.zoo.work import Engine, ZooWork

MOST_OBJECTS = 50_000_000  # some 6 GB of ledger: a listing that has more will not end
_FEW_PAGES = 10  # of the folder of a single object


class Shard(NamedTuple):
    """One of several runs that share the objects among them; numbers begin at 1."""

    number: int = 1
    of: int = 1

    def has(self, key: str) -> bool:
        return self.of == 1 or crc32(key.encode()) % self.of == self.number - 1


class ZooOptions(NamedTuple):
    """What is linted, and how."""

    roots: tuple[Root, ...]
    config: Config
    over: Overrides = Overrides()
    as_format: str | None = None
    shard: Shard = Shard()
    max_size: int = 2 << 30

    @property
    def urls(self) -> tuple[str, ...]:
        return tuple(root.url for root in self.roots)

    @property
    def fail_on(self) -> Severity:
        return self.config.fail_on if self.over.fail_on is None else self.over.fail_on

    @property
    def work(self) -> ZooWork:
        return ZooWork(self.urls, self.as_format, self.max_size, self.fail_on)


@dataclass
class Counts:
    """Figures of a run."""

    listed: int = 0
    objects: int = 0  # of those: that may be models
    size: int = 0  # in bytes
    done: int = 0
    done_size: int = 0
    fresh: int = 0  # looked at in this run
    fresh_size: int = 0
    unchanged: int = 0
    models: int = 0
    unread: int = 0


class ZooRun:
    def __init__(self, options: ZooOptions, ledger: Ledger, cache: SharedCache | None = None) -> None:
        self.options, self.ledger, self._cache = options, ledger, cache
        self.counts = Counts()
        self._endings = tuple(one for one in extensions() if one.startswith("."))
        self._rules = _RuleNames(options.as_format)
        self._bases = [options.config.base if is_url(url) else os.path.abspath(url) for url in options.urls]
        self._unlisted: set[int] = set()  # roots of single objects whose folder has too much to be listed

    def covers(self, url: str) -> bool:
        """Return whether an object would be one of this run's, if it were there."""
        for root, (folder, _) in enumerate(self.options.roots):
            begin = address(folder, "")
            if url.startswith(f"{begin}/") and self._is_candidate(root, url[len(begin) + 1 :]):
                return True
        return False

    def list_all(self, listed: Callable[[int], None] = lambda _: None) -> None:
        """List all stores into the ledger. `listed` hears of each page how many objects there are so far."""
        total = 0
        for root, (url, only) in enumerate(self.options.roots):
            before = total

            def add(page: list[ListedObject], root: int = root) -> int:
                nonlocal total
                sound = [found for found in page if not self._is_odd(root, found)]
                new = self.ledger.add(root, sound)
                if new:
                    self._count(root, sound)
                total += new
                self.counts.listed = total
                if total > MOST_OBJECTS:
                    raise StoreError(f"there are more than {MOST_OBJECTS:,} objects")
                listed(total)
                return new + len(page) - len(sound)

            def complain(key: str, words: str, root: int = root) -> None:
                self._trouble(root, ListedObject(key, 0, None), words)

            def odd(key: str, words: str, root: int = root) -> None:
                if self._is_candidate(root, key):
                    self._trouble(root, ListedObject(key, 0, None), words)

            try:
                store = open_store(url)
                if only:
                    add(self._single(root, store))
                    self.ledger.listed(root, False)
                    continue
            except StoreError as error:
                complain("", f"cannot be opened: {error}")
                continue
            is_complete = Listing(store, add, odd, complain).run()
            self.ledger.listed(root, is_complete)
            if is_complete and total == before and not store.has_empty_folders:
                complain("", "there are no objects with this URL, or below it")

    def _single(self, root: int, store: Store) -> list[ListedObject]:
        """Return single objects, and what else is in their folder if that is little: it is asked for file by file otherwise."""
        with suppress(StoreError):  # a store that lists nothing may have the objects
            pages = list(islice(store.pages(), _FEW_PAGES + 1))
            if len(pages) <= _FEW_PAGES:
                return [found for page in pages for found in page]
        self._unlisted.add(root)
        found = []
        for name in self.options.roots[root].only:
            try:
                found.append(store.head(name))
            except StoreError as error:
                self._trouble(root, ListedObject(name, 0, None), str(error))
        return found

    def _is_odd(self, root: int, found: ListedObject) -> bool:
        """Return whether a key cannot be stored; it is reported if it may be a model's."""
        if not has_surrogates(found.key):
            return False
        if self._is_candidate(root, found.key) and (why := odd_key(found.key)) is not None:
            self._trouble(root, found._replace(key=unicode_only(found.key)), why)
        return True

    def _count(self, root: int, page: list[ListedObject]) -> None:
        endings = (*self._endings, *companions.endings())
        for key, size, _ in page:
            if key.lower().endswith(endings) and self._is_candidate(root, key):
                self.counts.objects += 1
                self.counts.size += size

    def _is_candidate(self, root: int, key: str) -> bool:
        """Return whether an object may be a model by its key."""
        if only := self.options.roots[root].only:
            return key in only and self.options.shard.has(unicode_only(key))
        folder, _, name = key.rpartition("/")
        ending = os.path.splitext(name)[1].lower()
        is_named = ending in self._endings or (ending in companions.endings() and companions.named_like(name))
        if not is_named or not self.options.shard.has(unicode_only(key)):
            return False
        if "." in folder and any(part[:1] == "." and part not in (".", "..") for part in folder.split("/")):
            return False
        return not self.options.config.excludes(self._path(root, key))

    def _path(self, root: int, key: str) -> str:
        """Return the path for which the globs of the configuration hold: that of a file, or what an object has below its URL."""
        return os.path.join(self._bases[root], *key.split("/"))

    def lint(self, engine: Engine) -> Iterator[Done]:
        """Have everything linted that the ledger does not know; yield what is done after it has been stored."""
        cache = self._cache
        if cache is not None:
            cache.read_into(self.ledger, self.options.urls)
        try:
            for _, found in engine(batches(self._tasks())):
                for done in found:
                    self.ledger.store(done)
                    if cache is not None:
                        cache.add(done, self.options.urls[done.root])
                    self._tell(done)
                    yield done
                self.ledger.commit()
        finally:
            if cache is not None:
                cache.flush()

    def _tell(self, done: Done) -> None:
        counts = self.counts
        counts.done += 1
        counts.done_size += done.size
        counts.models += done.is_model
        if done.is_read:
            counts.fresh += 1
            counts.fresh_size += done.size
        else:
            counts.unread += 1

    def _tasks(self) -> Iterator[ObjectTask]:
        for root, url in enumerate(self.options.urls):
            of = _unknown if root in self._unlisted else NearbyFinder(self.ledger, root).of
            for found in self.ledger.objects(root):
                if self._is_candidate(root, found.key) and (task := self._task(root, url, found, of)) is not None:
                    yield task

    def _task(self, root: int, url: str, found: ListedObject, of: Callable[[str], NearbyFiles]) -> ObjectTask | None:
        """Return the task for an object; None if its outcome is known."""
        key, size, etag = found
        if (why := odd_key(key)) is not None:
            self._trouble(root, found, why)
            return None
        if size > self.options.max_size:
            self._trouble(root, found, f"{size:,} bytes; --max-size is {self.options.max_size:,}")
            return None
        settings = self.options.config.settings(self._path(root, key), self.options.over)
        rules = self._rules.of(settings)
        known = self.ledger.known(root, key)
        if (
            known is not None
            and etag is not None
            and (known.size, known.etag, known.rules) == (size, etag, rules)
            and still_true(known.looked, self.ledger, root, lambda: of(key))
            and (kept := self.ledger.keep(root, key, address(url, key))) is not None
        ):
            self.counts.done += 1
            self.counts.done_size += size
            self.counts.unchanged += 1
            self.counts.models += kept.is_model
            return None
        return ObjectTask(root, key, size, etag, settings, rules, of(key))

    def _trouble(self, root: int, found: ListedObject, words: str) -> None:
        outcome = ObjectOutcome(
            address(self.options.urls[root], found.key), found.key, found.size, found.etag, trouble=words
        )
        done = Done.of(root, "", outcome, None)
        self.ledger.store(done)
        self._tell(done)

    def outcomes(self) -> Iterator[ObjectOutcome]:
        """Return all outcomes in the order of their URLs. Single objects of one folder may surround another."""
        roots = (self.ledger.outcomes(root, url) for root, url in enumerate(self.options.urls))
        for outcome in merge(*roots, key=lambda outcome: outcome.url):
            yield outcome.failing_from(self.options.fail_on)


def _unknown(key: str) -> NearbyFiles:
    """Return what is known where nothing was listed: the store is asked for each file."""
    return NearbyFiles({}, ())


class _RuleNames:
    """Short names for settings, with the version of irlint for which they hold."""

    def __init__(self, as_format: str | None) -> None:
        self._all = f"{fingerprint()} {as_format} "
        self._known: dict[int, tuple[Settings, str]] = {}

    def of(self, settings: Settings) -> str:
        known = self._known.get(id(settings))
        if known is None:
            name = blake2b((self._all + settings.key).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest()
            known = self._known[id(settings)] = settings, name  # the settings are kept: an id is theirs while they live
        return known[1]
