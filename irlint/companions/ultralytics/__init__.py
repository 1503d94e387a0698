"""Metadata that Ultralytics writes next to a model, or into it: what its programs have to know to run it."""
