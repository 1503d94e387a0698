"""Operators and parts of two forms of a network, run on the same numbers."""
