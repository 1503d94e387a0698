"""Work that some tasks end the process of."""

from __future__ import annotations

import os
from collections.abc import Sequence

from irlint.records import NamedTuple


class FatalWork(NamedTuple):
    """`once` is a file that a worker leaves before it dies for the first time; `always` is the task that always kills."""

    once: str
    always: int

    def __call__(self, batch: Sequence[int]) -> list[str]:
        if not os.path.exists(self.once):
            open(self.once, "w").close()
            os._exit(9)
        if self.always in batch:
            os._exit(9)
        return [f"done {task}" for task in batch]

    def failed(self, task: int, why: str) -> str:
        return f"failed {task}: {why}"
