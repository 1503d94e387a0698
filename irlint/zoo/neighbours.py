"""What the listing says of the files next to a model, as much as travels with a task."""

from __future__ import annotations

from collections.abc import Mapping

from irlint.records import NamedTuple

NEAR = 512  # files below a model's folder that travel with it; of more, those with a name like the model's
LIKE = 1024


class Neighbours(NamedTuple):
    """Sizes and ETags by the name below the model's folder. All names that begin with one of `known` are there."""

    files: Mapping[str, tuple[int, str | None]]
    known: tuple[str, ...]

    def knows(self, name: str) -> bool:
        """Return whether a file that is not in `files` does not exist."""
        return any(name.startswith(beginning) for beginning in self.known)
