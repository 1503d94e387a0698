"""What companions report, in few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from irlint.codes import R, RuleRow
from irlint.findings import Fix, Problem, Severity
from irlint.text.base import Document, Edit, Path, Place
from irlint.tools.names import nearest


class Report:
    """The problems of one file. `quote` writes a name as the syntax of the file has it."""

    def __init__(self, document: Document, quote: str = '"') -> None:
        self.document, self.quote = document, quote
        self.found: list[Problem] = []

    def say(
        self,
        rule: RuleRow,
        at: Path,
        words: str,
        to: str | None = None,
        other: tuple[str, Path] | None = None,
        safe: bool = False,
        severity: Severity | None = None,
    ) -> None:
        """Report what is wrong at a path; `to`: the text that belongs there; `other`: what it contradicts, and where that is."""
        related = [] if other is None else [(other[0], Place(other[1]))]
        fix = None if to is None else _rewrite(Place(at), to, "safe" if safe else "unsafe")
        self.found.append(Problem(rule, Place(at), words, fix=fix, related=related, severity=severity))

    def missing(self, key: str, of: str, *paths: Path, severity: Severity | None = None) -> None:
        """Report a missing key at the first path that the file has."""
        at = next((path for path in paths if self.has(path)), paths[-1])
        self.found.append(Problem(R.missing_key, Place(at), f"missing `{key}` of {of}", key=key, severity=severity))

    def unknown(self, name: str, known: Iterable[str], at: Path, whose: str) -> None:
        """Report the name of a tensor that does not exist."""
        names = list(dict.fromkeys(filter(None, known)))
        close = nearest(name, names) or (names[0] if len(names) == 1 else None)
        hint = f"; did you mean `{close}`?" if close else f"; expected one of {', '.join(names[:8])}" if names else ""
        fix = None if close is None else _rewrite(Place(at), f"{self.quote}{close}{self.quote}", "unsafe")
        self.found.append(
            Problem(R.unknown_tensor, Place(at), f"unknown tensor {name!r} of {whose}", hint=hint, meant=close, fix=fix)
        )

    def has(self, path: Path) -> bool:
        try:
            self.document.value_at(path)
        except LookupError:
            return False
        return True


def _rewrite(place: Place, text: str, safety: Any) -> Any:
    def fix(document: Document) -> Fix:
        return Fix(f"Replace with `{text.strip(chr(34))}`", (Edit(document.span(place), text),), safety)

    return fix


def sizes(values: Sequence[Any]) -> str:
    return f"[{', '.join(map(str, values))}]"
