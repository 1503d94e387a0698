"""What is kept of an NNVM file beside its graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from irlint.records import NamedTuple, dataclass, field
from irlint.rules.base import Model

if TYPE_CHECKING:
    from irlint.dryrun.infer import Outputs
    from irlint.files.side_files import SideFile
    from irlint.formats.nnvm.reading.params import ParamsIndex
    from irlint.formats.nnvm.reading.sweep import Sweep
    from irlint.formats.nnvm.reading.view import GraphView
    from irlint.text.base import Path


class NestedViews(NamedTuple):
    """Which views of a list are nested in which node."""

    views: list[GraphView]
    positions: dict[Path, dict[int, list[int]]]  # of views, by the path of a graph and the index of a node in it


@dataclass(slots=True)
class NnvmState:
    sweep: Sweep | None = None  # of a file with one graph
    params: tuple[SideFile, ParamsIndex] | None = None  # the parameter file, if it can be read
    nested: NestedViews | None = None
    shown: dict[int, Sequence[Outputs]] = field(default_factory=dict)  # types as people see them, by id() of a graph


def state_of(model: Model) -> NnvmState:
    found: NnvmState = model.state
    return found
