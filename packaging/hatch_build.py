"""A step of the build: the man page goes into the wheel, written from today's options."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManPage(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        self.folder = tempfile.TemporaryDirectory()
        page = Path(self.folder.name) / "irlint.1"
        command = [
            sys.executable,
            "-B",
            "packaging/man_page.py",
        ]  # -B: nothing appears in the tree that is being packed
        env = {**os.environ, "PYTHONPATH": self.root}
        page.write_bytes(subprocess.run(command, cwd=self.root, env=env, check=True, stdout=subprocess.PIPE).stdout)
        build_data["shared_data"][str(page)] = "share/man/man1/irlint.1"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.target_name == "wheel":
            self.folder.cleanup()
