"""Rule selectors (a code, a name, a code prefix, ALL, PEDANTIC), resolved to codes or code prefixes."""

from __future__ import annotations

import re

from irlint.settings import PEDANTIC
from irlint.tools.errors import UserError


class UnknownSelector(UserError, ValueError):
    """An unknown selector."""


def resolve(word: str) -> str:
    """Return the code, code prefix, or ALL that a selector stands for, former names included."""
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
    """Return the message for an unknown rule."""
    from irlint.operators import nearest
    from irlint.rules import registry

    rules = registry.all_rules()
    close = nearest(word, [*rules, *(rule.name for rule in rules.values())])
    hint = f"did you mean `{close}`?" if close else "run `irlint rules` for a list"
    return f"unknown rule `{word}`; {hint}"
