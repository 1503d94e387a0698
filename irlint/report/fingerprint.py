"""Fingerprints of findings that survive moved lines and renumbered nodes."""

from __future__ import annotations

import json
import re
from collections import Counter
from hashlib import sha256

from irlint.report.base import FileReport, Options, ReportedFinding
from irlint.report.paths import relative

_INDEX = re.compile(r"(?<=/)\d+(?=/|$)|(?<=\[)\d+(?=\])")


class Fingerprints:
    """Fingerprints that are unique in one report: equal findings are numbered in order."""

    def __init__(self, options: Options) -> None:
        self._root = options.root
        self._seen: Counter[str] = Counter()

    def of(self, file: FileReport, entry: ReportedFinding) -> str:
        finding = entry.finding
        place = None if finding.pointer is None else _INDEX.sub("*", finding.pointer)
        token = " ".join(entry.token.split())
        key = (relative(file.name, self._root) or file.name, finding.code, finding.node, place, token)
        text = json.dumps(key)
        self._seen[text] += 1
        return sha256(f"{text}{self._seen[text]}".encode()).hexdigest()
