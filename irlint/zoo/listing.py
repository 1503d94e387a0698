"""The listing of a store, whatever it holds: odd keys are reported, and one that repeats itself ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from irlint.text.safe import visible
from irlint.zoo.stores import ListedObject, OddKeyError, Store, StoreError

if TYPE_CHECKING:
    from irlint.zoo.cloud_store import CloudStore

Complain = Callable[[str, str], None]  # of a key, in words

MOST_ODD = 200  # keys that cannot be expressed, after which a listing is given up


class Listing:
    """All objects below a URL. `add` stores a page and returns how many of its keys it has not had in this run.

    `odd` hears of keys that cannot be expressed, `complain` of folders that cannot be listed completely.
    """

    def __init__(
        self, store: Store, add: Callable[[list[ListedObject]], int], odd: Complain, complain: Complain
    ) -> None:
        self.store, self.add, self.odd, self.complain = store, add, odd, complain
        self._odd = 0
        self._began = False

    def run(self) -> bool:
        """List everything; return whether that is all there is."""
        try:
            return self._from("", "")
        except StoreError as error:
            self.complain("", f"cannot be listed{' completely' if self._began else ''}: {error}")
            return False

    def _from(self, folder: str, after: str) -> bool:
        try:
            for page in self.store.pages(folder, after):
                self._began = True
                if page and not self.add(page):
                    self.complain(folder, f"the listing repeats itself after {visible(page[-1].key)!r}")
                    return False
                after = page[-1].key if page else after
        except OddKeyError as error:
            self._odd += 1
            self.odd(error.key, f"{error}; the object is not checked")
            if not error.key or self._odd > MOST_ODD:
                self.complain(folder, f"keys after {visible(after)!r} are not listed")
                return False
            return self._around(folder, after, error.key)
        return True

    def _around(self, folder: str, after: str, odd: str) -> bool:
        """List what a page could not show because of an odd key: folder by folder."""
        store: CloudStore = self.store  # type: ignore[assignment]  # the one that raises OddKeyError
        try:
            objects, folders = store.level(folder)
        except StoreError:
            self.complain(folder, f"keys before {visible(odd)!r} may be missing")
            return self._from(folder, past(odd)) and False
        if objects := [found for found in objects if found.key > after]:
            self.add(objects)
        done = True
        for inner in folders:
            if odd_key(f"{inner}x") is not None:  # the client would list the folder around it
                self.complain(inner, "the store's client cannot express this folder; nothing in it is checked")
                done = False
            elif f"{inner}\U0010ffff" > after:
                done = self._from(inner, after if after.startswith(inner) else "") and done
        return done


_ODD_SIGN = re.compile(r"[\x00-\x1f\x7f]")


def past(odd: str) -> str:
    """Return a key that can be expressed and comes after an odd one, and after what is in the same odd folder."""
    if (sign := _ODD_SIGN.search(odd)) is not None:
        return odd[: sign.start()] + chr(0x20 if sign[0] < " " else 0x80)
    parts = odd.split("/")
    at = next((k for k, part in enumerate(parts) if part in ("", ".", "..")), len(parts) - 1)
    return "/".join(parts[: at + 1]) + "0"  # the sign after the slash


def odd_key(key: str) -> str | None:
    """Return why an object is not read whose key no path can express."""
    try:
        key.encode()
    except UnicodeEncodeError:
        return "the key is not valid UTF-8; the object is not checked"
    parts = key.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "the key has an empty, `.` or `..` segment; the object is not checked"
    return None
