"""Shape functions: for each abstract operator what its outputs are, and every check that LightNet makes on the way.

Each is called with a ShapeCall and the parameters' C values in the order of the operator table; None where one is missing or
wrong. It gives the outputs in the order of the table.
"""

from __future__ import annotations

from irlint.formats.lightnet.shapes import axes, elementwise, windows
from irlint.formats.lightnet.shapes.base import ShapeFunction

SHAPES: dict[str, ShapeFunction] = {**elementwise.SHAPES, **axes.SHAPES, **windows.SHAPES}
