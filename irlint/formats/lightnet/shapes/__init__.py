"""Shape functions: for each abstract operator what its outputs are, and every check that LightNet makes on the way.

Each is called with a Call and the parameters' C values in the order of the operator table; None where one is missing or
wrong. It gives the outputs in the order of the table.
"""

from __future__ import annotations

from irlint.formats.lightnet.shapes import axes, elementwise, sources, windows
from irlint.formats.lightnet.shapes.base import (
    UNKNOWN,
    FailedCheck,
    KnownTensor,
    ShapeCall,
    ShapeFunction,
    ShapeRepair,
    UnknownResult,
    shown,
)

SHAPES: dict[str, ShapeFunction] = {**elementwise.SHAPES, **axes.SHAPES, **sources.SHAPES, **windows.SHAPES}

__all__ = [
    "SHAPES",
    "UNKNOWN",
    "FailedCheck",
    "KnownTensor",
    "ShapeCall",
    "ShapeFunction",
    "ShapeRepair",
    "UnknownResult",
    "shown",
]
