"""What irlint, onnx.checker, full_check, onnxruntime, OpenVINO and polygraphy find of 54 planted defects: python tests/oracle/onnx_rivals.py FOLDER [--polygraphy].

Needs IRLINT_ONNX_PYTHON. irlint finds a defect if it has an error or a warning that the sound model has not; the others, if they refuse the file
before it is run. polygraphy takes 8 seconds a file and is asked only on demand.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from irlint import engine
from irlint.findings import Severity
from oracle import onnx_measure

BEFORE_RUNNING = {"check", "load", "read", "compile"}
WANTED = (Severity.ERROR, Severity.WARNING)


def planted(folder: Path) -> list[str]:
    if not (folder / "defects.json").exists():
        onnx_measure.oracle("oracle.onnx_planted", str(folder))
    names: list[str] = json.loads((folder / "defects.json").read_text(encoding="utf-8"))
    return names


def found(path: Path) -> set[tuple[str, str]]:
    result = engine.lint_bytes(path.read_bytes(), path.name, path=path)
    return {(finding.code, finding.message) for finding in result.findings if finding.severity in WANTED}


def told(folder: Path, name: str) -> list[str]:
    """What irlint says of a defect, and not of the model before it."""
    return sorted(" ".join(row) for row in found(folder / name / "model.onnx") - found(folder / name / "sound.onnx"))


def refusals(folder: Path, names: list[str]) -> dict[str, list[str]]:
    """Judges that refuse each file without running it."""
    jobs = [{"path": str(folder / name / "model.onnx"), "feeds": None} for name in names]
    verdicts = onnx_measure.verdicts(jobs, folder)
    return {
        name: [judge for judge in onnx_measure.JUDGES if verdict[judge]["stage"] in BEFORE_RUNNING]
        for name, verdict in zip(names, verdicts, strict=True)
    }


def lints(folder: Path, name: str) -> bool:
    """Whether `polygraphy check lint` fails."""
    tool = Path(os.environ[onnx_measure.PYTHON]).with_name("polygraphy")
    command = [str(tool), "check", "lint", str(folder / name / "model.onnx")]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--polygraphy", action="store_true")
    args = parser.parse_args()
    folder = args.folder.resolve()
    names = planted(folder)
    columns = {name: list(judges) for name, judges in refusals(folder, names).items()}
    for name in names:
        said = told(folder, name)
        columns[name] += ["irlint"] * bool(said) + ["polygraphy"] * bool(args.polygraphy and lints(folder, name))
        print(f"{name:36}{' '.join(columns[name]):50}{said[0][:110] if said else ''}")
    for judge in (*onnx_measure.JUDGES, "polygraphy", "irlint"):
        print(f"{judge:12}{sum(judge in judges for judges in columns.values()):4} of {len(names)}")


if __name__ == "__main__":
    main()
