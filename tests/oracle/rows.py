"""A mutant with all that is known of it: what the runtime says, what irlint says, and what fixing makes of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from oracle.cases import Stored
from oracle.judges import Verdict

MODES = ("safe", "unsafe")


class Row(NamedTuple):
    """A mutant, what the runtime says of it, of its base and of what fixing makes of it, and what irlint says."""

    case: Stored
    base: Verdict
    verdict: Verdict
    said: dict[str, Any]
    fixed: dict[str, Verdict]  # by mode; only where fixing changed the file

    @property
    def errors(self) -> list[Any]:
        return [finding for finding in self.said["findings"] if finding[0] == "error"]

    @property
    def is_rejected(self) -> bool:
        return self.verdict.stage is not None

    @property
    def is_missed(self) -> bool:
        return self.is_rejected and not self.errors

    @property
    def is_same(self) -> bool:
        """Whether the file gives what its base gives."""
        return not self.is_rejected and self.verdict.numbers == self.base.numbers

    @property
    def is_false(self) -> bool:
        """An error in a file that runs. One that gives other numbers than its base may deserve it: look."""
        return not self.is_rejected and bool(self.errors)

    @property
    def is_on_line(self) -> bool:
        """Whether an error, or what it refers to, is on the line of the defect or next to it: what is gone has no line."""
        places = (self.case.line, *self.case.lines)
        return any(abs(place - line) <= 1 for line in self._lines for place in places)

    @property
    def is_off_line(self) -> bool:
        return self.is_rejected and bool(self.errors and self.case.line) and not self.is_on_line

    @property
    def is_in_node(self) -> bool:
        """Whether an error, or what it refers to, is in the layer or node of the defect."""
        first, last = node_around(self.case.path.read_bytes().decode("utf-8", "replace"), self.case.line)
        return self.is_on_line or any(first <= line <= last for line in self._lines)

    @property
    def _lines(self) -> list[int]:
        return [line for _, _, at, _, related, _ in self.errors for line in (at, *related)]

    def loads_after(self, mode: str) -> bool:
        return mode in self.fixed and self.fixed[mode].stage is None

    def is_restored(self, mode: str) -> bool:
        return self.loads_after(mode) and self.fixed[mode].numbers == self.base.numbers

    def is_wrong(self, mode: str, grade: str) -> bool:
        """Whether fixes, some of them of a grade, make something else than the original of a file that was rejected."""
        is_of_grade = any(fix[0] == grade for fix in self.said.get(f"{mode} fixes", ()))
        return self.is_rejected and is_of_grade and not self.is_restored(mode)

    def is_harmed(self, mode: str) -> bool:
        """Whether the runtime took the file, and fails or has another model after fixing, which is not the base's either."""
        new, old = self.fixed.get(mode), self.verdict
        if new is None or not old.loads:
            return False
        if old.stage is None:
            return new.stage is not None or (new.model, new.numbers) not in (old[2:], self.base[2:])
        return not new.loads  # what is read and cannot be run means nothing yet


def node_around(text: str, line: int) -> tuple[int, int]:
    """First and last line of the layer or node that a line is in, as the usual writers lay it out."""
    first = last = 0
    for number, content in enumerate(text.splitlines(), 1):
        if content.lstrip().startswith("<layer ") or content == "    {":
            first = number
        last = number
        if number >= line and (content.strip() == "</layer>" or content.startswith("    }")):
            break
    return first, last
