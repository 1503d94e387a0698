"""Names: which known one was probably meant by another, and how sure that is; which are free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

_LIKE = 0.72  # of difflib's ratio
_LONGEST = 100
_MANY = 64  # words of a form: more are too hard to distinguish
_SEPARATORS = dict.fromkeys(map(ord, "._/:"), " ")
_DIGITS = dict.fromkeys(range(ord("0"), ord("9") + 1))


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """Return a word without what is easily got wrong: letter case and separators."""
    return "".join(letter for letter in text if letter not in "_-. ").casefold()


def nearest(word: str, words: Sequence[str]) -> str | None:
    """Return the word that was probably meant: equal, or but for case, separators and namespace, else the closest, if close."""
    if word in words:
        return word
    key = plain(word)
    for candidate in words:
        if plain(candidate) == key:
            return candidate
    if spaced := [word for word in words if "." in word and plain(word.rpartition(".")[2]) == key]:
        return min(spaced, key=len)  # only its namespace is missing
    if not 2 <= len(word) <= _LONGEST:
        return None
    by_key = {other: w for w in reversed(words) if _may_be_like(key, other := plain(w))}
    found = _closest(key, list(by_key)) if by_key else None
    return None if found is None else by_key[found]


def _closest(key: str, others: Sequence[str]) -> str | None:
    """Return the most alike of some plain words, if it is alike enough."""
    from difflib import get_close_matches

    if close := get_close_matches(key, others, n=3, cutoff=_LIKE):
        return min(close, key=lambda other: distance(key, other))  # the first is the most alike
    if len(key) > 4:
        return None  # one slip leaves a longer word more alike than that
    swapped = [other for other in others if len(other) > 2 and is_slip(key, other)]
    return swapped[0] if len(swapped) == 1 else None


def _may_be_like(key: str, other: str) -> bool:
    """Return whether two words share enough letters to be alike, which rejects most pairs quickly."""
    if abs(len(key) - len(other)) > 4:
        return False
    both = len(key) + len(other)
    return len(key) <= 4 or both - (_letters(key) ^ _letters(other)).bit_count() >= _LIKE * both


@lru_cache(maxsize=1 << 16)
def _letters(text: str) -> int:
    """Return the letters of a word, as bits."""
    bits = 0
    for char in text:
        bits |= 1 << (ord(char) & 127)
    return bits


def abbreviated(word: str, words: Sequence[str]) -> str | None:
    """Return the only word that a word is a short or a long form of: `avg` of `average`, `max` of `max_pool`."""
    key = plain(word)
    for is_form in (_begins, _skips):
        found = [other for other in words if is_form(key, plain(other)) or is_form(plain(other), key)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _begins(short: str, long: str) -> bool:
    return len(short) >= 3 and long.startswith(short)


def _skips(short: str, long: str) -> bool:
    """Whether a word is left of another one if letters behind the first are dropped."""
    letters = iter(long)
    return (
        len(short) >= 3 and short[0] == long[:1] and len(short) <= len(long) <= 16 and all(c in letters for c in short)
    )


class Slips:
    """Words that are looked up by others that one letter makes of them: what is found takes the time of a word, not of all words."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words: dict[str, list[str]] = {}  # by their forms
        for word in words:
            if len(word) <= _LONGEST:
                for form in set(_forms(plain(word))):
                    self._words.setdefault(form, []).append(word)

    def near(self, word: str) -> str | None:
        """Return the only word that is a letter away; of several, the only one of the same digits."""
        key, found = plain(word), set[str]()
        if not 2 < len(key) <= _LONGEST:
            return None
        for form in _forms(key):
            alike = self._words.get(form, ())
            if len(alike) > _MANY:
                return None
            found.update(other for other in alike if distance(key, plain(other)) <= 1)
        if len(found) > 1:
            found = {other for other in found if _digits(other) == _digits(word)}
        return found.pop() if len(found) == 1 else None


class NameLookup:
    """The nearest of some words, for many others: once so many were compared, only slips are found."""

    def __init__(self, words: Sequence[str], comparisons: int) -> None:
        self.words, self.left = words, comparisons

    @cached_property
    def _slips(self) -> Slips:
        return Slips(self.words)

    def near(self, word: str) -> str | None:
        self.left -= len(self.words)
        return nearest(word, self.words) if self.left > 0 else self._slips.near(word)


