"""Reviews of models that tools have changed: `irlint prove` and `irlint breaking` on the pairs of review_pairs.py, which IRLINT_REVIEW names (make oracle-review).

Each pair is judged as the tool made it, and with a change planted in it. What is judged wrongly is printed, with the folder of its files.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

FOLDER = "IRLINT_REVIEW"
MATCHED = 0.95  # of the layers with weights
UNTOLD, UNNAMED = 15, 10  # of so many pairs, one may be undecided, and one change not named
PATIENCE = 300
VERDICTS = {True: "same", False: "different", None: "cannot tell"}
PAIRS = [path.parent for path in sorted(Path(os.environ.get(FOLDER, "nowhere")).glob("*-*/pair.json"))]
pytestmark = [
    pytest.mark.skipif(not PAIRS, reason=f"{FOLDER} names no folder with pairs: make oracle-review"),
    pytest.mark.timeout(7200),
]


class Said(NamedTuple):
    found: Any  # the JSON; None if there is none
    seconds: float  # of the processor
    error: str

    @property
    def verdict(self) -> str:
        return VERDICTS[self.found["same"] if self.found else None]

    @property
    def numerics(self) -> list[str]:
        return [finding["code"] for finding in self.found or () if finding["code"] in ("B020", "B021")]


class Review(NamedTuple):
    folder: Path
    pair: dict[str, Any]
    proof: Said
    planted: Said
    breaks: Said
    planted_breaks: Said
    alone: float  # seconds for a summary of each model

    @property
    def matched(self) -> float:
        layers = self.proof.found["layers"] if self.proof.found else {"all": 1, "matched": 0}
        return float(layers["matched"] / layers["all"]) if layers["all"] else 1.0

    @property
    def named(self) -> list[str]:
        first = (self.planted.found or {}).get("first") or {}
        return [first[side]["name"] for side in "ab" if first.get(side)]

    def faults(self) -> dict[str, str]:
        """What is wrong, by the test that it fails."""
        pair, found, named = self.pair, {}, {self.pair["node"], *self.pair["near"]}
        if self.proof.verdict == "different":
            found["wrong"] = f"prove a b: different, but outputs are {pair['apart']} apart"
        elif self.proof.verdict != "same" or self.matched < MATCHED:
            found["untold"] = f"prove a b: {self.proof.verdict}, {self.matched:.0%} of layers; {self.proof.error}"
        if self.planted.verdict != "different" or named.isdisjoint(self.named):
            found["unnamed"] = f"prove a planted: {self.planted.verdict}, names {self.named}; {self.planted.error}"
        if pair["is_exact"] and self.breaks.numerics:
            found["false"] = f"breaking a b: {self.breaks.numerics}, but outputs are {pair['apart']:.0e} apart"
        if (self.folder / "b.onnx").exists() and not self.planted_breaks.numerics:
            found["missed"] = f"breaking a planted: {self.planted_breaks.error}"
        return found


def _irlint(*arguments: str | Path) -> Said:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "irlint", *map(str, arguments), "--output-format", "json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return Said(None, PATIENCE, f"more than {PATIENCE} seconds")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = json.loads(done.stdout) if done.stdout[:1] in ("{", "[") else None
    return Said(found, seconds, " ".join(done.stderr.split())[-300:])


def _reviewed(folder: Path) -> Review:
    suffix = next(path.suffix for path in folder.glob("b.*") if path.suffix in (".onnx", ".xml", ".param"))
    a, others = folder / "a.onnx", (folder / f"b{suffix}", folder / f"planted{suffix}")
    proofs = [_irlint("prove", a, other) for other in others]
    breaks = [_irlint("breaking", "--level", "numerics", "--isolated", a, other) for other in others]
    alone = sum(_irlint("summary", each).seconds for each in (a, others[0]))
    return Review(folder, json.loads((folder / "pair.json").read_text("utf-8")), *proofs, *breaks, alone)


@pytest.fixture(scope="module")
def reviews() -> list[Review]:
    found = [_reviewed(folder) for folder in PAIRS]
    print(table(found))
    return found


def table(found: list[Review]) -> str:
    faults = [fault for one in found for fault in one.faults()]
    exact, alike = sum(one.pair["is_exact"] for one in found), sum((one.folder / "b.onnx").exists() for one in found)
    lines = [
        f"prove, {len(found)} pairs that compute the same: {faults.count('wrong')} different, {faults.count('untold')} undecided or with fewer layers than {MATCHED:.0%}",
        f"prove, {len(found)} planted changes: {faults.count('unnamed')} not named",
        f"breaking: {faults.count('false')} of {exact} right pairs with findings, {faults.count('missed')} of {alike} planted changes without",
    ]
    for name, place in (("prove", 2), ("breaking", 4)):
        times = sorted(((one[place].seconds / one.alone, one) for one in found), key=lambda row: -row[0])[:5]
        slowest = (f"{one.folder.name} {one[place].seconds:.1f} s ({factor:.1f})" for factor, one in times)
        lines.append(f"{name}, slowest next to two summaries: {', '.join(slowest)}")
    told = (f"{one.folder}: {fault}; changed: {one.pair['what']}" for one in found for fault in one.faults().values())
    return "\n".join([*lines, *told])


@pytest.mark.parametrize(
    ("fault", "one_of"), [("wrong", 0), ("untold", UNTOLD), ("unnamed", UNNAMED), ("false", 0), ("missed", 0)]
)
def test_reviews(reviews: list[Review], fault: str, one_of: int) -> None:
    found = {one.folder.name: words for one in reviews if (words := one.faults().get(fault))}
    assert len(found) <= (len(reviews) // one_of if one_of else 0), found
