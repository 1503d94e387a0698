"""Operators, one file per family: shape function and kernel side by side."""
