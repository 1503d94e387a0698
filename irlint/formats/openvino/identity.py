"""Who wrote an IR, the newest opset that its layers are from, and what their attributes say besides where weights are."""

from __future__ import annotations

import re

from irlint.formats.identity import Identity, Origin
from irlint.formats.openvino.reading.metadata import metadata
from irlint.rules.base import Model
from irlint.text.xml.document import XmlDocument

_OPSET = re.compile(r"opset(\d{1,4})", re.ASCII)
_BUILD = re.compile(r"(\d[\d.]{0,40})-.*", re.DOTALL)  # 2024.6.0-17404-4c0f47d2335-releases/2024/6
_PRODUCERS = (  # the entry that names the version, and the program that writes it
    ("Runtime_version", "OpenVINO"),
    ("MO_version", "Model Optimizer"),
)


class OpenVinoIdentity(Identity):
    constants_have_types = True
    unstable = frozenset({"offset", "size", "variable_id"})

    def origin(self, model: Model) -> Origin:
        versions = {node.version for graph in model.graph.walk() for node in graph.nodes}
        opsets = [int(found[1]) for version in versions if version and (found := _OPSET.fullmatch(version))]
        return Origin(_producer(model), f"opset{max(opsets)}" if opsets else _version(model))


def _version(model: Model) -> str | None:
    """Return the version of an IR that has no opsets."""
    document = model.document
    root = document.root if isinstance(document, XmlDocument) else None
    version = None if root is None else root.get("version")
    return f"IR {version}" if version and version.isdecimal() and len(version) < 4 else None


def _producer(model: Model) -> str | None:
    said = metadata(model)
    for key, program in _PRODUCERS:
        if (version := said.get("", {}).get(key)) is not None:
            found = _BUILD.fullmatch(version)
            return f"{program} {found[1] if found else version}"
    return None


IDENTITY = OpenVinoIdentity()