def _forms(key: str) -> Iterator[str]:
    """Yield a word, and what is left of it without each of its letters."""
    yield key
    for k in range(len(key)):
        yield key[:k] + key[k + 1 :]


def is_sure(word: str, meant: str, words: Sequence[str]) -> bool:
    """Return whether only one word can be meant: it is one typo away, and all others are far.

    A word that begins otherwise may be one of its own that is only not among these: elu is not relu.
    """
    key, goal = plain(word), plain(meant)
    others = [plain(other) for other in words if other != meant]
    if key == goal:
        return goal not in others
    if (
        len(goal) < 4
        or len(key) > _LONGEST
        or key[:1] != goal[:1]
        or _digits(key) != _digits(goal)
        or distance(key, goal) > 1
    ):
        return False
    return all(distance(key, other) > 2 for other in others)


def _digits(word: str) -> str:
    return "".join(letter for letter in word if letter.isdigit())


def distance(one: str, two: str) -> int:
    """Return how many letters are added, dropped, replaced or exchanged with their neighbour (optimal string alignment)."""
    if abs(len(one) - len(two)) > 4:
        return 5
    before: list[int] = []
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(two, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == two[j - 2] and b == one[i - 2]:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def slip(word: object, words: Sequence[str]) -> str | None:
    """Return the word that another one is a slip of, if letter case counts as one."""
    text = str(word)
    return next((one for one in words if one.lower() == text.lower() or is_typo(text, one)), None)


def is_typo(word: str, meant: str) -> bool:
    """Return whether a word is one slip behind its first letter away from another one, or equal but for case and separators; of
    digits none may differ."""
    key, goal = plain(word), plain(meant)
    is_like = key[:1] == goal[:1] and 2 < len(goal) <= _LONGEST and _digits(key) == _digits(goal)
    return key == goal or (is_like and is_slip(key, goal))


def is_slip(one: str, two: str) -> bool:
    """Return whether two words are equal but for one slip: their letters tell most pairs apart quickly."""
    is_near = abs(len(one) - len(two)) < 2 and (_letters(one) ^ _letters(two)).bit_count() <= 2
    return is_near and distance(one, two) < 2


def are_siblings(one: str, two: str) -> bool:
    """Return whether two names differ in their numbers only, as those of layers and weights do: rarely a typo."""
    return one != two and one.translate(_DIGITS) == two.translate(_DIGITS)


class NameParts:
    """The parts of the names of a file, which show how a name is written: names of a series have most parts in common."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)
        self._often = Counter(part for name in self._names for part in _parts(name))

    def prefer(self, one: str, other: str) -> bool:
        """Return whether one of two names is more likely: it has fewer parts that no other name has, as in a numbered series."""
        own = Counter(part for name in {one, other} & self._names for part in _parts(name))
        return self._strange(one, own) < self._strange(other, own)

    def has_all(self, name: str) -> bool:
        """Return whether other names have each part of a name, so that it is probably not misspelt."""
        own = Counter(_parts(name) if name in self._names else ())
        return len({*_parts(name)}) > 1 and not self._strange(name, own)

    def _strange(self, name: str, own: Counter[tuple[int, int, str]]) -> int:
        return sum(self._often[part] <= own[part] for part in _parts(name))


def _parts(name: str) -> Iterator[tuple[int, int, str]]:
    """Yield the parts of a name, each with its place in it: only names of as many parts are compared."""
    parts = name.translate(_SEPARATORS).split()
    return ((len(parts), k, part) for k, part in enumerate(parts))


class FreeNames:
    """Numbered names, each used once. Those in `others` are taken, too."""

    def __init__(self, taken: Iterable[str] = (), others: Container[str] = ()) -> None:
        self._taken, self._others = set(taken), others
        self._next: dict[str, int] = {}

    def like(self, name: str) -> str:
        """The name with the lowest number that is free."""
        number = self._next.get(name, 2)
        while (new := f"{name}_{number}") in self._taken or new in self._others:
            number += 1
        self._taken.add(new)
        self._next[name] = number + 1
        return new
