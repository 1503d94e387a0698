"""Checks over a graph that passes and formats share; each is called by whoever needs it."""
