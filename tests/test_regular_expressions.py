"""Every regular expression of the package takes linear time, on texts made from its own parts to make it slow."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

pytest.importorskip("pygls")

import irlint_lsp

import irlint
from irlint.tools import LazyPattern

try:
    from re import _constants as constants  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_constants as constants
    import sre_parse as parser

LONG, SHORT = 100_000, 12_500
SLACK = 3  # times the growth that linear time has; quadratic time has eight times that growth
OWN = ("irlint.rules.examples",)  # modules that read only what a package holds, so that nobody writes a text for them
NOTHING = 0.05  # seconds: what takes less on the long text harms nobody, however it grows
ANYWHERE = {"search", "finditer", "findall", "sub", "subn", "split"}
METHODS = {"match", "fullmatch", *ANYWHERE}


class Regex(NamedTuple):
    name: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


def modules() -> Iterator[ModuleType]:
    for package in (irlint, irlint_lsp):
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__") and found.name not in OWN:
                yield importlib.import_module(found.name)


@cache
def regexes() -> tuple[Regex, ...]:
    """Those that modules and classes hold, and those that stand in calls of re's functions."""
    held: dict[re.Pattern[Any], str] = {}
    names: dict[re.Pattern[Any], set[tuple[str, str]]] = {}
    used: dict[tuple[str, str], set[str]] = {}
    written: dict[str, tuple[str, set[str]]] = {}
    for module in modules():
        for name, value in vars(module).items():
            for pattern in patterns(value, 3):
                held.setdefault(pattern, f"{module.__name__}.{name}")
                names.setdefault(pattern, set()).add((module.__name__, name))
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
            of = node.func if isinstance(node, ast.Call) else None
            if isinstance(of, ast.Attribute) and isinstance(of.value, ast.Name) and of.value.id == "re" and node.args:
                if of.attr in {*METHODS, "compile"} and isinstance(node.args[0], ast.Constant):
                    where = written.setdefault(node.args[0].value, (f"{module.__name__}:{node.lineno}", set()))
                    where[1].add("match" if of.attr == "compile" else of.attr)
            elif isinstance(node, ast.Attribute) and node.attr in METHODS:
                word = node.value.id if isinstance(node.value, ast.Name) else getattr(node.value, "attr", "")
                used.setdefault((module.__name__, word), set()).add(node.attr)
    known = {pattern.pattern for pattern in held}
    found = []
    for pattern, name in held.items():
        methods = set().union(*(used.get(at, set()) for at in names[pattern]))
        found.append(Regex(name, pattern, frozenset(methods or METHODS - ANYWHERE)))
    found += [Regex(at, re.compile(text), frozenset(how)) for text, (at, how) in written.items() if text not in known]
    return tuple(found)


def patterns(value: Any, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, LazyPattern):
        yield re.compile(*value.made_of)
    elif depth and isinstance(value, dict):
        for inner in value.values():
            yield from patterns(inner, depth - 1)
    elif depth and isinstance(value, (list, tuple, set, frozenset)):
        for inner in value:
            yield from patterns(inner, depth - 1)
    elif depth and isinstance(value, type) and value.__module__.startswith("irlint"):
        for inner in list(vars(value).values()):
            yield from patterns(inner, depth - 1)


def sample(part: Any) -> str:
    """A text that a part of an expression fits, or nearly."""
    word, value = part
    if word is constants.LITERAL:
        return chr(value)
    if word is constants.NOT_LITERAL or word is constants.ANY:
        return "x" if value != ord("x") else "y"
    if word is constants.IN:
        return _member(value)
    if word is constants.BRANCH:
        return "".join(map(sample, value[1][0]))
    if word is constants.SUBPATTERN:
        return "".join(map(sample, value[-1]))
    if word in REPEATS:
        return "".join(map(sample, value[2])) * max(1, min(value[0], 3))
    if word is getattr(constants, "ATOMIC_GROUP", None):
        return "".join(map(sample, value))
    return ""


def _member(items: Any) -> str:
    negated = items and items[0][0] is constants.NEGATE
    if negated:
        fits = (
            re.compile("[" + "".join(re.escape(chr(v)) if w is constants.LITERAL else "" for w, v in items[1:]) + "]")
            if any(w is constants.LITERAL for w, _ in items[1:])
            else None
        )
        return next(c for c in "xy,0 \"'[{<\n" if fits is None or not fits.match(c))
    word, value = items[0]
    if word is constants.LITERAL:
        return chr(value)
    if word is constants.RANGE:
        return chr(value[0])
    return {constants.CATEGORY_SPACE: " ", constants.CATEGORY_DIGIT: "7", constants.CATEGORY_WORD: "w"}.get(value, "!")


REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT, getattr(constants, "POSSESSIVE_REPEAT", None)}


