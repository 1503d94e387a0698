"""Loops, branches and variables: what their entries refer to."""
