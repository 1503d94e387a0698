"""A case of a rule: a complete small file that breaks it, or that does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple


class Case(NamedTuple):
    """A complete small file. Invalid ones name the token that the finding must cover; `fixed` is the text after --fix."""

    text: str
    format: str  # "lightnet", or with a dialect "nnvm:tvm"
    token: str | None = None
    fixed: str | None = None
    side_files: Mapping[str, bytes] = {}  # next to the model, which is named model.json or model.xml
    links: Mapping[str, str] = {}  # symbolic links next to it
    targets: Mapping[str, str] = {}
    name: str = ""  # of the file, if another one


class Cases:
    """The cases of the rule whose class has the same name."""

    valid: ClassVar[tuple[Case, ...]] = ()
    invalid: ClassVar[tuple[Case, ...]] = ()
    all: ClassVar[dict[str, type[Cases]]] = {}

    def __init_subclass__(cls) -> None:
        Cases.all[cls.__name__] = cls
