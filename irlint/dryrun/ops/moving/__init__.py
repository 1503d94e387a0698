"""Operators that move, repeat or make elements, in several formats."""
