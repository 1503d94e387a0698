"""The search for repairs, and what it tries: changes of a node that its graph and operator table suggest.

A format gives a `Site`, which says how each change is written.
"""
