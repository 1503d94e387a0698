"""Reports that are written to a store: --report."""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, TextIO

from irlint.cli._options import ReportTarget
from irlint.cli._status import UsageError
from irlint.text.others import ending
from irlint.text.safe import visible

if TYPE_CHECKING:
    from irlint.zoo.stores import Store

_FORMATS = {
    ".jsonl": "jsonl",
    ".html": "html",
    ".json": "json",
    ".sarif": "sarif",
    ".xml": "junit",
    ".txt": "concise",
}


def report(text: str) -> ReportTarget:
    """Return the report that a URL is for, by its ending."""
    folder, slash, name = text.rpartition("/")
    if not slash or not folder or folder.endswith(":/"):
        raise argparse.ArgumentTypeError(f"expected a URL such as s3://BUCKET/report.jsonl, got `{visible(text)}`")
    format = _FORMATS.get(ending(name))
    if format is None:
        raise argparse.ArgumentTypeError(f"expected a URL that ends in {', '.join(_FORMATS)}, got `{visible(text)}`")
    return ReportTarget(format, text)


def verify(targets: list[ReportTarget]) -> None:
    """Refuse reports that cannot be written, as far as that is known before hours are spent on them."""
    for target in targets:
        _opened(str(target.file))


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


def _opened(url: str) -> tuple[Store, str]:
    from irlint.zoo.open_store import open_store
    from irlint.zoo.stores import StoreError

    folder, _, name = url.rpartition("/")
    try:
        return open_store(folder), name
    except StoreError as error:
        raise _refusal(url, error) from error


def _refusal(url: str, error: Exception) -> UsageError:
    from irlint.zoo.stores import shown

    return UsageError(f"cannot write {visible(shown(url))}: {error}")
