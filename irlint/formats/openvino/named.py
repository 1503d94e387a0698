"""Rules by the names of their classes (`rules.UnknownKey`), imported when the first problem speaks of them: a sound file needs none."""

from __future__ import annotations

import re

from irlint.rules.base import Rule
from irlint.rules.registry import by_name

_CAPITAL = re.compile("(?<!^)(?=[A-Z])")


class _Rules:
    def __getattr__(self, name: str) -> type[Rule]:
        rule = by_name(_CAPITAL.sub("-", name).lower(), "openvino")
        setattr(self, name, rule)
        return rule


rules = _Rules()
