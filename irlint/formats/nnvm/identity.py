"""The MXNet that wrote a symbol, and attributes without those that are for training or describe a value."""

from __future__ import annotations

from irlint.formats.identity import Identity, Origin
from irlint.formats.nnvm.reading.versions import version_of
from irlint.rules.base import Model
from irlint.text.json.document import JsonDocument


class NnvmIdentity(Identity):
    def origin(self, model: Model) -> Origin:
        document = model.document
        value = document.value if isinstance(document, JsonDocument) else None
        number = version_of(value) if isinstance(value, dict) else None
        if number is None or not 0 < number < 1_000_000:
            return Origin()
        version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
        return Origin(f"MXNet {version}", version)

    def is_stable(self, key: str) -> bool:
        return not key.startswith("__")


IDENTITY = NnvmIdentity()
