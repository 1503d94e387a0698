"""What irlint says of drawn nodes, against what releases of a runtime loaded: python -m oracle.kernels.judge RUNTIME MODELS RELEASE=ANSWERS..."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from irlint.codes import Severity
from irlint.engine import lint_bytes
from irlint.findings import Finding
from irlint.settings import Settings
from oracle.kernels.learn import is_taken

_TARGETS = ("C001", "C002")
_MOST = 0.005  # of all nodes that may be judged wrongly


def judge(runtime: str, models: str, release: str, answers: str) -> float:
    """Print the nodes that are judged wrongly, and return their share. Nodes that irlint finds wrong for any runtime are left out."""
    records, said = pickle.loads(Path(models).read_bytes()), Path(answers).read_text(errors="replace").split("\n")
    settings = Settings(targets=((runtime, release),))
    count = wrong = 0
    for (key, _, data), answer in zip(records, said, strict=False):
        errors = [one for one in _findings(data, settings) if one.severity is Severity.ERROR]
        if any(one.code not in _TARGETS for one in errors):
            continue
        count += 1
        if bool(errors) == is_taken(answer):
            wrong += 1
            print(f"{release} {key}: {errors[0].message if errors else 'loads'}; {runtime}: {answer or 'loads'}")
    print(f"{runtime} {release}: {wrong} of {count} nodes judged wrongly ({wrong / count:.2%})")
    return wrong / count


def _findings(data: bytes | tuple[bytes, bytes], settings: Settings) -> Sequence[Finding]:
    """Return what is found in a model, or in an IR and its constants."""
    if isinstance(data, bytes):
        return lint_bytes(data, "model.onnx", settings).findings
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        path.write_bytes(data[0])
        path.with_suffix(".bin").write_bytes(data[1])
        return lint_bytes(data[0], path.name, settings, path=path).findings


if __name__ == "__main__":
    shares = [judge(*sys.argv[1:3], *one.split("=")) for one in sys.argv[3:]]
    sys.exit(max(shares) > _MOST)