def pumps(parts: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What leads to each repeated part of an expression, and texts that it repeats."""
    for word, value in parts:
        if word in REPEATS:
            yield before, "".join(map(sample, value[2])) or "x"
            for choice in _choices(value[2]):
                yield before, choice
            yield from pumps(value[2], before)
        elif word is constants.SUBPATTERN:
            yield from pumps(value[-1], before)
        elif word is constants.BRANCH:
            for branch in value[1]:
                yield from pumps(branch, before)
        elif word is getattr(constants, "ATOMIC_GROUP", None):
            yield from pumps(value, before)
        before += sample((word, value))


def _choices(parts: Any) -> Iterator[str]:
    """Each member of a class, each branch of a choice that is repeated."""
    for word, value in parts:
        if word is constants.IN and value[0][0] is not constants.NEGATE:
            yield from (_member([item]) for item in value[:4])
        elif word is constants.BRANCH:
            yield from ("".join(map(sample, branch)) for branch in value[1][:4])
        elif word is constants.SUBPATTERN:
            yield from _choices(value[-1])


def samples(parts: Any, excluded: bool) -> Iterator[str]:
    """Characters that parts of an expression fit, or that its negated classes exclude."""
    for word, value in parts:
        if word is constants.IN and (value[0][0] is constants.NEGATE) == excluded:
            yield from (_member([item]) for item in value[:4] if item[0] is not constants.NEGATE)
        elif word is constants.LITERAL and not excluded:
            yield chr(value)
        elif word in REPEATS:
            yield from samples(value[2], excluded)
        elif word is constants.SUBPATTERN:
            yield from samples(value[-1], excluded)
        elif word is constants.BRANCH:
            for branch in value[1]:
                yield from samples(branch, excluded)


def texts(regex: Regex) -> Iterator[tuple[str, str, str]]:
    """A beginning, what is repeated, and an end at which the expression fails."""
    text = regex.pattern.pattern
    parsed = parser.parse(text.decode("latin-1") if isinstance(text, bytes) else text, regex.pattern.flags)
    seen = {(before, pump) for before, pump in pumps(parsed) if pump}
    for before, pump in sorted(seen):
        for end in ("\x07", "", before):
            yield before, pump, end
    if "[^" in str(text):  # such a class fits most of what other parts fit, but not what it excludes
        pumped, ends = ([*dict.fromkeys(samples(parsed, excluded))] for excluded in (False, True))
        for before in sorted({before for before, _ in seen}):
            yield from ((before, pump, end) for pump in pumped[:6] for end in ends[:2] if pump != end)


def seconds(regex: Regex, method: str, parts: tuple[str, str, str], size: int) -> float:
    before, pump, end = parts
    text: Any = before + pump * (size // len(pump)) + end
    if isinstance(regex.pattern.pattern, bytes):
        text = text.encode("latin-1", "replace")
    began = time.process_time()
    if method in ("search", "match", "fullmatch"):
        getattr(regex.pattern, method)(text)
    else:
        for _ in regex.pattern.finditer(text):
            pass
    return time.process_time() - began


def is_slow(regex: Regex, method: str, parts: tuple[str, str, str]) -> bool:
    """Whether the time grows faster than the text; told from short texts where it grows very fast."""
    last, before = 1, NOTHING
    for size in (10, 16, 22, 60, 600, 3000, SHORT, LONG):
        took = seconds(regex, method, parts, size)
        most = SLACK * size / last * before
        if took > max(most, NOTHING) and min(took, seconds(regex, method, parts, size)) > max(most, NOTHING):
            return True
        if size == SHORT and took <= NOTHING / (LONG / SHORT) ** 2:
            return False
        last, before = size, max(took, NOTHING / 25)
    return False


def test_all_are_found() -> None:
    names = {regex.name.rpartition(".")[2] for regex in regexes()}
    assert len(regexes()) > 150
    assert {"NUMBER_LIKE", "ROW", "_ROOT", "_XML_ROOT"} <= names


@pytest.mark.parametrize("group", range(4))
def test_linear_time(group: int) -> None:
    slow = []
    for regex in regexes()[group::4]:
        for method in sorted(regex.methods & {"match", "fullmatch", "search"}) + ["finditer"] * bool(
            regex.methods & ANYWHERE
        ):
            for parts in texts(regex):
                if not is_slow(regex, method, parts):
                    continue
                slow.append((regex.name, method, parts))
    assert slow == []


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"\s+$", "search"),
        ("(?:a|a)*b", "match"),
        ("(a+)+b", "match"),
        ("a*a*b", "match"),
        ("[^a-z]*[0-9][^a-z]*", "fullmatch"),
    ],
)
def test_slow_ones_are_noticed(pattern: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = Regex("bad", re.compile(pattern), frozenset([method]))
    monkeypatch.setitem(globals(), "regexes", lambda: (bad,))
    with pytest.raises(AssertionError):
        test_linear_time(0)
