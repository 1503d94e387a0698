"""Keras as the judge of its own files: models that it writes, the table of its layers, and what it loads of mutants."""
