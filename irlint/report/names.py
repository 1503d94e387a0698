"""Names in messages, cut to what a terminal has room for."""

from __future__ import annotations

from irlint.text.patterns import later

_NAME = later(r"(?<!\w)'([^'\n]*)'(?!\w)")
MARGIN = 8  # cells of a line that are not for a name


def shortened(text: str, columns: int) -> str:
    """Return a message in which names that are longer than a line are cut in their middle, as an exporter's names differ at their
    ends."""
    names = {match[1] for match in _NAME.finditer(text) if len(match[1]) > columns - MARGIN}
    head, size = columns // 8, columns // 2
    short = {name: f"{name[:head]}...{name[head + 3 - size :]}" for name in names}
    if len({*short.values()}) < len(names):
        return text  # the difference may be what it is about
    return _NAME.sub(lambda match: f"'{short.get(match[1], match[1])}'", text)
