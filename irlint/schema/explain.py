"""JSON Schema errors in plain words, each root cause once, at its exact place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from irlint.codes import R, RuleRow
from irlint.findings import Fix, Problem
from irlint.operators import nearest
from irlint.schema.errors import SchemaError, errors
from irlint.text import words
from irlint.text.base import Document, Path, Place
from irlint.text.safe import brief, visible
from irlint.work import EXPLANATION, spend

_TYPES = {
    "object": "an object",
    "array": "a list",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "`true` or `false`",
    "null": "`null`",
}
_BOUNDS = {  # the rule, and what the limit counts
    "minimum": (R.value_not_allowed, "at least", ""),
    "maximum": (R.value_not_allowed, "at most", ""),
    "minLength": (R.value_not_allowed, "at least", "character"),
    "minItems": (R.wrong_length, "at least", "element"),
    "maxItems": (R.wrong_length, "at most", "element"),
    # of schemas that users bring
    "exclusiveMinimum": (R.value_not_allowed, "more than", ""),
    "exclusiveMaximum": (R.value_not_allowed, "less than", ""),
    "maxLength": (R.value_not_allowed, "at most", "character"),
    "minProperties": (R.wrong_length, "at least", "key"),
    "maxProperties": (R.wrong_length, "at most", "key"),
}
WORDED = {"type", "enum", "const", *_BOUNDS}


def explain(name: str, value: Any) -> Iterator[Problem]:
    """Yield the problems of a value that schemas/NAME does not allow, in the order of the schema."""
    found = list(_explanations(name, value))
    meant = {problem.at for problem in found if problem.rule is R.missing_key}
    for problem in found:
        if problem.rule is not R.unknown_key or problem.at not in meant:
            yield problem  # a misspelled key is already reported as the missing one


def worded(root: Any, error: SchemaError) -> str:
    """Return what is wrong by one of the keywords in `WORDED`."""
    return _Explanation(root, error)._words()[1]


def _explanations(name: str, value: Any) -> Iterator[Problem]:
    taken: set[tuple[Path, str, str]] = set()
    for error in errors(name, value):
        if not spend(EXPLANATION, "errors of the schema"):
            continue
        for problem in _Explanation(value, error).problems():
            assert isinstance(problem.at, Place)
            key = (problem.at.path, error.keyword, str(error.limit))
            if key not in taken:
                taken.add(key)
                yield problem


class _Explanation:
    """The explanation of one error."""

    def __init__(self, root: Any, error: SchemaError) -> None:
        self.error = _meant(error)
        self.path, self.kind, self.limit = self.error.path, self.error.keyword, self.error.limit
        self.value, self.owner, self.node = visit(root, self.path)

    def problems(self) -> Iterator[Problem]:
        if self.kind == "additionalProperties":
            known = self.error.schema.get("properties", {})
            for key in self.value:
                if key not in known:
                    yield self._unknown(key)
        elif self.kind == "required":
            yield self._missing()
        else:
            rule, message = self._words()
            yield self._problem(rule, Place(self.path), message)

    def _problem(
        self, rule: RuleRow, at: Place, message: str, fix: Callable[[Document], Fix | None] | None = None
    ) -> Problem:
        prefix = f"{self.owner}: " if self.owner else ""
        return Problem(rule, at, prefix + message, self.node, fix)

    def _words(self) -> tuple[RuleRow, str]:
        name, found = subject(self.path), shown(self.value)
        if types := _types_of(self.error):
            return R.wrong_type, f"expected {_alternatives([_TYPES[t] for t in types])} for {name}, got {found}"
        if self.kind in ("enum", "const"):
            return R.value_not_allowed, self._choice(self.limit if self.kind == "enum" else [self.limit])
        if self.kind in _BOUNDS:
            rule, bound, unit = _BOUNDS[self.kind]
            limit = words.count(self.limit, unit) if unit else plain(self.limit)
            got = str(len(self.value)) if rule is R.wrong_length else found
            return rule, f"expected {bound} {limit} for {name}, got {got}"
        if described := self._described():
            return R.value_not_allowed, f"expected {described} for {name}, got {found}"
        return R.value_not_allowed, f"unexpected value {found} for {name}"

    def _choice(self, allowed: Sequence[Any]) -> str:
        name, found = subject(self.path), shown(self.value)
        if len(allowed) == 1:
            return f"expected {plain(allowed[0])} for {name}, got {found}"
        is_word = isinstance(self.value, str)
        close = nearest(self.value, [word for word in allowed if isinstance(word, str)]) if is_word else None
        hint = f"did you mean {plain(close)}?" if close else f"expected one of {_listed([*map(plain, allowed)])}"
        return f"unknown value {found} for {name}; {hint}"

    def _described(self) -> str:
        """Return the schema's own description of the value, if it is short."""
        text = self.error.schema.get("description", "")
        return text.rstrip(".").split(". ")[0] if isinstance(text, str) and len(text) <= 120 else ""

    def _missing(self) -> Problem:
        """Report a missing key at the key that was probably meant for it, else at the bracket that opens the object."""
        known = self.error.schema.get("properties", {})
        lacking = [key for key in self.limit if key not in self.value]
        strangers = [key for key in self.value if key not in known]
        keys = _alternatives([plain(key) for key in lacking], "and")
        what = f"missing key{'s' * (len(lacking) > 1)} {keys}{self._within()}"
        meant = nearest(lacking[0], strangers) or (strangers[0] if len(strangers) == 1 else None)
        if len(lacking) > 1 or meant is None:
            problem = self._problem(R.missing_key, Place(self.path, "open"), what)
            kinds = known.get(lacking[0], {}).get("type", ())
            if len(lacking) > 1 or not kinds:
                return problem
            kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
            problem.key, problem.types = lacking[0], kinds
            return problem
        message = f"{what}; is {plain(meant)} misspelled?"
        path = (*self.path, meant)
        problem = self._problem(R.missing_key, Place(path, "key"), message, _rename(path, lacking[0]))
        problem.meant = nearest(meant, lacking)
        return problem

    def _within(self) -> str:
        return f" in {subject(self.path)}" if self.path else ""

    def _unknown(self, key: str) -> Problem:
        known = self.error.schema.get("properties", {})
        free = [k for k in known if k not in self.value]
        meant = nearest(key, free)
        hint = f"; did you mean {plain(meant)}?" if meant else ""
        message = f"{f'unknown key {plain(key)}' if key else 'empty key'}{self._within()}{hint}"
        path = (*self.path, key)
        problem = self._problem(R.unknown_key, Place(path, "key"), message, _rename(path, meant) if meant else None)
        problem.meant = meant
        return problem


