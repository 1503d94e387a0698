"""What companions report, in few words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any

from irlint.codes import R, RuleRow
from irlint.dryrun.dims import show
from irlint.findings import Fix, OtherPlace, Problem, Safety, Severity
from irlint.graph import Shape
from irlint.records import NamedTuple, replace
from irlint.text.base import Document, Edit, Path, Place
from irlint.tools.names import nearest

OFFERED = 100  # names

Other = tuple[str, "Path | OtherPlace"]  # a note, and where what it speaks of is
Others = Other | list[Other] | None


class ModelHint(NamedTuple):
    """What a model says of a value that a companion has, and what could be written there: for editors."""

    at: Path
    note: str
    choices: tuple[str, ...] = ()
    part: str = "value"  # which the choices replace


class Report:
    """The problems of one file. `quote` is what is around names in its syntax; `safe` are patterns of paths (as of file names) whose values
    nothing but the model decides."""

    can_write = True  # fixes are of whole values

    def __init__(self, document: Document, hints: list[ModelHint], quote: str = '"', safe: Sequence[str] = ()) -> None:
        self.document, self.hints, self.quote, self._safe = document, hints, quote, safe
        self.found: list[Problem] = []
        self._unknown = 0  # names

    def say(
        self,
        rule: RuleRow,
        at: Path,
        words: str,
        to: str | None = None,
        other: Others = None,
        safe: bool = False,
        severity: Severity | None = None,
    ) -> None:
        """Report what is wrong at a path; `to`: the text that belongs there; `other`: what it contradicts."""
        others = [] if other is None else other if isinstance(other, list) else [other]
        related = [(note, at if isinstance(at, OtherPlace) else Place(at)) for note, at in others]
        fix = _rewrite(Place(at), to, "safe" if safe else "unsafe") if to is not None and self.can_write else None
        self.found.append(Problem(rule, self._place(at, rule), words, fix=fix, related=related, severity=severity))

    def claim(
        self,
        rule: RuleRow,
        at: Path,
        of: str,
        said: Any,
        real: Any,
        to: str | None = None,
        other: Others = None,
        severity: Severity | None = None,
    ) -> bool:
        """Report what a file says of a model, but is not so; `to`: the text that would be right. Return whether the two agree, as they do
        if one of them is not known."""
        if real is not None:
            self.hint(at, f"{of} is {real}", [to] if to else [])
        if said is None or real is None or said == real:
            return True
        is_safe = any(fnmatchcase("/".join(map(str, at)), pattern) for pattern in self._safe)
        self.say(rule, at, f"{of} is {real}, not {said}", to, other, is_safe, severity)
        return False

    def shape(
        self,
        at: Path,
        of: str,
        said: Sequence[int],
        real: Shape,
        other: Others = None,
        batch: bool = False,
        to: bool = True,
        is_right: bool = True,
    ) -> None:
        """Report dimensions that are not those of a tensor, which may be anything where they are open. `batch`: the file does not have the
        first; `to`: the path is of a list with the dimensions; `is_right`: those of the tensor belong there."""
        rest, of = real[batch:], f"{of} is {show(real)}"
        if len(rest) != len(said):
            self.say(
                R.other_shape,
                at,
                f"{of}, but {'with the batch ' * batch}it is used as {sizes([-1] * batch + [*said])}",
                other=other,
            )
            return
        for k, (size, own) in enumerate(zip(rest, said, strict=True)):
            if isinstance(size, int):
                place, text = (*at, k) if to else at, str(size) if to and is_right else None
                self.claim(R.other_shape, place, f"{of}: dimension {k + batch}", own, size, text, other)

    def missing(self, key: str, of: str, *paths: Path, severity: Severity | None = None) -> None:
        """Report a missing key at the first path that the file has."""
        at = next((path for path in paths if self.has(path)), paths[-1])
        self.found.append(
            Problem(R.missing_key, self._place(at), f"missing `{key}` of {of}", key=key, severity=severity)
        )

    def misspelled(self, at: Path, meant: str | None, severity: Severity | None = None) -> None:
        """Report a key that is probably another one, or none that is known."""
        place, hint = Place(at, "key"), f"; did you mean `{meant}`?" if meant else ""
        fix = None if meant is None else _rewrite(place, f"{self.quote}{meant}{self.quote}", "unsafe")
        problem = Problem(R.unknown_key, place, f"unknown key `{at[-1]}`", hint=hint, meant=meant, fix=fix)
        self.found.append(replace(problem, severity=severity))

    def known(
        self,
        name: str,
        known: Iterable[str],
        at: Path,
        whose: str,
        other: OtherPlace | None = None,
        what: str = "tensor",
        part: str = "value",
        is_sure: bool = True,
        severity: Severity | None = None,
    ) -> bool:
        """Report the name of a tensor, or of what else, that does not exist. Return whether it does. `is_sure`: that the known names are
        right; if they are not, none is suggested."""
        names = known if isinstance(known, Mapping) else dict.fromkeys(known)
        self.hint(at, "", self.quoted(names), part)
        if name in names and name:
            return True
        close, first = self._meant(name, names) if is_sure else None, ", ".join(islice(filter(None, names), 8))
        hint = f"; did you mean `{close}`?" if close else f"; expected one of {first}" if first else ""
        fix = None if close is None else _rewrite(Place(at, part), f"{self.quote}{close}{self.quote}", "unsafe")
        other = other or getattr(names.get(close or ""), "at", None)
        related = [] if other is None else [("the model's own", other)]
        words = f"unknown {what} {name!r} of {whose}"
        self.found.append(
            Problem(
                R.unknown_tensor,
                Place(at, part),
                words,
                hint=hint,
                meant=close,
                fix=fix,
                related=related,
                severity=severity,
            )
        )
        return False

    def _meant(self, name: str, names: Mapping[str, Any]) -> str | None:
        """Return the name that is probably meant; it is looked for only for the first ones."""
        self._unknown += 1
        if self._unknown > OFFERED:
            return None
        some = list(filter(None, names))
        return nearest(name, some) or (some[0] if len(some) == 1 else None)

    def complete(self, at: Path, needed: Mapping[str, Any], given: Collection[str], of: str) -> None:
        """Report inputs that are needed, each with where it is declared, but not given."""
        left = [name for name in needed if name not in given]
        if left:
            more = f", and {len(left) - 1} more" if len(left) > 1 else ""
            place = needed[left[0]]
            other = None if place is None else ("declared here", place)
            self.say(R.tensor_left_out, at, f"input {left[0]!r}{of} is left out{more}", other=other)

    def once(self, key: object, words: str, at: Path, seen: dict[Any, Path], severity: Severity | None = None) -> None:
        """Report a duplicate."""
        if key in seen:
            self.say(R.duplicate_definition, at, words, other=("first here", seen[key]), severity=severity)
        seen.setdefault(key, at)

    def hint(self, at: Path, note: str, choices: Sequence[str] = (), part: str = "value") -> None:
        """Keep what a model says of a value, and the texts that could be there."""
        self.hints.append(ModelHint(at, note, tuple(choices[:OFFERED]), part))

    def quoted(self, names: Iterable[str]) -> list[str]:
        """Return names as the file writes them."""
        return [f"{self.quote}{name}{self.quote}" for name in islice(names, OFFERED)]

    def _place(self, at: Path, rule: RuleRow = R.missing_key) -> Place:
        """Return the place of a value; of a list that of its beginning, of an object that of its key, which may also say a type."""
        value = self.document.value_at(at) if self.has(at) else None
        if not isinstance(value, dict | list):
            return Place(at)
        has_key = at and isinstance(at[-1], str) and (isinstance(value, dict) or rule == R.other_dtype)
        return Place(at, "key" if has_key else "open")

    def has(self, path: Path) -> bool:
        try:
            self.document.value_at(path)
        except LookupError:
            return False
        return True


def _rewrite(place: Place, text: str, safety: Safety) -> Any:
    def fix(document: Document) -> Fix:
        return Fix(f"Replace with `{text.strip(chr(34))}`", (Edit(document.span(place), text),), safety)

    return fix


def sizes(values: Sequence[Any]) -> str:
    return f"[{', '.join(map(str, values))}]"
