"""Operators that compute, in several formats."""
