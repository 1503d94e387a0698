"""I002 check-incomplete."""

from __future__ import annotations

from irlint.codes import R
from irlint.rules.base import Example, Rule
from irlint.rules.samples import LIGHTNET


class CheckIncomplete(Rule):
    """
    What it does
        Reports that the check of a file was not finished, and what was left out. Each file has a budget of work, four
        million steps and two more for each of its characters, that no sound file comes near to. It counts steps, not
        seconds, so that a file has the same findings on every machine.

    Why is this bad
        Files that are made to keep a reader busy would stop the check of all others. What was left out may hide other
        findings.

    Example
        ```text
        model.onnx:1:1: I002[check-incomplete] warning: the check is incomplete: the file takes more work than any sound
        file of its size; left out: 40,000 types of nodes
        ```

    Use instead
        Fix the findings that are reported, of which there may be very many with one cause. If the file is sound, report
        a bug at https://github.com/irlint/irlint/issues.
    """

    row = R.check_incomplete
    valid = (Example(LIGHTNET, "lightnet"),)
