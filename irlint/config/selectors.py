"""Words that select rules (a code, a name, a prefix of codes, ALL, PEDANTIC) become codes or prefixes of codes."""

from __future__ import annotations

import re

from irlint.settings import PEDANTIC


class UnknownSelector(ValueError):
    """A word that names no rule."""


def resolve(word: str) -> str:
    """The code, the beginning of codes, or ALL that a word stands for, past names included."""
    from irlint.rules import registry

    if word.upper() in ("ALL", PEDANTIC):
        return word.upper()
    if (rule := registry.find(word)) is not None:
        return rule.code
    if word and any(code.startswith(word.upper()) for code in registry.all_rules()):
        return word.upper()
    if re.fullmatch(r"[Uu][0-9]{0,3}", word):  # rules that configurations declare, whichever holds for a file
        return word.upper()
    raise UnknownSelector(unknown(word))


def unknown(word: str) -> str:
    """What to say of a word that names no rule."""
    from irlint.operators import nearest
    from irlint.rules import registry

    rules = registry.all_rules()
    close = nearest(word, [*rules, *(rule.name for rule in rules.values())])
    hint = f"did you mean {close!r}?" if close else "`irlint rules` lists them all"
    return f"no rule is called {word!r} ({hint})"
