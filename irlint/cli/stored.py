"""Reports in stores: those of --report, which are written there, and those of earlier runs, which are fetched."""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING, TextIO

from irlint.cli.options import ReportTarget
from irlint.cli.status import UsageError
from irlint.report import FORMATS
from irlint.text.others import ending
from irlint.text.safe import visible

if TYPE_CHECKING:
    from irlint.zoo.stores import Store

# By the endings of their names; those by objects first, which is what most stores get
BY_ENDING = {
    format.ending: name
    for name, format in sorted(FORMATS.items(), key=lambda item: (not item[1].is_by_object, item[1].is_text))
    if format.ending
}


def stored_report(text: str) -> ReportTarget:
    """Return the report that a URL is for, by its ending."""
    from irlint.zoo.stores import redacted, refusal

    if (why := refusal(text)) is not None:
        raise argparse.ArgumentTypeError(why)
    got = visible(redacted(text))
    folder, slash, name = text.rpartition("/")
    if not slash or not folder or folder.endswith(":/"):
        raise argparse.ArgumentTypeError(f"expected a URL such as s3://BUCKET/report.jsonl, got `{got}`")
    format = BY_ENDING.get(ending(name))
    if format is None:
        raise argparse.ArgumentTypeError(f"expected a URL that ends in {', '.join(BY_ENDING)}, got `{got}`")
    return ReportTarget(format, text)


def verify_stored(targets: list[ReportTarget]) -> None:
    """Refuse reports that cannot be written, as far as that is known before hours are spent on them."""
    for target in targets:
        url = str(target.file)
        verify_writable(_opened(url)[0], url)


def verify_writable(store: Store, url: str) -> None:
    """Refuse a store that is not there. Whether it may be written is known once it has been."""
    from irlint.zoo.stores import MissingError, StoreError

    if not store.has_empty_folders:
        with suppress(StoreError):
            try:
                next(iter(store.pages()), None)
            except MissingError as error:
                raise _refusal(url, error) from error


@contextmanager
def stored(url: str) -> Iterator[TextIO]:
    """Return a stream; what is written to it becomes the object once it is complete."""
    from irlint.zoo.patience import patiently
    from irlint.zoo.stores import StoreError

    store, name = _opened(url)
    with TemporaryFile() as file:
        text = io.TextIOWrapper(file, "utf-8", "backslashreplace", "\n")
        yield text
        text.detach()

        def put() -> None:
            file.seek(0)
            store.put(name, file)

        try:
            patiently(put)
        except StoreError as error:
            raise _refusal(url, error) from error


@contextmanager
def fetched(url: str) -> Iterator[str]:
    """Return the path of a copy of an object, which is removed at the end."""
    from irlint.zoo.patience import first_part, parts
    from irlint.zoo.stores import StoreError, shown

    store, name = _opened(url)
    with TemporaryDirectory(prefix="irlint-") as folder:
        path = os.path.join(folder, "report")
        try:
            with open(path, "wb") as file:
                file.writelines(parts(store, name, first_part(store, name)))
        except StoreError as error:
            raise UsageError(f"cannot read {visible(shown(url))}: {error}") from error
        yield path


def _opened(url: str) -> tuple[Store, str]:
    from irlint.zoo.roots import open_store
    from irlint.zoo.stores import StoreError, refusal

    if (why := refusal(url)) is not None:
        raise UsageError(why)
    folder, _, name = url.rpartition("/")
    try:
        return open_store(folder), name
    except StoreError as error:
        raise _refusal(url, error) from error


def _refusal(url: str, error: Exception) -> UsageError:
    from irlint.zoo.stores import shown

    return UsageError(f"cannot write {visible(shown(url))}: {error}")
