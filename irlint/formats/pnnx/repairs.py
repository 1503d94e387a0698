"""How changes of an operator are written in a pnnx graph: lists in brackets, and what only its expressions hold."""

from __future__ import annotations

from typing import Any

from irlint.formats.layers_site import LayerSite
from irlint.repairs import site
from irlint.repairs.values import numbers_in

_PER_AXIS = frozenset(("dilation", "kernel_size", "padding", "stride", "output_padding"))


class PnnxSite(LayerSite):
    """An operator: its lists are tuples, as Python writes them, which irlint keeps as texts."""

    def read(self, old: Any) -> Any:
        is_list = isinstance(old, str) and old[:1] in ("(", "[")
        return tuple(numbers_in(old)) if is_list else old == "True" if old in ("True", "False") else super().read(old)

    def kind(self, record: Any, old: Any) -> site.Kind | None:
        if isinstance(value := self.read(old), bool):
            return site.Kind("bool")
        if isinstance(value, tuple) and record is not None:
            return site.Kind("int", True)
        return super().kind(record, old)

    def spelled(self, value: Any, record: Any, old: Any) -> Any:
        return (
            f"({','.join(map(str, value))})"
            if isinstance(value, tuple)
            else value
            if type(value) is int
            else str(value)
        )

    def per_axis(self, name: str) -> int:
        return int(name in _PER_AXIS)
