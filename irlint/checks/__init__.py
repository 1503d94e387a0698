"""Checks over a graph that passes and formats share; each is called where it is needed."""