def _rename(path: Path, key: str) -> Callable[[Document], Fix | None]:
    def fix(document: Document) -> Fix:
        from irlint.text.json.document import JsonDocument

        assert isinstance(document, JsonDocument)
        return Fix(f"Rename to {plain(key)}", document.rename_key(path, key), "unsafe")

    return fix


def _meant(error: SchemaError) -> SchemaError:
    """Return the branch of a failed choice that got furthest into the value, if there is one."""
    while error.keyword == "anyOf":
        here = len(error.path)
        firsts = [branch[0] for branch in error.branches if not _is_type_error(branch, here)]
        reached = [first.path for first in firsts]
        if not firsts or (len(firsts) > 1 and reached.count(max(reached, key=_progress)) > 1):
            return error
        error = max(firsts, key=lambda first: _progress(first.path))
    return error


def _progress(path: Path) -> tuple[int, ...]:
    """Return how far into a value a path reaches: lists are read from their start."""
    return tuple(step if isinstance(step, int) else 0 for step in path)


def _is_type_error(branch: Sequence[SchemaError], depth: int) -> bool:
    """Return whether a branch does not apply at all: the value has another type than it requires."""
    return any(len(error.path) == depth and error.keyword == "type" for error in branch)


def _types_of(error: SchemaError) -> list[str]:
    """Return the required types; of a choice those of its branches, if the type was the only error in each."""
    if error.keyword == "type":
        return _listed_types(error.limit)
    types: list[str] = []
    for branch in error.branches:
        found = [t for e in branch if e.keyword == "type" and e.path == error.path for t in _listed_types(e.limit)]
        if not found:
            return []
        types += [t for t in found if t not in types]
    return types


def _listed_types(limit: str | list[str]) -> list[str]:
    return [limit] if isinstance(limit, str) else limit


def visit(root: Any, path: Path) -> tuple[Any, str, str | None]:
    """Return the value at a path, the innermost named object that contains it as messages write it, and its name."""
    value, owner, node = root, "", None
    for depth, step in enumerate(path):
        value = value[step]
        if isinstance(value, dict) and isinstance(name := value.get("name"), str) and depth + 1 < len(path):
            owner, node = f"{brief(repr(visible(name)), 80)}", name
    return value, owner, node


def subject(path: Path) -> str:
    """Return a part of the file as messages write it: `key`, element 3 of `key`, the file."""
    last = next((depth for depth in range(len(path) - 1, -1, -1) if isinstance(path[depth], str)), -1)
    indices = "".join(f"element {step + 1} of " for step in reversed(path[last + 1 :]) if isinstance(step, int))
    return indices + (plain(path[last]) if last >= 0 else "the file")


def _alternatives(listed: Sequence[str], between: str = "or") -> str:
    if len(listed) > 12:
        listed = [*listed[:11], f"one of {len(listed) - 11} others"]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} {between} {listed[-1]}"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:12]) + (", ..." if len(words) > 12 else "")


def plain(value: Any) -> str:
    return f"`{brief(visible(value), 80)}`" if value and isinstance(value, str) else brief(str(value), 80) or "``"


def shown(value: Any) -> str:
    """Return a value as messages write it."""
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {words.count(len(value), 'element')}" if value else "an empty list"
    if isinstance(value, str):
        return f'`"{brief(visible(value), 80)}"`' if value else "an empty string"
    if value is None or isinstance(value, bool):
        return {None: "`null`", True: "`true`", False: "`false`"}[value]
    return f"`{brief(str(value), 60)}`"
