"""The attributes of a node as the dry run takes them."""

from __future__ import annotations

from typing import Any

from irlint.dryrun.errors import Undecided
from irlint.formats.nnvm.reading.values import BadValue, read
from irlint.operators import Operator

_NEEDLESS = {"workspace", "cudnn_tune", "cudnn_off", "ctx", "num_args", "forward_stype", "is_int"}


class Attrs:
    """The attributes of one node as its operator reads them."""

    def __init__(self, operator: Operator, texts: dict[str, str], count: int) -> None:
        self.operator = operator
        self.texts = texts
        self.count = count  # of inputs

    def __getitem__(self, name: str) -> Any:
        attribute = self.operator.attributes[name]
        text = self.texts.get(name, attribute.default)
        if text is None:
            if attribute.required:
                raise Undecided
            return None
        try:
            return read(attribute, str(text))
        except BadValue:
            raise Undecided from None

    def all(self) -> dict[str, Any]:
        return {name: self[name] for name in self.operator.attributes if name not in _NEEDLESS}
