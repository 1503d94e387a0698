"""What changes of a pnnx operator are tried."""

from __future__ import annotations

from typing import Any

from irlint.formats.layers_site import LayerSite
from irlint.repairs import site

_WORDS = ("True", "False")


class PnnxSite(LayerSite):
    """An operator. No table says what its attributes hold, so that of their values only booleans have another."""

    def read(self, old: Any) -> Any:
        return old == "True" if old in _WORDS else old

    def kind(self, record: Any, old: Any) -> site.Kind | None:
        return site.Kind("bool") if old in _WORDS else None

    def spelled(self, value: Any, record: Any, old: Any) -> Any:
        return str(value)
