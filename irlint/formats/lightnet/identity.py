"""The numbers of `create` are weights; its other parameters, and those of all operators, are the structure."""

from __future__ import annotations

from collections.abc import Iterator

from irlint.formats.identity import Bytes, Identity
from irlint.rules.base import Model


class LightNetIdentity(Identity):
    unstable = frozenset({"data", "msg", "file"})

    def values(self, model: Model) -> Iterator[Bytes]:
        for node in model.graph.nodes:
            if node.op == "create" and isinstance(data := node.attrs.get("data"), list):
                try:
                    yield repr(data).encode()
                except (ValueError, RecursionError):  # numbers of thousands of digits
                    continue


IDENTITY = LightNetIdentity()
