"""What irlint says of the models of exporters, next to what runtimes say: python tests/oracle/onnx_exported.py FOLDER [--out ROWS.json].

FOLDER is one that onnx_bases.py has made (IRLINT_ONNX_BASES) with the groups onnx_bases.DRAWN. Needs IRLINT_ONNX_PYTHON (make oracle-onnx). A model is
accepted if onnx's checker, its full check and onnxruntime with all optimizations and with none take it.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from irlint import engine
from irlint.findings import Finding, Severity
from oracle import onnx_measure

JUDGES = ("checker", "full", "ort", "plain")


class Model(NamedTuple):
    path: Path
    verdict: onnx_measure.Verdict
    findings: list[Finding]
    seconds: float  # of this processor
    nodes: int

    @property
    def is_accepted(self) -> bool:
        """What a runtime does not implement says nothing against a file, but does not take it either."""
        return not self.refusals

    @property
    def refusals(self) -> dict[str, str]:
        return {
            judge: f"{self.verdict[judge]['stage']}: {self.verdict[judge].get('message', '')}"
            for judge in JUDGES
            if self.verdict[judge]["stage"]
        }

    @property
    def is_slow(self) -> bool:
        """Whether a lint takes longer than the size of the graph explains, on a slow machine."""
        return self.seconds > 0.05 + 0.0005 * self.nodes + 0.02 * len(self.findings)

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == Severity.ERROR]


def judged(paths: Iterable[Path], work: Path) -> Iterator[Model]:
    listed = list(paths)
    jobs = [{"path": str(path), "feeds": str(path.with_suffix(".npz")), "judges": JUDGES} for path in listed]
    for path, verdict in zip(listed, onnx_measure.verdicts(jobs, work), strict=True):
        data, seconds = path.read_bytes(), []
        gc.collect()  # what the models before left is not this one's time
        for _ in range(3):  # the first reads rows of the operator table, too
            start = time.process_time()
            result = engine.lint_bytes(data, path.name, path=path)
            seconds.append(time.process_time() - start)
        graph = result.model.graph if result.model else None
        nodes = sum(len(one.nodes) for one in graph.walk()) if graph else 0
        yield Model(path, verdict, result.findings, min(seconds), nodes)


def figures(models: list[Model]) -> dict[str, float]:
    accepted = [model for model in models if model.is_accepted]
    return {
        "files": len(models), "accepted": len(accepted), "errors in accepted": sum(bool(model.errors) for model in accepted), "silent %": round(100 * sum(not model.findings for model in accepted) / max(1, len(accepted)), 1),
        "slow": sum(model.is_slow for model in models), "refused": len(models) - len(accepted), "refused without an error": sum(not model.errors for model in models if not model.is_accepted), "slowest": round(max(model.seconds for model in models), 3),
    }  # fmt: skip


def table(models: list[Model]) -> str:
    """A line for each group, then errors in accepted files, refusals that irlint misses, what is slow, and the other findings by rule."""
    groups: dict[str, list[Model]] = defaultdict(list)
    for model in models:
        groups[model.path.parent.name].append(model)
    lines = [f"{name:14}{json.dumps(figures(group))}" for name, group in (*sorted(groups.items()), ("all", models))]
    for model in models:
        name = f"{model.path.parent.name}/{model.path.name}"
        if model.is_accepted:
            lines += [f"FALSE {name} {error.code} {error.message}" for error in model.errors[:3]]
        elif not model.errors:
            lines.append(f"MISSED {name} {model.refusals}")
        if model.is_slow:
            lines.append(f"SLOW {name} {model.seconds:.3f} s, {model.nodes} nodes, {len(model.findings)} findings")
    return "\n".join([*lines, *_by_rule(models)])


def _by_rule(models: list[Model]) -> Iterator[str]:
    files: Counter[tuple[str, str]] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], list[str]] = defaultdict(list)
    for model in models:
        if model.is_accepted:
            keys = [(str(finding.severity), finding.code) for finding in model.findings]
            counts.update(keys)
            files.update(set(keys))
            for key, finding in zip(keys, model.findings, strict=True):
                examples[key].append(f"    {model.path.parent.name}/{model.path.name}: {finding.message[:200]}")
    for key, count in sorted(counts.items()):
        yield f"{key[0]} {key[1]}: {count} in {files[key]} files"
        yield from examples[key][:: max(1, len(examples[key]) // 4)][:5] if key[0] == "warning" else ()


def rows(models: list[Model]) -> list[dict[str, Any]]:
    return [
        {
            "path": str(model.path), "refused by": model.refusals, "seconds": model.seconds, "nodes": model.nodes, "bytes": model.path.stat().st_size,
            "findings": [[str(finding.severity), finding.code, finding.message] for finding in model.findings],
        }
        for model in models
    ]  # fmt: skip


def main() -> None:
    from oracle import onnx_bases

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--groups", nargs="*", default=onnx_bases.DRAWN)
    parser.add_argument("--out", type=Path, help="where to write all that is known of each model, as JSON")
    args = parser.parse_args()
    models = list(judged(onnx_bases.exported(args.folder.resolve(), args.groups), args.folder.resolve()))
    print(table(models))
    if args.out:
        args.out.write_text(json.dumps(rows(models), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
