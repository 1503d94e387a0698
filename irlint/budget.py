"""What trials of fixes and repairs may cost together in one file: never in time, so that every machine finds the same."""

from __future__ import annotations

# Characters linted in all trials of one file: about 0.4 s, so that a broken file is checked like a sound one
CHARACTERS = 6_000_000
PER_FINDING = 256  # characters that take as long as a finding
TRIALS = 240  # of the search in one file
FEWEST = 4  # trials that a text has to be small enough for: with less, hardly anything is compared


class Budget:
    """The remaining budget of one file; `cost` is that of linting one character, which differs between formats."""

    def __init__(self, cost: float = 1.0) -> None:
        self.cost = cost
        self.trials, self.characters = TRIALS, CHARACTERS
        self.reserved = CHARACTERS // 4  # for trials of fixes, which come after the search

    def allows(self, size: int) -> bool:
        """Return whether a search in a text of a size is worthwhile: its setup takes as long as a few trials."""
        return FEWEST * self.cost * size <= CHARACTERS

    def has(self, trials: int, size: int) -> bool:
        """Return whether so many trials may be made besides others that are due."""
        return trials * self.cost * size <= self.characters // 2

    def share(self, findings: int) -> None:
        """Reserve what is left but for the first of so many findings: none is searched at the cost of all others."""
        least = CHARACTERS // 4
        self.reserved = max(least, self.characters - max(0, self.characters - least) // findings)

    def spend(self, size: int, findings: int = 0) -> None:
        """Spend what one trial costs."""
        self.characters -= int(self.cost * size) + PER_FINDING * findings

    def search(self, size: int) -> bool:
        """Spend what one trial of a search costs; return whether it may be made. A trial that may not costs nothing."""
        if self.is_spent:
            return False
        self.trials -= 1
        self.spend(size)
        return not self.is_spent

    @property
    def is_spent(self) -> bool:
        """Return whether candidates were left untested: then others might fit as well."""
        return self.trials < 0 or self.characters < self.reserved
