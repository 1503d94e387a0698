"""Rules and severities for one file, from configuration and command line."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from irlint.codes import COMPARING
from irlint.findings import Severity
from irlint.records import NamedTuple, dataclass, field
from irlint.rules.base import Weights

if TYPE_CHECKING:
    from irlint.rules.declared import DeclaredRule

PEDANTIC = "PEDANTIC"  # selects the pedantic findings of all rules


class UserSchema(NamedTuple):
    """A schema of the configuration, which was loaded without a mistake."""

    name: str  # of its file, as the configuration spells it
    path: str
    base: str  # the configuration's folder: the only one from which it may refer to files
    of: Literal["file", "graph"] = "file"
    severity: Severity = Severity.ERROR
    formats: bool = False  # whether `format` is checked
    is_json: bool = True  # False: XSD or RELAX NG
    files: tuple[str, ...] = ()  # it, and those that it refers to
    digest: str = ""  # of their content, so that results are not taken from the cache when one changes


@dataclass(frozen=True)
class Settings:
    """The settings of one file, resolved from configuration and command line."""

    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    severities: tuple[tuple[str, Severity], ...] = ()
    targets: tuple[tuple[str, str], ...] = ()
    shapes: bool = True  # the abstract dry run
    weights: Path | None = None  # the file of weights, if it is not the one next to the model
    missing_weights: Weights = "auto"  # whether weights that are not there are an error
    in_commit: bool = False  # whether the commit must have the files next to the model: git must track them
    options: dict[str, Any] = field(default_factory=dict, hash=False, compare=False)  # per format
    never: tuple[str, ...] = ()  # off, regardless of `select`: per-file ignores
    declared: tuple[DeclaredRule, ...] = ()  # by the configuration
    pedantic: bool = False  # findings of that grade, too, of every selected rule
    schemas: tuple[UserSchema, ...] = ()  # of the configuration, for this file
    compares: bool = False  # two models: the rules about what changed are on, and all others off
    repairs_from: Severity = Severity.WARNING  # fixes of milder findings are offered only where those were asked for

    def wants(self, code: str, name: str, severity: Severity | None = None) -> bool:
        """Return whether a rule's findings of a severity are reported; without one, whether any could be."""
        if (code in COMPARING) != self.compares:
            return False
        if any(_matches(w, code, name) or (w == PEDANTIC and severity == Severity.PEDANTIC) for w in self.never):
            return False
        select = ("ALL", PEDANTIC) if self.select == (PEDANTIC,) else self.select  # alone, it turns no rule off
        if severity is None or severity > Severity.PEDANTIC:
            if _wanted(select, self.ignore, code, name):
                return True
            if severity is not None:
                return False
        asking = select if self.pedantic else tuple(w for w in select if _asks(w, code, name))
        return _wanted(asking, self.ignore, code, name, is_pedantic=True)

    def repairs(self, code: str, name: str, severity: Severity) -> bool:
        """Return whether --fix fixes a finding: errors and warnings, and rules selected by name or as pedantic."""
        return severity >= self.repairs_from or self.pedantic or any(_asks(word, code, name) for word in self.select)

    @property
    def describes_files(self) -> bool:
        """Return whether a schema says what is right in a file that is not a model."""
        return any(schema.of == "file" for schema in self.schemas)

    @cached_property
    def key(self) -> str:
        """Return all settings as text: equal settings have equal texts."""
        return repr(
            (*(getattr(self, name) for name in self.__match_args__ if name != "options"), _stable(self.options))
        )

    def severity_of(self, code: str, name: str, given: Severity) -> Severity:
        for word, severity in reversed(self.severities):
            if _matches(word, code, name):
                return severity
        return given


def _stable(value: Any) -> Any:
    """Return options in a canonical order."""
    if isinstance(value, dict):
        return sorted((str(key), _stable(inner)) for key, inner in value.items())
    return [_stable(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _matches(word: str, code: str, name: str) -> bool:
    return word == "ALL" or word == name or code.startswith(word.upper())


def _asks(word: str, code: str, name: str) -> bool:
    """Return whether a selector enables the pedantic findings of a rule: a prefix or ALL does not."""
    return word in (PEDANTIC, name) or word.upper() == code


@lru_cache(maxsize=4096)
def _wanted(select: tuple[str, ...], ignore: tuple[str, ...], code: str, name: str, is_pedantic: bool = False) -> bool:
    """Return whether a rule is selected: the most specific selector wins, ignore if they are equal."""

    def weight(words: tuple[str, ...]) -> float:
        fits = [w for w in words if (w == PEDANTIC and is_pedantic) or _matches(w, code, name)]
        return max((_WEIGHTS.get(w) or (99 if w == name else len(w)) for w in fits), default=-1)

    return weight(select) > weight(ignore)


_WEIGHTS = {"ALL": 0.1, PEDANTIC: 0.5}  # shorter than any prefix of a code
