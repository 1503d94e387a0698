"""The flat view of a model: calls in depth-first post-order, n-grams over them, events, and comparisons of two runs."""

from irlint.inspection.flat_view import Flat, FlatNode, flatten

__all__ = ["Flat", "FlatNode", "flatten"]
