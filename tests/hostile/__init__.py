"""Texts that hold very much of one thing: each family grows with a number, and so must what it costs.

Each module has families of one syntax in its `FAMILIES`; modules are found by being there.
"""
