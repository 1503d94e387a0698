"""Make schemas/containers/images.json of the release branches of Triton's server: python -m oracle.kernels.containers GIT_DIRECTORY."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from oracle.kernels.tables import FOLDER

NOTE = "The onnxruntime that an image has, by its tag: from build.py in the branch of each release of github.com/triton-inference-server/server."
_BRANCH = re.compile(r"^r(\d\d\.\d\d)$", re.MULTILINE)
_MAP = re.compile(r"TRITON_VERSION_MAP = \{(.*?)^\}", re.DOTALL | re.MULTILINE)
_NUMBER = r"['\"](\d+(?:\.\d+)+)['\"]"
_NAMED, _LISTED = re.compile(rf"ort_version['\"]: {_NUMBER}"), re.compile(_NUMBER)
_PLACE = 3  # of onnxruntime's release, behind those of the server, its image and the one that this is built on


def main(repository: str) -> None:
    releases = {
        tag: found
        for tag in sorted(_BRANCH.findall(_git(repository, "branch")))
        if (found := _release(repository, tag))
    }
    table = {"note": NOTE, "nvidia/tritonserver": releases}
    (FOLDER.parent / "containers/images.json").write_text(json.dumps(table, indent=1) + "\n")
    print(f"{len(releases)} releases")


def _release(repository: str, tag: str) -> str | None:
    found = _MAP.search(_git(repository, "show", f"r{tag}:build.py"))
    if found is None:
        return None
    named, listed = _NAMED.search(found[1]), _LISTED.findall(found[1])
    return named[1] if named else listed[_PLACE] if len(listed) > _PLACE else None


def _git(repository: str, *words: str) -> str:
    command = ["git", "-C", repository, *words, *(["--format=%(refname:short)"] if words == ("branch",) else [])]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main(sys.argv[1])
