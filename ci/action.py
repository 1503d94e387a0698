"""Checks models for the GitHub Action (action.yml): its inputs are in the environment, one value per line, never in a script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from job_summary import summary


def main() -> int:
    temp = Path(os.environ["RUNNER_TEMP"])
    report = temp / "irlint-report.json"
    formats = _lines("FORMATS")
    if with_summary := os.environ["SUMMARY"] == "true":
        formats.append(f"json:{report}")
    command = [sys.executable, "-m", "irlint", "check", "--cache-dir", str(temp / "irlint-reports")]
    command += [f"--output-format={text}" for text in formats]
    status = subprocess.run([*command, *_lines("ARGS"), "--", *_lines("PATHS")], check=False).returncode
    if with_summary and report.is_file():
        _append("GITHUB_STEP_SUMMARY", summary(json.loads(report.read_text(encoding="utf-8"))))
    _append("GITHUB_OUTPUT", f"status={status}\n")
    return status


def _lines(name: str) -> list[str]:
    return [line.strip() for line in os.environ[name].splitlines() if line.strip()]


def _append(variable: str, text: str) -> None:
    with open(os.environ[variable], "a", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main())
