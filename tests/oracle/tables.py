"""Check operator tables by the runtimes they describe: python tests/oracle/tables.py openvino --count 300 --seed 7; --count 0 for all.

Needs IRLINT_OPENVINO_PYTHON or IRLINT_MXNET_PYTHON. Every default, required attribute, word of an enum and number of inputs becomes
a small model. irlint, which knows only the table, must find an error where the runtime refuses the model, and none where it runs;
an attribute that is left out and one that is written with its default must make the same model.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from irlint import engine
from irlint.findings import Severity
from oracle import tables_ir, tables_symbol
from oracle.judges import Verdict, available, judge
from oracle.probes import Probe, Trial

PROBES = {"openvino": tables_ir.probes, "mxnet": tables_symbol.probes}
SUFFIX = {"openvino": ".xml", "mxnet": "-symbol.json"}
FROM_TABLE = ("A", "O")  # codes of findings that follow from a table


def sample(runtime: str, count: int, seed: int) -> list[Probe]:
    """Some probes of each kind, or all."""
    found = list(PROBES[runtime]())
    return random.Random(f"{runtime} {seed}").sample(found, count) if 0 < count < len(found) else found


def check(runtime: str, probes: Sequence[Probe], folder: Path) -> Iterator[tuple[Probe, str]]:
    """Yield each probe with what is wrong with the entry; an empty text if nothing is."""
    paths = {
        (k, j): _stored(folder / f"{k:05}-{j}{SUFFIX[runtime]}", trial)
        for k, probe in enumerate(probes)
        for j, trial in enumerate(probe.trials)
    }
    asked = judge(runtime)((path, path.name) for path in paths.values())
    verdicts = dict(zip(paths, asked, strict=True))
    for k, probe in enumerate(probes):
        found = [verdicts[k, j] for j in range(len(probe.trials))]
        wrong = [_wrong(paths[k, j], verdict) for j, verdict in enumerate(found)]
        reasons = [f"{trial.label} {why}" for trial, why in zip(probe.trials, wrong, strict=True) if why]
        if probe.same and not reasons and not _are_same(runtime, found):
            reasons = [f"other models: {' / '.join(trial.label for trial in probe.trials)} {_shown(found)}"]
        yield probe, "; ".join(reasons)


def _stored(path: Path, trial: Trial) -> Path:
    path.write_text(trial.text, encoding="utf-8")
    if trial.weights is not None:
        path.with_suffix(".bin").write_bytes(trial.weights)
    return path


def _wrong(path: Path, verdict: Verdict) -> str | None:
    result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
    errors = [finding for finding in result.findings if finding.severity == Severity.ERROR]
    by_table = [finding for finding in errors if finding.code.startswith(FROM_TABLE)]
    if not verdict.loads and not errors and not verdict.is_unknown:
        return f"is refused ({verdict.message[-160:]!r}), irlint finds no error"
    if verdict.stage is None and by_table:
        return f"runs, irlint says: {by_table[0].message}"
    return None


def _are_same(runtime: str, found: list[Verdict]) -> bool:
    """OpenVINO writes a model with all attributes; of MXNet only the outputs tell what it made of them."""
    known = [verdict.model if runtime == "openvino" else verdict.numbers for verdict in found]
    return len({(verdict.loads, str(of)) for verdict, of in zip(found, known, strict=True)}) == 1


def _shown(found: list[Verdict]) -> list[tuple[str | None, str]]:
    return [(verdict.stage, verdict.message[-80:]) for verdict in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runtime", choices=sorted(PROBES))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    if not available(args.runtime):
        parser.error(f"no Python with {args.runtime}: see judges.py")
    with tempfile.TemporaryDirectory() as folder:
        found = list(check(args.runtime, sample(args.runtime, args.count, args.seed), Path(folder)))
    for probe, why in found:
        if why:
            print(f"{probe.operator} {probe.kind} {probe.what}: {why}")
    print("checked:", dict(Counter(probe.kind for probe, _ in found)))
    print("wrong:", dict(Counter(probe.kind for probe, why in found if why)))
    if args.runtime == "mxnet":
        for line in tables_symbol.differences(tables_symbol.registry()):
            print(line)


if __name__ == "__main__":
    main()
