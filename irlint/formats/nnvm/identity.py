"""The MXNet that wrote a symbol, and attributes without those that are for training or describe a value."""

from __future__ import annotations

from irlint.formats.identity import Identity, Origin
from irlint.formats.nnvm.reading.json_values import as_dict
from irlint.formats.nnvm.reading.versions import version_of
from irlint.rules.base import Model


class NnvmIdentity(Identity):
    def origin(self, model: Model) -> Origin:
        number = version_of(as_dict(getattr(model.document, "value", None)))
        if number is None or not 0 < number < 1_000_000:
            return Origin()
        version = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
        return Origin(f"MXNet {version}", version)

    def is_stable(self, key: str) -> bool:
        return not key.startswith("__")


IDENTITY = NnvmIdentity()
