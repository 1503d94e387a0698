"""Write what irlint finds in models, a line of JSON for each: python ci/same_findings.py INDEX OUT FIRST STEP.

The state to ask is in PYTHONPATH.
It uses what `irlint.__all__` promises and nothing else, because it runs with other states than its own.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import irlint
from irlint.settings import Settings

SECONDS = 60  # of one model


class TooLong(BaseException):
    pass


def _stop(_: int, __: FrameType | None) -> None:
    raise TooLong


def found(case: dict[str, Any]) -> Any:
    """Return the findings of a model without their words, or the name of what stopped the lint."""
    settings = Settings(("ALL", "PEDANTIC"), targets=tuple(map(tuple, case["targets"])))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        findings = irlint.lint(Path(case["path"]), as_format=case["format"], settings=settings)
    except (Exception, TooLong) as error:
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return [
        [
            f.code,
            list(f.span),
            str(f.severity),
            f.node,
            f.fix and [f.fix.safety, [[list(edit.span), edit.text] for edit in f.fix.edits]],
        ]
        for f in findings
    ]


def main() -> None:
    index, out, first, step = sys.argv[1:]
    signal.signal(signal.SIGPROF, _stop)
    cases = json.loads(Path(index).read_text(encoding="utf-8"))
    with open(out, "w", encoding="utf-8") as stream:
        for case in cases[int(first) :: int(step)]:
            stream.write(json.dumps([case["path"], found(case)]) + "\n")


if __name__ == "__main__":
    main()
